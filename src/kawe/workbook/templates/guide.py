"""The how-to sheet: the steps, and what each column needs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from openpyxl import Workbook
from openpyxl.styles import Font
from openpyxl.worksheet.header_footer import HeaderFooterItem, _HeaderFooterPart
from openpyxl.worksheet.pagebreak import Break
from openpyxl.worksheet.worksheet import Worksheet

from kawe.domain.sheet.columns import Column, SheetKind
from kawe.workbook.templates import styles
from kawe.workbook.templates.page import heading_of, set_up_print, words_of
from kawe.workbook.xlsx.styles import NAVY

GUIDE_SHEET: Final = "How to"
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


def add_guide(book: Workbook, kind: SheetKind, columns: Sequence[Column]) -> None:
    """Add the how-to sheet for `kind` to `book`."""
    sheet = book.create_sheet(GUIDE_SHEET)
    for letters, width in zip("ABCD", _WIDTHS, strict=True):
        sheet.column_dimensions[letters].width = width
    _write_steps(sheet, kind)
    _write_columns(sheet, columns)
    _write_choices(sheet, [column for column in columns if column.choices])
    _set_up(sheet)


def _write_steps(sheet: Worksheet, kind: SheetKind) -> None:
    title = f"How to fill in your {kind.value}"
    sheet.cell(row=1, column=1, value=title).font = styles.TITLE
    sheet.row_dimensions[1].height = 32
    first, *others = kind.guide
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
