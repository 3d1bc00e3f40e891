"""Inviting people is asked for as sending is: by the typed count, by name, by plan."""

import pytest

from doubles.at_the_twin import with_key
from doubles.planned import YES
from doubles.terminal import Terminal

SECOND = 'approval = "second_person"\nauthor = "Mere"\n'
OWNERS = (
    "2 people become owners, who may remove people, buy tokens and manage keys: "
    "Hēmi 0 (hemi0@example.org); Hēmi 1 (hemi1@example.org)."
)


@pytest.fixture
def person(person_with):
    person = person_with(tokens=0)
    person.write_settings('author = "Mere"\n')
    write_people(person, 5)
    return person


def write_people(person, number, *, owners=0):
    rows = [
        f"Hēmi {n},hemi{n}@example.org,{'Owner' if n < owners else 'Member'}"
        for n in range(number)
    ]
    text = "\n".join(["Name,Email,Role", *rows, ""])
    (person.folder / "people.csv").write_text(text, "utf-8")


NO_DRAFT = (
    "--drafts-only is for projects: an invitation has no draft. Nobody was invited."
)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ("submit", "--no-input"),
            (
                "This run would invite 5 people and nobody can be asked. Nobody was "
                "invited. Agree with --yes 5."
            ),
        ),
        (
            ("submit", "--yes", "4", "--no-input"),
            (
                "This run would invite 5 people, and 4 were agreed to. "
                "Nobody was invited. Look at the plan, then agree to the number."
            ),
        ),
        (("submit", "--drafts-only"), NO_DRAFT),
        (("plan", "--drafts-only"), NO_DRAFT),
    ],
)
def test_nobody_is_invited_whom_nobody_agreed_to_nor_as_a_draft(person, words, said):
    assert (person.stderr_of(*words, "people.csv", code=2), person.invited()) == (
        f"kawe: {said}\n",
        [],
    )


def test_as_many_people_as_were_agreed_to_are_invited_and_running_again_asks_nothing(
    person,
):
    done = person.run("submit", "people.csv", "--yes", "5", "--no-input")
    again = person.run("submit", "people.csv", "--no-input")
    assert (done.returncode, again.returncode, len(person.invited())) == (0, 0, 5)


@pytest.mark.parametrize(("typed", "ended"), [("5", (0, 5)), ("4", (2, 0))])
def test_the_typed_number_decides(person, typed, ended):
    terminal = Terminal(person, "submit", "people.csv")
    terminal.answer("Type 5 to invite 5 people, anything else to stop", typed)
    assert (terminal.end(), len(person.invited())) == ended


def test_a_sandbox_key_asks_nothing(person):
    person.key = person.twin.address.sandbox_key
    assert "5 invited" in person.stdout_of("submit", "people.csv", "--no-input")


def test_owners_are_named_before_anybody_is_invited(person):
    write_people(person, 5, owners=2)
    done = person.run("submit", "people.csv", "--allow-owner", "--no-input")
    assert (done.returncode, OWNERS in done.stdout, person.invited()) == (2, True, [])


def test_a_plan_names_owners_and_the_order_of_invitations(person):
    write_people(person, 5, owners=2)
    words = ("plan", "people.csv", "--allow-owner", "-o", "plan.json", "--quiet")
    made = person.run(*words)
    shown = person.run("plan", "plan.json")
    document = person.document("plan", "plan.json")
    assert [OWNERS in each.stdout for each in (made, shown)] == [True, True]
    assert shown.stdout.splitlines()[-8:-2] == [
        "The order of invitations:",
        *(f"      {n}. people!{n + 1}" for n in range(1, 6)),
    ]
    named = ("sends", "invites", "order_of_sends", "order_of_invitations", "owners")
    assert {name: document[name] for name in named} == {
        "sends": 0,
        "invites": 5,
        "order_of_sends": [],
        "order_of_invitations": [{"sheet": "people", "row": n} for n in range(2, 7)],
        "owners": [
            {"sheet": "people", "row": 2, "owner": "Hēmi 0 (hemi0@example.org)"},
            {"sheet": "people", "row": 3, "owner": "Hēmi 1 (hemi1@example.org)"},
        ],
    }


