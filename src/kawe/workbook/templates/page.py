"""The sheet that people fill in: headings, formats, rules and hints.

Formats belong to whole columns: no cell is written below the headings, so that every
program sees empty rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from openpyxl import Workbook
from openpyxl.cell import Cell
from openpyxl.workbook.defined_name import DefinedName
from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.header_footer import HeaderFooterItem, _HeaderFooterPart
from openpyxl.worksheet.properties import PageSetupProperties
from openpyxl.worksheet.table import Table, TableStyleInfo
from openpyxl.worksheet.worksheet import Worksheet

from kawe.domain.sheet.columns import CellKind, Column, SheetKind
from kawe.workbook.templates import styles
from kawe_xlsx.cells import column_letters
from kawe_xlsx.writing.styles import FORMATS
from kawe_xlsx.writing.text import safe_text

PREPARED_ROWS: Final = 500
_HEADING_POINTS: Final = 34
_MANY_COLUMNS: Final = 12
_A4: Final = 9
_WIDTH_OF_PAGE: Final = 190
"""In characters, small but legible on A4."""
_TEXTS: Final = ("text", "email", "phone", "identifier", "list")
_FORMATS: Final = {
    **dict.fromkeys(map(CellKind, _TEXTS), FORMATS["text"]),
    # The month is a word, so that a person sees when Excel swaps 1/2.
    CellKind.DATE: FORMATS["day"],
}
_ALIGNMENTS: Final = {
    CellKind.LONG_TEXT: styles.LEFT_WRAPPED,
    CellKind.LIST: styles.LEFT_WRAPPED,
    CellKind.PLACE: styles.RIGHT,
    CellKind.NUMBER: styles.RIGHT,
}
_FIRST_DAY: Final = "DATE(2000,1,1)"
_LAST_DAY: Final = "DATE(2100,12,31)"
_LARGEST: Final = "1000000"
_EXCEL_WORDS: Final = 255
_EXCEL_TITLE: Final = 32
_OWN_WIDTH: Final = 24
LISTS_SHEET: Final = "Lists"
_YES_NO: Final = ("Yes", "No")


def heading_of(column: Column) -> str:
    return f"{column.title} *" if column.required else column.title


@dataclass(frozen=True, slots=True, kw_only=True)
class PageColumn:
    """A column of the sheet that people fill in."""

    heading: str
    """Any text."""
    means: Column | None
    """None: it is the person's own, and has no rule."""

    @property
    def width(self) -> int:
        return _OWN_WIDTH if self.means is None else self.means.width


def columns_of(columns: Sequence[Column]) -> tuple[PageColumn, ...]:
    return tuple(PageColumn(heading=heading_of(each), means=each) for each in columns)


