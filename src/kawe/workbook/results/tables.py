"""Plain tables as workbooks, such as the list of exported receipts."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import IO, Final

from kawe.domain.sheet.tables import RawValue
from kawe.workbook.cells.reading import show
from kawe.workbook.replacing import (
    check_place,
    sealed_page,
    write_together,
    write_whole,
)
from kawe.workbook.results.cells import table_sheet, write_value
from kawe.workbook.results.naming import sheet_title
from kawe.workbook.results.page import PAGE
from kawe.workbook.results.styles import style_sheet
from kawe.workbook.xlsx.book import new_book
from kawe.workbook.xlsx.page import Shape

_LOOKED_AT: Final = 300
_NARROW: Final = 9.0
_WIDE: Final = 60.0


class StreamedTableWriter:
    """A TableWriter; it never replaces a file that a person has edited."""

    def write_table(
        self,
        path: Path,
        *,
        title: str,
        headings: Sequence[str],
        rows: Sequence[Sequence[RawValue]],
    ) -> None:
        """Write `rows` under `headings` on one sheet called `title`."""
        write_whole(
            path,
            lambda file: write_table_book(
                file, title=title, headings=headings, rows=rows
            ),
            protect=frozenset(),
        )


def write_page(
    path: Path,
    page: str,
    *,
    title: str,
    headings: Sequence[str],
    rows: Sequence[Sequence[RawValue]],
) -> Path:
    """Write a page at `path`, which ends in .html, and beside it its table.

    Raises:
        ResultNotWritable: They cannot be written under any name.
    """
    check_place(path, protect=frozenset(), endings=(PAGE,))

    def save(files: Sequence[IO[bytes]]) -> None:
        files[0].write(sealed_page(page.encode()))
        write_table_book(files[1], title=title, headings=headings, rows=rows)

    return write_together(path, save, protect=frozenset(), beside=(".xlsx",))


def write_table_book(
    file: IO[bytes],
    *,
    title: str,
    headings: Sequence[str],
    rows: Sequence[Sequence[RawValue]],
) -> None:
    """Write a workbook with one sheet, on which `rows` stand under `headings`."""
    names = tuple(headings)
    shape = Shape(
        title=sheet_title(title), widths=tuple(_widths(names, rows)), heading_row=1
    )
    with (
        new_book(file, styles=style_sheet(), title=title) as book,
        table_sheet(
            book,
            shape,
            number=1,
            name="kawe_table",
            headings=names,
            own_from=len(names),
        ) as page,
    ):
        for row in rows:
            page.begin_row()
            for value in row:
                write_value(page, value)
            page.end_row()


def _widths(headings: Sequence[str], rows: Sequence[Sequence[RawValue]]) -> list[float]:
    return [
        max(
            _NARROW,
            min(_WIDE, len(heading) + 5),
            *(
                min(_WIDE, len(show(row[index])) + 2)
                for row in rows[:_LOOKED_AT]
                if index < len(row)
            ),
        )
        for index, heading in enumerate(headings)
    ]
