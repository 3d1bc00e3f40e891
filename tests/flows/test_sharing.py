"""Two machines with a journal each in front of one twin, at the same moment."""

import asyncio
from collections import Counter

from doubles.hosts import sends
from doubles.rows import checked_projects, project
from doubles.scene import Scene
from kawe.domain.batch.outcomes import Outcome


def test_two_journals_on_one_twin_send_each_row_once(scene_with):
    one = scene_with(tokens=50)
    other = Scene(twin=one.twin, is_alone=False)
    one.is_alone, one.settle_seconds, other.settle_seconds = False, 1.5, 1.5
    checked = checked_projects([project(n) for n in range(8)])

    async def both():
        await asyncio.gather(one._submit(checked), other._submit(checked))

    asyncio.run(both())
    assert max(sends(one.twin).values()) == 1
    # On a busy computer a row may still be with the other one when a run ends: the
    # next run sends it.
    one.submit(checked)
    other.submit(checked)
    assert sends(one.twin) == Counter({f"R-{n}": 1 for n in range(8)})
    assert sum(one.sends()) == 8
    assert [one.outcomes(), other.outcomes()] == [Counter({Outcome.SENT: 8})] * 2
