"""What is left of a row after its content is removed from the journal.

Key, fingerprint, marker and project stay, so that nothing is sent twice. The key of an
invitation is a person's address: its hash takes its place, and finds the row again.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import MISSING, Field, fields, replace
from typing import Any, Final, TypeVar

from kawe.domain.rows.entries import Entry, KnownRow
from kawe.domain.rows.identity import ADDRESS, sha256_of
from kawe.domain.service.verdicts import RowKey
from kawe.domain.sheet.content import Content
from kawe.journal.events import EventKind, Stored

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
