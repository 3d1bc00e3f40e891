"""Inviting people in chunks of at most 200.

The service skips whom it already asked, so a chunk may be repeated after a
doubt. Then it says SKIPPED for people whom we did invite, so a doubt is
settled by reading the team first.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Final

from kawe.contract.limits import BULK_INVITE_MAX
from kawe.domain.bodies import invite_body
from kawe.domain.content import InvitationContent
from kawe.domain.entries import Entry
from kawe.domain.identity import sha256_of
from kawe.domain.states import State
from kawe.domain.verdicts import Done, NotDone, Reason, Step, Verdict
from kawe.errors import ScopeMissing, ServiceError
from kawe.flows.persisting import Persistence
from kawe.flows.run import Run

_IN_DOUBT: Final = frozenset({State.INVITE_INTENT, State.INVITE_DOUBT})
# The clocks of two machines differ; an invitation a little older is ours too.
_CLOCK_SKEW: Final = timedelta(minutes=2)


async def invite_all(run: Run, entries: Sequence[Entry]) -> None:
    """Invite everybody who has not been invited."""
    waiting = [entry for entry in entries if entry.state is State.VALID]
    if not waiting:
        return
    run.progress.begin("Inviting people", total=len(waiting))
    for start in range(0, len(waiting), BULK_INVITE_MAX):
        await _invite_chunk(run, waiting[start : start + BULK_INVITE_MAX])


async def _invite_chunk(run: Run, chunk: Sequence[Entry]) -> None:
    persistence = Persistence(run=run)
    while await run.pace.turn() and not run.brake.is_on():
        verdicts = await _ask(run, chunk)
        whole = verdicts[0]
        # What is said of nobody in particular is said of everybody.
        if isinstance(whole, NotDone) and whole.reason is Reason.CHUNK_REFUSED:
            # One of them is wrong: halve until the service can say who.
            middle = len(chunk) // 2
            await _invite_chunk(run, chunk[:middle])
            await _invite_chunk(run, chunk[middle:])
            return
        if not await persistence.goes_on(whole):
            run.progress.advance(len(chunk))
            return


async def _ask(run: Run, chunk: Sequence[Entry]) -> tuple[Verdict, ...]:
    people = [
        invite_body(entry.content)
        for entry in chunk
        if isinstance(entry.content, InvitationContent)
    ]
    intents = [
        await run.intend(entry, Step.INVITE, body_sha256=sha256_of(person))
        for entry, person in zip(chunk, people, strict=True)
    ]
    await run.journal.note(intents)
    verdicts = await run.acts.invite(people)
    for intent, verdict in zip(intents, verdicts, strict=True):
        moved = await run.conclude(intent, verdict)
        if isinstance(verdict, Done) and moved.state is State.INVITED:
            run.tally.invited += 1
    return verdicts


async def reconcile_invitations(run: Run, entries: Sequence[Entry]) -> None:
    """Settle doubtful invitations by reading the team.

    Whoever is not there may safely be invited again.
    """
    doubtful = [entry for entry in entries if entry.state in _IN_DOUBT]
    if not doubtful:
        return
    try:
        roll = await run.lookups.team(run.account.team_id)
    except ScopeMissing:
        # A key that may not read the team repeats the chunk: that is safe, and
        # only tells less about who had been invited a moment ago.
        for entry in doubtful:
            await run.move(entry, State.VALID)
        return
    except ServiceError as trouble:
        run.brake.pull(trouble)
        return
    asked = {each.email: each.created_at for each in roll.invitations}
    for entry in doubtful:
        attempts = await run.journal.attempts(entry.key)
        begun_at = attempts[-1].intent.begun_at - _CLOCK_SKEW
        created_at = asked.get(entry.marker)
        if created_at is not None and created_at >= begun_at:
            await run.move(entry, State.INVITED, reason="Invited (confirmed later).")
            run.tally.invited += 1
        elif created_at is not None or entry.marker in roll.member_emails:
            await run.move(entry, State.ALREADY_THERE)
        else:
            await run.move(entry, State.VALID)
