"""Asking the service for reports: an act, made once for each project.

The interface does not say whether a report costs a token, nor that a second request is
harmless. The journal has each request before it is made; no request follows one whose
report may still come, unless a person says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from kawe.domain.service.list_tables import REPORTS
from kawe.domain.service.report_requests import (
    ReportOf,
    ReportRequest,
    ReportStep,
    ReportStepKind,
    requests_after,
)
from kawe.domain.service.states import NotDone, Step, Unknown, Verdict, verdict_word
from kawe.domain.text.next_steps import Given, Next
from kawe.domain.text.texts import counted, fold_name, one_line
from kawe.errors import SettingsError
from kawe.flows.run import Run
from kawe.flows.scanning import scan_list
from kawe.ports import Lookups

_REPORT: Final = Step("report")
_FIRST_WAIT_SECONDS: Final = 1.0
_LONGEST_WAIT_SECONDS: Final = 15.0
_SHOWN: Final = 80
_SEVERAL: Final = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestPlan:
    """What is to be asked for, and what the journal says was asked for before."""

    to_ask: tuple[ReportOf, ...] = ()
    awaited: tuple[ReportRequest, ...] = ()
    """Wanted, asked for before, and not listed yet."""
    notes: tuple[str, ...] = ()
    """Sentences for people: why kawe does not ask, and what else is open."""
    troubles: tuple[str, ...] = ()
    """What is wanted and will not be there."""
    without_again: str = ""
    """What to add to "the same command again", so that it does not ask again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Settled:
    late: list[ReportRequest]
    """The list has no report of theirs yet."""
    unclear: list[ReportRequest]
    """A report is listed that may be of another project."""


async def wanted_reports(
    lookups: Lookups, typed: Iterable[str]
) -> tuple[ReportOf, ...]:
    """Find the projects that people name by reference, name or id.

    Raises:
        SettingsError: No project is called so, or several are.
        ServiceError: The service could not be asked.
    """
    found = [await _project_called(lookups, text) for text in typed]
    # Whoever names a project twice wants one report of it.
    return tuple({each.project: each for each in found}.values())


async def _project_called(lookups: Lookups, typed: str) -> ReportOf:
    seen = await _projects(lookups, search=typed)
    matches = [each for each in seen if each.get("reference") == typed] or [
        each for each in seen if fold_name(typed) == fold_name(str(each.get("name")))
    ]
    shown = one_line(typed, limit=_SHOWN)
    if len(matches) != 1:
        many = counted(len(matches), "project")
        raise SettingsError(
            message=f"{many if matches else 'No project'} of the team "
            f"{'have' if matches else 'has'} the reference or the name “{shown}”.",
            hint="Write the reference as the service has it. Nothing was asked for.",
        )
    (project,) = matches
    return ReportOf(
        project=str(project["id"]),
        name=str(project.get("name") or ""),
        reference=str(project.get("reference") or ""),
    )


async def plan_requests(
    wanted: Sequence[ReportOf], run: Run, *, again: bool = False
) -> RequestPlan:
    """Settle by the list what was asked for before; say what is to be asked for.

    Nothing is asked for where a report may still come, or was asked for within a day,
    unless a person wants it `again`.

    Raises:
        ServiceError: A list could not be read.
    """
    journal, now = run.journal, run.clock.now()
    opened = [each for each in await journal.report_requests() if each.is_open]
    settled = await _settled(opened, run)
    last = {each.about.project: each for each in await journal.report_requests()}
    to_ask: list[ReportOf] = []
    asked: dict[str, ReportRequest] = {}
    for report in wanted:
        request = last.get(report.project)
        if again or request is None or request.may_be_asked_again(at=now):
            to_ask.append(report)
        else:
            # After a purge the journal has no name of a report that is listed.
            asked[report.project] = replace(request, about=report)
    others = [each for each in settled.late if each.about.project not in asked]
    unclear = [each for each in settled.unclear if each.about.project not in asked]
    return RequestPlan(
        to_ask=tuple(to_ask),
        awaited=tuple(each for each in settled.late if each not in others),
        notes=(
            *map(_not_again, asked.values()),
            *(f"Not listed yet: the {each.report_words()}." for each in others),
            *map(_unclear, unclear),
        ),
        troubles=tuple(
            _unclear(each) for each in settled.unclear if each not in unclear
        ),
        without_again=f", without {Given.AGAIN}," if again else "",
    )


