"""New rows that look like one whose project is with the service already.

That row is not in the workbook any more: most likely it is the same one, and
its reference, or what it is known by, was changed. Unless a person says that
it is another project, nothing is made of it: a second project could not be
taken back.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import chain
from typing import Final

from kawe.domain.alike import (
    Sign,
    halves_of,
    reference_signs_of,
    signs_of,
    signs_sought,
    to_put_back,
)
from kawe.domain.content import ProjectContent
from kawe.domain.entries import Entry, KnownRow
from kawe.domain.findings import Finding, Severity
from kawe.domain.identity import reference_in
from kawe.domain.new_zealand import day_in_new_zealand, day_words
from kawe.domain.states import AFTER_SEND, BEFORE_CREATE, State
from kawe.domain.texts import one_line
from kawe.domain.verdicts import Attempt, RowKey, Step
from kawe.flows.marking import mark
from kawe.flows.project_rows import CheckedRow
from kawe.flows.reusing import readable_key
from kawe.ports import Journal

LOOKS_SENT: Final = "looks-sent"
LOOKS_DRAFTED: Final = "looks-drafted"
_OTHERWISE: Final = "if it is another project, submit with --accept alike."
_SEND_UNCLEAR: Final = frozenset(
    {State.SEND_INTENT, State.SEND_DOUBT, State.HELD, State.ABANDONED}
)


async def mark_alike(
    rows: Sequence[CheckedRow],
    *,
    known: Mapping[RowKey, KnownRow],
    journal: Journal,
    accepts: bool,
) -> tuple[CheckedRow, ...]:
    """Refuse new rows that look like one that has a project; only warn if `accepts`.

    Rows of one workbook are never held against each other: fifty culverts may
    well say the same.

    Raises:
        JournalError: The journal cannot be read.
    """
    new = {row.row.ref: row for row in rows if _is_new(row, known)}
    if not new:
        return tuple(rows)
    entries = await journal.made(_Lookout(new.values()).sees, beside=_keys(rows))
    by_sign: dict[Sign, _Made] = {}
    for made in await _made(entries, journal=journal):
        for sign in signs_of(made.entry.key, made.entry.content):
            by_sign.setdefault(sign, made)
    if not by_sign:
        return tuple(rows)
    return tuple(
        _marked(row, by_sign, accepts=accepts) if row.row.ref in new else row
        for row in rows
    )


def _is_new(row: CheckedRow, known: Mapping[RowKey, KnownRow]) -> bool:
    if not row.is_valid or row.key is None:
        return False
    return row.key not in known or known[row.key].state in BEFORE_CREATE


def _keys(rows: Iterable[CheckedRow]) -> Iterator[RowKey]:
    """Give the keys of the workbook, of rows that need correcting as well."""
    return (key for key in map(readable_key, rows) if key is not None)


class _Lookout:
    """Knows rows of the journal that look like a new one.

    What new rows look like is found out for the first row that it is asked
    about: mostly there is none, and there may be 100,000 new ones.
    """

    def __init__(self, new: Iterable[CheckedRow]) -> None:
        self._new = new
        self._signs: frozenset[Sign] = frozenset()
        self._hints: frozenset[Sign] = frozenset()

    def sees(self, entry: Entry) -> bool:
        """Say whether `entry` is like a new row."""
        if not self._hints:
            self._look_at_new()
        hints = chain(reference_signs_of(entry.key), halves_of(entry.content))
        return not self._hints.isdisjoint(hints) and not self._signs.isdisjoint(
            signs_of(entry.key, entry.content)
        )

    def _look_at_new(self) -> None:
        rows = [(e.key, e.content) for e in self._new if e.key and e.content]
        self._signs = frozenset(sign for row in rows for sign in signs_sought(*row))
        self._hints = frozenset(
            sign
            for key, content in rows
            for sign in chain(reference_signs_of(key), halves_of(content))
        )


def _signs(row: CheckedRow) -> Iterator[Sign]:
    if row.key is not None and row.content is not None:
        yield from signs_sought(row.key, row.content)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Made:
    """A row of the journal that has a project, and how far that came."""

    entry: Entry
    came: str
    """As in: sent on 21 November 2026."""
    is_sent: bool


async def _made(entries: Iterable[Entry], *, journal: Journal) -> list[_Made]:
    """Say how far rows came; those that are or may be sent come first.

    What a person gave up before it was sent stands in nobody's way.
    """
    made = [_how_far(entry, await journal.attempts(entry.key)) for entry in entries]
    wanted = (
        each for each in made if each.is_sent or each.entry.state is not State.ABANDONED
    )
    return sorted(wanted, key=lambda each: not each.is_sent)


def _how_far(entry: Entry, attempts: Sequence[Attempt]) -> _Made:
    send, create = _last(attempts, Step.SEND), _last(attempts, Step.CREATE)
    verdict = "" if send is None else send.verdict
    if entry.state in AFTER_SEND or verdict == "done":
        on = _day(send, entry.moved_at)
        return _Made(entry=entry, came=f"was sent on {on}", is_sent=True)
    if entry.state in _SEND_UNCLEAR and verdict in {None, "unknown"}:
        on = _day(send, entry.moved_at)
        return _Made(entry=entry, came=f"may have been sent on {on}", is_sent=True)
    on = _day(create, entry.moved_at)
    return _Made(entry=entry, came=f"became a draft on {on}", is_sent=False)


def _last(attempts: Sequence[Attempt], step: Step) -> Attempt | None:
    return next((e for e in reversed(attempts) if e.intent.step is step), None)


def _day(attempt: Attempt | None, moved_at: datetime) -> str:
    ended_at = None if attempt is None else attempt.ended_at
    return day_words(day_in_new_zealand(ended_at or moved_at))


def _marked(
    row: CheckedRow, by_sign: Mapping[Sign, _Made], *, accepts: bool
) -> CheckedRow:
    found = next((by_sign[sign] for sign in _signs(row) if sign in by_sign), None)
    if found is None:
        return row
    finding = _finding(row, found, accepts=accepts)
    return replace(row, findings=(*row.findings, finding))


def _finding(row: CheckedRow, made: _Made, *, accepts: bool) -> Finding:
    would = "it becomes" if accepts else "it would become"
    reference = reference_in(row.key) if row.key is not None else None
    return mark(
        row.row,
        "name" if reference is None else "reference",
        severity=Severity.WARNING if accepts else Severity.ERROR,
        rule=LOOKS_SENT if made.is_sent else LOOKS_DRAFTED,
        words=(
            (
                f"This looks like {_called(made.entry)}, which {made.came} and is "
                f"not in this workbook any more: {would} a second project."
            ),
            "" if accepts else f"{_same(row, made.entry)}; {_OTHERWISE}",
        ),
    )


def _called(entry: Entry) -> str:
    reference = reference_in(entry.key)
    if reference is not None:
        return one_line(reference, limit=60)
    return f"“{one_line(entry.content.name, limit=60)}” ({one_line(entry.marker)})"


def _same(row: CheckedRow, before: Entry) -> str:
    """Say what makes the row the one that it was."""
    reference = reference_in(before.key)
    if reference is not None:
        words = f"write {one_line(reference, limit=60)} in Reference again"
        return f"If it is the same project, {words}"
    back = ""
    now, was = row.content, before.content
    if isinstance(now, ProjectContent) and isinstance(was, ProjectContent):
        back = ", ".join(
            f"{heading}: {one_line(said, limit=80) or 'empty'}"
            for heading, said in to_put_back(was, now).items()
        )
    return f"If it is the same project, put back what it said ({back})"
