"""Submitting one sheet: what was asked for, whether it may be done, and doing it.

What a person says in between, at a terminal or on a page, is the caller's.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from kawe.cases.batches.approving import signed_approvals, wants_approval
from kawe.cases.batches.ending import Ending, RunListener, left_out_of
from kawe.cases.batches.plans import prepare_saved
from kawe.cases.session import Prepared, Session
from kawe.cases.sheets import SheetToRead
from kawe.domain.batch.reach import Reach, reach_of
from kawe.domain.batch.runs import SUBMIT
from kawe.domain.batch.saved_plans import PlannedLimits, Reading, SavedPlan
from kawe.domain.batch.sending import NO_LOAD, IwiLoad, Sending
from kawe.domain.batch.tokens import Budget
from kawe.domain.rows.entries import Binding, Entry
from kawe.domain.rows.shown_files import ShownFile
from kawe.domain.text.counts import counted
from kawe.domain.text.row_choice import Allowance
from kawe.domain.text.texts import one_line
from kawe.errors import GuardRefused
from kawe.flows.check.checking import Checked
from kawe.flows.plan.counting import (
    is_to_send,
    load_of_sends,
    sending_of,
    touched,
    without_done_by,
)
from kawe.flows.report.reporting import Submitted


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What is to be submitted, and within which bounds."""

    reading: Reading
    limits: PlannedLimits
    """The limits of this run; those of a saved plan hold as well."""
    saved: SavedPlan | None
    """None: the workbook as it is."""
    path: Path
    """Of the file of the plan; without one, of the workbook."""
    file: str
    """The SHA-256 of the file of the plan; empty without one."""
    accept: Callable[[Binding], None] | None = field(repr=False)
    allowance: Allowance | None = None
    to_plan: str = ""
    """Says how to make a plan that another person approves."""
    checked: Checked | None = None
    """The sheet, checked together with the other sheets of the run; None: not yet."""

    @property
    def drafts_only(self) -> bool:
        """Say whether nothing is to be sent."""
        of_plan = self.saved is not None and self.saved.limits.drafts_only
        return self.limits.drafts_only or of_plan

    async def prepare(self, session: Session) -> Prepared:
        """Check the workbook and plan, or check that the saved plan still fits."""
        if self.saved is None:
            prepared = await session.prepare(
                self.reading,
                update_drafts=self.limits.update_drafts,
                checked=self.checked,
            )
        else:
            prepared = await prepare_saved(session, self.saved, self.reading)
        narrowed = await session.narrowed(
            prepared,
            only=self.limits.only,
            canary=self.limits.canary,
            drafts_only=self.drafts_only,
        )
        return await session.without_there_already(narrowed)

    def budget(self, session: Session) -> Budget:
        """Say how many sends may be tried."""
        budget = session.budget(max_tokens=self.limits.max_tokens, agreed=None)
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
        reaches_people = self._reaches_people(session, prepared)
        if not reaches_people or not wants_approval(session):
            return prepared
        act, batch = prepared.plan.kind.act, prepared.plan.batch.name
        if self.saved is None:
            raise GuardRefused(
                message=f"The settings want a signed approval for every live {act}, "
                "and a workbook by itself has none.",
                hint=f"Nothing was sent. Make a plan: {self.to_plan}",
            )
        given = await signed_approvals(
            session, self.saved, path=self.path, file=self.file, batch=batch
        )
        needs_another = session.toolkit.settings.approval == "second_person"
        if needs_another and not any(each.is_by_another for each in given):
            raise GuardRefused(
                message=f"The plan of {one_line(self.saved.author)} was approved by "
                "nobody else.",
                hint="Nothing was sent. Somebody else than its author must sign it.",
            )
        return replace(prepared, plan=replace(prepared.plan, approvals=given))

    def _reaches_people(self, session: Session, prepared: Prepared) -> bool:
        # Rows that wait for tokens are sent later without asking again, so the
        # budget does not count here.
        return (
            session.reaches_people(prepared.plan.kind)
            and not self.drafts_only
            and any(is_to_send(e) or e.takes_own_step for e in touched(prepared.plan))
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadySheet:
    """A sheet whose plan is counted: it can be announced, agreed to, carried out."""

    sheet: SheetToRead
    result: Path
    asked: Asked
    prepared: Prepared
    budget: Budget
    may_fail: int | None
    load: IwiLoad
    sending: Sending | None
    """What is to be sent and what to be kept as drafts."""
    account: str
    """LIVE or SANDBOX, and the team."""
    may_go: Sequence[Entry]
    """The rows that are to reach people, the first to go first."""

    @property
    def sends(self) -> int:
        """Count the projects that would go to iwi now."""
        if self.asked.drafts_only:
            return 0
        return self.budget.sends(self.prepared.plan.to_send)

    @property
    def reach(self) -> Reach:
        """Describe the acts that reach people."""
        plan, sending = self.prepared.plan, self.sending
        drafts = 0 if sending is None else sending.ready_to_draft
        reach = reach_of(
            plan.kind,
            self.sends + plan.own_steps,
            account=self.account,
            rows=self.may_go,
        )
        beside = f" and keep {drafts:,} as drafts" if drafts else ""
        return replace(reach, beside=beside)

    @property
    def files(self) -> tuple[ShownFile, ...]:
        return self.prepared.files(self.asked.reading.root.resolve())


async def ready_sheet(
    session: Session,
    asked: Asked,
    *,
    sheet: SheetToRead,
    result: Path,
    before: Sequence[ReadySheet],
) -> ReadySheet:
    """Count the plan of one sheet, behind the sheets that go `before`."""
    prepared = await asked.prepare(session)
    earlier = [each.prepared.plan for each in before]
    plan = without_done_by(prepared.plan, earlier)
    plan = replace(plan, takes_out=asked.reading.accepts_missing)
    prepared = replace(prepared, plan=plan)
    may_fail = asked.may_fail(prepared)
    budget = asked.budget(session).less(sum(each.sends for each in before))
    prepared = await asked.approved(session, prepared)
    toolkit, workbook = session.toolkit, asked.reading.workbook
    report = toolkit.check_report(prepared.checked, workbook=workbook)
    if because := toolkit.writer(workbook).why_new(report):
        toolkit.progress.say(
            f"The result will be a new workbook and not your own, because {because}."
        )
    load, may_go = NO_LOAD, list[Entry]()
    if not asked.drafts_only:
        may_go = await session.sent_now(prepared.plan)
        now = may_go[: budget.sends(len(may_go))]
        load = load_of_sends(
            prepared.checked,
            frozenset(entry.key for entry in now),
            finished_before=prepared.checked.iwi_load.finished_before,
        )
    return ReadySheet(
        sheet=sheet,
        result=result,
        asked=asked,
        prepared=prepared,
        budget=budget,
        may_fail=may_fail,
        load=load,
        sending=_sending(prepared, asked),
        account=session.account_words,
        may_go=[*may_go, *prepared.plan.own_rows],
    )


async def planned_again(session: Session, ready: ReadySheet) -> ReadySheet:
    """Count the plan of a sheet once more, after an earlier sheet was carried out."""
    prepared = await ready.asked.prepare(session)
    takes_out = ready.prepared.plan.takes_out
    plan = replace(prepared.plan, takes_out=takes_out)
    prepared = replace(prepared, plan=plan)
    return replace(ready, prepared=prepared, sending=_sending(prepared, ready.asked))


def _sending(prepared: Prepared, asked: Asked) -> Sending | None:
    return sending_of(prepared.plan, prepared.checked, drafts_only=asked.drafts_only)


async def carry_out(
    session: Session, ready: ReadySheet, *, told: RunListener
) -> Ending:
    """Carry out the plan of one sheet; its result is still to be written.

    Raises:
        ScopeMissing: It would send, and the key may not: nothing was made.
    """
    asked, plan = ready.asked, ready.prepared.plan
    run = session.start(may_fail=ready.may_fail)
    await session.submit(
        ready.prepared, run=run, budget=ready.budget, drafts_only=asked.drafts_only
    )
    checked = ready.prepared.checked
    return Ending(
        session=session,
        told=told,
        run=run,
        command=SUBMIT,
        result=ready.result,
        refused=checked.refuses_all,
        iwi_load=ready.load,
        submitted=Submitted(
            reading=plan.batch.reading,
            findings=checked.table.findings,
            same_sends=not asked.drafts_only,
            sending=ready.sending,
            read_as=checked.table.read_as,
        ),
        rows_read=plan.rows_read,
        left_out=left_out_of(plan, asked.limits),
    )
