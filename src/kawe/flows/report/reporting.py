"""Reporting: how every row of a workbook stands, from the journal alone.

A row that says an address and no place gets a link to a map.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Final

from kawe.domain.batch.approvals import approval_words
from kawe.domain.batch.explaining import advice_for, late_changes, still_done
from kawe.domain.batch.outcomes import (
    BatchReport,
    Outcome,
    RowReport,
    late_words,
    outcome_of,
    unowned_words,
)
from kawe.domain.batch.sending import NO_LOAD, IwiLoad, Sending
from kawe.domain.rows.entries import (
    Batch,
    BatchName,
    Entry,
    Line,
    SheetReading,
    ToldRows,
)
from kawe.domain.service.service_words import PLACE_NEEDED, Invitation, map_search
from kawe.domain.service.states import AFTER_SEND, IN_DOUBT, RowKey, State
from kawe.domain.sheet.findings import LATE_MISTAKES, REPLACED, Finding, Severity
from kawe.domain.sheet.tables import NO_COLUMNS, ReadAs
from kawe.domain.text.new_zealand import day_in_new_zealand
from kawe.domain.text.next_steps import Given, Next
from kawe.domain.text.texts import counted, one_line
from kawe.flows.check.checking import Checked
from kawe.flows.checked_rows import CheckedRow
from kawe.flows.lost_sends import LOST, lost_words
from kawe.flows.naming_iwi import iwi_of
from kawe.flows.plan.belonging import MAY_BE_MISSING, named_words
from kawe.flows.plan.counting import sending_asked
from kawe.flows.plan.editing import is_to_correct, without_what_is_over
from kawe.flows.report.combining import CombinedRows, as_read, combine
from kawe.flows.submit.existing import left_behind
from kawe.flows.wait.queueing import STANDS_IN_QUEUE, QueueOrder, turns_of
from kawe.ports import Journal

_NOT_THERE: Final = "It is no longer in the workbook, and not sent until it is."
_OF_BATCH: Final = "row of this batch is", "rows of this batch are"
_DROP: Final = f"Put it back, or take it out of the queue: {Next.DROP}."
_ACCEPT: Final = f"Put it back, or submit the workbook with {Given.ACCEPT_MISSING}."


@dataclass(frozen=True, slots=True, kw_only=True)
class Submitted:
    """The sheet that was submitted: the report has its rows alone."""

    reading: SheetReading
    findings: tuple[Finding, ...] = ()
    """What was found of the sheet and of no single row."""
    same_sends: bool = False
    """The same command again would send the drafts that ask for it."""
    sending: Sending | None = None
    """What the run was to send; None for rows without drafts."""
    read_as: ReadAs = NO_COLUMNS


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """What a report says beside the rows."""

    written_at: datetime
    project_link: str = ""
    """Address of a project for people, with `{id}` in it."""
    tokens_left: int | None = None
    reserve: int = 0
    nobody: str = ""
    """Who answers where the batch names nobody."""
    remarks: tuple[str, ...] = ()
    iwi_load: IwiLoad = NO_LOAD
    submitted: Submitted | None = None
    """None: the report is of all rows of the batch."""
    quiet: frozenset[State] = frozenset()
    """Rows in these states are only counted where nothing is to be told of them."""
    run_began_at: datetime | None = None
    """When the run of somebody else began that goes on; None: none does."""
    only: frozenset[RowKey] = frozenset()
    """Of rows that are quiet, those that are told alone; empty: of every row."""

    @property
    def sending(self) -> Sending | None:
        """Say what the run was to send; None where that is not known."""
        return None if self.submitted is None else self.submitted.sending


async def report_batch(batch: Batch, *, journal: Journal, frame: Frame) -> BatchReport:
    """Make the report of a batch: every row of it has exactly one outcome.

    After a submit: the rows of that sheet, whatever batch they are of.
    """
    own, combined, quiet = await _combined(batch, journal=journal, frame=frame)
    entries = {entry.key: entry for entry in own}
    keys = dict.fromkeys(line.row for line in combined.lines if line.row is not None)
    entries |= await journal.find([key for key in keys if key not in entries])
    turns = await turns_of(
        [entries[key] for key in keys if key not in combined.gone],
        journal=journal,
        at=frame.written_at,
    )
    view = _View(
        entries=entries,
        frame=frame,
        turns=turns,
        sent_at=await journal.sent_at(keys),
        combined=combined,
        batch=batch.name,
        iwi=await iwi_of(entries.values(), journal=journal),
        invitations=await journal.invitations(keys),
    )
    gone = [entry for entry in own if entry.key in combined.gone]
    missing = [entry for entry in gone if entry.state in MAY_BE_MISSING]
    orphans = left_behind(own, gone=combined.gone)
    others = [entries[key] for key in keys if entries[key].batch != batch.name]
    lost = [entry for entry in own if entry.reason == LOST]
    del own
    rows = tuple(_let_go(combined.lines, view))
    head = await _head(batch, journal=journal, frame=frame)
    more = {"message_as_sent"} if any(row.message for row in rows) else set()
    report = replace(
        head,
        headings=combined.headings,
        gives=head.gives | more,
        rows=rows,
        quiet=quiet,
        findings=() if frame.submitted is None else frame.submitted.findings,
        remarks=(
            *frame.remarks,
            *late_changes((row.outcome, row.findings) for row in rows),
            *filter(None, [still_done(row.findings for row in rows)]),
            *filter(None, (turns.warning, _gone(gone), _missing(missing))),
            *filter(None, (_others(others), unowned_words(orphans), lost_words(lost))),
            *(
                approval_words(approval)
                for approval in await journal.approvals()
                if approval.batch == batch.name
            ),
        ),
        orphans=orphans,
        missing=tuple(entry.marker for entry in missing),
        changed_too_late=sum(row.is_changed_too_late for row in rows),
    )
    return with_map_links(report)


async def _head(batch: Batch, *, journal: Journal, frame: Frame) -> BatchReport:
    binding = await journal.binding()
    return BatchReport(
        batch=batch.name,
        kind=batch.kind.value,
        workbook=Path(batch.workbook).name,
        team="" if binding is None else binding.team_name,
        mode="" if binding is None else binding.mode,
        written_at=frame.written_at,
        sheet=batch.sheet,
        headings=batch.headings,
        rows=(),
        tokens_left=frame.tokens_left,
        reserve=frame.reserve,
        owner=(await journal.batch_owners()).get(batch.name, frame.nobody),
        iwi_load=frame.iwi_load,
        gives=batch.kind.gives,
        sending=frame.sending,
        read_as=frame.submitted.read_as if frame.submitted else NO_COLUMNS,
    )


async def _combined(
    batch: Batch, *, journal: Journal, frame: Frame
) -> tuple[Sequence[Entry], CombinedRows, Counter[Outcome]]:
    """Give the rows that a report tells of, and count those that it does not."""
    quiet = Counter[Outcome]()
    if frame.submitted is not None:
        own = await journal.entries(batch.name)
        reading = frame.submitted.reading
        return own, await as_read(reading, own=own, journal=journal), quiet
    if frame.only:
        own = tuple((await journal.find(frame.only)).values())
        every = (
            each for of in (await journal.named(frame.only)).values() for each in of
        )
        lines = tuple(e.line for e in every if e.reading.batch == batch.name)
        told = ToldRows(entries=own, lines=lines, quiet={})
        return own, await combine(batch, told=told, journal=journal), quiet
    told = await journal.told(batch.name, quiet=frame.quiet)
    for state, number in told.quiet.items():
        quiet[outcome_of(state)] += number
    return told.entries, await combine(batch, told=told, journal=journal), quiet


def report_check(checked: Checked, *, workbook: Path, frame: Frame) -> BatchReport:
    """Make the report of a check, which has no batch and asked nothing."""
    head, today = checked.table, day_in_new_zealand(frame.written_at)
    report = BatchReport(
        batch="",
        kind=head.kind.value,
        workbook=workbook.name,
        team="",
        mode="",
        written_at=frame.written_at,
        sheet=head.sheet,
        headings=tuple(heading.text for heading in head.headings),
        rows=tuple(_checked(each) for each in checked.rows),
        remarks=(
            *frame.remarks,
            *(f"{each.message} {each.advice}" for each in head.findings),
            *filter(None, [checked.far_words(today=today)]),
        ),
        findings=head.findings,
        iwi_load=checked.iwi_load,
        gives=head.kind.gives,
        sending=sending_asked(checked),
        read_as=head.read_as,
    )
    return with_map_links(report)


def _checked(each: CheckedRow) -> RowReport:
    is_valid, said = each.is_valid, each.project
    return RowReport(
        where=each.row.ref,
        raw=each.row.raw,
        outcome=Outcome.READY if is_valid else Outcome.INVALID,
        what_to_do="" if is_valid else first_advice(each.findings),
        name="" if each.content is None else each.content.name,
        findings=each.findings,
        files=each.content.files if is_valid and each.content else (),
        changed=each.content.changed if each.content else (),
        iwi=tuple(iwi.name for iwi in each.goes_to),
        place=None if said is None else said.place,
    )


def first_advice(findings: Sequence[Finding]) -> str:
    """Say what to do about a row that cannot be submitted."""
    errors = [each for each in findings if each.severity is Severity.ERROR]
    if not errors:
        return "The sheet itself must be corrected first; Problems says how."
    more = f" ({len(errors) - 1} more, see Problems.)" if errors[1:] else ""
    return f"{errors[0].told}{more}"


@dataclass(frozen=True, slots=True, kw_only=True)
class _View:
    """What the lines of a report are compared with."""

    entries: dict[RowKey, Entry]
    frame: Frame
    turns: QueueOrder
    sent_at: Mapping[RowKey, datetime]
    combined: CombinedRows
    batch: BatchName
    iwi: dict[RowKey, tuple[str, ...]]
    invitations: Mapping[RowKey, Invitation]

    def invitation(self, entry: Entry) -> Invitation | None:
        """Give how a person's invitation stands now; None where nobody knows."""
        kept = self.invitations.get(entry.key)
        return kept and replace(kept, status=kept.status_at(self.frame.written_at))

    def standing(self, line: Line, entry: Entry) -> tuple[Outcome, str]:
        """Give the outcome of a row that the journal knows, and what to do."""
        if entry.is_in_flight(self.frame.run_began_at):
            return Outcome.UNFINISHED, "A run is at work on it now."
        if entry.key in self.combined.gone:
            return _standing_gone(entry)
        submitted, sending = self.frame.submitted, self.frame.sending
        same_sends = submitted is not None and submitted.same_sends
        way, outcome = sending.way() if sending else "", outcome_of(entry.state)
        advice = advice_for(entry, same_sends=same_sends, way=way)
        mistaken = next((f for f in line.findings if f.rule == LATE_MISTAKES), None)
        if mistaken is None:
            late = late_words(outcome, line.findings)
            step = f"{advice} {self.turns.deadline(entry)} {late}"
            return outcome, " ".join(step.split())
        if is_to_correct(line, entry):
            advice, outcome = first_advice(line.findings), Outcome.INVALID
            return outcome, f"{advice} {mistaken.message}"
        return outcome, f"{advice} {mistaken.message} {mistaken.advice}".strip()

    def counts(self, entry: Entry) -> bool:
        """Say whether a row is counted here; after a submit, every row is."""
        return self.frame.submitted is not None or entry.batch == self.batch

    def placed(self, what_to_do: str, line: Line) -> str:
        """Add the name of the other workbook, if the row is in one."""
        where = self.combined.elsewhere.get(line.where, "") if what_to_do else ""
        return f"{what_to_do} {where}".strip()


