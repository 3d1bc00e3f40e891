"""From a draft to iwi: read it, note the intent, send it once, read it back.

A draft is looked at directly before its send: a colleague may have changed, held or
sent it while kawe waited. A look is as old as the request that was answered: a slow
answer says how the draft was. While a run sends, it watches whether somebody else has
begun to send the same rows.
"""

from __future__ import annotations

import asyncio
from bisect import insort
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from kawe.domain.batch.agreements import Budget
from kawe.domain.batch.explaining import SENT_ALREADY
from kawe.domain.batch.waiting import in_order
from kawe.domain.rows.entries import Entry, projects_among
from kawe.domain.service.service_words import Project, ProjectId
from kawe.domain.service.states import (
    UNSENT,
    Done,
    Intent,
    NotDone,
    Reason,
    RowKey,
    State,
    Step,
    Unknown,
)
from kawe.domain.sheet.content import ProjectContent
from kawe.domain.text.next_steps import Next
from kawe.domain.text.texts import one_line
from kawe.errors import JournalError, ServiceError
from kawe.flows.run import Run
from kawe.flows.settle.resolving import unlike_draft
from kawe.flows.submit.confirming import read_back, take_note
from kawe.flows.submit.safe_retry import SafeRetry
from kawe.flows.submit.sharing import sent_by_hand, snapshot_of_others
from kawe.flows.tools import each
from kawe.ports import Turns

# With one key in two runs, the other may take several windows.
_MOST_LIMITED: Final = 6
_MOST_LATE: Final = 5
# While requests are under way: at the end the rest takes no time.
_CONFIRMED_TOGETHER: Final = 50
_LATE: Final = NotDone(
    reason=Reason.NOT_REACHED, detail="it was read too long before, and is read again"
)
_NOT_TRIED: Final = "Not tried: {why}"
NO_TOKENS_LEFT: Final = _NOT_TRIED.format(why="the team has no tokens left")
_TOO_FEW: Final = _NOT_TRIED.format(why="there are too few tokens")
AT_LIMIT: Final = _NOT_TRIED.format(why="the run's limit is reached")
BEHIND: Final = _NOT_TRIED.format(why="a row before it on this project waits")
_CHANGED: Final = (
    "It says something else, or has another draft, than when its send was agreed to."
)
_SEEN_SENT: Final = "A snapshot shows it as sent."


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


async def send_all(
    run: Run, entries: Sequence[Entry], *, budget: Budget, probe: bool = False
) -> None:
    """Send what may be sent, the most urgent first; the rest waits for tokens.

    `probe` sends the first row alone: its answer says whether there are tokens again.
    """
    wanted = [each for each in entries if each.wants_send and each.state in UNSENT]
    going = in_order(wanted, first=await run.journal.put_first_so_far())
    if not going or run.stop.is_set():
        return
    # A row that was seen as sent is read, and costs no token.
    sent = [entry for entry in going if entry.key in run.tally.sent_elsewhere]
    going = [entry for entry in going if entry.key not in run.tally.sent_elsewhere]
    going, agreed = await _as_agreed(run, going, budget=budget)
    chosen = agreed[: budget.sends(len(agreed))]
    keys = {entry.key for entry in chosen}
    rest = [entry for entry in going if entry.key not in keys]
    few = budget.balance is not None and len(chosen) >= budget.balance
    await let_wait(run, rest, reason=_TOO_FEW if few else AT_LIMIT)
    if not (chosen := await _make_ready(run, [*chosen, *sent])):
        return
    # Of many rows, none stands in memory twice while they are sent.
    del entries, wanted, going, agreed, sent, rest
    run.progress.begin("Sending to iwi", total=len(chosen))
    watch = SendWatch(run=run, rows={entry.key: entry for entry in chosen})

    async def work(leaving: _Leaving) -> None:
        try:
            await _send_one(watch, leaving)
        except ServiceError as trouble:
            # Not raised: sends in flight beside this one must finish.
            run.stop.set(trouble)
        # Not a row that was only read, nor one that a stop left alone.
        if leaving.entry.key in run.tally.may_have_sent:
            run.progress.advance()

    await run.look_up_attempts(chosen, Step.SEND)
    drafts = [
        _Leaving(entry=entry, content=content, project_id=entry.project_id)
        for entry, content in projects_among(chosen)
        if entry.project_id is not None
    ]
    if probe or run.tally.waits_randomly:
        await each(drafts[:1], work, workers=1, stop=run.stop)
        drafts = drafts[1:]
    if run.tally.waits_randomly:
        # Two that began together would send every row together.
        pause_seconds = run.chance() * run.settle_seconds / 4
        await run.wait_until(run.clock.elapsed() + pause_seconds)
    await each(drafts, work, workers=run.rows_at_once, stop=run.stop)
    await run.confirm_all()


