"""`kawe report`: the result workbook again, from the journal."""

from __future__ import annotations

import asyncio
from pathlib import Path

import click

from kawe.cli.output import printing
from kawe.cli.output.exit import ExitCode
from kawe.cli.shared import claims
from kawe.cli.shared.completing import batches
from kawe.cli.shared.declaring import argument, option, options_class, taking
from kawe.cli.shared.extracts import ExtractOptions, write_extracts
from kawe.cli.shared.opening import OpenOptions
from kawe.cli.shared.options import CommandContext, LookOptions
from kawe.errors import SettingsError
from kawe.toolkit.batches.periods import period_of, report_of_period, write_period
from kawe.toolkit.batches.reporting import reported_batch


@options_class
class _ReportOptions:
    batch: str | None = argument(required=False, shell_complete=batches)
    result: Path | None = option("--result", help="Where to write it.")
    since: str | None = option(
        "--since",
        metavar="DAY",
        help="Report every batch by month, from this day on, as 1/7/2026.",
    )
    until: str | None = option(
        "--until",
        metavar="DAY",
        help="The last day of that report; today if it is left out.",
    )
    extracts: ExtractOptions
    look: LookOptions
    opening: OpenOptions


@click.command(epilog="Example: kawe report monthly --result monthly-again.xlsx")
@taking(_ReportOptions)
def report(options: _ReportOptions) -> int:
    """Write the result workbook of BATCH again; without BATCH, of the latest.

    Asks the service nothing, and needs no workbook: the journal has what was
    read. A batch whose workbook was read for a later batch since gets a result
    with the day in its name.

    With --since or --until: how the rows of every batch stand, by month, and the
    iwi that they went to, as a page and a workbook.
    """
    context = options.look.open()
    if options.since is not None or options.until is not None:
        return _by_month(context, options)
    toolkit = context.toolkit
    found = asyncio.run(reported_batch(toolkit, options.batch, result=options.result))
    extracts = options.extracts.of_batch(toolkit, found.workbook, result=found.result)
    made, written = found.made, found.write(toolkit)
    more = write_extracts(extracts, made)
    context.run.record(made, made.counts())
    code = claims.answer(
        context,
        "report",
        ExitCode.DONE,
        document=lambda: printing.report_document(
            made, result=written, more=more.as_json()
        ),
        lines=(*printing.report_lines(made, result=written), *more.lines()),
    )
    options.opening.open([written], no_input=context.as_json)
    return code


def _by_month(context: CommandContext, options: _ReportOptions) -> int:
    """Report the rows of a period."""
    of_one = options.extracts.failed, options.extracts.geojson, options.batch
    if any(of_one):
        raise SettingsError(
            message="--since and --until are for every batch together, and BATCH, "
            "--failed and --geojson for one.",
            hint="Leave out one of the two.",
        )
    toolkit = context.toolkit
    period = period_of(toolkit, since=options.since, until=options.until)
    name = f"kawe report {period.since_on} to {period.until_on}.html"
    path = options.result or Path.cwd() / name
    made = asyncio.run(report_of_period(toolkit, period))
    written = write_period(made, path)
    table = written.with_suffix(".xlsx")
    files = {"result_html": str(written), "result": str(table)}
    code = claims.answer(
        context,
        "report-by-month",
        ExitCode.DONE,
        document=lambda: made.as_json() | files,
        lines=(
            *made.lines(),
            f"The page is {written}",
            f"The same as a workbook: {table}",
        ),
    )
    options.opening.open([written], no_input=context.as_json)
    return code
