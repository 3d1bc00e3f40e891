"""What became of a row is answered over all batches, by what a person remembers."""

import pytest

from doubles.command import csv_row, write_csv


@pytest.fixture
def person(person_with):
    person = person_with(tokens=3)
    write_csv(person.folder / "october.csv", [csv_row(n) for n in range(2)])
    write_csv(person.folder / "november.csv", [csv_row(n) for n in range(2, 4)])
    person.run("submit", "october.csv", "--send", "--yes", "2")
    person.run("submit", "november.csv", "--send", "--yes", "2")
    return person


def _found(person, words):
    document = person.document("status", words)
    found = [(each["reference"], each["batch"]) for each in document["rows"]]
    return document["exit_code"], found


def test_a_reference_is_found_in_any_batch(person):
    assert _found(person, "R-0") == (0, [("R-0", "october")])
    for said in ("r-2", "r2", "R 2"):
        assert _found(person, said) == (0, [("R-2", "november")])


def test_a_reference_hides_no_row_that_is_called_so_or_in_other_letters(person):
    rows = [
        csv_row(9, Reference=told, Name=name, Description=f"A {name}.", Latitude=south)
        for told, name, south in (
            ("r-0", "Pūpū weir", "-36.9"),
            ("Q-1", "R-0", "-37.5"),
        )
    ]
    write_csv(person.folder / "may.csv", rows)
    person.run("submit", "may.csv", "--drafts-only")
    found = [("R-0", "october"), ("r-0", "may"), ("Q-1", "may")]
    assert _found(person, "R-0")[1] == found
    for macrons_or_none in ("PUPU  wēir", "pūpū", "upŪ-we"):
        assert _found(person, macrons_or_none)[1] == found[1:2]


def test_a_row_that_waits_is_found_with_the_code_of_rows_that_wait(person):
    assert _found(person, "R-3") == (4, [("R-3", "november")])


def test_a_row_is_found_by_its_number_in_every_batch(person):
    both = [("R-1", "october"), ("R-3", "november")]
    assert _found(person, "row 3") == (4, both)


def test_a_row_is_found_by_part_of_its_name(person):
    (name,) = {each["name"] for each in person.document("status", "R-1")["rows"]}
    assert _found(person, name) == (0, [("R-1", "october")])


def test_what_was_done_with_a_project_is_found_however_it_was_named(person):
    (row,) = person.document("status", "R-1")["rows"]
    said = [row["name"], row["project_id"]]
    for named in said:
        (person.folder / "closures.csv").write_text(f"Project,Do\n{named},close\n")
        person.run("submit", "closures.csv", "--yes", "1")
    found = zip(said, ("closures", "closures-2"), strict=True)
    assert _found(person, "R-1") == (0, [("R-1", "october"), *found])
    assert _found(person, "R-0") == (0, [("R-0", "october")])
    for _ in range(2):
        told = person.run("status", "R-1").stdout.splitlines()
        assert "    Project “open” → “closed”." in told
        # Whoever submits it once more has nothing to do, and learns no less.
        (person.folder / "closures.csv").write_text(f"Project,Do\n{said[0]},close\n")
        person.run("submit", "closures.csv", "--yes", "1")


def test_a_row_is_found_by_its_receipt(person):
    (row,) = person.document("status", "R-1")["rows"]
    assert row["receipt_number"]
    for said in (row["receipt_number"], f"receipt {row['receipt_number']}"):
        assert _found(person, said) == (0, [("R-1", "october")])


def test_the_answer_says_when_where_to_and_from_which_workbook(person):
    said = person.run("status", "R-0").stdout.splitlines()
    (row,) = person.document("status", "R-0")["rows"]
    assert said[0].startswith(f"R-0 {row['name']}: sent, ")
    assert said[1:] == [
        f"    {row['sheet']}!2 of batch october, {person.folder / 'october.csv'}",
        f"    to {', '.join(row['iwi'])}",
        f"    receipt {row['receipt_number']}",
        f"    {row['link']}",
    ]


@pytest.mark.parametrize(
    ("words", "more"),
    [
        ("XX-9", ""),
        # No sheet has so many rows: it may be the number of a receipt.
        ("20260017", ""),
        ("17", " Of a name, type 3 letters or more. A row of the sheet is “row 17”."),
    ],
)
def test_what_is_nowhere_is_named_with_the_batches(person, words, more):
    done = person.run("status", words)
    assert done.returncode == 2
    assert done.stderr == (
        f"kawe: No batch, reference, name, receipt or row of this journal is “{words}”."
        f"{more} Batches are: october, november.\n"
    )
