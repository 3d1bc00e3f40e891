"""A row that was edited after its draft, and after its send, at the command line."""

from doubles.at_the_twin import projects_of
from doubles.command import csv_row, write_csv

YES = ("--yes", "9", "--no-input")


def _write(person, words):
    write_csv(person.folder / "monthly.csv", [csv_row(1, Description=words)])


def _project(person):
    listed = projects_of(person.twin.address)
    (project,) = person.state()["projects"]
    return listed[0]["description"], project["sends"]


def test_an_edit_is_held_with_the_option_named_and_brought_to_the_draft_with_it(person):
    _write(person, "One culvert.")
    person.run("submit", "monthly.csv", "--drafts-only", "--no-input")
    _write(person, "Two culverts.")
    held = person.run("submit", "monthly.csv", *YES)
    told = "submit with --update-drafts to change the draft too" in held.stdout
    assert (held.returncode, told, _project(person)[1]) == (4, True, 0)

    done = person.run("submit", "monthly.csv", "--update-drafts", *YES)
    assert (done.returncode, "1 draft to change" in done.stdout) == (0, True)
    assert _project(person) == ("Two culverts.", 1)

    _write(person, "Three culverts.")
    (row,) = person.document("submit", "monthly.csv", "--update-drafts", *YES)["rows"]
    (finding,) = row["findings"]
    assert (row["outcome"], finding["where"], finding["severity"]) == (
        "sent",
        f"{row['sheet']}!C2",
        "error",
    )
    assert finding["message"] == (
        "This row was already sent as Ōtāhuhu culvert 1 (R-1); the edit is not applied."
    )
    assert _project(person) == ("Two culverts.", 1)
