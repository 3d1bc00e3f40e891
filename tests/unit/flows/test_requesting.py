"""Reports are asked for once each, and waited for as long as was said."""

from __future__ import annotations

import asyncio

import pytest

from doubles.clock import StillClock
from doubles.machine import AskedToStop, Quiet
from doubles.service import MemoryService
from kawe.domain.service.service_words import Page
from kawe.domain.service.verdicts import Done, NotDone, Reason, Unknown
from kawe.errors import SettingsError
from kawe.flows.requesting import ReportOf, Requester, request_reports, wanted_reports
from kawe.flows.workers import StopSignal

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
                {"id": f"new {project}", "document_id": "d"}
                | dict(zip(("project_name", "reference"), names[project], strict=True))
                for project, at in self.requests
                if self.clock.elapsed() >= at + self.builds_after
            ]
        return Page(items=tuple(items), total=len(items), page=1)


def requested(service, *wanted, wait_seconds=60.0):
    requester = Requester(
        acts=service,
        lookups=service,
        pace=service,
        clock=service.clock,
        progress=Quiet(),
        stop=StopSignal(halt=service.halt),
        team_id="team",
    )
    return asyncio.run(request_reports(wanted, requester, wait_seconds=wait_seconds))


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


@pytest.mark.parametrize("built", [0.0, 999.0])
def test_a_lost_answer_is_never_followed_by_a_second_request(built):
    service = Reports(verdict=Unknown(detail="reset"), builds_after=built)
    first, *late = requested(service, ROAD, wait_seconds=5.0)
    assert first.startswith("The answer was lost, so kawe does not know whether")
    assert (len(late), len(service.requests)) == (int(built > 0), 1)


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
