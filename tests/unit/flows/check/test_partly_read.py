"""A row with a mistake takes part in every check that its other cells allow."""

import asyncio
from collections import Counter

import pytest

from doubles.machine import quiet_tools
from doubles.memory_scene import MemoryScene
from doubles.rows import checked_projects
from doubles.service import MemoryService
from doubles.sheets import (
    PLAN_PDF,
    TWO_IWI,
    NamedFiles,
    check_context,
    project_row,
    table,
)
from kawe.domain.service.service_words import IwiAnswer
from kawe.domain.sheet.findings import Severity
from kawe.flows.check.checking import check
from kawe.flows.routing import Asker

INCOMPLETE = "contact-incomplete"
UNCLEAR = None
"""A cell of the doubles that shows something and has no value."""


class Choosing(MemoryService):
    """Lets a person choose among two iwi, or knows none."""

    __slots__ = ("choices",)

    def __init__(self, *choices):
        super().__init__()
        self.choices = choices

    async def iwi_at(self, place):
        await super().iwi_at(place)
        return IwiAnswer(choices=self.choices, can_select=True)


def mistaken(number, **changes):
    """Make a row whose contact has no role and no phone."""
    return project_row(number, contact_name="Mere", iwi=["all"]) | changes


def found(*rows, service=None, journal=None):
    asker = Asker(tools=quiet_tools(service or Choosing(*TWO_IWI)))
    context = check_context(files=NamedFiles({"plan": PLAN_PDF}))
    sheet = table(*rows)
    return asyncio.run(check(sheet, context=context, asker=asker, journal=journal))


def rules(*rows, **options):
    """Give for each row what is found beside its incomplete contact."""
    return [
        [each.rule for each in row.findings if each.rule != INCOMPLETE]
        for row in found(*rows, **options).rows
    ]


def test_all_mistakes_of_both_rows_are_named_in_one_round():
    checked = found(
        mistaken(1, contact_name=UNCLEAR),
        mistaken(1, name="Else", respond_by_date="2031-01-01", organisation="New Ltd"),
    )
    assert [[each.rule for each in row.findings] for row in checked.rows] == [
        ["row-twice"],
        [INCOMPLETE, "respond-by-after-end", "row-twice", "organisation-new"],
    ]
    assert [row.is_valid for row in checked.rows] == [False, False]


@pytest.mark.parametrize(
    ("one", "other", "rule"),
    [
        ({"reference": "R 2"}, {"name": "Else"}, "reference-near"),
        ({"reference": "R-9"}, {"name": "Culvert 1"}, "row-twice"),
        ({"start_date": "2030-03-02"}, {"name": "Culvert 1"}, "name-repeated"),
        ({"files": ["plan"]}, {"files": ["plan"]}, "file-on-several-rows"),
    ],
    ids=lambda each: each if isinstance(each, str) else "",
)
def test_rows_are_compared_whatever_else_is_wrong_with_one_of_them(one, other, rule):
    right = project_row(1, iwi=["all"], contact_name=UNCLEAR, files=UNCLEAR)
    assert rules(right | one, {**mistaken(2), **other}) == [[rule]] * 2


@pytest.mark.parametrize(
    ("changes", "rule"),
    [
        ({"iwi": []}, "iwi-needed"),
        ({"iwi": ["Kore"]}, "iwi-unknown"),
        ({"organisation": "New Ltd"}, "organisation-new"),
        ({"respond_by_date": "2030-03-30"}, "respond-by-day-off"),
        ({"respond_by_date": "2031-03-31"}, "respond-by-after-end"),
        ({"start_date": "2031-03-31"}, "start-after-end"),
        ({"end_date": UNCLEAR, "respond_by_date": "2020-03-02"}, "date-past"),
    ],
    ids=lambda each: each if isinstance(each, str) else "",
)
def test_a_row_is_asked_about_whatever_else_is_wrong_with_it(changes, rule):
    assert rules(mistaken(1, **changes)) == [[rule]]


def test_a_place_that_no_iwi_answers_for_is_named_with_the_other_mistakes():
    assert rules(mistaken(1), service=Choosing()) == [["place-without-iwi"]]


def test_a_row_that_is_to_be_sent_and_has_no_place_is_told_so_as_well():
    row = mistaken(1)
    del row["latitude"], row["longitude"]
    assert rules(row) == [["place-needed"]]


@pytest.mark.parametrize(
    "changes",
    [
        {"iwi": UNCLEAR},
        {"start_date": UNCLEAR},
        {"end_date": UNCLEAR, "respond_by_date": "2030-05-01"},
        {"organisation": "New Ltd", "organisation_address": UNCLEAR}
        | {"organisation_latitude": -41.0, "organisation_longitude": 174.0},
        {"contact_role": UNCLEAR, "contact_phone": UNCLEAR},
    ],
    ids=", ".join,
)
def test_nothing_is_said_of_what_cannot_be_read(changes):
    assert rules(mistaken(1, **changes)) == [[]]


def test_an_organisation_whose_place_is_not_understood_is_not_called_without_one():
    place = {"organisation_latitude": "north", "organisation_longitude": "east"}
    row = mistaken(1, organisation="New Ltd", organisation_address="1 Quay", **place)
    assert rules(row) == [["odd"]]


@pytest.mark.parametrize(
    "changes",
    [{"reference": UNCLEAR}, {"latitude": "north", "reference": "R-9"}],
    ids=["without a reference that can be read", "without a place"],
)
def test_rows_that_may_be_two_are_not_called_one(changes):
    rows = [mistaken(1), mistaken(1, **changes, start_date="2030-03-02")]
    assert "row-twice" not in {rule for row in rules(*rows) for rule in row}


def test_a_row_whose_send_cannot_be_read_may_have_to_be_sent():
    (row,) = found(mistaken(1, send=UNCLEAR, iwi=[])).rows
    assert [(each.rule, each.severity) for each in row.findings[1:]] == [
        ("iwi-needed", Severity.ERROR)
    ]


def test_the_iwi_of_a_row_with_a_mistake_are_known():
    (row,) = found(mistaken(1)).rows
    assert (row.is_valid, row.goes_to) == (False, TWO_IWI)


def test_a_row_with_a_mistake_that_looks_like_one_that_was_sent_is_told_so():
    scene = MemoryScene()
    first = found(project_row(1, iwi=["all"], reference=UNCLEAR)).rows[0].content
    scene.submit(checked_projects([first]))
    edited = mistaken(1, reference=UNCLEAR, end_date="2030-10-30")
    spoilt = mistaken(1, reference=UNCLEAR, end_date=UNCLEAR)
    looks = [
        rules(row, service=scene.service, journal=scene.journal)
        for row in (edited, spoilt, mistaken(2, start_date=UNCLEAR))
    ]
    assert looks == [[["likely-repeat"]], [["likely-repeat"]], [[]]]


def test_a_sheet_is_asked_about_once_for_rows_with_mistakes_as_for_others():
    service = Choosing(*TWO_IWI)
    found(mistaken(1), project_row(2, iwi=["all"]), service=service)
    assert service.calls == Counter({"iwi_at": 1})
