"""Reports of the service are asked for."""

from __future__ import annotations

from collections.abc import Sequence

from kawe.flows.requesting import ReportOf, Requester, request_reports, wanted_reports
from kawe.flows.workers import StopSignal
from kawe.toolkit.session import Session

__all__ = ["ReportOf", "ask_for_reports", "find_projects"]


async def find_projects(session: Session, typed: Sequence[str]) -> tuple[ReportOf, ...]:
    """Find the projects of which reports are wanted; see `wanted_reports`."""
    return await wanted_reports(session.service.lookups, typed)


async def ask_for_reports(
    session: Session, wanted: Sequence[ReportOf], *, wait_seconds: float
) -> tuple[str, ...]:
    """Ask for reports; say what is not there. See `request_reports`."""
    toolkit = session.toolkit
    requester = Requester(
        acts=session.service.acts,
        lookups=session.service.lookups,
        pace=session.service.pace,
        clock=toolkit.clock,
        progress=toolkit.progress,
        stop=StopSignal(halt=toolkit.halt),
        team_id=session.account.team_id,
    )
    return await request_reports(wanted, requester, wait_seconds=wait_seconds)
