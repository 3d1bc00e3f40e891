"""From a draft to iwi: read it, note the intent, send it once, read it back."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from kawe.domain.bodies import send_body
from kawe.domain.content import ProjectContent
from kawe.domain.entries import Entry
from kawe.domain.identity import sha256_of
from kawe.domain.likeness import differences
from kawe.domain.service_words import Project, ProjectId
from kawe.domain.states import UNSENT, State
from kawe.domain.texts import one_line
from kawe.domain.tokens import Budget
from kawe.domain.urgency import in_order
from kawe.domain.verdicts import Done, Intent, NotDone, Reason, Step, Verdict
from kawe.errors import KaweError, ServiceError
from kawe.flows.crew import each
from kawe.flows.persisting import Persistence
from kawe.flows.resolving import ADOPTED
from kawe.flows.run import Run

_NOT_TRIED: Final = "Not tried: {why}"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Leaving:
    """A draft whose turn to be sent has come."""

    entry: Entry
    content: ProjectContent
    project_id: ProjectId


@dataclass(frozen=True, slots=True, kw_only=True)
class _Accepted:
    """A send that the service said yes to, not yet written down."""

    intent: Intent
    verdict: Done


def wants_send(entry: Entry) -> bool:
    """Say whether a row's draft is to be sent."""
    return isinstance(entry.content, ProjectContent) and entry.content.send


async def send_all(
    run: Run, entries: Sequence[Entry], *, budget: Budget, probe: bool = False
) -> None:
    """Send what may be sent, the most urgent first; the rest waits for tokens.

    `probe` sends the first row alone: tokens ran out before, and one answer
    tells whether that is over.
    """
    going = await _in_order(run, entries)
    if not going or run.brake.is_on():
        return
    number = budget.sends(len(going))
    chosen = await _make_ready(run, going[:number])
    await _let_wait(run, going[number:])
    if not chosen:
        return
    run.progress.begin("Sending to iwi", total=len(chosen))

    # No more than so many may be under way when the first 402 comes.
    places = asyncio.Semaphore(max(1, run.workers))

    async def work(leaving: _Leaving) -> None:
        await _send_one(run, leaving, places=places)
        # Neither a row that was only looked at, nor one that a stop left alone.
        if leaving.entry.key in run.tally.may_have_sent:
            run.progress.advance()

    await run.look_up_attempts(chosen, Step.SEND)
    drafts = _leaving(chosen)
    if probe:
        await each(drafts[:1], work, workers=1, brake=run.brake)
        drafts = drafts[1:]
    await each(drafts, work, workers=run.rows_at_once, brake=run.brake)
    await run.confirm_all()


async def _in_order(run: Run, entries: Sequence[Entry]) -> list[Entry]:
    wanted = [each for each in entries if wants_send(each) and each.state in UNSENT]
    return in_order(wanted, first=await run.journal.put_first_so_far())


async def _make_ready(run: Run, entries: Sequence[Entry]) -> list[Entry]:
    resting = [entry for entry in entries if entry.state is not State.READY]
    moved = await run.move_all(resting, State.READY)
    ready = {entry.key: entry for entry in moved}
    return [ready.get(entry.key, entry) for entry in entries]


async def _let_wait(run: Run, entries: Sequence[Entry]) -> None:
    # Who waits already has waited since then, and its reason still holds.
    late = [entry for entry in entries if entry.state is not State.WAIT_TOKENS]
    why = "there are too few tokens, or the run's limit is reached"
    await run.move_all(
        await _make_ready(run, late),
        State.WAIT_TOKENS,
        reason=_NOT_TRIED.format(why=why),
    )


def _leaving(entries: Sequence[Entry]) -> list[_Leaving]:
    return [
        _Leaving(entry=entry, content=entry.content, project_id=entry.project_id)
        for entry in entries
        if isinstance(entry.content, ProjectContent) and entry.project_id is not None
    ]


async def _send_one(run: Run, leaving: _Leaving, *, places: asyncio.Semaphore) -> None:
    """Send one draft, at most once.

    The journal learns of the intent before the service does. Silence is not
    a refusal: an answer that says nothing clear leaves the row in doubt until
    `reconciling` has asked.
    """
    if await _waits_for_tokens(run, leaving) or not await _may_leave(run, leaving):
        return
    async with places:
        if await _waits_for_tokens(run, leaving):
            return
        accepted = await _send(run, leaving)
    if accepted is not None:
        await _sent(run, accepted, project_id=leaving.project_id)


