"""What asking the service about rows needs, and what of it is remembered."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from kawe.domain.service.service_words import IwiAnswer, IwiAnswers, Organisation
from kawe.flows.scanning import read_organisations
from kawe.flows.tools import Tools, each
from kawe.ports import AnswerMemory, Clock, Journal
from kawe_places.values import Place

REMEMBERED_FOR: Final = timedelta(days=1)


@dataclass(slots=True, kw_only=True)
class AnswerCache:
    """Answers of the last day, for a run that is started again or the next check."""

    journal: Journal
    clock: Clock
    keeps: bool = True
    """False: the journal is not written, because nothing is done yet."""
    memory: AnswerMemory | None = None
    """What checks keep for each other; None where something may be sent."""
    is_fresh: bool = False
    """True: everything is asked again."""
    places_known: int = 0
    """How many places were not asked about."""

    async def known(self, places: Collection[tuple[float, float]]) -> IwiAnswers:
        """Give the answers of the last day, those about `places` among them."""
        if self.is_fresh:
            return {}
        answers = {} if self.memory is None else self.memory.iwi_answers()
        since = self.clock.now() - REMEMBERED_FOR
        answers |= await self.journal.iwi_answers(since=since)
        self.places_known += sum(place in answers for place in places)
        return answers

    async def keep(self, place: Place, answer: IwiAnswer) -> None:
        """Keep an answer, unless it says that nobody is there."""
        if not answer.choices:
            return
        if self.memory is not None:
            self.memory.keep_iwi_answer(place, answer, at=self.clock.now())
        if self.keeps:
            await self.journal.keep_iwi_answer(place, answer, at=self.clock.now())


@dataclass(frozen=True, slots=True, kw_only=True)
class Asker:
    """What asking about places needs."""

    tools: Tools
    cache: AnswerCache | None = None
    team_id: str = ""
    """Whom the key speaks for; empty where that is still to be asked."""

    @property
    def keeps(self) -> bool:
        return self.cache is not None and self.cache.keeps

    async def iwi_at(self, places: Iterable[Place]) -> IwiAnswers:
        """Ask about each distinct place that no answer of the last day is about.

        Raises what a lookup and the journal raise.
        """
        cache, tools = self.cache, self.tools
        wanted = {place.key(): place for place in places}
        answers = {} if cache is None else await cache.known(wanted)
        wanted = {key: place for key, place in wanted.items() if key not in answers}

        async def ask(place: Place) -> None:
            answers[place.key()] = answer = await tools.lookups.iwi_at(place)
            if cache is not None:
                await cache.keep(place, answer)
            tools.progress.advance()

        if wanted:
            tools.progress.begin(
                "Asking which iwi each place belongs to", total=len(wanted)
            )
            await each(wanted.values(), ask, workers=tools.workers, stop=tools.stop)
        return answers

    async def organisations(self, names: Collection[str]) -> dict[str, Organisation]:
        """Give the team's organisations, by folded name; all that `names` has.

        They are asked for where a name is not known: it may be new.
        """
        cache = self.cache
        memory = None if cache is None or cache.is_fresh else cache.memory
        known = {} if memory is None else memory.organisations()
        if known and known.keys() >= set(names):
            return known
        known = await read_organisations(self.tools.lookups)
        if cache is not None and cache.memory is not None:
            cache.memory.keep_organisations(known.values(), at=cache.clock.now())
        return known
