"""`kawe report`: the result workbook again, from the journal."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
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
from kawe.domain.batch.outcomes import BatchReport
from kawe.domain.rows.entries import Batch
from kawe.domain.text.new_zealand import day_in_new_zealand, moment_words
from kawe.domain.text.texts import one_line
from kawe.errors import SettingsError
from kawe.toolkit import find_batch, result_place_of
from kawe.toolkit.periods import period_of, report_of_period, write_period


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
    found, batches, made = asyncio.run(_report(context, options.batch))
    workbook = Path(found.workbook)
    beside, notes = _place(found, is_latest=_is_latest(found, batches))
    path = result_place_of(
        replace(found, workbook=str(beside)),
        among=[
            replace(each, workbook=str(beside))
            for each in batches
            if each.workbook == found.workbook
        ],
        wanted=options.result,
    )
    writer = context.toolkit.writer(workbook)
    writer.check_writable(path)
    extracts = options.extracts.of_batch(context.toolkit, workbook, result=path)
    made = replace(made, remarks=(*notes, *made.remarks))
    written = writer.write(made, path)
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


def _place(batch: Batch, *, is_latest: bool) -> tuple[Path, list[str]]:
    """Say beside which workbook the result goes, and what became of the workbook."""
    workbook, notes = Path(batch.workbook), []
    name = one_line(workbook.name, limit=80)
    read = f"it was read at {moment_words(batch.read_at)}"
    as_read = "This result shows what it said then."
    changed_at = _changed_at(workbook)
    if batch.workbook == batch.name:
        # A purge leaves the batch's name in the place of the path.
        notes.append(
            "The journal has forgotten which workbook this was and what its rows said "
            "(kawe journal purge). This result shows how they stand."
        )
    elif changed_at is None:
        notes.append(f"The workbook {name} is no longer where {read}. {as_read}")
    elif not is_latest:
        notes.append(f"Another batch was read from {name} since {read}. {as_read}")
    elif changed_at > batch.read_at:
        notes.append(f"The workbook {name} was saved again since {read}. {as_read}")
    if not is_latest:
        # The name without a day belongs to the result of the later batch.
        day = day_in_new_zealand(batch.read_at).isoformat()
        workbook = workbook.with_name(f"{workbook.stem} {day}.xlsx")
    if not workbook.parent.is_dir():
        workbook = Path.cwd() / workbook.name
    return workbook, notes


def _changed_at(workbook: Path) -> datetime | None:
    """Say when a workbook was saved last; None where it is not there."""
    try:
        return datetime.fromtimestamp(workbook.stat().st_mtime, tz=UTC)
    except OSError:
        return None


def _is_latest(batch: Batch, batches: Sequence[Batch]) -> bool:
    """Say whether no later batch is of the same sheet."""
    later = batches[batches.index(batch) + 1 :]
    return not any(each.reading.is_at(batch.reading) for each in later)


async def _report(
    context: CommandContext, name: str | None
) -> tuple[Batch, tuple[Batch, ...], BatchReport]:
    async with context.toolkit.open_journal(read_only=True) as journal:
        batches = tuple(await journal.batches())
        batch = find_batch(batches, name=name)
        return batch, batches, await context.toolkit.report(batch, journal=journal)