def add_page(
    book: Workbook,
    kind: SheetKind,
    columns: Sequence[PageColumn],
    *,
    title: str,
    filled_rows: int = 0,
) -> Worksheet:
    """Add the sheet for rows of `kind` to `book`, prepared beyond `filled_rows`."""
    sheet: Worksheet = book.create_sheet(title)
    last_row = PREPARED_ROWS + filled_rows + 1
    for at, column in enumerate(columns, start=1):
        _add_column(sheet, at, column, last_row=last_row)
    sheet.row_dimensions[1].height = _HEADING_POINTS
    frozen = 3 if len(columns) > _MANY_COLUMNS else 1
    sheet.freeze_panes = f"{column_letters(frozen)}2"
    sheet.add_table(_table(kind, len(columns), last_row=last_row))
    width = sum(column.width for column in columns)
    set_up_print(sheet, pages_across=-(-width // _WIDTH_OF_PAGE))
    sheet.print_title_rows = "1:1"
    if frozen > 1:
        sheet.print_title_cols = f"A:{column_letters(frozen - 1)}"
    sheet.oddFooter = HeaderFooterItem(
        left=_HeaderFooterPart(text="&A"), right=_HeaderFooterPart(text="&P / &N")
    )
    return sheet


def write_text(cell: Cell, text: str) -> None:
    """Write any text, which is never a formula."""
    cell.value = safe_text(text)
    cell.data_type = "s"


def _add_column(
    sheet: Worksheet, at: int, column: PageColumn, *, last_row: int
) -> None:
    letters, means = column_letters(at), column.means
    heading = sheet.cell(row=1, column=at)
    assert isinstance(heading, Cell)
    write_text(heading, column.heading)
    is_needed = means is not None and means.required
    heading.font = styles.NEEDED if is_needed else styles.OPTIONAL
    heading.fill = styles.NEEDED_FILL if is_needed else styles.OPTIONAL_FILL
    heading.alignment = styles.HEADING
    heading.border = styles.BETWEEN
    whole = sheet.column_dimensions[letters]
    whole.width = column.width
    whole.font = styles.PLAIN
    whole.alignment = styles.LEFT_WRAPPED
    if means is None:
        return
    whole.alignment = _ALIGNMENTS.get(means.kind, styles.LEFT)
    whole.number_format = _FORMATS.get(means.kind, "General")
    rule = _rule(means)
    rule.add(f"{letters}2:{letters}{last_row}")
    sheet.add_data_validation(rule)


def _rule(column: Column) -> DataValidation:
    """Make the validation of `column` and its hint."""
    rule = _accepted(column)
    rule.allow_blank = True
    rule.showInputMessage = True
    rule.promptTitle = heading_of(column)[:_EXCEL_TITLE]
    rule.prompt = column.hint[:_EXCEL_WORDS]
    if rule.type is not None:
        rule.showErrorMessage = True
        rule.errorStyle = "stop"
        rule.errorTitle = column.title[:_EXCEL_TITLE]
        rule.error = column.hint[:_EXCEL_WORDS]
    return rule


def _accepted(column: Column) -> DataValidation:
    if words_of(column):
        return DataValidation(type="list", formula1=list_name(column))
    if column.kind is CellKind.DATE:
        return DataValidation(
            type="date", operator="between", formula1=_FIRST_DAY, formula2=_LAST_DAY
        )
    if column.kind is CellKind.NUMBER:
        least, most = f"-{_LARGEST}", _LARGEST
        return DataValidation(
            type="decimal", operator="between", formula1=least, formula2=most
        )
    if column.max_length is not None:
        most = str(column.max_length)
        return DataValidation(
            type="textLength", operator="lessThanOrEqual", formula1=most
        )
    return DataValidation()


def _table(kind: SheetKind, columns: int, *, last_row: int) -> Table:
    return Table(
        displayName=f"kawe_{kind.value}",
        ref=f"A1:{column_letters(columns)}{last_row}",
        # The headings have their own colours; the stripes are the table's.
        tableStyleInfo=TableStyleInfo(name="TableStyleLight1", showRowStripes=True),
    )


def set_up_print(sheet: Worksheet, *, pages_across: int) -> None:
    """Print `sheet` on so many pages across."""
    sheet.page_setup.orientation = "landscape"
    sheet.page_setup.paperSize = _A4
    sheet.sheet_properties.pageSetUpPr = PageSetupProperties(fitToPage=True)
    sheet.page_setup.fitToWidth = pages_across
    sheet.page_setup.fitToHeight = 0
    sheet.page_margins.left = sheet.page_margins.right = 0.4


def words_of(column: Column) -> tuple[str, ...]:
    """Give the words of the drop-down of `column`, if any."""
    if column.kind is CellKind.YES_NO:
        return _YES_NO
    return tuple(choice.label for choice in column.choices)


def list_name(column: Column) -> str:
    return f"kawe_{column.field}"


def add_lists(book: Workbook, columns: Sequence[Column]) -> None:
    """Add the hidden sheet with the words of the drop-downs, each a named range.

    A rule with more than 255 characters is damage to Excel; the project types have 441.
    """
    sheet = book.create_sheet(LISTS_SHEET)
    sheet.sheet_state = "hidden"
    listed = [column for column in columns if words_of(column)]
    for at, column in enumerate(listed, start=1):
        words = words_of(column)
        for row, word in enumerate((column.title, *words), start=1):
            sheet.cell(row=row, column=at, value=word)
        letters = column_letters(at)
        name = list_name(column)
        area = f"'{LISTS_SHEET}'!${letters}$2:${letters}${len(words) + 1}"
        book.defined_names[name] = DefinedName(name, attr_text=area)
