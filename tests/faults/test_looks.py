"""A draft is sent only after a look that is fresh: tight limits, slow answers.

Time is simulated; the service refuses no second send.
"""

import asyncio
from collections import Counter

import pytest

from doubles.limited import LimitedService
from doubles.rows import checked_projects, project
from faults.simulation.limited_wire import LimitedRun, calm_service
from faults.simulation.passing_time import live_through
from kawe.domain.batch.outcomes import Outcome, outcome_of
from kawe.errors import ServiceUnreachable

NO_LIMIT = {"limit": 10_000, "window_seconds": 900, "is_rolling": True}
SAID = "up to 15 seconds after kawe has looked"


class Colleague:
    """Does something with each draft, a second after a look at it that comes late."""

    def __init__(self, service, *, deed, late_seconds, looks=1, drafts=99):
        self.service, self.deed = service, deed
        self.late_seconds, self.looks, self.drafts = late_seconds, looks, drafts
        self.read = Counter()

    def late(self, operation, project_id):
        if operation != "project_read":
            return 0.0
        self.read[project_id] += 1
        if self.read[project_id] > self.looks or len(self.read) > self.drafts:
            return 0.0
        if self.read[project_id] == 1:
            kept = self.service.shelves.by_id[project_id]
            now = asyncio.get_running_loop().time()
            self.service.later(now + 1, lambda: self._act(kept))
        return self.late_seconds

    def _act(self, kept):
        match self.deed:
            case "edits":
                kept.change(None, at=self.service.seconds, description="Otherwise.")
            case "holds":
                kept.change(None, at=self.service.seconds, phase="ON_HOLD")
            case "sends":
                kept.become_sent(at=self.service.seconds, climate=self.service.climate)


def world_of(*, rows, limit=NO_LIMIT, workers=8, late=None):
    service = calm_service(tokens=99)
    service.climate.refuses_second_send = False
    world = LimitedRun(limit=LimitedService(**limit), service=service, workers=workers)
    if late is not None:
        world.late = late
    sheet = checked_projects([project(number) for number in range(rows)])
    return world, lambda: live_through(world.submit(sheet), begin_seconds=0)


def sends_of(world):
    return [len(each.sends) for each in world.service.shelves.projects]


def outcomes_of(world):
    entries = asyncio.run(_entries(world.journal))
    return Counter(outcome_of(each.state) for each in entries)


async def _entries(journal):
    (batch,) = await journal.batches()
    return await journal.entries(batch.name)


@pytest.mark.parametrize("is_rolling", [True, False], ids=["rolling", "fixed"])
@pytest.mark.parametrize(
    ("limit", "most_seconds"), [((1, 3), 90), ((1, 10), 300), ((2, 5), 90)]
)
def test_rows_leave_slowly_where_a_limit_has_room_for_one_request(
    limit, most_seconds, is_rolling
):
    words = dict(zip(("limit", "window_seconds"), limit, strict=True))
    world, submit = world_of(rows=4, limit=words | {"is_rolling": is_rolling})
    run, seconds = submit()
    said = [each for each in world.quiet.said if SAID in each]
    assert (
        run.stop.because,
        sends_of(world),
        len(world.limit.refused_at),
        seconds <= most_seconds,
        len(said) <= 1,
    ) == (None, [1] * 4, 0, True, True)


def test_a_service_that_takes_six_seconds_for_every_answer_sends_every_row():
    world, submit = world_of(rows=12, late=lambda _operation, _project: 6.0)
    run, _ = submit()
    said = [each for each in world.quiet.said if SAID in each]
    assert (run.stop.because, sends_of(world), len(said)) == (None, [1] * 12, 1)


@pytest.mark.parametrize("workers", [1, 8])
@pytest.mark.parametrize(
    ("deed", "outcome"),
    [("edits", Outcome.HELD), ("holds", Outcome.HELD), ("sends", Outcome.SENT)],
)
def test_a_look_that_is_answered_late_is_not_trusted(deed, outcome, workers):
    world, submit = world_of(rows=12, workers=workers)
    colleague = Colleague(world.service, deed=deed, late_seconds=6, drafts=6)
    world.late = colleague.late
    submit()
    assert (sorted(sends_of(world)), outcomes_of(world)[outcome] >= 6) == (
        [0] * 6 + [1] * 6,
        True,
    )


def test_where_every_look_is_late_the_first_is_not_trusted_either():
    world, submit = world_of(rows=6)
    colleague = Colleague(world.service, deed="edits", late_seconds=6, looks=9)
    world.late = colleague.late
    submit()
    assert (sends_of(world), outcomes_of(world)) == (
        [0] * 6,
        Counter({Outcome.HELD: 6}),
    )


@pytest.mark.parametrize(
    ("late_seconds", "limit"),
    [(20, NO_LIMIT), (0, {"limit": 1, "window_seconds": 60, "is_rolling": True})],
    ids=["slow answers", "one request a minute"],
)
def test_where_no_look_is_ever_fresh_the_run_ends_and_nothing_is_sent(
    late_seconds, limit
):
    def late(operation, _project):
        return late_seconds if operation == "project_read" else 0

    world, submit = world_of(rows=3, limit=limit, late=late)
    run, _ = submit()
    assert (type(run.stop.because), sends_of(world), outcomes_of(world)) == (
        ServiceUnreachable,
        [0] * 3,
        Counter({Outcome.UNFINISHED: 3}),
    )
