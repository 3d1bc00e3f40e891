"""Whether rows that waited on a computer left its queue without a word."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from kawe.domain.content import ProjectContent
from kawe.domain.entries import Entry
from kawe.domain.outcomes import BatchReport
from kawe.domain.states import AFTER_SEND, SETTLED, State
from kawe.domain.verdicts import RowKey
from kawe.flows.queueing import STANDS_IN_QUEUE
from kawe.flows.releasing import waiting
from kawe.ports import Journal

_RESTS: Final = SETTLED | {
    *(State.SENT, State.UNCONFIRMED, State.HELD, State.INVALID, State.WITHDRAWN)
}
_NAMED_ELSEWHERE: Final = AFTER_SEND | {State.HELD, State.ABANDONED}
"""It is with iwi, or `kawe held` names it, or a person gave it up."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """How the rows of one journal stand, for who looks at its queue."""

    entries: Mapping[RowKey, Entry]
    listed: frozenset[RowKey]
    """The rows that some workbook has, as it was read last."""
    queue: frozenset[RowKey]
    """What `kawe release` would let go on."""

    @property
    def waiting(self) -> dict[RowKey, Entry]:
        """Give the rows that are on their way to a send, and shown somewhere."""
        return {
            key: entry
            for key, entry in self.entries.items()
            if key in self.listed and _is_on_its_way(entry)
        }

    def unsaid(self, waited: Mapping[RowKey, Entry], words: str) -> list[Entry]:
        """Give the rows that `waited`, and of which nothing tells any more."""
        return [entry for key, entry in waited.items() if not self._tells(entry, words)]

    def _tells(self, before: Entry, words: str) -> bool:
        now = self.entries.get(before.key)
        if before.content.name in words or before.marker in words:
            return True
        if now is None or now.state in _NAMED_ELSEWHERE:
            return now is not None
        there = self.queue if now.state in STANDS_IN_QUEUE else self.listed
        return now.key in there


def _is_on_its_way(entry: Entry) -> bool:
    content = entry.content
    wants_send = isinstance(content, ProjectContent) and content.send
    return wants_send and entry.state not in _RESTS


async def standing_of(journal: Journal) -> Standing:
    """Look at everything that a journal has."""
    entries: dict[RowKey, Entry] = {}
    listed: set[RowKey] = set()
    batches = await journal.batches()
    for batch in batches:
        entries |= {each.key: each for each in await journal.entries(batch.name)}
        lines = await journal.lines(batch.name)
        listed |= {line.row for line in lines if line.row is not None}
    going = await waiting([each.name for each in batches], journal=journal)
    return Standing(
        entries=entries,
        listed=frozenset(listed),
        queue=frozenset(each.key for each in going),
    )


def words_of(report: BatchReport) -> str:
    """Give what a report says beside its rows."""
    orphans = [f"{each.name} {each.reference}" for each in report.orphans]
    return "\n".join([*report.remarks, *orphans])
