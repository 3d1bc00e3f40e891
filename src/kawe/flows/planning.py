"""Planning: which rows a run would act on, before it does."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Final, assert_never

from kawe.domain.content import InvitationContent, ProjectContent
from kawe.domain.entries import Batch, BatchName, Entry, Line
from kawe.domain.findings import Finding
from kawe.domain.identity import marker_of
from kawe.domain.outcomes import Outcome, outcome_of
from kawe.domain.plans import Plan
from kawe.domain.service_words import Account
from kawe.domain.states import BEFORE_CREATE, FINISHED, UNSENT, State
from kawe.domain.texts import fold
from kawe.domain.verdicts import RowKey
from kawe.flows.checking import Checked
from kawe.flows.counting import recounted
from kawe.flows.editing import EditFate, edit_finding, fate_of
from kawe.flows.project_rows import CheckedRow
from kawe.flows.resolving import CHANGED_AFTER_DRAFT, is_held_for_edit
from kawe.flows.reusing import is_reused, readable_key
from kawe.flows.spoiling import done_of, lines_of
from kawe.ports import Journal

_COUNTS: Final = frozenset({EditFate.HOLDS, EditFate.APPLIED, EditFate.TOO_LATE})


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """The workbook that a plan is made of."""

    workbook: Path
    read_at: datetime


async def make_plan(
    checked: Checked,
    *,
    source: Source,
    account: Account,
    journal: Journal,
    update_drafts: bool = False,
) -> Plan:
    """Say what a submit of this sheet would do now; changes nothing.

    Raises:
        JournalError: The journal cannot be read.
    """
    known = await _known(checked.rows, journal=journal)
    own = _own(checked.rows, known=known)
    batch = await _batch(checked, source=source, known=own, journal=journal)
    wrong = lines_of(checked.rows, known=known)
    done = done_of(wrong.values(), known=known)
    rows = []
    for position, each in enumerate(checked.rows, start=1):
        entry = _entry(each, batch=batch, position=position, at=source.read_at)
        if entry is None:
            line = wrong[each.row.ref]
            rows.append(_Row(line=line, is_done=line.row in done))
            continue
        before = known.get(entry.key)
        fate = await fate_of(
            entry, before, journal=journal, update_drafts=update_drafts
        )
        rows.append(
            _Row(
                line=_line(each, row=entry.key, edit=_finding(each, before, fate)),
                now=entry,
                merged=_merged(entry, before, fate=fate),
                fate=fate,
            )
        )
    plan = _counted(batch, account=account, rows=rows)
    return replace(plan, updates_drafts=update_drafts)


async def _known(
    rows: Sequence[CheckedRow], *, journal: Journal
) -> dict[RowKey, Entry]:
    """Give the rows as the journal has them.

    Where the fingerprint is the same, what a row says is taken from the sheet:
    reading it back for 100,000 rows that are done takes seconds.
    """
    keys = map(readable_key, rows)
    known = await journal.known(key for key in keys if key is not None)
    same = {
        each.key: known[each.key].saying(each.content)
        for each in rows
        if each.key in known
        and each.content is not None
        and known[each.key].fingerprint == each.fingerprint
    }
    edited = known.keys() - same.keys()
    return same | (await journal.find(edited) if edited else {})


def _own(
    rows: Sequence[CheckedRow], *, known: Mapping[RowKey, Entry]
) -> dict[RowKey, Entry]:
    """Give those of the known rows that are rows of this workbook."""
    strange = {readable_key(each) for each in rows if is_reused(each)}
    return {key: entry for key, entry in known.items() if key not in strange}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Row:
    """One row of the sheet, as it says now and as the journal will have it."""

    line: Line
    now: Entry | None = None
    merged: Entry | None = None
    fate: EditFate = EditFate.NONE
    is_done: bool = False
    """It has mistakes, and is done all the same."""


def _line(
    each: CheckedRow, *, row: RowKey | None = None, edit: Finding | None = None
) -> Line:
    edits = () if edit is None else (edit,)
    return Line(
        where=each.row.ref,
        raw=each.row.raw,
        findings=(*each.findings, *edits),
        row=row,
    )


def _finding(each: CheckedRow, before: Entry | None, fate: EditFate) -> Finding | None:
    return None if before is None else edit_finding(each, before, fate=fate)


def _counted(
    batch: Batch,
    *,
    account: Account,
    rows: Sequence[_Row],
) -> Plan:
    entries = [each.merged for each in rows if each.merged is not None]
    done = [each for each in rows if each.is_done]
    return recounted(
        Plan(
            batch=batch,
            account=account,
            lines=tuple(each.line for each in rows),
            entries=tuple(entries),
            edited=tuple(
                e.now for e in rows if e.now is not None and e.fate in _COUNTS
            ),
            updated=frozenset(
                e.now.key
                for e in rows
                if e.now is not None and e.fate is EditFate.APPLIED
            ),
            to_create=0,
            to_send=0,
            to_invite=0,
            spoilt=frozenset(e.line.row for e in done if e.line.row is not None),
            finished=sum(_is_finished(e) for e in entries) + len(done),
            invalid=len(rows) - len(entries) - len(done),
            held=sum(outcome_of(e.state) is Outcome.HELD for e in entries),
            upload_files=0,
            upload_bytes=0,
        )
    )


def _is_finished(entry: Entry) -> bool:
    if entry.state is State.DRAFTED:
        return isinstance(entry.content, ProjectContent) and not entry.content.send
    return entry.state in FINISHED and entry.state is not State.UNCONFIRMED


def _entry(
    checked: CheckedRow, *, batch: Batch, position: int, at: datetime
) -> Entry | None:
    content = checked.content
    if (
        not checked.is_valid
        or checked.key is None
        or checked.fingerprint is None
        or content is None
    ):
        return None
    match content:
        case ProjectContent():
            marker = marker_of(content)
        case InvitationContent():
            marker = content.email.casefold()
        case _:
            assert_never(content)
    return Entry(
        key=checked.key,
        batch=batch.name,
        kind=batch.kind,
        marker=marker,
        fingerprint=checked.fingerprint,
        content=content,
        state=State.VALID,
        moved_at=at,
        position=position,
    )


def _merged(entry: Entry, before: Entry | None, *, fate: EditFate) -> Entry:
    """Show a row as the journal will have it once the batch is opened."""
    if before is None:
        return entry
    moved = _at_its_place(before, entry)
    if before.state in BEFORE_CREATE:
        # Files that are with the service stay there: same bytes, same document.
        return replace(
            moved,
            content=entry.content,
            fingerprint=entry.fingerprint,
            marker=entry.marker,
            state=State.VALID,
            reason="",
        )
    if before.fingerprint == entry.fingerprint:
        # What it says is from the sheet already.
        undone = is_held_for_edit(before)
        return replace(moved, state=State.DRAFTED) if undone else moved
    if fate is EditFate.APPLIED:
        return replace(
            moved,
            content=entry.content,
            fingerprint=entry.fingerprint,
            state=State.DRAFTED if before.state is State.HELD else before.state,
        )
    if before.state in UNSENT and fate is EditFate.HOLDS:
        return replace(moved, state=State.HELD, reason=CHANGED_AFTER_DRAFT)
    return moved


def _at_its_place(before: Entry, entry: Entry) -> Entry:
    # Most rows of a large workbook are done and stand where they stood.
    if (before.batch, before.kind, before.position) == (
        entry.batch,
        entry.kind,
        entry.position,
    ):
        return before
    return replace(before, batch=entry.batch, kind=entry.kind, position=entry.position)


async def _batch(
    checked: Checked,
    *,
    source: Source,
    known: Mapping[RowKey, Entry],
    journal: Journal,
) -> Batch:
    """Find the batch that most of the rows belong to, or make a new one.

    The workbook's name and place do not count: a moved, renamed or edited
    workbook goes on with its batch.
    """
    batches = {batch.name: batch for batch in await journal.batches()}
    votes = Counter(
        entry.batch
        for entry in known.values()
        if batches[entry.batch].kind is checked.table.kind
    )
    name = (
        votes.most_common(1)[0][0]
        if votes
        else _new_name(source.workbook, taken=set(batches))
    )
    opened_at = batches[name].opened_at if name in batches else source.read_at
    return Batch(
        name=name,
        kind=checked.table.kind,
        workbook=str(source.workbook),
        sheet=checked.table.sheet,
        headings=tuple(heading.text for heading in checked.table.headings),
        opened_at=opened_at,
        read_at=source.read_at,
    )


def _new_name(workbook: Path, *, taken: set[BatchName]) -> BatchName:
    stem = re.sub(r"\.result$", "", workbook.stem)
    base = "-".join(fold(stem).split())[:40] or "batch"
    name, number = BatchName(base), 1
    while name in taken:
        number += 1
        name = BatchName(f"{base}-{number}")
    return name
