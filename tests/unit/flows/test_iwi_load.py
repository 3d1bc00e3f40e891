"""How many projects go to each iwi, whoever chooses them."""

import asyncio
from dataclasses import replace

import pytest

from doubles.machine import quiet_tools
from doubles.service import MemoryService
from doubles.sheets import check_context, finding, project_row, table
from kawe.domain.batch.sending import NO_LOAD
from kawe.domain.service.service_words import IwiAnswer, IwiChoice
from kawe.domain.sheet.findings import RowRef
from kawe.flows.check.checking import check
from kawe.flows.routing import Asker

RAKI = IwiChoice(slug="raki", name="Raki")
TONGA = IwiChoice(slug="tonga", name="Tonga")


class ByLatitude(MemoryService):
    """Routes the north by itself and lets people choose in the south."""

    async def iwi_at(self, place):
        """Answer for one place."""
        await super().iwi_at(place)
        if place.latitude > -37:
            return IwiAnswer(choices=(RAKI,), can_select=False)
        return IwiAnswer(choices=(RAKI, TONGA), can_select=True)


def _load(*rows):
    asker = Asker(tools=quiet_tools(ByLatitude()))
    return asyncio.run(
        check(table(*rows), context=check_context(), asker=asker)
    ).iwi_load


NORTH = {"latitude": -36.85}
SOUTH = {"latitude": -44.0}


@pytest.mark.parametrize(
    ("rows", "shares"),
    [
        ([NORTH], [("raki", 1)]),
        ([NORTH, SOUTH | {"iwi": ["Tonga"]}], [("raki", 1), ("tonga", 1)]),
        ([NORTH, SOUTH | {"iwi": ["all"]}], [("raki", 2), ("tonga", 1)]),
        # Named, and yet the service routes by itself.
        ([NORTH | {"iwi": ["Tonga"]}], [("raki", 1)]),
        ([NORTH | {"send": False}], []),
        # Refused: nobody was named where somebody must be.
        ([SOUTH], []),
    ],
)
def test_the_load_counts_what_would_be_sent(rows, shares):
    numbered = [
        project_row(number, name=f"Culvert {number}", **changes)
        for number, changes in enumerate(rows)
    ]
    assert [(each.slug, each.projects) for each in _load(*numbered).shares] == shares


def test_without_the_service_no_load_is_known():
    checked = asyncio.run(
        check(table(project_row(1)), context=check_context(), asker=None)
    )
    assert checked.iwi_load == NO_LOAD


def test_a_draft_without_a_place_burdens_nobody():
    nowhere = project_row(1, send=False)
    del nowhere["latitude"], nowhere["longitude"]
    assert _load(nowhere) == NO_LOAD


def test_of_a_sheet_that_is_wrong_as_a_whole_nothing_goes_to_any_iwi():
    wrong = finding(
        RowRef(sheet="Projects", row=1),
        rule="heading-twice",
        message="Two columns mean the same.",
    )
    asker = Asker(tools=quiet_tools(ByLatitude()))
    sheet = replace(table(project_row(1)), findings=(wrong,))
    found = asyncio.run(check(sheet, context=check_context(), asker=asker))
    assert (found.refuses_all, found.iwi_load) == (True, NO_LOAD)
    assert [row.is_valid for row in found.rows] == [False]
