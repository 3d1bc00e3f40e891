"""Receipts and the rows that they prove: matched by name, kept in the journal."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Final

from kawe.domain.batch.outcomes import Outcome, outcome_of
from kawe.domain.rows.entries import Entry
from kawe.domain.service.service_words import Receipt
from kawe.domain.service.states import State
from kawe.errors import ServiceError
from kawe.flows.run import Run
from kawe.flows.scanning import scan_receipts
from kawe.ports import Journal

# The numbers are a convenience of the result: where the rate limit would make the
# person wait longer for them, the next run or an export finds them.
_PATIENCE_SECONDS: Final = 20.0


async def keep_receipt_numbers(run: Run) -> None:
    """Keep the receipt numbers of rows that are sent, so that the result has them.

    Nothing is asked where no row lacks its number. What the service does not give is
    left to the next run.
    """
    if run.stop.is_set():
        return
    sent = await sent_rows(run.journal)
    if not _by_unique_name(filter(_lacks_number, sent)):
        return
    try:
        async with asyncio.timeout(_PATIENCE_SECONDS):
            seen = await scan_receipts(
                run.lookups, team_id=run.account.team_id, stop=run.stop
            )
    except (ServiceError, TimeoutError):
        return
    rows = rows_by_receipt(sent, seen.items)
    for receipt in seen.items:
        row = rows.get(receipt.id)
        if row is not None and _lacks_number(row):
            await keep_receipt(run.journal, row, receipt, now=run.clock.now())


async def keep_receipt(
    journal: Journal, row: Entry, receipt: Receipt, *, now: datetime
) -> None:
    """Keep the number of a row's receipt, with the time that the receipt has.

    Of a project that somebody else sent, nothing else says when.
    """
    at = min(receipt.created_at, now)
    await journal.keep_receipt(row.key, number=receipt.receipt_number, at=at)


async def sent_rows(journal: Journal) -> list[Entry]:
    """List every row of the journal that is sent."""
    return [
        entry
        for batch in await journal.batches()
        for entry in await journal.entries(batch.name)
        if outcome_of(entry.state) is Outcome.SENT
    ]


def rows_by_receipt(
    sent: Iterable[Entry], receipts: Sequence[Receipt]
) -> dict[str, Entry]:
    """Match receipts to rows: by number, else by a name that one of each has."""
    rows = tuple(sent)
    by_number = {row.receipt_number: row for row in rows if row.receipt_number}
    by_name = _by_unique_name(row for row in rows if not row.receipt_number)
    names = Counter(
        each.project_name for each in receipts if each.receipt_number not in by_number
    )
    return {
        each.id: by_number.get(each.receipt_number) or by_name[each.project_name]
        for each in receipts
        if each.receipt_number in by_number
        or (names[each.project_name] == 1 and each.project_name in by_name)
    }


def _by_unique_name(sent: Iterable[Entry]) -> Mapping[str, Entry]:
    rows = tuple(sent)
    names = Counter(entry.content.name for entry in rows)
    return {row.content.name: row for row in rows if names[row.content.name] == 1}


def _lacks_number(row: Entry) -> bool:
    return row.state is State.CONFIRMED
