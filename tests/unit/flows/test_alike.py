"""New rows that look like one whose project is with the service already."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from doubles.memory_scene import MemoryScene
from doubles.rows import checked_projects, project
from kawe.domain.findings import Severity
from kawe.domain.states import State
from kawe.flows.alike import mark_alike

RENAMED = project(1, reference=None, name="Another name")


def _marked(scene, *contents, accepts=False):
    """Give rule, severity and message of what is found, by the number of the row."""
    rows = checked_projects(list(contents)).rows

    async def go():
        known = await scene.journal.known(each.key for each in rows)
        return await mark_alike(
            rows, known=known, journal=scene.journal, accepts=accepts
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
    (entry,) = asyncio.run(_entries(scene))

    async def give_up():
        for state in (State.HELD, State.ABANDONED):
            await scene.journal.move(entry.key, state, at=entry.moved_at)

    asyncio.run(give_up())
    assert _marked(scene, RENAMED) == {}


async def _entries(scene):
    (batch,) = await scene.journal.batches()
    return await scene.journal.entries(batch.name)
