"""How a run that sends ends: its result, its place in the history, its exit code."""

from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import product
from pathlib import Path
from typing import Final

from kawe.cases.kit import Toolkit
from kawe.cases.session import Session
from kawe.cases.sheets import RESULT_ENDINGS, result_place_of
from kawe.domain.batch.exit_codes import ExitCode, code_of, worst_of
from kawe.domain.batch.outcomes import (
    DID,
    NEEDS_PERSON,
    BatchReport,
    Outcome,
    RowReport,
    sum_words,
    unowned_words,
)
from kawe.domain.batch.plans import Plan
from kawe.domain.batch.runs import EndOfRun, RunRecord
from kawe.domain.batch.saved_plans import PlannedLimits
from kawe.domain.batch.sending import NO_LOAD, IwiLoad
from kawe.domain.rows.entries import Batch, BatchName
from kawe.domain.sheet.columns import SheetKind
from kawe.domain.sheet.findings import RowRef
from kawe.domain.text.new_zealand import moment_words
from kawe.domain.text.next_steps import Given, Next
from kawe.domain.text.texts import counted, one_line
from kawe.errors import JournalError, KaweError, ResultNotWritable
from kawe.flows.lost_sends import lost_words
from kawe.flows.plan.counting import acted_on
from kawe.flows.report.reporting import Submitted
from kawe.flows.run import Run
from kawe.schemas.catalog import load_columns
from kawe.workbook.replacing import check_place
from kawe.workbook.results.csv_json import ENDINGS, write_map

_STILL_TO_GO: Final = frozenset(
    {Outcome.UNFINISHED, Outcome.DRAFTED, Outcome.DEFERRED, Outcome.IN_DOUBT}
)


def code_of_report(
    report: BatchReport, counts: Counter[Outcome] | None = None
) -> ExitCode:
    """Give the exit code of a finished run; `counts` default to all rows."""
    counts = report.counts() if counts is None else counts
    if report.missing:
        return ExitCode.ROWS_WAIT_FOR_PERSON
    code = code_of_counts(counts)
    if code is ExitCode.DONE and report.changed_too_late:
        return ExitCode.ROWS_TO_CORRECT
    return code


def code_of_counts(counts: Counter[Outcome]) -> ExitCode:
    """Give the exit code of rows with these outcomes."""
    if any(counts[outcome] for outcome in NEEDS_PERSON):
        return ExitCode.ROWS_WAIT_FOR_PERSON
    if counts[Outcome.UNFINISHED]:
        return ExitCode.SERVICE
    return ExitCode.ROWS_TO_CORRECT if counts[Outcome.INVALID] else ExitCode.DONE


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut:
    """The rows that a run leaves out although they have work to do."""

    places: frozenset[RowRef] = field(default=frozenset(), repr=False)
    is_canary: bool = False
    why: str = ""
    """What is said behind "2 rows are"."""
    way: str = ""
    """What a person can do about such a row."""

    def said_in(self, report: BatchReport) -> BatchReport:
        """Add to a report which rows were left out, and what to do."""
        if not self.places:
            return report
        return replace(
            report,
            rows=tuple(
                replace(row, what_to_do=f"Left out of this run. {self.way}")
                if row.where in self.places and row.outcome in _STILL_TO_GO
                else row
                for row in report.rows
            ),
            remarks=(self._remark(report), *report.remarks),
        )

    def counts(self, report: BatchReport) -> Counter[Outcome]:
        """Count the outcomes without the rows that were left out."""
        if self.is_canary:
            return report.counts()
        return Counter(
            row.outcome for row in report.rows if row.where not in self.places
        )

    def _remark(self, report: BatchReport) -> str:
        left = counted(len(self.places), "row is", "rows are")
        if self.is_canary:
            went = sum(
                row.where not in self.places and row.outcome is Outcome.SENT
                for row in report.rows
            )
            return (
                f"The canary has ended, and {left} left. Look at what became of the "
                f"first {'one' if went == 1 else 'ones'}, in the portal "
                f"as well; then {Next.AGAIN} without {Given.CANARY}."
            )
        return f"{left} {self.why}"


def left_out_of(plan: Plan, limits: PlannedLimits) -> LeftOut:
    """Find the rows that a plan leaves out, and why."""
    whole = replace(plan, left_out=frozenset())
    keys = {entry.key for entry in acted_on(whole)} & plan.left_out
    keys -= plan.held_back.keys()
    why = "left to another workbook or sheet, which asks for their send."
    way = "Another workbook or sheet asks for its send: write yes here to send it."
    places = frozenset(line.where for line in plan.lines if line.row in keys)
    is_canary = limits.canary is not None and bool(places)
    if limits.canary is not None or limits.only is not None:
        option = Given.ONLY if limits.canary is None else Given.CANARY
        why = f"left out of this run by {option}."
        way = f"{Next.AGAIN} without {option}, and it goes."
    elif plan.may_send is not None:
        why = "left alone: not part of the plan, or left to another workbook or sheet."
        way = "Make a new plan. If it is left out there too, write yes in its Send."
    return LeftOut(places=places, is_canary=is_canary, why=why, way=way)