async def _as_agreed(
    run: Run, entries: Sequence[Entry], *, budget: Budget
) -> tuple[list[Entry], list[Entry]]:
    """Hold what says something else by now; give the rest, and what may leave of it."""
    if (agreement := budget.agreement) is None:
        return list(entries), list(entries)
    # Another computer's draft that says the same was taken over since.
    agreement = agreement.of_any_draft(run.tally.taken_over)
    changed = {
        entry.key: entry
        for entry in entries
        if entry.key in agreement.acts and not agreement.covers(entry)
    }
    await run.move_all([*changed.values()], State.HELD, reason=_CHANGED)
    rest = [entry for entry in entries if entry.key not in changed]
    return rest, agreement.in_order(rest)


async def _make_ready(run: Run, entries: Sequence[Entry]) -> list[Entry]:
    resting = [entry for entry in entries if entry.state is not State.READY]
    ready = {entry.key: entry for entry in await run.move_all(resting, State.READY)}
    return [ready.get(entry.key, entry) for entry in entries]


async def let_wait(run: Run, entries: Sequence[Entry], *, reason: str) -> None:
    """Let drafts wait for tokens."""
    # A row that waits already keeps its time and its reason.
    late = [entry for entry in entries if entry.state is not State.WAIT_TOKENS]
    await run.move_all(await _make_ready(run, late), State.WAIT_TOKENS, reason=reason)


async def _send_one(watch: SendWatch, leaving: _Leaving) -> None:
    """Send one draft, at most once.

    The journal has the intent before the service has the request. An unclear answer
    leaves the row in doubt until `reconciling` has asked.
    """
    async with watch.run.places:
        ended = await _send(watch, leaving)
    if isinstance(ended, _Accepted):
        await _sent(watch, ended, project_id=leaving.project_id)
    elif ended is not None:
        await _leave(watch, leaving, ended.project)


async def _waits_for_tokens(run: Run, leaving: _Leaving) -> bool:
    tally = run.tally
    if tally.no_tokens_at is None or leaving.entry.key in tally.sent_elsewhere:
        return False
    await run.move(leaving.entry, State.WAIT_TOKENS, reason=NO_TOKENS_LEFT)
    return True


async def _send(watch: SendWatch, leaving: _Leaving) -> _Accepted | DraftLook | None:
    """Look at a draft and send it; give the look if it is not to be sent."""
    run, entry = watch.run, leaving.entry
    retry, late = SafeRetry(run=run, most_limited=_MOST_LIMITED), 0
    was_asked = False
    while not await _waits_for_tokens(run, leaving) and await watch.lets_go(entry):
        async with run.pace.pair() as turns:
            if turns is None:
                return None
            is_left = entry.key in run.tally.left_to_others
            # If the turns were long in coming, others may have begun: ask once more.
            was_asked = not was_asked and (is_left or not watch.is_fresh)
            ended = None if was_asked else await _try(watch, leaving, turns)
        if isinstance(ended, _Accepted | DraftLook):
            return ended
        if ended is _LATE:
            late += 1
            _stop_if_slow(run, late=late)
        elif ended is not None and not await retry.may_retry(ended):
            return None
    return None


