"""How a release ends, once or after each round of a release that waits."""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import timedelta
from typing import Any, Final

import click

from kawe.cli import _running, _words
from kawe.cli._exit import ExitCode
from kawe.cli._options import Surroundings
from kawe.domain.entries import Batch
from kawe.domain.tokens import Budget
from kawe.flows.awaiting import Ended, Vigil
from kawe.flows.run import Run
from kawe.toolkit import Session
from kawe.toolkit.releasing import WaitingRelease

_POLL_MINUTES: Final = 10.0
# What matters most to whoever looks at the code comes first.
_WEIGHT: Final = (
    ExitCode.UNEXPECTED,
    ExitCode.INTERRUPTED,
    ExitCode.JOURNAL,
    ExitCode.WORKBOOK,
    ExitCode.USAGE,
    ExitCode.ROWS_WAIT_FOR_PERSON,
    ExitCode.SERVICE,
    ExitCode.ROWS_TO_CORRECT,
    ExitCode.DONE,
)
_CLOSING: Final = {
    Ended.STOPPED: "Stopped; nothing is lost. Run the same command again to go on.",
    Ended.TIME_UP: "The time to wait is up. Run the same command again to go on.",
    Ended.ALLOWANCE_USED: "As many as were agreed to are sent; the others wait on.",
}


async def write_all(
    around: Surroundings, session: Session, run: Run, *, batches: Sequence[Batch]
) -> list[_running.Closing]:
    """Write the result of each batch of a release."""
    ending = _running.Ending(
        around=around, session=session, run=run, command="release", result=None
    )
    return [await ending.write(batch, workbook=None) for batch in batches]


async def know_all(
    around: Surroundings, session: Session, batches: Sequence[Batch]
) -> None:
    """Let those who are told of a release know how the batches stand."""
    for batch in batches:
        report = await around.toolkit.report(
            batch, journal=session.journal, tokens_left=session.account.balance
        )
        code = ExitCode.ROWS_WAIT_FOR_PERSON
        around.telling.knows(report, code=code, because=None)


def say_all(around: Surroundings, told: Sequence[_running.Closing]) -> ExitCode:
    """Print how the batches stand, and give the code that weighs most."""
    code = min((each.code for each in told), key=_WEIGHT.index)
    if around.as_json:
        _print_documents(told, code=code)
        return code
    for each in told:
        _words.print_report(each.report, result=each.result, sums=each.sums)
    return code


async def wait_and_release(
    around: Surroundings,
    batches: Sequence[Batch],
    *,
    budget: Budget,
    poll_minutes: float | None,
    for_hours: float | None,
) -> int:
    """Look for tokens until nothing waits, and release whenever there are some."""
    latest: list[_running.Closing] = []

    async def tell(session: Session, run: Run) -> None:
        around.progress.close()
        latest[:] = await write_all(around, session, run, batches=batches)
        if not around.as_json:
            say_all(around, latest)

    toolkit = around.toolkit
    vigil = Vigil(
        clock=toolkit.clock,
        progress=around.progress,
        halt=around.stopping,
        poll_seconds=(poll_minutes or _POLL_MINUTES) * 60,
        chance=random.Random().random,  # noqa: S311 - spreads looks, guards nothing
        until_at=None
        if for_hours is None
        else toolkit.clock.now() + timedelta(hours=for_hours),
    )
    with around.stopping.on_signals():
        ended = await vigil.keep(
            WaitingRelease(
                toolkit=toolkit,
                batches=tuple(batch.name for batch in batches),
                budget=budget,
                tell=tell,
            )
        )
    told = latest or await _as_they_stand(around, batches)
    code = _code(ended, told)
    if around.as_json:
        _print_documents(told, code=code)
        return code
    if not latest and any(each.report.missing for each in told):
        say_all(around, told)
    if ended in _CLOSING:
        click.echo(_CLOSING[ended])
    return code


def _code(ended: Ended, latest: Sequence[_running.Closing]) -> ExitCode:
    match ended:
        case Ended.STOPPED:
            return ExitCode.INTERRUPTED
        case Ended.TIME_UP | Ended.ALLOWANCE_USED:
            return ExitCode.ROWS_WAIT_FOR_PERSON
        case Ended.NOTHING_WAITS:
            return min((each.code for each in latest), key=_WEIGHT.index)


async def _as_they_stand(
    around: Surroundings, batches: Sequence[Batch]
) -> list[_running.Closing]:
    """Report batches of which no round was told: nothing was to be sent yet."""
    async with around.toolkit.open_journal(read_only=True) as journal:
        reports = [
            await around.toolkit.report(batch, journal=journal) for batch in batches
        ]
    return [
        _running.Closing(
            report=each, result=None, sums="", code=_running.code_of_report(each)
        )
        for each in reports
    ]


def _print_documents(told: Sequence[_running.Closing], *, code: ExitCode) -> None:
    documents: list[dict[str, Any]] = [
        _words.report_document(
            each.report,
            command="release",
            result=each.result,
            exit_code=code if len(told) == 1 else each.code,
        )
        for each in told
    ]
    if len(documents) == 1:
        _words.print_json(documents[0])
        return
    _words.print_json(
        {"schema": "kawe.releases/1", "exit_code": code, "batches": documents}
    )