def _let_go(lines: Sequence[Line], view: _View) -> Iterator[RowReport]:
    """Report each line; a row of `view` is let go with the last that names it."""
    last = {line.row: at for at, line in enumerate(lines)}
    for at, line in enumerate(lines):
        yield _row(line, view)
        if line.row is not None and last[line.row] == at:
            del view.entries[line.row]


def _row(line: Line, view: _View) -> RowReport:
    frame, entry = view.frame, None if line.row is None else view.entries[line.row]
    if entry is None or _is_replaced(line, entry):
        advice = _replaced_words(entry) if entry else first_advice(line.findings)
        return RowReport(
            where=line.where,
            raw=line.raw,
            outcome=Outcome.INVALID,
            what_to_do=view.placed(advice, line),
            findings=line.findings,
        )
    line = without_what_is_over(line, entry)
    outcome, what_to_do = view.standing(line, entry)
    content, project = entry.content, entry.project_id
    return RowReport(
        where=line.where,
        raw=line.raw,
        outcome=outcome,
        what_to_do=view.placed(what_to_do, line),
        name=content.name,
        reference=entry.marker,
        project_id=project,
        link=frame.project_link.replace("{id}", project)
        if project and frame.project_link
        else None,
        receipt_number=entry.receipt_number,
        invitation=view.invitation(entry),
        iwi=view.iwi.get(entry.key, ()),
        place=content.place,
        at=view.sent_at.get(entry.key, entry.moved_at),
        respond_by_on=content.respond_by_on,
        turn=view.turns.by_row.get(entry.key),
        turns_in=content.turns_in,
        findings=line.findings,
        files=content.files,
        changed=content.changed,
        message=_message(line, entry),
        of_batch="" if view.counts(entry) else entry.batch,
    ).compared()


