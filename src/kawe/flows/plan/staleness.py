"""Whether a saved plan still fits, and if not, what changed.

Every difference is a sentence for a person. A workbook that was only sorted, renamed or
moved fits, and so do rows that are done by now.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias, TypeVar

from kawe.domain.batch.saved_plans import Action, PlannedRow, SavedPlan
from kawe.domain.rows.entries import KnownRow
from kawe.domain.rows.identity import is_unedited
from kawe.domain.service.service_words import Project
from kawe.domain.service.states import FINISHED, UNSENT
from kawe.domain.service.verdicts import RowKey, Step
from kawe.domain.sheet.findings import Severity
from kawe.domain.text.texts import one_line
from kawe.flows.plan.describing import Described, shown_draft

_Row: TypeAlias = PlannedRow | Described
_Known: TypeAlias = Mapping[RowKey, KnownRow]
_Value = TypeVar("_Value")


def changes_of_rows(
    saved: SavedPlan, rows: Sequence[Described], *, known: _Known
) -> Iterator[str]:
    """Say what changed in the workbook `rows` and their files."""
    pairs, gone, added = _matched(saved.rows, rows)
    for planned, row in pairs:
        changed = list(_cells(planned, row))
        yield from changed
        if not changed and planned.action.acts and not _is_done(row, known):
            yield from _beside_cells(planned, row)
    for planned in gone:
        marker = f" ({one_line(planned.marker, limit=60)})" if planned.marker else ""
        where = f"{one_line(saved.sheet)}!{planned.number}{marker}"
        yield f"The row that stood at {where} is no longer in the workbook."
    for row in added:
        yield f"{_name(row)} is not in the plan."


def changes_of_drafts(
    saved: SavedPlan,
    rows: Sequence[Described],
    *,
    known: _Known,
    drafts: Mapping[RowKey, Project | None],
) -> Iterator[str]:
    """Say which drafts are not as the service showed them to the plan.

    `drafts` is what it shows now of rows that are not sent.
    """
    now = {row.key: row for row in rows}
    for planned in saved.rows:
        row = now.get(planned.key)
        if not planned.draft or row is None or row.row.key is None:
            continue
        key = row.row.key
        words = _draft(planned, known.get(key), drafts.get(key), salt=saved.salt)
        if words:
            yield f"{_name(row)}: {words}"


def acting_rows(saved: SavedPlan, rows: Sequence[Described]) -> dict[RowKey, Action]:
    """Say what the plan does, for each row for which it does something."""
    planned = planned_actions(saved, rows)
    return {key: action for key, action in planned.items() if action.acts}


def planned_actions(
    saved: SavedPlan, rows: Sequence[Described]
) -> dict[RowKey, Action]:
    """Say what the plan does with each row."""
    actions = {row.key: row.action for row in saved.rows}
    return {
        row.row.key: actions[row.key]
        for row in rows
        if row.row.key is not None and row.key in actions
    }


def named(changes: Sequence[str], *, shown: int = 10) -> str:
    """Say the first changes, and how many there are besides."""
    more = len(changes) - shown
    rest = f" And {more} more." if more > 0 else ""
    return " ".join(changes[:shown]) + rest


def _matched(
    planned: Sequence[PlannedRow], now: Sequence[Described]
) -> tuple[list[tuple[PlannedRow, Described]], list[PlannedRow], list[Described]]:
    """Pair the rows of a plan with those of now; give those that stand alone too.

    First by the whole content, then by key, then by place where most of the row is
    equal.
    """
    pairs: list[tuple[PlannedRow, Described]] = []
    gone, added = list(planned), list(now)
    for name_of in (_whole, _key, _number):
        waiting: dict[str, list[Described]] = defaultdict(list)
        for each in reversed(added):
            waiting[name_of(each)].append(each)
        left = []
        for row in gone:
            name = name_of(row)
            same = waiting[name] if name else []
            if same and (name_of is not _number or _mostly_same(row, same[-1])):
                pairs.append((row, same.pop()))
            else:
                left.append(row)
        taken = {id(row) for _, row in pairs}
        gone, added = left, [each for each in added if id(each) not in taken]
    return pairs, gone, added


def _whole(row: _Row) -> str:
    return " ".join(f"{name}={row.cells[name]}" for name in sorted(row.cells))


def _key(row: _Row) -> str:
    return row.key


def _number(row: _Row) -> str:
    return str(row.number)


def _mostly_same(planned: PlannedRow, now: Described) -> bool:
    same = len(planned.cells.items() & now.cells.items())
    return 2 * same >= max(len(planned.cells), len(now.cells))


def _differing(
    before: Mapping[str, _Value], after: Mapping[str, _Value]
) -> Iterator[tuple[str, _Value | None, _Value | None]]:
    for name in dict.fromkeys((*before, *after)):
        if before.get(name) != after.get(name):
            yield name, before.get(name), after.get(name)


def _cells(planned: PlannedRow, now: Described) -> Iterator[str]:
    for name, before, after in _differing(planned.cells, now.cells):
        cell = now.row.row.cells.get(name)
        if cell is None:
            heading = name.replace("_", " ")
            yield f"{_name(now)}: the column for {heading} is gone."
            continue
        where = f"{one_line(str(cell.ref))} ({one_line(cell.heading, limit=40)})"
        became = "emptied" if after is None else "filled in"
        is_changed = before is not None and after is not None
        yield f"{where} changed." if is_changed else f"{where} was {became}."


def _is_done(row: Described, known: _Known) -> bool:
    key = row.row.key
    return key is not None and key in known and known[key].state in FINISHED


def _beside_cells(planned: PlannedRow, now: Described) -> Iterator[str]:
    row = now.row
    if not row.is_valid:
        errors = [f for f in row.findings if f.severity is Severity.ERROR]
        why = f": {one_line(errors[0].message, limit=200)}" if errors else "."
        where = errors[0].where if errors else row.row.ref
        yield f"{where} can go no more{why}"
    elif planned.files != now.files:
        yield from _files(planned, now)
    elif not is_unedited(planned.fingerprint, row.fingerprint):
        yield f"{_name(now)} is read in another way now."
    elif planned.action.sends and now.iwi and planned.iwi != now.iwi:
        names = ", ".join(one_line(each.name, limit=60) for each in row.goes_to)
        yield f"{_name(now)} would go to other iwi now: {names}."


def _files(planned: PlannedRow, now: Described) -> Iterator[str]:
    cell = now.row.row.cells.get("files")
    where = _name(now) if cell is None else str(cell.ref)
    before = {each.name: each for each in planned.files}
    after = {each.name: each for each in now.files}
    for name, was, file in _differing(before, after):
        became = "is new" if was is None else "has other content now"
        became = "is no longer there" if file is None else became
        yield f"{where}: the file {one_line(name, limit=80)} {became}."


def _draft(
    planned: PlannedRow, known: KnownRow | None, shown: Project | None, *, salt: str
) -> str:
    if known is None or known.project_id is None:
        return "the journal on this computer does not know its draft."
    if known.project_id != planned.project:
        return "it has another draft now."
    # The journal takes an edit together with the intent of the update.
    is_updated = (
        Step.UPDATE in planned.action.steps and known.fingerprint == planned.fingerprint
    )
    is_open = known.state in UNSENT and not is_updated
    if not is_open or shown_draft(shown, salt=salt) == planned.draft:
        return ""
    if shown is None:
        return "the service does not show its draft any more."
    done = "sent" if shown.is_sent else "changed"
    return f"its draft was {done} in the portal."


def _name(row: Described) -> str:
    return one_line(str(row.row.row.ref))
