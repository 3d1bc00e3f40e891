"""Who is in the team already, and who may be made an owner."""

import asyncio
from collections import Counter
from dataclasses import replace

import pytest

from doubles.machine import quiet_tools
from doubles.service import MemoryService
from doubles.sheets import check_context, table
from kawe.domain.service.service_words import TeamInvitation
from kawe.domain.sheet.findings import Severity
from kawe.domain.text.next_steps import Given
from kawe.errors import ScopeMissing, ServiceUnreachable
from kawe.flows.check.checking import check
from kawe.flows.routing import Asker
from kawe.kinds.invitations import INVITATIONS
from kawe.kinds.invitations.kind import mark_known_people

MEMBER = "This person is a member of the team already; the service leaves them out."
ASKED = (
    "This person has been invited already and has not answered yet; the service "
    "leaves them out."
)


def _person(email, role="MEMBER"):
    return {"name": "Hēmi", "email": email, "role": role}


def _asker(service):
    return Asker(tools=quiet_tools(service))


def _check(*rows, service=None, **grounds):
    asker = None if service is None else _asker(service)
    return asyncio.run(
        check(
            table(*rows, kind=INVITATIONS),
            context=check_context(**grounds),
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
        [(Severity.NOTE, "person-known", MEMBER)],
        [(Severity.NOTE, "person-known", ASKED)],
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


def _mark_invited(service, *emails, team_id=""):
    """Mark rows whose people the journal has as invited."""
    rows = _check(*map(_person, emails)).rows
    asker = replace(_asker(service), team_id=team_id)
    invited = {row.row.ref for row in rows}
    return asyncio.run(mark_known_people(rows, asker=asker, invited=invited))


def test_where_the_team_is_known_one_request_says_who_is_there():
    service = MemoryService()
    _mark_invited(service, "aroha@example.org", team_id="t")
    assert service.calls == Counter({"team": 1})


def test_whoever_was_invited_and_is_there_still_is_done_without_a_word():
    service = MemoryService(invited=Counter(["mere@example.org"]))
    marked = _mark_invited(service, "Aroha@example.org", "mere@example.org")
    assert [row.findings for row in marked] == [(), ()]


@pytest.mark.parametrize(
    ("statuses", "words", "advice"),
    [
        (
            ["EXPIRED"],
            "was invited, and the invitation has expired or was withdrawn",
            "send it again with a sheet of resends",
        ),
        (
            ["ACCEPTED", "EXPIRED"],
            "accepted an invitation and is not in the team any more",
            "invite them again in the portal",
        ),
        (
            [],
            "was invited or in the team, and is neither any more",
            "invite them again in the portal",
        ),
    ],
)
def test_whoever_was_invited_and_is_gone_is_warned_of(statuses, words, advice):
    service = MemoryService(
        invited_before=[
            TeamInvitation(id=str(n), email="mere@example.org", status=each)
            for n, each in enumerate(statuses)
        ]
    )
    ((finding,),) = [
        each.findings for each in _mark_invited(service, "mere@example.org")
    ]
    assert (finding.severity, finding.rule, finding.message, finding.advice) == (
        Severity.WARNING,
        "person-gone",
        f"This person {words}; kawe invites nobody twice.",
        f"If they should be in the team, {advice}.",
    )


OPEN = "has been invited already and has not answered yet"


@pytest.mark.parametrize("is_done", [True, False])
@pytest.mark.parametrize(
    ("email", "words"),
    [("aroha@example.org", "is a member of the team already"), ("mere@a.nz", OPEN)],
)
def test_another_role_than_the_row_asks_is_warned_of_at_its_cell(email, words, is_done):
    asked = TeamInvitation(id="1", email="mere@a.nz", status="PENDING", role="MEMBER")
    service = MemoryService(invited_before=[asked])
    rows = _check(_person(email, "OWNER"), allows_owners=True).rows
    ((marked),) = asyncio.run(
        mark_known_people(
            rows,
            asker=_asker(service),
            invited={row.row.ref for row in rows} if is_done else set(),
        )
    )
    (finding,) = marked.findings
    assert finding.where == rows[0].row.where("role")
    message = (
        f"This person {words}, with the role Member; the row says Owner. kawe invites "
        "nobody twice and changes no role."
    )
    when = "once they have accepted, " if words == OPEN else ""
    assert (finding.severity, finding.rule, finding.message, finding.advice) == (
        Severity.WARNING,
        "person-role",
        message,
        f"If Owner is right, {when}an owner changes the role with a sheet of members.",
    )


@pytest.mark.parametrize("status", ["EXPIRED", "ACCEPTED"])
def test_whoever_another_computer_invited_and_is_gone_is_warned_of_too(status):
    service = MemoryService(
        invited_before=[TeamInvitation(id="1", email="mere@a.nz", status=status)]
    )
    (row,) = _check(_person("mere@a.nz"), service=service).rows
    assert [each.rule for each in row.findings] == ["person-gone"]


def test_an_old_invitation_beside_an_open_one_is_no_reason_to_warn():
    service = MemoryService(
        invited=Counter(["mere@example.org"]),
        invited_before=[
            TeamInvitation(id="1", email="mere@example.org", status="EXPIRED")
        ],
    )
    assert [each.findings for each in _mark_invited(service, "mere@example.org")] == [
        ()
    ]


def test_a_row_with_a_mistake_is_known_by_its_address_and_without_one_is_nobody():
    found = _check(
        {"email": "aroha@example.org", "role": "MEMBER"},
        _person(None),
        _person("new@example.org"),
        service=MemoryService(),
    )
    assert [[each.rule for each in row.findings] for row in found.rows] == [
        ["required", "person-known"],
        [],
        [],
    ]


def test_an_owner_is_refused_and_the_option_is_named():
    (finding,) = _check(_person("new@example.org", "OWNER")).findings
    assert (finding.severity, finding.rule, finding.heading) == (
        Severity.ERROR,
        "owner-not-allowed",
        "role",
    )
    assert f"{Given.ALLOW_OWNER}" in finding.advice


def test_an_owner_is_invited_when_that_is_said():
    found = _check(_person("new@example.org", "OWNER"), allows_owners=True)
    assert (found.findings, found.rows[0].is_valid) == ((), True)
