"""The events of some days with their hashes, for somebody who has no journal.

Whoever has them can compute each hash from the one before it, with any tool.
"""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from kawe.domain.rows.identity import ADDRESS
from kawe.journal.events import GENESIS
from kawe.journal.store import Record
from kawe.journal.store.sqlite import DEFAULT_BUSY_SECONDS, SqliteStore
from kawe.journal.words import instant_to_text


@dataclass(frozen=True, slots=True, kw_only=True)
class ChainPart:
    """A part of the chain of events without a gap."""

    before: str
    """The hash that its first event names."""
    events: tuple[dict[str, Any], ...]
    """`seq`, `hash`, and `said`: what is hashed after the hash before and `seq`.

    `said` is null for what names a person, and for what was purged since.
    """
    head: tuple[int, str]
    """Number and hash of the last event of the whole journal."""

    def as_json(self) -> dict[str, Any]:
        """Give it for JSON documents."""
        seq, digest = self.head
        return {
            "before": self.before,
            "events": list(self.events),
            "head": {"seq": seq, "hash": digest},
        }


def chain_between(path: Path, *, since: datetime, until: datetime) -> ChainPart:
    """Give all events from the first of a period to its last; `until` is not in it.

    Raises:
        JournalError: There is no journal, or it cannot be read.
    """
    first, end = instant_to_text(since), instant_to_text(until)
    store = SqliteStore.for_reading(path, busy_seconds=DEFAULT_BUSY_SECONDS)
    before, head = GENESIS, (0, GENESIS)
    events: list[dict[str, Any]] = []
    # Those after the last of the period so far: a clock may have been put back.
    after: list[dict[str, Any]] = []
    with closing(store), store.transaction(writes=False):
        purged: dict[str, int] = dict(store.rows("purges"))
        for record in store.rows("chain"):
            seq, previous, digest, *_ = record
            is_in = first <= str(record[5]) < end
            if is_in and not events:
                before = previous
            if is_in or events:
                after.append(_shown(record, purged=purged))
            if is_in:
                events += after
                after.clear()
            head = seq, digest
    return ChainPart(before=before, events=tuple(events), head=head)


def _shown(record: Record, *, purged: dict[str, int]) -> dict[str, Any]:
    seq, _, digest, *said = record
    row = str(said[0])
    is_hidden = row.startswith(ADDRESS) or seq < purged.get(row, 0)
    return {"seq": seq, "hash": digest, "said": None if is_hidden else said}
