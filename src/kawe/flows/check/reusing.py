"""References that another project had before: the row cannot have them too.

Next month's workbook is often last month's with other projects in it. If kawe took such
a row for an edit, it would report the row as sent and never send it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from kawe.domain.rows.entries import Entry, KnownRow
from kawe.domain.rows.similarity import is_another_project
from kawe.domain.service.states import AFTER_SEND, BEFORE_CREATE, FINISHED, State
from kawe.domain.service.verdicts import RowKey
from kawe.domain.sheet.findings import Finding, Severity
from kawe.domain.text.new_zealand import day_in_new_zealand, day_words
from kawe.domain.text.texts import one_line
from kawe.flows.checked_rows import CheckedRow
from kawe.flows.marking import mark
from kawe.ports import Journal

RULE: Final = "reference-used"
_ANOTHER: Final = "Give this project a reference of its own."
_SAME: Final = (
    "Give this project a reference of its own. If it is the same project, undo the "
    "change: what was sent stays as it is."
)


def keys_of(rows: Iterable[CheckedRow]) -> frozenset[RowKey]:
    """Give the keys of rows, as far as they can be read."""
    return frozenset(row.key for row in rows if row.key is not None)


def is_reused(row: CheckedRow) -> bool:
    """Say whether another project had the row's reference before."""
    return any(finding.rule == RULE for finding in row.findings)


async def mark_reused(
    rows: Sequence[CheckedRow], *, known: Mapping[RowKey, KnownRow], journal: Journal
) -> tuple[CheckedRow, ...]:
    """Mark the rows whose reference another project had before."""
    changed = {
        row.key
        for row in rows
        if row.key is not None
        and row.key in known
        and known[row.key].state not in BEFORE_CREATE
        and known[row.key].fingerprint != row.fingerprint
    }
    if not changed:
        return tuple(rows)
    before = await journal.find(changed)
    return tuple(_marked(row, before) for row in rows)


def _marked(row: CheckedRow, before: Mapping[RowKey, Entry]) -> CheckedRow:
    entry = None if row.key is None else before.get(row.key)
    was = None if entry is None else entry.content.project
    if (
        entry is None
        or was is None
        or was.reference is None
        or row.project is None
        or not is_another_project(was, row.project, is_done=entry.state in FINISHED)
    ):
        return row
    return row.with_findings(_finding(row, entry))


def _finding(row: CheckedRow, entry: Entry) -> Finding:
    marker = one_line(entry.marker, limit=60)
    name = one_line(entry.content.name, limit=80)
    return mark(
        row.row,
        "reference",
        severity=Severity.ERROR,
        rule=RULE,
        words=(
            f"The reference {marker} was used already, for “{name}”, {_since(entry)}.",
            _SAME if entry.state in AFTER_SEND else _ANOTHER,
        ),
    )


def _since(entry: Entry) -> str:
    day = day_words(day_in_new_zealand(entry.moved_at))
    if entry.state in AFTER_SEND:
        return f"sent on {day}"
    if entry.state is State.ABANDONED:
        return f"given up on {day}"
    return "which has a draft" if entry.project_id else "which is in doubt"
