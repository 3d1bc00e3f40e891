"""Every method of the port `Journal`, as one call upon a shelf.

What differs between journals is how a call is carried out: at once in memory,
as part of a commit on disk. That is `_ask` and `_change`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from typing import TypeVar

from kawe.domain.batch.approvals import Approval
from kawe.domain.batch.waiting import Wait
from kawe.domain.rows.entries import (
    Batch,
    BatchName,
    Binding,
    Entry,
    KnownRow,
    Line,
    PlacedLine,
    SheetReading,
    StoredFile,
)
from kawe.domain.service.places import IwiAnswer, Place
from kawe.domain.service.service_words import ProjectId
from kawe.domain.service.states import State
from kawe.domain.service.verdicts import Attempt, Intent, RowKey, Step, Verdict
from kawe.journal import acts, people
from kawe.journal.shelf import Shelf

T = TypeVar("T")


class JournalCalls(ABC):
    """The port `Journal`, without saying where things are kept."""

    @abstractmethod
    async def _ask(self, question: Callable[[Shelf], T]) -> T:
        """Look something up."""

    @abstractmethod
    async def _change(self, change: Callable[[Shelf], T]) -> T:
        """Put something down, durably when this returns, or not at all."""

    @abstractmethod
    async def close(self) -> None:
        """Let go of the journal; closing it again does nothing."""

    async def bind(self, binding: Binding) -> None:
        """Bind a fresh journal to an account, or make sure it is this one's.

        A renamed team is the same team; its new name is kept.
        """
        await self._change(lambda shelf: acts.bind(shelf, binding=binding))

    async def binding(self) -> Binding | None:
        """Say whom the journal belongs to."""
        return await self._ask(lambda shelf: shelf.binding())

    async def open_batch(
        self,
        batch: Batch,
        *,
        lines: Sequence[Line],
        entries: Sequence[Entry],
        in_place_of: Sequence[SheetReading] = (),
    ) -> None:
        """Keep a batch, the lines of its workbook and its rows, all at once."""
        gone = tuple(in_place_of)
        await self._change(
            lambda shelf: acts.open_batch(
                shelf, batch=batch, lines=lines, entries=entries, in_place_of=gone
            )
        )

    async def batches(self) -> tuple[Batch, ...]:
        """List the batches, the latest read last."""
        return await self._ask(lambda shelf: shelf.batches())

    async def readings(self, batch: BatchName) -> tuple[SheetReading, ...]:
        """List the sheets that a batch was read from, the latest read last."""
        return await self._ask(lambda shelf: shelf.readings(batch))

    async def lines(
        self, batch: BatchName, *, reading: SheetReading | None = None
    ) -> tuple[Line, ...]:
        """List the lines of one sheet of a batch, or of the one read last."""
        return await self._ask(
            lambda shelf: acts.lines(shelf, batch=batch, reading=reading)
        )

    async def named(
        self, keys: Iterable[RowKey]
    ) -> dict[RowKey, tuple[PlacedLine, ...]]:
        """Give the lines that name the rows of `keys`, the latest read first."""
        wanted = tuple(keys)
        if not wanted:
            return {}
        return await self._ask(lambda shelf: shelf.named(wanted))

    async def entries(self, batch: BatchName) -> tuple[Entry, ...]:
        """List the rows of a batch by position."""
        return await self._ask(lambda shelf: shelf.entries(batch))

    async def unfinished(self, batch: BatchName) -> tuple[Entry, ...]:
        """List the rows of a batch that are not settled, by position."""
        return await self._ask(lambda shelf: shelf.unfinished(batch))

    async def known(self, keys: Iterable[RowKey]) -> dict[RowKey, KnownRow]:
        """Give the rows of `keys` that the journal knows, without what they say."""
        wanted = tuple(keys)
        return await self._ask(lambda shelf: shelf.known(wanted))

    async def find(self, keys: Iterable[RowKey]) -> dict[RowKey, Entry]:
        """Give the rows of `keys` that the journal knows."""
        wanted = tuple(keys)
        return await self._ask(lambda shelf: shelf.find(wanted))

    async def made(
        self, wanted: Callable[[Entry], bool], *, beside: Iterable[RowKey]
    ) -> tuple[Entry, ...]:
        """Give the `wanted` rows that have a project, without those of `beside`."""
        left_out = tuple(beside)
        return await self._ask(lambda shelf: shelf.made(wanted, beside=left_out))

    async def owner_of(self, project: ProjectId) -> RowKey | None:
        """Say which row a project belongs to."""
        return await self._ask(lambda shelf: shelf.owner_of(project))

    async def note(
        self, intents: Sequence[Intent], *, revised: Sequence[Entry] = ()
    ) -> None:
        """Write intents down before their request is made; all or none."""
        taken, said = tuple(intents), tuple(revised)
        await self._change(lambda shelf: acts.note(shelf, intents=taken, revised=said))

    async def conclude(
        self, intent: Intent, verdict: Verdict, *, at: datetime
    ) -> Entry:
        """Write a verdict down and move the row as it says."""
        return await self._change(
            lambda shelf: acts.conclude(shelf, intent=intent, verdict=verdict, at=at)
        )

    async def move(
        self,
        key: RowKey,
        state: State,
        *,
        at: datetime,
        reason: str = "",
        project: ProjectId | None = None,
    ) -> Entry:
        """Move a row without a request."""
        return await self._change(
            lambda shelf: acts.move(
                shelf, key=key, state=state, at=at, reason=reason, project=project
            )
        )

    async def move_all(
        self, keys: Sequence[RowKey], state: State, *, at: datetime, reason: str = ""
    ) -> tuple[Entry, ...]:
        """Move many rows without a request, all of them or none."""
        moving = tuple(keys)
        if not moving:
            return ()
        return await self._change(
            lambda shelf: acts.move_all(
                shelf, keys=moving, state=state, at=at, reason=reason
            )
        )

    async def attempts(self, key: RowKey) -> tuple[Attempt, ...]:
        """List a row's attempts, the oldest first."""
        return await self._ask(lambda shelf: shelf.attempts(key))

    async def attempts_made(
        self, keys: Iterable[RowKey], *, step: Step
    ) -> dict[RowKey, int]:
        """Count the attempts of one step; rows that made none are left out."""
        wanted = tuple(keys)
        return await self._ask(lambda shelf: shelf.attempts_made(wanted, step=step))

    async def doubted_creates(self, batch: BatchName) -> tuple[RowKey, ...]:
        """List the rows of a batch with a create that was ever in doubt."""
        return await self._ask(lambda shelf: shelf.doubted_creates(batch))

    async def let_go(self, key: RowKey) -> str:
        """Say with which reason a row was last let go from HELD."""
        return await self._ask(lambda shelf: shelf.let_go(key))

    async def keep_file(self, stored: StoredFile) -> None:
        """Keep which document a row's file became."""
        await self._change(lambda shelf: acts.keep_file(shelf, stored=stored))

    async def files(self, key: RowKey) -> tuple[StoredFile, ...]:
        """List the files of a row that are with the service."""
        return await self._ask(lambda shelf: shelf.files(key))

    async def keep_iwi_answer(
        self, place: Place, answer: IwiAnswer, *, at: datetime
    ) -> None:
        """Keep which iwi a place belongs to."""
        await self._change(
            lambda shelf: shelf.put_iwi_answer(place.key(), answer, at=at)
        )

    async def iwi_answers(
        self, *, since: datetime
    ) -> dict[tuple[float, float], IwiAnswer]:
        """Give what was kept at `since` or later."""
        return await self._ask(lambda shelf: shelf.iwi_answers(since))

    async def keep_approval(self, approval: Approval) -> None:
        """Keep who agreed to a plan."""
        await self._change(lambda shelf: acts.keep_approval(shelf, approval=approval))

    async def approvals(self) -> tuple[Approval, ...]:
        """List who agreed to which plan, the earliest first."""
        return await self._ask(lambda shelf: shelf.approvals())

    async def keep_receipt(self, key: RowKey, *, number: str, at: datetime) -> Entry:
        """Keep a row's receipt number and move it to RECEIPTED."""
        return await self._change(
            lambda shelf: acts.keep_receipt(shelf, key=key, number=number, at=at)
        )

    async def waits(self, keys: Iterable[RowKey]) -> dict[RowKey, Wait]:
        """Say how long rows have waited for tokens."""
        wanted = tuple(keys)
        return await self._ask(lambda shelf: shelf.waits(wanted))

    async def put_first(self, keys: Sequence[RowKey]) -> None:
        """Let rows be sent before all others."""
        wanted = tuple(keys)
        await self._change(lambda shelf: people.put_first(shelf, keys=wanted))

    async def put_back(self, keys: Iterable[RowKey]) -> None:
        """Let rows go in their usual order again."""
        wanted = frozenset(keys)
        await self._change(lambda shelf: people.put_back(shelf, keys=wanted))

    async def put_first_so_far(self) -> tuple[RowKey, ...]:
        """Name the rows that go before all others, in their order."""
        return await self._ask(lambda shelf: shelf.queue())

    async def keep_batch_owner(self, batch: BatchName, owner: str) -> None:
        """Keep who answers for a batch."""
        await self._change(
            lambda shelf: people.keep_owner(shelf, batch=batch, owner=owner)
        )

    async def batch_owners(self) -> dict[BatchName, str]:
        """Say who answers for which batch."""
        return await self._ask(lambda shelf: shelf.batch_owners())
