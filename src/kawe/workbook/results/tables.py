"""Plain tables as workbooks, such as the list of exported receipts."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import IO, Final

from kawe.domain.sheet.plain_table import PlainTable
from kawe.workbook.cells.reading import show
from kawe.workbook.replacing import (
    check_place,
    sealed_page,
    write_together,
    write_whole,
)
from kawe.workbook.results.cells import (
    is_web,
    write_file_link,
    write_headings,
    write_link,
    write_value,
)
from kawe.workbook.results.naming import sheet_title
from kawe.workbook.results.page import PAGE
from kawe.workbook.results.styles import FACT, TITLE, style_sheet
from kawe_xlsx.cells import RawValue
from kawe_xlsx.writing.book import new_book
from kawe_xlsx.writing.page import LINE_POINTS, Shape, SheetWriter

_LINES: Final = (27.0, LINE_POINTS)
"""How high the title is, and each line below it."""
_LOOKED_AT: Final = 300
_NARROW: Final = 9.0
_WIDE: Final = 60.0
_LINK: Final = 16.0


class StreamedTableWriter:
    """A TableWriter; it never replaces a file that a person has edited."""

    def write_table(self, path: Path, table: PlainTable) -> None:
        write_whole(
            path, lambda file: write_table_book(file, table), protect=frozenset()
        )


def write_page(path: Path, page: str, table: PlainTable) -> Path:
    """Write a page at `path`, which ends in .html, and beside it its table.

    Raises:
        ResultNotWritable: They cannot be written under any name.
    """
    check_place(path, protect=frozenset(), endings=(PAGE,))

    def save(files: Sequence[IO[bytes]]) -> None:
        files[0].write(sealed_page(page.encode()))
        write_table_book(files[1], table)

    return write_together(path, save, protect=frozenset(), beside=(".xlsx",))


def write_table_book(file: IO[bytes], table: PlainTable) -> None:
    """Write a workbook with one sheet."""
    widths = _widths(table)
    shape = Shape(
        title=sheet_title(table.title),
        widths=widths,
        heading_row=len(table.above) + 1,
    )
    with (
        new_book(file, styles=style_sheet(), title=table.title) as book,
        book.page(shape, number=1) as page,
    ):
        for at, line in enumerate(table.above):
            page.line((line, FACT if at else TITLE), points=_LINES[min(at, 1)])
        write_headings(page, table.headings, own_from=len(table.headings))
        for row in table.rows:
            _write_row(page, row, table=table)
        name = book.free_table("kawe_table")
        page.table(name, table.headings, first_row=shape.heading_row)


def _write_row(
    page: SheetWriter, row: Sequence[RawValue], *, table: PlainTable
) -> None:
    page.begin_row()
    for heading, value in zip(table.headings, row, strict=False):
        if value is None or heading not in table.links:
            write_value(page, value)
        elif is_web(str(value)):
            write_link(page, str(value))
        else:
            write_file_link(page, str(value))
    page.end_row()


def _widths(table: PlainTable) -> tuple[float, ...]:
    """Give widths by what stands in the columns; an address is shown as two words."""
    rows = table.rows[:_LOOKED_AT]
    return tuple(
        max(
            _NARROW,
            min(_WIDE, len(heading) + 5),
            *(
                _width(row[at], is_link=heading in table.links)
                for row in rows
                if at < len(row)
            ),
        )
        for at, heading in enumerate(table.headings)
    )


def _width(value: RawValue, *, is_link: bool) -> float:
    text = show(value)
    return _LINK if is_link and is_web(text) else min(_WIDE, len(text) + 2)
