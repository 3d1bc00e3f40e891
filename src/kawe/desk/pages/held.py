"""The rows that wait for a person's decision, and the decisions."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Final

from starlette.exceptions import HTTPException
from starlette.responses import Response

from kawe.cases.care.journals import require_journal
from kawe.cases.kit import Toolkit
from kawe.cases.session import Session, open_session
from kawe.cases.waiting.held import (
    HeldRow,
    alike,
    attempt_words,
    project_of,
    read_held,
    resolve_all,
    resolve_row,
)
from kawe.desk.runs import Balance, DeskRun
from kawe.desk.visits import DeskVisit, View
from kawe.domain.batch.agreements import Agreement
from kawe.domain.service.service_words import ProjectId
from kawe.errors import GuardRefused, SettingsError
from kawe.flows.settle.resolving import Decision, all_resolved_lines, resolved_lines

_RESOLVE: Final = "resolve"
_ABANDON: Final = "give up"


def held(visit: DeskVisit) -> Response:
    """Show the held rows, those of one reason together."""
    rows = asyncio.run(read_held(visit.toolkit))
    return visit.page(
        "held.html",
        groups=alike(rows),
        number=len(rows),
        agreement_of=_agreement,
        attempt_words=attempt_words,
        decided=visit.runs.last("", _RESOLVE),
        portal=visit.portal,
        give_up=_ABANDON,
    )


def decide(visit: DeskVisit) -> Response:
    """Carry out a decision about one row."""
    row, decision = visit.text("row"), _decision(visit)
    rows = asyncio.run(read_held(visit.toolkit))
    _same(visit, [each for each in rows if each.entry.marker == row])
    project = _project(visit) if decision is Decision.ADOPT else None

    async def resolve(session: Session) -> list[str]:
        done = await resolve_row(session, row, decision, project=project)
        return [*resolved_lines(done)]

    return _begin(visit, resolve)


def decide_all(visit: DeskVisit) -> Response:
    """Carry out one decision about all rows that are held for one reason."""
    why, decision, reason = visit.text("why"), _decision(visit), visit.text("reason")
    alike = [
        row for row in asyncio.run(read_held(visit.toolkit)) if row.why_of_all == why
    ]
    if not reason:
        raise HTTPException(409, "Write down why. Nothing was changed.")
    if visit.text("typed") != str(len(alike)):
        raise GuardRefused(
            message="Stopped: another number was typed.", hint="Nothing was changed."
        )
    agreed = _same(visit, alike)

    async def resolve(session: Session) -> list[str]:
        done, left = await resolve_all(session, agreed, decision, why=reason)
        return [*all_resolved_lines(done, left)]

    return _begin(visit, resolve)


def _begin(visit: DeskVisit, do: Callable[[Session], Awaitable[list[str]]]) -> Response:
    async def resolve(toolkit: Toolkit, _: DeskRun) -> tuple[list[str], int]:
        require_journal(toolkit.settings)
        async with open_session(toolkit) as session:
            visit.runs.balance = Balance.of(session)
            return await do(session), 0

    return visit.begin(_RESOLVE, resolve)


def _decision(visit: DeskVisit) -> Decision:
    try:
        decision = Decision(visit.text("decision"))
    except ValueError:
        raise HTTPException(400, "Choose what to decide. Nothing was done.") from None
    is_one = not visit.text("why")
    if decision is Decision.ABANDON and is_one:
        _make_sure(visit.text("typed"))
    return decision


def _agreement(rows: Sequence[HeldRow]) -> Agreement:
    return Agreement.of(row.entry for row in rows)


def _same(visit: DeskVisit, rows: Sequence[HeldRow]) -> Agreement:
    """Give what a form decides about; refuse where that is not what it showed."""
    agreed = _agreement(rows)
    if visit.text("sha256") != agreed.sha256:
        raise GuardRefused(
            message="These rows are held otherwise than the page showed.",
            hint="Nothing was changed. Look at the held rows again.",
        )
    return agreed


def _make_sure(typed: str) -> None:
    if typed.casefold() != _ABANDON:
        raise GuardRefused(
            message=f"Stopped: the words “{_ABANDON}” were not typed.",
            hint="Nothing was changed.",
        )


def _project(visit: DeskVisit) -> ProjectId:
    found = project_of(visit.text("project"))
    if found is None:
        raise SettingsError(
            message="That is not a project.",
            hint="Copy the address of the project's page from the portal. Nothing was "
            "changed.",
        )
    return found


PAGES: Final[tuple[tuple[str, View], ...]] = (("/held", held),)
ACTS: Final[tuple[tuple[str, View], ...]] = (
    ("/held/decide", decide),
    ("/held/decide-all", decide_all),
)
