"""Reporting: how every row of a workbook stands, from the journal alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from kawe.domain.advice import advice_for
from kawe.domain.content import ProjectContent
from kawe.domain.counts import counted
from kawe.domain.entries import Batch, Binding, Entry, Line
from kawe.domain.findings import Finding, Severity
from kawe.domain.iwi_load import NO_LOAD, IwiLoad
from kawe.domain.outcomes import (
    BatchReport,
    Outcome,
    RowReport,
    orphan_words,
    outcome_of,
)
from kawe.domain.states import AFTER_SEND, IN_DOUBT
from kawe.domain.verdicts import RowKey
from kawe.flows.checking import Checked
from kawe.flows.orphans import left_behind
from kawe.ports import Journal


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """What a report says beside the rows."""

    written_at: datetime
    project_link: str = ""
    """Address of a project for people, with `{id}` in it."""
    tokens_left: int | None = None
    remarks: tuple[str, ...] = ()
    iwi_load: IwiLoad = NO_LOAD


async def report_batch(batch: Batch, *, journal: Journal, frame: Frame) -> BatchReport:
    """Make the report of a batch.

    Every line of the workbook has exactly one outcome.

    Raises:
        JournalError: The journal cannot be read.
    """
    own = await journal.entries(batch.name)
    lines = await journal.lines(batch.name)
    # A row may have moved on to another batch, with a workbook that holds it too.
    keys = [line.row for line in lines if line.row is not None]
    entries = await journal.find(keys)
    orphans = left_behind(own, present=keys)
    binding = await journal.binding()
    rows = tuple(_row(line, entries, frame=frame) for line in lines)
    return BatchReport(
        batch=batch.name,
        kind=batch.kind.value,
        workbook=Path(batch.workbook).name,
        team="" if binding is None else binding.team_name,
        mode=_mode(binding),
        written_at=frame.written_at,
        sheet=batch.sheet,
        headings=batch.headings,
        rows=rows,
        tokens_left=frame.tokens_left,
        remarks=(
            *frame.remarks,
            *filter(None, (_gone(own, present=keys), orphan_words(orphans))),
        ),
        orphans=orphans,
        iwi_load=frame.iwi_load,
    )


def report_check(checked: Checked, *, workbook: Path, frame: Frame) -> BatchReport:
    """Make the report of a check, which has no batch and asked nothing."""
    rows = tuple(
        RowReport(
            where=each.row.ref,
            raw=each.row.raw,
            outcome=Outcome.READY if each.is_valid else Outcome.INVALID,
            what_to_do="" if each.is_valid else first_advice(each.findings),
            name="" if each.content is None else each.content.name,
            findings=each.findings,
        )
        for each in checked.rows
    )
    return BatchReport(
        batch="",
        kind=checked.table.kind.value,
        workbook=workbook.name,
        team="",
        mode="",
        written_at=frame.written_at,
        sheet=checked.table.sheet,
        headings=tuple(heading.text for heading in checked.table.headings),
        rows=rows,
        remarks=(
            *frame.remarks,
            *(f"{each.message} {each.advice}" for each in checked.table.findings),
        ),
        iwi_load=checked.iwi_load,
    )


def first_advice(findings: Sequence[Finding]) -> str:
    """Say what to do about a row that cannot be submitted."""
    errors = [each for each in findings if each.severity is Severity.ERROR]
    if not errors:
        return "The sheet itself must be corrected first; kawe check says how."
    first = f"{errors[0].message} {errors[0].advice}".strip()
    more = len(errors) - 1
    return first if more == 0 else f"{first} ({more} more, see Problems.)"


def _mode(binding: Binding | None) -> str:
    return "" if binding is None else binding.mode


def _row(line: Line, entries: dict[RowKey, Entry], *, frame: Frame) -> RowReport:
    if line.row is None:
        return RowReport(
            where=line.where,
            raw=line.raw,
            outcome=Outcome.INVALID,
            what_to_do=first_advice(line.findings),
            findings=line.findings,
        )
    entry = entries[line.row]
    content = entry.content
    project = entry.project_id
    return RowReport(
        where=line.where,
        raw=line.raw,
        outcome=outcome_of(entry.state),
        what_to_do=advice_for(entry),
        name=content.name,
        reference=entry.marker,
        project_id=project,
        link=frame.project_link.replace("{id}", project)
        if project and frame.project_link
        else None,
        receipt_number=entry.receipt_number,
        at=entry.moved_at,
        respond_by=content.respond_by_on.isoformat()
        if isinstance(content, ProjectContent)
        else None,
        findings=line.findings,
    )


def _gone(entries: Sequence[Entry], *, present: Sequence[RowKey]) -> str:
    there = frozenset(present)
    gone = [
        entry
        for entry in entries
        if entry.key not in there
        and (entry.state in AFTER_SEND or entry.state in IN_DOUBT)
    ]
    if not gone:
        return ""
    named = "; ".join(f"{e.marker} ({outcome_of(e.state).value})" for e in gone[:20])
    are = "is" if len(gone) == 1 else "are"
    return (
        f"{counted(len(gone), 'row')} of this batch {are} no longer in the workbook "
        f"but with the service: {named}."
    )
