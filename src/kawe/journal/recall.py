"""What this process has written down itself, and need not look up again.

A journal has one writing process, and one thread of it uses the connection. Who
writes an intent down comes back for its verdict a moment later, and the row, its
intent and the last link of the chain are as they were left: each statement saved
is one time less that the thread waits for the event loop to let it go on.
Whatever is rolled back is forgotten, all of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from sqlite3 import Connection
from typing import Final

from kawe.domain.rows.entries import Entry
from kawe.domain.service.verdicts import Intent, RowKey, Step
from kawe.journal.events import EventKind, Linked, intent_of
from kawe.journal.reading import RowMerge
from kawe.journal.rules import Change
from kawe.journal.sqlite_shelf import SqliteShelf

_MOST_ROWS: Final = 20_000


@dataclass(slots=True)
class Recall:
    """Rows as they stand, for as long as nobody else can have changed them."""

    link: tuple[int, str] | None = None
    """Number and hash of the last event."""
    entries: dict[RowKey, Entry] = field(default_factory=dict)
    intents: dict[RowKey, Intent] = field(default_factory=dict)
    made: dict[tuple[RowKey, Step], int] = field(default_factory=dict)
    """How often a row was about to take a step."""

    def forget(self) -> None:
        """Forget everything: the next question goes to the file."""
        self.link = None
        for kept in (self.entries, self.intents, self.made):
            kept.clear()

    def take(self, change: Change) -> None:
        """Take down how a row stands now."""
        self.entries[change.entry.key] = change.entry
        event = change.event
        if event.kind is EventKind.INTENT and event.step is not None:
            self.intents[event.row] = intent_of(event)
            if (event.row, event.step) in self.made:
                self.made[event.row, event.step] += 1


class RecallingShelf(SqliteShelf):
    """A shelf of the writing process, within a transaction."""

    def __init__(self, db: Connection, *, recall: Recall) -> None:
        super().__init__(db)
        self._recall = recall

    def entry(self, key: RowKey) -> Entry | None:
        """Give one row."""
        known = self._recall.entries.get(key)
        return super().entry(key) if known is None else known

    def latest_intent(self, key: RowKey) -> Intent | None:
        """Give a row's latest intent."""
        known = self._recall.intents.get(key)
        return super().latest_intent(key) if known is None else known

    def attempts_made(self, keys: Sequence[RowKey], *, step: Step) -> dict[RowKey, int]:
        """Count intents of one step."""
        made = self._recall.made
        if any((key, step) not in made for key in keys):
            counted = super().attempts_made(keys, step=step)
            self._make_room()
            made.update({(key, step): counted.get(key, 0) for key in keys})
        return {key: made[key, step] for key in keys if made[key, step]}

    def put_read(self, read: Sequence[tuple[Entry, RowMerge]]) -> None:
        """Write rows as they were read."""
        super().put_read(read)
        # What is taken over, and under which name, the file knows.
        self._recall.forget()

    def put_changes(self, changes: Sequence[Change]) -> None:
        """Write how rows stand now."""
        super().put_changes(changes)
        self._make_room()
        for change in changes:
            self._recall.take(change)

    def _put_linked(self, records: Sequence[Linked]) -> None:
        super()._put_linked(records)
        if records:
            seq, _, digest, *_ = records[-1]
            self._recall.link = (seq, digest)

    def _last_link(self) -> tuple[int, str]:
        return self._recall.link or super()._last_link()

    def _make_room(self) -> None:
        if max(len(self._recall.entries), len(self._recall.made)) > _MOST_ROWS:
            self._recall.forget()
