"""Empty workbooks for people to fill in.

Hints, drop-downs and validations come from the columns, as the checks do; a how-to
sheet has the steps and what each column needs. The same columns always give the same
bytes, so that a test can compare `templates/`.
"""

from __future__ import annotations

import io
import math
import zipfile
from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from datetime import date, datetime, time
from pathlib import Path
from typing import Any, Final, TypeAlias

from openpyxl import Workbook
from openpyxl.cell import Cell
from openpyxl.packaging.core import DocumentProperties
from openpyxl.styles import Font
from openpyxl.worksheet.header_footer import HeaderFooterItem, _HeaderFooterPart
from openpyxl.worksheet.pagebreak import Break
from openpyxl.worksheet.worksheet import Worksheet
from openpyxl.writer.excel import ExcelWriter

from kawe.domain.sheet.columns import CellKind, Column, SheetKind
from kawe.domain.sheet.findings import Finding
from kawe.domain.sheet.tables import ReadAs, Table, TableRow
from kawe.domain.text.next_steps import Says
from kawe.errors import WorkbookError
from kawe.workbook.own_words import (
    GUIDE_SHEET,
    STAMP_KIND,
    STAMP_SHEET,
    STAMP_VERSION,
    TEMPLATE_VERSION,
)
from kawe.workbook.replacing import write_whole
from kawe.workbook.templates import styles
from kawe.workbook.templates.page import (
    PageColumn,
    add_lists,
    add_page,
    columns_of,
    heading_of,
    set_up_print,
    words_of,
    write_text,
)
from kawe_contract.limits import INTERFACE_VERSION
from kawe_xlsx.cells import RawValue
from kawe_xlsx.limits import EXCEL_TEXT_LIMIT
from kawe_xlsx.writing.page import dated
from kawe_xlsx.writing.styles import FORMATS, NAVY

# Any fixed day after 1980, for ZIP.
_MADE_AT: Final = datetime(2026, 11, 1)  # noqa: DTZ001 (openpyxl writes naive UTC)
_ZIPPED_AT: Final = (2026, 11, 1, 0, 0, 0)
CarriedRow: TypeAlias = Mapping[str, RawValue]
"""Typed values by field, without empty cells."""

_HAVE_NO_VALUE: Final = frozenset({"formula-uncalculated", "cells-merged"})


def write_template(
    kind: SheetKind,
    columns: Sequence[Column],
    path: Path,
    *,
    rows: Sequence[CarriedRow] = (),
    says: Says = str,
) -> Path:
    """Write a workbook for `kind` with `rows` at `path`, and say where it is.

    An existing workbook stays; the new one becomes `… (2).xlsx`.

    Raises:
        ResultNotWritable: It cannot be written.
    """
    content = template_bytes(kind, columns, rows=rows, says=says)
    return write_whole(path, lambda file: file.write(content), protect=frozenset())


def template_bytes(
    kind: SheetKind,
    columns: Sequence[Column],
    *,
    rows: Sequence[CarriedRow] = (),
    says: Says = str,
) -> bytes:
    """Make a workbook for `kind`; equal input gives equal bytes.

    What only a fetched sheet has is left out where no row has it.
    """
    filled = frozenset().union(*rows)
    columns = [e for e in columns if not e.is_fetched or e.field in filled]
    carried = [[row.get(column.field) for column in columns] for row in rows]
    book = _with_rows(
        kind, columns_of(columns), title=kind.value.capitalize(), rows=carried
    )
    add_guide(book, kind, columns, says=says)
    add_lists(book, columns)
    _add_stamp(book, kind)
    book.properties = DocumentProperties(
        title=f"kawe: {kind.value}",
        # Not the creator of results: a filled-in template is the person's.
        creator="kawe template",
        created=_MADE_AT,
        modified=_MADE_AT,
    )
    return _packed(book)


def rows_bytes(
    kind: SheetKind,
    shown: Sequence[PageColumn],
    *,
    title: str,
    rows: Sequence[Sequence[RawValue]],
) -> bytes:
    """Make a workbook of `rows` with the columns `shown`, prepared as a template.

    `title` of its sheet is not `LISTS_SHEET`; a row has a value for each column.
    """
    book = _with_rows(kind, shown, title=title, rows=rows)
    add_lists(book, [each.means for each in shown if each.means is not None])
    return _packed(book)


def _with_rows(
    kind: SheetKind,
    shown: Sequence[PageColumn],
    *,
    title: str,
    rows: Sequence[Sequence[RawValue]],
) -> Workbook:
    book = Workbook()
    book.remove(book.worksheets[0])
    page = add_page(book, kind, shown, title=title, filled_rows=len(rows))
    _fill_page(page, rows)
    return book


