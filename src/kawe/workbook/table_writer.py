"""Plain tables as workbooks, such as the list of exported receipts."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import IO, Final

from kawe.domain.sheet.tables import RawValue
from kawe.workbook.cells.reading import show
from kawe.workbook.replacing import write_whole
from kawe.workbook.result import sheet_title
from kawe.workbook.result_cells import write_headings, write_value
from kawe.workbook.result_styles import style_sheet
from kawe.workbook.sheet_book import WorkbookWriter, new_book
from kawe.workbook.sheet_page import Shape

_LOOKED_AT: Final = 300
_NARROW: Final = 9.0
_WIDE: Final = 60.0


class StreamedTableWriter:
    """A TableWriter; never over a file that a person has edited."""

    def write_table(
        self,
        path: Path,
        *,
        title: str,
        headings: Sequence[str],
        rows: Sequence[Sequence[RawValue]],
    ) -> None:
        """Write `rows` under `headings` on one sheet called `title`."""
        shape = Shape(
            title=sheet_title(title),
            widths=tuple(_widths(headings, rows)),
            heading_row=1,
        )

        def save(file: IO[bytes]) -> None:
            with new_book(file, styles=style_sheet(), title=title) as book:
                _write(book, shape, headings=tuple(headings), rows=rows)

        write_whole(path, save, protect=frozenset())


def _write(
    book: WorkbookWriter,
    shape: Shape,
    *,
    headings: tuple[str, ...],
    rows: Sequence[Sequence[RawValue]],
) -> None:
    with book.page(shape, number=1) as page:
        write_headings(page, headings, own_from=len(headings))
        for row in rows:
            cells = page.begin_row()
            for value in row:
                write_value(cells, value)
            page.end_row()
        page.table("kawe_table", headings, first_row=1)


def _widths(headings: Sequence[str], rows: Sequence[Sequence[RawValue]]) -> list[float]:
    return [
        max(
            _NARROW,
            min(
                _WIDE,
                len(heading) + 5,
            ),
            *(
                min(_WIDE, len(show(row[index])) + 2)
                for row in rows[:_LOOKED_AT]
                if index < len(row)
            ),
        )
        for index, heading in enumerate(headings)
    ]
