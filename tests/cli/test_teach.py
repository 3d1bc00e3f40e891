"""`kawe teach`: a heading is taught, listed and forgotten, in a person's own file."""

from __future__ import annotations

import tomllib

import pytest


def kept(newcomer):
    return tomllib.loads((newcomer.settings / "kawe.toml").read_text("utf-8"))


def test_a_heading_is_taught_listed_and_forgotten(newcomer):
    own = newcomer.settings / "kawe.toml"
    taught = newcomer.run("teach", "Due date for us", "Respond by")
    listed = newcomer.run("teach")
    document = newcomer.document("teach")
    undone = newcomer.run("teach", "DUE DATE FOR US", "--undo")
    empty = newcomer.run("teach", "--list")
    assert [each.stdout for each in (taught, listed, undone, empty)] == [
        (
            "“Due date for us” is read as Respond by in sheets of projects.\n"
            f"Kept in {own}. To undo it: kawe teach 'Due date for us' --undo\n"
        ),
        f"“Due date for us” → Respond by (projects), in {own}\n",
        "“DUE DATE FOR US” is forgotten for sheets of projects.\n",
        'Nothing was taught yet: kawe teach "HEADING" "COLUMN"\n',
    ]
    assert document == {
        "schema": "kawe.taught/1",
        "exit_code": 0,
        "file": str(own),
        "headings": [
            {
                "kind": "projects",
                "heading": "Due date for us",
                "field": "respond_by_date",
                "from": str(own),
            }
        ],
    }


def test_a_heading_that_is_not_to_be_read_is_so_in_sheets_of_any_kind(newcomer):
    done = newcomer.run("teach", "Lodged", "--not-read")
    assert (done.returncode, kept(newcomer)) == (
        0,
        {"columns": {"projects": {"Lodged": False}, "invitations": {"Lodged": False}}},
    )


def test_what_a_heading_meant_before_is_said(newcomer):
    newcomer.run("teach", "Site", "name", "--kind", "projects")
    done = newcomer.run("teach", "Site", "Description")
    assert "Description in sheets of projects; before: Name." in done.stdout


def test_what_kawe_would_read_it_as_by_itself_is_said(newcomer):
    done = newcomer.run("teach", "Site", "Description")
    assert "Description in sheets of projects, and else as Address." in done.stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("Name", "Description"), "Name is itself a column of projects"),
        (("Email *", "--not-read"), "Email is itself a column of invitations"),
        (("Due", "Respnd by"), "Did you mean Respond by"),
        (("Wāhi", "Name"), "Say which one: --kind projects"),
        (("Due",), "What does “Due” mean?"),
        (("--undo",), "Which heading is meant?"),
        (("Due", "Name", "--undo"), "Say one thing"),
        (("Due", "--list"), "Say one thing"),
        (("***", "Description"), "has letters or digits"),
        (("Due", "--undo"), "say nothing of a heading “Due”"),
    ],
)
def test_what_cannot_be_taught_is_refused_and_nothing_is_kept(newcomer, words, said):
    done = newcomer.run("teach", *words)
    assert (done.returncode, said in done.stderr) == (2, True)
    assert not (newcomer.settings / "kawe.toml").exists()


def test_a_heading_that_the_folder_teaches_is_named_with_its_file(newcomer):
    near = newcomer.folder / "kawe.toml"
    near.write_text("[columns.projects]\nDue = 'respond_by_date'\n", "utf-8")
    done = newcomer.run("teach", "Due", "--undo")
    assert (done.returncode, f"It stands in {near}: take it out" in done.stderr) == (
        2,
        True,
    )
