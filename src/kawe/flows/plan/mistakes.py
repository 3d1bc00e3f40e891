"""Rows with mistakes of which the service has something already.

Such a row is not sent and its draft is not changed; it still owns its draft.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Final

from kawe.domain.rows.entries import Entry, Line
from kawe.domain.rows.identity import is_unedited
from kawe.domain.service.states import (
    AFTER_SEND,
    BEFORE_CREATE,
    FINISHED,
    UNSENT,
    RowKey,
    State,
)
from kawe.domain.sheet.findings import LATE_MISTAKES, RowRef, Severity
from kawe.domain.text.texts import one_line
from kawe.flows.check.reusing import is_reused
from kawe.flows.checked_rows import CheckedRow, mark
from kawe.flows.plan.editing import as_sent
from kawe.flows.settle.resolving import is_held_for_edit

_MISTAKES: Final = "what the row says now has mistakes, and is not applied."
_OF_SHEET: Final = "what it says now is not read before the sheet is corrected."
_STAYS: Final = "stays as it is, and is not sent until the row is corrected."
_TOO_LATE: Final = "Undo the edit here, or make it in the portal."
_CORRECT: Final = "Correct the row and submit the workbook again."


def lines_of(
    rows: Iterable[CheckedRow], *, known: Mapping[RowKey, Entry]
) -> dict[RowRef, Line]:
    """Give the lines of the rows that cannot be submitted.

    Of several with one key the first is its row, unless another one says what the row
    said: so what was sent stays counted once.
    """
    checked = list(rows)
    # A row that is right is the row of its key, and no other can be.
    right = {row.key for row in checked if row.is_valid}
    free = {key: before for key, before in known.items() if key not in right}
    wrong = [row for row in checked if not row.is_valid]
    lines = {row.row.ref: row.line(None) for row in wrong}
    befores = [(row, free[row.key]) for row in wrong if row.key and row.key in free]
    for row, before in sorted(befores, key=_says_something_else):
        if before.key in free and not is_reused(row):
            lines[row.row.ref] = _line(row, free.pop(before.key))
    return lines


def done_of(
    lines: Iterable[Line], *, known: Mapping[RowKey, Entry]
) -> frozenset[RowKey]:
    return frozenset(
        line.row
        for line in lines
        if line.row is not None
        and known[line.row].state in FINISHED
        and not is_to_correct(line, known[line.row])
    )


def is_to_correct(line: Line, entry: Entry) -> bool:
    """Say whether to report a row as invalid, and not as `entry` stands.

    A doubt stays a doubt, and done stays done.
    """
    is_open = entry.state in BEFORE_CREATE | UNSENT or is_held_for_edit(entry)
    return line.has_mistakes and is_open


def without_what_is_over(line: Line, entry: Entry) -> Line:
    """Leave out what was said of a row that was not done then, and is done now.

    Another workbook may have sent it since.
    """
    if entry.state not in FINISHED:
        return line
    done = _done_words(entry)
    still = [
        as_sent(each) if entry.state in AFTER_SEND else each
        for each in line.findings
        if each.rule != LATE_MISTAKES or each.message.startswith(done)
    ]
    return replace(line, findings=tuple(still))


def _says_something_else(pair: tuple[CheckedRow, Entry]) -> bool:
    row, before = pair
    return not is_unedited(before.fingerprint, row.fingerprint)


def _line(row: CheckedRow, before: Entry) -> Line:
    """Give the line of a row that cannot be submitted, and is a row of the journal."""
    first = next((f for f in row.findings if f.severity is Severity.ERROR), None)
    is_done = before.state in FINISHED
    is_same = first is None or is_unedited(before.fingerprint, row.fingerprint)
    severity = Severity.NOTE if is_done and is_same else Severity.WARNING
    message, advice = _words(before, why=_OF_SHEET if first is None else _MISTAKES)
    if severity is Severity.NOTE:
        message, advice = f"{_done_words(before)}, and stays so.", ""
    if first is None:
        # The mistake is the sheet's, and is said there.
        found = mark(
            row.row, "name", Severity.NOTE, rule=LATE_MISTAKES, message=message
        )
    else:
        found = replace(
            first,
            severity=severity,
            rule=LATE_MISTAKES,
            message=message,
            advice=advice,
        )
    return row.line(before.key, found)


def _words(before: Entry, *, why: str) -> tuple[str, str]:
    # Without the row's name: the same of many rows is said once.
    if before.state is State.ABANDONED:
        return f"{_done_words(before)}; {why}", ""
    if before.state in FINISHED:
        return f"{_done_words(before)}; {why}", _TOO_LATE
    if before.state in BEFORE_CREATE:
        return "Nothing is made of the row until it is corrected.", _CORRECT
    if before.project_id is None:
        return f"Something of the row may be with the service; {why}", _CORRECT
    return f"The row has a draft, which {_STAYS}", _CORRECT


def _done_words(before: Entry) -> str:
    """Say how a row is done, as the start of a sentence."""
    marker = one_line(before.marker, limit=60)
    if before.state in AFTER_SEND:
        return (
            f"{marker} was already sent, as {one_line(before.content.name, limit=80)}"
        )
    if before.state is State.ABANDONED:
        return f"{marker} was given up"
    return f"{marker} was already {before.kind.done}"
