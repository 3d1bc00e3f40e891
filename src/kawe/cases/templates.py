"""Templates: empty, with the rows of another workbook, or with what is so now."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from kawe.cases.choices import find_batch, make_sure_of_side
from kawe.cases.kinds import FETCHED, OF_ACTS
from kawe.cases.kit import Toolkit
from kawe.domain.service.states import State
from kawe.domain.sheet.columns import CellKind, Column, SheetKind
from kawe.domain.text.new_zealand import NEW_ZEALAND
from kawe.domain.text.next_steps import Says
from kawe.domain.text.texts import one_line
from kawe.errors import SettingsError
from kawe.schemas.catalog import load_columns
from kawe.workbook.templates.template import Carried, carry, write_template
from kawe_xlsx.cells import RawValue

__all__ = ["Carried", "Undoing", "carry", "fetch_template", "make_template"]


def make_template(
    kind: SheetKind, path: Path, *, carried: Carried | None = None, says: Says = str
) -> Path:
    """Write a template with the rows that were read."""
    rows = () if carried is None else carried.rows
    return write_template(kind, load_columns(kind), path, rows=rows, says=says)


async def fetch_template(toolkit: Toolkit, word: str, path: Path) -> tuple[Path, int]:
    """Write a workbook of what is so now; give its place, and how many rows it has.

    Raises:
        GuardRefused: The side of the key has no acts for it.
    """
    kind = FETCHED[word]
    at = toolkit.clock.now().astimezone(NEW_ZEALAND)
    async with toolkit.open_service() as service:
        make_sure_of_side(kind, await service.lookups.account())
        facts = await kind.fetch(service.lookups, at=f"{at:%Y-%m-%d %H:%M}")
    columns = load_columns(kind)
    rows = [_row(each, columns) for each in facts]
    return write_template(kind, columns, path, rows=rows, says=toolkit.says), len(rows)


@dataclass(frozen=True, slots=True, kw_only=True)
class Undoing:
    """The sheets that put back what a batch did."""

    batch: str
    workbooks: Sequence[Path]
    """One for each kind of act; none: nothing can be put back."""
    rows: int
    left: Sequence[tuple[str, str]]
    """The target of each row that is not put back, and why."""


async def undo_template(toolkit: Toolkit, name: str, path: Path | None) -> Undoing:
    """Write the sheets that put back what a batch of acts did, as far as it can be.

    The service is not asked: the guards of its rows hold what has changed since.

    Raises:
        SettingsError: No batch is called so, or it sent or invited.
    """
    async with toolkit.open_journal(read_only=True) as journal:
        batch = find_batch(await journal.batches(), name=name)
        entries = await journal.entries(batch.name)
    if not {entry.kind.value for entry in entries} <= OF_ACTS.keys():
        raise SettingsError(
            message=f"Batch {batch.name} sent projects or invited people, and that "
            "cannot be undone.",
            hint="Projects are closed by a sheet of closures; an invitation ends by a "
            "sheet of resends that says expire under Do.",
        )
    rows, left = defaultdict(list), []
    for entry in entries:
        kind, name = OF_ACTS[entry.kind.value], one_line(entry.content.name)
        word, back = kind.put_back(entry.content, batch=batch.name)
        if entry.state not in {State.DONE, State.ALREADY_THERE}:
            left.append((name, "it was not done, or nobody knows yet"))
        if entry.state is not State.DONE:
            continue
        if back.why:
            left.append((f"{name}: {back.left}" if back.left else name, back.why))
        if back.row:
            rows[word].append(back.row)
    target = path or Path(f"undo-{batch.name}.xlsx")
    written = []
    for word, facts in rows.items():
        kind, columns = OF_ACTS[word], load_columns(OF_ACTS[word])
        place = target if len(rows) == 1 else target.with_stem(f"{target.stem}.{word}")
        typed = [_row(each, columns) for each in facts]
        book = write_template(kind, columns, place, rows=typed, says=toolkit.says)
        written.append(book)
    count = sum(map(len, rows.values()))
    return Undoing(batch=batch.name, workbooks=written, rows=count, left=left)


def _row(facts: Mapping[str, str], columns: tuple[Column, ...]) -> dict[str, RawValue]:
    """Give the values of a row as people type them."""
    found = ((each.field, _typed(facts.get(each.field, ""), each)) for each in columns)
    return {field: value for field, value in found if value != ""}


def _typed(value: str, column: Column) -> RawValue:
    if column.kind is CellKind.DATE and value:
        return date.fromisoformat(value)
    return next((e.label for e in column.choices if e.value == value), value)
