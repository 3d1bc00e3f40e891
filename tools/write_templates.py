"""Write the workbooks in `templates/` again from the row schemas."""

from __future__ import annotations

from pathlib import Path

from kawe.cases.kinds import KINDS
from kawe.cli.output.next_command import for_everybody
from kawe.schemas.catalog import load_columns
from kawe.workbook.templates.template import template_bytes

TEMPLATES = Path(__file__).resolve().parent.parent / "templates"


def main() -> None:
    """Write one workbook for each kind of sheet."""
    TEMPLATES.mkdir(exist_ok=True)
    for kind in KINDS:
        path = TEMPLATES / f"{kind.value}.xlsx"
        content = template_bytes(kind, load_columns(kind), says=for_everybody)
        path.write_bytes(content)
        print(path.relative_to(TEMPLATES.parent))


if __name__ == "__main__":
    main()
