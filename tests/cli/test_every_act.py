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
    """Two rows of a kind that ask for one operation, and what makes them right."""

    kind: str
    rows: list[dict[str, str]]
    prepare: str = ""
    is_iwi: bool = False
    stays: str = ""
    """Why an undo does not put it back; empty: it does."""

    def sheet(self, office):
        """Fill in the sheet, and give how many it asks for."""
        found = getattr(self, f"_{self.prepare}")(office) if self.prepare else None
        rows = zip(self.rows, found or [{}] * len(self.rows), strict=True)
        if self.is_iwi:
            office.be_iwi()
        office.sheet(self.kind, *(row | more for row, more in rows))
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

    @staticmethod
    def _groups(office):
        with office.client() as client:
            for name in ("A", "B"):
                body = {"name": name, "colour": "#1b5e20", "memberIds": []}
                client.post("/groups", json=body).raise_for_status()

    @staticmethod
    def _noted(office):
        ids = []
        with office.client() as client:
            for n in (1, 2):
                where = f"/projects/{office.project(n)['id']}/notes"
                body = {"content": "Ring Hēmi.", "meeting_type": "PHONE_CALL"}
                client.post(where, json=body).raise_for_status()
                (note,) = (e for e in office.thread(n) if e["is_internal"])
                ids.append({"Note id": note["id"]})
        return ids


def _each(rows, **more):
    return [row | more for row in rows]


_GROUPS = [{"Group": "A"}, {"Group": "B"}]
_BODIES = [{"Organisation": "Kōpū Roading"}, {"Organisation": "Thames Water"}]
_NOTE = {"Note": "Ring Aroha.", "Meeting type": "Phone call"}
_NEVER = "nothing takes it back"
CASES = {
    "project_close": Case("closures", _PROJECTS),
    "project_reopen": Case("reopenings", _PROJECTS, "closed"),
    "project_update": Case("changes", _each(_PROJECTS, Name="Kōpū culvert")),
    "team_role": Case(
        "members", _each(_PEOPLE, **{"Org role": "Planner"}), "members", stays="nothing"
    ),
    "team_revoke": Case(
        "members", _each(_PEOPLE, Remove="Yes"), "members", stays="does not come back"
    ),
    "invitation_resend": Case(
        "resends", _each(_PEOPLE, Do="resend"), "invited", stays=_NEVER
    ),
    "invitation_expire": Case(
        "resends", _each(_PEOPLE, Do="expire"), "invited", stays=_NEVER
    ),
    "project_assign": Case(
        "assignments", _each(_PROJECTS, Person="hemi@example.org"), "members"
    ),
    "group_create": Case("groups", _each(_GROUPS, Colour="#1b5e20")),
    "group_update": Case("groups", _each(_GROUPS, Colour="#b71c1c"), "groups"),
    "group_delete": Case(
        "groups", _each(_GROUPS, Delete="Yes"), "groups", stays="does not come back"
    ),
    "organisation_update": Case(
        "organisations", _each(_BODIES, Address="2 Queen Street"), "organisations"
    ),
    "organisation_delete": Case(
        "organisations",
        _each(_BODIES, Delete="Yes"),
        "organisations",
        stays="does not come back",
    ),
    "note_create": Case("notes", _each(_PROJECTS, **_NOTE), stays="a note is deleted"),
    "note_edit": Case("notes", _each(_PROJECTS, **_NOTE), "noted"),
    "note_delete": Case(
        "notes", _each(_PROJECTS, Delete="Yes"), "noted", stays="does not come back"
    ),
    "team_rename": Case("team", [{"New name": "Kaunihera hou"}]),
    "project_report": Case("reports", _PROJECTS, stays=_NEVER),
    "project_complete": Case("completions", _PROJECTS, is_iwi=True, stays=_NEVER),
    "project_respond": Case(
        "responses", _each(_PROJECTS, Message="Kia ora."), stays=_NEVER
    ),
}
KINDS = {kind.word: kind for kind in ACTS}


def _but(*few):
    """Leave all operations but these to `make faults`."""
    long = pytest.mark.short_campaign
    return [e if e in few else pytest.param(e, marks=long) for e in CASES]


FIRST = {case.kind: operation for operation, case in reversed(CASES.items())}
KILLED = _but(
    *("project_close", "team_role", "note_create", "project_report", "project_respond")
)


@pytest.fixture
def office(person_with):
    made = Office(person_with(tokens=20, faults=True))
    made.person.write_settings("settle = 0.5\n")
    return made


def test_every_kind_has_a_case():
    assert {case.kind for case in CASES.values()} == KINDS.keys()


@pytest.mark.parametrize("operation", CASES)
def test_check_and_plan_say_what_it_changes_and_ask_for_nothing(office, operation):
    case = CASES[operation]
    count = case.sheet(office)
    asked = office.asked(operation)
    checked = office.person.document("check", f"{case.kind}.xlsx")
    planned = office.person.document("plan", f"{case.kind}.xlsx")
    assert (checked["exit_code"], planned["exit_code"]) == (0, 0)
    for said in (checked, planned):
        told = [e for e in said["findings"] if e["rule"] == "act-changes"]
        assert {row for each in told for row in each["rows"]} == {*range(2, count + 2)}
        assert all(" → " in each["message"] for each in told)
    assert len(planned["order_of_sends"] or planned["order_of_invitations"]) == count
    assert office.asked(operation) == asked


@pytest.mark.parametrize("operation", _but(*FIRST.values()))
@pytest.mark.parametrize("when", ["before", "after"])
def test_a_cut_wire_never_makes_an_act_happen_twice(office, operation, when):
    case = CASES[operation]
    count = case.sheet(office)
    office.board.set("drop", operation, count=1, when=when)
    # Where nothing tells whether it was done, a person looks.
    may_hold = KINDS[case.kind].line.proof is Proven.ONLY_SEEN
    for _ in range(2):
        words = "--yes", str(count), "--no-input"
        office.person.run("submit", f"{case.kind}.xlsx", *words)
    outcomes = office.results(case.kind)
    held = outcomes.count("Held")
    assert held <= may_hold
    assert outcomes.count("Done") == count - held
    assert office.done(operation) == count - (held if when == "before" else 0)
    said = office.did("status", case.kind, code=4 if held else 0)
    assert ("Nothing is left to do about any row" in said) == (not held)


@pytest.mark.parametrize("operation", KILLED)
def test_a_killed_run_does_each_act_once(office, operation):
    case = CASES[operation]
    count = case.sheet(office)
    office.submit_killed(case.kind, count, during=operation)
    # What the service never got may be held for a person; it is not done twice.
    outcomes, done = office.results(case.kind), office.done(operation)
    held = outcomes.count("Held")
    assert held <= (KINDS[case.kind].line.proof is Proven.ONLY_SEEN)
    assert outcomes.count("Done") == count - held
    assert count - held <= done <= count


@pytest.mark.parametrize("operation", CASES)
def test_an_undo_puts_it_back_or_says_why_not(office, operation):
    case = CASES[operation]
    count = case.sheet(office)
    office.submit(case.kind, count)
    ran = office.person.run(
        "template", "--undo", f"{case.kind}.xlsx", "-o", "back.xlsx"
    )
    said = " ".join((ran.stdout + ran.stderr).split())
    if case.stays:
        assert f"{count} rows are not put back (" in said
        assert case.stays in said
        return
    rows = "1 row" if count == 1 else f"{count} rows"
    assert f"back.xlsx has {rows} to put back." in said
    office.submit("back", count)
    title = KINDS[case.kind].line.undone_as.capitalize()
    assert office.results("back", sheet=title) == ["Done"] * count
