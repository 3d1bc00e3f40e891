"""Keeping how the invitations of a journal's people stand, so that results show it."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from typing import Final

from kawe.contract.enums import InvitationStatus
from kawe.domain.rows.entries import Entry
from kawe.domain.service.service_words import Invitation, TeamInvitation
from kawe.domain.service.states import State
from kawe.domain.sheet.columns import SheetKind
from kawe.errors import ServiceError
from kawe.flows.run import Run

INVITED: Final = frozenset({State.INVITED, State.ALREADY_THERE})
# They are a convenience of the result: the next run asks again.
_PATIENCE_SECONDS: Final = 20.0
_EVER: Final = datetime.min.replace(tzinfo=UTC)


async def keep_invitations(run: Run, *, kind: SheetKind) -> None:
    """Read the team once, and keep how the invitation of each person stands.

    Nothing is asked where everybody accepted. What the service does not give, or the
    key may not read, is left to the next run.
    """
    if run.stop.is_set():
        return
    rows = await _invited(run, kind)
    kept = await run.journal.invitations(row.key for row in rows)
    if not any(_may_change(kept.get(row.key)) for row in rows):
        return
    try:
        async with asyncio.timeout(_PATIENCE_SECONDS):
            roll = await run.lookups.team(run.account.team_id)
    except (ServiceError, TimeoutError):
        return
    asked = roll.asked()
    latest = {
        row.key: max(asked[row.marker], key=_made_at).alone()
        for row in rows
        if row.marker in asked
    }
    changed = {key: each for key, each in latest.items() if kept.get(key) != each}
    if changed:
        await run.journal.keep_invitations(changed)


async def _invited(run: Run, kind: SheetKind) -> list[Entry]:
    return [
        entry
        for batch in await run.journal.batches()
        if batch.kind == kind
        for entry in await run.journal.entries(batch.name)
        # A row that was purged has no address any more.
        if entry.marker and entry.state in INVITED
    ]


def _may_change(kept: Invitation | None) -> bool:
    # An expired one may be sent again in the portal.
    return kept is None or kept.status != InvitationStatus.ACCEPTED


def _made_at(each: TeamInvitation) -> datetime:
    return each.made_at or _EVER
