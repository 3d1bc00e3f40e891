"""Which row holds the headings, and what each of them means."""

import pytest

from kawe.domain.sheet.findings import RowRef, Severity
from kawe.domain.sheet.tables import NO_COLUMNS
from kawe.kinds.invitations import INVITATIONS
from kawe.kinds.projects import PROJECTS
from kawe.workbook.own_words import HEADINGS
from kawe.workbook.reading.headings import Grid, Recogniser
from unit.workbook.books import COLUMNS

RECOGNISER = Recogniser(COLUMNS)
AT = RowRef(sheet="Projects", row=1)


def grid(*rows: tuple[int, tuple[object, ...]]) -> Grid:
    return Grid(sheet="Projects", rows=list(rows))


def read(*texts: str):
    found = RECOGNISER.find(grid((1, texts)), kind=PROJECTS)
    assert found is not None
    return found


def meanings(*texts: str) -> list[str | None]:
    return [each.means.field if each.means else None for each in read(*texts).headings]


@pytest.mark.parametrize(
    "text",
    [
        "Start date",
        "START_DATE",
        "start-date*",
        "Start date (dd/mm/yyyy)",
        "Start date\n[required]",
        "  Start  Date: ",
        "Start",
    ],
)
def test_a_heading_is_known_whatever_its_dress(text):
    assert meanings("Name", text) == ["name", "start_date"]


def test_a_heading_that_is_only_like_one_is_suggested_and_not_taken():
    found = read("Name", "Type", "Statr date")

    assert [each.means is None for each in found.headings] == [False, False, True]


def test_a_missing_heading_is_an_error_that_names_the_nearest():
    found = read("Name", "Type", "Statr date")

    error, *_ = RECOGNISER.findings(found, NO_COLUMNS, at=AT)

    assert (error.severity, error.rule) == (Severity.ERROR, "heading-missing")
    assert error.message == (
        "The sheet has no column “Start date”. The nearest heading in row 1 is "
        "“Statr date”."
    )


def test_two_headings_of_one_meaning_are_an_error():
    found = read("Name", "Type", "Start", "Project name")

    errors = [*RECOGNISER.findings(found, NO_COLUMNS, at=AT)]

    assert [each.rule for each in errors] == ["heading-twice"]
    assert "Columns A and D" in errors[0].message


def test_the_row_with_the_most_known_headings_wins():
    rows = grid(
        (1, ("Name of this workbook", None)),
        (3, ("Name", "Type")),
        (4, ("Name", "Type", "Start date")),
        (5, ("Name", "Type", "Start date")),
    )

    found = RECOGNISER.find(rows, kind=PROJECTS)

    assert found is not None
    assert found.row == 4


def test_one_known_word_is_no_heading_row():
    assert RECOGNISER.find(grid((1, ("Name",))), kind=PROJECTS) is None


def test_the_kind_whose_required_headings_are_there_wins():
    found = RECOGNISER.best(grid((1, ("Name", "Email", "Role"))), kinds=COLUMNS)

    assert found is not None
    assert found.kind is INVITATIONS


def test_headings_that_kawe_added_are_left_out():
    found = read("Name", "Type", "Notes", *HEADINGS)

    assert [each.text for each in found.headings] == ["Name", "Type", "Notes"]


def test_a_column_left_of_kawes_stays_the_persons_whatever_its_heading():
    theirs = ("Name", "Email", "Role", "Link", "Invitation status")
    own = ("Outcome", "What to do", "Invitation status (kawe)", "Time")
    results = [(*theirs, *own), (*theirs, *own[:2], own[3])]

    found = [
        RECOGNISER.find(grid((1, texts)), kind=INVITATIONS).headings
        for texts in results
    ]

    assert [tuple(each.text for each in one) for one in found] == [theirs] * 2


def test_where_the_person_has_a_link_column_only_kawes_is_left_out():
    own = ["Outcome", "What to do", "Project id", "Link (kawe)", "Receipt number"]

    found = read("Name", "Type", "Link", *own)

    assert [each.text for each in found.headings] == ["Name", "Type", "Link"]


def test_a_few_words_that_kawe_uses_too_are_the_persons_own():

    assert len(read("Name", "Type", "Outcome", "Time", "Link").headings) == 5
