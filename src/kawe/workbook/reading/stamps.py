"""Reads the stamp that `kawe template` leaves in a workbook."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Final

from kawe.domain.sheet.columns import Column
from kawe.domain.sheet.findings import Finding
from kawe.domain.sheet.read_as import TemplateStamp
from kawe.domain.sheet.refs import RowRef
from kawe.domain.text.counts import counted
from kawe.domain.text.texts import one_line
from kawe.errors import WorkbookError
from kawe.workbook.cells.reading import show, warning
from kawe.workbook.own_words import (
    STAMP_KIND,
    STAMP_SHEET,
    STAMP_VERSION,
    TEMPLATE_VERSION,
)
from kawe.workbook.reading.grids import Book
from kawe.workbook.reading.headings import HeadingRow

_ROWS: Final = 10
_NAMED: Final = 5
_MOST: Final = 1_000


def stamp_of(book: Book) -> TemplateStamp | None:
    """Give the stamp of a workbook; None where it has none that can be read."""
    if STAMP_SHEET not in {each.name for each in book.sheets}:
        return None
    try:
        rows = list(islice(book.grid(STAMP_SHEET).rows, _ROWS))
    except WorkbookError:
        # Nothing of the person's stands there.
        return None
    said = {show(cells[0]): cells[1] for _, cells in rows if len(cells) > 1}
    kind, version = said.get(STAMP_KIND), said.get(STAMP_VERSION)
    if not isinstance(kind, str) or not isinstance(version, int | float):
        return None
    # Somebody may have typed anything there.
    if not 0 <= version <= _MOST:
        return None
    return TemplateStamp(kind=one_line(kind, limit=40), version=int(version))


def age_findings(
    stamp: TemplateStamp, row: HeadingRow, *, sheet: str, missing: list[Column]
) -> Iterator[Finding]:
    """Warn of a template of another version that lacks, or has, other columns."""
    this = f"template {stamp.version}; this kawe has {TEMPLATE_VERSION}"
    if stamp.version < TEMPLATE_VERSION and missing:
        named = ", ".join(f"“{column.title}”" for column in missing[:_NAMED])
        more = len(missing) - _NAMED
        others = f" and {counted(more, 'more', 'more')}" if more > 0 else ""
        yield warning(
            "template-old",
            message=f"An older kawe made this workbook ({this}), and it has no "
            f"{named}{others}.",
            advice="To have them, carry its rows over: kawe template "
            f"{row.kind} --from OLD.xlsx -o NEW.xlsx",
        ).at(RowRef(sheet=sheet, row=row.row))
    if stamp.version > TEMPLATE_VERSION:
        yield warning(
            "template-new",
            message=f"A newer kawe made this workbook ({this}).",
            advice="Look under “Not read”, or use the newer kawe.",
        ).at(RowRef(sheet=sheet, row=row.row))
