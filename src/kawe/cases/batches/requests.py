"""What is to be submitted: a workbook as it is, or exactly what a plan says."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

from kawe.cases.batches.approving import signed_approvals, wants_approval
from kawe.cases.batches.plans import (
    account_check,
    check_rules,
    prepare_saved,
    reading_of_plan,
)
from kawe.cases.kit import Toolkit
from kawe.cases.session import Prepared, Session
from kawe.domain.batch.saved_plans import PlannedLimits, Reading, SavedPlan
from kawe.domain.batch.tokens import Budget
from kawe.domain.rows.entries import Binding
from kawe.domain.text.counts import counted
from kawe.domain.text.next_steps import Given
from kawe.domain.text.row_choice import Allowance
from kawe.domain.text.texts import one_line
from kawe.errors import GuardRefused
from kawe.flows.check.checking import Checked
from kawe.flows.plan.counting import is_to_send, touched


@dataclass(frozen=True, slots=True, kw_only=True)
class SubmitRequest:
    """What is to be submitted, and within which bounds."""

    reading: Reading
    limits: PlannedLimits
    """The limits of this run; those of a saved plan hold as well."""
    path: Path
    """Of the file of the plan; without one, of the workbook."""
    saved: SavedPlan | None = None
    """None: the workbook as it is."""
    file: str = ""
    """The SHA-256 of the file of the plan; empty without one."""
    accept: Callable[[Binding], None] | None = field(repr=False, default=None)
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
                message=f"{need} correcting, and {Given.MAX_ERRORS} allows "
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


def request_of_plan(
    read: tuple[SavedPlan, str],
    path: Path,
    toolkit: Toolkit,
    *,
    limits: PlannedLimits,
    workbook: Path | None = None,
    files_root: Path | None = None,
) -> SubmitRequest:
    """Ask for what a plan says, and `read_plan_file` read; its workbook may have moved.

    Raises:
        PlanRefused: The rules of this kawe are others, or its workbook is not there.
    """
    saved, file = read
    check_rules(saved)
    return SubmitRequest(
        reading=reading_of_plan(saved, workbook=workbook, files_root=files_root),
        limits=limits,
        path=path,
        saved=saved,
        file=file,
        accept=account_check(saved, toolkit.settings),
    )
