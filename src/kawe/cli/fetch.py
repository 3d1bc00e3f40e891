"""`kawe fetch`: a workbook of what is so now, to be changed and submitted."""

from __future__ import annotations

import asyncio
from pathlib import Path

import click

from kawe.cases.kinds import FETCHED
from kawe.cases.templates import fetch_template
from kawe.cli.output.next_command import suggested
from kawe.cli.output.printing import print_json
from kawe.cli.shared.declaring import argument, command, options_class, output
from kawe.cli.shared.options import AskOptions
from kawe.domain.batch.exit_codes import ExitCode
from kawe.domain.text.texts import counted
from kawe.errors import ResultNotWritable

_HELP = f"""Write a workbook of what is so now, to change and submit.

KIND is one of {", ".join(FETCHED)}.

Each row has columns that begin with Was. Change what is to be changed, and
leave those: kawe submit asks for the rows that you changed alone, and does
not do a row that somebody else has changed since.
"""


@options_class
class _FetchOptions(AskOptions):
    kind: str = argument(type=click.Choice([*FETCHED]), metavar="KIND")
    path: Path | None = output(
        "Where to write it; KIND.xlsx in this folder otherwise.", is_folder=False
    )


@command("kawe fetch members -o roles.xlsx", help=_HELP)
def fetch(options: _FetchOptions) -> int:
    """Write what is so now of one kind of act."""
    target = options.path or Path(f"{options.kind}.xlsx")
    if target.exists():
        raise ResultNotWritable(
            message=f"{target} is there already.",
            hint="Choose another name with -o; kawe never writes over a workbook.",
        )
    context = options.open()
    written, rows = asyncio.run(fetch_template(context.toolkit, options.kind, target))
    check = suggested("check", written, only=())
    if context.as_json:
        print_json({"schema": "kawe.fetched/1", "workbook": str(written), "rows": rows})
    else:
        then = f"{counted(rows, 'row')} to change. Then: {check}"
        click.echo(f"{written} has {then if rows else 'no rows: there are none now.'}")
    return ExitCode.DONE
