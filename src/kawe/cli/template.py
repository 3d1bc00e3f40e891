"""`kawe template`: an empty workbook to fill in."""

from __future__ import annotations

from pathlib import Path

import click

from kawe.cli._exit import ExitCode
from kawe.domain.columns import SheetKind
from kawe.errors import ResultNotWritable
from kawe.schemas.catalog import load_columns
from kawe.workbook.template import write_template


@click.command(epilog="Example: kawe template projects -o monthly.xlsx")
@click.argument("kind", type=click.Choice([kind.value for kind in SheetKind]))
@click.option(
    "-o",
    "--output",
    "path",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Where to write it; KIND.xlsx in this folder otherwise.",
)
def template(kind: str, path: Path | None) -> int:
    """Write an empty workbook for projects or invitations.

    It has drop-downs, hints and a how-to sheet.
    """
    sheet = SheetKind(kind)
    target = path or Path(f"{sheet.value}.xlsx")
    if target.exists():
        raise ResultNotWritable(
            message=f"{target} is there already.",
            hint="Choose another name with -o; kawe never writes over a workbook.",
        )
    written = write_template(sheet, load_columns(sheet), target)
    click.echo(f"{written} is ready to fill in. Then: kawe check {written}")
    return ExitCode.DONE
