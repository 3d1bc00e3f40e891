"""Places that were asked about within a day are not asked about again."""

import asyncio
from dataclasses import dataclass, field, replace
from datetime import timedelta

from doubles.clock import StillClock
from doubles.machine import quiet_tools
from doubles.memory_journal import MemoryJournal
from doubles.rows import AUCKLAND, checked_projects, project
from doubles.service import MemoryService
from kawe.domain.service.service_words import IwiAnswer, Organisation, OrganisationId
from kawe.domain.text.texts import fold_name
from kawe.flows.routing import AnswerCache, Asker
from kawe.kinds.projects.kind import route
from kawe_places.values import Place

NELSON = Place(latitude=-41.27, longitude=173.28)


class Nowhere(MemoryService):
    """A service that knows no iwi anywhere."""

    async def iwi_at(self, place):
        """Count the question."""
        await super().iwi_at(place)
        return IwiAnswer(choices=(), can_select=False)


def _route(service, journal, *places, at):
    asker = Asker(
        tools=quiet_tools(service),
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


BROWN = Organisation(id=OrganisationId("o-1"), name="J & K Brown")


@dataclass(slots=True)
class Remembered:
    """Implements the port `AnswerMemory` in memory."""

    iwi: dict[tuple[float, float], IwiAnswer] = field(default_factory=dict)
    team: dict[str, Organisation] = field(default_factory=dict)

    def iwi_answers(self):
        return dict(self.iwi)

    def keep_iwi_answer(self, place, answer, *, at):
        """Keep it for ever."""
        del at
        self.iwi[place.key()] = answer

    def organisations(self):
        return dict(self.team)

    def keep_organisations(self, organisations, *, at):
        """Keep them for ever."""
        del at
        self.team = {fold_name(each.name): each for each in organisations}

    def save(self):
        """Do nothing."""


def _checking(service, memory, *, is_fresh=False):
    cache = AnswerCache(
        journal=MemoryJournal(),
        clock=StillClock(),
        keeps=False,
        memory=memory,
        is_fresh=is_fresh,
    )
    return Asker(tools=quiet_tools(service), cache=cache)


def _check_places(service, memory, *places, is_fresh=False):
    """Ask about places as a check does; give how many it knew."""
    asker = _checking(service, memory, is_fresh=is_fresh)
    contents = [project(number, place=place) for number, place in enumerate(places)]
    asyncio.run(route(checked_projects(contents).rows, asker=asker))
    return asker.cache.places_known


def _named(service, memory, *names, is_fresh=False):
    asker = _checking(service, memory, is_fresh=is_fresh)
    return asyncio.run(asker.organisations(names))


def test_a_check_asks_about_new_places_alone_and_says_how_many_it_knew():
    service, memory = MemoryService(), Remembered()
    known = [
        _check_places(service, memory, AUCKLAND),
        _check_places(service, memory, AUCKLAND, NELSON),
        _check_places(service, memory, AUCKLAND, NELSON, is_fresh=True),
    ]
    assert (known, service.calls["iwi_at"]) == ([0, 1, 0], 4)


def test_a_check_writes_no_journal():
    service, journal = MemoryService(), MemoryJournal()
    asker = _checking(service, Remembered())
    asker.cache.journal = journal
    asyncio.run(route(checked_projects([project(1, place=AUCKLAND)]).rows, asker=asker))
    since = StillClock().now() - timedelta(days=1)
    assert asyncio.run(journal.iwi_answers(since=since)) == {}


def test_organisations_that_are_known_are_not_asked_for_and_others_are():
    service, memory = MemoryService(), Remembered()
    service.organisations_there = [BROWN]
    found = [
        _named(service, memory, "j k brown"),
        _named(service, memory, "j k brown"),
        _named(service, memory, "j k brown", "new ltd"),
        _named(service, memory, "j k brown", is_fresh=True),
    ]
    assert (found, service.calls["organisations"]) == ([{"j k brown": BROWN}] * 4, 3)


def test_without_a_memory_organisations_are_always_asked_for():
    service = MemoryService()
    service.organisations_there = [BROWN]
    asker = replace(_checking(service, None), cache=None)
    assert asyncio.run(asker.organisations(["j k brown"])) == {"j k brown": BROWN}
