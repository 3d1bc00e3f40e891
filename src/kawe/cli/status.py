"""`kawe status`: where rows stand, from the journal alone."""

from __future__ import annotations

import asyncio
from typing import Any

import click

from kawe.cli import _words
from kawe.cli._exit import ExitCode
from kawe.cli._options import (
    Surroundings,
    journal_options,
    open_surroundings,
    output_options,
)
from kawe.cli._running import code_of_rows
from kawe.domain.outcomes import BatchReport
from kawe.domain.texts import one_line
from kawe.toolkit import find_batch


@click.command(epilog="Examples: kawe status · kawe status monthly")
@click.argument("batch", required=False)
@journal_options
@output_options
def status(batch: str | None, **options: Any) -> int:  # noqa: ANN401 - by name
    """Say where the rows of BATCH stand; without BATCH, of every batch.

    Asks the service nothing. The exit code is that of the rows, so that a
    scheduler can tell whether somebody is needed.
    """
    around = open_surroundings(options)
    reports = asyncio.run(_reports(around, batch))
    codes = [code_of_rows(report.counts()) for report in reports]
    code = max(codes, default=ExitCode.DONE)
    if around.as_json:
        documents = [
            _words.report_document(report, command="status", result=None, exit_code=c)
            for report, c in zip(reports, codes, strict=True)
        ]
        _words.print_json(
            {"schema": "kawe.statuses/1", "exit_code": code, "batches": documents}
        )
    elif batch is not None:
        _words.print_report(reports[0], result=None)
        for row in reports[0].rows:
            if row.what_to_do:
                words = one_line(f"{row.outcome}: {row.what_to_do}", limit=300)
                click.echo(f"{row.where} {words}")
    else:
        for report in reports:
            _words.print_report(report, result=None)
        if not reports:
            click.echo("No batch yet. Submit a workbook first: kawe submit WORKBOOK")
    return code


async def _reports(around: Surroundings, name: str | None) -> list[BatchReport]:
    if name is None and not around.toolkit.has_journal:
        return []
    async with around.toolkit.open_journal(read_only=True) as journal:
        batches = await journal.batches()
        chosen = batches if name is None else (find_batch(batches, name=name),)
        return [await around.toolkit.report(batch, journal=journal) for batch in chosen]
