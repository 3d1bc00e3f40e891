"""What a saved plan keeps of a row: hashes by which it is known again."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from kawe.domain.batch.saved_plans import Action, PlannedFile, PlannedRow, hidden
from kawe.domain.rows.identity import is_unedited
from kawe.domain.rows.shown_files import path_below
from kawe.domain.service.service_words import Project
from kawe.domain.sheet.findings import AS_IT_STANDS
from kawe.domain.sheet.warned import warnings_of
from kawe.flows.check.checking import Checked
from kawe.flows.checked_rows import CheckedRow
from kawe.flows.plan.foreseeing import Foreseen


def hashes_of(row: CheckedRow, *, salt: str) -> tuple[str, str]:
    """Hash the key of a row, empty where it has none, and what its cells mean."""
    cells = {
        name: cell.shown if cell.value is None else cell.value
        for name, cell in row.row.cells.items()
        if cell.value is not None or cell.shown
    }
    key = "" if row.key is None else hidden(salt, "key", row.key)
    return key, hidden(salt, cells)


def files_of(row: CheckedRow, root: Path | None = None) -> tuple[PlannedFile, ...]:
    """Describe the attachments of a row, with their places below `root`."""
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


def iwi_of(row: CheckedRow) -> tuple[str, ...]:
    """Name the iwi that would be asked, by slug."""
    return tuple(sorted(choice.slug for choice in row.goes_to))


def shown_draft(project: Project | None, *, salt: str) -> str:
    """Hash what the service shows of a draft; None is one that it does not show."""
    return hidden(salt, repr(project))


def planned_rows(
    checked: Checked, foreseen: Foreseen, *, salt: str, root: Path | None = None
) -> Iterator[PlannedRow]:
    """Put every row of a sheet into the words of a saved plan."""
    plan = foreseen.plan
    entries = {entry.key: entry for entry in plan.entries}
    reached = (*foreseen.sends, *foreseen.own_steps)
    places = {key: place for place, key in enumerate(reached, start=1)}
    done = {line.where for line in plan.lines if line.row in plan.done_with_mistakes}
    for row, line in zip(checked.rows, plan.lines, strict=True):
        (key, cells), number = hashes_of(row, salt=salt), row.row.ref.row
        entry = None if row.key is None or not row.is_valid else entries[row.key]
        if entry is None:
            yield PlannedRow(
                number=number,
                key=key,
                marker="",
                action=Action.CHANGED if row.row.ref in done else Action.CORRECT,
                cells=cells,
            )
            continue
        yield PlannedRow(
            number=number,
            key=key,
            marker=entry.marker if entry.kind.shows_marker else "",
            action=foreseen.actions[entry.key],
            place=places.get(entry.key),
            fingerprint=entry.fingerprint
            if is_unedited(entry.fingerprint, row.fingerprint)
            else row.fingerprint or "",
            cells=cells,
            files=files_of(row, root),
            iwi=iwi_of(row),
            warnings=warnings_of(line.findings),
            stands="".join(f.message for f in line.findings if f.rule == AS_IT_STANDS),
            draft=shown_draft(foreseen.drafts[entry.key], salt=salt)
            if entry.key in foreseen.drafts
            else "",
            owner=entry.content.owner_words if entry.key in places else "",
        )
