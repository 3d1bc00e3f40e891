"""Reports are asked for once each, also by the next command, and waited for."""

from __future__ import annotations

import asyncio

import pytest

from doubles.clock import StillClock
from doubles.machine import AskedToStop, Quiet
from doubles.service import MemoryService
from kawe.domain.service.report_requests import ReportOf
from kawe.domain.service.service_words import Page
from kawe.domain.service.states import Done, NotDone, Reason, Unknown
from kawe.domain.text.next_steps import Given, Next
from kawe.errors import SettingsError
from kawe.flows.requesting import plan_requests, request_reports, wanted_reports
from kawe.flows.run import Run
from kawe.flows.tools import StopSignal
from kawe.journal.journal import StoreJournal

ROAD = ReportOf(project="p1", name="Road", reference="R-1")
PIPE = ReportOf(project="p2", name="Pipe", reference="")


class Reports(MemoryService):
    """Builds a report some seconds after it was asked for."""

    def __init__(self, *, verdict=None, builds_after=3.0, may_go=True):
        super().__init__()
        self.clock, self.requests, self.may_go = StillClock(), [], may_go
        self.verdict = verdict or Done(http_status=200)
        self.builds_after, self.halt = builds_after, AskedToStop()
        self.projects_there = []
        self.journal = StoreJournal.in_memory()

    async def turn(self):
        return self.may_go

    async def act(self, step, operation, *, path, body):
        assert (step, operation, body) == ("report", "project_report", {})
        self.requests.append((path["id"], self.clock.elapsed()))
        return self.verdict

    async def listed(self, operation, *, path, page, query=None):
        del path, page, query
        items = self.projects_there
        if operation == "report_list":
            names = {"p1": ("Road", "R-1"), "p2": ("Pipe", "")}
            items = [
                {
                    "id": "old",
                    "document_id": "d",
                    "project_name": "Road",
                    "reference": "R-1",
                }
            ]
            items += [
                {"id": f"{at} {project}", "document_id": "d"}
                | dict(zip(("project_name", "reference"), names[project], strict=True))
                for project, at in self.requests
                if self.clock.elapsed() >= at + self.builds_after
            ]
        return Page(items=tuple(items), total=len(items), page=1)


def requested(service, *wanted, wait_seconds=60.0, again=False):
    async def script():
        run = Run(
            acts=service,
            lookups=service,
            uploads=service,
            journal=service.journal,
            pace=service,
            clock=service.clock,
            progress=Quiet(),
            stop=StopSignal(halt=service.halt),
            account=await service.account(),
            workers=2,
            settle_seconds=180,
        )
        plan = await plan_requests(wanted, run, again=again)
        missing = await request_reports(plan, run, wait_seconds=wait_seconds)
        return plan.notes, missing

    service.notes, missing = asyncio.run(script())
    return missing


def test_each_report_is_asked_for_once_and_waited_for():
    service = Reports()
    assert requested(service, ROAD, PIPE) == ()
    assert [project for project, _ in service.requests] == ["p1", "p2"]
    assert service.clock.elapsed() >= 3.0


def test_nothing_is_asked_where_nothing_is_wanted():
    service = Reports()
    assert (requested(service), service.requests) == ((), [])


def test_a_report_that_is_not_built_in_time_is_said_and_not_asked_for_again():
    service = Reports(builds_after=999.0)
    (said,) = requested(service, ROAD, wait_seconds=20.0)
    assert said.startswith("The report of R-1 (Road) is not listed after 20 seconds.")
    assert len(service.requests) == 1


def test_a_report_whose_answer_was_lost_is_settled_by_the_list():
    service = Reports(verdict=Unknown(detail="reset"))
    assert requested(service, ROAD) == ()
    (kept,) = asyncio.run(service.journal.report_requests())
    assert (kept.verdict, kept.report) == ("unknown", "0.0 p1")


def test_a_lost_answer_is_said_with_its_time_and_never_followed_by_a_second_request():
    service = Reports(verdict=Unknown(detail="reset"), builds_after=999.0)
    first = requested(service, ROAD, wait_seconds=5.0)
    assert first == (
        (
            "The report of R-1 (Road) is not listed after 5 seconds. It was asked for "
            "at 22:00 on 21 November 2026, NZ time (the answer was lost). "
            f"{Next.AGAIN} later: kawe does not ask again. If no report comes, "
            f"{Given.AGAIN} asks again."
        ),
    )
    # Age settles no doubt: nothing is asked for a week later.
    service.builds_after = 9e9
    service.clock.pass_by(7 * 24 * 3600)
    assert (requested(service, ROAD, wait_seconds=5.0), service.notes) == (
        (
            (
                "The report of R-1 (Road) is not listed after 5 seconds. "
                f"{Next.AGAIN} later: kawe does not ask again. If no report comes, "
                f"{Given.AGAIN} asks again."
            ),
        ),
        (
            (
                "Not asked for again: the report of R-1 (Road), asked for at 22:00 on "
                "21 November 2026, NZ time (the answer was lost). To have another one, "
                f"use {Given.AGAIN}."
            ),
        ),
    )
    assert requested(service) == ()
    assert service.notes[0].startswith("Not listed yet: the report of R-1 (Road), ask")
    assert len(service.requests) == 1
    (late,) = requested(service, ROAD, wait_seconds=5.0, again=True)
    assert f"{Next.AGAIN}, without {Given.AGAIN}, later: kawe" in late
    assert len(service.requests) == 2


