"""`kawe status`: where rows stand, from the journal alone."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import Any, Final

import click

from kawe.cli.shared import printing
from kawe.cli.shared.exit import ExitCode
from kawe.cli.shared.notifying import missed_notice, send_apart
from kawe.cli.shared.options import (
    CommandContext,
    LookOptions,
    argument,
    option,
    options_class,
    taking,
)
from kawe.cli.shared.running import code_of_report
from kawe.domain.batch.expecting import (
    Coming,
    Every,
    Turn,
    coming,
    coming_words,
    is_meant,
    turn_due,
)
from kawe.domain.batch.outcomes import BatchReport
from kawe.domain.rows.entries import Batch
from kawe.domain.text.new_zealand import NEW_ZEALAND, day_in_new_zealand
from kawe.domain.text.texts import one_line
from kawe.toolkit import find_batch

_DAYS: Final = {Every.MONTHLY: 31, Every.WEEKLY: 7}


@options_class
class _StatusOptions:
    batch: str | None = argument(required=False)
    expect: str | None = option(
        "--expect",
        type=click.Choice([every.value for every in Every]),
        help="Say whether this month's or week's submit has come; code 4 if not.",
    )
    by: int | None = option(
        "--by",
        type=click.IntRange(1, 31),
        metavar="DAY",
        help="Last day of the month, or of the week (1 is Monday), on which it may "
        "come.",
    )
    tell: bool = option(
        "--tell", help="Send a notification when the expected submit is missing."
    )
    look: LookOptions


@dataclass(frozen=True, slots=True, kw_only=True)
class _Stand:
    """Some batches, and the expected run, if any."""

    known: tuple[tuple[Batch, BatchReport], ...]
    found: Coming | None
    """None where no run is expected."""

    @property
    def reports(self) -> list[BatchReport]:
        return [report for _, report in self.known]

    @property
    def code(self) -> ExitCode:
        codes = [code_of_report(report) for report in self.reports]
        if self.found is not None and self.found.is_missed:
            return ExitCode.ROWS_WAIT_FOR_PERSON
        return max(codes, default=ExitCode.DONE)


@click.command(
    epilog="Examples: kawe status · kawe status monthly · "
    "kawe status --expect monthly --by 3"
)
@taking(_StatusOptions)
def status(options: _StatusOptions) -> int:
    """Say where the rows of BATCH stand; without BATCH, of every batch.

    Asks the service nothing. The exit code is that of the rows, so that a
    scheduler can tell whether somebody is needed. With --expect, BATCH may be the
    beginning of a name or a pattern such as monthly-*.
    """
    batch = options.batch
    context = options.look.open()
    turn = _turn(options, today=day_in_new_zealand(context.toolkit.clock.now()))
    stand = asyncio.run(_stand(context, batch, turn=turn))
    is_one = batch is not None and turn is None
    printing.answer(
        "statuses",
        stand.code,
        as_json=context.as_json,
        document=lambda: _document(stand),
        lines=_lines_of_rows(stand.reports[0]) if is_one else _lines(stand),
    )
    if options.tell and stand.found is not None and stand.found.is_missed:
        notice = missed_notice(stand.found, at=context.toolkit.clock.now())
        send_apart(notice, profile=options.look.journal.profile, command=None)
    return stand.code


def _turn(options: _StatusOptions, *, today: date) -> Turn | None:
    by = options.by
    if options.expect is None:
        if by is not None or options.tell:
            raise click.UsageError("--by and --tell belong to --expect.")
        return None
    every = Every(options.expect)
    if by is not None and by > _DAYS[every]:
        raise click.UsageError(f"--by is between 1 and {_DAYS[every]}.")
    return turn_due(every, by=by, today=today)


async def _stand(
    context: CommandContext, name: str | None, *, turn: Turn | None
) -> _Stand:
    known: tuple[tuple[Batch, BatchReport], ...] = ()
    if context.toolkit.has_journal or (name is not None and turn is None):
        known = await _known(context, name, exactly=turn is None)
    found = None if turn is None else coming(turn, zone=NEW_ZEALAND, known=known)
    return _Stand(known=known, found=found)


async def _known(
    context: CommandContext, name: str | None, *, exactly: bool
) -> tuple[tuple[Batch, BatchReport], ...]:
    async with context.toolkit.open_journal(read_only=True) as journal:
        batches = await journal.batches()
        if exactly and name is not None:
            batches = (find_batch(batches, name=name),)
        chosen = [batch for batch in batches if exactly or is_meant(batch, name)]
        return tuple(
            [
                (batch, await context.toolkit.report(batch, journal=journal))
                for batch in chosen
            ]
        )


def _document(stand: _Stand) -> dict[str, Any]:
    found = stand.found
    expected: dict[str, Any] = {}
    if found is not None:
        due_on = found.turn.due_on
        expected["expected"] = {
            "every": found.turn.every.value,
            "missed": found.is_missed,
            "since": found.turn.begins_on.isoformat(),
            "due": None if due_on is None else due_on.isoformat(),
            "batch": found.batch or None,
            "rows_left": found.left,
            "words": coming_words(found),
        }
    return {
        **expected,
        "batches": [
            printing.titled(
                "status",
                code_of_report(report),
                printing.report_document(report, result=None),
            )
            for report in stand.reports
        ],
    }


def _lines_of_rows(report: BatchReport) -> Iterator[str]:
    yield from printing.report_lines(report, result=None)
    for row in report.rows:
        if row.what_to_do:
            words = one_line(f"{row.outcome}: {row.what_to_do}", limit=300)
            yield f"{row.where} {words}"


def _lines(stand: _Stand) -> Iterator[str]:
    for report in stand.reports:
        yield from printing.report_lines(report, result=None)
    if stand.found is not None:
        yield coming_words(stand.found)
    elif not stand.reports:
        yield "No batch yet. Submit a workbook first: kawe submit WORKBOOK"
