"""The queue of rows that wait for tokens."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from kawe.cases.choices import find_batch, nobody
from kawe.cases.kit import Toolkit
from kawe.days import NewZealandDays
from kawe.domain.batch.waiting import WaitingRow
from kawe.domain.rows.entries import Batch
from kawe.domain.service.states import RowKey
from kawe.domain.text.new_zealand import local_time
from kawe.domain.text.table_doc import TableDoc
from kawe.domain.text.texts import counted, one_line
from kawe.errors import SettingsError
from kawe.flows.wait.queueing import Queue, QueueReader, drop
from kawe.ports import Journal
from kawe_xlsx.cells import RawValue

_HEADINGS: Final = (
    "Turn",
    "Row",
    "Reference",
    "Name",
    "Batch",
    "Respond by",
    "Working days left",
    "Days left",
    "Watch out",
    "Waits since",
    "Why it waits",
    "Put first",
    "Who answers for it",
    "Project id",
)
_NOT_THERE: Final = "No longer in the workbook: not sent until it is."


async def read_queue(
    toolkit: Toolkit, journal: Journal, *, batch: str | None = None
) -> Queue:
    """List the rows that wait for tokens; ask the service nothing.

    Raises:
        SettingsError: No batch is called `batch`.
        JournalError: The journal cannot be read.
    """
    batches: Sequence[Batch] = await journal.batches()
    if batch is not None:
        batches = [find_batch(tuple(batches), name=batch)]
    queue_reader = QueueReader(
        journal=journal,
        clock=toolkit.clock,
        working_days=NewZealandDays(),
        nobody=nobody(),
    )
    return await queue_reader.read(batches)


async def look_at_queue(toolkit: Toolkit, *, batch: str | None = None) -> Queue:
    """List the rows that wait for tokens, with no journal held for writing.

    Raises:
        SettingsError: No batch is called `batch`.
        JournalError: There is no journal and a batch is named, or it cannot be read.
    """
    if batch is None and not toolkit.has_journal:
        return Queue()
    async with toolkit.open_journal(read_only=True) as journal:
        return await read_queue(toolkit, journal, batch=batch)


async def put_first(
    toolkit: Toolkit,
    names: Sequence[str],
    *,
    batch: str | None = None,
    undo: bool = False,
) -> tuple[list[WaitingRow], Queue]:
    """Let rows go before all others, or in the usual order again; give the queue.

    Raises:
        SettingsError: One of `names` is no waiting row, or is that of several.
        JournalError: The journal cannot be written.
    """
    async with toolkit.open_journal(read_only=False) as journal:
        queue = await read_queue(toolkit, journal, batch=batch)
        chosen = chosen_rows(queue.rows, names)
        keys = [row.entry.key for row in chosen]
        await (journal.put_back(keys) if undo else journal.put_first(keys))
        return chosen, await read_queue(toolkit, journal)


async def drop_rows(
    toolkit: Toolkit, names: Sequence[str], *, batch: str | None = None
) -> tuple[list[WaitingRow], Queue]:
    """Take rows out of the queue for good; give the queue that is left.

    Raises:
        SettingsError: One of `names` is no waiting row, or is that of several.
        JournalError: The journal cannot be written.
    """
    async with toolkit.open_journal(read_only=False) as journal:
        queue = await read_queue(toolkit, journal, batch=batch)
        chosen = chosen_rows((*queue.rows, *queue.missing), names)
        await drop(chosen, journal=journal, clock=toolkit.clock)
        return chosen, await read_queue(toolkit, journal)


def dropped_lines(chosen: Sequence[WaitingRow], *, still: int) -> Iterator[str]:
    """Say which rows left the queue, what became of their drafts, and what waits on."""
    for row in chosen:
        words = f"{row.entry.marker} ({row.entry.content.name}) waits no more"
        yield f"{one_line(words)}: kawe does not send it."
    if drafts := sum(row.entry.kind.has_drafts for row in chosen):
        its, it = ("Its draft stays", "it") if drafts == 1 else ("Drafts stay", "them")
        portal = f"in the portal a person can send {it} or remove {it}"
        yield f"{its} with the service; {portal}."
    yield f"{counted(still, 'row still waits', 'rows still wait')}."


def chosen_rows(rows: Sequence[WaitingRow], names: Sequence[str]) -> list[WaitingRow]:
    """Find rows by reference or as Projects!7.

    Raises:
        SettingsError: One of them is not among `rows`, or several are called so.
    """
    chosen: dict[RowKey, WaitingRow] = {}
    for name in names:
        found = [
            row
            for row in rows
            if name in {row.entry.key, row.entry.marker, row.where and str(row.where)}
        ]
        if len(found) != 1:
            raise _not_found(name, found, rows=rows)
        chosen[found[0].entry.key] = found[0]
    return list(chosen.values())


def write_queue(queue: Queue, path: Path) -> None:
    """Write the queue as a workbook.

    Raises:
        ResultNotWritable: It cannot be written.
    """
    from kawe.workbook.results.tables import write_table  # noqa: PLC0415 (start-up)

    write_table(
        path,
        TableDoc(
            title="Waiting for tokens",
            headings=_HEADINGS,
            rows=[_cells(row) for row in (*queue.rows, *queue.missing)],
        ),
    )


def _cells(row: WaitingRow) -> list[RawValue]:
    since = None if row.wait is None else local_time(row.wait.since_at)
    return [
        None if row.where is None else row.turn,
        None if row.where is None else str(row.where),
        row.entry.marker,
        row.entry.content.name,
        row.entry.batch,
        row.respond_by_on,
        row.working_days_left,
        row.days_left,
        _NOT_THERE if row.where is None else row.deadline() or None,
        since,
        row.why(),
        "yes" if row.is_put_first else None,
        row.owner or None,
        row.entry.project_id,
    ]


def _not_found(
    name: str, found: Sequence[WaitingRow], *, rows: Sequence[WaitingRow]
) -> SettingsError:
    shown = one_line(name, limit=60)
    if found:
        places = ", ".join(
            f"{row.entry.marker} ({row.where}) of {row.entry.batch}" for row in found
        )
        return SettingsError(
            message=f"Several rows that wait are called {shown}.",
            hint="Name one by its reference, or by sheet and row as they stand in "
            f"brackets: {one_line(places)}.",
        )
    names = ", ".join(row.entry.marker for row in rows[:20]) or "none"
    return SettingsError(
        message=f"No row that waits for tokens is called {shown}.",
        hint=f"Rows that wait are: {one_line(names, limit=600)}. kawe looked into this "
        "one journal alone.",
    )