class Died(BaseException):
    """The process is gone."""


def test_a_request_whose_process_died_is_waited_for_by_the_next_one():
    service = Reports()
    answer = service.act

    async def dying(*words, **more):
        await answer(*words, **more)
        raise Died

    service.act = dying
    with pytest.raises(Died):
        requested(service, ROAD)
    assert (requested(service, ROAD), len(service.requests)) == ((), 1)
    assert "(kawe ended before it read the answer)" in service.notes[0]


def test_another_report_is_asked_for_a_day_after_one_that_is_listed():
    service = Reports()
    asked = []
    for seconds in (0, 3600, 23 * 3600):
        service.clock.pass_by(seconds)
        assert requested(service, ROAD) == ()
        asked.append((len(service.requests), service.notes[:1]))
    assert asked == [
        (1, ()),
        (
            1,
            (
                (
                    "Not asked for again: the report of R-1 (Road), asked for at 22:00 "
                    "on 21 November 2026, NZ time, and listed since. To have another "
                    f"one, use {Given.AGAIN}."
                ),
            ),
        ),
        (2, ()),
    ]


def test_a_refused_report_may_be_asked_for_at_once():
    service = Reports(verdict=NotDone(reason=Reason.NO_TOKENS, detail="No tokens"))
    requested(service, ROAD)
    service.verdict = Done(http_status=200)
    assert (requested(service, ROAD), len(service.requests)) == ((), 2)


@pytest.mark.parametrize("is_wanted", [True, False])
def test_a_report_that_may_be_of_another_project_settles_nothing(is_wanted):
    service = Reports(builds_after=9.0)
    requested(service, ROAD, wait_seconds=1.0)
    service.clock.pass_by(60)
    service.projects_there = [project(1, "Road", "R-1"), project(3, "Road", "R-1")]
    said = (
        "A new report is listed, but several projects of the team are called R-1 "
        "(Road): look whether it is the report of R-1 (Road), asked for at 22:00 on 21 "
        "November 2026, NZ time."
    )
    missing = requested(service, *([ROAD] if is_wanted else []))
    assert said in (missing if is_wanted else service.notes)
    assert len(service.requests) == 1
    # Once one of them has another name, it is settled.
    service.projects_there.pop()
    assert (requested(service, ROAD), len(service.requests)) == ((), 1)


def test_after_a_redirect_nothing_more_is_asked_for():
    service = Reports(verdict=Unknown(detail="redirect", stops_run=True))
    assert requested(service, ROAD, PIPE) == (
        "Not asked for, because kawe was stopped: Pipe.",
    )


def test_a_refused_request_is_said_in_the_words_of_the_service():
    no = NotDone(reason=Reason.NO_TOKENS, detail="No tokens\x1b[2J are available")
    assert requested(Reports(verdict=no), PIPE) == (
        "The service made no report of Pipe: No tokens[2J are available.",
    )


@pytest.mark.parametrize("may_go", [True, False])
def test_after_a_stop_nothing_is_asked_for(may_go):
    service = Reports(may_go=may_go)
    service.halt.asked = may_go
    assert (requested(service, ROAD), service.requests) == (
        ("Not asked for, because kawe was stopped: R-1 (Road).",),
        [],
    )


def test_a_stop_ends_the_wait():
    service = Reports(builds_after=999.0)
    act = service.act

    async def stopping(*words, **more):
        service.halt.asked = True
        return await act(*words, **more)

    service.act = stopping
    assert len(requested(service, ROAD)) == 1


def project(number, name, reference):
    return {"id": f"p{number}", "name": name, "reference": reference}


def test_a_project_is_found_by_reference_or_by_name_and_taken_once():
    service = Reports()
    service.projects_there = [project(1, "Road", "R-1"), project(2, "Pipe", None)]
    found = asyncio.run(wanted_reports(service, ["R-1", "pipe", "road"]))
    assert found == (ROAD, PIPE)


@pytest.mark.parametrize(
    ("typed", "said"),
    [("R-2", "No project of the team has"), ("road", "2 projects of the team have")],
)
def test_a_name_that_is_not_of_one_project_is_refused(typed, said):
    service = Reports()
    service.projects_there = [project(1, "Road", "R-1"), project(3, "ROAD", "R-10")]
    with pytest.raises(SettingsError, match=said):
        asyncio.run(wanted_reports(service, [typed]))
