"""References that another project had before: the row cannot have them too.

Next month's workbook is often last month's with other projects in it. If kawe took such
a row for an edit, it would report the row as sent and never send it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from kawe.domain.rows.entries import Entry, KnownRow
from kawe.domain.rows.identity import duplicate_key
from kawe.domain.rows.similarity import is_another_project
from kawe.domain.service.places import Place
from kawe.domain.service.states import AFTER_SEND, BEFORE_CREATE, FINISHED, State
from kawe.domain.service.verdicts import RowKey
from kawe.domain.sheet.findings import Finding, Severity
from kawe.domain.text.new_zealand import day_in_new_zealand, day_words
from kawe.domain.text.texts import fold_name, one_line
from kawe.flows.checked_rows import CheckedRow
from kawe.flows.marking import mark
from kawe.ports import Journal

RULE: Final = "reference-used"
_DAYS: Final = ("start_date", "end_date", "respond_by_date")
_DEGREES: Final = ("latitude", "longitude")
_ANOTHER: Final = "Give this project a reference of its own."
_SAME: Final = (
    "Give this project a reference of its own. If it is the same project, undo the "
    "change: what was sent stays as it is."
)


def readable_key(row: CheckedRow) -> RowKey | None:
    """Give a row's key as its cells say it, also for a row with mistakes."""
    return row.named_key if row.key is None else row.key


def keys_of(rows: Iterable[CheckedRow]) -> frozenset[RowKey]:
    """Give the keys of rows, as far as they can be read."""
    return frozenset(key for row in rows if (key := readable_key(row)) is not None)


def is_reused(row: CheckedRow) -> bool:
    """Say whether another project had the row's reference before."""
    return any(finding.rule == RULE for finding in row.findings)


async def mark_reused(
    rows: Sequence[CheckedRow], *, known: Mapping[RowKey, KnownRow], journal: Journal
) -> tuple[CheckedRow, ...]:
    """Mark the rows whose reference another project had before."""
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
    was = None if entry is None else entry.content.project
    if (
        entry is None
        or was is None
        or was.reference is None
        or not is_another_project(
            was,
            _readable_key_parts(row),
            description=_text(row, "description"),
            is_done=entry.state in FINISHED,
        )
    ):
        return row
    return row.with_findings(_finding(row, entry))


def _readable_key_parts(row: CheckedRow) -> Sequence[object]:
    """Give the parts of a row's duplicate key, as far as they can be read."""
    content = row.project
    if content is not None:
        return duplicate_key(content)
    name, address = (_text(row, field) for field in ("name", "address"))
    place = _place(row)
    return [
        None if name is None else fold_name(name),
        place,
        fold_name(address) if place is None and address is not None else None,
        *(row.row.value(field) for field in _DAYS),
    ]


def _text(row: CheckedRow, field: str) -> str | None:
    value = row.row.value(field)
    return value if isinstance(value, str) else None


def _place(row: CheckedRow) -> list[float] | None:
    """Give the place of a row with mistakes where its degrees are plain numbers."""
    latitude, longitude = (str(row.row.value(field)) for field in _DEGREES)
    try:
        place = Place(latitude=float(latitude), longitude=float(longitude))
    except ValueError:
        return None
    return list(place.key())


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
