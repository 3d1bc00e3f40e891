"""What happens to an edit of a row that the service has something of.

A row with mistakes is not sent and its draft is not changed; it still owns its draft.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from enum import Enum, auto
from typing import Final, assert_never

from kawe.domain.rows.comparing import is_another_project, traits_of
from kawe.domain.rows.edits import beyond_update, edited_field, edited_words
from kawe.domain.rows.entries import Entry, Line
from kawe.domain.rows.identity import is_unedited, project_fingerprint
from kawe.domain.service.states import (
    AFTER_SEND,
    BEFORE_CREATE,
    FINISHED,
    UNSENT,
    RowKey,
    State,
)
from kawe.domain.sheet.findings import (
    AS_IT_STANDS,
    EDITED,
    LATE_MISTAKES,
    REPLACED,
    Finding,
    RowRef,
    Severity,
)
from kawe.domain.text.next_steps import Given
from kawe.domain.text.texts import one_line
from kawe.flows.check.reusing import is_reused
from kawe.flows.checked_rows import CheckedRow, mark
from kawe.flows.settle.resolving import EDIT_STANDS, decided, is_held_for_edit
from kawe.ports import Journal

_SENT_AS: Final = "This row was already sent as"
_NOT_APPLIED: Final = "the edit is not applied."
_DIFFERS: Final = "in the service; it differs from the row in"
_GOES: Final = f"A person let the draft go as it stands {_DIFFERS}"
_WENT: Final = f"It was sent as it stood {_DIFFERS}"
_BY_UPDATE: Final = f"If that is not meant, submit with {Given.UPDATE_DRAFTS}."
_IN_PORTAL: Final = "If that is not meant, correct it in the portal."
_TOO_LATE: Final = "Undo the edit here, or make it in a sheet of acts."
_UPDATE: Final = (
    f"Submit with {Given.UPDATE_DRAFTS} to change the draft too, or undo the edit here."
)
_STARTED_OVER: Final = frozenset({*BEFORE_CREATE, State.ABANDONED})


class EditFate(Enum):
    """What happens to an edit."""

    NONE = auto()
    """There is no edit, or nothing stands in its way."""
    HOLDS = auto()
    """The row waits for a person."""
    APPLIED = auto()
    """The draft is changed too, as the person asked."""
    PASSED_OVER = auto()
    """A person let the draft go without it."""
    TOO_LATE = auto()
    """The row is done: the edit changes nothing any more."""


async def fate_of(
    entry: Entry, before: Entry | None, *, journal: Journal, update_drafts: bool
) -> EditFate:
    """Say what happens to the edit that `entry` is."""
    if (
        before is None
        or before.state in _STARTED_OVER
        or before.fingerprint == entry.fingerprint
    ):
        return EditFate.NONE
    was, now = before.content.project, entry.content.project
    # Such as the name of an iwi with its macrons: other letters, and the same iwi.
    is_same = bool(was and now and project_fingerprint(was) == project_fingerprint(now))
    if before.state in FINISHED:
        is_same = is_same or is_unedited(before.fingerprint, entry.fingerprint)
        return EditFate.PASSED_OVER if is_same else EditFate.TOO_LATE
    is_held = before.state is State.HELD
    may_apply = update_drafts and (not is_held or is_held_for_edit(before))
    if may_apply and was and now and not beyond_update(was, now):
        return EditFate.APPLIED
    stands = is_same or await decided(before.key, journal=journal) in EDIT_STANDS
    if not is_held and stands:
        return EditFate.PASSED_OVER
    return EditFate.HOLDS


def edit_findings(
    checked: CheckedRow, before: Entry | None, *, fate: EditFate
) -> Iterator[Finding]:
    """Say at the edited cell what happens to the edit."""
    if before is None or fate is EditFate.NONE:
        return
    content, said = checked.content, _said(before, fate)
    # Another word in the row of an act is another act; its files alone can differ.
    field = "files" if before.content.files else "name"
    was, now = before.content.project, None if content is None else content.project
    rule = EDITED
    if was is not None and now is not None:
        field = edited_field(was, now)
        # The row is about another project should the draft be sent.
        is_another = is_another_project(traits_of(was), traits_of(now), is_done=True)
        if fate is EditFate.HOLDS and is_another:
            rule = REPLACED
        differs = edited_words(was, now)
        # Of what was removed from the journal nothing can be said.
        if fate is EditFate.PASSED_OVER and differs and was.name:
            advice = _IN_PORTAL if beyond_update(was, now) else _BY_UPDATE
            words = f"{_GOES} {', '.join(differs)}.", advice
            rule, said = AS_IT_STANDS, (Severity.WARNING, words)
    if said is not None:
        severity, (message, advice) = said
        found = mark(
            checked.row, field, severity, rule=rule, message=message, advice=advice
        )
        yield as_sent(found) if before.state in AFTER_SEND else found


def as_sent(finding: Finding) -> Finding:
    """Say of a draft that went as it stood that it has gone."""
    if finding.rule != AS_IT_STANDS:
        return finding
    message = finding.message.replace(_GOES, _WENT, 1)
    return replace(finding, message=message, advice=_IN_PORTAL)


def _said(before: Entry, fate: EditFate) -> tuple[Severity, tuple[str, str]] | None:
    drafted = "This row was created as a draft before it was edited"
    match fate:
        case EditFate.NONE | EditFate.PASSED_OVER:
            return None
        case EditFate.TOO_LATE:
            was = f"This row was {before.kind.done} before it was edited"
            if before.state in AFTER_SEND:
                was = f"{_SENT_AS} {before.content.name} ({before.marker})"
            return Severity.ERROR, (f"{was}; {_NOT_APPLIED}", _TOO_LATE)
        case EditFate.APPLIED:
            return Severity.NOTE, (f"{drafted}; the draft is changed too.", "")
        case EditFate.HOLDS:
            return Severity.WARNING, (f"{drafted}; {_NOT_APPLIED}", _UPDATE)
        case _:
            assert_never(fate)


_MISTAKES: Final = "what the row says now has mistakes, and is not applied."
_SINCE: Final = "it has mistakes now, though nobody changed it."
_OF_SHEET: Final = "what it says now is not read before the sheet is corrected."
_STAYS: Final = "stays as it is, and is not sent until the row is corrected."
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
    befores.sort(key=lambda e: not is_unedited(e[1].fingerprint, e[0].fingerprint))
    for row, before in befores:
        if before.key in free and not is_reused(row):
            lines[row.row.ref] = _line_of_mistakes(row, free.pop(before.key))
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
    if entry.state not in FINISHED or not line.findings:
        return line
    done = _done_words(entry)
    still = [
        as_sent(each) if entry.state in AFTER_SEND else each
        for each in line.findings
        if each.rule != LATE_MISTAKES or each.message.startswith(done)
    ]
    return replace(line, findings=tuple(still))


def _line_of_mistakes(row: CheckedRow, before: Entry) -> Line:
    """Give the line of a row that cannot be submitted, and is a row of the journal."""
    first = next((f for f in row.findings if f.severity is Severity.ERROR), None)
    is_done = before.state in FINISHED
    is_same = is_unedited(before.fingerprint, row.fingerprint)
    is_noted = is_done if first is None else is_same
    severity = Severity.NOTE if is_noted else Severity.WARNING
    why = _SINCE if is_same else _MISTAKES
    why = _OF_SHEET if first is None else why
    message, advice = _words_of_mistakes(before, why=why)
    if is_noted and is_done:
        message, advice = f"{_done_words(before)}, and stays so.", ""
    if first is None:
        # The mistake is the sheet's, and is said there.
        found = mark(
            row.row, "name", Severity.NOTE, rule=LATE_MISTAKES, message=message
        )
    else:
        found = replace(
            first, severity=severity, rule=LATE_MISTAKES, message=message, advice=advice
        )
    return row.line(before.key, found)


def _words_of_mistakes(before: Entry, *, why: str) -> tuple[str, str]:
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
