"""What asking the service about rows needs, and what of it is remembered."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from kawe.domain.service.places import IwiAnswer, Place
from kawe.flows.workers import StopSignal
from kawe.ports import Clock, Journal, Lookups, Progress

REMEMBERED_FOR: Final = timedelta(days=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerCache:
    """Iwi answers of the last day, for a run that is started again."""

    journal: Journal
    clock: Clock
    keeps: bool = True
    """False: nothing is written, because nothing is done yet."""

    async def answers(self) -> dict[tuple[float, float], IwiAnswer]:
        """Give those of the last day."""
        return await self.journal.iwi_answers(since=self.clock.now() - REMEMBERED_FOR)

    async def keep(self, place: Place, answer: IwiAnswer) -> None:
        """Keep an answer, unless it says that nobody is there."""
        if answer.choices and self.keeps:
            await self.journal.keep_iwi_answer(place, answer, at=self.clock.now())


@dataclass(frozen=True, slots=True, kw_only=True)
class Asker:
    """What asking about places needs."""

    lookups: Lookups
    progress: Progress
    stop: StopSignal
    workers: int
    cache: AnswerCache | None = None
    team_id: str = ""
    """Whom the key speaks for; empty where that is still to be asked."""