def _message(line: Line, entry: Entry) -> str:
    """Give what iwi read, where the row itself does not have it."""
    project = entry.content.project
    is_sent = outcome_of(entry.state) is Outcome.SENT
    if project is None or not is_sent or project.message in line.raw:
        return ""
    typed = (" ".join(cell.split()) for cell in line.raw if isinstance(cell, str))
    return "" if " ".join(project.message.split()) in typed else project.message


def _is_replaced(line: Line, entry: Entry) -> bool:
    """Say whether a line is about another project than the one that was sent."""
    is_sent = outcome_of(entry.state) is Outcome.SENT
    return is_sent and any(finding.rule == REPLACED for finding in line.findings)


def _replaced_words(entry: Entry) -> str:
    marker = one_line(entry.marker, limit=60)
    name = one_line(entry.content.name, limit=80)
    return (
        f"The reference {marker} was used for “{name}”, which is sent. Give this "
        "project a reference of its own."
    )


def _standing_gone(entry: Entry) -> tuple[Outcome, str]:
    """Say how a row stands that no workbook has, and what to do."""
    if entry.state in STANDS_IN_QUEUE:
        return Outcome.DEFERRED, f"{_NOT_THERE} {_DROP}"
    if entry.state in MAY_BE_MISSING - IN_DOUBT:
        return Outcome.UNFINISHED, f"{_NOT_THERE} {_ACCEPT}"
    if entry.state is State.DRAFTED:
        return Outcome.DRAFTED, "No workbook has its row: kawe does not send it."
    return outcome_of(entry.state), advice_for(entry)