def _add_stamp(book: Workbook, kind: SheetKind) -> None:
    """Write kind and version on a hidden sheet."""
    sheet = book.create_sheet(STAMP_SHEET)
    sheet.append([STAMP_KIND, kind.value])
    sheet.append([STAMP_VERSION, TEMPLATE_VERSION])
    sheet.append(["interface version", INTERFACE_VERSION])
    sheet.sheet_state = "hidden"


def _packed(book: Workbook) -> bytes:
    """Zip `book` without times or temporary names."""
    fresh, even = io.BytesIO(), io.BytesIO()
    # openpyxl's own save would write the current time.
    ExcelWriter(book, zipfile.ZipFile(fresh, "w")).save()
    with zipfile.ZipFile(fresh) as parts, zipfile.ZipFile(even, "w") as out:
        for name in parts.namelist():
            entry = zipfile.ZipInfo(name, date_time=_ZIPPED_AT)
            entry.compress_type = zipfile.ZIP_DEFLATED
            out.writestr(entry, parts.read(name))
    return even.getvalue()


@dataclass(frozen=True, slots=True, kw_only=True)
class Carried:
    """The rows carried from a sheet, and what cannot be carried."""

    rows: tuple[CarriedRow, ...]
    read_as: ReadAs
    """How the columns were read; those that were not stay behind."""
    lost: tuple[Finding, ...]
    """Cells that show a text but have no value."""


def carry(table: Table) -> Carried:
    """Take the rows of a sheet as typed.

    A day that is a bare number becomes a date: days may count from 1904.

    Raises:
        WorkbookError: A text is longer than a cell of Excel can be.
    """
    return Carried(
        rows=tuple(_carried(row, table) for row in table.rows),
        read_as=table.read_as,
        lost=tuple(
            finding
            for row in table.rows
            for finding in row.findings
            if finding.rule in _HAVE_NO_VALUE
        ),
    )


def _carried(row: TableRow, table: Table) -> CarriedRow:
    values: dict[str, RawValue] = {}
    for heading, raw in zip(table.headings, row.raw, strict=True):
        column = heading.means
        if column is None or raw is None:
            continue
        if isinstance(raw, str) and len(raw) > EXCEL_TEXT_LIMIT:
            where = row.ref.cell(heading.column)
            raise WorkbookError(
                message=f"The text in {where} is longer than a cell of Excel can be.",
                hint=f"Shorten it to {EXCEL_TEXT_LIMIT:,} characters.",
            )
        whole = row.value(column.field) if heading.part else None
        typed = whole if isinstance(whole, str) else raw
        values[column.field] = _day_or(typed, column=column, row=row)
    return values


def _day_or(raw: RawValue, *, column: Column, row: TableRow) -> RawValue:
    means = row.value(column.field)
    is_number = isinstance(raw, int | float) and not isinstance(raw, bool)
    if column.kind is CellKind.DATE and is_number and isinstance(means, str):
        return date.fromisoformat(means)
    return raw


def _fill_page(sheet: Worksheet, rows: Sequence[Sequence[RawValue]]) -> None:
    for number, row in enumerate(rows, start=2):
        for at, raw in enumerate(row, start=1):
            if raw is not None:
                cell = sheet.cell(row=number, column=at)
                assert isinstance(cell, Cell)
                _write(cell, raw, like=sheet.column_dimensions[cell.column_letter])


def _write(cell: Cell, raw: RawValue, *, like: Any) -> None:  # noqa: ANN401 - untyped
    styled: Any = cell
    styled._style = copy(like._style)  # noqa: SLF001 (font, format and all: quicker)
    value, number_format = raw, ""
    if isinstance(raw, date | time):
        is_midnight = isinstance(raw, datetime) and raw.time() == time()
        value, name = dated(raw)
        number_format = FORMATS["day" if is_midnight else name]
    if isinstance(value, float) and not math.isfinite(value):
        value = str(value)
    if isinstance(value, str):
        write_text(cell, value)
        cell.quotePrefix = True
        return
    cell.value = value
    if isinstance(value, float) and float(f"{value:.16g}") != value:
        # openpyxl writes 16 digits; a place needs 17.
        cell.value = repr(value)
        cell.data_type = "n"
    if number_format:
        cell.number_format = number_format


_WIDTHS: Final = (30, 12, 66, 44)
_HEADINGS: Final = ("Column", "Needed?", "What to type", "Example")
_LINE_POINTS: Final = 15.5
# Most letters of Calibri are narrower than a 0, the unit of width.
_LETTERS_PER_WIDTH: Final = 1.15

