"""A release: counted, agreed to by its number, carried out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from starlette.responses import Response

from kawe.desk.band import Balance
from kawe.desk.rendering import go_to
from kawe.desk.runs import DeskRun
from kawe.desk.visits import DeskVisit, View
from kawe.domain.batch.exit_codes import ExitCode, worst_of
from kawe.domain.batch.reach import Reach, reach_of
from kawe.domain.batch.runs import RELEASE
from kawe.errors import GuardRefused
from kawe.toolkit import Session, Toolkit, open_session
from kawe.toolkit.batches.ending import Closing, Ending
from kawe.toolkit.care.journals import require_journal
from kawe.toolkit.waiting.releasing import ReadyRelease, count_release, word_for_release

COUNT: Final = "count release"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Counted:
    """A release that a person looks at before they agree to it."""

    ready: ReadyRelease
    most: int | None
    """As many as the person wanted at most; None: all."""
    reach: Reach
    is_live: bool
    wants_second: bool
    """Whether the settings want another person's word."""


def count(visit: DeskVisit) -> Response:
    """Ask the service how many rows can go now."""
    most = visit.number("most")

    async def look(toolkit: Toolkit, run: DeskRun) -> tuple[_Counted, int]:
        del run
        async with open_session(toolkit, read_only=True) as session:
            visit.runs.balance = Balance.of(session)
            ready = await count_release(session, None, max_tokens=most)
            second = toolkit.settings.approval == "second_person" and session.is_live
            counted = _Counted(
                ready=ready,
                most=most,
                reach=_reach(session, ready),
                is_live=session.is_live,
                wants_second=second and toolkit.settings.approvers is None,
            )
            return counted, ExitCode.DONE

    visit.runs.start(COUNT, look, workbook=None)
    return go_to("/job")


def ask(visit: DeskVisit) -> Response:
    """Show what a release would do, and ask for its number."""
    job = visit.runs.last("", COUNT)
    if job is None or job.answer is None:
        return go_to("/queue")
    return visit.page("release.html", counted=job.answer, portal=visit.portal)


def release(visit: DeskVisit) -> Response:
    """Release as many rows as the person agreed to, at most."""
    job = visit.runs.last("", COUNT)
    if job is None or job.answer is None:
        return go_to("/queue")
    shown: _Counted = job.answer
    agreed = shown.reach.agreed_to(visit.text("typed"))
    approved_by = visit.text("approved_by") or None

    async def go(toolkit: Toolkit, run: DeskRun) -> tuple[list[Closing], int]:
        require_journal(toolkit.settings)
        async with open_session(toolkit) as session:
            ready = await count_release(session, None, max_tokens=shown.most)
            words = await word_for_release(
                session, ready.names, approved_by=approved_by
            )
            if session.is_live:
                ready = _agreed(ready, agreed)
            await session.keep(words)
            started = session.start()
            await session.release(ready.names, run=started, budget=ready.budget)
            ending = Ending(
                session=session, told=run, run=started, command=RELEASE, result=None
            )
            closings = [
                await ending.write(batch, workbook=None) for batch in ready.batches
            ]
            tokens = [each.report.tokens_left for each in closings]
            visit.runs.balance = replace(
                Balance.of(session), tokens=tokens[-1] if tokens else None
            )
        return closings, worst_of(each.code for each in closings)

    visit.runs.forget(COUNT)
    visit.runs.start(RELEASE, go, workbook=None)
    return go_to("/job")


def released(visit: DeskVisit) -> Response:
    """Show what became of the last release."""
    job = visit.runs.last("", RELEASE)
    if job is None or job.answer is None:
        return go_to("/queue")
    closings: Sequence[Closing] = job.answer
    return visit.page("released.html", closings=closings)


def _reach(session: Session, ready: ReadyRelease) -> Reach:
    return reach_of(
        ready.batches[0].kind,
        ready.sends,
        account=session.account_words,
        rows=ready.rows,
    )


def _agreed(ready: ReadyRelease, agreed: int) -> ReadyRelease:
    """Let no more go than was agreed to."""
    if ready.sends > agreed:
        raise GuardRefused(
            message=f"{ready.sends:,} rows would go now, and you agreed to {agreed:,}.",
            hint="Nothing was sent. See how many can go now, then agree to the number.",
        )
    return replace(ready, budget=replace(ready.budget, agreed=agreed))


PAGES: Final[tuple[tuple[str, View], ...]] = (
    ("/queue/release", ask),
    ("/queue/done", released),
)
ACTS: Final[tuple[tuple[str, View], ...]] = (
    ("/queue/count", count),
    ("/queue/release", release),
)
