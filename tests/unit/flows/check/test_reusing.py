"""A reference that another project had before is an error, not an edit."""

import asyncio
from dataclasses import replace

import pytest

from doubles.machine import quiet_tools
from doubles.memory_scene import MemoryScene
from doubles.sheets import check_context, finding, project_row, table
from kawe.domain.service.states import State
from kawe.flows.check.checking import check
from kawe.flows.routing import Asker

BRIDGE = {"name": "Another bridge"}
OTHER = {"name": "Another bridge", "start_date": "2031-03-01"}
ANOTHER = OTHER | {"end_date": "2031-09-30"}


def checked(scene, *rows):
    asker = Asker(tools=quiet_tools(scene.service))
    sheet = table(*rows)
    sheet = replace(sheet, rows=tuple(map(as_read, sheet.rows)))
    return asyncio.run(
        check(sheet, context=check_context(), asker=asker, journal=scene.journal)
    )


def as_read(row):
    """Say of an empty cell what its reader says."""
    empty = [cell for cell in row.cells.values() if cell.value is None]
    return replace(
        row,
        findings=tuple(
            finding(
                cell.ref, rule="missing", heading=cell.heading, message="It is missing."
            )
            for cell in empty
        ),
    )


def errors(found):
    return [
        (finding.heading, finding.message)
        for row in found.rows
        for finding in row.findings
        if finding.rule == "reference-used"
    ]


def used(state):
    return f"The reference R-1 was used already, for “Culvert 1”, {state}."


SENT = used("sent on 21 November 2026")


def submitted(**changes):
    scene = MemoryScene()
    scene.submit(checked(scene, project_row(1, **changes)))
    return scene


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({}, []),
        (BRIDGE, []),
        (OTHER, []),
        ({"start_date": "2031-03-01", "end_date": "2031-09-30"}, []),
        (ANOTHER, [SENT]),
        (OTHER | {"latitude": -44.0}, [SENT]),
        # Of one that was sent, place or words are enough, whatever the dates.
        (BRIDGE | {"latitude": -44.0}, [SENT]),
        (BRIDGE | {"description": "A bridge."}, [SENT]),
        ({"name": "CULVERT  1", "description": "A bridge."}, []),
        ({"description": "A bridge.", "latitude": -44.0}, []),
        # A row with mistakes says what its cells say.
        (BRIDGE | {"respond_by_date": None, "description": "A bridge."}, [SENT]),
        (BRIDGE | {"respond_by_date": None, "latitude": -44.0}, [SENT]),
        (BRIDGE | {"latitude": "at the weir", "end_date": None}, []),
        # What cannot be read differs from nothing.
        (OTHER | {"respond_by_date": None}, []),
        (ANOTHER | {"respond_by_date": None}, [SENT]),
        (ANOTHER | {"name": None}, []),
    ],
    ids=lambda each: str(list(each)) if isinstance(each, dict) else "",
)
def test_a_reference_is_used_where_name_and_two_more_say_something_else(changes, said):
    found = checked(submitted(), project_row(1, **changes))
    assert [words for _, words in errors(found)] == said


@pytest.mark.parametrize(
    ("state", "words"),
    [
        (State.HELD, "which has a draft"),
        (State.ABANDONED, "given up on 21 November 2026"),
    ],
)
def test_a_draft_that_is_not_sent_keeps_its_reference_as_well(state, words):
    scene = submitted(send=False)
    (entry,) = scene.entries()
    for step in (State.HELD, state):
        if step is not scene.entries()[0].state:
            asyncio.run(scene.journal.move(entry.key, step, at=entry.moved_at))
    found = checked(scene, project_row(1, **ANOTHER))
    assert errors(found) == [("reference", used(words))]


def test_a_draft_may_still_be_given_another_name_and_other_words():
    scene = submitted(send=False)
    row = project_row(1, **BRIDGE, description="A bridge.")
    assert errors(checked(scene, row)) == []


def test_a_draft_is_not_given_another_name_and_another_place():
    scene = submitted(send=False)
    row = project_row(1, **BRIDGE, latitude=-44.0)
    assert errors(checked(scene, row)) == [("reference", used("which has a draft"))]


def test_a_reference_whose_row_was_never_created_is_free():
    scene = MemoryScene()
    scene.service.has_turns = False
    scene.submit(checked(scene, project_row(1)))
    assert errors(checked(scene, project_row(1, **ANOTHER))) == []


def test_another_project_has_a_batch_of_its_own_and_nothing_is_done_for_it():
    scene = submitted(send=False)
    before = scene.entries()
    run = scene.submit(checked(scene, project_row(1, **ANOTHER)), update_drafts=True)
    batches = asyncio.run(scene.journal.batches())
    lines = asyncio.run(scene.journal.lines(batches[-1].name))
    assert (scene.entries(), run.tally.updated, scene.service.calls["update"]) == (
        before,
        0,
        0,
    )
    assert ([each.name for each in batches], [each.row for each in lines]) == (
        ["monthly", "monthly-2"],
        [None],
    )
