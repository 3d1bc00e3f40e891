"""What asking the service about rows needs, and what of it is remembered."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from kawe.domain.service.places import IwiAnswer, Place
from kawe.flows.workers import Brake
from kawe.ports import Clock, Journal, Lookups, Progress

REMEMBERED_FOR: Final = timedelta(days=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Remembered:
    """Answers about places that are kept for a day, for a run that goes on."""

    journal: Journal
    clock: Clock
    keeps: bool = True
    """False: nothing is written, because nothing is done yet."""

    async def answers(self) -> dict[tuple[float, float], IwiAnswer]:
        """Give those of the last day."""
        return await self.journal.iwi_answers(since=self.clock.now() - REMEMBERED_FOR)

    async def keep(self, place: Place, answer: IwiAnswer) -> None:
        """Keep an answer; that nobody is there is asked again each time."""
        if answer.choices and self.keeps:
            await self.journal.keep_iwi_answer(place, answer, at=self.clock.now())


@dataclass(frozen=True, slots=True, kw_only=True)
class Asker:
    """What asking about places needs."""

    lookups: Lookups
    progress: Progress
    brake: Brake
    workers: int
    remembered: Remembered | None = None
    team_id: str = ""
    """Whom the key speaks for; empty where that is still to be asked."""