def _gone(entries: Sequence[Entry]) -> str:
    gone = [e for e in entries if e.state in AFTER_SEND or e.state in IN_DOUBT]
    if not gone:
        return ""
    named = "; ".join(f"{e.marker} ({outcome_of(e.state).value})" for e in gone[:20])
    return (
        f"{counted(len(gone), *_OF_BATCH)} no longer in the workbook "
        f"but with the service: {named}."
    )


def _missing(entries: Sequence[Entry]) -> str:
    if not entries:
        return ""
    return (
        f"{counted(len(entries), *_OF_BATCH)} no longer in the workbook, and nobody "
        "has said whether they leave. Nothing is sent for them: "
        f"{named_words(entries)}. Put them back, or agree that they leave: submit the "
        f"workbook with {Given.ACCEPT_MISSING}."
    )


def _others(entries: Sequence[Entry]) -> str:
    if not entries:
        return ""
    belong = "row of this workbook belongs", "rows of this workbook belong"
    batches = Counter(entry.batch for entry in entries)
    return (
        f"{counted(len(entries), *belong)} to another batch: "
        + ", ".join(f"{name} ({number:,})" for name, number in sorted(batches.items()))
        + "."
    )


def with_map_links(report: BatchReport) -> BatchReport:
    """Give each row that lacks a place, and has no project, a link to look for it."""
    found = (e for e in report.read_as.read if e.means and e.means.field == "address")
    heading = next((each.text for each in found), None)
    if heading not in report.headings:
        return report
    at = report.headings.index(heading)
    return replace(report, rows=tuple(_linked(row, at) for row in report.rows))


def _linked(row: RowReport, at: int) -> RowReport:
    address = row.raw[at] if at < len(row.raw) else None
    is_lost = PLACE_NEEDED in [finding.rule for finding in row.findings]
    if row.link or not is_lost or not isinstance(address, str) or not address.strip():
        return row
    return replace(row, link=map_search(address))
