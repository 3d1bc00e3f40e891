"""Empty workbooks for people to fill in.

Hints, drop-downs and validations come from the columns, as the checks do; a how-to
sheet has the steps and what each column needs. The same columns always give the same
bytes, so that a test can compare `templates/`.
"""

import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Final, TypeAlias

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
from kawe.workbook.results import styles
from kawe.workbook.results.cells import Styled, write_headings, write_lines, write_row
from kawe.workbook.templates.page import (
    STRONG,
    PageColumn,
    add_lists,
    add_page,
    heading_of,
    style_sheet,
    words_of,
)
from kawe_contract.limits import INTERFACE_VERSION
from kawe_xlsx.cells import RawValue
from kawe_xlsx.limits import EXCEL_TEXT_LIMIT
from kawe_xlsx.writing.book import WorkbookWriter, new_book
from kawe_xlsx.writing.page import Shape

_MADE_AT: Final = datetime(2026, 11, 1, tzinfo=UTC)
"""Any fixed time."""
# Not the creator of results: a filled-in template is the person's.
_CREATOR: Final = "kawe template"
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

    def more(book: WorkbookWriter) -> None:
        with book.page(Shape(title=GUIDE_SHEET, widths=_WIDTHS), number=2) as page:
            page.line((f"How to fill in your {kind.value}", styles.TITLE), points=28)
            first, *others = map(says, kind.guide)
            for number, step in enumerate((first, *_ANY, *others), start=1):
                write_lines(page, f"{number}.  {step}")
            page.line()
            page.line(("The columns", styles.SECTION), points=24)
            write_headings(page, _HEADINGS, own_from=len(_HEADINGS))
            for column in columns:
                needed = "Yes" if column.required else "No"
                name = Styled(heading_of(column), STRONG)
                write_row(page, name, needed, column.hint, column.example)
            page.line()
            page.line(("What the drop-downs offer", styles.SECTION), points=24)
            for column in columns:
                if column.choices:
                    name = Styled(column.title, STRONG)
                    write_row(page, name, None, " · ".join(words_of(column)), None)
        shape = Shape(title=STAMP_SHEET, widths=(24.0, 24.0), is_hidden=True)
        with book.page(shape, number=4) as page:
            write_row(page, STAMP_KIND, kind.value)
            write_row(page, STAMP_VERSION, TEMPLATE_VERSION)
            write_row(page, "interface version", INTERFACE_VERSION)

    shown = [PageColumn(heading=heading_of(each), means=each) for each in columns]
    title = kind.value.capitalize()
    return rows_bytes(kind, shown, title=title, rows=carried, more=more)


def rows_bytes(
    kind: SheetKind,
    shown: Sequence[PageColumn],
    *,
    title: str,
    rows: Sequence[Sequence[RawValue]],
    more: Callable[[WorkbookWriter], None] = lambda _: None,
) -> bytes:
    """Make a workbook of `rows` with the columns `shown`, prepared as a template.

    `title` of its sheet is not `LISTS_SHEET`; a row has a value for each column.
    `more` writes other sheets.
    """
    file, known = io.BytesIO(), [each.means for each in shown if each.means is not None]
    with new_book(
        file,
        styles=style_sheet(),
        title=f"kawe: {kind.value}",
        creator=_CREATOR,
        made_at=_MADE_AT,
    ) as book:
        add_page(book, kind, shown, title=title, rows=rows)
        add_lists(book, known, number=3)
        more(book)
    return file.getvalue()


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
        if (column := heading.means) is None or raw is None:
            continue
        if isinstance(raw, str) and len(raw) > EXCEL_TEXT_LIMIT:
            where = row.ref.cell(heading.column)
            raise WorkbookError(
                message=f"The text in {where} is longer than a cell of Excel can be.",
                hint=f"Shorten it to {EXCEL_TEXT_LIMIT:,} characters.",
            )
        whole = row.value(column.field) if heading.part else None
        typed = whole if isinstance(whole, str) else raw
        if column.kind is CellKind.LIST and column.field in values:
            typed = f"{values[column.field]}; {typed}"
        values[column.field] = _day_or(typed, column=column, row=row)
    return values


def _day_or(raw: RawValue, *, column: Column, row: TableRow) -> RawValue:
    means = row.value(column.field)
    is_number = isinstance(raw, int | float) and not isinstance(raw, bool)
    if column.kind is CellKind.DATE and is_number and isinstance(means, str):
        return date.fromisoformat(means)
    return raw


_WIDTHS: Final = (30.0, 12.0, 66.0, 44.0)
_HEADINGS: Final = ("Column", "Needed?", "What to type", "Example")

_ANY: Final = (
    "Columns with a * are needed; leave the others empty if they do not apply.",
    (
        "You may change the order of the columns, take out those you do not need, and "
        "add your own; kawe leaves yours alone."
    ),
)
