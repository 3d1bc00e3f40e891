"""People's sheets as they are: one role for all, and what is read of the rest."""

import json

import pytest

from doubles.terminal import Terminal

HEADINGS = "First name,Surname,E-mail addr."
PEOPLE = (
    "Hēmi,Tūhoro,hemi@example.org",
    "Aroha,Ngata,aroha@example.org",
    HEADINGS,
    "Mere,Pere,mere@example.org",
    "3 people,,",
)
LACKING = (
    "The sheet has no column “Role”. Give one for every row with --role member, or add "
    "a column with the heading “Role”."
)


@pytest.fixture
def person(person_with):
    person = person_with(tokens=0)
    write(person, HEADINGS, *PEOPLE)
    return person


def write(person, *lines):
    (person.folder / "people.csv").write_text("\n".join([*lines, ""]), "utf-8")


def invited(person):
    return sorted(
        (each["name"], each["role"]) for each in person.state()["invitations"]
    )


EVERYBODY = [
    ("Aroha Ngata", "MEMBER"),
    ("Hēmi Tūhoro", "MEMBER"),
    ("Mere Pere", "MEMBER"),
]


def test_a_missing_role_is_one_finding_that_says_how_to_give_it(person):
    done = person.run("check", "people.csv", "--no-input", "--json")
    document = json.loads(done.stdout)

    assert (done.returncode, document["counts"]) == (3, {"to correct": 3})
    assert LACKING in [each.replace("The nearest", "") for each in document["remarks"]]
    assert [row["findings"] for row in document["rows"]] == [[], [], []]


@pytest.mark.parametrize("role", ["member", "MEMBER"])
def test_one_role_is_given_to_all_and_the_rest_is_named(person, role):
    checked = person.run("check", "people.csv", "--role", role)
    done = person.run("submit", "people.csv", "--role", role, "--yes", "3")

    notes = [line for line in checked.stdout.splitlines() if "[note]" in line]
    assert (checked.returncode, notes) == (
        0,
        [
            "people!4 [note]: Row 4 repeats the headings and is not read.",
            "people!6 [note]: Row 6 is a total line and is not read.",
        ],
    )
    assert "--role member" in checked.stdout
    assert (done.returncode, invited(person)) == (0, EVERYBODY)


def test_a_row_is_the_same_row_wherever_its_role_came_from(person):
    person.run("submit", "people.csv", "--role", "member", "--yes", "3")
    rows = [f"{line},Member" for line in PEOPLE if "@" in line]
    write(person, f"{HEADINGS},Role", *rows)

    assert "3 rows read; 3 done already." in person.stdout_of(
        "submit", "people.csv", "--no-input"
    )


def test_a_plan_keeps_the_role_that_it_was_made_with(person):
    person.run("plan", "people.csv", "--role", "member", "-o", "plan.json")

    done = person.run("submit", "plan.json", "--yes", "3", "--no-input")

    assert (done.returncode, invited(person)) == (0, EVERYBODY)


def test_a_given_owner_needs_a_word_of_its_own(person):
    done = person.run("check", "people.csv", "--role", "owner")

    assert (done.returncode, "--allow-owner" in done.stdout) == (3, True)


def test_a_role_in_a_cell_counts_more_than_the_given_one(person):
    write(person, f"{HEADINGS},Role", f"{PEOPLE[0]},", f"{PEOPLE[1]},Owner")

    done = person.run(
        *("submit", "people.csv", "--role", "member", "--allow-owner", "--yes", "2")
    )

    assert (done.returncode, invited(person)) == (
        0,
        [("Aroha Ngata", "OWNER"), ("Hēmi Tūhoro", "MEMBER")],
    )


def test_the_role_is_asked_for_once_at_a_terminal(person):
    terminal = Terminal(person, "submit", "people.csv")
    terminal.answer("Type a number or a word", "boss")
    terminal.answer("Type a number or a word", "Member")
    terminal.answer("Type 3 to invite", "3")

    assert (terminal.end(), invited(person)) == (0, EVERYBODY)
    assert "“boss” is none of these." in terminal.screen


TURNED = (
    '"Ngata, Hana",hana@example.org,Member',
    '"Tūhoro, Hēmi",hemi@example.org,Member',
    '"Te Rangi, Mere",mere@example.org,Member',
    "Tom Brown,tom@example.org,Member",
    '"Smith, Jr",smith@example.org,Member',
)


def test_names_that_stand_surname_first_are_turned_and_it_is_said_once(person):
    write(person, "Name,Email,Role", *TURNED)
    done = person.run("submit", "people.csv", "--yes", "5", "--no-input")

    assert done.returncode == 0
    assert [name for name, _ in invited(person)] == [
        "Hana Ngata",
        "Hēmi Tūhoro",
        "Mere Te Rangi",
        "Smith, Jr",
        "Tom Brown",
    ]
    said = " ".join(done.stdout.split())
    assert (
        "[note] Name “Ngata, Hana”, “Tūhoro, Hēmi” and 1 more (rows 2 to 4): The "
        "surname stands first: kawe puts the first name before it."
    ) in said
    assert "1 row has a warning: 1 with a comma in the name" in said


def test_one_name_of_many_with_a_comma_is_invited_as_it_stands_with_a_warning(person):
    write(
        person, "Name,Email,Role", *(TURNED[at] for at in (0, 3)), "Ana,a@b.nz,Member"
    )
    document = person.document("check", "people.csv", "--no-input")

    assert [row["name"] for row in document["rows"]] == [
        "Ngata, Hana",
        "Tom Brown",
        "Ana",
    ]
    rules = [[each["rule"] for each in row["findings"]] for row in document["rows"]]
    assert rules == [["name-comma"], [], []]
