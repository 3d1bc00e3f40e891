"""Asking the service for reports: an act, made once for each project.

The interface does not say whether a report costs a token, nor that a second request is
harmless: kawe makes one request, never repeats it, and reads the list of reports to see
what came of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from kawe.domain.service.list_tables import REPORTS
from kawe.domain.service.verdicts import NotDone, Step, Unknown
from kawe.domain.text.counts import counted
from kawe.domain.text.texts import fold_name, one_line
from kawe.errors import SettingsError
from kawe.flows.scanning import scan
from kawe.flows.workers import StopSignal
from kawe.ports import Acts, Clock, Lookups, Pace, Progress

_REPORT: Final = Step("report")
_FIRST_WAIT_SECONDS: Final = 1.0
_LONGEST_WAIT_SECONDS: Final = 15.0
_SHOWN: Final = 80


@dataclass(frozen=True, slots=True, kw_only=True)
class Requester:
    """What a request for reports works with."""

    acts: Acts
    lookups: Lookups
    pace: Pace
    clock: Clock
    progress: Progress
    stop: StopSignal
    team_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportOf:
    """A project of which a report is wanted; a report says no more of its project."""

    project: str
    name: str
    reference: str

    def is_of(self, report: Mapping[str, object]) -> bool:
        """Say whether a report of the list is of such a project."""
        said = report.get("project_name"), report.get("reference") or ""
        return said == (self.name, self.reference)

    def words(self) -> str:
        """Name it to people."""
        words = f"{self.reference} ({self.name})" if self.reference else self.name
        return one_line(words, limit=_SHOWN)


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
    seen = await scan(
        lambda page: lookups.listed(
            "project_list", path={}, page=page, query={"search": typed}
        ),
        identify=lambda item: str(item.get("id")),
    )
    matches = [each for each in seen.items if each.get("reference") == typed] or [
        each
        for each in seen.items
        if fold_name(typed) == fold_name(str(each.get("name")))
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


async def request_reports(
    wanted: Sequence[ReportOf], requester: Requester, *, wait_seconds: float
) -> tuple[str, ...]:
    """Ask for each report once, wait until they are built; say what is not there.

    Raises:
        ServiceError: The list of reports could not be read.
    """
    if not wanted:
        return ()
    before = {str(each.get("id")) for each in await _reports(requester)}
    asked, troubles = [], []
    for report in wanted:
        if not await requester.pace.turn() or requester.stop.is_set():
            troubles.append(
                f"Not asked for, because kawe was stopped: {report.words()}."
            )
            continue
        verdict = await requester.acts.act(
            _REPORT, "project_report", path={"id": report.project}, body={}
        )
        if isinstance(verdict, NotDone):
            words = one_line(verdict.detail, limit=200)
            troubles.append(f"The service made no report of {report.words()}: {words}.")
            continue
        asked.append(report)
        # What follows may fail, and a request must not be made twice.
        requester.progress.say(f"Asked for a report of {report.words()}.")
        if isinstance(verdict, Unknown):
            troubles.append(
                "The answer was lost, so kawe does not know whether the service makes "
                f"a report of {report.words()}. Look whether it is in the list before "
                "you ask again."
            )
    late = await _waited(asked, requester, before=before, wait_seconds=wait_seconds)
    troubles += [
        f"The report of {each.words()} is not listed after {wait_seconds:g} seconds. "
        "Run kawe export reports again later, without --request."
        for each in late
    ]
    return tuple(troubles)


async def _waited(
    asked: Sequence[ReportOf],
    requester: Requester,
    *,
    before: set[str],
    wait_seconds: float,
) -> list[ReportOf]:
    """Read the list until every report is in it; give those that are not."""
    clock, pause = requester.clock, _FIRST_WAIT_SECONDS
    ends_at, late = clock.elapsed() + wait_seconds, list(asked)
    if late:
        requester.progress.say("Waiting until the service has built the reports.")
    while late and not requester.stop.is_set():
        new = [
            each
            for each in await _reports(requester)
            if str(each.get("id")) not in before and each.get("document_id")
        ]
        late = [each for each in asked if not any(map(each.is_of, new))]
        left = ends_at - clock.elapsed()
        if not late or left <= 0:
            break
        await clock.sleep(min(pause, left))
        pause = min(2 * pause, _LONGEST_WAIT_SECONDS)
    return late


async def _reports(requester: Requester) -> Sequence[Mapping[str, object]]:
    seen = await scan(
        lambda page: requester.lookups.listed(
            REPORTS.operation, path={"id": requester.team_id}, page=page
        ),
        identify=lambda item: str(item.get("id")),
        stop=requester.stop,
    )
    return seen.items
