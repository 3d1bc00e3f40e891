"""What a submit was asked for, and whether that may be done."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

from kawe.cli.output.next_command import PLACE, suggested
from kawe.cli.shared.declaring import option, options_class
from kawe.cli.shared.extracts import ExtractOptions
from kawe.cli.shared.opening import OpenOptions
from kawe.cli.shared.options import (
    CommandContext,
    RunOptions,
    WhichOptions,
    WorkbookOptions,
    flags_of_a_plan,
    reading_of,
)
from kawe.domain.batch.approvals import Approval, approved_plan
from kawe.domain.batch.saved_plans import SavedPlan
from kawe.domain.batch.tokens import Budget
from kawe.domain.rows.entries import Binding
from kawe.domain.sheet.columns import SheetKind
from kawe.domain.text.counts import counted
from kawe.domain.text.row_choice import Allowance, read_allowance
from kawe.domain.text.texts import one_line
from kawe.errors import GuardRefused, SettingsError
from kawe.flows.check.checking import Checked
from kawe.flows.plan.counting import is_to_send, takes_own_step, touched
from kawe.toolkit import (
    Prepared,
    Reading,
    Session,
    account_check,
    check_rules,
    is_plan,
    prepare_saved,
    read_plan_file,
    reading_of_plan,
)
from kawe.toolkit.approving import refuse_typed, signed_approvals


@options_class
class SubmitOptions:
    """The options of a submit."""

    reading: WorkbookOptions
    extracts: ExtractOptions
    which: WhichOptions
    max_errors: str | None = option(
        "--max-errors",
        metavar="N|P%",
        help="Stop when more than N rows, or P percent of the rows, fail.",
    )
    approved_by: str | None = option(
        "--approved-by",
        metavar="NAME",
        help="Who agreed to the plan, beside its author.",
    )
    moved_to: Path | None = option(
        "--workbook", help="Where the workbook of the plan is now, if it was moved."
    )
    run: RunOptions
    opening: OpenOptions


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What is to be submitted, and within which bounds."""

    options: SubmitOptions
    reading: Reading
    saved: SavedPlan | None
    """None: the workbook as it is."""
    allowance: Allowance | None
    file: str
    """The SHA-256 of the file of the plan; empty without one."""
    approved_by: str | None
    accept: Callable[[Binding], None] | None = field(repr=False)
    checked: Checked | None = None
    """The sheet, checked together with the other sheets of the run; None: not yet."""

    @property
    def drafts_only(self) -> bool:
        """Say whether nothing is to be sent."""
        of_plan = self.saved is not None and self.saved.limits.drafts_only
        return self.options.which.drafts_only or of_plan

    async def prepare(self, session: Session) -> Prepared:
        """Check the workbook and plan, or check that the saved plan still fits."""
        if self.saved is None:
            prepared = await session.prepare(
                self.reading,
                update_drafts=self.options.which.update_drafts,
                checked=self.checked,
            )
        else:
            prepared = await prepare_saved(session, self.saved, self.reading)
        narrowed = await session.narrowed(
            prepared,
            only=self.options.which.only,
            canary=self.options.which.canary,
            drafts_only=self.drafts_only,
        )
        return await session.without_there_already(narrowed)

    def budget(self, session: Session) -> Budget:
        """Say how many sends may be tried."""
        budget = session.budget(
            max_tokens=self.options.run.bounds.max_tokens, agreed=None
        )
        if self.saved is None:
            return budget
        reserve = max(budget.keep_reserve, self.saved.limits.keep_reserve)
        return replace(budget, keep_reserve=reserve)

    def may_fail(self, prepared: Prepared) -> int | None:
        """Say how many more rows may fail (None: any number), or refuse the run."""
        if self.allowance is None:
            return None
        plan = prepared.plan
        allowed = self.allowance.of(plan.rows_read)
        if plan.invalid > allowed:
            need = counted(plan.invalid, "row needs", "rows need")
            raise GuardRefused(
                message=f"{need} correcting, and --max-errors allows "
                f"{self.allowance.words()}.",
                hint="Nothing was sent. Correct them, or allow more.",
            )
        return allowed - plan.invalid

    async def approved(self, session: Session, prepared: Prepared) -> Prepared:
        """Add the approvals of the plan; refuse where one is missing."""
        settings, given = session.toolkit.settings, self._approval(session, prepared)
        needs_another = self._reaches_people(session, prepared)
        if needs_another and settings.approvers is not None:
            given = await self._signed(session, prepared)
        if needs_another and settings.approval == "second_person":
            is_signed = settings.approvers is not None
            kept = () if is_signed else await session.journal.approvals()
            if not any(self._is_word_of_another(each) for each in (*given, *kept)):
                raise self._no_second(prepared.plan.kind, is_signed=is_signed)
        return replace(prepared, plan=replace(prepared.plan, approvals=given))

    async def _signed(
        self, session: Session, prepared: Prepared
    ) -> tuple[Approval, ...]:
        if self.saved is None:
            raise self._no_plan(prepared.plan.kind, is_signed=True)
        refuse_typed(self.approved_by)
        return await signed_approvals(
            session,
            self.saved,
            path=self.options.reading.workbook,
            file=self.file,
            batch=prepared.plan.batch.name,
        )

    def _approval(self, session: Session, prepared: Prepared) -> tuple[Approval, ...]:
        if self.saved is None or self.approved_by is None:
            return ()
        typed = Approval(
            plan=approved_plan(self.saved),
            batch=prepared.plan.batch.name,
            author=self.saved.author,
            approved_by=self.approved_by,
            sends=self.saved.acts,
            at=session.toolkit.clock.now(),
        )
        return (typed,)

    def _reaches_people(self, session: Session, prepared: Prepared) -> bool:
        # Rows that wait for tokens are sent later without asking again, so the
        # budget does not count here.
        return (
            session.reaches_people(prepared.plan.kind)
            and not self.drafts_only
            and any(is_to_send(e) or takes_own_step(e) for e in touched(prepared.plan))
        )

    def _is_word_of_another(self, approval: Approval) -> bool:
        of_plan = self.saved is not None and approval.plan == approved_plan(self.saved)
        return of_plan and approval.is_by_another

    def _no_plan(self, kind: SheetKind, *, is_signed: bool) -> GuardRefused:
        plan = suggested("submit", "plan.json", only=PLACE)
        wants, then = "a second person's word", f"then: {plan} --approved-by NAME"
        if is_signed:
            wants = "a signed approval"
            then = f"another person runs: kawe approve plan.json; then: {plan}"
        return GuardRefused(
            message=f"The settings want {wants} for every live {kind.act}, and a "
            "workbook by itself has none.",
            hint="Nothing was sent. Make a plan: "
            f"{suggested('plan', self.reading.workbook, also='-o plan.json')}; {then}",
        )

    def _no_second(self, kind: SheetKind, *, is_signed: bool) -> GuardRefused:
        if self.saved is None:
            return self._no_plan(kind, is_signed=False)
        author = one_line(self.saved.author)
        if self.approved_by is not None:
            return GuardRefused(
                message=f"The plan was made by {author}, who cannot approve it as the "
                "second person.",
                hint="Nothing was sent. Somebody else must approve it.",
            )
        return GuardRefused(
            message=f"The plan of {author} was approved by nobody else.",
            hint="Nothing was sent. Somebody else than its author must sign it."
            if is_signed
            else "Nothing was sent. Name who approved it: --approved-by NAME",
        )


