"""What others do at the service meanwhile, through its portal."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from random import Random
from typing import Final

from faults.simulation.kept import Kept
from faults.simulation.service import SimulatedService

NAME_BY_HAND: Final = "Bridge"
_WITHIN_SECONDS: Final = 120.0


@dataclass(slots=True, kw_only=True)
class Colleague:
    """A person of the same team, whom nobody tells of kawe."""

    service: SimulatedService
    chance: Random
    meddles: bool
    """Whether drafts of ours are edited and sent by hand."""
    buys: bool
    did: Counter[str] = field(default_factory=Counter)

    def plan_a_run(self, *, now: float) -> None:
        """Lay out what happens while the next run goes on."""
        for _ in range(self.chance.choice((0, 0, 1, 2))):
            self._later(now, self._creates)
        if self.buys and self.chance.random() < 0.6:
            self._later(now, self._buys)
        if self.meddles and self.chance.random() < 0.7:
            self._later(now, self.chance.choice((self._edits, self._sends)))

    def _later(self, now: float, what: object) -> None:
        assert callable(what)
        self.service.later(now + self.chance.uniform(0, _WITHIN_SECONDS), what)

    def _creates(self) -> None:
        number = len(self.service.shelves.projects)
        body = {
            "name": f"{NAME_BY_HAND} {number}",
            "description": "A bridge.",
            "type": "EARTHWORKS",
            "reference": f"P-{number}",
            "start_date": "2030-01-01",
            "end_date": "2030-12-01",
            "respond_by_date": "2030-11-01",
        }
        self.service.shelves.add_project(
            body,
            at=self.service.seconds,
            organisation=None,
            climate=self.service.climate,
        )
        self.did["created a project"] += 1

    def _buys(self) -> None:
        self.service.tokens += self.chance.choice((1, 5, 10, 50))
        self.service.trace.say("  tokens are bought", self.service.tokens)
        self.did["bought tokens"] += 1

    def _edits(self) -> None:
        drafts = [each for each in self.service.shelves.projects if not each.is_sent]
        if drafts:
            self.edits(self.chance.choice(drafts))

    def edits(self, draft: Kept) -> None:
        """Write something else into a draft."""
        draft.touched_at = self.service.seconds
        draft.change(
            None, at=self.service.seconds, description="A colleague knows better."
        )
        self.service.trace.say("  a colleague edits", draft.number)
        self.did["edited a draft"] += 1

    def _sends(self) -> None:
        drafts = [each for each in self.service.shelves.projects if not each.is_sent]
        if not drafts or self.service.tokens < 1:
            return
        draft = self.chance.choice(drafts)
        self.service.tokens -= 1
        draft.touched_at = self.service.seconds
        draft.by_hand.append(self.service.seconds)
        draft.become_sent(at=self.service.seconds, climate=self.service.climate)
        self.service.trace.say("  a colleague sends", draft.number)
        self.did["sent a draft"] += 1
