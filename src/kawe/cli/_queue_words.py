"""What is printed of the rows that wait for tokens."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any, Final

from kawe.domain.counts import counted
from kawe.domain.deadlines import deadlines_words
from kawe.domain.new_zealand import weekday_words
from kawe.domain.texts import one_line
from kawe.domain.tokens import packs_covering, packs_words
from kawe.domain.waiting import WaitingRow
from kawe.flows.queueing import Queue

SHOWN: Final = 20
"""How many rows are printed when nobody asks for all."""


def queue_lines(queue: Queue, *, now: datetime, shown: int | None) -> Iterator[str]:
    """Say which rows wait, in their order, and what would let them go."""
    if not queue.rows:
        yield "No row waits for tokens."
        yield from missing_lines(queue, shown=shown)
        yield from _doubt_lines(queue)
        return
    rows = counted(len(queue.rows), "row waits", "rows wait")
    yield f"{rows} for tokens. When tokens come, this is the order:"
    for row in queue.rows[:shown]:
        yield title_line(row)
        yield f"        {_date(row)}"
        yield f"        {_waiting(row, now=now)}"
        if row.deadline():
            yield f"        {row.deadline()}"
    left = len(queue.rows) - (shown or len(queue.rows))
    if left > 0:
        yield f"  … and {left:,} more: kawe deferred --all shows them."
    yield from _owner_lines(queue.rows)
    yield from _token_lines(queue.rows)
    yield from missing_lines(queue, shown=shown)
    yield from _doubt_lines(queue)


def missing_lines(queue: Queue, *, shown: int | None) -> Iterator[str]:
    """Name the rows that no workbook has any more, and say what to do."""
    if not queue.missing:
        return
    is_one = len(queue.missing) == 1
    rows = counted(len(queue.missing), "row that waits is", "rows that wait are")
    yield f"{rows} no longer in the workbook, and not sent until {_it(is_one)} there:"
    for row in queue.missing[:shown]:
        words = f"{row.entry.marker} ({row.content.name}), batch {row.entry.batch}"
        yield f"        {one_line(words)}"
    left = len(queue.missing) - (shown or len(queue.missing))
    if left > 0:
        yield f"        … and {left:,} more: kawe deferred --all shows them."
    yield "Put them back and submit the workbook, or take them out of the queue: kawe"
    yield "deferred drop ROW. All leave when it is submitted with --accept missing."


def _it(is_one: bool) -> str:  # noqa: FBT001 - one or many
    return "it is" if is_one else "they are"


def title_line(row: WaitingRow) -> str:
    """Name a row and its turn."""
    name = one_line(row.content.name, limit=50)
    return f"{row.turn:>5}.  {one_line(row.entry.marker, limit=40)} ({name})"


def queue_document(queue: Queue, *, exit_code: int, what: str = "") -> dict[str, Any]:
    """Make the JSON document of a queue; its schema is stable."""
    needed = len(queue.rows)
    return {
        "schema": f"kawe.deferred-{what}/1" if what else "kawe.deferred/1",
        "exit_code": exit_code,
        "tokens_needed": needed,
        "packs": list(packs_covering(needed)),
        "in_doubt": queue.in_doubt,
        "warning": _warning(queue.rows),
        "rows": [_row_document(row) for row in queue.rows],
        "no_longer_in_workbook": [_row_document(row) for row in queue.missing],
    }


def _date(row: WaitingRow) -> str:
    return f"respond by {weekday_words(row.content.respond_by_on)}: {row.left()}"


def _waiting(row: WaitingRow, *, now: datetime) -> str:
    age = row.age(now)
    words = f"waits {age}, {row.why()}" if age else row.why()
    first = "; put first by a person" if row.is_put_first else ""
    return f"{words}; {one_line(f'{row.where} of {row.entry.batch}')}{first}"


def _owner_lines(rows: Sequence[WaitingRow]) -> Iterator[str]:
    owners = {row.entry.batch: row.owner for row in rows if row.owner}
    for batch, owner in owners.items():
        yield f"Who answers for {one_line(batch)}: {one_line(owner)}"


def _token_lines(rows: Sequence[WaitingRow]) -> Iterator[str]:
    warning = _warning(rows)
    if warning:
        yield warning
    needed = len(rows)
    yield (
        f"{counted(needed, 'token is', 'tokens are')} needed; where the team has none, "
        f"{packs_words(packs_covering(needed))} would do."
    )
    yield "kawe never buys: an owner of the team does, in the portal. When they are"
    yield "there, run kawe release; kawe release --wait looks for them by itself."


def _doubt_lines(queue: Queue) -> Iterator[str]:
    if queue.in_doubt:
        rows = counted(queue.in_doubt, "row is", "rows are")
        yield f"{rows} in doubt besides: kawe release asks the service about them."


def _warning(rows: Sequence[WaitingRow]) -> str:
    if not rows:
        return ""
    days = (row.content.respond_by_on for row in rows)
    return deadlines_words(days, today=rows[0].today)


def _row_document(row: WaitingRow) -> dict[str, Any]:
    wait = row.wait
    refused_at = None if wait is None else wait.refused_at
    return {
        "turn": None if row.where is None else row.turn,
        "sheet": None if row.where is None else row.where.sheet,
        "row": None if row.where is None else row.where.row,
        "reference": row.entry.marker,
        "name": row.content.name,
        "batch": row.entry.batch,
        "owner": row.owner,
        "respond_by": row.content.respond_by_on.isoformat(),
        "days_left": row.days_left,
        "working_days_left": row.working_days_left,
        "warning": row.deadline(),
        "waits_since": None if wait is None else wait.since_at.isoformat(),
        "refused_at": None if refused_at is None else refused_at.isoformat(),
        "why": row.why(),
        "put_first": row.is_put_first,
        "project_id": row.entry.project_id,
    }
