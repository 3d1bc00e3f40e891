"""Rows with mistakes of which the service has something already.

Such a row is not sent and its draft is not changed; it still owns its draft.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from typing import Final

from kawe.domain.rows.entries import Entry, Line
from kawe.domain.service.states import (
    AFTER_SEND,
    BEFORE_CREATE,
    FINISHED,
    UNSENT,
    State,
)
from kawe.domain.service.verdicts import RowKey
from kawe.domain.sheet.findings import LATE_MISTAKES, Finding, Severity, blocks
from kawe.domain.sheet.refs import RowRef
from kawe.domain.text.texts import one_line
from kawe.flows.check.reusing import is_reused, readable_key
from kawe.flows.checked_rows import CheckedRow
from kawe.flows.marking import mark
from kawe.flows.settle.resolving import is_held_for_edit

_MISTAKES: Final = "what the row says now has mistakes, and is not applied."
_OF_SHEET: Final = "what it says now is not read before the sheet is corrected."
_STAYS: Final = "stays as it is, and is not sent until the row is corrected."
_TOO_LATE: Final = "Undo the edit here, or make it in the portal."
_CORRECT: Final = "Correct the row and submit the workbook again."


def lines_of(
    rows: Iterable[CheckedRow], *, known: Mapping[RowKey, Entry]
) -> dict[RowRef, Line]:
    """Give the lines of the rows that cannot be submitted."""
    checked = list(rows)
    # A row that is right is the row of its key, and no other can be.
    right = {row.key for row in checked if row.is_valid}
    free = {key: before for key, before in known.items() if key not in right}
    return {row.row.ref: _line(row, known=free) for row in checked if not row.is_valid}


def done_of(
    lines: Iterable[Line], *, known: Mapping[RowKey, Entry]
) -> frozenset[RowKey]:
    """Name the rows with mistakes that are done all the same."""
    named = [line for line in lines if line.row is not None]
    shared = shared_keys(named)
    return frozenset(
        line.row
        for line in named
        if line.row is not None
        and known[line.row].state in FINISHED
        and not is_to_correct(line, known[line.row], shared=shared)
    )


def shared_keys(lines: Iterable[Line]) -> frozenset[RowKey]:
    """Name the rows that more than one line could be."""
    counts = Counter(line.row for line in lines if line.row is not None)
    return frozenset(key for key, lines_of_it in counts.items() if lines_of_it > 1)


def is_to_correct(line: Line, entry: Entry, *, shared: Collection[RowKey]) -> bool:
    """Say whether to report a row as invalid, and not as `entry` stands.

    A doubt stays a doubt, and done stays done, unless several lines could be the row.
    """
    if not line.has_mistakes:
        return False
    if entry.state in BEFORE_CREATE | UNSENT or is_held_for_edit(entry):
        return True
    is_unclear = entry.key in shared or not blocks(line.findings)
    return is_unclear and entry.state in FINISHED - {State.UNCONFIRMED}


def _line(row: CheckedRow, *, known: Mapping[RowKey, Entry]) -> Line:
    """Give the line of a row that cannot be submitted, with its row if known."""
    key = None if is_reused(row) else readable_key(row)
    before = None if key is None else known.get(key)
    if before is None:
        return row.line(None)
    return row.line(before.key, _finding(row, before))


def _finding(row: CheckedRow, before: Entry) -> Finding:
    first = next((f for f in row.findings if f.severity is Severity.ERROR), None)
    words = _words(before, why=_OF_SHEET if first is None else _MISTAKES)
    if first is None:
        # The mistake is the sheet's, and is said there.
        return mark(
            row.row,
            "name",
            severity=Severity.NOTE,
            rule=LATE_MISTAKES,
            words=(words[0], ""),
        )
    return replace(
        first,
        severity=Severity.WARNING,
        rule=LATE_MISTAKES,
        message=words[0],
        advice=words[1],
    )


def _words(before: Entry, *, why: str) -> tuple[str, str]:
    marker = one_line(before.marker, limit=60)
    name = one_line(before.content.name, limit=80)
    if before.state in AFTER_SEND:
        return f"{marker} was already sent, as {name}; {why}", _TOO_LATE
    if before.state is State.ABANDONED:
        return f"{marker} was given up; {why}", ""
    if before.state in FINISHED:
        return f"{marker} was already {before.kind.done}; {why}", _TOO_LATE
    if before.state in BEFORE_CREATE:
        return f"Nothing is made of {marker} until the row is corrected.", _CORRECT
    if before.project_id is None:
        return f"Something of {marker} may be with the service; {why}", _CORRECT
    return f"{marker} has a draft, which {_STAYS}", _CORRECT
