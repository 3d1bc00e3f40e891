"""Settling a doubt by asking, never by guessing.

In the settle window the service may still be at work. The window counts from the end of
the attempt; where another process made that, from the first reading here, as its clock
is not trusted. In the window the service is read four times. Doubts wait side by side
(promises, section 6).

A list may shift while it is read, and may be late. A draft that was asked for is absent
when the search was complete and stable, the settle window has passed, and a draft that
this run created later can be seen in the same list. Where there is none, two searches a
settle window apart must agree, and every search between them must be stable.
"""

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from kawe.domain.batch.explaining import SENT_ELSEWHERE
from kawe.domain.rows.edits import There, ThereAlready, differences, what_is_there
from kawe.domain.rows.entries import Entry, projects_among
from kawe.domain.service.service_words import Project
from kawe.domain.service.states import (
    MAX_CREATES,
    MAX_SENDS,
    Attempt,
    State,
    Step,
    doubts_about,
    read_times,
)
from kawe.domain.sheet.content import ProjectContent
from kawe.domain.text.next_steps import Given
from kawe.domain.text.texts import counted
from kawe.errors import ServiceError
from kawe.flows.run import CreatedDraft, Run, own_project
from kawe.flows.scanning import Scan, scan_projects
from kawe.flows.tools import each

NOT_SHOWN: Final = "The service does not show the draft"
"""How the reasons begin of rows whose draft was looked for in vain."""
NOT_SHOWN_YET: Final = f"{NOT_SHOWN}; the next run looks for it again."
GONE: Final = f"{NOT_SHOWN} any more."
# However old a draft is, one replica may be behind: it is looked for within a settle
# window, and by the next run once more, before a person must look. A person may have it
# made again only where nothing of it can come back (promises, section 6).


async def look_for(run: Run, entries: Iterable[Entry]) -> None:
    """Read the drafts of rows; note which are hidden, and which no longer are."""

    async def read(entry: Entry) -> None:
        shown = await own_project(run.lookups, entry)
        note = run.tally.hidden.discard if shown else run.tally.hidden.add
        note(entry.key)

    await each(entries, read, workers=run.workers, stop=run.stop)


async def leave_hidden(run: Run) -> None:
    """Leave hidden drafts to the next run; hold those that an earlier one left."""
    for entry in (await run.journal.find(run.tally.hidden)).values():
        if entry.reason.startswith(NOT_SHOWN):
            await run.move(entry, State.HELD, reason=GONE)
            continue
        if entry.state is State.READY:
            await run.move(entry, State.DRAFTED)
        await run.move(entry, State.READY, reason=NOT_SHOWN_YET)
    run.tally.left_hidden |= run.tally.hidden
    run.tally.hidden.clear()


_STEP: Final = {
    state: step
    for step in (Step.CREATE, Step.UPDATE, Step.SEND)
    for state in doubts_about(step)
}


async def reconcile(run: Run, entries: Sequence[Entry], *, wait: bool) -> None:
    """Settle the doubts of projects rows.

    Without `wait`, each doubt is read once and only what is certain is settled; with
    it, doubts are read until their window has passed, side by side.
    """
    doubtful = projects_among(entry for entry in entries if entry.state in _STEP)
    if not doubtful:
        return
    run.progress.begin("Asking the service about rows in doubt", total=len(doubtful))
    asking = _Asking(run=run, gate=asyncio.Semaphore(max(1, run.workers)))

    async def work(row: tuple[Entry, ProjectContent]) -> None:
        entry, content = row
        try:
            await _settle(asking, await _doubt(run, entry, content), wait=wait)
        except ServiceError as trouble:
            run.stop.set(trouble)
        run.progress.advance()

    await each(doubtful, work, workers=len(doubtful), stop=run.stop)


@dataclass(slots=True, kw_only=True)
class _Asking:
    """What doubts are asked about with; the list of drafts is read once for all."""

    run: Run
    gate: asyncio.Semaphore
    _lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    _begun: float | None = None
    _read: Scan[Project] = field(
        default_factory=lambda: Scan(items=(), is_stable=False)
    )

    async def drafts_since(self, at: float) -> Scan[Project]:
        """Give a scan of all drafts that was begun at `at` or later."""
        async with self._lock:
            if self._begun is None or self._begun < at:
                begun, run = self.run.clock.elapsed(), self.run
                self._read = await scan_projects(
                    run.lookups, status="DRAFT", stop=run.stop
                )
                self._begun = begun
            return self._read


