"""Reporting: how every row of a workbook stands, from the journal alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from kawe.domain.advice import advice_for
from kawe.domain.content import ProjectContent
from kawe.domain.entries import Batch, Binding, Entry, Line
from kawe.domain.findings import Finding, Severity
from kawe.domain.iwi_load import NO_LOAD, IwiLoad
from kawe.domain.outcomes import BatchReport, Outcome, RowReport, outcome_of
from kawe.domain.verdicts import RowKey
from kawe.flows.checking import Checked
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
    entries = {entry.key: entry for entry in await journal.entries(batch.name)}
    lines = await journal.lines(batch.name)
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
        remarks=(*frame.remarks, *_gone(lines, entries)),
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
    entry = None if line.row is None else entries.get(line.row)
    if entry is None:
        return RowReport(
            where=line.where,
            raw=line.raw,
            outcome=Outcome.INVALID,
            what_to_do=first_advice(line.findings),
            findings=line.findings,
        )
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


def _gone(lines: Sequence[Line], entries: dict[RowKey, Entry]) -> list[str]:
    present = {line.row for line in lines}
    gone = [entry for key, entry in entries.items() if key not in present]
    kept = [entry for entry in gone if entry.project_id is not None]
    if not kept:
        return []
    named = "; ".join(f"{e.marker} ({outcome_of(e.state).value})" for e in kept[:20])
    return [
        (
            f"{len(kept)} rows of this batch are no longer in the workbook but have a "
            f"project: {named}."
        )
    ]
