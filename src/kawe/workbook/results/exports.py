"""An exported list as a workbook, a sheet for each table, or as CSV files."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from datetime import date
from typing import IO, Final, TypeAlias

from kawe.domain.service.lists import CellForm, ListRecord, TableOf
from kawe.domain.sheet.sheet_guard import guarded
from kawe.workbook.results.cells import (
    write_file_link,
    write_headings,
    write_link,
    write_value,
)
from kawe.workbook.results.styles import FACT, TITLE, body, style_sheet
from kawe_xlsx.cells import RawValue
from kawe_xlsx.writing.book import WorkbookWriter, new_book
from kawe_xlsx.writing.page import LINE_POINTS, Shape, SheetWriter
from kawe_xlsx.writing.text import plain_text

Put: TypeAlias = Callable[[ListRecord], None]
"""Writes one record."""

_TITLE_POINTS: Final = 27.0
_MARK: Final = "\ufeff"
# Excel needs a byte order mark for UTF-8.


@contextmanager
def list_workbook(
    file: IO[bytes], *, title: str, lines: Sequence[str], tables: Sequence[TableOf]
) -> Iterator[Put]:
    """Write a workbook with `title` and `lines` above the first table."""
    with (
        new_book(file, styles=style_sheet(), title=title) as book,
        ExitStack() as open_,
    ):
        pages: list[tuple[TableOf, SheetWriter]] = []
        # The first sheet is in the file and the others aside: it is closed first.
        for number in range(len(tables), 0, -1):
            table = tables[number - 1]
            head = (title, *lines) if number == 1 else (f"{title}: {table.title}",)
            sheet = _sheet(book, table, number=number, head=head)
            pages.append((table, open_.enter_context(sheet)))

        def put(record: ListRecord) -> None:
            for table, page in pages:
                for row in table.rows(record):
                    _write_row(page, table, row)

        yield put


@contextmanager
def _sheet(
    book: WorkbookWriter, table: TableOf, *, number: int, head: Sequence[str]
) -> Iterator[SheetWriter]:
    heading_row = len(head) + 1
    widths = tuple(field.width for field in table.fields)
    shape = Shape(
        title=table.title,
        widths=widths,
        heading_row=heading_row,
        is_first=number == 1,
        is_aside=number > 1,
    )
    with book.page(shape, number=number) as page:
        page.line((head[0], TITLE), points=_TITLE_POINTS)
        for line in head[1:]:
            page.line((line, FACT), points=LINE_POINTS)
        write_headings(page, table.headings)
        yield page
        # Excel repairs a book whose table has a space in its name.
        called = table.title.lower().replace(" ", "_")
        name = book.free_table(f"kawe_{called}")
        page.table(name, table.headings, first_row=heading_row)


def _write_row(page: SheetWriter, table: TableOf, row: Sequence[RawValue]) -> None:
    page.begin_row()
    for field, value in zip(table.fields, row, strict=True):
        if field.form is CellForm.LINK and isinstance(value, str):
            write_link(page, value)
        elif field.form is CellForm.FILE and value:
            write_file_link(page, str(value))
        elif field.form is CellForm.CENTS and isinstance(value, float):
            page.numeric(value, body("money"))
        else:
            write_value(page, value)
    page.end_row()


@contextmanager
def list_csv(file: IO[bytes], *, table: TableOf) -> Iterator[Put]:
    """Write a table as CSV in UTF-8, with lines that end as Excel's do."""
    text = io.TextIOWrapper(file, encoding="utf-8", newline="", write_through=True)
    text.write(_MARK)
    writer = csv.writer(text)
    writer.writerow(table.headings)

    def put(record: ListRecord) -> None:
        for row in table.rows(record):
            writer.writerow(map(_csv_cell, row))

    yield put
    # Closing the text would close the file.
    text.detach()


def _csv_cell(value: RawValue) -> str:
    match value:
        case None:
            return ""
        case bool():
            return str(value).upper()
        case str():
            return guarded(plain_text(value))
        case date():
            return value.isoformat()
        case _:
            return str(value)
