"""A whole submit of a plan, as `kawe submit` makes it: begun, then carried out."""

from typing import Any

from kawe.domain.batch.agreements import Budget
from kawe.domain.batch.plans import Plan
from kawe.flows.kinds import Submission
from kawe.flows.run import Run
from kawe.flows.submit import submitting


async def submit(plan: Plan, *, run: Run, budget: Budget, **how: Any) -> None:
    """Write a plan down and carry it out."""
    plan = await submitting.begin(plan, run=run, budget=budget)
    await submitting.submit(Submission(plan=plan, run=run, budget=budget, **how))
