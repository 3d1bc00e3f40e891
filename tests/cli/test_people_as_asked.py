"""A list of people is compared with the team at every run, from any computer."""

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from doubles.command import Person, write_csv
from doubles.consulted import Consulted
from kawe_twin.serving import TwinOptions, start_twin

HEADINGS = ("Name", "Email", "Role")
HEMI, MERE = "hemi@example.org", "mere@example.org"
PEOPLE = [("Hēmi", HEMI, "Member"), ("Mere", MERE, "Member")]
SUBMIT = ("submit", "people.csv", "--allow-owner", "--yes", "2", "--no-input")
CHANGE = "If Owner is right, an owner changes the role with a sheet of members."
MEMBER = (
    "This person is a member of the team already, with the role Member; the row says "
    f"Owner. kawe invites nobody twice and changes no role. {CHANGE}"
)
PENDING = (
    "This person has been invited already and has not answered yet, with the role "
    "Member; the row says Owner. kawe invites nobody twice and changes no role. If "
    "Owner is right, once they have accepted, an owner changes the role with a sheet "
    "of members."
)
OVER = (
    "This person was invited, and the invitation has expired or was withdrawn; kawe "
    "invites nobody twice. If they should be in the team, send it again with a "
    "sheet of resends."
)
WITHDRAWN = (
    "This person was invited, and the invitation was withdrawn; kawe invites nobody "
    "twice. If they should be in the team, send it again with a sheet of resends."
)
LEFT = (
    "This person accepted an invitation and is not in the team any more; kawe invites "
    "nobody twice. If they should be in the team, invite them again in the portal."
)


@pytest.fixture
def person(person_with):
    """Give somebody who invited two people as members; nobody has answered."""
    person = person_with(tokens=0)
    write_people(person, PEOPLE)
    assert person.run(*SUBMIT).returncode == 0
    return person


def write_people(person, people):
    write_csv(person.folder / "people.csv", people, headings=HEADINGS)


def computer(person, which):
    """Give the same computer, or another one with an empty journal."""
    if which == "same":
        return person
    folder = person.folder.parent / "other"
    folder.mkdir()
    return replace(person, folder=folder)


def accepted(colleague):
    colleague.accept(HEMI)


def left(colleague):
    colleague.accept(HEMI)
    colleague.remove(HEMI)


def withdrawn(colleague):
    """End an invitation before its time, as an owner; it is shown as expired."""
    (mine,) = (each for each in colleague.team("invitations") if each["email"] == HEMI)
    colleague.expire(mine["id"])


def invitations(person):
    return len(person.state()["invitations"])


@pytest.mark.parametrize("which", ["same", "other"])
@pytest.mark.parametrize(
    "case",
    [
        (accepted, "Owner", MEMBER, "ACCEPTED"),
        (lambda _: None, "Owner", PENDING, "PENDING"),
        (withdrawn, "Member", (OVER, WITHDRAWN), ("EXPIRED", "WITHDRAWN")),
        (left, "Member", LEFT, "ACCEPTED"),
    ],
)
def test_who_is_not_in_the_team_as_asked_is_named_and_waits_for_a_person(
    person, which, case
):
    happens, role, *told = case
    # Only the computer that saw it open knows that somebody withdrew it.
    said, status = (e if isinstance(e, str) else e[which == "same"] for e in told)
    colleague = Consulted(person.twin)
    happens(colleague)
    colleague.close()
    here = computer(person, which)
    write_people(here, [("Hēmi", HEMI, role), PEOPLE[1]])

    done = here.run(*SUBMIT)
    rows = json.loads((here.folder / "people.result.json").read_text("utf-8"))["rows"]
    page = (here.folder / "people.result.html").read_text("utf-8")
    stands = here.document("status", "people")

    outcome = "invited" if which == "same" else "already there"
    assert (done.returncode, invitations(person)) == (4, 2), done.stdout + done.stderr
    assert [each["outcome"] for each in rows] == ["not as asked", outcome]
    assert said in rows[0]["what_to_do"]
    assert rows[0]["invitation_status"] == status
    told = " ".join(done.stdout.split())
    assert "1 not as asked: in another role, or not in the team" in told
    assert (said in told, "all here" in told) == (True, False)
    assert said.split(";")[0] in page
    assert stands["exit_code"] == 4
    assert stands["batches"][0]["counts"] == {"not as asked": 1, outcome: 1}
    # The same list comes again.
    assert (here.run(*SUBMIT).returncode, invitations(person)) == (4, 2)


@pytest.mark.parametrize("which", ["same", "other"])
def test_who_is_in_the_team_as_asked_is_done(person, which):
    colleague = Consulted(person.twin)
    colleague.accept(HEMI)
    colleague.close()
    here = computer(person, which)
    write_people(here, PEOPLE)
    done = here.run(*SUBMIT)
    assert (done.returncode, invitations(person)) == (0, 2), done.stdout
    assert here.run("status").returncode == 0


