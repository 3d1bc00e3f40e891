"""Whether a project at the service is the one that a row asked for."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from doubles.journal_values import NOW, content, project_id
from kawe.domain.rows.edits import content_of_draft, differences, unlike
from kawe.domain.service.service_words import Project
from kawe_places.values import Place

ROW = content(1, place=Place(latitude=-40.75, longitude=175.15))
SAME = Project(
    id=project_id(1),
    name=ROW.name,
    reference="R-1",
    status="DRAFT",
    description=ROW.description,
    type=ROW.type,
    created_at=NOW,
    start_at=datetime(2027, 2, 1, tzinfo=UTC),
    end_at=datetime(2027, 5, 1, tzinfo=UTC),
    respond_by_at=datetime(2027, 1, 20, tzinfo=UTC),
    place=Place(latitude=-40.75, longitude=175.15),
)


def test_what_a_row_asked_for_does_not_differ():
    assert differences(ROW, SAME) == ()


def test_what_differs_is_said_from_what_to_what():
    other = replace(
        SAME,
        description="Other",
        type="OTHER",
        respond_by_at=None,
        end_at=datetime(2027, 5, 2, tzinfo=UTC),
        place=Place(latitude=-40.76, longitude=175.15),
    )
    assert unlike(ROW, other) == (
        ("description", "Other", ROW.description),
        ("end date", "2 May 2027", "1 May 2027"),
        ("respond by", "nothing", "20 January 2027"),
        ("place", "-40.76, 175.15", "-40.75, 175.15"),
    )


@pytest.mark.parametrize(
    "at",
    [
        # 1 February in Auckland begins at 11:00 UTC on 31 January.
        datetime(2027, 1, 31, 11, tzinfo=UTC),
        datetime(2027, 2, 1, 23, 59, tzinfo=UTC),
    ],
)
def test_a_day_is_the_same_in_utc_or_in_auckland(at):
    assert differences(ROW, replace(SAME, start_at=at)) == ()


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"reference": None}, "reference"),
        ({"reference": "R-10"}, "reference"),
        ({"name": "Other"}, "name"),
        ({"description": "Other"}, "description"),
        ({"type": "OTHER"}, "type"),
        ({"start_at": None}, "start date"),
        ({"start_at": datetime(2027, 1, 31, 10, tzinfo=UTC)}, "start date"),
        ({"end_at": datetime(2027, 5, 2, tzinfo=UTC)}, "end date"),
        ({"respond_by_at": None}, "respond by"),
        ({"place": None}, "place"),
        ({"place": Place(latitude=-40.76, longitude=175.15)}, "place"),
        ({"place": Place(latitude=-40.75, longitude=175.16)}, "place"),
    ],
)
def test_each_difference_is_named(change, named):
    assert differences(ROW, replace(SAME, **change)) == (named,)


def test_a_row_without_a_place_takes_whatever_place_the_service_chose():
    assert differences(replace(ROW, place=None), SAME) == ()


def test_line_ends_and_spaces_that_the_service_changed_do_not_differ():
    row = replace(ROW, description="One.\nTwo.")
    assert differences(row, replace(SAME, description="One. \r\nTwo.")) == ()


def test_what_a_draft_says_is_taken_where_it_is_something_else():
    row = replace(ROW, description="One.\nTwo.")
    same = replace(SAME, description="One. \r\nTwo.")
    there = Place(latitude=-40.76, longitude=175.15)
    other = replace(same, name="Another", place=there, reference=None)
    assert (content_of_draft(row, same), content_of_draft(row, other)) == (
        row,
        replace(row, name="Another", place=there),
    )


def test_a_day_that_a_draft_does_not_have_stays_the_row_s():
    assert content_of_draft(ROW, replace(SAME, start_at=None)) == ROW
