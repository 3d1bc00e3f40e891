"""The named points are where their names say: journal and twin, moment by moment."""

import asyncio
import os

import pytest

from faults.kills.nursery import Kill, Nursery
from faults.kills.stand import open_stand, submit
from faults.kills.workload import PROJECTS, workload, write_workload
from kawe.journal.journal import StoreJournal

pytestmark = pytest.mark.skipif(
    not hasattr(os, "fork"), reason="a process for each kill is born by fork"
)

MOMENTS = {
    "{}.intent.before-commit": ("before", 0),
    "{}.intent.after-commit": ("intent", 0),
    "{}.first-byte": ("intent", 0),
    "{}.whole-request": ("intent", 1),
    "{}.answer": ("intent", 1),
    "{}.verdict.before-commit": ("intent", 1),
    "{}.verdict.after-commit": ("after", 1),
}
STATES = {
    "create": {"before": "FILES_READY", "intent": "CREATE_INTENT", "after": "DRAFTED"},
    "send": {"before": "READY", "intent": "SEND_INTENT", "after": "SENT"},
}
MOST_LOOKS = 1_000


@pytest.fixture(scope="module")
def nursery():
    """Give one nursery for all kills."""
    with Nursery() as nursery:
        yield nursery


@pytest.fixture
def stand(tmp_path, nursery):
    """Give a person before a fresh twin."""
    with open_stand(tmp_path, nursery=nursery) as stand:
        yield stand


async def _first_state(folder):
    path = next(folder.rglob("*.journal"))
    journal = StoreJournal.open(path, read_only=True)
    entries = await journal.entries((await journal.batches())[-1].name)
    await journal.aclose()
    return entries[0].state


def _done(stand, step, *, at_least):
    """Count what the twin has done; it may still be at work for a moment."""
    for _ in range(MOST_LOOKS):
        projects = stand.state()["projects"]
        done = len(projects)
        if step == "send":
            done = sum(each["sends"] for each in projects)
        if done >= at_least:
            break
    return done


@pytest.mark.parametrize("step", STATES)
@pytest.mark.parametrize("moment", MOMENTS)
def test_a_kill_leaves_journal_and_service_as_its_point_says(stand, step, moment):
    folder = stand.folder / "batch"
    write_workload(workload(1), folder)
    point = moment.format(step)
    words = (*submit(PROJECTS), "--workers", "1")
    end = stand.run(folder, *words, kill=Kill(point=point))
    stage, done = MOMENTS[moment]
    left = (
        end.killed_at,
        str(asyncio.run(_first_state(folder))),
        _done(stand, step, at_least=done),
    )
    assert left == (point, STATES[step][stage], done)


def test_a_child_that_meets_no_such_point_lives_to_its_end(stand):
    folder = stand.folder / "batch"
    write_workload(workload(1), folder)
    end = stand.run(folder, *submit(PROJECTS), kill=Kill(point="invite.answer"))
    assert (end.exit_code, end.killed_at) == (0, "")


@pytest.mark.parametrize("visit", [1, 2, 3, 4])
@pytest.mark.parametrize("moment", ["before", "after"])
def test_a_result_killed_between_its_files_is_written_in_its_place(
    stand, moment, visit
):
    folder = stand.folder / "batch"
    write_workload(workload(1), folder)
    # What is killed says something else than what was written before.
    stand.run(folder, *submit(PROJECTS), "--drafts-only")
    point = f"result.{moment}-rename"
    killed = stand.run(folder, *submit(PROJECTS), kill=Kill(point=point, visit=visit))
    stand.run(folder, *submit(PROJECTS))
    there = sorted(path.name for path in folder.glob("*.result*"))
    assert (killed.killed_at, there) == (
        point,
        [f"projects.result.{end}" for end in ("csv", "html", "json", "xlsx")],
    )
