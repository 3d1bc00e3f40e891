"""What happened to rows, one event each, and how events are linked.

Events are only added. Each has the hash of the one before it, so a change breaks the
chain. A purge leaves key, fingerprint, marker and project, so that nothing is sent
twice; where the key is a person's address, its hash takes its place and finds the row.
"""

import json
from collections.abc import Collection, Iterable
from dataclasses import MISSING, Field, dataclass, fields, replace
from datetime import datetime
from enum import StrEnum
from typing import Any, Final, TypeAlias, TypeVar

from kawe.domain.rows.entries import Entry, KnownRow
from kawe.domain.rows.identity import ADDRESS, sha256_of
from kawe.domain.service.service_words import ProjectId
from kawe.domain.service.states import Attempt, Intent, RowKey, State, Step
from kawe.domain.sheet.content import Content
from kawe.journal.words import instant_to_text

GENESIS: Final = "0" * 64
"""What the first event names as the hash before it."""

Stored: TypeAlias = str | int | None
Linked: TypeAlias = tuple[Any, ...]
"""An event as it is stored: number, hash before it, own hash, values."""


class EventKind(StrEnum):
    """What an event says."""

    INTENT = "intent"
    CONCLUSION = "conclusion"
    MOVE = "move"
    READING = "reading"
    """The workbook was read again and the row starts over."""
    RECEIPT = "receipt"
    APPROVAL = "approval"
    """A person signed the plan that the row goes with; the detail is a hash of that."""
    PURGE = "purge"
    """What was said of the row was taken out; the detail seals what is left."""
    HOLD = "hold"
    """No purge takes the row out; the detail says who holds it and why."""
    LIFT = "lift"
    """Such a hold ends."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """One thing that happened to one row, and where it took the row."""

    row: RowKey
    kind: EventKind
    at: datetime
    came_from: State
    went_to: State
    step: Step | None = None
    attempt: int | None = None
    body_sha256: str | None = None
    verdict: str | None = None
    """done, not-done or unknown, in a conclusion."""
    http_status: int | None = None
    project: ProjectId | None = None
    """The project that this event bound to the row, None where it bound none."""
    known_projects: tuple[str, ...] = ()
    """In an intent to create or to invite."""
    detail: str = ""
    """The service's words, a reason, or a receipt's number."""


def event_to_values(event: Event) -> tuple[Stored, ...]:
    return (
        event.row,
        event.kind.value,
        instant_to_text(event.at),
        event.came_from.value,
        event.went_to.value,
        None if event.step is None else event.step.value,
        event.attempt,
        event.body_sha256,
        event.verdict,
        event.http_status,
        event.project,
        json.dumps(event.known_projects),
        event.detail,
    )


def event_from_values(values: tuple[Stored, ...]) -> Event:
    """Read an event back; `ValueError`: it is not what `event_to_values` gave."""
    row, kind, at, came_from, went_to, step, attempt, *rest = values
    body_sha256, verdict, http_status, project, known_projects, detail = rest
    return Event(
        row=RowKey(str(row)),
        kind=EventKind(str(kind)),
        at=datetime.fromisoformat(str(at)),
        came_from=State(str(came_from)),
        went_to=State(str(went_to)),
        step=None if step is None else Step(str(step)),
        attempt=None if attempt is None else int(attempt),
        body_sha256=None if body_sha256 is None else str(body_sha256),
        verdict=None if verdict is None else str(verdict),
        http_status=None if http_status is None else int(http_status),
        project=None if project is None else ProjectId(str(project)),
        known_projects=tuple(map(str, json.loads(str(known_projects)))),
        detail=str(detail),
    )


def link_hash(seq: int, *, previous: str, values: tuple[Stored, ...]) -> str:
    """Hash the event that is number `seq`, together with the hash before it."""
    return sha256_of([previous, seq, *values])


def linked(events: Iterable[Event], *, after: tuple[int, str]) -> list[Linked]:
    """Give events as they are stored after the one with number and hash `after`."""
    seq, digest = after
    records: list[Linked] = []
    for event in events:
        seq, previous, values = seq + 1, digest, event_to_values(event)
        digest = link_hash(seq, previous=previous, values=values)
        records.append((seq, previous, digest, *values))
    return records


def intent_of(event: Event) -> Intent:
    """Give the intent of an event; `ValueError`: it lacks a part of one."""
    if event.step is None or event.attempt is None or event.body_sha256 is None:
        raise ValueError("an intent without step, attempt or body")
    return Intent(
        row=event.row,
        step=event.step,
        attempt=event.attempt,
        body_sha256=event.body_sha256,
        begun_at=event.at,
        known_projects=event.known_projects,
    )


def attempts_of(events: Iterable[Event]) -> tuple[Attempt, ...]:
    """Give the attempts in the events of one row, the oldest first."""
    attempts: list[Attempt] = []
    for event in events:
        if event.kind is EventKind.INTENT:
            attempts.append(Attempt(intent=intent_of(event)))
        elif event.kind is EventKind.CONCLUSION:
            attempts[-1] = replace(
                attempts[-1],
                ended_at=event.at,
                verdict=event.verdict,
                detail=event.detail,
                http_status=event.http_status,
            )
    return tuple(attempts)


KnownEntry = TypeVar("KnownEntry", KnownRow, Entry)

_FORGOTTEN: Final = "gone:"
_KEPT: Final = frozenset(
    {EventKind.RECEIPT.value, EventKind.PURGE.value, EventKind.APPROVAL.value}
)
_KIND, _DETAIL = 1, -1


def name_after(key: RowKey) -> RowKey:
    """Give the key that a row has once it was forgotten."""
    if not key.startswith(ADDRESS):
        return key
    return RowKey(f"{_FORGOTTEN}{sha256_of(key)}")


def names_of(keys: Iterable[RowKey]) -> dict[RowKey, RowKey]:
    """Give the keys that rows may have in the journal, and those asked for."""
    names: dict[RowKey, RowKey] = {}
    for key in keys:
        names[name_after(key)] = key
        names[key] = key
    return names


def called(row: KnownEntry, key: RowKey) -> KnownEntry:
    """Give a row under the name that it was asked for."""
    return row if row.key == key else replace(row, key=key)


def emptied(content: Content, *, kept: Collection[str]) -> Content:
    """Give a content with only the fields that are `kept`."""
    said = (each for each in fields(content) if each.name not in kept)
    return replace(content, **{each.name: _nothing(each) for each in said})


def _nothing(field: Field[Any]) -> Any:  # noqa: ANN401 - of the field's own type
    if field.default is not MISSING:
        return field.default
    return None if "None" in str(field.type) else ""


def detail_after(values: tuple[Stored, ...]) -> Stored:
    """Give an event's detail after a purge: only receipt numbers and seals."""
    return values[_DETAIL] if values[_KIND] in _KEPT else ""


def seal(events: Iterable[tuple[int, str, tuple[Stored, ...]]]) -> str:
    """Hash a row's events as they stand: number, their own hash, values."""
    return sha256_of([[seq, digest, *values] for seq, digest, values in events])
