"""A plan: what a submit would do, row by row; carried out exactly as it was shown."""

import asyncio
import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from starlette.responses import Response

from kawe.cases import read_plan, read_plan_file, save_named, write_plan
from kawe.cases.batches import approving
from kawe.cases.batches.plans import make_saved_plan, request_of_plan
from kawe.cases.batches.shown_plans import ShownPlan, shown_with
from kawe.cases.batches.submitting import SubmitFace, agreed_before, submit_one
from kawe.cases.choices import author_of
from kawe.cases.kit import Toolkit
from kawe.cases.records.reporting import rows_in_order
from kawe.cases.session import open_session
from kawe.desk.pages.batch import standing_of
from kawe.desk.pages.check import CHECK, results_of, trouble_of
from kawe.desk.rendering import go_to, opened
from kawe.desk.runs import Balance, Coded
from kawe.desk.visits import DeskVisit, FormRefused, about, done_at, shown_at
from kawe.desk.works import Work
from kawe.domain.batch.approvals import approval_from_text
from kawe.domain.batch.saved_plans import PlannedLimits, SavedPlan
from kawe.domain.text.new_zealand import moment_words
from kawe.errors import PlanRefused
from kawe.flows.plan.wording import begun_words, plan_lines

PLAN: Final = "plan"
_SHOWN: Final = "plan.shown.json"
SUBMIT: Final = "submit"
_OTHER: Final = "The workbook or its attachments are not as this plan has them."
SIGN: Final = "approve"
_NO_NAMES: Final[Mapping[str, Any]] = {"names": {}, "missing": [], "read": {}}


@shown_at("/works/{work}/plan")
def show(visit: DeskVisit) -> Response:
    """Show the plan, and ask for the number that reaches people."""
    work, settings = visit.work, visit.around.settings()
    if visit.is_at(work):
        return go_to("/job")
    last = visit.runs.last(work.id, PLAN)
    trouble, signed = trouble_of(last), visit.runs.last(work.id, SIGN)
    saved, lines, made = None, list[str](), _NO_NAMES
    reach = (
        approving.reach_of_approval if work.choices.signs else approving.planned_reach
    )
    if not trouble and work.plan.is_file():
        try:
            saved, lines, made = _read(work.plan, work.plan.stat().st_mtime_ns)
        except PlanRefused as refused:
            trouble = str(refused)
    return visit.page(
        "plan.html",
        work=work,
        step=PLAN,
        trouble=trouble or trouble_of(signed),
        signed=signed,
        plan=saved,
        made=made,
        history="" if saved is None else _history(visit, work, saved),
        lines=lines,
        **visit.part_of(() if saved is None else saved.rows),
        reach=None if saved is None else reach(saved),
        is_doubted=visit.runs.is_doubted,
        approvals=[each.name for each in approving.approval_files(work.plan)],
        needs_signed=settings.approvers or settings.approval == "second_person",
    )


@lru_cache(maxsize=4)
def _read(
    path: Path, _changed_ns: int
) -> tuple[SavedPlan, list[str], Mapping[str, Any]]:
    """Read a plan once for each time it is written: what it says, and of all rows.

    The names that were kept are left out where they are of another plan.
    """
    saved, said = read_plan(path), dict[str, Any]()
    with suppress(OSError, ValueError):
        said = json.loads(path.with_name(_SHOWN).read_text("utf-8"))
    names = said if said.get("sha256") == saved.sha256 else _NO_NAMES
    return saved, [*plan_lines(saved, is_new=False)][2:], names


@done_at("/works/{work}/plan", on=show)
def make(visit: DeskVisit) -> Response:
    """Begin to make the plan, and show how it goes."""
    drafts = visit.text("sends") == "drafts"
    work = visit.works.change(visit.work, drafts_only=drafts)

    async def do(toolkit: Toolkit) -> None:
        updates = visit.is_ticked("update_drafts")
        limits = PlannedLimits(drafts_only=drafts, update_drafts=updates)
        async with open_session(toolkit, read_only=True) as session:
            visit.runs.balance = Balance.of(session)
            made = await make_saved_plan(session, work.reading, limits=limits)
        keep_shown(work, made.saved, shown_with(made))
        write_plan(made.saved, work.plan)

    return visit.begin(PLAN, do, work=work)


def keep_shown(work: Work, saved: SavedPlan, shown: ShownPlan) -> None:
    """Keep what the page of a plan shows of its rows; before the plan is there."""
    text = json.dumps({"sha256": saved.sha256, **asdict(shown)}, ensure_ascii=False)
    save_named(work.folder / _SHOWN, text.encode(), called="names of the plan")


def _plan_shown(visit: DeskVisit, *, undone: str) -> tuple[SavedPlan, str]:
    """Read the plan that a form agrees to; refuse where it does not stand so now."""
    saved, file = read_plan_file(visit.work.plan)
    refused = _history(visit, visit.work, saved)
    if visit.text("sha256") != saved.sha256:
        at = moment_words(saved.made_at)
        refused = f"The plan was made again at {at}; here is the new one."
    if refused:
        raise FormRefused(f"{refused} {undone}")
    return saved, file


