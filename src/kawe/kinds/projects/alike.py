"""New rows that are like a lost row: one that has a project and left the workbook.

Most likely both are one row, whose reference or key was edited. kawe creates nothing
for the new row until a person says that it is another project.

Two rows are alike when they agree in nearly everything. Where a batch lost rows, and
about as many new ones share name and place with them, or many share one of the two, the
whole batch was edited: then those rows are alike whatever else they say.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from itertools import chain
from typing import Final

from kawe.domain.rows.entries import BatchName, Entry, KnownRow, projects_among
from kawe.domain.rows.identity import reference_in
from kawe.domain.service.states import AFTER_SEND, BEFORE_CREATE, State
from kawe.domain.service.verdicts import Attempt, RowKey, Step
from kawe.domain.sheet.content import ProjectContent, ProjectSaid
from kawe.domain.sheet.findings import Severity
from kawe.domain.text.counts import counted
from kawe.domain.text.new_zealand import day_in_new_zealand, day_words
from kawe.domain.text.texts import one_line
from kawe.flows.check.grouping import Groups, grouped
from kawe.flows.check.reusing import is_reused, keys_of
from kawe.flows.checked_rows import CheckedRow
from kawe.flows.marking import mark
from kawe.kinds.projects.signs import (
    Sign,
    group_signs_of,
    halves_of,
    is_same_season,
    reference_signs_of,
    signs_of,
    signs_sought,
    to_put_back,
)
from kawe.ports import Journal

LOOKS_SENT: Final = "looks-sent"
LOOKS_DRAFTED: Final = "looks-drafted"
_MANY: Final = 3
"""So many rows that share no more than a name, or place and dates, are no chance."""
_COMMON: Final = 5
"""What so many rows share does not tell one of them from the others."""
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
    today: date,
) -> tuple[CheckedRow, ...]:
    """Refuse new rows that look like one that has a project; only warn if `accepts`.

    Rows of one workbook are not compared with each other: fifty culverts may say the
    same.
    """
    new = {row.row.ref: row for row in rows if _is_new(row, known)}
    if not new:
        return tuple(rows)
    # Rows that the journal knows are not new, even without a project.
    unknown = sum(row.key not in known for row in new.values()) or len(new)
    watch = _SimilarRows(list(new.values()), unknown=unknown, today=today)
    # A row whose reference another project has now is gone.
    staying = keys_of(row for row in rows if not is_reused(row))
    entries = await journal.made(watch.is_similar, beside=staying)
    made = await _made(entries, journal=journal)
    by_sign = grouped(made, lambda each: signs_of(each.entry.key, each.content))
    lost = watch.lost(row for row in rows if row.row.ref not in new)
    gone = await journal.find(each.row for each in lost.values()) if lost else {}
    by_group = {
        sign: replace(before, others=each.others)
        for sign, each in lost.items()
        for before in await _made([gone[each.row]], journal=journal)
    }

    def found(row: CheckedRow) -> _Made | None:
        at = _of_itself(row, by_sign)
        return _of_group(row, by_group, today=today) if at is None else made[at]

    return tuple(
        _marked(row, found(row), accepts=accepts) if row.row.ref in new else row
        for row in rows
    )


def _is_new(row: CheckedRow, known: Mapping[RowKey, KnownRow]) -> bool:
    if row.project is None:
        return False
    before = None if row.key is None else known.get(row.key)
    return before is None or before.state in BEFORE_CREATE


@dataclass(frozen=True, slots=True, kw_only=True)
class _Lost:
    """A row that is gone from the workbook, and shares a group sign with a new one."""

    row: RowKey
    shares_both: bool
    """Name and place, and not only one of the two."""
    rows: int = 1
    """How many rows of its batch share that sign."""
    others: int = 0
    """How many more rows of its batch are gone, with new ones like them."""


class _SimilarRows:
    """Finds rows of the journal that are like a new one.

    The signs of the new rows are computed at the first question: mostly there is no
    question, and there may be 100,000 new rows.
    """

    def __init__(self, new: Sequence[CheckedRow], *, unknown: int, today: date) -> None:
        rows = ((each.key, each.project) for each in new)
        self._new = [(key, said) for key, said in rows if said is not None]
        self._unknown = unknown
        self._today = today
        self._signs: frozenset[Sign] = frozenset()
        self._hints: frozenset[Sign] = frozenset()
        self._has_learnt = False
        self._sought = Groups()
        self._gone: Counter[BatchName] = Counter()
        self._lost: defaultdict[BatchName, dict[Sign, _Lost]] = defaultdict(dict)

    def is_similar(self, entry: Entry) -> bool:
        """Say whether `entry` is like a new row; count whole groups."""
        if not self._has_learnt:
            self._learn_new()
        content = entry.content.project
        if content is None:
            return False
        if entry.state is not State.ABANDONED:
            self._gone[entry.batch] += 1
        hints = chain(reference_signs_of(entry.key), halves_of(content))
        if self._hints.isdisjoint(hints):
            return False
        if entry.state is not State.ABANDONED:
            self._take_note(entry, content)
        return not self._signs.isdisjoint(signs_of(entry.key, content))

    def lost(self, staying: Iterable[CheckedRow]) -> dict[Sign, _Lost]:
        """Give the lost groups that new rows replace, by sign."""
        if not self._lost:
            return {}
        common = {
            sign
            for row in staying
            if row.project is not None
            for sign in group_signs_of(row.project)
        }
        found: dict[Sign, _Lost] = {}
        for batch, group in self._lost.items():
            own = {sign: each for sign, each in group.items() if sign not in common}
            if len(own) < _MANY:
                own = {sign: each for sign, each in own.items() if each.shares_both}
            rows = sum(
                min(each.rows, len(self._sought.having(sign)))
                for sign, each in own.items()
            )
            # About as many new rows as lost ones: one among fifty is another project.
            if 2 * rows >= min(self._gone[batch], self._unknown):
                for sign, each in own.items():
                    found.setdefault(sign, replace(each, others=rows - 1))
        return found

    def _learn_new(self) -> None:
        self._has_learnt = True
        self._signs = frozenset(s for row in self._new for s in signs_sought(*row))
        self._hints = frozenset(
            sign
            for key, said in self._new
            for sign in chain(reference_signs_of(key), halves_of(said))
        )
        self._sought = grouped(self._new, lambda row: group_signs_of(row[1]))

    def _take_note(self, entry: Entry, before: ProjectContent) -> None:
        for index, sign in enumerate(group_signs_of(before)):
            now = self._sought.having(sign)
            # What many rows share identifies none of them.
            if len(now) < _COMMON and any(
                _may_be(
                    before, self._new[at][1], shares_both=index == 0, today=self._today
                )
                for at in now
            ):
                self._add(entry, sign, shares_both=index == 0)
                return

    def _add(self, entry: Entry, sign: Sign, *, shares_both: bool) -> None:
        group = self._lost[entry.batch]
        last = group.get(sign, _Lost(row=entry.key, shares_both=shares_both, rows=0))
        row = entry.key if entry.state in AFTER_SEND else last.row
        group[sign] = replace(last, row=row, rows=last.rows + 1)


def _may_be(
    before: ProjectContent, now: ProjectSaid, *, shares_both: bool, today: date
) -> bool:
    """Say whether date and reference allow that a new row is the one that is gone.

    Where less than name and place is shared, two references mean two projects.
    """
    two = before.reference is not None and now.reference is not None
    return (shares_both or not two) and is_same_season(before, now, today=today)


def _of_itself(row: CheckedRow, by_sign: Groups) -> int | None:
    """Give which of the rows that are there a new row is like."""
    if row.project is None:
        return None
    found = map(by_sign.first, signs_sought(row.key, row.project))
    return next((at for at in found if at is not None), None)


def _of_group(
    row: CheckedRow, by_group: Mapping[Sign, _Made], *, today: date
) -> _Made | None:
    """Give the row that a new row is like as one of a group."""
    said = row.project
    if said is None:
        return None
    for index, sign in enumerate(group_signs_of(said)):
        made = by_group.get(sign)
        if made is not None and _may_be(
            made.content, said, shares_both=index == 0, today=today
        ):
            return made
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Made:
    """A row of the journal that has a project, and how far that came."""

    entry: Entry
    content: ProjectContent
    came: str
    """As in: sent on 21 November 2026."""
    is_sent: bool
    others: int = 0
    """How many more rows of its batch are lost, with new ones like them."""


async def _made(entries: Iterable[Entry], *, journal: Journal) -> list[_Made]:
    """Say how far rows came, sent ones first; not rows given up before a send."""
    made = [
        _how_far(entry, content, await journal.attempts(entry.key))
        for entry, content in projects_among(entries)
    ]
    wanted = (
        each for each in made if each.is_sent or each.entry.state is not State.ABANDONED
    )
    return sorted(wanted, key=lambda each: not each.is_sent)


def _how_far(
    entry: Entry, content: ProjectContent, attempts: Sequence[Attempt]
) -> _Made:
    send, create = _last(attempts, Step.SEND), _last(attempts, Step.CREATE)
    verdict = "" if send is None else send.verdict
    if entry.state in AFTER_SEND or verdict == "done":
        came, is_sent = f"was sent on {_day(send, entry.moved_at)}", True
    elif entry.state in _SEND_UNCLEAR and verdict in {None, "unknown"}:
        came, is_sent = f"may have been sent on {_day(send, entry.moved_at)}", True
    else:
        came, is_sent = f"became a draft on {_day(create, entry.moved_at)}", False
    return _Made(entry=entry, content=content, came=came, is_sent=is_sent)


def _last(attempts: Sequence[Attempt], step: Step) -> Attempt | None:
    return next((e for e in reversed(attempts) if e.intent.step is step), None)


def _day(attempt: Attempt | None, moved_at: datetime) -> str:
    ended_at = None if attempt is None else attempt.ended_at
    return day_words(day_in_new_zealand(ended_at or moved_at))


def _marked(row: CheckedRow, made: _Made | None, *, accepts: bool) -> CheckedRow:
    if made is None:
        return row
    would = "it becomes" if accepts else "it would become"
    reference = reference_in(row.key) if row.key is not None else None
    more = counted(made.others, "more row looks", "more rows look")
    others = f" {more} like this." if made.others else ""
    finding = mark(
        row.row,
        "name" if reference is None else "reference",
        severity=Severity.WARNING if accepts else Severity.ERROR,
        rule=LOOKS_SENT if made.is_sent else LOOKS_DRAFTED,
        words=(
            (
                f"This looks like {_called(made.entry)}, which {made.came} and is "
                f"not in this workbook any more: {would} a second project."
                f"{others}"
            ),
            "" if accepts else f"{_same(row, made)}; {_OTHERWISE}",
        ),
    )
    return row.with_findings(finding)


def _called(entry: Entry) -> str:
    reference = reference_in(entry.key)
    if reference is not None:
        return one_line(reference, limit=60)
    return f"“{one_line(entry.content.name, limit=60)}” ({one_line(entry.marker)})"


def _same(row: CheckedRow, made: _Made) -> str:
    """Say what identifies the row."""
    reference = reference_in(made.entry.key)
    now, was = row.project, made.content
    said = {} if now is None or not was.name else to_put_back(was, now)
    if reference is not None:
        words = f"write {one_line(reference, limit=60)} in Reference again"
        others = ", ".join(heading for heading in said if heading != "Reference")
        as_well = f" ({others} changed as well)" if others else ""
        return f"If it is the same project, {words}{as_well}"
    back = ", ".join(
        f"{heading}: {one_line(words, limit=80) or 'empty'}"
        for heading, words in said.items()
    )
    return f"If it is the same project, put back what it said ({back})"
