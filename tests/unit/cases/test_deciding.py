"""One decision about many rows: those that were agreed to, as they were shown."""

import asyncio
from dataclasses import replace
from types import SimpleNamespace

from doubles.journal_values import later
from doubles.memory_scene import MemoryScene
from doubles.rows import checked_projects, project
from kawe.cases.waiting.rows import resolve_all
from kawe.domain.batch.agreements import Agreement
from kawe.domain.service.states import State
from kawe.flows.settle.resolving import Decision, PersonDecision


def test_a_row_that_is_held_otherwise_than_was_shown_is_left_and_named():
    scene = MemoryScene()
    scene.submit(checked_projects([project(n) for n in range(3)]), drafts_only=True)
    journal = scene.journal

    async def held(journal):
        (batch,) = await journal.batches()
        rows = await journal.entries(batch.name)
        return [each for each in rows if each.state is State.HELD]

    async def go():
        (batch,) = await journal.batches()
        for each in await journal.entries(batch.name):
            await journal.move(
                each.key, State.HELD, at=later(1), reason="Somebody asks."
            )
        same, other, _ = await held(journal)
        shown = Agreement.of([same, replace(other, reason="Another draft is there.")])
        session = SimpleNamespace(
            journal=journal,
            service=SimpleNamespace(lookups=scene.service),
            toolkit=SimpleNamespace(
                held=held, clock=scene.clock, settings=SimpleNamespace(settle_seconds=0)
            ),
        )
        word = PersonDecision(decision=Decision.ABANDON, why="Over.")
        done = await resolve_all(session, shown, word)
        stays = [each.marker for each in await held(journal)]
        return [each.entry.marker for each in done.done], done.left, stays

    done, ((entry, trouble),), stays = asyncio.run(go())
    assert (done, entry.marker, str(trouble), stays) == (
        ["R-0"],
        "R-1",
        "It is held otherwise than was agreed to.",
        ["R-1", "R-2"],
    )
