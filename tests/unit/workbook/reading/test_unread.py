"""Columns that were not read: each is named, with what it may be."""

from __future__ import annotations

from datetime import date

import pytest

from kawe.domain.sheet.findings import Severity
from kawe.domain.sheet.refs import RowRef
from kawe.domain.text.texts import fold
from kawe.kinds.invitations import INVITATIONS
from kawe.kinds.projects import PROJECTS
from kawe.schemas.catalog import load_columns
from kawe.workbook.own_words import HEADINGS
from kawe.workbook.reading.grids import Grid, GridFacts
from kawe.workbook.reading.headings import Recogniser
from kawe.workbook.reading.sheets import Body
from kawe.workbook.reading.unread import findings_of, unread_columns

COLUMNS = {kind: load_columns(kind) for kind in (PROJECTS, INVITATIONS)}
RECOGNISER = Recogniser(COLUMNS)
KNOWN = ("Name", "Type", "End date")
ROW = ("Culvert", "Earthworks", "1/9/2030")


def unread(headings, *rows, kind=PROJECTS, declined=()):
    grid = Grid(
        sheet="S", rows=list(enumerate((headings, *rows), start=1)), facts=GridFacts()
    )
    found = RECOGNISER.find(grid, kind=kind)
    assert found is not None
    columns = unread_columns(
        Body(grid=grid, headings=found),
        COLUMNS[kind],
        declined=frozenset(map(fold, declined)),
    )
    return list(columns)


def one(heading, *values, beside=()):
    rows = [(*ROW, *beside, value) for value in values]
    others = tuple(name for name in ("Send",) if beside)
    return unread((*KNOWN, *others, heading), *rows)


@pytest.mark.parametrize(
    ("heading", "value", "said"),
    [
        ("Attachement", "plan.pdf", "“Attachement” (is it Files?)"),
        ("Mesage to iwi", "Kia ora", "“Mesage to iwi” (is it Message?)"),
        ("Works start when", "1/3/2030", "“Works start when” (is it Start date?)"),
        ("Due for iwi", "1/4/2030", "“Due for iwi” (is it Respond by?)"),
        ("Officer", "Aroha", "“Officer” (is it Contact name?)"),
        ("Lodged", "2/2/2026", "“Lodged”"),
        ("", "n/a", "column D, which has no heading"),
    ],
)
def test_each_column_with_values_is_named_with_what_it_may_be(heading, value, said):
    assert [str(each) for each in one(heading, value)] == [said]


@pytest.mark.parametrize("values", [("Yes",), ("yes", "No", None), (True, False)])
def test_a_column_of_yes_and_no_may_be_the_one_that_sends(values):
    (found,) = one("Proceed?", *values)
    assert (str(found), found.may_send) == (
        "“Proceed?” (only yes and no: is it Send?)",
        True,
    )


@pytest.mark.parametrize("values", [("1", "0"), (1, 0.0), ("Yes", "perhaps")])
def test_a_column_of_numbers_or_of_other_words_is_not_taken_for_yes_and_no(values):
    (found,) = one("Proceed?", *values)
    assert (found.nearest, found.may_send) == ((), False)


def test_where_a_column_sends_already_no_other_one_is_suggested():
    (found,) = one("Proceed?", "Yes", beside=("No",))
    assert str(found) == "“Proceed?”"


def test_what_stands_below_must_fit_what_a_heading_may_be():
    # It is spelt like Starts.
    assert str(one("Status", "Open")[0]) == "“Status”"
    assert str(one("Status", date(2030, 3, 1))[0]) == "“Status” (is it Start date?)"


def test_a_heading_without_a_value_below_it_loses_nothing():
    assert one("Attachement", None, "", "  ") == []


def test_a_heading_like_one_that_was_read_names_it():
    found = unread((*KNOWN, "Documents", "Attachement"), (*ROW, "a.pdf", "b.pdf"))
    assert [(str(each), each.is_doubtful) for each in found] == [
        ("“Attachement” (like Files, which is “Documents”)", False)
    ]


def test_a_heading_that_means_what_another_means_names_that():
    found = unread((*KNOWN, "Project name"), (*ROW, "Bridge"))
    assert [str(each) for each in found] == ["“Project name” (the same as “Name”)"]


def test_a_heading_that_a_person_declined_is_named_and_not_asked_about():
    found = unread((*KNOWN, "Proceed?"), (*ROW, "Yes"), declined=["proceed"])
    assert [(str(each), each.nearest) for each in found] == [
        ("“Proceed?” (as you said)", ())
    ]


def test_values_right_of_the_last_heading_are_named_by_their_letter():
    found = unread(KNOWN, ROW, (*ROW, None, "more"))
    assert [str(each) for each in found] == ["column E, which has no heading"]


def test_columns_that_kawe_wrote_are_not_the_persons():
    assert unread((*KNOWN, *HEADINGS), (*ROW, *["x"] * len(HEADINGS))) == []


def test_a_list_of_people_is_asked_about_in_its_own_columns():
    found = unread(
        ("Name", "Role", "E-mail adress", "Phone"),
        ("A", "Member", "a@b.nz", "021"),
        kind=INVITATIONS,
    )
    assert [str(each) for each in found] == [
        "“E-mail adress” (is it Email?)",
        "“Phone”",
    ]


def test_each_column_that_may_be_one_of_kawes_is_a_warning():
    columns = [*one("Proceed?", "Yes"), *one("Attachement", "a.pdf"), *one("Lot", "x")]
    found = list(findings_of(columns, at=RowRef(sheet="S", row=1)))
    assert [(str(each.where), each.severity, each.message) for each in found] == [
        (
            "S!D1",
            Severity.WARNING,
            (
                "kawe does not know the heading “Proceed?” and ignored it. Each of its "
                "cells says yes or no."
            ),
        ),
        (
            "S!D1",
            Severity.WARNING,
            "kawe does not know the heading “Attachement” and ignored it.",
        ),
    ]
    assert found[1].advice == "If it means “Files”, rename it, or teach it: kawe teach."
