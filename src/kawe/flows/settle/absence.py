"""Whether a draft that was asked for is certainly not there.

A list may shift while it is read, and may be late. The draft is absent when the search
was complete and stable, the settle window has passed, and a draft that this run created
later can be seen in the same list. Where there is none, two searches a settle window
apart must agree, and every search between them must be stable (promises, section 6).
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

from kawe.domain.rows.entries import Entry
from kawe.domain.service.service_words import Project
from kawe.domain.service.verdicts import Attempt
from kawe.flows.run import CreatedDraft, Run
from kawe.flows.scanning import Scan, scan_projects


@dataclass(slots=True, kw_only=True)
class Drafts:
    """The list of drafts, read once for all doubts that ask at about one time."""

    run: Run
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    begun: float | None = None
    read: Scan[Project] = field(default_factory=lambda: Scan(items=(), is_stable=False))

    async def since(self, at: float) -> Scan[Project]:
        """Give a scan that was begun at `at` or later."""
        async with self.lock:
            if self.begun is None or self.begun < at:
                begun = self.run.clock.elapsed()
                self.read = await scan_projects(
                    self.run.lookups, status="DRAFT", stop=self.run.stop
                )
                self.begun = begun
            return self.read


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftSearch:
    """One search for the draft of one doubtful create."""

    found: tuple[Project, ...]
    """Projects that may be what the create made."""
    drafts: Scan[Project]
    is_stable: bool
    begun: float


async def search_draft(
    run: Run, entry: Entry, attempt: Attempt, *, drafts: Drafts, since: float
) -> DraftSearch:
    """Search by marker and among all drafts: a search may be later than the list."""
    begun = run.clock.elapsed()
    by_marker = await scan_projects(run.lookups, search=entry.marker, stop=run.stop)
    among = await drafts.since(since)
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
    due_at = next_read_at(run, attempt)
    if due_at is None:
        return False
    later = [made for made in run.tally.made if made.begun >= after]
    if later:
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