@dataclass(frozen=True, slots=True, kw_only=True)
class _Doubt:
    """A row in doubt, its attempt, and how often this step was in doubt so far."""

    entry: Entry
    content: ProjectContent
    step: Step
    attempt: Attempt
    since: float
    """When the window began, as `Clock.elapsed` has it."""
    times: int


async def _settle(asking: _Asking, doubt: _Doubt, *, wait: bool) -> None:
    run = asking.run
    schedule = read_times(doubt.since, settle_seconds=run.settle_seconds)
    now = run.clock.elapsed()
    times = [at for at in schedule if at > now] if wait else []
    for at in times or [now]:
        if await _ask_at(asking, doubt, at=at, closes_at=schedule[-1]):
            return
    again_at = next_read_at(run, doubt.attempt)
    if wait and again_at is not None:
        await _ask_at(asking, doubt, at=again_at, closes_at=schedule[-1])


async def _ask_at(
    asking: _Asking, doubt: _Doubt, *, at: float, closes_at: float
) -> bool:
    """Say whether the doubt is settled, or nothing more may be asked."""
    run = asking.run
    await run.wait_until(at)
    if run.stop.is_set():
        return True
    async with asking.gate:
        is_over = run.clock.elapsed() >= closes_at
        if doubt.step is Step.CREATE:
            return await _ask_create(asking, doubt, at=at, is_over=is_over)
        ask = _ask_update if doubt.step is Step.UPDATE else _ask_send
        return await ask(run, doubt, is_over=is_over)


async def _doubt(run: Run, entry: Entry, content: ProjectContent) -> _Doubt:
    step = _STEP[entry.state]
    attempts = [
        each
        for each in await run.journal.attempts(entry.key)
        if each.intent.step is step
    ]
    # What was certainly not done, such as a 429, is no reason to give up.
    unclear = [each for each in attempts if each.verdict != "not-done"]
    return _Doubt(
        entry=entry,
        content=content,
        step=step,
        attempt=attempts[-1],
        since=run.tally.unclear_since.setdefault(
            (entry.key, step, attempts[-1].intent.attempt), run.clock.elapsed()
        ),
        times=len(unclear),
    )


async def _ask_create(
    asking: _Asking, doubt: _Doubt, *, at: float, is_over: bool
) -> bool:
    run, entry, attempt = asking.run, doubt.entry, doubt.attempt
    search = await search_draft(asking, entry, attempt, since=at)
    if search.found:
        standing = what_is_there(doubt.content, search.found, strangers=search.found)
        await take(run, entry, standing)
        return True
    remember(run, attempt, search)
    if not is_over or not await is_absent(run, attempt, search, after=doubt.since):
        return False
    if doubt.times >= MAX_CREATES:
        await run.move(
            entry,
            State.HELD,
            reason=f"Creating it was tried {counted(doubt.times, 'time')} without a "
            "clear answer.",
        )
        return True
    await run.move(entry, State.FILES_READY)
    return True


async def take(run: Run, entry: Entry, standing: ThereAlready) -> None:
    """Adopt what the service has, or hold what only a person can judge."""
    if standing.project is None:
        await run.move(entry, State.HELD, reason=standing.why)
        return
    taken = await run.journal.move(
        entry.key, State.DRAFTED, at=run.clock.now(), project=standing.project.id
    )
    if standing.what is There.DRAFT:
        run.tally.adopted += 1
        return
    ready = await run.move(taken, State.READY)
    await run.move(ready, State.SENT, reason=SENT_ELSEWHERE)
    run.tally.sent_elsewhere.add(entry.key)


