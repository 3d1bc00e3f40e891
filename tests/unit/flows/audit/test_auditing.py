"""The statement of a period, where a list shifts or a person stops."""

from dataclasses import replace
from datetime import timedelta

import pytest

from doubles.loops import awaited
from doubles.memory_scene import MemoryScene
from doubles.rows import checked_projects, project
from doubles.service import AT, MemoryService
from kawe.domain.batch.periods import Period
from kawe.domain.service.service_words import Page
from kawe.domain.text.new_zealand import day_in_new_zealand, moment_words
from kawe.errors import PathUnknown, ServiceUnreachable
from kawe.flows.audit.gathering import AuditChoice, Auditor
from kawe.flows.audit.judging import audit

NAMES = ("first_name", "last_name")
OURS, LEFT, THEIRS = ("Aroha", "Tauira"), ("Hone", "Tai"), ("Mere", "Kē")


class Audited(MemoryService):
    """A service with logs and invoices, and with projects that vanish."""

    __slots__ = ("bought", "extra", "responded", "vanished")

    def __init__(self):
        super().__init__()
        self.bought, self.extra, self.vanished = 100, 0, False
        self.responded = ()
        """Who responded to each project, in order: first and last name, or nobody."""

    async def team(self, team_id):
        roll = await super().team(team_id)
        return replace(roll, member_names=frozenset({"aroha tauira"}))

    async def projects(self, *, page, search=None, status=None):
        found = await super().projects(page=page, search=search, status=status)
        return Page(items=found.items, total=found.total + self.extra, page=page)

    async def listed(self, operation, *, path, page, query=None):
        del query
        items = [
            {"id": "1", "quantity": self.bought, "status": "paid"},
            {"id": "2", "quantity": 9, "status": "open"},
        ]
        if operation == "project_logs":
            if self.vanished:
                raise PathUnknown(message="Not found.")
            sends = range(1 + self.sends[path["id"]])
            items = [
                {"id": f"{n}", "action": "SENT" if n else "CREATED"}
                | {"created_on": AT.isoformat()}
                for n in sends
            ]
            items += [
                {"id": f"r{n}", "action": "RESPONDED"}
                | {"created_on": (AT + timedelta(seconds=n)).isoformat()}
                | {"created_by": names and dict(zip(NAMES, names, strict=True))}
                for n, names in enumerate(self.responded)
            ]
        return Page(items=tuple(items), total=len(items), page=page)


@awaited
async def audited(scene, *, opening=None, journals=None):
    run = await scene.run()
    today = day_in_new_zealand(AT)
    return await audit(
        Auditor(
            tools=run,
            journals={"journal": scene.journal} if journals is None else journals,
            account=run.account,
            mode="live",
            choice=AuditChoice(
                period=Period(since_on=today - timedelta(days=5), until_on=today),
                opening=opening,
            ),
        )
    )


@pytest.fixture
def scene():
    scene = MemoryScene(service=Audited())
    scene.submit(checked_projects([project(1), project(2)]))
    return scene


def test_sends_without_receipts_do_not_close_and_tokens_add_up(scene):
    made = audited(scene)
    assert (list(made.counts.values()), made.closes) == ([2, 2, 0, 2], False)
    assert [each.trouble.name for each in made.findings] == ["NO_RECEIPT"] * 2
    assert (made.ledger.unexplained, made.remarks) == (0, ())


def test_more_tokens_than_invoices_explain_are_a_remark_until_somebody_says(scene):
    scene.service.bought = 90
    made, said = audited(scene), audited(scene, opening=5)
    assert [each.trouble.name for each in made.findings] == ["NO_RECEIPT"] * 2
    assert made.remarks[0].startswith("The team had 10 tokens more than invoices")
    assert said.findings[-1].what == "The team has 5 tokens more than it should."


@pytest.mark.parametrize(
    ("responded", "gone", "found"),
    [
        # By the names: one of each of two projects. The balance agrees.
        ((OURS, THEIRS, OURS), 2, (2, None)),
        # A draft, an iwi and one response of the team use nothing.
        ((THEIRS, OURS), 0, (0, None)),
        # Who has left is not known by name: others may be of the team, or not.
        (
            (LEFT, LEFT),
            2,
            (
                0,
                (
                    "2 tokens are gone. Responses explain that only if others were of "
                    "the team. At most 2 more tokens can be of responses of people who "
                    "are not in the team now, on: "
                ),
            ),
        ),
        # What no reading of the responses explains is named, and no more than that.
        (
            (LEFT, None),
            5,
            (0, "3 tokens are gone; no send and no response explains that. At most 2 "),
        ),
        # Iwi who have the name of a member.
        (
            (OURS, OURS),
            0,
            (
                2,
                (
                    "The team has 2 tokens more than it should. Responses explain that "
                    "only if some were not of the team."
                ),
            ),
        ),
    ],
)
def test_responses_are_added_up_by_names_and_what_names_leave_open_is_said(
    scene, responded, *, gone, found
):
    scene.service.responded = responded
    scene.service.bought += gone
    made = audited(scene, opening=0)
    said = [f.what for f in made.findings if f.about == "Balance"]
    paid, begins = found
    assert (made.responses_paid, len(made.responses), bool(said)) == (
        *(paid, paid),
        begins is not None,
    )
    assert not said or said[0].startswith(begins)
    whose = any(each.startswith("The service names who") for each in made.remarks)
    agrees = "The balance of tokens agrees with that." in made.remarks
    assert (whose, agrees) == (True, not said)


def test_where_logs_are_not_shown_no_response_is_guessed(scene):
    scene.service.vanished, scene.service.bought = True, 101
    made = audited(scene, opening=0)
    assert (made.responses, made.ledger.responses, made.findings[-1].what) == (
        *(None, None),
        "1 token is gone; no send used it, and responses may have.",
    )
    assert "Responses used" not in made.equation()


def test_a_project_that_only_the_journal_has_is_named(scene):
    scene.service.projects_there.pop()
    scene.service.vanished = True
    named = audited(scene).findings[0]
    at = moment_words(AT)
    assert (named.trouble.name, named.what) == (
        "NOT_THERE",
        f"The journal has it as sent at {at}; the service does not show it.",
    )


def test_a_list_that_shifts_makes_no_statement(scene):
    scene.service.extra = 1
    with pytest.raises(ServiceUnreachable, match="no statement can be made"):
        audited(scene)


def test_a_person_who_stops_gets_no_statement(scene):
    scene.halt.asked = True
    assert audited(scene) is None


def test_of_two_journals_the_one_counts_that_has_it_as_sent(scene):
    other = MemoryScene(service=scene.service)
    other.submit(checked_projects([project(1)]), drafts_only=True)
    journals = {"journal a": other.journal, "journal b": scene.journal}
    made = audited(scene, journals=journals)
    assert (list(made.counts.items())[:2], made.journals) == (
        [("sent, as the journals have it", 2), ("sent, as the service has it", 2)],
        2,
    )
    assert [each.trouble.name for each in made.findings] == ["NO_RECEIPT"] * 2
