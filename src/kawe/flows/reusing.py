"""References that another project had before: the row cannot have them too.

Next month's workbook is often last month's with other projects in it. Taken for
an edit, such a row would be reported as sent, and never be sent.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from kawe.domain.content import ProjectContent
from kawe.domain.entries import Entry, KnownRow
from kawe.domain.findings import Finding, Severity
from kawe.domain.identity import email_key, likeness_key, reference_key
from kawe.domain.new_zealand import day_in_new_zealand, day_words
from kawe.domain.states import AFTER_SEND, BEFORE_CREATE, State
from kawe.domain.texts import fold_name, one_line
from kawe.domain.updates import is_another_project
from kawe.domain.verdicts import RowKey
from kawe.flows.marking import mark
from kawe.flows.project_rows import CheckedRow
from kawe.ports import Journal

RULE: Final = "reference-used"
_DAYS: Final = ("start_date", "end_date", "respond_by_date")


def readable_key(row: CheckedRow) -> RowKey | None:
    """Give a row's key, as far as its reference or address says it.

    A row with mistakes is the row that it was before.
    """
    if row.key is not None:
        return row.key
    reference, email = row.row.value("reference"), row.row.value("email")
    if isinstance(reference, str):
        return reference_key(reference)
    return email_key(email) if isinstance(email, str) else None


def is_reused(row: CheckedRow) -> bool:
    """Say whether another project had the row's reference before."""
    return any(finding.rule == RULE for finding in row.findings)


async def mark_reused(
    rows: Sequence[CheckedRow], *, known: Mapping[RowKey, KnownRow], journal: Journal
) -> tuple[CheckedRow, ...]:
    """Mark the rows whose reference another project had before.

    Raises:
        JournalError: The journal cannot be read.
    """
    changed = {
        key
        for row in rows
        if (key := readable_key(row)) is not None
        and key in known
        and known[key].state not in BEFORE_CREATE
        and known[key].fingerprint != row.fingerprint
    }
    if not changed:
        return tuple(rows)
    before = await journal.find(changed)
    return tuple(_marked(row, before) for row in rows)


def _marked(row: CheckedRow, before: Mapping[RowKey, Entry]) -> CheckedRow:
    key = readable_key(row)
    entry = None if key is None else before.get(key)
    if (
        entry is None
        or not isinstance(entry.content, ProjectContent)
        or entry.content.reference is None
        or not is_another_project(entry.content, _likeness(row))
    ):
        return row
    return replace(row, findings=(*row.findings, _finding(row, entry)))


def _likeness(row: CheckedRow) -> Sequence[object]:
    if isinstance(row.content, ProjectContent):
        return likeness_key(row.content)
    name = row.row.value("name")
    days = (row.row.value(field) for field in _DAYS)
    return [fold_name(name) if isinstance(name, str) else None, None, None, *days]


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
            "Give this project a reference of its own.",
        ),
    )


def _since(entry: Entry) -> str:
    day = day_words(day_in_new_zealand(entry.moved_at))
    if entry.state in AFTER_SEND:
        return f"sent on {day}"
    if entry.state is State.ABANDONED:
        return f"given up on {day}"
    return "which has a draft" if entry.project_id else "which is in doubt"
