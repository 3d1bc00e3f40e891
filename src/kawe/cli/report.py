"""`kawe report`: the result workbook again, from the journal."""

from __future__ import annotations

import asyncio
from pathlib import Path

import click

from kawe.cli import _words
from kawe.cli._declaring import argument, option, options_class, taking
from kawe.cli._exit import ExitCode
from kawe.cli._options import (
    JournalOptions,
    OutputOptions,
    Surroundings,
    open_surroundings,
)
from kawe.domain.batch.outcomes import BatchReport
from kawe.domain.rows.entries import Batch
from kawe.toolkit import find_batch


@options_class
class _ReportOptions:
    batch: str | None = argument(required=False)
    result: Path | None = option(
        "--result", type=click.Path(path_type=Path), help="Where to write it."
    )
    journal: JournalOptions
    output: OutputOptions


@click.command(epilog="Example: kawe report monthly --result monthly-again.xlsx")
@taking(_ReportOptions)
def report(options: _ReportOptions) -> int:
    """Write the result workbook of BATCH again; without BATCH, of the latest.

    Asks the service nothing.
    """
    around = open_surroundings(options.journal, options.output)
    found, made = asyncio.run(_report(around, options.batch))
    workbook = Path(found.workbook)
    path = around.toolkit.result_path(workbook, wanted=options.result)
    writer = around.toolkit.writer(workbook)
    writer.check_writable(path)
    written = writer.write(made, path)
    if around.as_json:
        _words.print_json(
            _words.report_document(
                made, command="report", result=written, exit_code=ExitCode.DONE
            )
        )
    else:
        _words.print_report(made, result=written)
    return ExitCode.DONE


async def _report(around: Surroundings, name: str | None) -> tuple[Batch, BatchReport]:
    async with around.toolkit.open_journal(read_only=True) as journal:
        batch = find_batch(await journal.batches(), name=name)
        return batch, await around.toolkit.report(batch, journal=journal)
