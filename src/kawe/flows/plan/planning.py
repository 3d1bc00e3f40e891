"""Planning: which rows a run would act on, before it does."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from kawe.domain.batch.outcomes import Outcome, outcome_of
from kawe.domain.batch.plans import Plan
from kawe.domain.rows.entries import Batch, Entry, Line, PlacedLine
from kawe.domain.service.service_words import Account
from kawe.domain.service.states import (
    BEFORE_CREATE,
    BEGIN_ANEW,
    FINISHED,
    IN_DOUBT,
    UNSENT,
    RowKey,
    State,
)
from kawe.domain.sheet.tables import Heading, Table
from kawe.flows.check.checking import Checked
from kawe.flows.check.reusing import is_reused, keys_of
from kawe.flows.checked_rows import CheckedRow
from kawe.flows.plan.belonging import (
    Belonging,
    NewSheet,
    Source,
    belonging_of,
    elsewhere,
    with_missing,
)
from kawe.flows.plan.counting import recounted
from kawe.flows.plan.editing import EditFate, done_of, edit_findings, fate_of, lines_of
from kawe.flows.settle.resolving import CHANGED_AFTER_DRAFT, is_held_for_edit
from kawe.ports import Journal

_WITH_THE_SEND: Final = ("iwi", "send", "message", "priority_order")
_COUNTS: Final = frozenset({EditFate.HOLDS, EditFate.APPLIED, EditFate.TOO_LATE})


async def make_plan(
    checked: Checked,
    *,
    source: Source,
    account: Account,
    journal: Journal,
    update_drafts: bool = False,
) -> Plan:
    """Say what a submit of this sheet would do now; changes nothing."""
    known = await _known(checked.rows, journal=journal)
    table, keys = checked.table, keys_of(checked.rows)
    # A row that bears another project's reference is not the known one.
    strange = keys_of(each for each in checked.rows if is_reused(each))
    new = NewSheet(source=source, kind=table.kind, sheet=table.sheet, keys=keys)
    own = {key: each for key, each in known.items() if key not in strange}
    belonging = await belonging_of(new, known=own, journal=journal)
    batch = _batch(table, belonging, source=source)
    asked_for = await _asked_for_elsewhere(
        checked, known=known, new_sheet=new, journal=journal
    )
    wrong = lines_of(checked.rows, known=known)
    done = done_of(wrong.values(), known=known)
    rows: list[_Row] = []
    planned: set[RowKey] = set()
    for position, each in enumerate(checked.rows, start=1):
        entry = _entry(each, batch=batch, position=position, at=source.read_at)
        if entry is None:
            rows.append(_Row(line=wrong[each.row.ref]))
            continue
        if entry.key in planned:
            rows.append(_Row(line=each.line(entry.key), is_again=True))
            continue
        planned.add(entry.key)
        before = _before(each, known.get(entry.key))
        if before and entry.key in asked_for:
            before = replace(before, content=replace(entry.content, send=True))
            entry = replace(entry, content=replace(entry.content, send=True))
        fate = await fate_of(
            entry, before, journal=journal, update_drafts=update_drafts
        )
        rows.append(
            _Row(
                line=each.line(entry.key, *edit_findings(each, before, fate=fate)),
                now=entry,
                merged=_merged(entry, before, fate=fate),
                fate=fate,
            )
        )
    plan = replace(
        _counted(batch, account=account, rows=rows, done=done),
        left_out=asked_for,
        repeats={
            each.key: each.repeats
            for each in checked.rows
            if each.repeats and each.key is not None
        },
        updates_drafts=update_drafts,
        in_place_of=belonging.in_place_of,
    )
    return await with_missing(recounted(plan), new, journal=journal)


def _batch(table: Table, belonging: Belonging, *, source: Source) -> Batch:
    return Batch(
        batch=belonging.name,
        kind=table.kind,
        workbook=str(source.workbook),
        sheet=table.sheet,
        headings=tuple(heading.text for heading in table.headings),
        opened_at=belonging.opened_at or source.read_at,
        read_at=source.read_at,
    )


async def _known(
    rows: Sequence[CheckedRow], *, journal: Journal
) -> dict[RowKey, Entry]:
    """Give the rows as the journal has them.

    Where the fingerprint is the same, the content comes from the sheet: reading it back
    for 100,000 rows takes seconds. An act in doubt keeps what was so before it.
    """
    known = await journal.known(keys_of(rows))
    same = {
        each.key: known[each.key].saying(each.content)
        for each in rows
        if each.key in known
        and each.content is not None
        and known[each.key].fingerprint == each.fingerprint
        and (known[each.key].kind.has_drafts or known[each.key].state not in IN_DOUBT)
    }
    edited = known.keys() - same.keys()
    return same | (await journal.find(edited) if edited else {})


async def _asked_for_elsewhere(
    checked: Checked,
    *,
    known: Mapping[RowKey, Entry],
    new_sheet: NewSheet,
    journal: Journal,
) -> frozenset[RowKey]:
    """Name the drafts that another workbook sends, and of which this says nothing."""
    quiet = [
        row.key
        for row in checked.rows
        if row.key is not None
        and row.key in known
        and known[row.key].state in UNSENT
        and row.content is not None
        and not row.content.send
        # A no is a word: nothing goes to iwi against it.
        and row.row.value("send") is not False
    ]
    before = await journal.find(quiet)
    waiting = [key for key in quiet if before[key].wants_send]
    heading = checked.table.heading_of("send")
    there = (await elsewhere(waiting, new_sheet, journal=journal)).items()
    return frozenset(key for key, e in there if any(_asks(each, heading) for each in e))


def _asks(placed: PlacedLine, heading: Heading | None) -> bool:
    """Say if a sheet asks for a send, or may: that cell was not empty or a no."""
    said = dict(zip(placed.reading.headings, placed.line.raw, strict=False))
    return heading is None or said.get(heading.text, True) not in {None, "", False}


def _before(checked: CheckedRow, known: Entry | None) -> Entry | None:
    """Give a row as it was; one that begins anew, as nothing of it was done."""
    if known is None or known.state not in BEGIN_ANEW:
        return known
    is_anew = any(each.rule in known.kind.again_rules for each in checked.findings)
    return replace(known, state=State.VALID) if is_anew else known


@dataclass(frozen=True, slots=True, kw_only=True)
class _Row:
    """One row of the sheet, as it says now and as the journal will have it."""

    line: Line
    now: Entry | None = None
    merged: Entry | None = None
    fate: EditFate = EditFate.NONE
    is_again: bool = False
    """It says what an earlier row says, and counts once."""


def _counted(
    batch: Batch, *, account: Account, rows: Sequence[_Row], done: frozenset[RowKey]
) -> Plan:
    """Count the rows; those of `done` have mistakes, and are done all the same."""
    entries = [each.merged for each in rows if each.merged is not None]
    fates = [(each.now, each.fate) for each in rows if each.now is not None]
    finished = {each.key for each in entries if _is_finished(each)}
    again = [each.line.row in finished for each in rows if each.is_again]
    return Plan(
        batch=batch,
        account=account,
        lines=tuple(each.line for each in rows),
        entries=tuple(entries),
        edited=tuple(now for now, fate in fates if fate in _COUNTS),
        updated=frozenset(now.key for now, fate in fates if fate is EditFate.APPLIED),
        done_with_mistakes=done,
        finished=len(finished) + len(done) + again.count(True),
        repeated=again.count(False),
        invalid=len(rows) - len(entries) - len(done) - len(again),
        held=sum(outcome_of(e.state) is Outcome.HELD for e in entries),
    )


def _is_finished(entry: Entry) -> bool:
    if entry.state is State.DRAFTED:
        return not entry.wants_send
    return entry.state in FINISHED and entry.state is not State.UNCONFIRMED


def _entry(
    checked: CheckedRow, *, batch: Batch, position: int, at: datetime
) -> Entry | None:
    key, content, fingerprint = checked.key, checked.content, checked.fingerprint
    if not checked.is_valid or key is None or fingerprint is None or content is None:
        return None
    return Entry(
        key=key,
        batch=batch.name,
        kind=batch.kind,
        marker=checked.marker,
        fingerprint=fingerprint,
        content=content,
        state=State.VALID,
        moved_at=at,
        position=position,
    )


def _merged(entry: Entry, before: Entry | None, *, fate: EditFate) -> Entry:
    """Show a row as the journal will have it once the batch is opened."""
    if before is None:
        return entry
    # Mostly nothing changed. A row of another batch stays there.
    stays = before.batch != entry.batch or before.position == entry.position
    moved = before if stays else replace(before, position=entry.position)
    if before.state in BEFORE_CREATE:
        # Uploaded files stay: same bytes, same document.
        moved = replace(moved, marker=entry.marker, state=State.VALID, reason="")
        return _saying(moved, entry)
    if before.fingerprint == entry.fingerprint:
        # What it says is from the sheet already.
        undone = is_held_for_edit(before)
        return replace(moved, state=State.DRAFTED) if undone else moved
    if fate is EditFate.APPLIED:
        state = State.DRAFTED if before.state is State.HELD else before.state
        return _saying(replace(moved, state=state), entry)
    if before.state in UNSENT and fate is EditFate.HOLDS:
        return replace(moved, state=State.HELD, reason=CHANGED_AFTER_DRAFT)
    return moved if fate is not EditFate.PASSED_OVER else _as_drafted(moved, entry)


def _saying(row: Entry, of: Entry) -> Entry:
    return replace(row, content=of.content, fingerprint=of.fingerprint)


def _as_drafted(before: Entry, entry: Entry) -> Entry:
    """Show a row whose draft goes as it stands: only its send is as it says now."""
    was, now = before.content.project, entry.content.project
    if was is None or now is None:
        return before
    sent = {each: getattr(now, each) for each in _WITH_THE_SEND}
    return replace(before, content=replace(was, **sent))