async def _try(
    watch: SendWatch, leaving: _Leaving, turns: Turns
) -> _Accepted | DraftLook | NotDone | Unknown | None:
    """Look at a draft and send it, once; None: it was not its turn."""
    run, entry, body = watch.run, leaving.entry, send_body(leaving.content)
    look = await look_at(run, leaving.project_id, turns=turns)
    if look.project is None or await _why_not(run, leaving, look.project):
        return look
    if not await run.pace.turn() or run.stop.is_set() or run.tally.no_tokens_at:
        return None
    if not look.is_fresh:
        return OLD_LOOK
    watch.begins(entry)
    intent = await run.intend(entry, Step.SEND, body)
    await run.journal.note([intent])
    if not look.is_fresh:
        # Taken back: nothing left this machine.
        await run.conclude(intent, _LATE)
        return _LATE
    run.tally.may_have_sent.add(entry.key)
    run.tally.looked_at[entry.key] = look.project
    verdict = await run.acts.send(leaving.project_id, body)
    if isinstance(verdict, Done):
        return _Accepted(intent=intent, verdict=verdict)
    # At once: while it is being written down, no other send may begin.
    if isinstance(verdict, NotDone) and verdict.reason is Reason.NO_TOKENS:
        take_note_of_402(run)
    await run.conclude(intent, verdict)
    if isinstance(verdict, NotDone):
        run.tally.may_have_sent.discard(entry.key)
    return verdict


def _stop_if_slow(run: Run, *, late: int) -> None:
    if late >= _MOST_LATE:
        run.stop.set(
            JournalError(
                message="Writing to the journal takes longer than "
                f"{FRESH_SECONDS:.0f} seconds each time, and no draft is sent that "
                "was read before that.",
                hint="Move the journal to a faster disk, then "
                f"{Next.AGAIN}: nothing is lost.",
            )
        )


async def _sent(
    watch: SendWatch, accepted: _Accepted, *, project_id: ProjectId
) -> None:
    """Write a send down and read the project back, both at once."""
    run = watch.run
    async with asyncio.TaskGroup() as group:
        reading = group.create_task(read_back(run, project_id))
        moved = await run.conclude(accepted.intent, accepted.verdict)
        run.tally.sent += 1
        watch.sent()
    take_note(run, moved, project=reading.result())
    if len(run.tally.read_back) >= _CONFIRMED_TOGETHER:
        await run.confirm_all()


def take_note_of_402(run: Run) -> None:
    """Say once, on the screen and to whom it concerns, that there are no tokens."""
    if run.tally.no_tokens_at is not None:
        return
    run.tally.no_tokens_at = run.clock.now()
    run.progress.say(
        "The team has no tokens left. What is there stays as it is; the rows that are "
        "left wait for tokens."
    )
    if run.alerts is not None:
        run.alerts.no_tokens(sent=run.tally.sent)


async def _leave(watch: SendWatch, leaving: _Leaving, project: Project | None) -> None:
    """Say of a row why its draft is not sent."""
    run, entry = watch.run, leaving.entry
    if project is None:
        run.tally.hidden.add(entry.key)
        return
    if (why := await _why_not(run, leaving, project)) == SENT_ALREADY:
        await run.move(entry, State.SENT, reason=why)
        await watch.found_sent(entry)
    elif why == _SEEN_SENT:
        run.tally.left_to_others.add(entry.key)
    else:
        await run.move(entry, State.HELD, reason=why)


async def _why_not(run: Run, leaving: _Leaving, project: Project) -> str:
    """Say why a project must not be sent for its row; empty where it may be."""
    entry, journal = leaving.entry, run.journal
    differs = await unlike_draft(entry, leaving.content, project, journal=journal)
    if project.is_sent and "reference" not in differs:
        return SENT_ALREADY
    if project.is_draft and entry.key in run.tally.sent_elsewhere:
        # This answer is older.
        return _SEEN_SENT
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


