"""Places that were asked about within a day are not asked about again."""

from __future__ import annotations

import asyncio
from datetime import timedelta

from doubles.clock import StillClock
from doubles.machine import AskedToStop, Quiet
from doubles.memory_journal import MemoryJournal
from doubles.rows import AUCKLAND, checked_projects, project
from doubles.service import MemoryService
from kawe.domain.service.places import IwiAnswer, Place
from kawe.flows.routing import AnswerCache, Asker
from kawe.flows.workers import StopSignal
from kawe.kinds.projects.routing import route

NELSON = Place(latitude=-41.27, longitude=173.28)


class Nowhere(MemoryService):
    """A service that knows no iwi anywhere."""

    async def iwi_at(self, place):
        """Count the question."""
        await super().iwi_at(place)
        return IwiAnswer(choices=(), can_select=False)


def _route(service, journal, *places, at):
    asker = Asker(
        lookups=service,
        progress=Quiet(),
        stop=StopSignal(halt=AskedToStop()),
        workers=2,
        cache=AnswerCache(journal=journal, clock=StillClock(at)),
    )
    contents = [project(number, place=place) for number, place in enumerate(places)]
    return asyncio.run(route(checked_projects(contents).rows, asker=asker))


def test_a_second_run_asks_about_new_places_alone():
    service, journal = MemoryService(), MemoryJournal()
    now = StillClock().now()
    first = _route(service, journal, AUCKLAND, at=now)
    again = _route(service, journal, AUCKLAND, NELSON, at=now)
    assert service.calls["iwi_at"] == 2
    assert again[0] == first[0]


def test_after_a_day_it_is_asked_again():
    service, journal = MemoryService(), MemoryJournal()
    now = StillClock().now()
    _route(service, journal, AUCKLAND, at=now)
    _route(service, journal, AUCKLAND, at=now + timedelta(hours=24))
    assert service.calls["iwi_at"] == 1
    _route(service, journal, AUCKLAND, at=now + timedelta(hours=24, seconds=1))
    assert service.calls["iwi_at"] == 2


def test_that_nobody_is_there_is_asked_each_time():
    service, journal = Nowhere(), MemoryJournal()
    now = StillClock().now()
    for _ in range(2):
        _route(service, journal, AUCKLAND, at=now)
    assert service.calls["iwi_at"] == 2
