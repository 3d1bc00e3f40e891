"""One process: where it passes by, and where it ends without a word."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from doubles.memory_journal import MemoryJournal, Stopped
from faults.simulation.trace import Trace
from kawe.domain.rows.entries import Batch, Entry, StoredFile
from kawe.domain.service.service_words import ProjectId
from kawe.domain.service.states import Intent, RowKey, State, Verdict

POINTS: Final = (
    "before the batch is kept",
    "after the batch is kept",
    "before an intent is kept",
    "after an intent is kept",
    "before the first byte of a create",
    "after the first byte of a create",
    "with the answer of a create",
    "before the first byte of a send",
    "after the first byte of a send",
    "with the answer of a send",
    "before a verdict is kept",
    "after a verdict is kept",
    "before a move is kept",
    "after a move is kept",
    "before moves are kept",
    "after moves are kept",
    "before a file is kept",
    "after a file is kept",
    "at a lookup",
)
"""Where a process can end; each is passed again and again."""


@dataclass(slots=True, kw_only=True)
class Life:
    """A process, which ends when it passes one point for the n-th time.

    From then on nothing that it does has any effect.
    """

    trace: Trace
    ends_at: tuple[str, int] | None = None
    passed: Counter[str] = field(default_factory=Counter)
    is_over: bool = False

    def pass_by(self, point: str) -> None:
        """Pass one of `POINTS`.

        Raises:
            Stopped: The process is gone.
        """
        self.go_on()
        self.passed[point] += 1
        if self.ends_at == (point, self.passed[point]):
            self.is_over = True
            self.trace.say("process ends", point)
            raise Stopped

    def go_on(self) -> None:
        """Make sure that the process is still there.

        Raises:
            Stopped: It is gone.
        """
        if self.is_over:
            raise Stopped


class SimulatedJournal(MemoryJournal):
    """A journal in memory whose process can end around each of its writes."""

    def __init__(self, *, life: Life, before: MemoryJournal | None) -> None:
        super().__init__(store=None if before is None else before.store)
        self._life = life

    async def open_batch(self, batch: Batch, **read: Any) -> None:
        """Keep a batch."""
        self._life.pass_by("before the batch is kept")
        await super().open_batch(batch, **read)
        self._life.pass_by("after the batch is kept")

    async def note(self, intents: Sequence[Intent], **more: Any) -> None:
        """Write intents down."""
        self._life.pass_by("before an intent is kept")
        await super().note(intents, **more)
        for each in intents:
            self._life.trace.say("intent", each.row, each.step, each.attempt)
        self._life.pass_by("after an intent is kept")

    async def conclude(
        self, intent: Intent, verdict: Verdict, *, at: datetime
    ) -> Entry:
        """Write a verdict down."""
        self._life.pass_by("before a verdict is kept")
        entry = await super().conclude(intent, verdict, at=at)
        self._life.trace.say("verdict", intent.row, type(verdict).__name__, entry.state)
        self._life.pass_by("after a verdict is kept")
        return entry

    async def move(
        self,
        key: RowKey,
        state: State,
        *,
        at: datetime,
        reason: str = "",
        project: ProjectId | None = None,
        revised: Entry | None = None,
    ) -> Entry:
        """Move a row."""
        self._life.pass_by("before a move is kept")
        entry = await super().move(
            key, state, at=at, reason=reason, project=project, revised=revised
        )
        self._life.trace.say("move", key, state, reason)
        self._life.pass_by("after a move is kept")
        return entry

    async def move_all(
        self, keys: Sequence[RowKey], state: State, *, at: datetime, reason: str = ""
    ) -> tuple[Entry, ...]:
        """Move many rows."""
        self._life.pass_by("before moves are kept")
        entries = await super().move_all(keys, state, at=at, reason=reason)
        for key in keys:
            self._life.trace.say("move", key, state, reason)
        self._life.pass_by("after moves are kept")
        return entries

    async def keep_file(self, stored: StoredFile) -> None:
        """Keep which document a file became."""
        self._life.pass_by("before a file is kept")
        await super().keep_file(stored)
        self._life.pass_by("after a file is kept")

    def _check_usable(self) -> None:
        # Also after the wait before a write: nothing is kept of a process
        # that ended meanwhile.
        self._life.go_on()
        super()._check_usable()
