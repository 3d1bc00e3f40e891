"""While a run sends: whether somebody else has begun to send the same rows."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from kawe.domain.rows.entries import Entry
from kawe.domain.service.verdicts import RowKey
from kawe.flows.run import Run
from kawe.flows.submit.sharing import sent_by_hand, snapshot_of_others

_GOOD_FOR: Final = 0.5
"""For which share of a settle window a look holds, or a send of ours."""


@dataclass(slots=True, kw_only=True)
class SendWatch:
    """Stops sends of rows that somebody else has begun to send.

    A snapshot is valid for half a settle window, and so is each send of ours, which
    others see. After a longer pause, such as a rate limit or sleep, a new one is taken.
    """

    run: Run
    rows: dict[RowKey, Entry]
    """The rows whose send has not begun."""
    seen_at: float = field(init=False)
    _one: asyncio.Lock = field(default_factory=asyncio.Lock)
    _left: set[RowKey] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.seen_at = self.run.tally.snapshot_begun

    @property
    def is_fresh(self) -> bool:
        """Check that the last look still holds."""
        good_for = _GOOD_FOR * self.run.settle_seconds
        return self.run.clock.elapsed() - self.seen_at <= good_for

    async def lets_go(self, entry: Entry) -> bool:
        """Say whether a row may be sent now."""
        self.rows[entry.key] = entry
        async with self._one:
            if not self.is_fresh:
                await self.run.wait_randomly(list(self.rows.values()))
                await self._check_again()
        return entry.key not in self._left and not self.run.stop.is_set()

    def begins(self, entry: Entry) -> None:
        """Note a send of ours that begins: that the row is sent is then expected."""
        self.rows.pop(entry.key, None)

    def sent(self) -> None:
        """Note a send of ours: others can see it."""
        self.seen_at = max(self.seen_at, self.run.clock.elapsed())

    async def found_sent(self, entry: Entry) -> None:
        """Leave the rows where somebody else has sent one since the snapshot."""
        self.rows.pop(entry.key, None)
        tally = self.run.tally
        if entry.key in tally.sent_elsewhere:
            return
        tally.sent_elsewhere.add(entry.key)
        async with self._one:
            if self.run.stop.is_set() or not self.rows:
                return
            self.run.progress.say(
                f"{entry.marker} was sent by somebody else a moment ago. kawe waits "
                f"{round(self.run.settle_seconds)} seconds whether they send more."
            )
            before = await self._check_again()
            if not await self.run.settle():
                return
            if await self._check_again() - before:
                self._leave(self.rows)

    async def _check_again(self) -> set[RowKey]:
        """Leave the rows that others have drafts of; name those that are sent."""
        rows = list(self.rows.values())
        seen = await snapshot_of_others(self.run, rows)
        self.seen_at = self.run.tally.snapshot_begun
        sent = sent_by_hand(rows, seen)
        self.run.tally.sent_elsewhere |= sent
        # Another draft of a row that is sent is nobody's any more.
        going = [e for e in rows if e.key not in self.run.tally.sent_elsewhere]
        self._leave(each.key for each in going if seen.strangers_of(each))
        return sent

    def _leave(self, keys: Iterable[RowKey]) -> None:
        left = set(keys)
        self._left |= left
        self.run.tally.left_to_others |= left
