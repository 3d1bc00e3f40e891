"""Reports of the service are asked for."""

from __future__ import annotations

from collections.abc import Sequence

from kawe.cases.session import Session
from kawe.errors import ScopeMissing
from kawe.flows.requesting import (
    RequestPlan,
    plan_requests,
    request_reports,
    wanted_reports,
)

__all__ = ["RequestPlan", "ask_for_reports", "plan_reports"]


async def plan_reports(
    session: Session, typed: Sequence[str], *, again: bool
) -> RequestPlan:
    """Say of which projects reports are to be asked for.

    What is open in the journal is settled by the list of reports.

    Raises:
        SettingsError: No project is called as `typed`, or several are.
        ServiceError: The service could not be asked.
    """
    wanted = await wanted_reports(session.service.lookups, typed)
    try:
        return await plan_requests(wanted, session.start(), again=again)
    except ScopeMissing:
        # An export of the list needs no more than the list.
        if wanted:
            raise
        return RequestPlan()


async def ask_for_reports(
    session: Session, plan: RequestPlan, *, wait_seconds: float
) -> tuple[str, ...]:
    """Ask for reports; say what is not there. See `request_reports`."""
    return await request_reports(plan, session.start(), wait_seconds=wait_seconds)