_ANY: Final = (
    "Columns with a * are needed; leave the others empty if they do not apply.",
    (
        "You may change the order of the columns, take out those you do not need, and "
        "add your own; kawe leaves yours alone."
    ),
)


def add_guide(
    book: Workbook, kind: SheetKind, columns: Sequence[Column], *, says: Says
) -> None:
    """Add the how-to sheet for `kind` to `book`."""
    sheet = book.create_sheet(GUIDE_SHEET)
    for letters, width in zip("ABCD", _WIDTHS, strict=True):
        sheet.column_dimensions[letters].width = width
    _write_steps(sheet, kind, says)
    _write_columns(sheet, columns)
    _write_choices(sheet, [column for column in columns if column.choices])
    _set_up(sheet)


def _write_steps(sheet: Worksheet, kind: SheetKind, says: Says) -> None:
    title = f"How to fill in your {kind.value}"
    sheet.cell(row=1, column=1, value=title).font = styles.TITLE
    sheet.row_dimensions[1].height = 32
    first, *others = map(says, kind.guide)
    for number, step in enumerate((first, *_ANY, *others), start=1):
        row = sheet.max_row + 1
        cell = sheet.cell(row=row, column=1, value=f"{number}.  {step}")
        cell.font, cell.alignment = styles.PLAIN, styles.TOP_WRAPPED
        sheet.merge_cells(start_row=row, end_row=row, start_column=1, end_column=4)
        sheet.row_dimensions[row].height = _height([step], [sum(_WIDTHS)])


def _write_columns(sheet: Worksheet, columns: Sequence[Column]) -> None:
    _write_subtitle(sheet, "The columns")
    top = sheet.max_row + 1
    for at, heading in enumerate(_HEADINGS, start=1):
        cell = sheet.cell(row=top, column=at, value=heading)
        cell.font, cell.fill = styles.NEEDED, styles.NEEDED_FILL
        cell.alignment = styles.HEADING
    sheet.row_dimensions[top].height = 22
    for row, column in enumerate(columns, start=top + 1):
        needed = "Yes" if column.required else "No"
        texts = (heading_of(column), needed, column.hint, column.example)
        for at, text in enumerate(texts, start=1):
            cell = sheet.cell(row=row, column=at, value=text)
            cell.font = _font(at, column)
            cell.alignment, cell.border = styles.LEFT_WRAPPED, styles.UNDERLINED
            cell.number_format = "@"
        sheet.row_dimensions[row].height = _height(texts, _WIDTHS) + 3


def _font(at: int, column: Column) -> Font:
    if at == 1:
        return styles.STRONG
    if at == 2 and not column.required:
        return styles.QUIET
    return styles.PLAIN


def _write_choices(sheet: Worksheet, columns: Sequence[Column]) -> None:
    """List the choices of the drop-downs."""
    sheet.row_breaks.append(Break(id=sheet.max_row))
    _write_subtitle(sheet, "What the drop-downs offer")
    for column in columns:
        row = sheet.max_row + 1
        words = " · ".join(words_of(column))
        told = ((column.title, styles.STRONG), (words, styles.PLAIN))
        for at, (text, font) in enumerate(told, start=1):
            cell = sheet.cell(row=row, column=at, value=text)
            cell.font, cell.alignment = font, styles.LEFT_WRAPPED
        sheet.merge_cells(start_row=row, end_row=row, start_column=2, end_column=4)
        sheet.row_dimensions[row].height = _height([words], [sum(_WIDTHS[1:])]) + 3


def _write_subtitle(sheet: Worksheet, text: str) -> None:
    row = sheet.max_row + 2
    cell = sheet.cell(row=row, column=1, value=text)
    cell.font, cell.alignment = styles.SUBTITLE, styles.TOP
    sheet.row_dimensions[row].height = 24


def _height(texts: Sequence[str], widths: Sequence[int]) -> float:
    """Estimate the height of a row: Excel does not measure merged cells."""
    lines = max(
        -(-len(text) // int(width * _LETTERS_PER_WIDTH))
        for text, width in zip(texts, widths, strict=True)
    )
    return _LINE_POINTS * max(lines, 1)


def _set_up(sheet: Worksheet) -> None:
    sheet.sheet_view.showGridLines = False
    sheet.sheet_properties.tabColor = NAVY
    set_up_print(sheet, pages_across=1)
    sheet.oddFooter = HeaderFooterItem(right=_HeaderFooterPart(text="&P / &N"))