FRESH_SECONDS: Final = 2.0
_MOST_SECONDS: Final = 15.0
OLD_LOOK: Final = NotDone(
    reason=Reason.NOT_REACHED,
    detail="it answers too slowly, or lets in too few requests, to send safely: what "
    "it says of a draft is too old each time",
)
"""No send was tried, as without a connection."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftLook:
    """A draft as the service shows it, and what its age depends on."""

    run: Run
    turns: Turns
    usual_seconds: float
    """The median of the looks before it: a slow one does not excuse itself."""
    project: Project | None

    @property
    def age_seconds(self) -> float:
        return self.run.clock.elapsed() - self.turns.left_at

    @property
    def is_fresh(self) -> bool:
        """Check that the draft may still be sent; say once when that is late."""
        age, tally = self.age_seconds, self.run.tally
        most = max(FRESH_SECONDS + self.turns.waited_seconds, 2 * self.usual_seconds)
        is_fresh = age <= min(most, _MOST_SECONDS)
        if is_fresh and age > FRESH_SECONDS and not tally.is_slow:
            tally.is_slow = True
            self.run.progress.say(
                "The service answers slowly, or lets in few requests: rows leave "
                f"slowly, up to {_MOST_SECONDS:.0f} seconds after kawe has looked at "
                f"their drafts instead of {FRESH_SECONDS:.0f}."
            )
        return is_fresh


async def look_at(run: Run, project_id: ProjectId, *, turns: Turns) -> DraftLook:
    """Read a draft: a colleague may have edited or sent it in the portal."""
    looks = run.tally.look_seconds
    usual_seconds = looks[(len(looks) - 1) // 2] if looks else 0.0
    project = await run.lookups.project(project_id)
    look = DraftLook(run=run, turns=turns, usual_seconds=usual_seconds, project=project)
    insort(looks, look.age_seconds)
    return look


_GOOD_FOR: Final = 0.5
"""For which share of a settle window a look holds, or a send of ours."""


@dataclass(slots=True, kw_only=True)
class SendWatch:
    """Stops sends of rows that somebody else has begun to send.

    A snapshot is valid for half a settle window, and so is each send of ours, which
    others see. After a longer pause, such as a rate limit or sleep, a new one is taken.
    """

    run: Run
    rows: dict[RowKey, Entry]
    """The rows whose send has not begun."""
    seen_at: float = field(init=False)
    _one: asyncio.Lock = field(default_factory=asyncio.Lock)
    _left: set[RowKey] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.seen_at = self.run.tally.snapshot_begun

    @property
    def is_fresh(self) -> bool:
        """Check that the last look still holds."""
        good_for = _GOOD_FOR * self.run.settle_seconds
        return self.run.clock.elapsed() - self.seen_at <= good_for

    async def lets_go(self, entry: Entry) -> bool:
        """Say whether a row may be sent now."""
        self.rows[entry.key] = entry
        async with self._one:
            if not self.is_fresh:
                await self.run.wait_randomly(list(self.rows.values()))
                await self._check_again()
        return entry.key not in self._left and not self.run.stop.is_set()

    def begins(self, entry: Entry) -> None:
        """Note a send of ours that begins: that the row is sent is then expected."""
        self.rows.pop(entry.key, None)

    def sent(self) -> None:
        """Note a send of ours: others can see it."""
        self.seen_at = max(self.seen_at, self.run.clock.elapsed())

    async def found_sent(self, entry: Entry) -> None:
        """Leave the rows where somebody else has sent one since the snapshot."""
        self.rows.pop(entry.key, None)
        tally = self.run.tally
        if entry.key in tally.sent_elsewhere:
            return
        tally.sent_elsewhere.add(entry.key)
        async with self._one:
            if self.run.stop.is_set() or not self.rows:
                return
            self.run.progress.say(
                f"{entry.marker} was sent by somebody else a moment ago. kawe waits "
                f"{round(self.run.settle_seconds)} seconds whether they send more."
            )
            before = await self._check_again()
            if not await self.run.settle():
                return
            if await self._check_again() - before:
                self._leave(self.rows)

    async def _check_again(self) -> set[RowKey]:
        """Leave the rows that others have drafts of; name those that are sent."""
        rows = list(self.rows.values())
        seen = await snapshot_of_others(self.run, rows)
        self.seen_at = self.run.tally.snapshot_begun
        sent = sent_by_hand(rows, seen)
        self.run.tally.sent_elsewhere |= sent
        # Another draft of a row that is sent is nobody's any more.
        going = [e for e in rows if e.key not in self.run.tally.sent_elsewhere]
        self._leave(each.key for each in going if seen.strangers_of(each))
        return sent

    def _leave(self, keys: Iterable[RowKey]) -> None:
        left = set(keys)
        self._left |= left
        self.run.tally.left_to_others |= left
