"""Templates: empty, with the rows of another workbook, or with what is so now."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from pathlib import Path

from kawe.cases.kinds import FETCHED
from kawe.cases.kit import Toolkit
from kawe.domain.sheet.columns import CellKind, Column, SheetKind
from kawe.domain.text.new_zealand import NEW_ZEALAND
from kawe.domain.text.next_steps import Says
from kawe.schemas.catalog import load_columns
from kawe.workbook.templates.template import Carried, carry, write_template
from kawe_xlsx.cells import RawValue

__all__ = ["Carried", "carry", "fetch_template", "make_template"]


def make_template(
    kind: SheetKind,
    path: Path,
    *,
    carried: Carried | None = None,
    says: Says = str,
) -> Path:
    """Write a template with the rows that were read."""
    rows = () if carried is None else carried.rows
    return write_template(kind, load_columns(kind), path, rows=rows, says=says)


async def fetch_template(toolkit: Toolkit, word: str, path: Path) -> tuple[Path, int]:
    """Write a workbook of what is so now; give its place, and how many rows it has.

    Raises:
        ServiceError: The service could not be read.
        ResultNotWritable: The workbook cannot be written.
    """
    kind = FETCHED[word]
    at = toolkit.clock.now().astimezone(NEW_ZEALAND)
    async with toolkit.open_service() as service:
        facts = await kind.fetch(service.lookups, at=f"{at:%Y-%m-%d %H:%M}")
    columns = load_columns(kind)
    rows = [_row(each, columns) for each in facts]
    written = write_template(kind, columns, path, rows=rows, says=toolkit.says)
    return written, len(rows)


def _row(facts: Mapping[str, str], columns: tuple[Column, ...]) -> dict[str, RawValue]:
    """Give the values of a row as people type them."""
    found = ((each.field, _typed(facts.get(each.field, ""), each)) for each in columns)
    return {field: value for field, value in found if value != ""}


def _typed(value: str, column: Column) -> RawValue:
    if column.kind is CellKind.DATE and value:
        return date.fromisoformat(value)
    return next((e.label for e in column.choices if e.value == value), value)
