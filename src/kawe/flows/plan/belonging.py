"""Belonging: which batch a workbook continues, and which rows no workbook has.

A row stays in the batch that it came with, and may stand in several workbooks. Only
rows that were cut out of their own workbook are missing; a person says whether they
leave.
"""

import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Final

from kawe.domain.batch.plans import Plan
from kawe.domain.rows.entries import BatchName, Entry, PlacedLine, SheetReading
from kawe.domain.service.states import BEFORE_CREATE, FINISHED, IN_DOUBT, RowKey, State
from kawe.domain.sheet.columns import SheetKind
from kawe.domain.text.next_steps import Next
from kawe.domain.text.texts import fold, one_line, some_of
from kawe.errors import JournalError
from kawe.ports import Journal

MAY_BE_MISSING: Final = frozenset(
    {*BEFORE_CREATE, *IN_DOUBT, State.READY, State.WAIT_TOKENS} - {State.WITHDRAWN}
)
"""Nobody has to say whether a row leaves that is done, rests or is held."""
_SHOWN: Final = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """The workbook that a plan is made of."""

    workbook: Path
    read_at: datetime
    is_there: Callable[[SheetReading], bool] = lambda _: True
    """Says whether a sheet still lies where it was read earlier."""
    label: str = ""
    """Stands in the name of a new batch; empty for the only list of a workbook."""
    siblings: frozenset[str] = frozenset()
    """The other lists of the workbook: what they brought stays with them."""
    of_batch: str = ""
    """The batch whose rows kawe wrote into the workbook; empty where it wrote none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewSheet:
    """A sheet that was read just now, whose batch is sought."""

    source: Source
    kind: SheetKind
    sheet: str
    keys: Collection[RowKey]
    """Every row of it whose key can be read."""

    def is_at(self, earlier: SheetReading) -> bool:
        return earlier.sheet == self.sheet and self._is_in(earlier)

    def is_beside(self, earlier: SheetReading) -> bool:
        return earlier.sheet in self.source.siblings and self._is_in(earlier)

    def stands_for(self, earlier: SheetReading) -> bool:
        """Say whether it is what was read before, moved or renamed since."""
        return self.is_at(earlier) or not self.source.is_there(earlier)

    def _is_in(self, earlier: SheetReading) -> bool:
        return earlier.workbook == str(self.source.workbook)


@dataclass(frozen=True, slots=True, kw_only=True)
class Belonging:
    """The batch that a workbook continues."""

    name: BatchName
    opened_at: datetime | None
    """None for a new batch."""
    in_place_of: tuple[SheetReading, ...] = ()
    """Earlier readings of it, from where no sheet lies any more."""


async def belonging_of(
    new_sheet: NewSheet, *, known: Mapping[RowKey, Entry], journal: Journal
) -> Belonging:
    """Find the batch that a workbook continues, or name a new one.

    It continues the batch of more than half of its rows. At the place of an earlier
    reading, or after a move, half is enough, counting as many new rows as had mistakes
    there; or most of the rows left to do there; one row among many never is. A workbook
    without a new row continues the batch of most of its rows.
    """
    batches = {batch.name: batch for batch in await journal.batches()}
    beside = {n for n, batch in batches.items() if new_sheet.is_beside(batch.reading)}
    theirs = {key for key, entry in known.items() if entry.batch in beside}
    known = {key: entry for key, entry in known.items() if key not in theirs}
    new_sheet = replace(new_sheet, keys=set(new_sheet.keys) - theirs)
    if any(row.batch not in batches for row in known.values()):
        raise JournalError(
            message="The journal holds something that kawe did not write.",
            hint=f"Look at it with {Next.JOURNAL_VERIFY}.",
        )
    votes = Counter(
        row.batch for row in known.values() if batches[row.batch].kind is new_sheet.kind
    )
    # Of two that have as many of the rows, the one that was read last.
    latest = {name: place for place, name in enumerate(batches)}
    for name in sorted(votes, key=lambda each: (-votes[each], -latest[each])):
        readings = await journal.readings(name)
        stands_for = [each for each in readings if new_sheet.stands_for(each)]
        if await _joins(
            new_sheet, name, votes=votes, earlier=stands_for[-1:], journal=journal
        ):
            return Belonging(
                name=name,
                opened_at=batches[name].opened_at,
                in_place_of=tuple(
                    earlier for earlier in stands_for if not new_sheet.is_at(earlier)
                ),
            )
    of_batch = batches.get(BatchName(new_sheet.source.of_batch))
    if of_batch is not None and of_batch.kind is new_sheet.kind:
        # The rows of it that were to correct, which no journal knows.
        return Belonging(name=of_batch.name, opened_at=of_batch.opened_at)
    for batch in reversed(batches.values()):
        # No row of it was ever right: this is a new reading of it.
        is_same = batch.kind is new_sheet.kind and new_sheet.is_at(batch.reading)
        if is_same and not await journal.entries(batch.name):
            return Belonging(name=batch.name, opened_at=batch.opened_at)
    name = _new_name(new_sheet.source, taken=set(batches))
    return Belonging(name=name, opened_at=None)


async def _joins(
    new_sheet: NewSheet,
    name: BatchName,
    *,
    votes: Counter[BatchName],
    earlier: Sequence[SheetReading],
    journal: Journal,
) -> bool:
    """Say whether a workbook continues a batch.

    `earlier`: the last reading of that here, or where this was moved from; or none.
    """
    rows, shared = len(new_sheet.keys), votes[name]
    if 2 * shared > rows or votes.total() == rows:
        return True
    if not earlier:
        return False
    left = {row.key for row in await journal.unfinished(name) if _is_left(row)}
    going_on = len(left.intersection(new_sheet.keys))
    if 2 * shared == rows or (going_on > 1 and 2 * going_on > len(left)):
        return True
    # A row with mistakes is in no journal, and is a new one once it is corrected.
    were = [line.row for line in await journal.lines(name, reading=earlier[0])]
    again = len(set(were).intersection(new_sheet.keys))
    return 2 * min(rows, again + were.count(None)) >= rows


def _is_left(entry: Entry) -> bool:
    return entry.state not in FINISHED and entry.state is not State.WITHDRAWN


def _new_name(source: Source, *, taken: set[BatchName]) -> BatchName:
    stem = re.sub(r"\.result$", "", source.workbook.stem)
    base = "-".join(fold(f"{stem} {source.label}").split())[:40] or "batch"
    name, number = BatchName(base), 1
    while name in taken:
        number += 1
        name = BatchName(f"{base}-{number}")
    return name


async def with_missing(plan: Plan, new_sheet: NewSheet, *, journal: Journal) -> Plan:
    """Say in a plan which unfinished rows its workbook does not have.

    Rows that no other workbook has either are missing; the others stay, also those of
    another batch that was read from the same place.
    """
    batches = [
        each.name
        for each in await journal.batches()
        if each.name == plan.batch.name or new_sheet.is_at(each.reading)
    ]
    there = frozenset(new_sheet.keys)
    absent = [
        row
        for name in batches
        for row in await journal.unfinished(name)
        if row.key not in there and _is_left(row)
    ]
    names = [row.key for row in absent]
    kept = await elsewhere(names, new_sheet, journal=journal)
    of_this = [e.key for e in absent if e.batch == plan.batch.name]
    own = {key for key in of_this if not kept.get(key)}
    rest = [each for each in absent if each.key not in own]
    return replace(
        plan,
        missing=tuple(e for e in absent if e.key in own and e.state in MAY_BE_MISSING),
        staying=tuple(e for e in rest if e.wants_send or e.state is not State.DRAFTED),
    )


async def elsewhere(
    keys: Collection[RowKey], new_sheet: NewSheet, *, journal: Journal
) -> dict[RowKey, list[PlacedLine]]:
    """Give the lines that rows have in other sheets than this one.

    A sheet counts as long as it is there, and no newer batch was read from its place.
    """
    batches = [e for e in await journal.batches() if e.kind is new_sheet.kind]

    @cache
    def counts(it: SheetReading) -> bool:
        return not it.is_replaced(batches) and not new_sheet.stands_for(it)

    named = (await journal.named(keys)).items()
    return {key: [e for e in placed if counts(e.reading)] for key, placed in named}


def named_words(rows: Sequence[Entry]) -> str:
    """Name the first few of some rows by their references."""
    names = [one_line(row.marker, limit=60) for row in rows]
    return some_of(names, shown=_SHOWN, between="; ")
