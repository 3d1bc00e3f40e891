"""`kawe release`: rows that waited for tokens go on."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import Final, TypeAlias

import click

from kawe.cases.batches.approving import check_release
from kawe.cases.batches.ending import Closing, Ending, code_of_report
from kawe.cases.batches.extracts import Extracts
from kawe.cases.session import Session, open_session
from kawe.cases.waiting.releasing import (
    ReadyRelease,
    WaitingRelease,
    carry_out_release,
    count_release,
    ending_of_release,
)
from kawe.cli.output import printing
from kawe.cli.shared import running
from kawe.cli.shared.asking import ask_agreement, is_meant
from kawe.cli.shared.completing import batches
from kawe.cli.shared.declaring import argument, option, options_class, taking
from kawe.cli.shared.notifying import NotifyingCommand
from kawe.cli.shared.options import CommandContext, RunOptions
from kawe.cli.shared.running import Closed, ExtractOptions, OpenOptions, write_extracts
from kawe.domain.batch.exit_codes import ExitCode, worst_of
from kawe.domain.batch.tokens import Budget
from kawe.domain.rows.entries import Batch, BatchName
from kawe.flows.run import Run
from kawe.flows.wait.awaiting import Ended, Polling

_Places: TypeAlias = Mapping[BatchName, Extracts]
_POLL_MINUTES: Final = 10.0
_CLOSING: Final = {
    Ended.STOPPED: "Stopped; nothing is lost. Run the same command again to go on.",
    Ended.TIME_UP: "The time to wait is up. Run the same command again to go on.",
    Ended.ALLOWANCE_USED: "As many as were agreed to are sent; the others wait on.",
}


@options_class
class _ReleaseOptions:
    batch: str | None = argument(required=False, shell_complete=batches)
    waits_for_tokens: bool = option(
        "--wait", help="Look for tokens now and then, and go on until nothing waits."
    )
    poll_minutes: float | None = option(
        "--poll",
        type=click.FloatRange(5, 15),
        help="With --wait: minutes from one look to the next (10).",
    )
    for_hours: float | None = option(
        "--for",
        type=click.FloatRange(min=0, min_open=True, max=24 * 366),
        metavar="HOURS",
        help="With --wait: stop looking after so many hours.",
    )
    extracts: ExtractOptions
    run: RunOptions
    opening: OpenOptions


@click.command(
    cls=NotifyingCommand, epilog="Examples: kawe release · kawe release --wait --yes 40"
)
@taking(_ReleaseOptions)
def release(options: _ReleaseOptions) -> int:
    """Send the rows that wait for tokens, the most urgent first.

    Those of BATCH, or else of all batches together. Each row is checked once
    more before it leaves. Whatever is agreed to with --yes or --max-tokens
    holds for all that one command sends, however long it waits.
    """
    if not options.waits_for_tokens and (options.poll_minutes or options.for_hours):
        raise click.UsageError("--poll and --for go with --wait.")
    context = options.run.open()
    code = asyncio.run(_release(context, options))
    options.opening.open(context.results, no_input=options.run.no_input)
    return code


async def _release(context: CommandContext, options: _ReleaseOptions) -> int:
    run, keeps_looking = options.run, options.waits_for_tokens
    agree = partial(is_meant, no_input=run.no_input)
    context.own_journal()
    async with open_session(context.toolkit, agree=agree) as session:
        ready = await count_release(
            session,
            options.batch,
            max_tokens=run.bounds.max_tokens,
            polls=keeps_looking,
        )
        places = options.extracts.of_batches(
            context.toolkit, ready.batches, among=await session.journal.batches()
        )
        if not context.as_json:
            if not ready.has_work:
                words = printing.waiting_words(
                    len(ready.rows), balance=session.account.balance
                )
                printing.print_lines([f"{ready.called}: {words}"])
                await _record_all(context, session, ready.batches, places=places)
                return ExitCode.ROWS_WAIT_FOR_PERSON
            printing.print_lines(f"{ready.called}: {each}" for each in ready.lines())
        await check_release(session, ready.names)
        budget = ask_agreement(
            ready.reach(session),
            budget=ready.budget,
            is_live=session.is_live,
            agreed=run.agreed,
            no_input=run.no_input,
        )
        if not keeps_looking:
            return await _release_once(
                context, session, ready, budget=budget, places=places
            )
    return await _poll_and_release(
        context, ready.batches, budget=budget, options=options, places=places
    )


async def _release_once(
    context: CommandContext,
    session: Session,
    ready: ReadyRelease,
    *,
    budget: Budget,
    places: _Places,
) -> int:
    with context.stopping.on_signals():
        ending = await carry_out_release(
            session, replace(ready, budget=budget), told=context
        )
    context.progress.close()
    ended = await _write_all(context, ending, batches=ready.batches, places=places)
    return _say_all(context, ended)


async def _write_all(
    context: CommandContext,
    ending: Ending,
    *,
    batches: Sequence[Batch],
    places: _Places,
) -> list[Closed]:
    """Write the result of each batch of a release, and the files beside it."""
    return [
        running.closed(
            context, await ending.write(each, workbook=None), places[each.name]
        )
        for each in batches
    ]


async def _record_all(
    context: CommandContext,
    session: Session,
    batches: Sequence[Batch],
    *,
    places: _Places,
) -> None:
    """Record in the notices how the batches stand, and write what was asked for."""
    for batch in batches:
        report = await context.toolkit.report(
            batch, journal=session.journal, tokens_left=session.account.balance
        )
        code = ExitCode.ROWS_WAIT_FOR_PERSON
        context.notices.record(report, code=code, because=None)
        printing.print_lines(write_extracts(places[batch.name], report).lines())


def _say_all(context: CommandContext, ended: Sequence[Closed]) -> ExitCode:
    """Print how the batches stand; give the most important exit code."""
    code = _worst(ended)
    if context.as_json:
        _print_documents(ended, code=code)
        return code
    for each in ended:
        printing.print_lines(each.lines())
    return code


async def _poll_and_release(
    context: CommandContext,
    batches: Sequence[Batch],
    *,
    budget: Budget,
    options: _ReleaseOptions,
    places: _Places,
) -> int:
    """Poll for tokens until nothing waits; release when there are some."""
    latest: list[Closed] = []

    async def report_round(session: Session, run: Run) -> None:
        context.progress.close()
        ending = ending_of_release(session, run, told=context)
        latest[:] = await _write_all(context, ending, batches=batches, places=places)
        if not context.as_json:
            _say_all(context, latest)

    toolkit = context.toolkit
    polling = Polling(
        clock=toolkit.clock,
        progress=context.progress,
        halt=context.stopping,
        poll_seconds=(options.poll_minutes or _POLL_MINUTES) * 60,
        chance=random.Random().random,  # noqa: S311 - spreads looks, guards nothing
        until_at=None
        if options.for_hours is None
        else toolkit.clock.now() + timedelta(hours=options.for_hours),
    )
    with context.stopping.on_signals():
        ended = await polling.run(
            WaitingRelease(
                toolkit=toolkit,
                batches=tuple(batch.name for batch in batches),
                budget=budget,
                after_round=report_round,
            )
        )
    now = latest or await _as_they_stand(context, batches, places=places)
    code = _code(ended, now)
    if context.as_json:
        _print_documents(now, code=code)
        return code
    if not latest and any(each.closing.report.missing for each in now):
        _say_all(context, now)
    elif not latest:
        for each in now:
            printing.print_lines(each.extracts.lines())
    if ended in _CLOSING:
        click.echo(_CLOSING[ended])
    return code


def _worst(ended: Sequence[Closed]) -> ExitCode:
    return worst_of(each.closing.code for each in ended)


def _code(ended: Ended, latest: Sequence[Closed]) -> ExitCode:
    match ended:
        case Ended.STOPPED:
            return ExitCode.INTERRUPTED
        case Ended.TIME_UP | Ended.ALLOWANCE_USED:
            return ExitCode.ROWS_WAIT_FOR_PERSON
        case Ended.NOTHING_WAITS:
            return _worst(latest)


async def _as_they_stand(
    context: CommandContext, batches: Sequence[Batch], *, places: _Places
) -> list[Closed]:
    """Report batches for which no round has sent anything yet."""
    async with context.toolkit.open_journal(read_only=True) as journal:
        reports = [
            await context.toolkit.report(batch, journal=journal) for batch in batches
        ]
    return [
        Closed(
            closing=Closing(
                report=each, result=None, sums="", code=code_of_report(each)
            ),
            extracts=write_extracts(places[batch.name], each),
        )
        for batch, each in zip(batches, reports, strict=True)
    ]


def _print_documents(ended: Sequence[Closed], *, code: ExitCode) -> None:
    documents = [
        printing.titled(
            "release",
            code if len(ended) == 1 else each.closing.code,
            each.document(),
        )
        for each in ended
    ]
    several = printing.titled("releases", code, {"batches": documents})
    printing.print_json(documents[0] if len(documents) == 1 else several)
