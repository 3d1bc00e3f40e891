"""What a journal allows, as pure functions.

Each takes a row and a request, and gives the row as it will stand and the event about
it, or refuses. The journal calls them inside the commit that keeps the result.

When a workbook is read again, a row of which the service has nothing starts over with
what the workbook says now; any other keeps its content. A row that was given up stays
given up, and a row stays in the batch that it came with.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import Enum, auto
from typing import Any, Final, assert_never

from kawe.domain.rows.entries import Batch, Binding, Entry, KnownRow, StoredFile
from kawe.domain.service.service_words import ProjectId
from kawe.domain.service.states import (
    AFTER_SEND,
    BEFORE_CREATE,
    FINISHED,
    INTENT_STATE,
    UNSENT,
    Done,
    Intent,
    NotDone,
    RowKey,
    State,
    Step,
    Unknown,
    Verdict,
    doubts_about,
    intent_state,
    may_follow,
    state_after,
)
from kawe.domain.text.next_steps import Given
from kawe.domain.text.texts import one_line
from kawe.errors import JournalError, JournalForeign
from kawe.journal.events import Event, EventKind
from kawe.journal.words import instant_to_text, shown_key, storable, unknown

NEEDS_PROJECT: Final = UNSENT | doubts_about(Step.UPDATE, Step.SEND) | AFTER_SEND
"""A row in one of these has a project, and the journal knows which."""

_INTENT_STATES: Final = frozenset(INTENT_STATE.values())


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One row as it will stand, and its event."""

    entry: Entry
    event: Event


def noted(entry: Entry, *, intent: Intent, attempts_before: int) -> Change:
    """Note an intent; refuse a wrong step or attempt.

    `attempts_before` counts the row's attempts of the same step.
    """
    if intent.attempt != attempts_before + 1:
        raise JournalError(
            message=f"Attempt {intent.attempt} to {intent.step} {shown_key(entry.key)} "
            f"does not follow the {attempts_before} that were made."
        )
    return _change(
        entry,
        EventKind.INTENT,
        intent_state(intent.step),
        at=intent.begun_at,
        step=intent.step,
        attempt=intent.attempt,
        body_sha256=intent.body_sha256,
        known_projects=intent.known_projects,
    )


def concluded(
    entry: Entry,
    *,
    opened: Intent | None,
    intent: Intent,
    verdict: Verdict,
    owner: RowKey | None,
    at: datetime,
) -> Change:
    """Note a verdict for the open intent of a row; refuse any other intent.

    `opened` is the row's latest intent, `owner` the row that has the project of a
    create. A create without a project, or with another row's, leaves the row in doubt;
    the event has what came.
    """
    if entry.state is not intent_state(intent.step) or opened != intent:
        raise JournalError(
            message=f"Attempt {intent.attempt} to {intent.step} {shown_key(entry.key)} "
            "is not open, so its end cannot be written down."
        )
    found = _bindable(verdict, step=intent.step, key=entry.key, owner=owner)
    return _change(
        entry,
        EventKind.CONCLUSION,
        state_after(intent.step, found),
        at=at,
        reason=storable(_detail(found)),
        step=intent.step,
        attempt=intent.attempt,
        verdict=found.word,
        http_status=found.http_status,
        project=project_answered(found)
        if intent.step is Step.CREATE and isinstance(found, Done)
        else None,
        detail=storable(_evidence(found, answered=verdict)),
    )


def moved(
    entry: Entry,
    *,
    state: State,
    at: datetime,
    reason: str,
    project: ProjectId | None = None,
    owner: RowKey | None = None,
) -> Change:
    """Note a move without a request; `owner` is the row that has `project`.

    It refuses a move that is not in the table, a state that only an intent leads to,
    and a project of another row.
    """
    if state in _INTENT_STATES:
        raise JournalError(
            message=f"Without an intent {shown_key(entry.key)} cannot be {state}."
        )
    if owner is not None and owner != entry.key:
        raise JournalError(
            message=f"The project asked for already belongs to {shown_key(owner)}; "
            f"{shown_key(entry.key)} cannot have it.",
            hint="One project belongs to one row: look at both in the portal.",
        )
    reason = storable(reason)
    return _change(
        entry,
        EventKind.MOVE,
        state,
        at=at,
        reason=reason,
        project=project,
        detail=reason,
    )


