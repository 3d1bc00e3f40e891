"""`kawe template`: a workbook to fill in, empty or with a person's own rows."""

from __future__ import annotations

from pathlib import Path

import click

from kawe.cases.kinds import KINDS
from kawe.cases.templates import Carried, carry, make_template
from kawe.cli.output.next_command import for_everybody, suggested
from kawe.cli.output.printing import print_lines, print_problems
from kawe.cli.shared.declaring import argument, command, option, options_class, output
from kawe.cli.shared.options import SheetOptions, open_context
from kawe.cli.shared.read_words import table_lines
from kawe.domain.batch.exit_codes import ExitCode
from kawe.domain.batch.readings import Reading
from kawe.domain.sheet.columns import SheetKind
from kawe.domain.sheet.findings import Severity, grouped
from kawe.domain.text.texts import counted, one_line
from kawe.errors import ResultNotWritable

_HELP = f"""Write a workbook to fill in, empty or with rows of yours.

KIND is one of {", ".join(KINDS)}.

It has drop-downs, hints and a how-to sheet. With --from it holds what
stands in an older template or in a sheet of your own, by its headings;
that workbook itself is never changed. kawe fetch writes one of what is so now.
"""


@options_class
class _TemplateOptions(SheetOptions):
    kind: str = argument(type=click.Choice(KINDS), metavar="KIND")
    path: Path | None = output(
        "Where to write it; KIND.xlsx in this folder otherwise.", is_folder=False
    )
    source: Path | None = option(
        "--from", is_folder=False, help="Carry the rows of this workbook over."
    )
    include_hidden: bool = option(
        "--include-hidden", help="Carry hidden and filtered rows too."
    )
    takes_struck: bool | None = option(
        "--include-struck/--skip-struck",
        default=None,
        help="Carry struck-through rows too, or leave them out.",
    )


@command(
    "kawe template projects -o monthly.xlsx · kawe template projects --from old.xlsx "
    "-o new.xlsx",
    help=_HELP,
)
def template(options: _TemplateOptions) -> int:
    """Write a workbook for a kind of sheet, with or without rows."""
    rows_of, source = SheetKind.named(options.kind), options.source
    target = options.path or Path(f"{rows_of.value}.xlsx")
    if target.exists():
        raise ResultNotWritable(
            message=f"{target} is there already.",
            hint="Choose another name with -o; kawe never writes over a workbook.",
        )
    carried = None
    if source is not None:
        reading = Reading(
            workbook=source,
            kind=rows_of,
            sheet=options.sheet,
            table=options.table,
            include_hidden=options.include_hidden,
            takes_struck=options.takes_struck,
        )
        carried = carry(open_context().toolkit.read(reading))
    written = make_template(rows_of, target, carried=carried, says=for_everybody)
    if carried is not None:
        _print_carried(carried, source=reading.workbook)
    check = suggested("check", written, only=())
    click.echo(f"{written} is ready to fill in. Then: {check}")
    return ExitCode.DONE


def _print_carried(carried: Carried, *, source: Path) -> None:
    name = one_line(source.name)
    click.echo(f"{counted(len(carried.rows), 'row')} carried over from {name}.")
    print_lines(table_lines(carried.read_as))
    if carried.read_as.unread:
        otherwise = suggested("columns", source, only=())
        click.echo(f"What was not read stays in {name}. To read it too: {otherwise}")
    print_problems(
        grouped(carried.lost),
        least=Severity.ERROR,
        rest="to correct; kawe check lists them",
    )
