"""What one transaction can look up and put down: the part that differs.

A shelf decides nothing. What may be put on it is said in `rules` and
`reading`, and asked for in `acts`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from typing import Protocol

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
from kawe.domain.service.places import IwiAnswer
from kawe.domain.service.service_words import ProjectId
from kawe.domain.service.verdicts import Attempt, Intent, RowKey, Step
from kawe.journal.events import Event
from kawe.journal.reading import RowMerge
from kawe.journal.rules import Change


class Shelf(Protocol):
    """Everything that a journal keeps, within one transaction."""

    def binding(self) -> Binding | None:
        """Give whom the journal belongs to."""
        ...

    def put_binding(self, binding: Binding) -> None:
        """Write whom the journal belongs to, in place of what stood there."""
        ...

    def batches(self) -> tuple[Batch, ...]:
        """Give all batches, the latest read last."""
        ...

    def put_batch(self, batch: Batch) -> None:
        """Write a batch, in place of the one of that name."""
        ...

    def readings(self, batch: BatchName) -> tuple[SheetReading, ...]:
        """Give the sheets that a batch was read from, the latest read last."""
        ...

    def drop_reading(self, reading: SheetReading) -> None:
        """Remove a sheet that was read, and its lines."""
        ...

    def lines(self, reading: SheetReading) -> tuple[Line, ...]:
        """Give the lines of a sheet in their order."""
        ...

    def put_lines(self, reading: SheetReading, lines: Sequence[Line]) -> None:
        """Write a sheet as the one read last, in place of the lines that it had."""
        ...

    def named(self, keys: Iterable[RowKey]) -> dict[RowKey, tuple[PlacedLine, ...]]:
        """Give the lines that name those rows, the latest read first."""
        ...

    def entries(self, batch: BatchName) -> tuple[Entry, ...]:
        """Give the rows of a batch by position, then key."""
        ...

    def unfinished(self, batch: BatchName) -> tuple[Entry, ...]:
        """Give the rows of a batch that are not settled, by position, then key."""
        ...

    def entry(self, key: RowKey) -> Entry | None:
        """Give one row, where it is known."""
        ...

    def find(self, keys: Iterable[RowKey]) -> dict[RowKey, Entry]:
        """Give those rows of `keys` that are known."""
        ...

    def known(self, keys: Iterable[RowKey]) -> dict[RowKey, KnownRow]:
        """Give those rows of `keys` that are known, without what they say."""
        ...

    def made(
        self, wanted: Callable[[Entry], bool], *, beside: Iterable[RowKey]
    ) -> tuple[Entry, ...]:
        """Give the `wanted` rows that have a project, without those of `beside`."""
        ...

    def put_read(self, read: Sequence[tuple[Entry, RowMerge]]) -> None:
        """Write rows as their workbook has them, each as its reading says."""
        ...

    def owner_of(self, project: ProjectId) -> RowKey | None:
        """Give the row that a project is bound to."""
        ...

    def attempts_made(self, keys: Sequence[RowKey], *, step: Step) -> dict[RowKey, int]:
        """Count intents of one step; rows that have none are left out."""
        ...

    def latest_intent(self, key: RowKey) -> Intent | None:
        """Give a row's latest intent, open or not."""
        ...

    def attempts(self, key: RowKey) -> tuple[Attempt, ...]:
        """Give a row's attempts, the oldest first."""
        ...

    def doubted_creates(self, batch: BatchName) -> tuple[RowKey, ...]:
        """Give the rows of a batch with a create that was ever in doubt."""
        ...

    def let_go(self, key: RowKey) -> str:
        """Give the reason of a row's latest move out of HELD, or nothing."""
        ...

    def put_event(self, event: Event) -> None:
        """Add an event behind all others."""
        ...

    def put_changes(self, changes: Sequence[Change]) -> None:
        """Write how rows stand now, and add the events that tell of it, in order."""
        ...

    def files(self, key: RowKey) -> tuple[StoredFile, ...]:
        """Give the files of a row, the first kept first."""
        ...

    def file_of(self, document_id: str) -> StoredFile | None:
        """Give the file that a document was made of."""
        ...

    def put_file(self, stored: StoredFile) -> None:
        """Write a row's file, in place of the same bytes under the same name."""
        ...

    def iwi_answers(self, since: datetime) -> dict[tuple[float, float], IwiAnswer]:
        """Give what was kept of places at `since` or later."""
        ...

    def put_iwi_answer(
        self, place: tuple[float, float], answer: IwiAnswer, *, at: datetime
    ) -> None:
        """Write what is known of a place, in place of what stood there."""
        ...

    def waits(self, keys: Iterable[RowKey]) -> dict[RowKey, Wait]:
        """Give how long those rows of `keys` have waited that ever did."""
        ...

    def queue(self) -> tuple[RowKey, ...]:
        """Give the rows that go before all others, in their order."""
        ...

    def put_queue(self, keys: Sequence[RowKey]) -> None:
        """Write which rows go before all others, in place of those that did."""
        ...

    def batch_owners(self) -> dict[BatchName, str]:
        """Give who answers for which batch."""
        ...

    def put_batch_owner(self, batch: BatchName, owner: str) -> None:
        """Write who answers for a batch, in place of who stood there."""
        ...

    def approvals(self) -> tuple[Approval, ...]:
        """Give who agreed to which plan, the earliest first."""
        ...

    def put_approval(self, approval: Approval) -> None:
        """Write who agreed to a plan, where that is not written yet."""
        ...