async def _ask_update(run: Run, doubt: _Doubt, *, is_over: bool) -> bool:
    entry = doubt.entry
    if (project := await own_project(run.lookups, entry)) is None and not is_over:
        return False
    if project is None or not project.is_draft:
        reason = "Its draft could not be read back after it was to be changed."
    elif not (differs := differences(doubt.content, project)):
        await run.move(entry, State.DRAFTED)
        run.tally.updated += 1
        return True
    elif not is_over:
        return False
    else:
        reason = (
            f"The edit did not reach the draft ({', '.join(differs)}): submit with "
            f"{Given.UPDATE_DRAFTS} to try it again."
        )
    await run.move(entry, State.HELD, reason=reason)
    return True


async def _ask_send(run: Run, doubt: _Doubt, *, is_over: bool) -> bool:
    entry = doubt.entry
    project = await own_project(run.lookups, entry)
    if project is not None and project.is_sent:
        await run.move(entry, State.SENT)
        run.tally.sent += 1
        return True
    if project is None or not project.is_draft:
        run.tally.not_drafts.add(entry.key)
    if not is_over:
        return False
    if project is None:
        reason = "The service does not show the project."
    elif entry.key in run.tally.not_drafts:
        reason = "The service does not say whether it was sent."
    elif doubt.times >= MAX_SENDS:
        tried = counted(doubt.times, "time")
        reason = f"Sending it was tried {tried} without a clear answer."
        run.tally.may_have_sent.discard(entry.key)
    else:
        reason = ""
        # Proven unsent, as above: it cost nothing.
        run.tally.may_have_sent.discard(entry.key)
    await run.move(entry, State.HELD if reason else State.READY, reason=reason)
    return True


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftSearch:
    """One search for the draft of one doubtful create."""

    found: tuple[Project, ...]
    """Projects that may be what the create made."""
    drafts: Scan[Project]
    is_stable: bool
    begun: float


async def search_draft(
    asking: _Asking, entry: Entry, attempt: Attempt, *, since: float
) -> DraftSearch:
    """Search by marker and among all drafts: a search may be later than the list."""
    run = asking.run
    begun = run.clock.elapsed()
    by_marker = await scan_projects(run.lookups, search=entry.marker, stop=run.stop)
    among = await asking.drafts_since(since)
    seen = {each.id: each for each in (*by_marker.items, *among.items)}
    found = []
    for project in seen.values():
        if project.reference != entry.marker:
            continue
        if project.id in attempt.intent.known_projects:
            continue
        owner = await run.journal.owner_of(project.id)
        if owner is None or owner == entry.key:
            found.append(project)
    return DraftSearch(
        found=tuple(found),
        drafts=among,
        is_stable=by_marker.is_stable and among.is_stable,
        begun=begun,
    )


def remember(run: Run, attempt: Attempt, search: DraftSearch) -> None:
    """Keep since when every search found nothing; an unstable one begins anew."""
    looks = run.tally.absent_since
    key = (attempt.intent.row, attempt.intent.attempt)
    if search.is_stable:
        looks.setdefault(key, search.begun)
    else:
        looks.pop(key, None)


def next_read_at(run: Run, attempt: Attempt) -> float | None:
    """Say when the window after the first search ends; None if unstable."""
    since = run.tally.absent_since.get((attempt.intent.row, attempt.intent.attempt))
    return None if since is None else since + run.settle_seconds


async def is_absent(
    run: Run, attempt: Attempt, search: DraftSearch, *, after: float
) -> bool:
    """Say whether `search`, after the window, shows that nothing was created.

    `after` is when the attempt had certainly ended.
    """
    if (due_at := next_read_at(run, attempt)) is None:
        return False
    if later := [made for made in run.tally.made if made.begun >= after]:
        # If the list lacks the later draft, it may lack the other as well.
        return await _sees(run, search, witness=later[-1])
    return search.begun >= due_at


async def _sees(run: Run, search: DraftSearch, *, witness: CreatedDraft) -> bool:
    searched = await scan_projects(run.lookups, search=witness.marker, stop=run.stop)
    shown = [each for each in searched.items if each.id == witness.project_id]
    if not shown or not searched.is_stable:
        return False
    among = {each.id for each in search.drafts.items}
    return witness.project_id in among or not shown[0].is_draft
