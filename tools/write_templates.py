"""Write the workbooks in `templates/` again from the row schemas."""

from __future__ import annotations

from pathlib import Path

from kawe.cases.kinds import KINDS
from kawe.schemas.catalog import load_columns
from kawe.workbook.templates.template import template_bytes

TEMPLATES = Path(__file__).resolve().parent.parent / "templates"


def main() -> None:
    """Write one workbook for each kind of sheet."""
    TEMPLATES.mkdir(exist_ok=True)
    for kind in KINDS:
        path = TEMPLATES / f"{kind.value}.xlsx"
        path.write_bytes(template_bytes(kind, load_columns(kind)))
        print(path.relative_to(TEMPLATES.parent))


if __name__ == "__main__":
    main()
