"""What a saved plan keeps of a row: hashes by which it is known again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from kawe.domain.batch.drafts_shown import shown_draft
from kawe.domain.batch.saved_plans import Action, PlannedFile, PlannedRow, hidden
from kawe.domain.rows.shown_files import path_below
from kawe.domain.service.verdicts import RowKey
from kawe.domain.sheet.tables import Cell
from kawe.flows.check.checking import Checked
from kawe.flows.checked_rows import CheckedRow
from kawe.flows.plan.foreseeing import Foreseen


@dataclass(frozen=True, slots=True, kw_only=True)
class Described:
    """One row as it stands now, in the words of a saved plan."""

    row: CheckedRow = field(repr=False)
    key: str
    cells: Mapping[str, str]
    files: tuple[PlannedFile, ...]
    iwi: tuple[str, ...]


def describe(row: CheckedRow, *, salt: str, root: Path | None = None) -> Described:
    """Hash what is to be recognised of a row; name its files, below `root`."""
    return Described(
        row=row,
        key=hashed_key(row.key, salt=salt),
        cells={
            name: hidden(salt, name, cell.shown if cell.value is None else cell.value)
            for name, cell in row.row.cells.items()
            if not _is_empty(cell)
        },
        files=_files(row, root),
        iwi=tuple(sorted(choice.slug for choice in row.goes_to)),
    )


def hashed_key(key: RowKey | None, *, salt: str) -> str:
    """Hash a row's key; empty for a row that could not be read."""
    return "" if key is None else hidden(salt, "key", key)


def planned_rows(
    checked: Checked, foreseen: Foreseen, *, salt: str, root: Path | None = None
) -> Iterator[PlannedRow]:
    """Put every row of a sheet into the words of a saved plan."""
    entries = {entry.key: entry for entry in foreseen.plan.entries}
    reached = (*foreseen.sends, *foreseen.invites)
    places = {key: place for place, key in enumerate(reached, start=1)}
    plan = foreseen.plan
    done = {line.where for line in plan.lines if line.row in plan.spoilt}
    for row in checked.rows:
        described = describe(row, salt=salt, root=root)
        entry = None if row.key is None or not row.is_valid else entries[row.key]
        if entry is None:
            yield PlannedRow(
                number=row.row.ref.row,
                key=described.key,
                marker="",
                action=Action.CHANGED if row.row.ref in done else Action.CORRECT,
                cells=described.cells,
            )
            continue
        has_draft = entry.key in foreseen.drafts
        yield PlannedRow(
            number=row.row.ref.row,
            key=described.key,
            marker=entry.marker if entry.kind.shows_marker else "",
            action=foreseen.actions[entry.key],
            place=places.get(entry.key),
            fingerprint=row.fingerprint or "",
            cells=described.cells,
            files=described.files,
            iwi=described.iwi,
            project=(entry.project_id or "") if has_draft else "",
            draft=shown_draft(foreseen.drafts[entry.key], salt=salt)
            if has_draft
            else "",
            owner=entry.content.owner_words if entry.key in places else "",
        )


def _is_empty(cell: Cell) -> bool:
    return cell.value is None and not cell.shown


def _files(row: CheckedRow, root: Path | None) -> tuple[PlannedFile, ...]:
    files = () if row.content is None else row.content.files
    return tuple(
        PlannedFile(
            name=each.name,
            size_bytes=each.size_bytes,
            sha256=each.sha256,
            path="" if root is None else path_below(root, each),
        )
        for each in sorted(files, key=lambda each: (each.name, each.sha256))
    )