def test_a_role_that_an_owner_has_changed_is_as_asked_at_the_next_run(person):
    here = computer(person, "other")
    write_people(here, [("Hēmi", HEMI, "Owner"), PEOPLE[1]])
    assert here.run(*SUBMIT).returncode == 4
    colleague = Consulted(person.twin)
    colleague.accept(HEMI)
    colleague.change_role(HEMI, "OWNER")
    colleague.close()
    assert "2 already there" in here.stdout_of(*SUBMIT)


def test_the_question_counts_only_whom_the_run_would_invite(person):
    colleague = Consulted(person.twin)
    withdrawn(colleague)
    colleague.close()
    here = computer(person, "other")
    write_people(here, [*PEOPLE, ("Aroha", "new@example.org", "Member")])
    checked = here.run("check", "people.csv")
    done = here.run("submit", "people.csv", "--yes", "1", "--no-input")
    assert OVER in " ".join(checked.stdout.split())
    assert (done.returncode, invitations(person)) == (4, 3), done.stdout + done.stderr


class _Clock:
    """The twin's clock, which is behind at first."""

    ago = timedelta(days=30)

    def __call__(self):
        return datetime.now(UTC) - self.ago


@pytest.fixture
def expired(tmp_path):
    """Give somebody who invited two people; both invitations have since expired."""
    clock = _Clock()
    twin = start_twin(TwinOptions(folder=tmp_path / "twin"), clock=clock)
    (tmp_path / "person").mkdir()
    person = Person(folder=tmp_path / "person", twin=twin)
    write_people(person, PEOPLE)
    # The clock of the computer is that of today.
    assert person.run(*SUBMIT).returncode == 4
    clock.ago = timedelta(0)
    assert [each["status"] for each in shown(person)] == ["EXPIRED"] * 2
    yield person
    twin.stop()


def shown(person):
    colleague = Consulted(person.twin)
    found = colleague.team("invitations")
    colleague.close()
    return found


AGAIN = "The invitation of this person expired on"


def test_the_same_roster_sends_a_new_invitation_where_the_last_one_expired(expired):
    person = expired
    told = " ".join(person.run("status", "people").stdout.split())
    assert ("all here" in told, "2 not as asked" in told) == (False, True), told
    checked = person.run("check", "people.csv").stdout
    planned = person.run("plan", "people.csv", "-o", "plan.json").stdout
    plan = json.loads((person.folder / "plan.json").read_text("utf-8"))
    refused = person.run("submit", "people.csv", "--yes", "1", "--no-input")
    before = invitations(person)
    done = person.run(*SUBMIT)
    rows = json.loads((person.folder / "people.result.json").read_text("utf-8"))
    again = person.run(*SUBMIT)

    says = [" ".join(each.split()).count(AGAIN) for each in (checked, planned)]
    assert says == [1, 1], checked + planned
    assert "2 will be re-sent: the invitation of before has expired" in planned
    assert [each["action"] for each in plan["rows"]] == ["invite again"] * 2
    assert (refused.returncode, before) == (2, 2), refused.stdout
    assert (done.returncode, invitations(person)) == (0, 4), done.stdout + done.stderr
    assert "2 re-sent: the invitation of before had expired" in done.stdout
    assert [[e["outcome"], e["invitation_status"]] for e in rows["rows"]] == [
        ["re-sent", "PENDING"]
    ] * 2
    assert (again.returncode, invitations(person)) == (0, 4), again.stdout
    assert "2 invited" in again.stdout


def test_a_new_invitation_says_the_role_that_the_row_says_now(expired):
    write_people(expired, [("Hēmi", HEMI, "Owner"), PEOPLE[1]])
    done = expired.run(*SUBMIT)
    roles = {e["email"]: e["role"] for e in shown(expired) if e["status"] == "PENDING"}
    assert (done.returncode, roles) == (0, {HEMI: "OWNER", MERE: "MEMBER"})


def test_an_expired_invitation_that_was_never_seen_open_is_left_to_a_person(expired):
    here = computer(expired, "other")
    write_people(here, PEOPLE)
    for _ in range(2):
        done = here.run(*SUBMIT)
        assert (done.returncode, invitations(expired)) == (4, 2), done.stdout
        assert OVER in " ".join(done.stdout.split())


def test_an_address_in_other_letters_is_the_one_that_was_invited(person):
    write_people(person, [(name, each.upper(), role) for name, each, role in PEOPLE])
    assert "2 done already" in person.stdout_of("submit", "people.csv", "--no-input")
