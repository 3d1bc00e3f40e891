"""The sheet that people fill in: headings, formats, rules and hints.

Formats belong to whole columns: no cell is written below the headings, so that every
program sees empty rows.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product, zip_longest
from typing import Final

from kawe.domain.sheet.columns import CellKind, Column, SheetKind
from kawe.workbook.results import styles
from kawe.workbook.results.cells import pages_across, write_value
from kawe_xlsx.cells import RawValue, column_letters
from kawe_xlsx.writing.book import WorkbookWriter
from kawe_xlsx.writing.page import CellRule, Printed, Shape
from kawe_xlsx.writing.styles import FORMATS, INK, NAVY, CellStyle, StyleSheet

PREPARED_ROWS: Final = 500
_HEADING_POINTS: Final = 34.0
_MANY_COLUMNS: Final = 12
_TEXTS: Final = ("text", "email", "phone", "identifier", "list")
_FORMATS: Final = {
    **dict.fromkeys(map(CellKind, _TEXTS), "text"),
    # The month is a word, so that a person sees when Excel swaps 1/2.
    CellKind.DATE: "day",
}
_LEFT, _WRAPPED, _RIGHT = "left", "wrapped", "right"
_SIDES: Final = {
    CellKind.LONG_TEXT: _WRAPPED,
    CellKind.LIST: _WRAPPED,
    CellKind.PLACE: _RIGHT,
    CellKind.NUMBER: _RIGHT,
}
_MOMENTS: Final = ("day", "day time", "hour")
_OPTIONAL: Final = "kawe optional heading"
STRONG: Final = "kawe strong"
_DAYS: Final = ("DATE(2000,1,1)", "DATE(2100,12,31)")
_LARGEST: Final = "1000000"
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

    def style(self, format_name: str = "general") -> str:
        """Name the style of a cell; days and times have a format of their own."""
        if self.means is None:
            side, own = _WRAPPED, "general"
        else:
            side = _SIDES.get(self.means.kind, _LEFT)
            own = _FORMATS.get(self.means.kind, "general")
        return _style(side, format_name if format_name in _MOMENTS else own)


def _style(side: str, format_name: str) -> str:
    return f"kawe {format_name} {side}"


def style_sheet() -> StyleSheet:
    """Give the styles of a template; its cells have one for each side and format."""
    cells = (
        CellStyle(
            name=_style(side, name),
            across="right" if side == _RIGHT else "left",
            wraps=side == _WRAPPED,
            number_format=FORMATS[name],
        )
        for side, name in product(
            (_LEFT, _WRAPPED, _RIGHT), ("text", "general", *_MOMENTS)
        )
    )
    optional = replace(styles.HEADING_LOOK, name=_OPTIONAL, ink=NAVY, fill="DCE6EC")
    strong = replace(optional, name=STRONG, ink=INK, fill=None, down="top")
    return StyleSheet((*styles.looks_of_text(), optional, strong, *cells))


def add_page(
    book: WorkbookWriter,
    kind: SheetKind,
    columns: Sequence[PageColumn],
    *,
    title: str,
    rows: Sequence[Sequence[RawValue]],
) -> None:
    """Write the first sheet: `rows` of `kind`, and prepared ones below them."""
    frozen = 2 if len(columns) > _MANY_COLUMNS else 0
    widths = tuple(column.width for column in columns)
    shape = Shape(
        title=title,
        widths=widths,
        cell_styles=tuple(column.style() for column in columns),
        heading_row=1,
        frozen_columns=frozen,
        printed=Printed(left=(1, frozen)) if frozen else None,
        pages_across=pages_across(widths),
        has_grid=True,
        is_first=True,
    )
    with book.page(shape, number=1) as page:
        headings = [
            (e.heading, styles.HEADING if e.means and e.means.required else _OPTIONAL)
            for e in columns
        ]
        page.line(*headings, points=_HEADING_POINTS)
        for row in rows:
            page.begin_row()
            for column, value in zip(columns, row, strict=True):
                write_value(page, value, style_of=column.style)
            page.end_row()
        page.rules += _rules(columns, last_row=PREPARED_ROWS + len(rows) + 1)
        names = [column.heading for column in columns]
        name = f"kawe_{kind.value}"
        page.table(name, names, first_row=1, prepared_rows=PREPARED_ROWS)


def _rules(columns: Sequence[PageColumn], *, last_row: int) -> Iterator[CellRule]:
    """Give the hint of each column, and what its cells take."""
    for at, column in enumerate(columns, start=1):
        if column.means is not None:
            letters = column_letters(at)
            yield replace(
                _accepted(column.means),
                area=f"{letters}2:{letters}{last_row}",
                title=heading_of(column.means),
                hint=column.means.hint,
            )


def _accepted(column: Column) -> CellRule:
    if words_of(column):
        return CellRule(kind="list", formulas=(list_name(column),))
    if column.kind is CellKind.DATE:
        return CellRule(kind="date", formulas=_DAYS)
    if column.kind is CellKind.NUMBER:
        return CellRule(kind="decimal", formulas=(f"-{_LARGEST}", _LARGEST))
    if column.max_length is not None:
        most = (str(column.max_length),)
        return CellRule(kind="textLength", operator="lessThanOrEqual", formulas=most)
    return CellRule()


def words_of(column: Column) -> tuple[str, ...]:
    """Give the words of the drop-down of `column`, if any."""
    if column.kind is CellKind.YES_NO:
        return _YES_NO
    return tuple(choice.label for choice in column.choices)


def list_name(column: Column) -> str:
    return f"kawe_{column.field}"


def add_lists(book: WorkbookWriter, columns: Sequence[Column], *, number: int) -> None:
    """Write the hidden sheet with the words of the drop-downs, each a named range.

    A rule with more than 255 characters is damage to Excel; the project types have 441.
    """
    listed = [column for column in columns if words_of(column)]
    shape = Shape(
        title=LISTS_SHEET, widths=(20.0, *(20.0 for _ in listed)), is_hidden=True
    )
    with book.page(shape, number=number) as page:
        words = [(column.title, *words_of(column)) for column in listed]
        for row in zip_longest(*words, fillvalue=""):
            page.line(*((word, styles.FACT) for word in row))
        for at, (column, its) in enumerate(zip(listed, words, strict=True), start=1):
            letters = column_letters(at)
            page.names[list_name(column)] = f"${letters}$2:${letters}${len(its)}"
