"""Rows that stand on several sheets of one run."""

from dataclasses import replace

import pytest

from doubles.rows import checked_invitations, checked_projects, person, project
from kawe.domain.sheet.content import PartOfProject
from kawe.domain.sheet.findings import RowRef, Severity
from kawe.flows.check.across import mark_across


def on(sheet, checked):
    """Put checked rows on a sheet of another name."""
    rows = tuple(
        replace(
            each, row=replace(each.row, ref=RowRef(sheet=sheet, row=each.row.ref.row))
        )
        for each in checked.rows
    )
    return replace(checked, table=replace(checked.table, sheet=sheet), rows=rows)


def told(sheets):
    """Give the severity and words of each finding by its row."""
    return {
        str(row.row.ref): [(each.severity, each.message) for each in row.findings]
        for sheet in mark_across(sheets)
        for row in sheet.rows
        if row.findings
    }


@pytest.mark.parametrize(
    ("changes", "severity", "words"),
    [
        ({}, Severity.WARNING, "The same row stands at {} as well: it is done once."),
        (
            {"description": "Other words."},
            Severity.ERROR,
            "A row with the same reference at {} says something else.",
        ),
    ],
)
def test_a_row_of_two_sheets_is_told_on_both_by_whether_it_says_the_same(
    changes, severity, words
):
    roads = on("Roads", checked_projects([project(1), project(2)]))
    water = on("Water", checked_projects([project(2, **changes), project(3)]))

    assert told([roads, water]) == {
        "Roads!3": [(severity, words.format("Water!2"))],
        "Water!2": [(severity, words.format("Roads!3"))],
    }


def test_rows_of_one_sheet_and_rows_that_cannot_be_read_are_left_alone():
    twice = on("Roads", checked_projects([project(1), project(1)]))
    water = on("Water", checked_projects([project(1)]))
    broken = tuple(replace(each, content=None) for each in water.rows)

    assert told([twice, replace(water, rows=broken)]) == {}


def test_people_and_projects_are_never_the_same_row():
    roads = on("Roads", checked_projects([project(1)]))
    staff = on("Staff", checked_invitations([person(1)]))
    more = on("More", checked_invitations([person(1)]))

    assert [*told([roads, staff, more])] == ["Staff!2", "More!2"]


def test_a_row_twice_on_one_sheet_alone_is_no_matter_of_several_sheets():
    roads = on("Roads", checked_projects([project(1), project(1)]))
    assert told([roads, on("Water", checked_projects([project(2)]))]) == {}


def test_a_row_with_mistakes_on_another_sheet_is_told_of_at_once():
    roads = on("Roads", checked_projects([project(1)]))
    water = on("Water", checked_projects([project(1)]))
    partly = tuple(
        replace(
            each,
            content=None,
            partly=PartOfProject(reference="R-1"),
            take_fingerprint=None,
        )
        for each in water.rows
    )
    words = "A row with the same reference at {} says something else."

    assert told([roads, replace(water, rows=partly)]) == {
        "Roads!2": [(Severity.ERROR, words.format("Water!2"))],
        "Water!2": [(Severity.ERROR, words.format("Roads!2"))],
    }
