"""Whose a journal is and how its rows stand, without reading any row."""

from __future__ import annotations

from collections import Counter
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from kawe.domain.rows.entries import Binding
from kawe.domain.service.states import State
from kawe.journal.records import binding_from_record
from kawe.journal.store import all_of, first_of
from kawe.journal.store.sqlite import SqliteStore

_BUSY_SECONDS = 5.0


@dataclass(frozen=True, slots=True, kw_only=True)
class JournalContents:
    """What a journal holds."""

    binding: Binding | None
    batches: int
    states: Counter[State] = field(default_factory=Counter)


def overview(path: Path) -> JournalContents:
    """Look into the journal at `path`, also while a writer runs.

    Raises:
        JournalError: There is none, or it cannot be read.
    """
    store = SqliteStore.for_reading(path, busy_seconds=_BUSY_SECONDS)
    with closing(store), store.transaction(writes=False):
        counts = all_of(store, "standing", lambda each: (State(each[0]), each[1]))
        return JournalContents(
            binding=first_of(store, "binding", binding_from_record),
            batches=sum(1 for _ in store.rows("batches")),
            states=Counter(dict(counts)),
        )
