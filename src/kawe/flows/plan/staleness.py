"""What a saved plan keeps of a row, and whether the row is still so.

A workbook that was only sorted, renamed or moved still fits its plan, and so do rows
that are done by now.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, TypeAlias

from kawe.domain.batch.agreements import Act
from kawe.domain.batch.saved_plans import (
    Action,
    PlannedFile,
    PlannedRow,
    SavedPlan,
    hidden,
)
from kawe.domain.rows.entries import Entry, KnownRow
from kawe.domain.rows.identity import is_unedited
from kawe.domain.rows.shown_files import path_below
from kawe.domain.service.service_words import Project
from kawe.domain.service.states import FINISHED, UNSENT, RowKey, Step
from kawe.domain.sheet.findings import (
    AS_IT_STANDS,
    DATE_PAST,
    MESSAGE_FILLED,
    PERSON_GONE,
    PERSON_ROLE,
    Finding,
    warnings_of,
)
from kawe.domain.text.texts import numbers_words, one_line
from kawe.flows.check.checking import Checked
from kawe.flows.checked_rows import CheckedRow
from kawe.flows.plan.foreseeing import Foreseen

_SAYS_HOW: Final = {AS_IT_STANDS, PERSON_GONE, PERSON_ROLE}
_Known: TypeAlias = Mapping[RowKey, KnownRow]
_Drafts: TypeAlias = Mapping[RowKey, Project | None]


def _hashes(row: CheckedRow, *, salt: str) -> tuple[str, str]:
    """Hash the key of a row, empty where it has none, and what its cells mean.

    A message that is not of the row itself counts as if it stood in a cell.
    """
    said = None if row.content is None else row.content.project
    is_filled = any(each.rule == MESSAGE_FILLED for each in row.findings)
    cells = ({"message": said.message} if said and is_filled else {}) | {
        name: cell.shown if cell.value is None else cell.value
        for name, cell in row.row.cells.items()
        if cell.value is not None or cell.shown
    }
    key = "" if row.key is None else hidden(salt, "key", row.key)
    return key, hidden(salt, cells)


def _files(row: CheckedRow, root: Path | None = None) -> tuple[PlannedFile, ...]:
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


def _iwi(row: CheckedRow) -> tuple[str, ...]:
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
    told: set[RowKey] = set()
    for row, line in zip(checked.rows, plan.lines, strict=True):
        (key, cells), number = _hashes(row, salt=salt), row.row.ref.row
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
        # The first of two rows of one person brings the invitation.
        is_again = entry.key in told
        told.add(entry.key)
        yield PlannedRow(
            number=number,
            key=key,
            marker=entry.marker if entry.kind.shows_marker else "",
            action=Action.SKIP if is_again else foreseen.actions[entry.key],
            place=None if is_again else places.get(entry.key),
            fingerprint=entry.fingerprint
            if is_unedited(entry.fingerprint, row.fingerprint)
            else row.fingerprint or "",
            says=Act.of(entry).says,
            cells=cells,
            files=_files(row, root),
            iwi=_iwi(row),
            warnings=warnings_of(line.findings),
            stands=_stands(entry, row, line.findings),
            draft=shown_draft(foreseen.drafts[entry.key], salt=salt)
            if entry.key in foreseen.drafts
            else "",
            owner=entry.content.owner_words if entry.key in places else "",
            costs=entry.kind.costs_of(entry.content) if entry.key in places else "",
            target=entry.content.target_id,
        )


def _stands(entry: Entry, row: CheckedRow, findings: Sequence[Finding]) -> str:
    """Say as what a row goes, or stays, or what it changes, and of what."""
    stands = [each.message for each in findings if each.rule in _SAYS_HOW]
    changes = [*row.content.changed] if row.content else []
    name, is_shown = entry.content.name, entry.kind.shows_marker
    if changes and is_shown and name != entry.marker:
        changes.insert(0, f"{one_line(name, limit=60)}:")
    return " ".join((*stands, *changes))


def changes_since(
    saved: SavedPlan, rows: Sequence[CheckedRow], *, known: _Known, drafts: _Drafts
) -> Iterator[str]:
    """Name the rows that changed, are new or are gone, in a sentence each.

    `drafts` is what the service shows now of rows that are not sent.
    """
    left: dict[tuple[str, str], list[PlannedRow]] = defaultdict(list)
    for planned in saved.rows:
        left[planned.key, planned.cells].append(planned)
    changed, new = list[int](), dict[int, str]()
    where = f"{one_line(saved.sheet)}!"
    for row in rows:
        number, hashes = row.row.ref.row, _hashes(row, salt=saved.salt)
        if not left[hashes]:
            new[number] = hashes[0]
            continue
        planned = left[hashes].pop(0)
        if _is_other(saved, planned, row, known=known, drafts=drafts):
            changed.append(number)
            yield from _meant(f"{where}{number}", planned, row)
    gone = {row.number: row.key for each in left.values() for row in each}
    edited = {*new.values()} & {*gone.values()} - {""}
    changed += [number for number, key in new.items() if key in edited]
    for what, numbers in (
        ("Changed in cells, files, iwi or draft, or too late by now", changed),
        ("Not in the plan", [n for n, key in new.items() if key not in edited]),
        ("Gone (as the plan counts)", [n for n, k in gone.items() if k not in edited]),
    ):
        if numbers:
            yield f"{what}: {where}{numbers_words(sorted(numbers))}."


def _meant(where: str, planned: PlannedRow, row: CheckedRow) -> Iterator[str]:
    """Say which project a row meant, where it is not the same any more."""
    now = "" if row.content is None else row.content.target_id
    if planned.target and planned.target != now:
        means = f"means {now or 'none, or several,'} now"
        yield f"{where} meant project {planned.target} in the plan, and {means}."


def planned_by_key(
    saved: SavedPlan, rows: Sequence[CheckedRow]
) -> dict[RowKey, PlannedRow]:
    """Say what the plan has of each row."""
    rows_of = {row.key: row for row in reversed(saved.rows)}
    planned = ((row.key, rows_of.get(_hashes(row, salt=saved.salt)[0])) for row in rows)
    return {key: row for key, row in planned if key and row}


def _is_other(
    saved: SavedPlan,
    planned: PlannedRow,
    row: CheckedRow,
    *,
    known: _Known,
    drafts: _Drafts,
) -> bool:
    """Say whether a row with the same cells is not as the plan has it."""
    before = None if row.key is None else known.get(row.key)
    if planned.draft and row.key is not None:
        draft = shown_draft(drafts.get(row.key), salt=saved.salt)
        if before is None or (draft != planned.draft and _is_open(planned, before)):
            return True
    if not planned.action.acts or (before is not None and before.state in FINISHED):
        return False
    is_elsewhere = row.goes_to and planned.iwi != _iwi(row)
    return (
        row.content is None
        or not row.is_valid
        or DATE_PAST in {*warnings_of(row.findings)} - {*planned.warnings}
        or planned.target != row.content.target_id
        or planned.files != _files(row)
        or not is_unedited(planned.fingerprint, row.fingerprint)
        or bool(planned.action.sends and is_elsewhere)
        # What is as an act wants it takes no request.
        or (
            any(was != to for _, was, to in row.content.changes)
            and planned.says != Act.told(row.content, planned.fingerprint)
        )
    )


def _is_open(planned: PlannedRow, known: KnownRow) -> bool:
    """Say whether the draft is still to be sent, and the plan has not changed it."""
    # The journal takes an edit together with the intent of the update.
    is_updated = (
        Step.UPDATE in planned.action.steps and known.fingerprint == planned.fingerprint
    )
    return known.state in UNSENT and not is_updated
