"""`kawe submit`: check, upload, draft, send; again to resume."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

import click

from kawe.cli.shared import printing, running
from kawe.cli.shared.asking import ask_about_missing, ask_agreement, asker, reach_of
from kawe.cli.shared.finding_lines import print_problems
from kawe.cli.shared.giving import ask_for_lacking
from kawe.cli.shared.next_command import PLACE, suggested
from kawe.cli.shared.notifying import NotifyingCommand
from kawe.cli.shared.opening import OpenOptions
from kawe.cli.shared.options import (
    CommandContext,
    RunOptions,
    WhichOptions,
    WorkbookOptions,
    flags_of_a_plan,
    option,
    options_class,
    reading_of,
    taking,
)
from kawe.cli.shared.plan_words import absent_lines, carrying_out
from kawe.cli.shared.read_words import ask_headings, print_read_as
from kawe.cli.shared.running import left_out_of
from kawe.domain.batch.approvals import Approval, approved_plan
from kawe.domain.batch.iwi_load import NO_LOAD
from kawe.domain.batch.saved_plans import SavedPlan
from kawe.domain.batch.sending import Sending
from kawe.domain.batch.tokens import Budget
from kawe.domain.rows.entries import Binding
from kawe.domain.sheet.columns import SheetKind
from kawe.domain.sheet.findings import Severity
from kawe.domain.text.counts import counted
from kawe.domain.text.row_choice import Allowance, read_allowance
from kawe.domain.text.texts import one_line
from kawe.errors import GuardRefused, SettingsError
from kawe.flows.plan.counting import is_to_send, own_steps_of, takes_own_step, touched
from kawe.flows.plan.send_counts import sending_of
from kawe.flows.report.reporting import Submitted
from kawe.toolkit import (
    Prepared,
    Reading,
    Session,
    account_check,
    check_rules,
    is_plan,
    open_session,
    prepare_saved,
    read_plan,
    reading_of_plan,
)


@options_class
class _SubmitOptions:
    reading: WorkbookOptions
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

    options: _SubmitOptions
    reading: Reading
    saved: SavedPlan | None
    """None: the workbook as it is."""
    allowance: Allowance | None
    approved_by: str | None
    accept: Callable[[Binding], None] | None = field(repr=False)

    @property
    def drafts_only(self) -> bool:
        """Say whether nothing is to be sent."""
        of_plan = self.saved is not None and self.saved.limits.drafts_only
        return self.options.which.drafts_only or of_plan

    async def prepare(self, session: Session) -> Prepared:
        """Check the workbook and plan, or check that the saved plan still fits."""
        if self.saved is None:
            prepared = await session.prepare(
                self.reading, update_drafts=self.options.which.update_drafts
            )
        else:
            prepared = await prepare_saved(session, self.saved, self.reading)
        return await session.narrowed(
            prepared,
            only=self.options.which.only,
            canary=self.options.which.canary,
            drafts_only=self.drafts_only,
        )

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
        """Add the approval of the plan; refuse where a second person is missing."""
        approval = self._approval(session, prepared)
        if self._needs_second(session, prepared):
            kept = await session.journal.approvals()
            words = [each for each in (approval, *kept) if each is not None]
            if not any(self._is_word_of_another(each) for each in words):
                raise self._no_second(prepared.plan.kind)
        return replace(prepared, plan=replace(prepared.plan, approval=approval))

    def _approval(self, session: Session, prepared: Prepared) -> Approval | None:
        if self.saved is None or self.approved_by is None:
            return None
        return Approval(
            plan=approved_plan(self.saved),
            batch=prepared.plan.batch.name,
            author=self.saved.author,
            approved_by=self.approved_by,
            sends=self.saved.acts,
            at=session.toolkit.clock.now(),
        )

    def _needs_second(self, session: Session, prepared: Prepared) -> bool:
        # Rows that wait for tokens are sent later without asking again, so the
        # budget does not count here.
        return (
            session.toolkit.settings.approval == "second_person"
            and session.reaches_people(prepared.plan.kind)
            and not self.drafts_only
            and any(is_to_send(e) or takes_own_step(e) for e in touched(prepared.plan))
        )

    def _is_word_of_another(self, approval: Approval) -> bool:
        of_plan = self.saved is not None and approval.plan == approved_plan(self.saved)
        return of_plan and approval.is_by_another

    def _no_second(self, kind: SheetKind) -> GuardRefused:
        if self.saved is None:
            plan = suggested("submit", "plan.json", only=PLACE)
            return GuardRefused(
                message=f"The settings want a second person's word for every live "
                f"{kind.act}, and a workbook by itself has none.",
                hint="Nothing was sent. Make a plan: "
                f"{suggested('plan', self.reading.workbook, also='-o plan.json')}; "
                f"then: {plan} --approved-by NAME",
            )
        author = one_line(self.saved.author)
        if self.approved_by is not None:
            return GuardRefused(
                message=f"The plan was made by {author}, who cannot approve it as the "
                "second person.",
                hint="Nothing was sent. Somebody else must approve it.",
            )
        return GuardRefused(
            message=f"The plan of {author} was approved by nobody else.",
            hint="Nothing was sent. Name who approved it: --approved-by NAME",
        )


@click.command(
    cls=NotifyingCommand,
    epilog="Examples: kawe submit monthly.xlsx · kawe submit monthly.xlsx --yes 40 "
    "--no-input · kawe submit plan.json --approved-by Aroha",
)
@taking(_SubmitOptions)
def submit(options: _SubmitOptions) -> int:
    """Submit WORKBOOK: upload files, make drafts, send them, invite people.

    Rows that need correcting are left out and listed. Running the same
    command again goes on where the last run stopped; rows that are done are
    left alone.

    A plan that kawe plan has kept may stand in place of WORKBOOK: then exactly
    that is done, or nothing where something has changed since.
    """
    context = options.run.open()
    asked = _asked_of(context, options)
    workbook = asked.reading.workbook
    context.toolkit.check_there(workbook)
    result = context.toolkit.result_path(workbook, wanted=options.reading.result)
    context.toolkit.writer(workbook).check_writable(result)
    if asked.saved is None:
        no_input = options.run.no_input
        context = ask_headings(context, asked.reading, no_input=no_input)
        reading = ask_for_lacking(context.toolkit, asked.reading, no_input=no_input)
        asked = replace(asked, reading=reading)
    code = asyncio.run(_submit(context, asked, result=result))
    options.opening.open(context.results, no_input=options.run.no_input)
    return code


async def _submit(context: CommandContext, asked: Asked, *, result: Path) -> int:
    no_input = asked.options.run.no_input
    agree = asker(no_input=no_input)
    async with open_session(
        context.toolkit, accept=asked.accept, agree=agree
    ) as session:
        prepared = await session.without_there_already(await asked.prepare(session))
        context.progress.close()
        may_fail = asked.may_fail(prepared)
        budget = asked.budget(session)
        prepared = await asked.approved(session, prepared)
        load = NO_LOAD
        if not asked.drafts_only:
            load = await session.iwi_load(prepared, budget=budget)
        files = prepared.files(asked.reading.root.resolve())
        sending = sending_of(
            prepared.plan, prepared.checked, drafts_only=asked.drafts_only
        )
        if not context.as_json:
            said = running.plan_lines(
                prepared.plan,
                session=session,
                budget=budget,
                sending=sending,
                files=files,
            )
            await _announce(session, prepared, asked=asked, lines=[*said, load.words()])
        prepared = ask_about_missing(
            prepared, accepts=asked.reading.accepts_missing, no_input=no_input
        )
        budget = await _agreed(
            session, prepared, budget=budget, asked=asked, sending=sending
        )
        run = session.start(may_fail=may_fail)
        with context.stopping.on_signals():
            await session.submit(
                prepared, run=run, budget=budget, drafts_only=asked.drafts_only
            )
        context.progress.close()
        plan = prepared.plan
        ending = running.Ending(
            context=context,
            session=session,
            run=run,
            command="submit",
            result=result,
            refused=prepared.checked.refuses_all,
            iwi_load=load,
            submitted=Submitted(
                reading=plan.batch.reading,
                findings=prepared.checked.table.findings,
                same_sends=not asked.drafts_only,
                sending=sending,
                read_as=prepared.checked.table.read_as,
            ),
            rows_read=plan.rows_read,
            left_out=left_out_of(plan, asked.options.which),
            files=files,
        )
        return await ending.say(plan.batch, workbook=asked.reading.workbook)


async def _announce(
    session: Session, prepared: Prepared, *, asked: Asked, lines: list[str]
) -> None:
    print_read_as(prepared.checked.table.read_as)
    print_problems(
        prepared.checked.problems(),
        least=Severity.ERROR,
        rest="in Problems, a sheet of the result workbook; or --verbose",
        verbose=asked.options.run.output.verbose,
    )
    if asked.saved is not None:
        approvals = await session.journal.approvals()
        lines[1:1] = carrying_out(asked.saved, approvals, plan=prepared.plan)
    printing.print_lines(filter(None, (*lines, *absent_lines(prepared.plan))))


async def _agreed(
    session: Session,
    prepared: Prepared,
    *,
    budget: Budget,
    asked: Asked,
    sending: Sending | None,
) -> Budget:
    plan = prepared.plan
    sends = 0 if asked.drafts_only else budget.sends(plan.to_send)
    now = await session.sent_now(plan, budget=budget) if sends else []
    drafts = 0 if sending is None else sending.ready_to_draft
    reach = reach_of(
        plan.kind,
        sends + plan.own_steps,
        account=session.account_words,
        rows=[*now, *own_steps_of(plan)],
    )
    beside = f" and keep {drafts:,} as drafts" if drafts else ""
    return ask_agreement(
        replace(reach, beside=beside),
        budget=budget,
        is_live=session.reaches_people(prepared.plan.kind),
        agreed=asked.options.run.agreed,
        no_input=asked.options.run.no_input,
    )


def _asked_of(context: CommandContext, options: _SubmitOptions) -> Asked:
    """Say what a submit was asked for, from its options."""
    path = options.reading.workbook
    saved = read_plan(path) if is_plan(path) else None
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
        allowance=None if allowance is None else read_allowance(allowance),
        approved_by=approved_by,
        accept=None if saved is None else account_check(saved, context.settings),
    )


def _refuse_strays(options: _SubmitOptions, *, is_saved: bool) -> None:
    strays = (
        flags_of_a_plan(options.reading, options.which)
        if is_saved
        else {"--approved-by": options.approved_by, "--workbook": options.moved_to}
    )
    flag = next((flag for flag, value in strays.items() if value), None)
    if flag is None:
        return
    if is_saved:
        raise SettingsError(
            message=f"{flag} belongs to kawe plan: a plan is carried out as it was "
            "made.",
            hint=f"Make another plan with {flag}. Nothing was sent.",
        )
    raise SettingsError(
        message=f"{flag} goes with a plan, not with a workbook.",
        hint="Make a plan first: kawe plan WORKBOOK -o plan.json. Nothing was sent.",
    )
