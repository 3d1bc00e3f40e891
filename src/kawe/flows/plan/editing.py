"""What happens to an edit of a row that the service has something of."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum, auto
from typing import Final, assert_never

from kawe.domain.rows.entries import Entry
from kawe.domain.rows.similarity import beyond_update, edited_field, is_another_project
from kawe.domain.service.states import AFTER_SEND, BEFORE_CREATE, FINISHED, State
from kawe.domain.sheet.findings import EDITED, REPLACED, Finding, Severity
from kawe.flows.checked_rows import CheckedRow
from kawe.flows.marking import mark
from kawe.flows.settle.resolving import EDIT_STANDS, decided, is_held_for_edit
from kawe.ports import Journal

_SENT_AS: Final = "This row was already sent as"
_NOT_APPLIED: Final = "the edit is not applied."
_PASSED_OVER: Final = (
    "A person let the draft of this row go as it stands in the service; what the row "
    "says now is not applied."
)
_TOO_LATE: Final = "Undo the edit here, or make it in the portal."
_UPDATE: Final = (
    "Submit with --update-drafts to change the draft too, or undo the edit here."
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
    if before.state in FINISHED:
        return EditFate.TOO_LATE
    is_held = before.state is State.HELD
    if not is_held and await decided(before.key, journal=journal) in EDIT_STANDS:
        return EditFate.PASSED_OVER
    may_apply = update_drafts and (not is_held or is_held_for_edit(before))
    if may_apply and _can_be_applied(entry, before):
        return EditFate.APPLIED
    return EditFate.HOLDS


def edit_findings(
    checked: CheckedRow, before: Entry | None, *, fate: EditFate
) -> Iterator[Finding]:
    """Say at the edited cell what happens to the edit."""
    said = None if before is None else _said(before, fate)
    if before is None or said is None:
        return
    severity, words = said
    yield mark(
        checked.row,
        _field(checked, before),
        severity=severity,
        rule=REPLACED if _is_replaced(checked, before, fate=fate) else EDITED,
        words=words,
    )


def _is_replaced(checked: CheckedRow, before: Entry, *, fate: EditFate) -> bool:
    """Say whether the row is about another project should the draft be sent."""
    was, now = before.content.project, checked.project
    return (
        fate is EditFate.HOLDS
        and was is not None
        and now is not None
        and is_another_project(was, now, is_done=True)
    )


def _said(before: Entry, fate: EditFate) -> tuple[Severity, tuple[str, str]] | None:
    drafted = "This row was created as a draft before it was edited"
    match fate:
        case EditFate.NONE:
            return None
        case EditFate.TOO_LATE:
            was = f"This row was {before.kind.done} before it was edited"
            if before.state in AFTER_SEND:
                was = f"{_SENT_AS} {before.content.name} ({before.marker})"
            return Severity.ERROR, (f"{was}; {_NOT_APPLIED}", _TOO_LATE)
        case EditFate.APPLIED:
            return Severity.NOTE, (f"{drafted}; the draft is changed too.", "")
        case EditFate.PASSED_OVER:
            return Severity.WARNING, (_PASSED_OVER, "")
        case EditFate.HOLDS:
            return Severity.WARNING, (f"{drafted}; {_NOT_APPLIED}", _UPDATE)
        case _:
            assert_never(fate)


def _can_be_applied(entry: Entry, before: Entry) -> bool:
    was, now = before.content.project, entry.content.project
    return was is not None and now is not None and not beyond_update(was, now)


def _field(checked: CheckedRow, before: Entry) -> str:
    content = checked.content
    was, now = before.content.project, None if content is None else content.project
    return "name" if was is None or now is None else edited_field(was, now)