async def _waits_for_tokens(run: Run, leaving: _Leaving) -> bool:
    if run.tally.no_tokens_at is None:
        return False
    await run.move(
        leaving.entry,
        State.WAIT_TOKENS,
        reason=_NOT_TRIED.format(why="the team has no tokens left"),
    )
    return True


async def _send(run: Run, leaving: _Leaving) -> _Accepted | None:
    """Ask for a send until it is judged; give what has yet to be written down."""
    entry, body = leaving.entry, send_body(leaving.content)
    persistence = Persistence(run=run)
    while await run.pace.turn() and not run.brake.is_on():
        intent = await run.intend(entry, Step.SEND, body_sha256=sha256_of(body))
        await run.journal.note([intent])
        run.tally.may_have_sent.add(entry.key)
        verdict = await run.acts.send(leaving.project_id, body)
        if isinstance(verdict, Done):
            return _Accepted(intent=intent, verdict=verdict)
        is_first = _takes_note_of_402(run, verdict)
        await run.conclude(intent, verdict)
        if isinstance(verdict, NotDone):
            run.tally.may_have_sent.discard(entry.key)
        if is_first:
            _tell_of_402(run)
        if not await persistence.goes_on(verdict):
            return None
    return None


async def _sent(run: Run, accepted: _Accepted, *, project_id: ProjectId) -> None:
    """Write a send down and read the project back, neither waiting for the other."""
    async with asyncio.TaskGroup() as group:
        reading = group.create_task(_read_back(run, project_id))
        moved = await run.conclude(accepted.intent, accepted.verdict)
        run.tally.sent += 1
    await _confirm(run, moved, project=reading.result())


def _takes_note_of_402(run: Run, verdict: Verdict) -> bool:
    # At once: while it is being written down, no other send may begin.
    if not isinstance(verdict, NotDone) or verdict.reason is not Reason.NO_TOKENS:
        return False
    is_first = run.tally.no_tokens_at is None
    if is_first:
        run.tally.no_tokens_at = run.clock.now()
    return is_first


def _tell_of_402(run: Run) -> None:
    run.progress.say(
        "The team has no tokens left. Drafts stay as they are; the rows that are left "
        "wait for tokens."
    )
    if run.alerts is not None:
        run.alerts.no_tokens(sent=run.tally.sent)


async def _may_leave(run: Run, leaving: _Leaving) -> bool:
    """Read the draft: a colleague may have edited or sent it in the portal."""
    try:
        project = await run.lookups.project(leaving.project_id)
    except ServiceError as trouble:
        run.brake.pull(trouble)
        return False
    entry = leaving.entry
    if project is None:
        await run.move(entry, State.HELD, reason="The service does not show the draft.")
        return False
    differs = differences(leaving.content, project)
    if differs and await run.journal.let_go(entry.key) == ADOPTED:
        differs = ()
    if project.is_sent and "reference" not in differs:
        await run.move(
            entry, State.SENT, reason="It had been sent in the portal already."
        )
        return False
    why = _why_not(project, differs)
    if why:
        await run.move(entry, State.HELD, reason=why)
    return not why


def _why_not(project: Project, differs: tuple[str, ...]) -> str:
    """Say why a project must not be sent for its row; empty where it may be."""
    if project.status is None:
        return "The service does not say whether it was sent."
    if "reference" in differs and (project.is_sent or "name" in differs):
        # A colleague edits drafts, but nobody edits one into another row's.
        return (
            "The service shows another project under the id of this row's draft: "
            f"{one_line(project.name, limit=60)} "
            f"({one_line(project.reference or 'no reference', limit=60)})."
        )
    if differs:
        return (
            "The draft does not say what the row says; it may have been changed in the "
            f"portal: {', '.join(differs)}."
        )
    return ""


async def confirm(run: Run, entry: Entry, *, project_id: ProjectId) -> None:
    """Read a sent project back. What cannot be read stays sent, unconfirmed.

    `Run.confirm_all` writes down what was seen.
    """
    await _confirm(run, entry, project=await _read_back(run, project_id))


async def _confirm(run: Run, entry: Entry, *, project: Project | None) -> None:
    if project is None:
        return
    if project.is_sent:
        run.tally.read_back.append(entry)
    elif project.is_draft and entry.state is State.SENT:
        await run.move(
            entry,
            State.UNCONFIRMED,
            reason="The service accepted the send but still shows a draft.",
        )


async def _read_back(run: Run, project_id: ProjectId) -> Project | None:
    try:
        return await run.lookups.project(project_id)
    except KaweError as trouble:
        run.brake.pull(trouble)
        return None
