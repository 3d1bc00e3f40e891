"""`kawe export … --mask`: lists that name no people, and can still be joined."""

import csv
import json

import pytest

from doubles.at_the_twin import with_key
from doubles.bodies import project_body


@pytest.fixture
def person(person_with):
    """Give a person of a team with a project that has a thread."""
    person = person_with(tokens=9)
    with with_key(person.twin.address) as client:
        body = project_body() | {"description": "Ring 021 555 0123"}
        made = client.post("/projects", json=body).json()["response_object"]
        note = {"content": "From aroha@example.nz", "meeting_type": None}
        client.post(f"/projects/{made['id']}/notes", json=note).raise_for_status()
    return person


def text_of(person, name):
    return (person.folder / name).read_text("utf-8-sig")


def test_a_team_is_masked_in_every_format(person):
    done = person.document("export", "team", "--mask", "-o", "team")
    assert sorted(done["files"]) == [
        "team-masked-invitations.csv",
        "team-masked.csv",
        "team-masked.ics",
        "team-masked.jsonl",
        "team-masked.xlsx",
    ]
    rows = list(csv.DictReader(text_of(person, "team/team-masked.csv").splitlines()))
    (record,) = map(json.loads, text_of(person, "team/team-masked.jsonl").splitlines())
    assert done["asked_for"] == "people masked"
    assert [row["Name"].split()[1] for row in rows] == [
        each["last_name"] for each in record["users"]
    ]
    assert all(row["Email"].endswith("@masked.invalid") for row in rows)


def test_a_thread_names_nobody_and_is_joined_by_the_masks(person):
    words = ("export", "projects", "--with", "thread", "--mask", "-o", "masked")
    assert person.run(*words).returncode == 0
    shown = text_of(person, "masked/projects-masked.jsonl")
    assert [
        each for each in ("021 555 0123", "example.nz", "Aroha") if each in shown
    ] == []
    (project,) = map(json.loads, shown.splitlines())
    (note,) = project["engagements"]
    assert note["created_by"]["first_name"] == "Person"


def test_a_whole_list_takes_nothing_from_a_masked_one(person):
    words = ("export", "projects", "--with", "thread", "-o", "projects.jsonl")
    person.document(*words, "--mask")
    assert "example.nz" not in text_of(person, "projects.jsonl")
    done = person.document(*words)
    assert (done["not_asked_again"], done["new"]) == (0, 1)
    assert "aroha@example.nz" in text_of(person, "projects.jsonl")


def test_the_settings_mask_every_list_and_a_flag_overrides_them(person):
    person.write_settings('exports = "masked"\n')
    person.run("export", "team", "-o", "one.csv")
    person.run("export", "team", "-o", "two.csv", "--no-mask")
    masked = "@masked.invalid"
    found = [masked in text_of(person, name) for name in ("one.csv", "two.csv")]
    assert found == [True, False]


@pytest.mark.parametrize(
    ("words", "what"),
    [
        (("reports",), "The papers of a list"),
        (("projects", "--save-documents"), "The papers of a list"),
        (("case", "R-1"), "A case file"),
        (("sample", "1", "--seed", "x"), "A case file"),
    ],
    ids=lambda each: each[0],
)
@pytest.mark.parametrize("is_set", [False, True])
def test_papers_cannot_be_masked(person, words, what, *, is_set):
    person.write_settings('exports = "masked"\n' if is_set else "")
    mask = () if is_set else ("--mask",)
    done = person.run("export", *words, *mask, "-o", "papers")
    assert (done.returncode, (person.folder / "papers").exists()) == (2, False)
    assert f"{what} cannot be masked." in done.stderr


def test_receipts_say_that_nothing_in_them_is_masked(person):
    person.write_settings('exports = "masked"\n')
    done = person.run("export", "receipts", "-o", "receipts")
    assert "nothing in them is masked." in done.stdout
