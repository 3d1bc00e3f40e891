"""What a page shows of a plan: what its rows are called, and what iwi will read."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Final

from kawe.cases.batches.plans import Made
from kawe.cases.kit import Toolkit
from kawe.cases.tray import LOOKS, gather, missing_names
from kawe.domain.batch.saved_plans import SavedPlan
from kawe.domain.service.states import Step
from kawe.domain.sheet.columns import Column, SheetKind
from kawe.domain.sheet.content import Content
from kawe.domain.text.new_zealand import weekday_words
from kawe.flows.plan.counting import sent_now
from kawe.flows.plan.staleness import changes_since, planned_by_key
from kawe.flows.plan.wording import absent_lines
from kawe.schemas.catalog import load_columns

_WRITES: Final = {Step.CREATE, Step.UPDATE}
_READ: Final = (
    *((name, name) for name in ("type", "phase", "description", "address")),
    *((f"{name}_on", f"{name}_date") for name in ("start", "end", "respond_by")),
    ("message", "message"),
)
"""What a project tells iwi in words: its attribute, and its column."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownPlan:
    """What a page shows of the rows of a plan, which itself has them as hashes."""

    names: Mapping[int, str]
    """By row."""
    read: Mapping[int, list[tuple[str, str]]]
    """What iwi will read of each row that is to be sent."""
    missing: list[str]
    """Which rows are not in the workbook, or not as the plan has them."""


def shown_with(made: Made) -> ShownPlan:
    """Give what a new plan says to whoever is to agree to it."""
    plan = made.prepared.plan
    going = {each.key for each in sent_now(plan)}
    entries, kind = {each.key: each for each in plan.entries}, made.saved.reading.kind
    lines = [(each.where.row, entries.get(each.row)) for each in plan.lines if each.row]
    rows = [(number, entry) for number, entry in lines if entry]
    return ShownPlan(
        names={number: _called(e.content, e.marker, kind) for number, e in rows},
        read={n: _read_by_iwi(e.content, kind) for n, e in rows if e.key in going},
        missing=[*absent_lines(plan)],
    )


async def shown_beside(
    toolkit: Toolkit, saved: SavedPlan, *, workbook: Path, tray: Path
) -> ShownPlan:
    """Read somebody else's plan beside its workbook; the service is not asked."""
    said, places = saved.reading, saved.reading.places
    places = None if places is None else tray / places.name
    reading = replace(said, workbook=workbook, files_root=tray, places=places)
    for _ in range(LOOKS):
        checked = await toolkit.check(reading)
        if not gather(tray, None, missing_names(checked.problems())):
            break
    # Of drafts, and of what names of projects mean, only whoever submits is told.
    own = tuple(replace(each, draft="", target="") for each in saved.rows)
    planned = planned_by_key(saved, checked.rows)
    rows = [
        (planned[row.key], row.content, row.marker)
        for row in checked.rows
        if row.content is not None and row.key in planned
    ]
    changes = changes_since(replace(saved, rows=own), checked.rows, known={}, drafts={})
    return ShownPlan(
        names={e.number: _called(what, by, said.kind) for e, what, by in rows},
        read={
            each.number: _read_by_iwi(content, said.kind)
            for each, content, _ in rows
            # A draft that is there goes as it stands, which a workbook does not know.
            if each.action.steps & _WRITES and (each.action.sends or each.action.waits)
        },
        missing=[*changes],
    )


def _called(content: Content, marker: str, kind: SheetKind | None) -> str:
    # A plan's file has no addresses of people; whoever agrees to mails sees them.
    is_private = kind is not None and not kind.shows_marker
    both = dict.fromkeys((content.name, marker))
    return ", ".join(both) if is_private else content.name


def _read_by_iwi(content: Content, kind: SheetKind | None) -> list[tuple[str, str]]:
    columns = {each.field: each for each in load_columns(kind)}
    cells = [(columns[field], getattr(content.project, name)) for name, field in _READ]
    return [(column.title, _as_read(column, value)) for column, value in cells if value]


def _as_read(column: Column, value: object) -> str:
    if isinstance(value, date):
        return weekday_words(value)
    return next((e.label for e in column.choices if e.value == value), str(value))
