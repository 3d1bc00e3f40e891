"""Templates, empty or with the rows of another workbook."""

from pathlib import Path

from kawe.domain.sheet.columns import SheetKind
from kawe.schemas.catalog import load_columns
from kawe.workbook.templates.template import Carried, carry, write_template

__all__ = ["Carried", "carry", "make_template"]


def make_template(
    kind: SheetKind, path: Path, *, carried: Carried | None = None
) -> Path:
    """Write a template with the rows that were read."""
    rows = () if carried is None else carried.rows
    return write_template(kind, load_columns(kind), path, rows=rows)
