"""Drafts that no row owns are named, and never sent."""

import asyncio
from collections import Counter
from dataclasses import replace
from datetime import timedelta

from doubles.memory_journal import ONE_SENT
from doubles.memory_scene import MemoryScene
from doubles.rows import checked_projects, project
from doubles.service import AT, MemoryService
from kawe.domain.batch.outcomes import Outcome
from kawe.domain.service.service_words import ProjectId
from kawe.domain.service.states import State, Unknown
from kawe.errors import ServiceUnreachable

LOST = Unknown(detail="lost")


def sheet(*numbers):
    return checked_projects([project(n) for n in numbers])


def test_a_draft_whose_row_left_the_workbook_is_an_orphan():
    scene = MemoryScene()
    scene.submit(sheet(1, 2), max_tokens=1)
    scene.submit(sheet(1), takes_out=True)
    made = scene.report()
    assert [(each.reference, each.why) for each in made.orphans] == [
        ("R-2", "its row is no longer in the workbook")
    ]
    assert "R-2 (its row is no longer in the workbook)" in made.remarks[0]


def test_a_project_that_was_sent_and_left_the_workbook_is_no_orphan():
    scene = MemoryScene()
    scene.submit(sheet(1, 2))
    scene.submit(sheet(1))
    made = scene.report()
    said = "is no longer in the workbook but with the service: R-2 (sent)."
    assert (made.orphans, made.remarks) == ((), (f"1 row of this batch {said}",))


def test_a_row_of_which_nothing_is_with_the_service_leaves_no_orphan():
    scene = MemoryScene()
    scene.service.has_turns = False
    scene.submit(sheet(1, 2))
    scene.submit(sheet(1), takes_out=True)
    assert (scene.report().orphans, scene.report().remarks) == ((), ())


def test_the_draft_of_a_row_that_was_given_up_is_an_orphan():
    scene = MemoryScene()
    scene.submit(sheet(1), max_tokens=0)
    scene.submit(checked_projects([project(1, description="Else.")]))
    (entry,) = scene.entries()
    asyncio.run(scene.journal.move(entry.key, State.ABANDONED, at=AT))
    (orphan,) = scene.report().orphans
    assert (orphan.reference, orphan.project_id, orphan.why) == (
        "R-1",
        entry.project_id,
        "its row was given up",
    )


class Late(MemoryService):
    """Makes what a lost create asked for once the row was created again."""

    __slots__ = ()

    async def create_draft(self, body):
        done = await super().create_draft(body)
        if self.calls["create"] != 2:
            return done
        late = replace(
            done.project,
            id=ProjectId("20000000-0000-4000-8000-000000000001"),
            created_at=AT + timedelta(hours=1),
        )
        self.projects_there.append(late)
        return done


def test_a_create_that_was_carried_out_late_leaves_a_second_draft_that_is_named():
    scene = MemoryScene(service=Late(script={"create": [LOST]}))
    (orphan,) = scene.submit(sheet(1)).tally.second_drafts
    assert (scene.outcomes(), scene.service.sends.total(), orphan.why) == (
        ONE_SENT,
        1,
        "a second one, made on 2026-11-21 at 10:00 UTC",
    )
    # It is named again by every later run, as long as it is there.
    assert scene.submit(sheet(1)).tally.second_drafts == (orphan,)


def test_without_a_doubt_nobody_is_asked_about_second_drafts():
    scene = MemoryScene()
    scene.submit(sheet(1, 2))
    asked = scene.service.calls["projects"]
    scene.submit(sheet(1, 2))
    assert scene.service.calls["projects"] == asked


class DownAtTheEnd(MemoryService):
    """Gives no list once everything was sent."""

    __slots__ = ()

    async def projects(self, *, page, search=None, status=None):
        if self.sends:
            raise ServiceUnreachable(message="Down.")
        return await super().projects(page=page, search=search, status=status)


def test_second_drafts_that_cannot_be_looked_for_are_a_word_and_no_failure():
    scene = MemoryScene(service=DownAtTheEnd(script={"create": [LOST]}))
    run = scene.submit(sheet(1))
    assert (run.stop.because, scene.outcomes(), scene.quiet.said[-1][:20]) == (
        None,
        ONE_SENT,
        "kawe could not look ",
    )


def test_rows_that_stand_in_another_workbook_too_are_counted_in_their_own_batch():
    scene = MemoryScene()
    scene.submit(sheet(1, 2))
    scene.submit(sheet(3, 4, 5))
    scene.submit(sheet(1, 2, 3, 4, 5))
    reports = [scene.report(name) for name in ("monthly", "monthly-2")]
    assert [each.counts() for each in reports] == [
        Counter({Outcome.SENT: 2}),
        Counter({Outcome.SENT: 3}),
    ]
    assert reports[1].remarks == (
        "2 rows of this workbook belong to another batch: monthly (2).",
    )
    assert [each.of_batch for each in reports[1].rows] == ["monthly"] * 2 + [""] * 3