def receipted(entry: Entry, *, number: str, at: datetime) -> Change:
    """Note a receipt's number; refuse it for a row that is not confirmed as sent."""
    number, receipted = storable(number), State.RECEIPTED
    change = _change(entry, EventKind.RECEIPT, receipted, at=at, detail=number)
    return replace(change, entry=replace(change.entry, receipt_number=number))


def _change(
    entry: Entry,
    kind: EventKind,
    to: State,
    *,
    at: datetime,
    reason: str = "",
    **said: Any,  # noqa: ANN401 - what an event of its kind has
) -> Change:
    came_from = entry.state
    event = Event(
        row=entry.key, kind=kind, at=at, came_from=came_from, went_to=to, **said
    )
    if not may_follow(event.came_from, event.went_to):
        raise JournalError(
            message=f"The journal does not let {shown_key(entry.key)} go "
            f"from {event.came_from} to {event.went_to}."
        )
    project = entry.project_id if event.project is None else event.project
    if event.went_to in NEEDS_PROJECT and project is None:
        raise JournalError(
            message=f"Without a project {shown_key(entry.key)} cannot be "
            f"{event.went_to}."
        )
    instant_to_text(event.at)
    return Change(
        entry=replace(
            entry,
            state=event.went_to,
            moved_at=event.at,
            reason=reason,
            project_id=project,
        ),
        event=event,
    )


def _bindable(
    verdict: Verdict, *, step: Step, key: RowKey, owner: RowKey | None
) -> Verdict:
    if step is not Step.CREATE or isinstance(verdict, NotDone):
        return verdict
    if isinstance(verdict, Done) and verdict.project is None:
        return Unknown(
            detail="The service said yes and named no project.",
            http_status=verdict.http_status,
        )
    if owner is not None and owner != key:
        return Unknown(
            detail="The service answered with a project that already belongs to "
            f"{shown_key(owner)}.",
            http_status=verdict.http_status,
        )
    return verdict


def project_answered(verdict: Verdict) -> ProjectId | None:
    """Give the project that a verdict brought, be it the row's own or not."""
    match verdict:
        case Done(project=project) | Unknown(candidate=project):
            return None if project is None else project.id
        case NotDone():
            return None
        case _:
            assert_never(verdict)


def _detail(verdict: Verdict) -> str:
    match verdict:
        case Done(invitation=answer):
            return (answer and answer.message) or ""
        case NotDone(detail=detail) | Unknown(detail=detail):
            return detail
        case _:
            assert_never(verdict)


def _evidence(found: Verdict, *, answered: Verdict) -> str:
    project = project_answered(answered)
    if found is answered or project is None:
        return _detail(found)
    return f"{_detail(found)} Its id: {project}"


def same_account(kept: Binding, *, asked: Binding) -> None:
    """Refuse a journal of another service, team or mode with `JournalForeign`.

    A team may have been renamed: its name does not count.
    """
    if replace(kept, team_name="") == replace(asked, team_name=""):
        return
    mine, theirs = _account(kept), _account(asked)
    if mine == theirs:
        theirs = "another team of the same name"
    raise JournalForeign(
        message=f"This journal belongs to {mine}, but the key is for {theirs}.",
        hint=f"Use the key that it belongs to, or another file with {Given.JOURNAL}.",
    )


def document_free(stored: StoredFile, *, holder: StoredFile | None) -> None:
    """Make sure that a document is no other file's; `holder` has it now."""
    if holder is None or replace(stored, document_id=holder.document_id) == holder:
        return
    raise JournalError(
        message=f"The document kept for {shown_key(stored.row)} already belongs to "
        f"another file of {shown_key(holder.row)}."
    )


def _account(binding: Binding) -> str:
    name, where = one_line(binding.team_name), one_line(binding.base_url)
    return f"{name} at {where} ({one_line(binding.mode)})"


