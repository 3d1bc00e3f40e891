"""The queue of rows that wait for tokens: reported, ordered, released, and left."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Any, Final

from kawe.domain.batch.agreements import Budget, packs_covering
from kawe.domain.batch.waiting import (
    WaitingRow,
    deadline_words,
    deadlines_words,
    in_order,
    may_leave,
    tokens_so_far,
    with_days,
)
from kawe.domain.rows.entries import Batch, BatchName, Entry, Line
from kawe.domain.service.states import (
    IN_DOUBT,
    MAX_SENDS,
    WAITS,
    RowKey,
    State,
    Step,
    doubts_about,
)
from kawe.domain.text.new_zealand import day_in_new_zealand
from kawe.domain.text.texts import counted
from kawe.flows.kinds import Kind
from kawe.flows.lost_sends import note_lost_sends
from kawe.flows.naming_iwi import hold_elsewhere
from kawe.flows.run import Run
from kawe.flows.settle.reconciling import reconcile
from kawe.flows.submit.submitting import report_others, send_round
from kawe.ports import Clock, Journal, WorkingDays

STANDS_IN_QUEUE: Final = WAITS | {State.READY}
"""Waits for a token, or was stopped on its way out."""
SEND_IN_DOUBT: Final = doubts_about(Step.SEND)
"""The send may have happened, and have its token."""
DROPPED: Final = "A person took the row out of the queue for tokens."


@dataclass(frozen=True, slots=True, kw_only=True)
class Queue:
    """What waits for tokens in some batches."""

    rows: tuple[WaitingRow, ...] = ()
    """In the order in which they are sent."""
    missing: tuple[WaitingRow, ...] = ()
    """Those that no workbook has any more: they are not sent until one has."""
    in_doubt: tuple[Entry, ...] = ()
    """Rows of which it is not certain whether the service did what was asked."""

    @property
    def for_tokens(self) -> list[WaitingRow]:
        return [row for row in self.rows if row.entry.state in WAITS]

    @property
    def tokens_needed(self) -> int:
        return tokens_so_far(e.entry.content.turns_in for e in self.for_tokens)[-1]

    @property
    def left_words(self) -> str:
        """Say how many rows no run has come to; empty: it is so of none."""
        left = len(self.rows) - len(self.for_tokens)
        rows, its = counted(left, "row is", "rows are"), "it" if left == 1 else "them"
        why = f"the run stopped before {its}, or is still at work"
        return f"{rows} left: {why}." if left else ""

    @property
    def warning(self) -> str:
        """Say which rows will miss their date unless tokens come."""
        rows = self.for_tokens
        days = filter(None, (row.respond_by_on for row in rows))
        return deadlines_words(days, today=rows[0].today) if rows else ""

    def as_json(self) -> dict[str, Any]:
        """Give the rows and the tokens that they need."""
        return {
            "tokens_needed": self.tokens_needed,
            "packs": list(packs_covering(self.tokens_needed)),
            "in_doubt": [each.marker for each in self.in_doubt],
            "warning": self.warning,
            "rows": [row.as_json() for row in self.rows],
            "no_longer_in_workbook": [row.as_json() for row in self.missing],
        }


async def queue_of(
    batches: Sequence[Batch],
    *,
    journal: Journal,
    clock: Clock,
    working_days: WorkingDays,
    nobody: str = "",
    run_began_at: datetime | None = None,
) -> Queue:
    """Give the rows of `batches` that wait for tokens.

    `nobody` answers where a batch names nobody; a run goes on since `run_began_at`.
    """
    found = await all_waiting([batch.name for batch in batches], journal=journal)
    first = await journal.put_first_so_far()
    standing = [each for each in found.going if each.state in STANDS_IN_QUEUE]
    entries = [*in_order(standing, first=first), *found.missing]
    owners = await journal.batch_owners()
    waits = await journal.waits([entry.key for entry in entries])
    today, lines = day_in_new_zealand(clock.now()), found.lines
    rows = [
        WaitingRow(
            turn=turn,
            entry=entry,
            respond_by_on=on,
            where=lines[entry.key].where if entry.key in lines else None,
            wait=waits.get(entry.key),
            today=today,
            working_days_left=None
            if on is None
            else working_days.until(on, today=today),
            owner=owners.get(entry.batch, nobody),
            is_put_first=entry.key in first,
        )
        for turn, entry in enumerate(entries, start=1)
        for on in [entry.content.respond_by_on]
    ]
    return Queue(
        rows=tuple(row for row in rows if row.where is not None),
        missing=tuple(row for row in rows if row.where is None),
        in_doubt=tuple(e for e in found.in_doubt if not e.is_in_flight(run_began_at)),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """The rows of some batches that wait for tokens."""

    going: tuple[Entry, ...]
    """Those that a release takes: their sends are asked for, or in doubt."""
    missing: tuple[Entry, ...]
    """Those that no workbook has any more."""
    lines: Mapping[RowKey, Line]
    """Where they stand."""
    in_doubt: tuple[Entry, ...]
    """Rows of which any act is in doubt, sends or others."""


async def all_waiting(batches: Sequence[BatchName], *, journal: Journal) -> Waiting:
    """Find the rows that wait for tokens, or whose run stopped before their send.

    A row that no workbook has, or that has mistakes, keeps its draft and is not sent. A
    send in doubt is asked about in any case.
    """
    stands = STANDS_IN_QUEUE | IN_DOUBT
    waiting = [e for n in batches for e in await journal.unfinished(n, states=stands)]
    rows = [row for row in waiting if row.state in STANDS_IN_QUEUE | SEND_IN_DOUBT]
    lines = await lines_of_rows([row.key for row in rows], journal=journal)
    return Waiting(
        going=tuple(
            row
            for row in rows
            if row.state in SEND_IN_DOUBT
            or (row.key in lines and not lines[row.key].has_mistakes)
        ),
        missing=tuple(
            row for row in rows if row.state in STANDS_IN_QUEUE and row.key not in lines
        ),
        lines=lines,
        in_doubt=tuple(row for row in waiting if row.state in IN_DOUBT),
    )


async def lines_of_rows(
    keys: Sequence[RowKey], *, journal: Journal
) -> dict[RowKey, Line]:
    """Give the line of each row in the workbook that was read last of those with it."""
    return {key: placed[0].line for key, placed in (await journal.named(keys)).items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueOrder:
    """When the rows of one workbook go that wait for tokens."""

    by_row: Mapping[RowKey, int]
    """Counted from 1."""
    today: date
    warning: str
    """Which rows will miss their date, and by when tokens must come; or nothing."""

    def deadline(self, entry: Entry) -> str:
        """Say by when a row's token must come; nothing where that is far."""
        respond_by_on = entry.content.respond_by_on
        if entry.key not in self.by_row or respond_by_on is None:
            return ""
        return deadline_words(respond_by_on, today=self.today)