@dataclass(frozen=True, slots=True, kw_only=True)
class Closing:
    """How one batch stands after a run; its result is written."""

    report: BatchReport
    result: Path | None
    code: ExitCode
    sums: str = ""
    troubles: tuple[str, ...] = ()
    """What a person must hear of at once."""
    failed: Path | None = None
    """The rows to correct alone; None: nobody asked for them."""
    geojson: Path | None = None
    """The rows as a map; None: nobody asked for it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    """How a run that sends ends: result workbook, history, exit code."""

    session: Session
    run: Run
    command: str
    result: Path | None
    refused: bool = False
    """The sheet itself must be corrected."""
    iwi_load: IwiLoad = NO_LOAD
    submitted: Submitted | None = None
    """None: the report has every row of the batch."""
    rows_read: int | None = None
    """None: as many as the journal has."""
    left_out: LeftOut = field(default_factory=LeftOut)

    @property
    def goes_on(self) -> bool:
        return self.run.stop.because is None and not self.session.toolkit.halt.asked

    async def write(self, batch: Batch, *, workbook: Path | None = None) -> Closing:
        """Write the result, never over `workbook`; the caller prints it."""
        because, toolkit = self.run.stop.because, self.session.toolkit
        batches = await self.session.journal.batches()
        latest = next(each for each in batches if each.name == batch.name)
        journal = self.session.journal
        frame = replace(
            await toolkit.frame(journal),
            submitted=self.submitted,
            tokens_left=await self._balance(because),
            remarks=self._remarks(because, batch=latest.name),
            iwi_load=self.iwi_load,
        )
        report = await toolkit.report(latest, journal=journal, frame=frame)
        report = self.left_out.said_in(self._with_second_drafts(report))
        agree, sums = await self._sums(report)
        troubles: list[str] = []
        if not agree:
            report = replace(report, remarks=(sums, *report.remarks))
            troubles.append(sums)
        code = self._code(report, because) if agree else ExitCode.UNEXPECTED
        end = await self._end_of(latest, report, code=code)
        # The rows stand in the journal already: the result is written all the same.
        fault = await self._keep(latest, end)
        if fault is not None and because is None:
            troubles.append(str(fault))
            code, because = code_of(fault), fault
        if toolkit.told is not None:
            toolkit.told.record(report, code=code, because=because)
        path = self.result
        if path is None and Path(latest.workbook).parent.is_dir():
            path = result_place_of(latest, among=batches)
        if path is not None:
            protect = Path(latest.workbook) if workbook is None else workbook
            try:
                path = toolkit.writer(protect).write(report, path)
            except ResultNotWritable as trouble:
                # Nothing else tells the person what was sent.
                trouble.message += f" The run ended with {end.words}."
                if not isinstance(because, JournalError):
                    raise
                # The disk that keeps no journal is what stopped the run.
                because.message += f" {trouble.message}"
                raise because from trouble
        return Closing(
            report=report,
            result=path,
            sums=sums,
            code=code,
            troubles=tuple(troubles),
        )

    async def _keep(self, batch: Batch, end: EndOfRun) -> JournalError | None:
        """Keep the run in the history; give why it cannot be."""
        try:
            await self.session.keep_run(self.command, batch, end=end)
        except JournalError as fault:
            return fault
        return None

    async def _end_of(
        self, batch: Batch, report: BatchReport, *, code: ExitCode
    ) -> EndOfRun:
        tally, spends = self.run.tally, self.session.spends_tokens
        took = tally.may_have_sent | tally.acts_with_token if spends else set()
        if self.submitted is None and took:
            entries = await self.session.journal.entries(batch.name)
            took = took & {entry.key for entry in entries}
        now, counts = self.session.toolkit.clock.now(), report.counts()
        return EndOfRun(at=now, counts=counts, tokens=len(took), exit_code=code)

    async def _sums(self, report: BatchReport) -> tuple[bool, str]:
        read = self.rows_read
        if read is None:
            entries = await self.session.journal.entries(BatchName(report.batch))
            known = Counter[str | None](each.marker for each in entries)
            # Invalid rows: the journal may not have them, or have them twice.
            own = Counter(row.reference for row in report.rows if not row.of_batch)
            read = known.total() + (own - known).total()
        return sum_words(report, rows_read=read)

    def _with_second_drafts(self, report: BatchReport) -> BatchReport:
        if not (seconds := self.run.tally.second_drafts):
            return report
        return replace(
            report,
            remarks=(*report.remarks, unowned_words(seconds)),
            orphans=(*report.orphans, *seconds),
        )

    async def _balance(self, because: KaweError | None) -> int | None:
        """Ask for the balance; None for a sandbox key, and for an iwi's."""
        if because is None and self.session.spends_tokens:
            with suppress(KaweError):
                return (await self.session.service.lookups.account()).balance
        return None

    def _remarks(
        self, because: KaweError | None, *, batch: BatchName
    ) -> tuple[str, ...]:
        # Those of this batch are in the report.
        lost = [row for row in self.run.tally.lost_sends if row.batch != batch]
        remarks = [lost_words(lost)] if lost else []
        if elsewhere := len(self.run.tally.sent_elsewhere):
            rows = counted(elsewhere, "row was", "rows were")
            remarks.append(
                f"{rows} sent already, by another computer, by hand, or by a journal "
                "that was lost. Nothing was sent for them again."
            )
        remarks += self.run.tally.sent_otherwise.values()
        if self.session.toolkit.halt.asked:
            remarks.append(f"The run was stopped. {Next.AGAIN} to go on.")
        elif because is not None:
            remarks.append(f"The run stopped early. {because}")
        return tuple(remarks)

    def _code(self, report: BatchReport, because: KaweError | None) -> ExitCode:
        if self.session.toolkit.halt.asked:
            return ExitCode.INTERRUPTED
        if because is not None:
            return code_of(because)
        if self.run.tally.lost_sends:
            return ExitCode.ROWS_WAIT_FOR_PERSON
        code = code_of_report(report, self.left_out.counts(report))
        if self.run.tally.sent_otherwise:
            code = worst_of([code, ExitCode.ROWS_WAIT_FOR_PERSON])
        if self.left_out.is_canary and code is not ExitCode.ROWS_WAIT_FOR_PERSON:
            return ExitCode.SERVICE
        if code is ExitCode.DONE and self.refused:
            return ExitCode.ROWS_TO_CORRECT
        return code


