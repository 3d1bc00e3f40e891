"""Tables as workbooks, a sheet for each, and as CSV files."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import IO, Final, TypeAlias

from kawe.domain.service.lists import ListRecord, TableOf
from kawe.domain.text.table_doc import CellForm, TableDoc
from kawe.workbook.cells.reading import show
from kawe.workbook.replacing import PAGE, Seal, check_place, proven, write_together
from kawe.workbook.results import cells
from kawe.workbook.results.csv_json import CsvRows, plain_values
from kawe.workbook.results.rows import LOOKED_AT, sheet_title
from kawe.workbook.results.styles import FACT, TITLE, body, style_sheet
from kawe_xlsx.writing.book import WorkbookWriter, new_book
from kawe_xlsx.writing.page import LINE_POINTS, Printed, Shape, SheetWriter

Put: TypeAlias = Callable[[ListRecord], None]
"""Writes one record."""

_LINES: Final = (27.0, LINE_POINTS)
"""How high the title is, and each line below it."""
_WIDE: Final = 60.0


def write_table(path: Path, table: TableDoc) -> Path:
    """Write a table as a workbook or CSV, replace no person's file, say where it is."""
    write = _write_csv if path.suffix.casefold() == ".csv" else write_table_book
    check_place(path, protect=frozenset(), endings=(".xlsx", ".csv"))
    return write_together(path, lambda e, _: write(e[0], table), protect=frozenset())


def _write_csv(file: IO[bytes], table: TableDoc) -> None:
    out = CsvRows(file, headings=table.headings)
    for row in table.rows:
        out.write(plain_values(row))
    out.finish()


def write_page(path: Path, page: str, table: TableDoc) -> Path:
    """Write a page at `path`, which ends in .html, and beside it its table."""
    check_place(path, protect=frozenset(), endings=(PAGE,))

    def save(files: Sequence[IO[bytes]], _: Seal) -> None:
        files[0].write(proven(page, PAGE))
        write_table_book(files[1], table)

    return write_together(path, save, protect=frozenset(), beside=(".xlsx",))


def write_table_book(file: IO[bytes], table: TableDoc) -> None:
    """Write a workbook with one sheet."""
    shape = shape_of(table)
    with (
        new_book(file, styles=style_sheet(), title=table.title) as book,
        table_page(book, table, shape, name="kawe_table", is_own=False) as put,
    ):
        for row in table.rows:
            put(row)


@contextmanager
def list_workbook(
    file: IO[bytes], *, title: str, lines: Sequence[str], tables: Sequence[TableOf]
) -> Iterator[Put]:
    """Write a workbook with `title` and `lines` above the first table."""
    with (
        new_book(file, styles=style_sheet(), title=title) as book,
        ExitStack() as open_,
    ):
        puts = []
        # The first sheet is in the file and the others aside: it is closed first.
        for number in range(len(tables), 0, -1):
            table, is_first = tables[number - 1], number == 1
            doc = (
                table.doc(title, *lines)
                if is_first
                else table.doc(f"{title}: {table.title}")
            )
            shape = replace(shape_of(doc), is_first=is_first, is_aside=not is_first)
            # Excel repairs a book whose table has a space in its name.
            name = f"kawe_{table.title.lower().replace(' ', '_')}"
            page = table_page(book, doc, shape, number=number, name=name)
            puts.append((table, open_.enter_context(page)))

        def put(record: ListRecord) -> None:
            for table, put_row in puts:
                for row in table.rows(record):
                    put_row(row)

        yield put


def shape_of(table: TableDoc) -> Shape:
    """Give the sheet of a table; a wide one is printed on several sheets of paper."""
    columns = range(len(table.headings))
    widths = table.widths or tuple(_width(table, at) for at in columns)
    pages = cells.pages_across(widths)
    return Shape(
        title=sheet_title(table.title),
        widths=widths,
        heading_row=len(table.above) + 1,
        # What names a row stands on each.
        printed=Printed(left=(1, 2)) if pages > 1 else None,
        pages_across=pages,
    )


@contextmanager
def table_page(
    book: WorkbookWriter,
    table: TableDoc,
    shape: Shape,
    *,
    name: str,
    number: int = 1,
    is_own: bool = True,
) -> Iterator[Callable[[Sequence[cells.Cell]], None]]:
    """Write sheet `number` with the Excel table `name`; give what writes a row.

    With `is_own` the headings say that their columns are kawe's.
    """
    forms = [table.forms.get(each, CellForm.TEXT) for each in table.headings]
    with book.page(shape, number=number) as page:
        for at, line in enumerate(table.above):
            page.line((line, FACT if at else TITLE), points=_LINES[min(at, 1)])
        own_from = 0 if is_own else len(table.headings)
        cells.write_headings(page, table.headings, own_from=own_from)

        def put(row: Sequence[cells.Cell]) -> None:
            page.begin_row()
            for form, cell in zip(forms, row, strict=False):
                _write(page, cell, form)
            page.end_row()

        yield put
        name = book.free_table(name)
        page.table(name, table.headings, first_row=shape.heading_row)


def _write(page: SheetWriter, cell: cells.Cell, form: CellForm) -> None:
    if form is CellForm.LINK and isinstance(cell, str):
        cells.write_link(page, cell)
    elif form is CellForm.FILE and cell:
        cells.write_file_link(page, str(cell))
    elif form is CellForm.CENTS and isinstance(cell, float):
        page.numeric(cell, body("money"))
    else:
        cells.write_cell(page, cell)


def _width(table: TableDoc, at: int) -> float:
    """Give the width of a column; an address is shown as a few words."""
    heading, rows = table.headings[at], table.rows[:LOOKED_AT]
    texts = (show(row[at]) for row in rows if at < len(row))
    is_link = heading in table.forms
    shown = (cells.OPEN if is_link and cells.is_web(text) else text for text in texts)
    return cells.width_of(heading, shown, widest=_WIDE)


@contextmanager
def list_csv(file: IO[bytes], _: object, *, table: TableOf) -> Iterator[Put]:
    """Write a table as CSV in UTF-8, with lines that end as Excel's do."""
    out = CsvRows(file, headings=table.headings)

    def put(record: ListRecord) -> None:
        for row in table.rows(record):
            out.write(plain_values(row))

    yield put
    out.finish()
