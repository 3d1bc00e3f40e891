"""What submit and release share: the guard before sends, and the ending."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import click

from kawe.cli import _words
from kawe.cli._asking import is_at_terminal, typed
from kawe.cli._exit import ExitCode, code_of
from kawe.cli._left_out import LeftOut
from kawe.cli._options import Surroundings
from kawe.cli._plan_words import banner, owner_lines
from kawe.domain.counts import counted
from kawe.domain.entries import Batch, BatchName
from kawe.domain.iwi_load import NO_LOAD, IwiLoad
from kawe.domain.outcomes import (
    NEEDS_PERSON,
    BatchReport,
    Outcome,
    orphan_words,
    sum_words,
)
from kawe.domain.plans import Plan
from kawe.domain.shown_files import ShownFile, file_lines, size_words
from kawe.domain.tokens import Budget, packs_covering
from kawe.errors import GuardRefused, KaweError
from kawe.flows.counting import owners_of
from kawe.flows.reporting import Submitted
from kawe.flows.run import Run
from kawe.toolkit import Session


def plan_lines(
    plan: Plan,
    *,
    session: Session,
    budget: Budget,
    drafts_only: bool,
    files: Sequence[ShownFile],
) -> Iterator[str]:
    """Say in words what a run is about to do, and which files it uploads."""
    account = session.account
    balance = account.balance if session.is_live else None
    yield banner(mode=session.mode, team=account.team_name, balance=balance)
    if session.is_live and account.sandbox:
        yield "The service calls this account a sandbox: sends may reach nobody."
    if plan.to_invite and not session.is_live and session.reaches_people(plan.kind):
        yield "The key is a sandbox key, and the invitations are real."
    yield "; ".join(_parts(plan)) + "."
    yield from file_lines(files)
    yield from owner_lines(owners_of(plan))
    if drafts_only or not plan.to_send:
        return
    now = budget.sends(plan.to_send)
    yield (
        f"{counted(now, 'project goes', 'projects go')} to iwi now. Sending cannot be "
        "undone."
    )
    left = plan.to_send - now
    missing = budget.missing(plan.to_send)
    if left and missing:
        packs = " + ".join(str(pack) for pack in packs_covering(missing))
        yield (
            f"{counted(left, 'more waits', 'more wait')} for tokens, the least urgent "
            f"ones; packs that would cover them: {packs}."
        )
    elif left:
        yield (
            f"{counted(left, 'more waits', 'more wait')}, the least urgent ones: this "
            "run may use no more tokens."
        )


def _parts(plan: Plan) -> Iterator[str]:
    yield f"{counted(plan.rows_read, 'row')} read"
    for count, one, many in (
        (plan.finished, "done already", "done already"),
        (len(plan.sent_there), "sent already elsewhere", "sent already elsewhere"),
        (plan.invalid, "to correct, left out", "to correct, left out"),
        (plan.held, "held for a person", "held for a person"),
        (plan.to_create, "draft to make", "drafts to make"),
        (plan.to_update, "draft to change", "drafts to change"),
        (plan.to_invite, "person to invite", "people to invite"),
    ):
        if count:
            yield counted(count, one, many)
    if plan.upload_files:
        files = counted(plan.upload_files, "file")
        yield f"{files} to upload ({size_words(plan.upload_bytes)})"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """How many acts of a run reach people: sends, or invitations."""

    acts: int
    does: str
    """What the run would do, after "would" and after "to"."""
    undone: str
    otherwise: str = ""
    """What else can be done where nobody agrees."""


def sends_of(count: int) -> Reach:
    """Say that a run sends so many projects."""
    return Reach(
        acts=count,
        does=f"send {counted(count, 'project')} to iwi",
        undone="Nothing was sent.",
        otherwise=", or use --drafts-only",
    )


def invitations_of(count: int) -> Reach:
    """Say that a run invites so many people."""
    people = counted(count, "person", "people")
    return Reach(acts=count, does=f"invite {people}", undone="Nobody was invited.")


def ask_agreement(
    reach: Reach,
    *,
    budget: Budget,
    is_live: bool,
    agreed: int | None,
    no_input: bool,
) -> Budget:
    """Make sure that a person agrees to as many live acts as reach people.

    Raises:
        GuardRefused: Nobody can be asked, or another number was typed.
    """
    acts = reach.acts
    if not is_live or acts == 0:
        return replace(budget, agreed=0) if is_live else budget
    if agreed is not None:
        if acts > agreed:
            raise GuardRefused(
                message=f"This run would {reach.does}, and --yes {agreed} agrees to "
                f"{agreed} at most.",
                hint=f"{reach.undone} Look at the plan, then agree to the number.",
            )
        return replace(budget, agreed=agreed)
    if no_input or not is_at_terminal():
        raise GuardRefused(
            message=f"This run would {reach.does} and nobody can be asked.",
            hint=f"{reach.undone} Agree with --yes {acts}{reach.otherwise}.",
        )
    if typed(f"Type {acts} to {reach.does}, anything else to stop") != str(acts):
        raise GuardRefused(
            message="Stopped: another number was typed.", hint=reach.undone
        )
    return replace(budget, agreed=acts)


def asker(*, no_input: bool) -> Callable[[str], bool]:
    """Give what asks a person whether something odd is as they mean it."""

    def agree(odd: str) -> bool:
        if no_input or not is_at_terminal():
            return False
        click.echo(odd)
        return typed("Type yes to go on, anything else to stop").casefold() == "yes"

    return agree


def code_of_report(
    report: BatchReport, counts: Counter[Outcome] | None = None
) -> ExitCode:
    """Give the exit code of a finished run: waiting rows beat wrong ones.

    `counts` where it is not about every row of the report.
    """
    counts = report.counts() if counts is None else counts
    if report.missing or any(counts[outcome] for outcome in NEEDS_PERSON):
        return ExitCode.ROWS_WAIT_FOR_PERSON
    if counts[Outcome.UNFINISHED]:
        return ExitCode.SERVICE
    if counts[Outcome.INVALID] or report.changed_too_late:
        return ExitCode.ROWS_TO_CORRECT
    return ExitCode.DONE


@dataclass(frozen=True, slots=True, kw_only=True)
class Closing:
    """How one batch stands after a run, written down and ready to be said."""

    report: BatchReport
    result: Path | None
    sums: str
    code: ExitCode


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    """How a run that sends ends: result workbook, words, exit code."""

    around: Surroundings
    session: Session
    run: Run
    command: str
    result: Path | None
    refused: bool = False
    """The sheet itself must be corrected."""
    iwi_load: IwiLoad = NO_LOAD
    submitted: Submitted | None = None
    """None: every row of the batch is told of."""
    rows_read: int | None = None
    """None: as many as the journal has of the batch."""
    left_out: LeftOut = field(default_factory=LeftOut)
    files: Sequence[ShownFile] | None = None
    """What was uploaded, or was to be, as it was shown; None: nothing was shown."""

    async def tell(self, batch: Batch, *, workbook: Path | None) -> int:
        """Write and print how the batch stands; give the exit code."""
        told = await self.write(batch, workbook=workbook)
        if self.around.as_json:
            _words.print_json(
                _words.report_document(
                    told.report,
                    command=self.command,
                    result=told.result,
                    exit_code=told.code,
                    files=self.files,
                )
            )
        else:
            _words.print_report(told.report, result=told.result, sums=told.sums)
        return told.code

    async def write(self, batch: Batch, *, workbook: Path | None) -> Closing:
        """Write how the batch stands, and leave it to the caller to print it."""
        because = self.run.brake.because
        batches = await self.session.journal.batches()
        latest = next(each for each in batches if each.name == batch.name)
        report = await self.around.toolkit.report(
            latest,
            journal=self.session.journal,
            submitted=self.submitted,
            tokens_left=await self._balance(because),
            remarks=self._remarks(because),
            iwi_load=self.iwi_load,
        )
        report = self.left_out.told(self._with_second_drafts(report))
        agree, sums = await self._sums(report)
        if not agree:
            report = replace(report, remarks=(sums, *report.remarks))
            click.echo(f"kawe: {sums}", err=True)
        code = self._code(report, because) if agree else ExitCode.UNEXPECTED
        self.around.telling.knows(report, code=code, because=because)
        path = self.result or self._default_result(latest)
        written = None
        if path is not None:
            protect = Path(latest.workbook) if workbook is None else workbook
            written = self.around.toolkit.writer(protect).write(report, path)
        return Closing(report=report, result=written, sums=sums, code=code)

    async def _sums(self, report: BatchReport) -> tuple[bool, str]:
        read = self.rows_read
        if read is None:
            known = await self.session.journal.entries(BatchName(report.batch))
            # Rows with mistakes that the journal knows nothing of, or twice.
            own = [row.reference for row in report.rows if not row.of_batch]
            read = len(known) + len(own) - len(set(own) - {None})
        return sum_words(report, rows_read=read)

    def _with_second_drafts(self, report: BatchReport) -> BatchReport:
        seconds = self.run.tally.second_drafts
        if not seconds:
            return report
        return replace(
            report,
            remarks=(*report.remarks, orphan_words(seconds)),
            orphans=(*report.orphans, *seconds),
        )

    def _default_result(self, batch: Batch) -> Path | None:
        workbook = Path(batch.workbook)
        if not workbook.parent.is_dir():
            return None
        return self.around.toolkit.result_path(workbook, wanted=None)

    async def _balance(self, because: KaweError | None) -> int | None:
        if because is not None:
            return None
        try:
            return await self.session.balance()
        except KaweError:
            return None

    def _remarks(self, because: KaweError | None) -> tuple[str, ...]:
        told: list[str] = []
        elsewhere = len(self.run.tally.sent_elsewhere)
        if elsewhere:
            rows = counted(elsewhere, "row was", "rows were")
            told.append(
                f"{rows} sent already, by another computer, by hand, or by a journal "
                "that was lost. Nothing was sent for them again."
            )
        if self.around.stopping.asked:
            told.append("The run was stopped. Run the same command again to go on.")
        elif because is not None:
            told.append(f"The run stopped early. {because}")
        return tuple(told)

    def _code(self, report: BatchReport, because: KaweError | None) -> ExitCode:
        if self.around.stopping.asked:
            return ExitCode.INTERRUPTED
        if because is not None:
            return code_of(because)
        code = code_of_report(report, self.left_out.counts(report))
        if self.left_out.is_canary and code is not ExitCode.ROWS_WAIT_FOR_PERSON:
            return ExitCode.SERVICE
        if code is ExitCode.DONE and self.refused:
            return ExitCode.ROWS_TO_CORRECT
        return code