def test_two_persons_must_agree_to_people_too(person):
    person.write_settings(SECOND)
    alone = person.run("submit", "people.csv", *YES)
    person.run("plan", "people.csv", "-o", "plan.json", "--quiet")
    own = person.run("submit", "plan.json", *YES)
    said = "signed approval for every live send or invitation"
    assert [(each.returncode, said in each.stderr) for each in (alone, own)] == [
        (2, True)
    ] * 2
    assert person.invited() == []


def test_a_plan_of_people_goes_on_where_it_stopped(person):
    person.run("plan", "people.csv", "-o", "plan.json", "--quiet")
    first = person.run("submit", "plan.json", "--canary", "2", *YES)
    rest = person.run("submit", "plan.json", *YES)
    assert (first.returncode, rest.returncode, len(person.invited())) == (7, 0, 5)
    assert "2 of its 5 invitations are done" in rest.stdout


def test_a_plan_of_people_is_asked_for_by_its_count(person):
    person.run("plan", "people.csv", "-o", "plan.json", "--quiet")
    assert (
        "--yes 5" in person.stderr_of("submit", "plan.json", "--no-input", code=2),
        person.invited(),
    ) == (True, [])


def test_a_canary_invites_the_first_and_counts_them_alone(person):
    done = person.run("submit", "people.csv", "--canary", "2", "--yes", "2")
    assert (done.returncode, person.invited()) == (
        7,
        ["hemi0@example.org", "hemi1@example.org"],
    )


def test_only_the_named_people_are_invited(person):
    words = ("--only", "2,hemi3@example.org", "--yes", "2")
    assert (
        person.run("submit", "people.csv", *words).returncode,
        person.invited(),
    ) == (
        0,
        ["hemi0@example.org", "hemi3@example.org"],
    )


def test_too_many_people_to_correct_invite_nobody(person):
    with (person.folder / "people.csv").open("a", encoding="utf-8") as file:
        file.write("Nobody,not an address,Member\n")
    done = person.run("submit", "people.csv", "--max-errors", "0", *YES)
    assert (done.returncode, person.invited()) == (2, [])


def test_whoever_was_invited_and_is_not_there_any_more_is_named(person):
    person.run("submit", "people.csv", *YES)
    with with_key(person.twin.address) as client:
        first = person.state()["invitations"][0]
        expired = client.put(f"/user/invitation/{first['id']}/expire")
    assert expired.json()["success"], expired.text
    told = [
        person.run(*words).stdout
        for words in (("submit", "people.csv", "--no-input"), ("plan", "people.csv"))
    ]
    said = (
        "people!B2 [warning] Email “hemi0@example.org”: This person was invited, and "
        "the invitation was withdrawn; kawe invites nobody twice. If they should be in "
        "the team, send it again with a sheet of resends."
    )
    assert [each.count(said) for each in told] == [1, 1]
    # And the row of a plan does not only say that it is done already.
    person.run("plan", "people.csv", "-o", "people.plan.json")
    kept = (person.folder / "people.plan.json").read_text("utf-8")
    assert kept.count("the invitation was withdrawn; kawe invites nobody twice.") == 1


def test_whoever_was_taken_off_the_list_is_not_invited_again(person):
    person.run("submit", "people.csv", *YES)
    there = person.state()["invitations"]
    with with_key(person.twin.address) as client:
        client.put(f"/user/invitation/{there[0]['id']}/expire")
    for _ in range(2):
        assert person.run("submit", "people.csv", *YES).returncode == 4
    now = person.state()["invitations"]
    assert [each["id"] for each in now] == [each["id"] for each in there]
    assert sum(person.state()["requests"]["user_invite_bulk"].values()) == 1


def test_a_sandbox_key_of_a_live_team_invites_real_people_and_asks(person):
    person.key = person.twin.address.test_key
    done = person.run("submit", "people.csv", "--no-input")
    assert (
        done.returncode,
        "nobody can be asked" in done.stderr,
        person.invited(),
    ) == (
        2,
        True,
        [],
    )
    agreed = person.run("submit", "people.csv", "--yes", "5", "--no-input")
    assert (agreed.returncode, len(person.invited())) == (0, 5)
    assert "The key is a sandbox key, and the invitations are real." in agreed.stdout
