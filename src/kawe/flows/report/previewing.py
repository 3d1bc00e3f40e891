"""Previewing: how each row stands now, before a run.

It uses the journal, and what the service has that the journal does not know. Nothing is
written, neither here nor there.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, assert_never

from kawe.domain.batch.explaining import advice_for
from kawe.domain.batch.outcomes import (
    BatchReport,
    Outcome,
    RowReport,
    late_words,
    outcome_of,
)
from kawe.domain.batch.plans import Plan
from kawe.domain.rows.edits import There, ThereAlready
from kawe.domain.rows.entries import Entry, Line
from kawe.domain.service.service_words import without_ids
from kawe.domain.service.states import (
    AFTER_SEND,
    BEFORE_CREATE,
    IN_DOUBT,
    UNSENT,
    RowKey,
)
from kawe.domain.sheet.findings import ACT_IS_SO, Finding, Severity
from kawe.flows.check.checking import Checked
from kawe.flows.checked_rows import mark
from kawe.flows.naming_iwi import iwi_of
from kawe.flows.plan.counting import load_of_sends, sending_of
from kawe.flows.plan.foreseeing import find_there_already
from kawe.flows.report.reporting import Frame, report_check
from kawe.flows.run import Run

THERE_ALREADY: Final = "there-already"
_ELSEWHERE: Final = "by another computer or a lost journal"
_OUTCOMES: Final = {
    There.SENT: Outcome.SENT,
    There.DRAFT: Outcome.READY,
    There.OTHER: Outcome.HELD,
}


def there_findings(
    checked: Checked, there: Mapping[RowKey, ThereAlready]
) -> dict[RowKey, Finding]:
    """Say at each row's reference what the service has of it already."""
    return {
        row.key: mark(
            row.row,
            "reference",
            Severity.WARNING,
            rule=THERE_ALREADY,
            message=message,
            advice=advice,
        )
        for row in checked.rows
        if row.is_valid and row.key is not None and row.key in there
        for message, advice in (_words(there[row.key]),)
    }


def _words(there: ThereAlready) -> tuple[str, str]:
    match there.what:
        case There.SENT:
            return f"It is sent already, {_ELSEWHERE}.", "Nothing is sent for it."
        case There.DRAFT:
            message = f"A draft of it is there already, made {_ELSEWHERE}."
            return message, "The submit takes it over after a pause."
        case There.OTHER:
            advice = "Look in the portal; submitted as it is, the row is held."
            return without_ids(there.why), advice
        case _:
            assert_never(there.what)


async def report_preview(
    checked: Checked, plan: Plan, *, run: Run, workbook: Path, frame: Frame
) -> BatchReport:
    """Make the report of a check that knows the journal and asks the service."""
    there = await find_there_already(run, plan, and_drafts=True)
    done = await run.journal.known(plan.done_with_mistakes)
    shown = [entry for entry in plan.entries if entry.state not in IN_DOUBT]
    sending = sending_of(replace(plan, there=there, entries=tuple(shown)), checked)
    view = _View(
        entries={entry.key: entry for entry in plan.entries},
        outcomes={key: _OUTCOMES[each.what] for key, each in there.items()}
        | {key: outcome_of(row.state) for key, row in done.items()},
        findings=there_findings(checked, there),
        iwi=await iwi_of(plan.entries, journal=run.journal),
        way="" if sending is None else sending.way(),
    )
    report = report_check(checked, workbook=workbook, frame=frame)
    rows = tuple(
        view.standing(row, line).compared()
        for row, line in zip(report.rows, plan.lines, strict=True)
    )
    return replace(
        report,
        rows=rows,
        sending=sending,
        changed_too_late=sum(row.is_changed_too_late for row in rows),
        iwi_load=load_of_sends(
            checked,
            frozenset(_ready_to_send(plan, rows)),
            finished_before=checked.iwi_load.finished_before,
        ),
    )


def _ready_to_send(plan: Plan, rows: tuple[RowReport, ...]) -> Iterator[RowKey]:
    ready = {row.where for row in rows if row.outcome is Outcome.READY}
    sending = {entry.key for entry in plan.entries if entry.wants_send}
    for line in plan.lines:
        if line.row in sending and line.where in ready:
            yield line.row


@dataclass(frozen=True, slots=True, kw_only=True)
class _View:
    """What is known of the rows of a workbook beside what they say."""

    entries: Mapping[RowKey, Entry]
    outcomes: Mapping[RowKey, Outcome]
    """Of rows that are done although they have mistakes, or that are there already."""
    findings: Mapping[RowKey, Finding]
    """About rows that are there already."""
    iwi: Mapping[RowKey, tuple[str, ...]]
    """What the journal knows of whom rows go to, or went to."""
    way: str
    """How a draft of the sheet is sent."""

    def standing(self, row: RowReport, line: Line) -> RowReport:
        """Give the report of one row."""
        findings = line.findings
        if line.row is None:
            return replace(row, findings=findings)
        entry = self.entries.get(line.row)
        outcome = self.outcomes.get(line.row)
        if entry is None:
            # It has mistakes; unless it is done, it is to correct.
            return _advised(replace(row, findings=findings), outcome or row.outcome)
        found, known = self.findings.get(line.row), self.iwi.get(entry.key, ())
        if found is not None:
            findings = (*findings, found)
        row = replace(
            row,
            findings=findings,
            name=entry.content.name,
            place=entry.content.place,
            reference=entry.marker,
            project_id=entry.project_id,
            iwi=known or row.iwi if entry.state in AFTER_SEND else row.iwi or known,
        )
        if found is not None:
            words = f"{found.message} {found.advice}"
            return replace(row, outcome=outcome or row.outcome, what_to_do=words)
        is_so = any(each.rule == ACT_IS_SO for each in findings)
        if is_so and entry.state in BEFORE_CREATE:
            return replace(row, outcome=Outcome.ALREADY_THERE)
        stands = _outcome(entry)
        way = "" if stands is Outcome.READY else advice_for(entry, way=self.way)
        return _advised(row, stands, words=way)


def _outcome(entry: Entry) -> Outcome:
    is_ready = entry.state in BEFORE_CREATE or (
        entry.state in UNSENT and entry.wants_send
    )
    return Outcome.READY if is_ready else outcome_of(entry.state)


def _advised(row: RowReport, outcome: Outcome, *, words: str = "") -> RowReport:
    """Give a row its outcome, and say what to do about a late change."""
    if late := late_words(outcome, row.findings):
        words = f"{words} {late}".strip()
    elif outcome is Outcome.INVALID:
        words = row.what_to_do
    return replace(row, outcome=outcome, what_to_do=words)
