"""From a draft to iwi: read it, note the intent, send it once, read it back.

A draft is read at most two seconds before its send: a colleague may have changed, held
or sent it while kawe waited.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from typing import Any, Final

from kawe.domain.batch.tokens import Budget
from kawe.domain.batch.urgency import in_order
from kawe.domain.rows.entries import Entry, projects_among
from kawe.domain.rows.identity import sha256_of
from kawe.domain.rows.similarity import differences
from kawe.domain.service.service_words import Project, ProjectId
from kawe.domain.service.settling import read_times
from kawe.domain.service.states import UNSENT, State
from kawe.domain.service.verdicts import Done, Intent, NotDone, Reason, Step, Verdict
from kawe.domain.sheet.content import ProjectContent
from kawe.domain.text.texts import one_line
from kawe.errors import JournalError, ServiceError
from kawe.flows.run import Run
from kawe.flows.settle.resolving import ADOPTED, decided
from kawe.flows.submit.confirming import read_back, take_note
from kawe.flows.submit.safe_retry import SafeRetry
from kawe.flows.submit.watch import SendWatch
from kawe.flows.workers import each

_FRESH_SECONDS: Final = 2.0
_MOST_LATE: Final = 5
_LATE: Final = NotDone(
    reason=Reason.NOT_REACHED, detail="it was read too long before, and is read again"
)
_NOT_TRIED: Final = "Not tried: {why}"
_NOT_SHOWN: Final = "The service does not show the draft."


def send_body(content: ProjectContent) -> dict[str, Any]:
    """Make the body that sends a row's draft."""
    body: dict[str, Any] = {"message": content.message}
    if content.iwi:
        body["iwi"] = list(content.iwi)
    return body


@dataclass(frozen=True, slots=True, kw_only=True)
class _Leaving:
    """A draft whose turn to be sent it is."""

    entry: Entry
    content: ProjectContent
    project_id: ProjectId


@dataclass(frozen=True, slots=True, kw_only=True)
class _Accepted:
    """A send that the service accepted, not yet written down."""

    intent: Intent
    verdict: Done


@dataclass(frozen=True, slots=True, kw_only=True)
class _Sends:
    """One round of sends, and what is left for its end."""

    run: Run
    watch: SendWatch
    hidden: list[_Leaving] = field(default_factory=list)
    """Drafts made a moment ago that the service does not show yet."""


async def send_all(
    run: Run, entries: Sequence[Entry], *, budget: Budget, probe: bool = False
) -> None:
    """Send what may be sent, the most urgent first; the rest waits for tokens.

    `probe` sends the first row alone: its answer says whether there are tokens again.
    """
    going = await _in_order(run, entries)
    if not going or run.stop.is_set():
        return
    # A row that was seen as sent is read, and costs no token.
    sent = [entry for entry in going if entry.key in run.tally.sent_elsewhere]
    going = [entry for entry in going if entry.key not in run.tally.sent_elsewhere]
    number = budget.sends(len(going))
    chosen = await _make_ready(run, [*going[:number], *sent])
    await _let_wait(run, going[number:])
    if not chosen:
        return
    run.progress.begin("Sending to iwi", total=len(chosen))
    sends = _Sends(
        run=run,
        watch=SendWatch(run=run, rows={entry.key: entry for entry in chosen}),
    )

    async def work(leaving: _Leaving) -> None:
        try:
            await _send_one(sends, leaving)
        except ServiceError as trouble:
            # Not raised: sends in flight beside this one must finish.
            run.stop.set(trouble)
        # Not a row that was only read, nor one that a stop left alone.
        if leaving.entry.key in run.tally.may_have_sent:
            run.progress.advance()

    await run.look_up_attempts(chosen, Step.SEND)
    drafts = _leaving(chosen)
    if probe or run.tally.waits_randomly:
        await each(drafts[:1], work, workers=1, stop=run.stop)
        drafts = drafts[1:]
    if run.tally.waits_randomly:
        # Two that began together would send every row together.
        pause_seconds = run.chance() * run.settle_seconds / 4
        await run.wait_until(run.clock.elapsed() + pause_seconds)
    await each(drafts, work, workers=run.rows_at_once, stop=run.stop)
    await _send_hidden(sends, work)
    await run.confirm_all()


async def _send_hidden(
    sends: _Sends, work: Callable[[_Leaving], Awaitable[None]]
) -> None:
    """Send what the service shows within a settle window; hold the rest."""
    run = sends.run
    for at in read_times(run.clock.elapsed(), settle_seconds=run.settle_seconds):
        if not sends.hidden:
            return
        await run.wait_until(at)
        again = sends.hidden.copy()
        sends.hidden.clear()
        await each(again, work, workers=run.rows_at_once, stop=run.stop)
    for leaving in () if run.stop.is_set() else sends.hidden:
        await run.move(leaving.entry, State.HELD, reason=_NOT_SHOWN)


async def _in_order(run: Run, entries: Sequence[Entry]) -> list[Entry]:
    wanted = [each for each in entries if each.wants_send and each.state in UNSENT]
    return in_order(wanted, first=await run.journal.put_first_so_far())


async def _make_ready(run: Run, entries: Sequence[Entry]) -> list[Entry]:
    resting = [entry for entry in entries if entry.state is not State.READY]
    moved = await run.move_all(resting, State.READY)
    ready = {entry.key: entry for entry in moved}
    return [ready.get(entry.key, entry) for entry in entries]


