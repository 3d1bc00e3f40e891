"""The plan is carried out, exactly as it was shown; then what became of each row."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from starlette.responses import Response

from kawe.cases import read_plan_file
from kawe.cases.batches.ending import Closing
from kawe.cases.batches.plans import request_of_plan
from kawe.cases.batches.submitting import GivenAnswers, submit_one
from kawe.cases.kit import Toolkit
from kawe.desk.pages.batch import standing_of
from kawe.desk.pages.check import results_of, trouble_of
from kawe.desk.pages.plan import planned_reach, why_not
from kawe.desk.pages.plan import show as show_plan
from kawe.desk.rendering import go_to
from kawe.desk.runs import Balance, DeskRun
from kawe.desk.visits import DeskVisit, View
from kawe.domain.batch.saved_plans import PlannedLimits
from kawe.errors import GuardRefused

SUBMIT: Final = "submit"


def submit(visit: DeskVisit) -> Response:
    """Begin to carry out the plan that the page showed, and show how it goes."""
    work = visit.work
    saved, file = read_plan_file(work.plan)
    if refused := why_not(visit, work, saved):
        return show_plan(replace(visit, refused=f"{refused} Nothing was sent now."))
    reach = planned_reach(saved)
    try:
        agreed = 0 if reach is None else reach.agreed_to(visit.text("typed"))
    except GuardRefused as other:
        return show_plan(replace(visit, refused=str(other)))

    def is_meant(_: str) -> bool:
        visit.runs.is_doubted = True
        return visit.is_ticked("is_meant")

    async def do(toolkit: Toolkit, run: DeskRun) -> tuple[Closing, int]:
        asked = request_of_plan(
            (saved, file),
            work.plan,
            toolkit,
            limits=PlannedLimits(keep_reserve=toolkit.settings.keep_reserve),
        )
        answers = GivenAnswers(told=run, most=agreed, is_meant=is_meant)
        closing = await submit_one(toolkit, asked, face=answers)
        if (left := closing.report.tokens_left) is not None:
            visit.runs.balance = Balance(tokens=left, at=toolkit.clock.now())
        return closing, closing.code

    visit.runs.is_doubted = False
    return visit.begin(SUBMIT, do, work=work)


def show(visit: DeskVisit) -> Response:
    """Show what became of the rows, and what is left to do."""
    work = visit.work
    last = visit.runs.last(work.id, SUBMIT)
    if last is not None and last.ended is None:
        return go_to("/job")
    return visit.page(
        "result.html",
        work=work,
        step="result",
        trouble=trouble_of(last),
        closing=None if last is None else last.answer,
        standing=standing_of(visit, work),
        results=results_of(work),
        portal=visit.portal,
    )


PAGES: Final[tuple[tuple[str, View], ...]] = (("/works/{work}/result", show),)
ACTS: Final[tuple[tuple[str, View], ...]] = (("/works/{work}/submit", submit),)
