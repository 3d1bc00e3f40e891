"""Inviting people in chunks of at most 200.

The service skips people whom it already asked and answers SKIPPED, so after a doubt
kawe reads the team first. It compares the invitations with those from before the act,
and never with a clock.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, Final

from kawe.contract.limits import BULK_INVITE_MAX
from kawe.domain.rows.entries import Entry
from kawe.domain.rows.identity import sha256_of
from kawe.domain.service.service_words import Invitation, TeamRoll
from kawe.domain.service.states import State, doubts_about
from kawe.domain.service.verdicts import Done, NotDone, Reason, RowKey, Step, Verdict
from kawe.domain.sheet.findings import PERSON_KNOWN
from kawe.errors import ScopeMissing
from kawe.flows.run import Run
from kawe.flows.submit.safe_retry import SafeRetry
from kawe.kinds.invitations.content import InvitationContent, invite_body
from kawe.kinds.invitations.joining import Asked, how_known

_IN_DOUBT: Final = doubts_about(Step.INVITE)


async def invite_all(run: Run, entries: Sequence[Entry], roll: TeamRoll | None) -> None:
    """Invite everybody who has not been invited.

    `roll` is the team as just read; None: it is read now, for what each intent must
    note. Whom the team knows otherwise than the row asks is left to a person.
    """
    waiting = [entry for entry in entries if entry.state is State.VALID]
    if not waiting:
        return
    roll = roll or await _read_team(run)
    before = {} if roll is None else roll.asked()
    if roll is not None:
        other = [e for e in waiting if _is_otherwise(e, roll=roll, asked=before)]
        left = {entry.key for entry in await run.move_all(other, State.ALREADY_THERE)}
        waiting = [entry for entry in waiting if entry.key not in left]
    run.progress.begin("Inviting people", total=len(waiting))
    for start in range(0, len(waiting), BULK_INVITE_MAX):
        chunk = waiting[start : start + BULK_INVITE_MAX]
        await _invite_chunk(run, chunk, before=before)


def _is_otherwise(entry: Entry, *, roll: TeamRoll, asked: Asked) -> bool:
    known = how_known(entry.marker, entry.content, roll=roll, asked=asked)
    return known is not None and known[0] != PERSON_KNOWN


async def _read_team(run: Run) -> TeamRoll | None:
    """Read who is in the team and who was asked; None: the key may not."""
    try:
        return await run.lookups.team(run.account.team_id)
    except ScopeMissing:
        return None


async def _invite_chunk(run: Run, chunk: Sequence[Entry], *, before: Asked) -> None:
    retry = SafeRetry(run=run)
    while await run.pace.turn() and not run.stop.is_set():
        verdicts = await _ask(run, chunk, before=before)
        whole = verdicts[0]
        # What is said of nobody in particular is said of everybody.
        if isinstance(whole, NotDone) and whole.reason is Reason.CHUNK_REFUSED:
            # One of them is wrong: halve until the service can say who.
            middle = len(chunk) // 2
            await _invite_chunk(run, chunk[:middle], before=before)
            await _invite_chunk(run, chunk[middle:], before=before)
            return
        if not await retry.may_retry(whole):
            run.progress.advance(len(chunk))
            return


async def _ask(
    run: Run, chunk: Sequence[Entry], *, before: Asked
) -> tuple[Verdict, ...]:
    people = [_body(entry) for entry in chunk]
    intents = [
        replace(
            await run.intend(entry, Step.INVITE, body_sha256=sha256_of(person)),
            known_projects=tuple(each.id for each in before.get(entry.marker, ())),
        )
        for entry, person in zip(chunk, people, strict=True)
    ]
    await run.journal.note(intents)
    verdicts = await run.acts.invite(people)
    for intent, verdict in zip(intents, verdicts, strict=True):
        await run.conclude(intent, verdict)
    if answered := dict(_answered(chunk, verdicts)):
        await run.journal.keep_invitations(answered)
    return verdicts


def _answered(
    chunk: Sequence[Entry], verdicts: Sequence[Verdict]
) -> Iterator[tuple[RowKey, Invitation]]:
    """Give the id of each invitation: a key that may not read the team has no more."""
    for entry, verdict in zip(chunk, verdicts, strict=True):
        answer = verdict.invitation if isinstance(verdict, Done) else None
        if answer is not None and answer.invitation_id:
            yield entry.key, Invitation(id=answer.invitation_id)


def _body(entry: Entry) -> dict[str, Any]:
    content = entry.content
    if not isinstance(content, InvitationContent):
        raise TypeError(f"{entry.key} is no invitation")
    return invite_body(content)


async def reconcile_invitations(run: Run, entries: Sequence[Entry]) -> TeamRoll | None:
    """Settle doubtful invitations by reading the team; give what was read.

    A person who is not there may safely be invited again.
    """
    doubtful = [entry for entry in entries if entry.state in _IN_DOUBT]
    if not doubtful:
        return None
    roll = await _read_team(run)
    if roll is None:
        # Repeating the chunk is safe too.
        await run.move_all(doubtful, State.VALID)
        return None
    asked = roll.asked()
    for entry in doubtful:
        is_member = entry.marker in roll.members
        there = [e.id for e in asked.get(entry.marker, ()) if is_member or e.is_pending]
        attempts = await run.journal.attempts(entry.key)
        if set(there) - set(attempts[-1].intent.known_projects):
            await run.move(entry, State.INVITED, reason="Invited (confirmed later).")
        elif is_member or there:
            await run.move(entry, State.ALREADY_THERE)
        else:
            await run.move(entry, State.VALID)
    return roll
