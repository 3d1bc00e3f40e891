"""A whole submit of a plan, as `kawe submit` makes it: begun, then carried out."""

from collections.abc import Mapping

from kawe.domain.batch.agreements import Budget
from kawe.domain.batch.plans import Plan
from kawe.domain.service.service_words import OrganisationId
from kawe.flows.run import Run
from kawe.flows.submit import submitting


async def submit(
    plan: Plan,
    *,
    run: Run,
    budget: Budget,
    organisations: Mapping[str, OrganisationId],
    drafts_only: bool = False,
) -> None:
    """Write a plan down and carry it out."""
    await submitting.submit(
        await submitting.begin(plan, run=run, budget=budget),
        run=run,
        budget=budget,
        organisations=organisations,
        drafts_only=drafts_only,
    )
