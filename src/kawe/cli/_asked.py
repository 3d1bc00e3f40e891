"""What a submit was asked for: a workbook as it is, or a plan exactly as made."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from kawe.cli._options import Surroundings, reading_of
from kawe.domain.approvals import Approval, approved_plan
from kawe.domain.columns import SheetKind
from kawe.domain.counts import counted
from kawe.domain.entries import Binding
from kawe.domain.row_choice import Allowance, read_allowance
from kawe.domain.saved_plans import SavedPlan
from kawe.domain.texts import one_line
from kawe.domain.tokens import Budget
from kawe.errors import GuardRefused, SettingsError
from kawe.flows.counting import is_to_invite, is_to_send, touched
from kawe.toolkit import (
    Prepared,
    Reading,
    Session,
    account_check,
    check_rules,
    is_plan,
    prepare_saved,
    read_plan,
    reading_of_plan,
)

OF_A_PLAN: Final = {
    "kind": "--kind",
    "sheet": "--sheet",
    "send": "--send",
    "include_hidden": "--include-hidden",
    "accept": "--accept",
    "allow_owner": "--allow-owner",
    "update_drafts": "--update-drafts",
}
_OF_A_WORKBOOK: Final = {"approved_by": "--approved-by", "moved_to": "--workbook"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What is to be submitted, and within which bounds."""

    reading: Reading
    saved: SavedPlan | None
    """None: the workbook as it is."""
    drafts_only: bool
    update_drafts: bool
    max_tokens: int | None
    only: str | None
    canary: int | None
    allowance: Allowance | None
    approved_by: str | None
    agreed: int | None
    no_input: bool
    accept: Callable[[Binding], None] | None = field(repr=False)

    async def prepare(self, session: Session) -> Prepared:
        """Check the workbook and plan, or make sure that the plan still fits.

        Raises:
            PlanRefused: It does not.
            SettingsError: Rows were named that the sheet does not have.
        """
        if self.saved is None:
            prepared = await session.prepare(
                self.reading, update_drafts=self.update_drafts
            )
        else:
            prepared = await prepare_saved(session, self.saved, self.reading)
        return await session.narrowed(
            prepared,
            only=self.only,
            canary=self.canary,
            drafts_only=self.drafts_only,
        )

    def budget(self, session: Session) -> Budget:
        """Say how many sends may be tried."""
        budget = session.budget(max_tokens=self.max_tokens, agreed=None)
        if self.saved is None:
            return budget
        reserve = max(budget.keep_reserve, self.saved.limits.keep_reserve)
        return replace(budget, keep_reserve=reserve)

    def may_fail(self, prepared: Prepared) -> int | None:
        """Say how many rows more may fail; None is any number.

        Raises:
            GuardRefused: Too many rows need correcting already.
        """
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
        """Put the approval of the plan on it, where there is one.

        Raises:
            GuardRefused: The settings want another person's word, and there is none.
        """
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
        # Rows that wait for tokens go on without being asked for again, so
        # what counts is not how many the budget lets through.
        return (
            session.toolkit.settings.approval == "second_person"
            and session.reaches_people(prepared.plan.kind)
            and not self.drafts_only
            and any(is_to_send(e) or is_to_invite(e) for e in touched(prepared.plan))
        )

    def _is_word_of_another(self, approval: Approval) -> bool:
        of_plan = self.saved is not None and approval.plan == approved_plan(self.saved)
        return of_plan and approval.is_by_another

    def _no_second(self, kind: SheetKind) -> GuardRefused:
        if self.saved is None:
            act = "send" if kind is SheetKind.PROJECTS else "invitation"
            return GuardRefused(
                message=f"The settings want a second person's word for every live "
                f"{act}, and a workbook by itself has none.",
                hint="Nothing was sent. Make a plan with kawe plan WORKBOOK -o "
                "plan.json; then: kawe submit plan.json --approved-by NAME",
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


def asked_of(around: Surroundings, options: dict[str, Any]) -> Asked:
    """Say what a submit was asked for, from its options.

    Raises:
        PlanRefused: The plan cannot be used.
        SettingsError: Options do not go together.
    """
    path: Path = options["workbook"]
    saved = read_plan(path) if is_plan(path) else None
    _refuse_strays(options, is_saved=saved is not None)
    approved_by = options["approved_by"]
    if approved_by is not None:
        approved_by = one_line(approved_by, limit=100)
        if not approved_by:
            raise SettingsError(
                message="--approved-by names nobody.",
                hint="Write the name of who approved the plan. Nothing was sent.",
            )
    allowance = options["max_errors"]
    if saved is None:
        reading = reading_of(options)
    else:
        check_rules(saved)
        reading = reading_of_plan(
            saved, workbook=options["moved_to"], files_root=options["files_root"]
        )
    return Asked(
        reading=reading,
        saved=saved,
        drafts_only=options["drafts_only"]
        or (saved is not None and saved.limits.drafts_only),
        update_drafts=options["update_drafts"],
        max_tokens=options["max_tokens"],
        only=options["only"],
        canary=options["canary"],
        allowance=None if allowance is None else read_allowance(allowance),
        approved_by=approved_by,
        agreed=options["agreed"],
        no_input=options["no_input"] or options["as_json"],
        accept=None if saved is None else account_check(saved, around.settings),
    )


def _refuse_strays(options: dict[str, Any], *, is_saved: bool) -> None:
    strays = OF_A_PLAN if is_saved else _OF_A_WORKBOOK
    flag = next((flag for name, flag in strays.items() if options[name]), None)
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
