"""Whether rows that waited on a computer left its queue without a word."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from kawe.domain.batch.outcomes import BatchReport
from kawe.domain.batch.plans import Plan
from kawe.domain.rows.entries import Entry
from kawe.domain.service.states import AFTER_SEND, SETTLED, RowKey, State
from kawe.domain.sheet.findings import LATE_MISTAKES
from kawe.flows.report.reporting import Frame, report_batch
from kawe.flows.wait.queueing import STANDS_IN_QUEUE, all_waiting
from kawe.ports import Journal

_RESTS: Final = SETTLED | {
    *(State.SENT, State.UNCONFIRMED, State.HELD, State.INVALID, State.WITHDRAWN)
}
_NAMED_ELSEWHERE: Final = AFTER_SEND | {State.HELD, State.ABANDONED}
"""It is with iwi, or `kawe waiting` names it, or a person gave it up."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """How the rows of one journal stand, for who looks at its queue."""

    entries: Mapping[RowKey, Entry]
    listed: frozenset[RowKey]
    """The rows that some workbook has, as it was read last."""
    queue: frozenset[RowKey]
    """The rows that wait for tokens, also those that no workbook has any more."""
    missing: frozenset[str]
    """Markers of rows that a report calls missing from their workbook, and references
    of drafts that it names because no row has them."""

    @property
    def waiting(self) -> dict[RowKey, Entry]:
        """Give the rows that are on their way to a send, and shown somewhere."""
        return {
            key: entry
            for key, entry in self.entries.items()
            if key in self.listed and _is_on_its_way(entry)
        }

    def unsaid(self, waited: Mapping[RowKey, Entry], words: str) -> list[Entry]:
        """Give the rows that `waited`, and of which nothing tells any more."""
        return [entry for key, entry in waited.items() if not self._tells(entry, words)]

    def _tells(self, before: Entry, words: str) -> bool:
        now = self.entries.get(before.key)
        if before.content.name in words or before.marker in words:
            return True
        if now is None or now.state in _NAMED_ELSEWHERE:
            return now is not None
        if now.state in STANDS_IN_QUEUE:
            return now.key in self.queue
        return now.key in self.listed or now.marker in self.missing


def _is_on_its_way(entry: Entry) -> bool:
    return entry.wants_send and entry.state not in _RESTS


async def standing_of(journal: Journal) -> Standing:
    """Look at everything that a journal has."""
    entries: dict[RowKey, Entry] = {}
    batches = await journal.batches()
    for batch in batches:
        entries |= {each.key: each for each in await journal.entries(batch.name)}
    named = await journal.named(entries)
    waiting = await all_waiting([each.name for each in batches], journal=journal)
    missing: set[str] = set()
    for batch in batches if len(named) < len(entries) else ():
        frame = Frame(written_at=batch.read_at)
        report = await report_batch(batch, journal=journal, frame=frame)
        missing |= {*report.missing, *(draft.reference for draft in report.orphans)}
    return Standing(
        entries=entries,
        listed=frozenset(named),
        queue=frozenset(row.key for row in (*waiting.going, *waiting.missing)),
        missing=frozenset(missing),
    )


def agreed_words(plan: Plan) -> str:
    """Give what is said, before a run, of rows that its workbook has no more."""
    gone = (*plan.missing, *plan.staying)
    return "\n".join(f"{each.content.name} {each.marker}" for each in gone)


def words_of(report: BatchReport) -> str:
    """Give what a report says beside its rows, and which it calls wrong by now."""
    orphans = [f"{each.name} {each.reference}" for each in report.orphans]
    wrong = [
        f"{row.name} {row.reference}"
        for row in report.rows
        if any(each.rule == LATE_MISTAKES for each in row.findings)
    ]
    return "\n".join([*report.remarks, *orphans, *wrong])