def _history(visit: DeskVisit, work: Work, saved: SavedPlan) -> str:
    """Say that a plan was begun, or does not fit its workbook; or nothing."""
    if work.choices.signs:
        changes = _read(work.plan, work.plan.stat().st_mtime_ns)[2]["missing"]
        return " ".join([_OTHER, *changes]) if changes else ""
    for each in standing_of(visit, work):
        look = rows_in_order(visit.toolkit, each.batch, each.report)
        if begun := begun_words(saved, each.runs, asyncio.run(look)):
            return begun
    if work.workbook.stat().st_mtime > saved.made_at.timestamp():
        return "The workbook was changed after this plan. Make the plan again."
    return ""


@shown_at("/works/{work}/plan/file")
def plan_file(visit: DeskVisit) -> Response:
    """Give the plan's file, for somebody who approves it."""
    return opened(visit.work.plan, name=f"{visit.work.workbook.stem}.plan.json")


@done_at("/works/{work}/approval", on=show)
def add_approval(visit: DeskVisit) -> Response:
    """Keep beside the plan what another person signed, and refuse anything else."""
    work, given = visit.work, visit.uploads("approval")
    saved, text = read_plan(work.plan), b"".join(e.content.read() for e in given)
    with suppress(ValueError):
        signed = approval_from_text(text.decode())
        if signed.statement.plan == saved.sha256:
            approving.write_approval(signed, plan=work.plan, wanted=None)
            return go_to(f"/works/{work.id}/plan")
    raise FormRefused(
        "That is no approval of this plan. Nothing was kept.", field="approval"
    )


@done_at("/works/{work}/submit", on=show)
def submit(visit: DeskVisit) -> Response:
    """Begin to carry out the plan that the page showed, and show how it goes."""
    work = visit.work
    saved, file = _plan_shown(visit, undone="Nothing was sent now.")
    if work.choices.signs:
        raise FormRefused(f"Sign it; {saved.author} carries it out. Nothing was sent.")
    reach = approving.planned_reach(saved)
    with about("typed"):
        agreed = 0 if reach is None else reach.agreed_to(visit.text("typed"))

    def is_meant(_: str) -> bool:
        visit.runs.is_doubted = True
        return visit.is_ticked("is_meant")

    async def do(toolkit: Toolkit) -> Coded:
        asked = request_of_plan((saved, file), work.plan, toolkit)
        answers = SubmitFace(agreed=agreed_before(agreed), is_meant=is_meant)
        closing = await submit_one(toolkit, asked, face=answers)
        if (checked := visit.runs.last(work.id, CHECK)) is not None:
            checked.is_past = True
        if (left := closing.report.tokens_left) is not None:
            visit.runs.balance = Balance(tokens=left, at=toolkit.clock.now())
        return Coded(closing, closing.code)

    visit.runs.is_doubted = False
    return visit.begin(SUBMIT, do, work=work)


@done_at("/works/{work}/sign", on=show)
def sign(visit: DeskVisit) -> Response:
    """Sign the plan that the page showed, in the name of whoever the key names."""
    work = visit.work
    saved, file = _plan_shown(visit, undone="Nothing was signed.")
    with about("typed"):
        approving.reach_of_approval(saved).agreed_to(visit.text("typed"))
    secret = visit.text("passphrase")
    visit.around.keep_out(secret)

    async def do(toolkit: Toolkit) -> list[str]:
        account = await approving.who_approves(toolkit, saved)
        now, team = toolkit.clock.now(), account.team_name
        visit.runs.balance = visit.runs.balance or Balance(at=now, team=team)
        signer, _new = approving.own_signer(
            passphrase=lambda: secret, new_passphrase=lambda: secret
        )
        signed = approving.sign_plan(
            saved, file=file, account=account, signer=signer, toolkit=toolkit
        )
        approving.write_approval(signed, plan=work.plan, wanted=None)
        return approving.key_lines(author_of(toolkit.settings), signer.public_key)

    return visit.begin(SIGN, do, work=work)


@shown_at("/works/{work}/approval")
def approval(visit: DeskVisit) -> Response:
    """Give the newest approval, for whoever made the plan."""
    work = visit.work
    newest = next(reversed(approving.approval_files(work.plan)), None)
    return opened(newest, name=f"{work.workbook.stem}.approval.json")


@shown_at("/works/{work}/result")
def result(visit: DeskVisit) -> Response:
    """Show what became of the rows, and what is left to do."""
    work = visit.work
    if visit.is_at(work):
        return go_to("/job")
    standing = standing_of(visit, work, counted=False)
    return visit.page(
        "result.html",
        work=work,
        step="result",
        trouble=trouble_of(visit.tried(SUBMIT, work_id=work.id)),
        closing=visit.runs.answer(SUBMIT, work_id=work.id),
        standing=standing,
        others=[e for e in work.sheets if e not in {s.batch.sheet for s in standing}],
        results=results_of(work),
        portal=visit.portal,
    )