async def _let_wait(run: Run, entries: Sequence[Entry]) -> None:
    # A row that waits already keeps its time and its reason.
    late = [entry for entry in entries if entry.state is not State.WAIT_TOKENS]
    why = "there are too few tokens, or the run's limit is reached"
    await run.move_all(
        await _make_ready(run, late),
        State.WAIT_TOKENS,
        reason=_NOT_TRIED.format(why=why),
    )


def _leaving(entries: Sequence[Entry]) -> list[_Leaving]:
    return [
        _Leaving(entry=entry, content=content, project_id=entry.project_id)
        for entry, content in projects_among(entries)
        if entry.project_id is not None
    ]


async def _send_one(sends: _Sends, leaving: _Leaving) -> None:
    """Send one draft, at most once.

    The journal has the intent before the service has the request. An unclear answer
    leaves the row in doubt until `reconciling` has asked.
    """
    read_at = await _may_leave(sends, leaving)
    if read_at is None:
        return
    async with sends.run.places:
        accepted = await _send(sends, leaving, read_at=read_at)
    if accepted is not None:
        await _sent(sends, accepted, project_id=leaving.project_id)


async def _waits_for_tokens(run: Run, leaving: _Leaving) -> bool:
    tally = run.tally
    if tally.no_tokens_at is None or leaving.entry.key in tally.sent_elsewhere:
        return False
    await run.move(
        leaving.entry,
        State.WAIT_TOKENS,
        reason=_NOT_TRIED.format(why="the team has no tokens left"),
    )
    return True


async def _send(
    sends: _Sends, leaving: _Leaving, *, read_at: float
) -> _Accepted | None:
    run, entry, body = sends.run, leaving.entry, send_body(leaving.content)
    retry, late = SafeRetry(run=run), 0
    while await run.pace.turn() and not run.stop.is_set():
        lately = await _read_lately(sends, leaving, read_at=read_at)
        if lately is None:
            return None
        read_at = lately
        sends.watch.begins(entry)
        intent = await run.intend(entry, Step.SEND, body_sha256=sha256_of(body))
        await run.journal.note([intent])
        if not _is_fresh(run, read_at):
            late += 1
            await _too_late(run, intent, late=late)
            continue
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
        if not await retry.may_retry(verdict):
            return None
    return None


async def _read_lately(
    sends: _Sends, leaving: _Leaving, *, read_at: float
) -> float | None:
    """Read the draft again if it was read too long before.

    Another row may have been sent elsewhere since then.
    """
    run, watch = sends.run, sends.watch
    if await _waits_for_tokens(run, leaving):
        return None
    is_fresh = watch.is_fresh and _is_fresh(run, read_at)
    # The row has a turn already, and what follows may ask the service.
    with nullcontext() if is_fresh else run.pace.lent():
        if not await watch.lets_go(leaving.entry):
            return None
        if _is_fresh(run, read_at):
            return read_at
        return await _may_leave(sends, leaving)


def _is_fresh(run: Run, read_at: float) -> bool:
    return run.clock.elapsed() - read_at <= _FRESH_SECONDS


async def _too_late(run: Run, intent: Intent, *, late: int) -> None:
    """Take back an intent: nothing left this machine."""
    await run.conclude(intent, _LATE)
    if late >= _MOST_LATE:
        run.stop.set(
            JournalError(
                message="Writing to the journal takes longer than "
                f"{_FRESH_SECONDS:.0f} seconds each time, and no draft is sent that "
                "was read before that.",
                hint="Move the journal to a faster disk, then run the same command "
                "again: nothing is lost.",
            )
        )


async def _sent(sends: _Sends, accepted: _Accepted, *, project_id: ProjectId) -> None:
    """Write a send down and read the project back, both at once."""
    run = sends.run
    async with asyncio.TaskGroup() as group:
        reading = group.create_task(read_back(run, project_id))
        moved = await run.conclude(accepted.intent, accepted.verdict)
        run.tally.sent += 1
        sends.watch.sent()
    take_note(run, moved, project=reading.result())


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


async def _may_leave(sends: _Sends, leaving: _Leaving) -> float | None:
    """Read the draft: a colleague may have edited or sent it in the portal.

    Give when it was read, as `Clock.elapsed` has it; None where it is not to be sent.
    """
    run, entry = sends.run, leaving.entry
    if await _waits_for_tokens(run, leaving) or not await sends.watch.lets_go(entry):
        return None
    project = await run.lookups.project(leaving.project_id)
    read_at = run.clock.elapsed()
    if project is None:
        if await _is_young(run, entry):
            sends.hidden.append(leaving)
        else:
            await run.move(entry, State.HELD, reason=_NOT_SHOWN)
        return None
    differs = differences(leaving.content, project)
    if differs and await decided(entry.key, journal=run.journal) == ADOPTED:
        differs = ()
    if project.is_sent and "reference" not in differs:
        await run.move(
            entry, State.SENT, reason="It had been sent in the portal already."
        )
        await sends.watch.found_sent(entry)
        return None
    if project.is_draft and entry.key in run.tally.sent_elsewhere:
        # A snapshot shows it as sent: this answer is older.
        run.tally.left_to_others.add(entry.key)
        return None
    why = _why_not(project, differs)
    if why:
        await run.move(entry, State.HELD, reason=why)
    return None if why else read_at


async def _is_young(run: Run, entry: Entry) -> bool:
    """Say whether a draft is younger than a settle window; in the future: now."""
    attempts = await run.journal.attempts(entry.key)
    made_at = [each.intent.begun_at for each in attempts] or [entry.moved_at]
    age = run.clock.now() - made_at[-1]
    return age.total_seconds() < run.settle_seconds


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
