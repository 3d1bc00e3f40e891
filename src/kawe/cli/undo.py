"""`kawe undo`: a workbook that puts back what a batch of acts did."""

from __future__ import annotations

import asyncio
from dataclasses import asdict
from pathlib import Path

import click

from kawe.cases.templates import undo_template
from kawe.cli.output.near_command import NO_WAY
from kawe.cli.output.next_command import suggested
from kawe.cli.output.printing import print_json
from kawe.cli.shared.declaring import argument, command, options_class, output
from kawe.cli.shared.options import AskOptions, batches
from kawe.domain.batch.exit_codes import ExitCode
from kawe.domain.text.texts import counted


@options_class
class _UndoOptions(AskOptions):
    batch: str | None = argument(required=False, shell_complete=batches)
    path: Path | None = output(
        "Where to write it; undo-BATCH.xlsx in this folder otherwise.", is_folder=False
    )


@command("kawe undo closures-2027-03")
def undo(options: _UndoOptions) -> int:
    """Write a workbook that puts back what a batch of acts did.

    BATCH is its name, or its workbook. A project that was sent stays with iwi:
    nothing takes a send back. Nothing is asked for before you submit the workbook,
    and a row is held where somebody has changed the target since.
    """
    if options.batch is None:
        raise click.UsageError(NO_WAY["undo"])
    context = options.open()
    done = asyncio.run(undo_template(context.toolkit, options.batch, options.path))
    if context.as_json:
        print_json({"schema": "kawe.undoing/1", **asdict(done)})
    else:
        for name, why in done.left:
            click.echo(f"“{name}” is not put back: {why}.")
        names, rows = " and ".join(map(str, done.workbooks)), counted(done.rows, "row")
        has = "have" if done.workbooks[1:] else "has"
        said = f"Nothing of batch {done.batch} can be put back."
        if done.workbooks:
            check = suggested("check", done.workbooks[0], only=())
            said = f"{names} {has} {rows} to put back. Then: {check}"
        click.echo(said)
    return ExitCode.DONE
