"""What holds for every kind of act: killed or cut off, it is asked for once."""

from dataclasses import dataclass

import pytest

from doubles.acts_office import Office
from kawe.kinds.acts import ACTS
from kawe.kinds.acts.table import Proven

_PROJECTS = [{"Project": "R-1"}, {"Project": "R-2"}]
_PEOPLE = [{"Person": "hemi@example.org"}, {"Person": "aroha@example.org"}]


@dataclass(frozen=True, slots=True)
class Case:
    """Two rows of a kind, and what makes them right."""

    operation: str
    rows: list[dict[str, str]]
    prepare: str = ""
    is_iwi: bool = False

    def sheet(self, office, kind):
        """Fill in the sheet, and give how many it asks for."""
        if self.prepare:
            getattr(self, f"_{self.prepare}")(office)
        if self.is_iwi:
            office.be_iwi()
        office.sheet(kind.word, *self.rows)
        return len(self.rows)

    @staticmethod
    def _closed(office):
        with office.client() as client:
            for n in (1, 2):
                where = f"/projects/{office.project(n)['id']}/close"
                client.put(where, json={"all": False})

    @staticmethod
    def _members(office):
        office.join("hemi", "aroha")

    @staticmethod
    def _invited(office):
        office.invite("hemi", "aroha")

    @staticmethod
    def _organisations(office):
        office.make_organisation("Kōpū Roading")
        office.make_organisation("Thames Water")


def _each(rows, **more):
    return [row | more for row in rows]


CASES = {
    "closures": Case("project_close", _PROJECTS),
    "reopenings": Case("project_reopen", _PROJECTS, "closed"),
    "changes": Case("project_update", _each(_PROJECTS, Phase="Works underway")),
    "members": Case("team_role", _each(_PEOPLE, **{"Org role": "Planner"}), "members"),
    "resends": Case("invitation_resend", _each(_PEOPLE, Do="resend"), "invited"),
    "assignments": Case(
        "project_assign", _each(_PROJECTS, Person="hemi@example.org"), "members"
    ),
    "groups": Case(
        "group_create", [{"Group": each, "Colour": "#1b5e20"} for each in ("A", "B")]
    ),
    "organisations": Case(
        "organisation_update",
        [
            {"Organisation": e, "City": "Thames"}
            for e in ("Kōpū Roading", "Thames Water")
        ],
        "organisations",
    ),
    "notes": Case(
        "note_create",
        _each(_PROJECTS, Note="Ring Aroha.", **{"Meeting type": "Phone call"}),
    ),
    "team": Case("team_rename", [{"New name": "Kaunihera hou"}]),
    "reports": Case("project_report", _PROJECTS),
    "completions": Case("project_complete", _PROJECTS, is_iwi=True),
    "responses": Case("project_respond", _each(_PROJECTS, Message="Kia ora.")),
}
# A few of each proof; `make faults` kills runs of every kind.
_FEW = {"closures", "members", "notes", "reports", "responses"}
KILLED = [
    each if each.word in _FEW else pytest.param(each, marks=pytest.mark.short_campaign)
    for each in ACTS
]


@pytest.fixture
def office(person_with):
    made = Office(person_with(tokens=20, faults=True))
    made.person.write_settings("settle = 0.5\n")
    return made


def test_every_kind_has_a_case():
    assert {kind.word for kind in ACTS} == CASES.keys()


@pytest.mark.parametrize("kind", ACTS, ids=str)
@pytest.mark.parametrize("when", ["before", "after"])
def test_a_cut_wire_never_makes_an_act_happen_twice(office, kind, when):
    case = CASES[kind.word]
    count = case.sheet(office, kind)
    office.board.set("drop", case.operation, count=1, when=when)
    # Where nothing tells whether it was done, a person looks.
    may_hold = kind.line.proof is Proven.ONLY_SEEN
    office.person.run("submit", f"{kind}.xlsx", "--yes", str(count), "--no-input")
    office.person.run("submit", f"{kind}.xlsx", "--yes", str(count), "--no-input")
    outcomes = _outcomes(office, kind)
    held = outcomes.count("Held")
    assert held <= may_hold
    assert outcomes.count("Done") == count - held
    assert office.done(case.operation) == count - (held if when == "before" else 0)


@pytest.mark.parametrize("kind", KILLED, ids=str)
def test_a_killed_run_does_each_act_once(office, kind):
    case = CASES[kind.word]
    count = case.sheet(office, kind)
    office.submit_killed(kind.word, count, during=case.operation)
    # What the service never got may be held for a person; it is not done twice.
    outcomes, done = _outcomes(office, kind), office.done(case.operation)
    held = outcomes.count("Held")
    assert held <= (kind.line.proof is Proven.ONLY_SEEN)
    assert outcomes.count("Done") == count - held
    assert count - held <= done <= count


def _outcomes(office, kind):
    return sorted(office.results(kind.word))
