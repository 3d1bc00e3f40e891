"""How many rows may fail before a run stops."""

from dataclasses import replace

import pytest

from doubles.loops import awaited
from doubles.memory_scene import MemoryScene
from doubles.rows import SOURCE, checked_projects, project
from doubles.submitting import submit
from kawe.domain.batch.agreements import Budget
from kawe.domain.service.states import NotDone, Reason
from kawe.domain.text.next_steps import Given, Next
from kawe.errors import TooManyFailed
from kawe.flows.plan.planning import make_plan

REFUSED = NotDone(http_status=400, reason=Reason.REJECTED, detail="No.")


@awaited
async def _submitted(scene, rows, *, may_fail):
    run = replace(await scene.run(), may_fail=may_fail, workers=1)
    plan = await make_plan(
        checked_projects(rows),
        source=SOURCE,
        account=run.account,
        journal=scene.journal,
    )
    await submit(plan, run=run, budget=Budget(balance=99), organisations={})
    return run


@pytest.mark.parametrize(
    ("may_fail", "asked"), [(None, 6), (3, 6), (2, 3), (1, 2), (0, 1)]
)
def test_one_row_more_than_may_fail_stops_the_run(may_fail, asked):
    scene = MemoryScene()
    scene.service.script["create"] = [REFUSED] * 3
    run = _submitted(scene, [project(n) for n in range(6)], may_fail=may_fail)
    stopped = type(run.stop.because) is TooManyFailed
    assert (scene.service.calls["create"], stopped) == (asked, asked < 6)


def test_rows_that_come_to_be_held_failed_too():
    scene = MemoryScene()
    scene.service.script["send"] = [REFUSED] * 2
    run = _submitted(scene, [project(n) for n in range(6)], may_fail=1)
    assert (scene.service.calls["send"], str(run.stop.because)) == (
        2,
        (
            f"2 rows failed in this run, and {Given.MAX_ERRORS} allows no more. Look "
            f"at why, then {Next.AGAIN}: what is done stays done."
        ),
    )
