"""Whether a saved plan still fits, and if not, which rows are to blame.

A workbook that was only sorted, renamed or moved fits, and so do rows that are done by
now.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

from kawe.domain.batch.saved_plans import Action, PlannedRow, SavedPlan
from kawe.domain.rows.entries import KnownRow
from kawe.domain.rows.identity import is_unedited
from kawe.domain.service.service_words import Project
from kawe.domain.service.states import FINISHED, UNSENT
from kawe.domain.service.verdicts import RowKey, Step
from kawe.domain.text.row_numbers import numbers_words
from kawe.domain.text.texts import one_line
from kawe.flows.checked_rows import CheckedRow
from kawe.flows.plan.describing import files_of, hashes_of, iwi_of, shown_draft

_Known: TypeAlias = Mapping[RowKey, KnownRow]
_Drafts: TypeAlias = Mapping[RowKey, Project | None]


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
    for row in rows:
        number, hashes = row.row.ref.row, hashes_of(row, salt=saved.salt)
        same = left[hashes]
        if not same:
            new[number] = hashes[0]
        elif _is_other(saved, same.pop(0), row, known=known, drafts=drafts):
            changed.append(number)
    gone = {row.number: row.key for each in left.values() for row in each}
    edited = {*new.values()} & {*gone.values()} - {""}
    changed += [number for number, key in new.items() if key in edited]
    for what, numbers in (
        ("Changed in cells, files, iwi or draft, or too late by now", changed),
        ("Not in the plan", [n for n, key in new.items() if key not in edited]),
        ("Gone (as the plan counts)", [n for n, k in gone.items() if k not in edited]),
    ):
        if numbers:
            where = f"{one_line(saved.sheet)}!{numbers_words(sorted(numbers))}"
            yield f"{what}: {where}."


def planned_actions(
    saved: SavedPlan, rows: Sequence[CheckedRow]
) -> dict[RowKey, Action]:
    """Say what the plan does with each row."""
    actions = {row.key: row.action for row in saved.rows}
    planned = (
        (row.key, actions.get(hashes_of(row, salt=saved.salt)[0])) for row in rows
    )
    return {key: action for key, action in planned if key and action}


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
    is_elsewhere = row.goes_to and planned.iwi != iwi_of(row)
    return (
        not row.is_valid
        or planned.files != files_of(row)
        or not is_unedited(planned.fingerprint, row.fingerprint)
        or bool(planned.action.sends and is_elsewhere)
    )


def _is_open(planned: PlannedRow, known: KnownRow) -> bool:
    """Say whether the draft is still to be sent, and the plan has not changed it."""
    # The journal takes an edit together with the intent of the update.
    is_updated = (
        Step.UPDATE in planned.action.steps and known.fingerprint == planned.fingerprint
    )
    return known.state in UNSENT and not is_updated
