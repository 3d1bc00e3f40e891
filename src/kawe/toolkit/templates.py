"""Templates, empty or with the rows of another workbook."""

from __future__ import annotations

from pathlib import Path

from kawe.domain.batch.saved_plans import Reading
from kawe.domain.sheet.columns import SheetKind
from kawe.schemas.catalog import load_columns
from kawe.toolkit.kit import Toolkit
from kawe.workbook.templates.template import Carried, carry, write_template

__all__ = ["Carried", "make_template", "rows_to_carry"]


def rows_to_carry(toolkit: Toolkit, reading: Reading) -> Carried:
    """Read the rows of a workbook for a template, by headings."""
    return carry(toolkit.read(reading))


def make_template(
    kind: SheetKind, path: Path, *, carried: Carried | None = None
) -> Path:
    """Write a template with the rows that were read."""
    rows = () if carried is None else carried.rows
    return write_template(kind, load_columns(kind), path, rows=rows)
