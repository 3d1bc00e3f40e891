"""Who is in the team already, and who may be made an owner."""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import replace

import pytest

from doubles.machine import AskedToStop, Quiet
from doubles.service import MemoryService
from doubles.sheets import ground, table
from kawe.domain.columns import SheetKind
from kawe.domain.findings import Severity
from kawe.errors import ScopeMissing, ServiceUnreachable
from kawe.flows.checking import check
from kawe.flows.crew import Brake
from kawe.flows.joining import mark_known_people
from kawe.flows.routing import Asker

MEMBER = "This person is a member of the team already; the service leaves them out."
ASKED = (
    "This person has been invited already and has not answered yet; the service "
    "leaves them out."
)


def _person(email, role="MEMBER"):
    return {"name": "Hēmi", "email": email, "role": role}


def _check(*rows, service=None, **grounds):
    asker = None
    if service is not None:
        asker = Asker(
            lookups=service,
            progress=Quiet(),
            brake=Brake(halt=AskedToStop()),
            workers=2,
        )
    return asyncio.run(
        check(
            table(*rows, kind=SheetKind.INVITATIONS),
            ground=replace(ground(), **grounds),
            asker=asker,
        )
    )


def test_members_and_people_with_an_open_invitation_are_noted():
    service = MemoryService(invited=Counter(["mere@example.org"]))
    found = _check(
        _person("Aroha@example.org"),
        _person("mere@example.org"),
        _person("new@example.org"),
        service=service,
    )
    assert [
        [(each.severity, each.rule, each.message) for each in row.findings]
        for row in found.rows
    ] == [
        [
            (
                Severity.NOTE,
                "person-known",
                MEMBER,
            )
        ],
        [
            (
                Severity.NOTE,
                "person-known",
                ASKED,
            )
        ],
        [],
    ]
    assert all(row.is_valid for row in found.rows)


class WithoutTheTeam(MemoryService):
    """A service whose key lacks a scope, or that is not there."""

    __slots__ = ("trouble",)

    async def team(self, team_id):
        del team_id
        raise self.trouble


def test_a_key_that_may_not_read_the_team_says_nothing():
    service = WithoutTheTeam()
    service.trouble = ScopeMissing(message="team:read")
    found = _check(_person("aroha@example.org"), service=service)
    assert found.findings == ()


def test_any_other_trouble_stops_the_check():
    service = WithoutTheTeam()
    service.trouble = ServiceUnreachable(message="Nobody answers.")
    with pytest.raises(ServiceUnreachable):
        _check(_person("aroha@example.org"), service=service)


def test_for_rows_that_are_finished_nothing_is_asked():
    service = MemoryService()
    rows = _check(_person("aroha@example.org")).rows
    skip = {row.row.ref for row in rows}
    marked = asyncio.run(mark_known_people(rows, lookups=service, skip=skip))
    assert (marked, service.calls) == (rows, Counter())


def test_a_finished_row_beside_a_new_one_is_left_alone():
    rows = _check(_person("aroha@example.org"), _person("new@example.org")).rows
    marked = asyncio.run(
        mark_known_people(rows, lookups=MemoryService(), skip={rows[0].row.ref})
    )
    assert marked == rows


def test_a_row_that_cannot_be_read_is_nobody():
    found = _check(
        {"email": "aroha@example.org", "role": "MEMBER"},
        _person("new@example.org"),
        service=MemoryService(),
    )
    assert [each.rule for each in found.findings] == ["required"]


def test_an_owner_is_refused_and_the_option_is_named():
    (finding,) = _check(_person("new@example.org", "OWNER")).findings
    assert (finding.severity, finding.rule, finding.heading) == (
        Severity.ERROR,
        "owner-not-allowed",
        "role",
    )
    assert "--allow-owner" in finding.advice


def test_an_owner_is_invited_when_that_is_said():
    found = _check(_person("new@example.org", "OWNER"), allows_owners=True)
    assert (found.findings, found.rows[0].is_valid) == ((), True)
