"""What a submit would do with a workbook, row by row, and at what cost."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from starlette.exceptions import HTTPException
from starlette.responses import FileResponse, Response

from kawe.desk.band import Balance
from kawe.desk.pages.check import trouble_of
from kawe.desk.rendering import go_to
from kawe.desk.runs import DeskRun, PageRun
from kawe.desk.visits import DeskVisit, View
from kawe.desk.works import Work
from kawe.domain.batch.exit_codes import ExitCode
from kawe.domain.batch.reach import Reach, reach_of
from kawe.domain.batch.saved_plans import PlannedLimits, SavedPlan
from kawe.errors import GuardRefused, PlanRefused
from kawe.flows.plan.wording import absent_lines, plan_lines
from kawe.toolkit import (
    Toolkit,
    make_saved_plan,
    open_session,
    read_plan,
    write_plan,
)

PLAN: Final = "plan"
_ROWS_SHOWN: Final = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class MadePlan:
    """What only the making of a plan shows: its file keeps hashes of the rows."""

    sha256: str
    names: Mapping[int, str]
    """By the number of a row, what it is called."""
    missing: tuple[str, ...]
    """What is said of rows that the workbook no longer has."""


def make(visit: DeskVisit) -> Response:
    """Begin to make the plan, and show how it goes."""
    drafts = visit.text("sends") == "drafts"
    work = visit.works.change(visit.work, drafts_only=drafts)
    update = visit.is_ticked("update_drafts")

    async def do(toolkit: Toolkit, run: DeskRun) -> tuple[MadePlan, int]:
        del run
        limits = PlannedLimits(
            drafts_only=drafts,
            update_drafts=update,
            keep_reserve=toolkit.settings.keep_reserve,
        )
        async with open_session(toolkit, read_only=True) as session:
            visit.runs.balance = Balance.of(session)
            made = await make_saved_plan(session, work.reading, limits=limits)
        write_plan(made.saved, work.plan)
        checked = made.prepared.checked
        names = {
            each.row.ref.row: each.content.name
            for each in checked.rows
            if each.content is not None
        }
        answer = MadePlan(
            sha256=made.saved.sha256,
            names=names,
            missing=tuple(absent_lines(made.prepared.plan)),
        )
        return answer, ExitCode.DONE

    visit.runs.start(PLAN, do, work_id=work.id, workbook=work.workbook)
    return go_to("/job")


def show(visit: DeskVisit) -> Response:
    """Show the plan, and ask for the number that reaches people."""
    work, settings = visit.work, visit.around.settings()
    last = visit.runs.last(work.id, PLAN)
    trouble = trouble_of(last)
    saved = None
    if not trouble and work.plan.is_file():
        try:
            saved = read_plan(work.plan)
        except PlanRefused as refused:
            trouble = str(refused)
    made = None if last is None else last.answer
    if made is not None and (saved is None or made.sha256 != saved.sha256):
        made = None
    return visit.page(
        "plan.html",
        work=work,
        step=PLAN,
        trouble=trouble,
        plan=saved,
        made=made,
        lines=[] if saved is None else [*plan_lines(saved, is_new=False)][2:],
        rows_shown=_ROWS_SHOWN,
        reach=None if saved is None else planned_reach(saved),
        needs_second=settings.approval == "second_person" and not settings.approvers,
        was_refused=_was_refused(visit.runs.last(work.id, "submit")),
        needs_signed=settings.approvers is not None,
    )


def _was_refused(run: PageRun | None) -> bool:
    ended = None if run is None else run.ended
    return ended is not None and isinstance(ended.trouble, GuardRefused)


def planned_reach(saved: SavedPlan) -> Reach | None:
    """Describe what reaches people, as far as the plan knows; None: nobody is asked."""
    kind = saved.reading.kind
    is_real = saved.account.mode == "live" or (kind and kind.is_real_in_sandbox)
    if kind is None or not saved.acts or not is_real:
        return None
    return reach_of(kind, saved.acts)


def plan_file(visit: DeskVisit) -> Response:
    """Give the plan's file, for somebody who approves it."""
    work: Work = visit.work
    if not work.plan.is_file():
        raise HTTPException(404)
    return FileResponse(work.plan, filename=f"{work.workbook.stem}.plan.json")


PAGES: Final[tuple[tuple[str, View], ...]] = (
    ("/works/{work}/plan", show),
    ("/works/{work}/plan/file", plan_file),
)
ACTS: Final[tuple[tuple[str, View], ...]] = (("/works/{work}/plan", make),)
