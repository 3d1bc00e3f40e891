"""Whether a saved plan still fits what it was made of, and if not, what changed.

Every difference is a sentence for a person. A workbook that was only sorted,
renamed or moved fits; so do rows that are done by now.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from kawe.domain.batch.drafts_shown import shown_draft
from kawe.domain.batch.saved_plans import PlannedRow, SavedPlan
from kawe.domain.rows.entries import KnownRow
from kawe.domain.service.service_words import Project
from kawe.domain.service.states import FINISHED, UNSENT
from kawe.domain.service.verdicts import RowKey, Step
from kawe.domain.sheet.findings import Severity
from kawe.domain.sheet.tables import Cell
from kawe.domain.text.texts import one_line
from kawe.flows.plan.describing import Described
from kawe.flows.plan.matching import match


@dataclass(frozen=True, slots=True, kw_only=True)
class Situation:
    """What is known of the rows of a plan when it is to be carried out."""

    rows: tuple[Described, ...]
    """The rows of the workbook, as they are now."""
    known: Mapping[RowKey, KnownRow]
    """The rows as the journal has them."""

    def is_done(self, row: Described) -> bool:
        """Say whether nothing is done for a row any more."""
        known = None if row.row.key is None else self.known.get(row.row.key)
        return known is not None and known.state in FINISHED


def changes_of_rows(saved: SavedPlan, situation: Situation) -> Iterator[str]:
    """Say what changed in the workbook and in the files that it names."""
    found = match(saved.rows, situation.rows)
    for planned, row in found.pairs:
        changed = list(_cells(planned, row))
        yield from changed
        if not changed and planned.action.acts and not situation.is_done(row):
            yield from _beside_cells(planned, row)
    for planned in found.gone:
        yield f"{_as_planned(saved, planned)} is no longer in the workbook."
    for row in found.added:
        yield f"{_name(row)} is not in the plan."


def changes_of_drafts(
    saved: SavedPlan,
    situation: Situation,
    *,
    drafts: Mapping[RowKey, Project | None],
) -> Iterator[str]:
    """Say which drafts are not as the service showed them to the plan.

    `drafts` is what it shows now of rows that are not sent.
    """
    now = {row.key: row for row in situation.rows if row.key}
    for planned in saved.rows:
        row = now.get(planned.key)
        if planned.draft and row is not None and row.row.key is not None:
            words = _draft(
                planned,
                situation.known.get(row.row.key),
                shown=drafts.get(row.row.key),
                salt=saved.salt,
            )
            if words:
                yield f"{_name(row)}: {words}"


def _draft(
    planned: PlannedRow, known: KnownRow | None, *, shown: Project | None, salt: str
) -> str:
    if known is None or known.project_id is None:
        return "the journal on this computer does not know its draft."
    if known.project_id != planned.project:
        return "it has another draft now."
    is_open = known.state in UNSENT and not _is_updated(planned, known)
    if not is_open or shown_draft(shown, salt=salt) == planned.draft:
        return ""
    if shown is None:
        return "the service does not show its draft any more."
    done = "sent" if shown.is_sent else "changed"
    return f"its draft was {done} in the portal."


def _is_updated(planned: PlannedRow, known: KnownRow) -> bool:
    # The journal takes the edit together with the intent to bring it there.
    return (
        Step.UPDATE in planned.action.steps and known.fingerprint == planned.fingerprint
    )


def _cells(planned: PlannedRow, now: Described) -> Iterator[str]:
    cells = now.row.row.cells
    for name in dict.fromkeys((*now.cells, *planned.cells)):
        before, after = planned.cells.get(name), now.cells.get(name)
        if before == after:
            continue
        if name not in cells:
            heading = name.replace("_", " ")
            yield f"{_name(now)}: the column for {heading} is gone."
        elif before is None:
            yield f"{_cell(cells[name])} was filled in."
        elif after is None:
            yield f"{_cell(cells[name])} was emptied."
        else:
            yield f"{_cell(cells[name])} changed."


def _beside_cells(planned: PlannedRow, now: Described) -> Iterator[str]:
    """Say what changed of a row although none of its cells did."""
    row = now.row
    if not row.is_valid:
        errors = [f for f in row.findings if f.severity is Severity.ERROR]
        why = f": {one_line(errors[0].message, limit=200)}" if errors else "."
        where = errors[0].where if errors else row.row.ref
        yield f"{where} can go no more{why}"
    elif planned.files != now.files:
        yield from _files(planned, now)
    elif planned.fingerprint != row.fingerprint:
        yield f"{_name(now)} is read in another way now."
    elif planned.action.sends and now.iwi and planned.iwi != now.iwi:
        names = ", ".join(one_line(each.name, limit=60) for each in row.goes_to)
        yield f"{_name(now)} would go to other iwi now: {names}."


def _files(planned: PlannedRow, now: Described) -> Iterator[str]:
    cell = now.row.row.cells.get("files")
    where = _name(now) if cell is None else str(cell.ref)
    before = {each.name: each for each in planned.files}
    after = {each.name: each for each in now.files}
    for name in dict.fromkeys((*before, *after)):
        shown = one_line(name, limit=80)
        if name not in after:
            yield f"{where}: the file {shown} is no longer there."
        elif name not in before:
            yield f"{where}: the file {shown} is new."
        elif before[name] != after[name]:
            yield f"{where}: the file {shown} has other content now."


def _cell(cell: Cell) -> str:
    return f"{one_line(str(cell.ref))} ({one_line(cell.heading, limit=40)})"


def _name(row: Described) -> str:
    return one_line(str(row.row.row.ref))


def _as_planned(saved: SavedPlan, planned: PlannedRow) -> str:
    marker = f" ({one_line(planned.marker, limit=60)})" if planned.marker else ""
    return f"The row that stood at {one_line(saved.sheet)}!{planned.number}{marker}"


def named(changes: Sequence[str], *, shown: int = 10) -> str:
    """Say the first changes, and how many there are besides."""
    more = len(changes) - shown
    rest = f" And {more} more." if more > 0 else ""
    return " ".join(changes[:shown]) + rest


def left_alone(saved: SavedPlan, rows: Sequence[Described]) -> frozenset[RowKey]:
    """Name the rows for which the plan does nothing."""
    acting = {row.key for row in saved.rows if row.action.acts}
    return _keys(row for row in rows if row.key not in acting)


def reached_by(saved: SavedPlan, rows: Sequence[Described]) -> frozenset[RowKey]:
    """Name the rows that the plan sends, or whose people it invites."""
    sent = {row.key for row in saved.rows if row.action.reaches_people}
    return _keys(row for row in rows if row.key in sent)


def _keys(rows: Iterable[Described]) -> frozenset[RowKey]:
    return frozenset(row.row.key for row in rows if row.row.key is not None)