def asked_of(context: CommandContext, options: SubmitOptions) -> Asked:
    """Say what a submit was asked for, from its options."""
    path = options.reading.workbook
    saved, file = read_plan_file(path) if is_plan(path) else (None, "")
    _refuse_strays(options, is_saved=saved is not None)
    approved_by = options.approved_by
    if approved_by is not None:
        approved_by = one_line(approved_by, limit=100)
        if not approved_by:
            raise SettingsError(
                message="--approved-by names nobody.",
                hint="Write the name of who approved the plan. Nothing was sent.",
            )
    allowance = options.max_errors
    if saved is None:
        reading = reading_of(options.reading)
    else:
        check_rules(saved)
        reading = reading_of_plan(
            saved, workbook=options.moved_to, files_root=options.reading.files_root
        )
    return Asked(
        options=options,
        reading=reading,
        saved=saved,
        file=file,
        allowance=None if allowance is None else read_allowance(allowance),
        approved_by=approved_by,
        accept=None if saved is None else account_check(saved, context.settings),
    )


def _refuse_strays(options: SubmitOptions, *, is_saved: bool) -> None:
    strays = (
        flags_of_a_plan(options.reading, options.which)
        if is_saved
        else {"--approved-by": options.approved_by, "--workbook": options.moved_to}
    )
    flag = next((flag for flag, value in strays.items() if value), None)
    if flag is None:
        return
    if is_saved:
        another = f"Make another plan with {flag}."
        if flag == "--all-sheets":
            another = "Make a plan of each sheet, with --sheet."
        raise SettingsError(
            message=f"{flag} belongs to kawe plan: a plan is carried out as it was "
            "made.",
            hint=f"{another} Nothing was sent.",
        )
    raise SettingsError(
        message=f"{flag} goes with a plan, not with a workbook.",
        hint="Make a plan first: kawe plan WORKBOOK -o plan.json. Nothing was sent.",
    )
