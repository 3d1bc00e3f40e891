"""What was done before is done again by a person's word alone, whoever did it."""

from datetime import timedelta

import pytest

from doubles.journal_values import entry
from doubles.sheets import TODAY, check_context
from kawe.domain.service.service_words import Account
from kawe.domain.service.states import State
from kawe.domain.sheet.findings import Severity
from kawe.flows.kinds import Inquiry
from kawe.kinds.acts.again import asked_again
from kawe.kinds.acts.content import ActContent
from kawe.kinds.acts.deeds import deed_of
from kawe.kinds.acts.table import LINES
from kawe.kinds.acts.world import World

UNTIL = {"status": "PENDING", "created_on": "2030-03-01T00:00:00Z"}
PROJECT = {"id": "p", "status": "NEW", "name": "Culvert"}
ACCOUNT = Account(team_id="t", team_name="Team", balance=0, sandbox=False, is_iwi=False)


def deed(kind, said, **parts):
    return deed_of(LINES[kind], said, World(account=ACCOUNT, parts=parts))


def unknown(until, **said):
    """Send one of two invitations again; the other was open until 8 March."""
    hemi = {**UNTIL, "id": "1", "email": "hemi@example.org", "expired_on": until}
    aroha = {**UNTIL, "id": "2", "email": "aroha@example.org", "status": "ACCEPTED"}
    aroha["expired_on"] = "2030-03-08T00:00:00Z"
    row = {"person": "hemi@example.org", "do": "resend", **said}
    return deed("resends", row, team={"invitations": [hemi, aroha]}).unknown


@pytest.mark.parametrize(
    ("until", "last"), [("2030-03-12T00:00:00Z", "5"), ("2030-03-08T11:00:00Z", "2")]
)
def test_what_is_open_longer_than_others_was_sent_again(until, last):
    found = unknown(until)
    assert found is not None
    assert found.message == (
        "It is open for longer than others: it was sent again, last on "
        f"2030-03-0{last}."
    )


@pytest.mark.parametrize(
    ("until", "said"),
    [
        ("2030-03-08T00:00:30Z", {}),
        ("2030-03-12T00:00:00Z", {"occasion": "March"}),
        ("2030-03-12T00:00:00Z", {"do": "expire"}),
    ],
    ids=["as others", "on an occasion", "an end"],
)
def test_else_it_is_sent_or_ended(until, said):
    assert unknown(until, **said) is None


def response(occasion):
    cells = ("project", "R-1"), ("message", "Kia ora."), ("occasion", occasion)
    return ActContent(field="project", name="", target_id="p", cells=cells)


@pytest.mark.parametrize(
    ("days", "own", "known", "weight"),
    [
        (3, ["July"], 1, Severity.ERROR),
        (30, ["July"], 1, Severity.NOTE),
        (30, [None], 1, Severity.NOTE),
        (30, ["July"], 2, Severity.ERROR),
        (30, ["July"], 0, Severity.NOTE),
        (30, ["AUGUST"], 0, Severity.ERROR),
        (30, [], 0, Severity.ERROR),
    ],
    ids=[
        *("within a week", "beside it", "without one", "in its place"),
        *("in a sheet of its own", "in other capitals", "of others"),
    ],
)
def test_an_occasion_tells_what_is_meant_once_more(days, *, own, known, weight):
    at, row = f"{TODAY - timedelta(days=days)}T00:00:00Z", response("August")
    said = {"id": "e", "is_internal": False, "content": "Kia ora.", "created_on": at}
    wants = deed("responses", row.said, project=PROJECT, thread=[said])
    context = check_context()
    own = [entry(1, state=State.DONE, content=response(each)) for each in own]
    # Of a row in its place, another of its batch is known.
    known = {entry(known).key: each for each in own[:known]}
    inquiry = Inquiry(context=context, asker=None, journal=None, known=known, skip=())
    world = World(account=ACCOUNT, earlier={row.one: own})
    asked = asked_again(wants, row, world, inquiry=inquiry)
    assert [each.severity for each in asked] == [weight]