async def request_reports(
    plan: RequestPlan, run: Run, *, wait_seconds: float
) -> tuple[str, ...]:
    """Ask for each report once, wait until they are built; say what is not there.

    Raises:
        JournalError: It could not be written, so nothing more was asked for.
        ServiceError: The list of reports could not be read.
    """
    asked, troubles = list(plan.awaited), list(plan.troubles)
    listed = await _reports(run) if plan.to_ask else ()
    is_safe = True
    for report in plan.to_ask:
        is_turn = is_safe and await run.pace.turn()
        if not is_turn or run.stop.is_set():
            troubles.append(
                f"Not asked for, because kawe was stopped: {report.words()}."
            )
            continue
        known = tuple(str(each.get("id")) for each in listed if report.is_of(each))
        verdict, request = await _ask(report, run, known=known)
        if isinstance(verdict, NotDone):
            words = one_line(verdict.detail, limit=200)
            troubles.append(f"The service made no report of {report.words()}: {words}.")
            continue
        is_safe = not (isinstance(verdict, Unknown) and verdict.stops_run)
        asked.append(request)
        run.progress.say(f"Asked for a report of {report.words()}.")
    settled = await _waited(asked, run, wait_seconds=wait_seconds)
    troubles += map(_unclear, settled.unclear)
    troubles += [
        f"The report of {each.about.words()} is not listed after {wait_seconds:g} "
        f"seconds. {'' if each in plan.awaited else f'It was {each.asked_words()}. '}"
        f"{Next.AGAIN}{plan.without_again} later: kawe does not ask "
        f"again. If no report comes, {Given.AGAIN} asks again."
        for each in settled.late
    ]
    return tuple(troubles)


async def _ask(
    report: ReportOf, run: Run, *, known: tuple[str, ...]
) -> tuple[Verdict, ReportRequest]:
    journal, clock = run.journal, run.clock
    intent = ReportStep(
        kind=ReportStepKind.INTENT, about=report, at=clock.now(), known=known
    )
    await journal.keep_report_step(intent)
    verdict = await run.acts.act(
        _REPORT, "project_report", path={"id": report.project}, body={}
    )
    end = ReportStep(
        kind=ReportStepKind.CONCLUSION,
        about=report,
        at=clock.now(),
        verdict=verdict_word(verdict),
    )
    await journal.keep_report_step(end)
    return verdict, requests_after([intent, end])[report.project]


async def _waited(
    asked: Sequence[ReportRequest], run: Run, *, wait_seconds: float
) -> _Settled:
    """Read the list until every report is in it, or the time is over."""
    clock, pause = run.clock, _FIRST_WAIT_SECONDS
    ends_at = clock.elapsed() + wait_seconds
    left = _Settled(late=list(asked), unclear=[])
    if asked:
        run.progress.say("Waiting until the service has built the reports.")
    while left.late and not run.stop.is_set():
        now = await _settled(left.late, run)
        left = _Settled(late=now.late, unclear=left.unclear + now.unclear)
        seconds = ends_at - clock.elapsed()
        if not left.late or seconds <= 0:
            break
        await clock.sleep(min(pause, seconds))
        pause = min(2 * pause, _LONGEST_WAIT_SECONDS)
    return left


async def _settled(requests: Sequence[ReportRequest], run: Run) -> _Settled:
    """Write down which reports are listed by now; give the other requests."""
    left = _Settled(late=[], unclear=[])
    listed = await _reports(run) if requests else ()
    for request in requests:
        found = [each for each in listed if request.is_answered_by(each)]
        if not found:
            left.late.append(request)
        elif not await _is_one(request.about, run):
            left.unclear.append(request)
        else:
            step = ReportStep(
                kind=ReportStepKind.LISTED,
                about=request.about,
                at=run.clock.now(),
                report=str(found[0].get("id")),
            )
            await run.journal.keep_report_step(step)
    return left


async def _is_one(about: ReportOf, run: Run) -> bool:
    """Check that no other project of the team has this name and reference."""
    search = about.reference or about.name
    seen = await _projects(run.lookups, search=search)
    alike = [
        each
        for each in seen
        if (each.get("name"), each.get("reference") or "")
        == (about.name, about.reference)
    ]
    return len(alike) < _SEVERAL


def _not_again(request: ReportRequest) -> str:
    return (
        f"Not asked for again: the {request.report_words()}. To have another one, use "
        f"{Given.AGAIN}."
    )


def _unclear(request: ReportRequest) -> str:
    return (
        "A new report is listed, but several projects of the team are called "
        f"{request.about.words()}: look whether it is the {request.report_words()}."
    )


async def _projects(lookups: Lookups, *, search: str) -> Sequence[Mapping[str, object]]:
    return (await scan_list(lookups, "project_list", query={"search": search})).items


async def _reports(run: Run) -> Sequence[Mapping[str, object]]:
    team_id, operation = run.account.team_id, REPORTS.operation
    return (await scan_list(run.lookups, operation, of=team_id, stop=run.stop)).items