_FAILED_ENDINGS: Final = (".xlsx", ".csv")


@dataclass(frozen=True, slots=True, kw_only=True)
class Extracts:
    """Where the files of one sheet go; None: it was not asked for."""

    failed: Path | None
    geojson: Path | None
    workbook: Path
    """The person's own, never written over."""
    result: Path
    """The workbook of the result."""
    toolkit: Toolkit

    def check(self) -> None:
        """Check, before any request, that they can be written.

        Raises:
            ResultNotWritable: One cannot, or is the workbook or a file of the result.
        """
        protect = frozenset({self.workbook})
        if self.failed is not None:
            self._check_differs(self.failed)
            check_place(self.failed, protect=protect, endings=_FAILED_ENDINGS)
        if self.geojson is not None:
            check_place(self.geojson, protect=protect, endings=ENDINGS)

    def write(self, closing: Closing) -> Closing:
        """Write those that were asked for; say where each is."""
        report = closing.report.said(self.toolkit.says)
        protect = frozenset({self.workbook})
        failed, geojson = self.failed, self.geojson
        if failed is not None:
            from kawe.workbook.failing import write_failing  # noqa: PLC0415 (start-up)

            failed = write_failing(
                report,
                failed,
                columns=load_columns(SheetKind.named(report.kind)),
                protect=protect,
                run=self.toolkit.run.id,
            )
        if geojson is not None:
            geojson = write_map(report, geojson, protect=protect)
        return replace(closing, failed=failed, geojson=geojson)

    def _check_differs(self, failed: Path) -> None:
        """Check that no file of the rows to correct is the workbook or the result."""
        theirs = {
            "your workbook": [self.workbook],
            "the result": [*map(self.result.with_suffix, RESULT_ENDINGS)],
        }
        for what, others in theirs.items():
            files = [failed.with_suffix(each) for each in (*_FAILED_ENDINGS, ".json")]
            for one, other in product(files, others):
                if _is_same(one, other):
                    raise ResultNotWritable(
                        message=f"{Given.FAILED} {one_line(failed.name)} would be "
                        f"written over {what}: {one_line(one.name)}.",
                        hint=f"Choose another name with {Given.FAILED}. Nothing was "
                        "done.",
                    )


def _is_same(one: Path, other: Path) -> bool:
    try:
        return one.samefile(other)
    except OSError:
        return one.absolute() == other.absolute()


@dataclass(frozen=True, slots=True, kw_only=True)
class SentRows:
    """What the last run of a batch sent, or did otherwise; for a confirmation."""

    rows: list[RowReport]

    @classmethod
    def of(cls, report: BatchReport, runs: Sequence[RunRecord]) -> "SentRows":
        """Take them from a batch; of its `runs`, the newest is first."""
        rows = [row for row in report.rows if row.outcome in DID and row.at and runs]
        return cls(rows=[e for e in rows if e.at and e.at >= runs[0].began_at])

    @property
    def counts(self) -> Counter[Outcome]:
        return Counter(row.outcome for row in self.rows)

    @property
    def iwi(self) -> list[tuple[str, int]]:
        """Give each iwi that it went to and the number of its rows, the most first."""
        return Counter(name for row in self.rows for name in row.iwi).most_common()

    @property
    def moments(self) -> list[str]:
        """Give when the first row went and when the last; one, where they agree."""
        at = [row.at for row in self.rows if row.at]
        return list(dict.fromkeys(map(moment_words, (min(at), max(at)))))

    @property
    def receipts(self) -> list[str]:
        return sorted(row.receipt_number for row in self.rows if row.receipt_number)
