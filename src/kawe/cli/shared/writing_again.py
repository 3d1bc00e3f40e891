"""What `kawe status --write` writes: the results of a batch, or months, again."""

from __future__ import annotations

import asyncio
from pathlib import Path

from kawe.cli.output import printing
from kawe.cli.output.exit import ExitCode
from kawe.cli.shared import claims
from kawe.cli.shared.declaring import option, options_class
from kawe.cli.shared.extracts import ExtractOptions, write_extracts
from kawe.cli.shared.opening import OpenOptions
from kawe.cli.shared.options import CommandContext
from kawe.errors import SettingsError
from kawe.toolkit.batches.periods import period_of, report_of_period, write_period
from kawe.toolkit.batches.reporting import reported_batch


@options_class
class WriteOptions:
    """Which files are made again from the journal."""

    writes: bool = option(
        "--write",
        help="Write the result files of BATCH again; without BATCH, of the latest.",
    )
    result: Path | None = option(
        "--result", help="With --write: where to write the result."
    )
    since: str | None = option(
        "--since",
        metavar="DAY",
        help="Report every batch by month, as a page and a workbook, from this day on, "
        "as 1/7/2026.",
    )
    until: str | None = option(
        "--until",
        metavar="DAY",
        help="The last day of that report; today if it is left out.",
    )
    extracts: ExtractOptions
    opening: OpenOptions

    @property
    def is_by_month(self) -> bool:
        return self.since is not None or self.until is not None

    @property
    def asks_for_files(self) -> bool:
        """Check whether a file is asked for, with --write or by its name."""
        named = self.result, self.extracts.failed, self.extracts.geojson
        return self.writes or any(each is not None for each in named)


def write_again(
    context: CommandContext, options: WriteOptions, *, batch: str | None
) -> int:
    """Write the result of a batch, or the months; needs no workbook and no service.

    A batch whose workbook was read for a later batch since gets a result with the day
    in its name.
    """
    if options.is_by_month:
        return _by_month(context, options, batch=batch)
    toolkit = context.toolkit
    found = asyncio.run(reported_batch(toolkit, batch, result=options.result))
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


def _by_month(
    context: CommandContext, options: WriteOptions, *, batch: str | None
) -> int:
    """Report the rows of a period."""
    of_one = options.extracts.failed, options.extracts.geojson, batch
    if any(of_one):
        raise SettingsError(
            message="--since and --until are for every batch together, and BATCH, "
            "--failed and --geojson for one.",
            hint="Leave out one of the two.",
        )
    toolkit = context.toolkit
    period = period_of(toolkit, since=options.since, until=options.until)
    name = f"kawe status {period.since_on} --write to {period.until_on}.html"
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
