"""New rows that look like one whose project is with the service already."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import date, timedelta

import pytest

from doubles.memory_scene import MemoryScene
from doubles.rows import checked_projects, project
from doubles.sheets import TODAY
from kawe.domain.service.places import Place
from kawe.domain.service.states import State
from kawe.domain.service.verdicts import Unknown
from kawe.domain.sheet.findings import Severity
from kawe.errors import ServiceUnreachable
from kawe.kinds.projects.alike import mark_alike

RENAMED = project(1, reference=None, name="Another name")


def _marked(scene, *contents, accepts=False, today=TODAY):
    """Give rule, severity and message of what is found, by the number of the row."""
    rows = checked_projects(list(contents)).rows

    async def go():
        known = await scene.journal.known(each.key for each in rows)
        return await mark_alike(
            rows, known=known, journal=scene.journal, accepts=accepts, today=today
        )

    return {
        row.row.ref.row: [(each.rule, each.severity) for each in row.findings]
        for row in asyncio.run(go())
        if row.findings
    }


def _scene(*contents):
    scene = MemoryScene()
    scene.submit(checked_projects(list(contents)))
    return scene


@pytest.mark.parametrize(
    ("send", "rule"), [(True, "looks-sent"), (False, "looks-drafted")]
)
def test_a_new_row_like_one_that_has_a_project_is_refused(send, rule):
    scene = _scene(project(1, send=send))
    assert _marked(scene, replace(RENAMED, send=send)) == {2: [(rule, Severity.ERROR)]}


def test_what_a_person_agreed_to_is_only_warned_of():
    scene = _scene(project(1))
    found = _marked(scene, RENAMED, accepts=True)
    assert found == {2: [("looks-sent", Severity.WARNING)]}


def test_a_row_that_is_in_the_workbook_still_stands_in_nobodys_way():
    scene = _scene(project(1))
    assert _marked(scene, project(1), RENAMED) == {}


def test_a_row_whose_draft_is_there_goes_on_as_it_did():
    scene = _scene(project(1), replace(RENAMED, reference="R-2"))
    assert _marked(scene, replace(RENAMED, reference="R-2")) == {}


def test_a_draft_that_a_person_gave_up_stands_in_nobodys_way():
    scene = _scene(project(1, send=False))
    asyncio.run(_give_up(scene))
    assert _marked(scene, RENAMED) == {}


def _programme(count, *, first=1, **changes):
    """Give rows without references, each at a place of its own."""
    return [
        project(
            number,
            **{"reference": None, "place": _place(number), **changes},
        )
        for number in range(first, first + count)
    ]


def _place(number):
    return Place(latitude=-36.0 - number / 100, longitude=174.76)


def _later(rows, days):
    gap = timedelta(days=days)
    return [
        replace(
            row,
            start_on=row.start_on + gap,
            end_on=row.end_on + gap,
            respond_by_on=row.respond_by_on + gap,
        )
        for row in rows
    ]


def _each(rows, **changes):
    """Change every row; what is a function is given the row."""
    return [
        replace(row, **{k: v(row) if callable(v) else v for k, v in changes.items()})
        for row in rows
    ]


ERROR = [("looks-sent", Severity.ERROR)]
OTHER = {"description": "It is strengthened."}
RENUMBERED = {"reference": lambda row: f"KDC-{row.name[8:10].strip()}"}
RENAMED_ALL = {"name": lambda row: f"Stormwater {row.name}"}
MOVED = {"place": lambda row: Place(latitude=row.place.latitude, longitude=174.9)}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (_programme(12), _later(_programme(12), 31)),
        (_programme(12), _later(_each(_programme(12), **RENUMBERED, **OTHER), 31)),
        (_programme(12), _each(_programme(12), **RENAMED_ALL, **OTHER)),
        (
            _each(_programme(12), **RENUMBERED),
            _each(_programme(12), reference=lambda row: f"X-{row.name}", **OTHER),
        ),
        (_programme(12), _later(_each(_programme(12), **MOVED), 31)),
        (
            _programme(12),
            [*_later(_programme(8), 31), *_each(_programme(4, first=9), **RENAMED_ALL)],
        ),
        (_programme(1), _later(_programme(1), 31)),
    ],
    ids=[
        "slips by a month",
        "slips and is numbered",
        "name and description",
        "numbered anew and other words",
        "slips and is moved",
        "some slip and some are renamed",
        "the only row slips",
    ],
)
def test_a_batch_that_is_changed_as_a_whole_is_asked_about(before, after):
    scene = _scene(*before)
    numbers = range(2, 2 + len(after))
    assert _marked(scene, *after) == dict.fromkeys(numbers, ERROR)
    # So is the half of it that was changed.
    half = len(before) // 2
    found = _marked(scene, *before[:half], *after[half:])
    assert found == dict.fromkeys(range(2 + half, 2 + len(after)), ERROR)


def test_what_goes_on_every_year_is_asked_about_within_its_season_alone():
    scene = _scene(*_programme(12))
    again = [
        (days, len(_marked(scene, *_later(_programme(12), days), today=today)))
        for days, today in (
            (119, date(2030, 5, 1)),
            (120, date(2030, 5, 1)),
            # Nobody has had the time to answer.
            (299, date(2030, 4, 1)),
            (300, date(2030, 4, 1)),
            (365, TODAY),
        )
    ]
    assert again == [(119, 12), (120, 0), (299, 12), (300, 0), (365, 0)]


SAME_NAME = {"name": "Culvert renewal"}
FIFTY = _each(_programme(50), **SAME_NAME)
ALL_NUMBERED = {"reference": lambda row: f"R-{row.place.latitude}"}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (FIFTY, [*FIFTY[:49], *_each(_programme(1, first=99), **SAME_NAME, **OTHER)]),
        (FIFTY, _later(_each(_programme(50, first=60), **SAME_NAME), 31)),
        (
            _each(FIFTY, **ALL_NUMBERED, place=_place(1)),
            _later(_each(FIFTY[:10], reference=lambda r: f"D{r.place}"), 31),
        ),
        # December at November's places.
        (_programme(12), _later(_each(_programme(12), **RENAMED_ALL, **OTHER), 31)),
        (
            _each(_programme(12), **ALL_NUMBERED),
            _each(_programme(12), **RENUMBERED, **RENAMED_ALL, **OTHER),
        ),
        # One that goes on from month to month, among others that are new.
        (
            _programme(12),
            _later([*_programme(1), *_programme(11, first=30)], 31),
        ),
        (_programme(2), _each(_programme(2), **RENAMED_ALL, **OTHER)),
    ],
    ids=[
        "one of fifty with one name",
        "fifty others with that name",
        "a site with many works",
        "other works at the same places",
        "other works with references of their own",
        "one that goes on",
        "two new ones at the places of two",
    ],
)
def test_other_projects_are_not_asked_about(before, after):
    assert _marked(_scene(*before), *after) == {}


def test_a_row_that_slips_among_rows_that_are_known_is_asked_about():
    known = _programme(11, first=30)
    scene = _scene(*_programme(12))
    scene.service.script = {"projects": [ServiceUnreachable(message="Down.")]}
    scene.submit(checked_projects(known))
    assert _marked(scene, *_later(_programme(1), 31), *known) == {2: ERROR}


def test_of_two_with_one_name_and_place_the_one_of_the_season_is_asked_about():
    slipped, next_year = (_later(_programme(1), days) for days in (31, 365))
    scene = _scene(*_programme(1))
    assert _marked(scene, *next_year, *slipped) == {3: ERROR}


def test_a_batch_of_drafts_that_were_given_up_stands_in_nobodys_way():
    scene = _scene(*_programme(1, send=False))
    asyncio.run(_give_up(scene))
    assert _marked(scene, *_later(_programme(1), 31)) == {}


def test_a_reference_typed_in_another_way_tells_nothing_of_a_group():
    scene = _scene(*_programme(2, reference="R-1")[:1])
    other = _later(_each(_programme(1, first=9), reference="r 1", **OTHER), 31)
    assert _marked(scene, *other) == {2: ERROR}


def test_what_stays_in_the_workbook_tells_nothing_of_what_is_new():
    staying = _programme(12, place=_place(1))
    new = _each(_later(staying[:1], 31), name=staying[1].name)
    assert _marked(_scene(*staying), *staying[1:], *new) == {}


def test_of_a_group_its_rows_and_what_was_changed_are_named():
    scene = _scene(*_each(_programme(2), **ALL_NUMBERED))
    after = _later(_each(_programme(2), **RENUMBERED), 31)
    rows = checked_projects(after).rows

    async def go():
        known = await scene.journal.known(each.key for each in rows)
        return await mark_alike(
            rows, known=known, journal=scene.journal, accepts=False, today=TODAY
        )

    (finding,) = asyncio.run(go())[0].findings
    assert (finding.message, finding.advice) == (
        (
            "This looks like R--36.01, which was sent on 21 November 2026 and is not "
            "in this workbook any more: it would become a second project. 1 more row "
            "looks like this."
        ),
        (
            "If it is the same project, write R--36.01 in Reference again (Start date, "
            "End date, Respond by changed as well); if it is another project, submit "
            "with --accept alike."
        ),
    )


async def _give_up(scene):
    (entry,) = await _entries(scene)
    for state in (State.HELD, State.ABANDONED):
        await scene.journal.move(entry.key, state, at=entry.moved_at)


async def _entries(scene):
    (batch,) = await scene.journal.batches()
    return await scene.journal.entries(batch.name)


def test_a_new_row_like_one_whose_send_is_in_doubt_is_refused_as_sent():
    scene = MemoryScene()
    scene.service.script = {"send": [Unknown(detail="lost", stops_run=True)]}
    scene.submit(checked_projects([project(1)]))
    assert [each.state for each in scene.entries()] == [State.SEND_DOUBT]
    assert _marked(scene, RENAMED) == {2: ERROR}