class RowMerge(Enum):
    """What is taken from the workbook."""

    ADD = auto()
    REPLACE = auto()
    """Content, fingerprint, marker and state, and its place in the batch."""
    REFRESH = auto()
    """What is not in the draft, such as whether to send it; and its place."""
    PLACE = auto()
    """Only its place in the batch."""
    NOTHING = auto()
    """Even its place is the one that it had."""


def merged(
    batch: Batch,
    *,
    entries: Sequence[Entry],
    named: Collection[RowKey],
    known: Mapping[RowKey, KnownRow],
) -> list[tuple[Entry, RowMerge]]:
    """Say what is taken of each of `entries`, each in its own batch.

    `known` are the rows that the journal has, `named` those that lines name.

    Raises:
        JournalError: A row is new and not of this batch, comes twice, cannot begin as
            it says, or is named by a line and unknown.
    """
    placed = [
        _at_home(entry, batch=batch, standing=known.get(entry.key)) for entry in entries
    ]
    _check_batch(batch, entries=entries)
    for stranger in sorted(
        set(named) - {entry.key for entry in entries} - known.keys()
    ):
        raise unknown(stranger)
    return [
        (entry, _reading_of(entry, standing=known.get(entry.key))) for entry in placed
    ]


def reading_events(
    read: Sequence[tuple[Entry, RowMerge]], *, known: Mapping[RowKey, KnownRow]
) -> list[Event]:
    return [
        Event(
            row=entry.key,
            kind=EventKind.READING,
            at=entry.moved_at,
            came_from=known[entry.key].state,
            went_to=entry.state,
        )
        for entry, reading in read
        if reading is RowMerge.REPLACE and known[entry.key].state is not entry.state
    ]


def _check_batch(batch: Batch, *, entries: Sequence[Entry]) -> None:
    """Make sure that `entries` are rows for its sheet, each of them once."""
    instant_to_text(batch.opened_at)
    instant_to_text(batch.read_at)
    seen = set()
    for entry in entries:
        if type(entry.content) is not entry.kind.content:
            raise _misfiled(entry)
        if entry.key in seen:
            raise JournalError(
                message=f"The workbook holds {shown_key(entry.key)} more than once."
            )
        seen.add(entry.key)


def _at_home(entry: Entry, *, batch: Batch, standing: KnownRow | None) -> Entry:
    """Put a row where it belongs: in the batch that it came with."""
    if standing is None:
        if entry.batch != batch.name:
            raise _misfiled(entry)
        return entry
    if standing.batch == batch.name == entry.batch:
        return entry
    at = entry.position if standing.batch == batch.name else standing.position
    return replace(entry, batch=standing.batch, position=at)


def _reading_of(entry: Entry, *, standing: KnownRow | None) -> RowMerge:
    """Say what is taken of `entry`; `standing` is None for an unknown row."""
    if standing is None:
        has_past = (entry.project_id, entry.receipt_number) != (None, None)
        if entry.state not in BEFORE_CREATE or has_past:
            raise JournalError(
                message=f"The journal does not know {shown_key(entry.key)}, so it "
                f"cannot begin as {entry.state}."
            )
        instant_to_text(entry.moved_at)
        return RowMerge.ADD
    if standing.state in BEFORE_CREATE and entry.state in BEFORE_CREATE:
        instant_to_text(entry.moved_at)
        return RowMerge.REPLACE
    if standing.kind is not entry.kind:
        raise JournalError(
            message=f"The journal has {shown_key(entry.key)} on another kind of sheet."
        )
    # What was sent is what the row says, whatever is written there later.
    is_over = standing.state in FINISHED
    if standing.fingerprint == entry.fingerprint and not is_over:
        return RowMerge.REFRESH
    same_place = (standing.batch, standing.position) == (entry.batch, entry.position)
    return RowMerge.NOTHING if same_place else RowMerge.PLACE


def _misfiled(entry: Entry) -> JournalError:
    return JournalError(
        message=f"The journal cannot file {shown_key(entry.key)} in this batch."
    )