async def turns_of(
    entries: Sequence[Entry], *, journal: Journal, at: datetime
) -> QueueOrder:
    """Say in which order the rows of a workbook go that wait for tokens."""
    waiting = [each for each in entries if each.state in WAITS]
    ordered = in_order(waiting, first=await journal.put_first_so_far())
    today = day_in_new_zealand(at)
    return QueueOrder(
        by_row={row.key: turn for turn, row in enumerate(ordered, start=1)},
        today=today,
        warning=deadlines_words([on for _, on in with_days(ordered)], today=today),
    )


async def drop(rows: Iterable[WaitingRow], *, journal: Journal, clock: Clock) -> None:
    """Take rows out of the queue for good; their drafts stay with the service.

    After a power cut in between, a row is held, and not sent.

    Raises:
        JournalError: A row does not wait any more.
    """
    keys = [row.entry.key for row in rows]
    for state in (State.HELD, State.ABANDONED):
        await journal.move_all(keys, state, at=clock.now(), reason=DROPPED)


_ROUNDS = MAX_SENDS + 1


async def waiting(batches: Sequence[BatchName], *, journal: Journal) -> list[Entry]:
    return list((await all_waiting(batches, journal=journal)).going)


def sends_in_doubt(entries: Sequence[Entry]) -> int:
    """Count the sends in doubt: they may have their token already."""
    return sum(entry.state in SEND_IN_DOUBT for entry in entries)


async def release(batches: Sequence[BatchName], *, run: Run, budget: Budget) -> None:
    """Send what waits for tokens, as far as `budget` goes.

    Rows of an interrupted release go on too. Each row's dates and draft are checked
    again. `run.stop.because` says why it stopped early.
    """
    first = await run.journal.put_first_so_far()
    rows = [e for e in await waiting(batches, journal=run.journal) if e.key in first]
    await _release_acts(in_order(rows, first=first), run=run, budget=budget)
    await _release_rounds(batches, run=run, budget=budget)
    found = await all_waiting(batches, journal=run.journal)
    rows = in_order(found.going, first=first)
    await _release_acts(rows, run=run, budget=budget, doubts=found.in_doubt)
    await report_others(run)
    await note_lost_sends(run)


async def _release_acts(
    rows: Sequence[Entry], *, run: Run, budget: Budget, doubts: Sequence[Entry] = ()
) -> None:
    """Settle doubts, then take the steps that cost tokens, and have no draft."""
    queued = [e for e in rows if e.state is State.QUEUED and budget.lets_go(e)]
    most = budget.sends(run.tally.tokens + len(queued))
    budget = budget if budget.balance is None else replace(budget, max_tokens=most)
    rows = [*doubts, *queued]
    for kind in {each.kind: None for each in rows}:
        if not run.stop.is_set():
            of_kind = [each for each in rows if each.kind is kind]
            await Kind.of(kind).release(run, of_kind, budget=budget)


async def _release_rounds(
    batches: Sequence[BatchName], *, run: Run, budget: Budget
) -> None:
    rows = filter(budget.lets_go, await waiting(batches, journal=run.journal))
    going = [each for each in rows if each.state in STANDS_IN_QUEUE]
    await hold_elsewhere(run, going[: budget.sends(len(going))])
    for _ in range(_ROUNDS):
        await reconcile(run, await _entries(batches, run=run), wait=False)
        if run.stop.is_set():
            return
        today = day_in_new_zealand(run.clock.now())
        going = [
            entry
            for entry, on in with_days(await waiting(batches, journal=run.journal))
            if entry.state in STANDS_IN_QUEUE
            and await _still_makes_sense(run, entry, on, today=today)
        ]
        if budget.sends(len(going)) == 0:
            # The others wait already.
            going = [entry for entry in going if entry.state is State.READY]
        entries = await _entries(batches, run=run)
        sent = [entry for entry in entries if entry.state is State.SENT]
        # The balance may be old: one send shows whether there are tokens.
        await send_round(run, [*sent, *going], budget=budget, probe=True)
        left = await _entries(batches, run=run)
        if run.stop.is_set() or not sends_in_doubt(left):
            return
        # What is proven unsent here is sent in the next round.
        await reconcile(run, left, wait=True)


async def _entries(batches: Sequence[BatchName], *, run: Run) -> list[Entry]:
    return [each for name in batches for each in await run.journal.unfinished(name)]


async def _still_makes_sense(
    run: Run, entry: Entry, respond_by_on: date, *, today: date
) -> bool:
    if may_leave(respond_by_on, today=today):
        return True
    await run.move(
        entry,
        State.HELD,
        reason="Respond by has passed while the row waited for tokens.",
    )
    return False
