"""`kawe report`: the result workbook again, from the journal."""

from __future__ import annotations

import asyncio
from pathlib import Path

import click

from kawe.cli.shared import printing
from kawe.cli.shared.exit import ExitCode
from kawe.cli.shared.options import (
    CommandContext,
    LookOptions,
    argument,
    option,
    options_class,
    taking,
)
from kawe.domain.batch.outcomes import BatchReport
from kawe.domain.rows.entries import Batch
from kawe.toolkit import find_batch


@options_class
class _ReportOptions:
    batch: str | None = argument(required=False)
    result: Path | None = option("--result", help="Where to write it.")
    look: LookOptions


@click.command(epilog="Example: kawe report monthly --result monthly-again.xlsx")
@taking(_ReportOptions)
def report(options: _ReportOptions) -> int:
    """Write the result workbook of BATCH again; without BATCH, of the latest.

    Asks the service nothing.
    """
    context = options.look.open()
    found, batches, made = asyncio.run(_report(context, options.batch))
    workbook = Path(found.workbook)
    path = context.toolkit.result_path_of(found, among=batches, wanted=options.result)
    writer = context.toolkit.writer(workbook)
    writer.check_writable(path)
    written = writer.write(made, path)
    return printing.answer(
        "report",
        ExitCode.DONE,
        as_json=context.as_json,
        document=lambda: printing.report_document(made, result=written),
        lines=printing.report_lines(made, result=written),
    )


async def _report(
    context: CommandContext, name: str | None
) -> tuple[Batch, tuple[Batch, ...], BatchReport]:
    async with context.toolkit.open_journal(read_only=True) as journal:
        batches = tuple(await journal.batches())
        batch = find_batch(batches, name=name)
        return batch, batches, await context.toolkit.report(batch, journal=journal)
