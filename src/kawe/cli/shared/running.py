"""What submit and release share: the words before sends, and the ending."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

import click

from kawe.cli.output import printing
from kawe.cli.output.exit import ExitCode, code_of
from kawe.cli.output.plan_words import banner, owner_lines
from kawe.cli.shared.extracts import WrittenExtracts, write_extracts
from kawe.cli.shared.options import CommandContext, WhichOptions
from kawe.domain.batch.iwi_load import NO_LOAD, IwiLoad
from kawe.domain.batch.outcomes import (
    NEEDS_PERSON,
    BatchReport,
    Outcome,
    RowReport,
    count,
    sum_words,
    unowned_words,
)
from kawe.domain.batch.plans import Plan
from kawe.domain.batch.runs import EndOfRun, RunRecord
from kawe.domain.batch.sending import Sending
from kawe.domain.batch.tokens import Budget, packs_words
from kawe.domain.rows.entries import Batch, BatchName
from kawe.domain.rows.shown_files import ShownFile, size_words
from kawe.domain.sheet.refs import RowRef
from kawe.domain.sheet.warned import warned_words
from kawe.domain.text.counts import counted
from kawe.errors import JournalError, KaweError
from kawe.flows.plan.counting import acted_on, owners_of, warned_rows
from kawe.flows.report.reporting import Submitted
from kawe.flows.run import Run
from kawe.toolkit import Session, result_place_of
from kawe.toolkit.extracts import Extracts

_STILL_TO_GO: Final = frozenset(
    {Outcome.UNFINISHED, Outcome.DRAFTED, Outcome.DEFERRED, Outcome.IN_DOUBT}
)
_WAITS: Final = (("row waits", "rows wait"), ("more waits", "more wait"))
_WAYS: Final = {
    "--canary": "Run the same command without --canary, and it goes.",
    "--only": "Run the same command without --only, and it goes.",
    "": "It is not part of the plan: make a new plan for it.",
}


def plan_lines(
    plan: Plan,
    *,
    session: Session,
    budget: Budget,
    sending: Sending | None,
    files: Iterable[str],
) -> Iterator[str]:
    """Say what a run will do; `files` are the lines of those that it uploads."""
    account = session.account
    balance = account.balance if session.is_live else None
    yield banner(mode=session.mode, team=account.team_name, balance=balance)
    if session.is_live and account.sandbox:
        yield "The service calls this account a sandbox: sends may reach nobody."
    if plan.own_steps and not session.is_live and session.reaches_people(plan.kind):
        yield f"The key is a sandbox key, and the {plan.kind.act}s are real."
    yield "; ".join(_parts(plan)) + "."
    yield from files
    yield from owner_lines(owners_of(plan))
    if sending is not None:
        yield from sending.lines()
    yield from filter(None, [warned_words(warned_rows(plan))])
    if sending is None or sending.drafts_only:
        return
    # A saved plan may send fewer than the sheet asks for.
    wanted = max(plan.to_send, 0 if plan.may_send is None else sending.ready_to_send)
    if wanted:
        yield from _sends_lines(plan, budget, wanted=wanted)


def _sends_lines(plan: Plan, budget: Budget, *, wanted: int) -> Iterator[str]:
    """Say how many of the rows that ask for it go now, and how many wait."""
    now = budget.sends(plan.to_send)
    left = wanted - now
    if not now:
        yield f"NOTHING WILL BE SENT. 0 of {left:,} will be sent to iwi."
    elif budget.balance is None:
        sent = counted(now, "project is", "projects are")
        yield f"{sent} sent now; a sandbox key reaches nobody."
    else:
        going = counted(now, "project goes", "projects go")
        yield f"{going} to iwi now. Sending cannot be undone."
    waits = counted(left, *_WAITS[bool(now)])
    urgent = ", the least urgent ones" if now else ""
    missing = budget.missing(wanted)
    if left and missing:
        yield f"{waits} for tokens{urgent}; {packs_words(missing)}."
    elif left:
        whose = "run" if wanted == plan.to_send else "plan"
        yield f"{waits}{urgent}: this {whose} may use no more tokens."


def _parts(plan: Plan) -> Iterator[str]:
    yield f"{counted(plan.rows_read, 'row')} read"
    for number, one, many in (
        (plan.finished, "done already", "done already"),
        (len(plan.sent_there), "sent already elsewhere", "sent already elsewhere"),
        (plan.invalid, "to correct, left out", "to correct, left out"),
        (plan.held, "held for a person", "held for a person"),
        (plan.to_create, "draft to make", "drafts to make"),
        (plan.to_update, "draft to change", "drafts to change"),
        (plan.own_steps, *plan.kind.acts),
    ):
        if number:
            yield counted(number, one, many)
    if plan.upload_files:
        files = counted(plan.upload_files, "file")
        yield f"{files} to upload ({size_words(plan.upload_bytes)})"


def code_of_report(
    report: BatchReport, counts: Counter[Outcome] | None = None
) -> ExitCode:
    """Give the exit code of a finished run; `counts` default to all rows."""
    counts = report.counts() if counts is None else counts
    if report.missing or any(counts[outcome] for outcome in NEEDS_PERSON):
        return ExitCode.ROWS_WAIT_FOR_PERSON
    if counts[Outcome.UNFINISHED]:
        return ExitCode.SERVICE
    if counts[Outcome.INVALID] or report.changed_too_late:
        return ExitCode.ROWS_TO_CORRECT
    return ExitCode.DONE


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut:
    """The rows that a run leaves out although they have work to do."""

    places: frozenset[RowRef] = field(default=frozenset(), repr=False)
    why: str = ""
    """The option; empty: they are not part of a saved plan."""

    @property
    def is_canary(self) -> bool:
        """Check that --canary left them out."""
        return self.why == "--canary" and bool(self.places)

    def said_in(self, report: BatchReport) -> BatchReport:
        """Add to a report which rows were left out, and what to do."""
        if not self.places:
            return report
        return replace(
            report,
            rows=tuple(self._row_said(row) for row in report.rows),
            remarks=(self._remark(report), *report.remarks),
        )

    def counts(self, report: BatchReport) -> Counter[Outcome]:
        """Count the outcomes without the rows that were left out."""
        if self.is_canary:
            return report.counts()
        return count(row.outcome for row in report.rows if row.where not in self.places)

    def _row_said(self, row: RowReport) -> RowReport:
        if row.where not in self.places or row.outcome not in _STILL_TO_GO:
            return row
        return replace(row, what_to_do=f"Left out of this run. {_WAYS[self.why]}")

    def _remark(self, report: BatchReport) -> str:
        left = counted(len(self.places), "row is", "rows are")
        if self.is_canary:
            return (
                f"The canary has ended, and {left} left. Look at what became of the "
                f"first {'one' if _went(report, self) == 1 else 'ones'}, in the portal "
                "as well; then run the same command without --canary."
            )
        if self.why:
            return f"{left} left out of this run by {self.why}."
        return f"{left} not part of the plan, and left alone: make a new plan for them."


def left_out_of(plan: Plan, which: WhichOptions) -> LeftOut:
    """Find the rows that a plan leaves out, and why."""
    whole = replace(plan, left_out=frozenset())
    keys = {entry.key for entry in acted_on(whole)} & plan.left_out
    why = "--only" if which.only is not None else ""
    return LeftOut(
        places=frozenset(line.where for line in plan.lines if line.row in keys),
        why="--canary" if which.canary is not None else why,
    )


def _went(report: BatchReport, left: LeftOut) -> int:
    return sum(
        row.where not in left.places and row.outcome is Outcome.SENT
        for row in report.rows
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Closing:
    """How one batch stands after a run; its result is written."""

    report: BatchReport
    result: Path | None
    sums: str
    code: ExitCode
    extracts: WrittenExtracts | None = None

    def lines(self) -> Iterator[str]:
        """Give the lines to print."""
        yield from printing.report_lines(
            self.report, result=self.result, sums=self.sums
        )
        if self.extracts is not None:
            yield from self.extracts.lines()

    def document(self, *, files: Sequence[ShownFile] | None) -> dict[str, Any]:
        """Give the document to print, without its title."""
        more = {} if self.extracts is None else self.extracts.as_json()
        return printing.report_document(
            self.report, result=self.result, files=files, more=more
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    """How a run that sends ends: result workbook, words, exit code."""

    context: CommandContext
    session: Session
    run: Run
    command: str
    result: Path | None
    extracts: Extracts | None = None
    """The files beside the result that were asked for."""
    refused: bool = False
    """The sheet itself must be corrected."""
    iwi_load: IwiLoad = NO_LOAD
    submitted: Submitted | None = None
    """None: the report has every row of the batch."""
    rows_read: int | None = None
    """None: as many as the journal has."""
    left_out: LeftOut = field(default_factory=LeftOut)
    files: Sequence[ShownFile] | None = None
    """The uploads that were shown; None: nothing was shown."""

    async def say(self, batch: Batch, *, workbook: Path | None) -> int:
        """Write and print how the batch stands; give the exit code."""
        closing = await self.write(batch, workbook=workbook)
        return printing.answer(
            self.command,
            closing.code,
            as_json=self.context.as_json,
            document=lambda: closing.document(files=self.files),
            lines=closing.lines(),
        )

    async def write(self, batch: Batch, *, workbook: Path | None) -> Closing:
        """Write the result; the caller prints it."""
        because = self.run.stop.because
        batches = await self.session.journal.batches()
        latest = next(each for each in batches if each.name == batch.name)
        report = await self.context.toolkit.report(
            latest,
            journal=self.session.journal,
            submitted=self.submitted,
            tokens_left=await self._balance(because),
            remarks=self._remarks(because),
            iwi_load=self.iwi_load,
        )
        report = self.left_out.said_in(self._with_second_drafts(report))
        agree, sums = await self._sums(report)
        if not agree:
            report = replace(report, remarks=(sums, *report.remarks))
            click.echo(f"kawe: {sums}", err=True)
        code = self._code(report, because) if agree else ExitCode.UNEXPECTED
        trouble = await self._keep_run(latest, report, code=code)
        if trouble is not None and because is None:
            click.echo(f"kawe: {trouble}", err=True)
            code = code_of(trouble)
        self.context.run.record(report, report.counts())
        self.context.notices.record(report, code=code, because=because)
        path = self.result or self._default_result(latest, batches)
        written = None
        if path is not None:
            protect = Path(latest.workbook) if workbook is None else workbook
            written = self.context.toolkit.writer(protect).write(report, path)
            self.context.results.append(written)
        return Closing(
            report=report,
            result=written,
            sums=sums,
            code=code,
            extracts=None
            if self.extracts is None
            else write_extracts(self.extracts, report),
        )

    async def _keep_run(
        self, batch: Batch, report: BatchReport, *, code: ExitCode
    ) -> KaweError | None:
        """Add the run to the history; give the trouble with the journal, if any."""
        took = self.run.tally.may_have_sent if self.session.is_live else set()
        if self.submitted is None and took:
            entries = await self.session.journal.entries(batch.name)
            took = took & {entry.key for entry in entries}
        now = self.context.toolkit.clock.now()
        record = RunRecord(
            batch=batch.name,
            command=self.command,
            workbook=batch.workbook,
            began_at=now,
            end=EndOfRun(
                at=now,
                counts=report.counts(),
                tokens=len(took),
                exit_code=code,
            ),
            by=self.context.toolkit.run,
        )
        # The rows stand in the journal already: the result is written all the same.
        try:
            await self.session.journal.keep_run(record)
        except JournalError as trouble:
            return trouble
        return None

    async def _sums(self, report: BatchReport) -> tuple[bool, str]:
        read = self.rows_read
        if read is None:
            known = await self.session.journal.entries(BatchName(report.batch))
            # Invalid rows: the journal may not have them, or have them twice.
            own = [row.reference for row in report.rows if not row.of_batch]
            read = len(known) + len(own) - len(set(own) - {None})
        return sum_words(report, rows_read=read)

    def _with_second_drafts(self, report: BatchReport) -> BatchReport:
        seconds = self.run.tally.second_drafts
        if not seconds:
            return report
        return replace(
            report,
            remarks=(*report.remarks, unowned_words(seconds)),
            orphans=(*report.orphans, *seconds),
        )

    def _default_result(self, batch: Batch, batches: Sequence[Batch]) -> Path | None:
        if not Path(batch.workbook).parent.is_dir():
            return None
        return result_place_of(batch, among=batches)

    async def _balance(self, because: KaweError | None) -> int | None:
        if because is not None:
            return None
        try:
            return await self.session.balance()
        except KaweError:
            return None

    def _remarks(self, because: KaweError | None) -> tuple[str, ...]:
        remarks: list[str] = []
        elsewhere = len(self.run.tally.sent_elsewhere)
        if elsewhere:
            rows = counted(elsewhere, "row was", "rows were")
            remarks.append(
                f"{rows} sent already, by another computer, by hand, or by a journal "
                "that was lost. Nothing was sent for them again."
            )
        if self.context.stopping.asked:
            remarks.append("The run was stopped. Run the same command again to go on.")
        elif because is not None:
            remarks.append(f"The run stopped early. {because}")
        return tuple(remarks)

    def _code(self, report: BatchReport, because: KaweError | None) -> ExitCode:
        if self.context.stopping.asked:
            return ExitCode.INTERRUPTED
        if because is not None:
            return code_of(because)
        code = code_of_report(report, self.left_out.counts(report))
        if self.left_out.is_canary and code is not ExitCode.ROWS_WAIT_FOR_PERSON:
            return ExitCode.SERVICE
        if code is ExitCode.DONE and self.refused:
            return ExitCode.ROWS_TO_CORRECT
        return code
