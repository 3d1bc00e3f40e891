"""The other people: colleagues in the portal, owners of keys, whoever joins."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from doubles.world import Truth, World
from faults.state_machine.books import BY_HAND, words
from kawe.domain.service.service_words import ProjectId


@dataclass(slots=True, kw_only=True)
class Others:
    """What they did, so that kawe's share of it can be told apart."""

    world: World
    bought: int
    spent: int = 0
    by_hand: set[ProjectId] = field(default_factory=set)
    """Projects that a colleague sent."""

    def deeds(self, at: int) -> dict[str, Callable[[], Awaitable[None]]]:
        """List what they can do; `at` chooses whom or what it is done to."""
        return {
            "buy": lambda: self.buy(1 + at % 2 * 4),
            "spend": self.spend,
            "edit a draft": lambda: self.edit(at),
            "send a draft": lambda: self.send(at),
            "revoke the key": self.world.revoke_key,
            "give a key": self.world.give_key,
            "join": lambda: self.world.ask_to_join(f"hemi{at % 4}@example.org"),
            "press Ctrl-C": self.press_ctrl_c,
        }

    async def buy(self, tokens: int) -> None:
        """Buy tokens."""
        await self.world.buy(tokens)
        self.bought += tokens

    async def spend(self) -> None:
        """Spend a token on something else."""
        self.spent += await self.world.spend()

    async def press_ctrl_c(self) -> None:
        """Ask the run to stop."""
        self.world.halt.asked = True

    async def edit(self, at: int) -> None:
        """Edit a draft, or undo that."""
        drafts = await self._drafts()
        if drafts:
            said = words(0) if at % 3 == 0 else f"{BY_HAND}, {at}."
            await self.world.edit(drafts[at % len(drafts)].id, said)

    async def send(self, at: int) -> None:
        """Send a draft."""
        drafts = await self._drafts()
        if drafts:
            chosen = drafts[at % len(drafts)]
            if await self.world.send(chosen.id):
                self.by_hand.add(chosen.id)
                # One without a reference is what they had no token for before.
                self.spent += not chosen.reference

    async def _drafts(self) -> list[Truth]:
        seen = await self.world.look()
        return [each for each in seen.projects if not each.is_sent]
