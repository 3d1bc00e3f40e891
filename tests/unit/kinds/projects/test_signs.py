"""By which signs a row is taken for another one."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from doubles.rows import project
from kawe.domain.rows.identity import project_key
from kawe.domain.service.places import Place
from kawe.domain.sheet.content import PartOfProject
from kawe.journal.forgetting import emptied
from kawe.kinds.projects import PROJECTS
from kawe.kinds.projects.signs import (
    halves_of,
    is_same_season,
    signs_of,
    signs_sought,
    to_put_back,
)

BARE = project(1, reference=None)
ELSEWHERE = Place(latitude=-36.851, longitude=174.76)
NO_PLACE = replace(BARE, place=None)


def _alike(made, new):
    sought = signs_sought(project_key(new), new)
    return not set(signs_of(project_key(made), made)).isdisjoint(sought)


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"reference": "R-1"},
        {"name": "Another name"},
        {"description": "Other words."},
        {"start_on": date(2030, 3, 2)},
        {"end_on": date(2030, 9, 1)},
        {"respond_by_on": date(2030, 4, 2)},
        {"place": ELSEWHERE},
        {"name": "CULVERT 1 at Mangere", "place": ELSEWHERE},
    ],
    ids=str,
)
def test_rows_that_differ_in_one_of_six_at_most_are_alike(changes):
    now = replace(BARE, **changes)
    assert (_alike(BARE, now), _alike(now, BARE)) == (True, True)


def test_rows_with_a_reference_each_are_alike_where_no_more_than_the_words_differ():
    before = project(1, reference="R-1")
    found = {
        field: _alike(before, replace(before, reference="MINE-3", **{field: value}))
        for field, value in (
            ("name", before.name),
            ("description", "Two culverts."),
            ("place", ELSEWHERE),
            ("end_on", date(2030, 9, 1)),
        )
    }
    renamed = _alike(before, replace(before, reference="MINE-3", name="Another name"))
    assert (found, renamed) == (
        {"name": True, "description": True, "place": False, "end_on": False},
        False,
    )


@pytest.mark.parametrize(
    "changes",
    [
        {"name": "Another name", "place": ELSEWHERE},
        {"start_on": date(2030, 3, 2), "end_on": date(2030, 9, 1)},
    ],
    ids=str,
)
def test_rows_that_differ_in_two_of_six_are_not_alike(changes):
    assert not _alike(BARE, replace(BARE, **changes))


@pytest.mark.parametrize(
    ("one", "other"),
    [("R-05", "r-05"), ("R-07", "R\u201107"), ("007", "7"), ("00012", "12")],
)
def test_rows_with_one_reference_typed_in_two_ways_are_alike(one, other):
    before = project(1, reference=one)
    after = project(2, reference=other, place=ELSEWHERE, description="Other words.")
    assert _alike(before, after)


def _emptied(content):
    return emptied(content, kept=PROJECTS.kept_fields)


def test_a_purged_row_is_known_by_its_reference_alone():
    gone = _emptied(BARE)
    bare = set(signs_of(project_key(BARE), gone))
    kept = set(signs_of(project_key(project(1)), _emptied(project(1))))
    assert (bare, len(kept)) == (set(), 1)


def test_what_a_row_must_say_again_is_named_by_its_heading():
    now = replace(BARE, reference="R-1", name="Other", end_on=date(2030, 9, 1))
    elsewhere = replace(NO_PLACE, address="2 Coronation Road")
    assert (to_put_back(BARE, now), to_put_back(NO_PLACE, elsewhere)) == (
        {
            "Name": "Culvert 1 at Māngere",
            "End date": "30 September 2030",
            "Reference": "",
        },
        {"place": "1 Coronation Road, Māngere"},
    )


def test_a_row_of_which_nothing_could_be_read_has_no_sign_and_no_season():
    nothing = PartOfProject()
    assert (
        list(halves_of(nothing)),
        is_same_season(BARE, nothing, today=date(2026, 11, 21)),
    ) == ([], False)
