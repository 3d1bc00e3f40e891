"""Keeping how the invitations of a journal's people stand, so that results show it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import replace
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
_ACCEPTED: Final = InvitationStatus.ACCEPTED
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
    # An expired one may be sent again in the portal.
    if all(row.key in kept and kept[row.key].status == _ACCEPTED for row in rows):
        return
    try:
        async with asyncio.timeout(_PATIENCE_SECONDS):
            roll = await run.lookups.team(run.account.team_id)
    except (ServiceError, TimeoutError):
        return
    asked = roll.asked()
    latest = {
        row.key: _last(asked[row.marker], is_member=row.marker in roll.members)
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


def _last(each: Iterable[TeamInvitation], *, is_member: bool) -> Invitation:
    """Give the invitation that counts: an open one, or else the latest."""
    last = max(each, key=lambda one: (one.is_pending, one.made_at or _EVER)).alone()
    return replace(last, status=_ACCEPTED) if is_member else last
