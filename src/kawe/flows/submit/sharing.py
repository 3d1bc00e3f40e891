"""Several computers without a shared journal: still one send for each row.

Each creates its draft, then reads all projects with the row's marker, and only then
sends. Of two computers at least one sees the other's draft: the draft with the lowest
(created_on, id) is sent. Its computer waits a settle window, and sends if nobody has
sent by then; the others leave the row to it (promises, section 12).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Final

from kawe.domain.batch.explaining import SENT_ELSEWHERE
from kawe.domain.batch.outcomes import UnownedDraft
from kawe.domain.rows.comparing import (
    KnownWork,
    KnownWorks,
    is_excused,
    is_next_round,
    is_over,
    traits_of,
    traits_of_project,
)
from kawe.domain.rows.edits import differences, made_first, sent_alike
from kawe.domain.rows.entries import Entry, projects_among
from kawe.domain.service.service_words import Project, projects_in, with_projects
from kawe.domain.service.states import RowKey, State, Step, read_times
from kawe.domain.sheet.content import ProjectContent
from kawe.domain.text.new_zealand import day_in_new_zealand
from kawe.flows.run import Run, Snapshot, own_project
from kawe.flows.settle.reconciling import look_for
from kawe.flows.settle.resolving import ADOPTED, decided
from kawe.flows.submit.existing import take_snapshot

_FEW: Final = 20


async def leave_to_others(run: Run, entries: Sequence[Entry]) -> list[Entry]:
    """Find out who else is at work; give the rows that may be sent here."""
    leaving = [entry for entry in entries if _is_leaving(entry)]
    if not leaving:
        return list(entries)
    others = [entry for entry in entries if not _is_leaving(entry)]
    if not run.is_alone:
        await _wait_for_youngest(run, leaving)
    seen, visible = await _see_all(run, leaving)
    if run.stop.is_set():
        return []
    going = await _Contest(run=run, leaving=visible).settle(seen)
    if await run.wait_randomly(going):
        going = await _unless_others_go(run, going)
    return [*others, *going]


async def take_note_of_sent(run: Run, entries: Sequence[Entry]) -> None:
    """Find drafts that somebody else has sent: they wait for no tokens."""
    if rows := [entry for entry in entries if _is_leaving(entry)]:
        run.tally.sent_elsewhere |= sent_by_hand(rows, await take_snapshot(run, rows))


async def _unless_others_go(run: Run, going: list[Entry]) -> list[Entry]:
    """Read once more, and leave all rows where others have begun to send them.

    A row of which another draft was sent meanwhile is done.
    """
    sent = run.tally.sent_elsewhere
    known = [entry for entry in going if entry.key in sent]
    rows = [entry for entry in going if entry.key not in sent]
    if run.stop.is_set():
        return []
    seen = await snapshot_of_others(run, rows)
    contest = _Contest(run=run, leaving=rows)
    await contest.leave_what_others_sent(seen)
    if not sent_by_hand(contest.leaving, seen):
        return [*known, *contest.leaving]
    for entry in contest.leaving:
        await _leave_undone(run, entry)
    return known


async def _wait_for_youngest(run: Run, leaving: Sequence[Entry]) -> None:
    """Wait once for all drafts: until the youngest is old enough."""
    youngest = max(entry.moved_at for entry in leaving)
    age = max(timedelta(), run.clock.now() - youngest).total_seconds()
    if age < run.settle_seconds:
        run.progress.say(
            "Other computers may submit the same rows: kawe waits up to "
            f"{round(run.settle_seconds)} seconds and looks for their drafts."
        )
    await run.wait_until(run.clock.elapsed() + run.settle_seconds - age)


async def _see_all(run: Run, leaving: Sequence[Entry]) -> tuple[Snapshot, list[Entry]]:
    """Read until every draft of ours is seen, a settle window long at most.

    What hides our draft may hide another's too: such a row is left for the next run,
    unless the service lists no drafts at all. Others do not wait for an old draft whose
    own page is not there either.
    """
    times = read_times(run.clock.elapsed(), settle_seconds=run.settle_seconds)
    made = {each.marker for each in run.tally.made}
    for at in (run.clock.elapsed(), *times):
        await run.wait_until(at)
        seen = await snapshot_of_others(run, leaving)
        unseen = [each for each in leaving if not await _is_seen(run, each, seen)]
        # A draft of this run may come late; many unseen are a list without drafts.
        old = [entry for entry in unseen if entry.marker not in made]
        if len(old) < max(len(leaving), _FEW):
            await look_for(run, old)
            leaving = [each for each in leaving if each.key not in run.tally.hidden]
            unseen = [each for each in unseen if each.key not in run.tally.hidden]
        if not unseen or run.stop.is_set():
            break
    if unseen and len(unseen) == len(leaving):
        run.progress.say(
            "The service lists none of this workbook's drafts. kawe goes on, and "
            "cannot see whether another computer has made drafts too."
        )
        return seen, list(leaving)
    shown = [entry for entry in leaving if entry not in unseen]
    for entry in () if run.stop.is_set() else unseen:
        # No list shows the project of another row under this one's marker; the reading
        # before its send holds the row.
        project = await own_project(run.lookups, entry)
        if project is not None and (project.reference or "") != entry.marker:
            shown.append(entry)
        else:
            await _leave_undone(run, entry)
    return seen, shown


async def snapshot_of_others(run: Run, leaving: Sequence[Entry]) -> Snapshot:
    """Read all projects of some rows, without what a person decided about."""
    begun = run.clock.elapsed()
    seen = await _with_alike(run, leaving, await take_snapshot(run, leaving))
    run.tally.snapshot_begun = begun
    known: set[Project] = set()
    for entry in leaving:
        if strangers := seen.strangers_of(entry):
            known |= await _decided_about(run, entry, strangers)
    return replace(seen, strangers=seen.strangers - known)


async def _with_alike(run: Run, leaving: Sequence[Entry], seen: Snapshot) -> Snapshot:
    """Add the projects of others under other references that rows likely repeat."""
    today = day_in_new_zealand(run.clock.now())
    own = {entry.project_id for entry in leaving} | {
        e.project_id for e in run.tally.made
    }
    others = [
        KnownWork(traits=traits, of=each, is_over=is_over(each, traits.days[1], today))
        for each in seen.look.projects.values()
        if each.id not in own and not each.is_of_iwi
        for traits in (traits_of_project(each),)
    ]
    if not others:
        return seen
    rows = [(entry, traits_of(said)) for entry, said in projects_among(leaving)]
    works = KnownWorks(others, beside=(traits for _, traits in rows))
    alike: dict[RowKey, tuple[Project, ...]] = {}
    for entry, traits in rows:
        found = [kept for kept, _ in works.like(traits) if not is_excused(traits, kept)]
        if is_next_round(traits, (e.traits for e in found if not e.of.is_draft)):
            continue
        strange = [
            kept.of
            for kept in found
            if kept.of.reference != entry.marker
            and await run.journal.owner_of(kept.of.id) is None
        ]
        if strange:
            alike[entry.key] = tuple(strange)
    return replace(seen, strangers=seen.strangers.union(*alike.values()), alike=alike)


async def _decided_about(
    run: Run, entry: Entry, strangers: Sequence[Project]
) -> set[Project]:
    """Name those that a person knew of when they let the row go on beside them."""
    if await decided(entry.key, journal=run.journal) == ADOPTED:
        return {each for each in strangers if each.is_draft}
    named = projects_in(await run.journal.let_go(entry.key))
    attempts = await run.journal.attempts(entry.key)
    creates = [each.intent for each in attempts if each.intent.step is Step.CREATE]
    known = {
        *(creates[-1].known_projects if creates else ()),
        *(each for _, each in named),
    }
    return {each for each in strangers if each.id in known}


async def _is_seen(run: Run, entry: Entry, seen: Snapshot) -> bool:
    if any(each.id == entry.project_id for each in seen.of(entry)):
        return True
    # A person took a project as it stands, under another reference perhaps.
    return await decided(entry.key, journal=run.journal) == ADOPTED


def sent_by_hand(rows: Iterable[Entry], seen: Snapshot) -> set[RowKey]:
    """Name the rows whose own draft was sent, and not from here."""
    return {
        entry.key
        for entry in rows
        for project in seen.of(entry)
        if project.id == entry.project_id and project.is_sent
    }


@dataclass(slots=True, kw_only=True)
class _Contest:
    """Rows that others may have drafts of, and what to do with each."""

    run: Run
    leaving: list[Entry]

    async def settle(self, seen: Snapshot) -> list[Entry]:
        """Give the rows to send here; the others are left, or sent already."""
        sent = sent_by_hand(self.leaving, seen)
        self.run.tally.sent_elsewhere |= sent
        # They are read again, and then known as sent.
        going = [entry for entry in self.leaving if entry.key in sent]
        self.leaving = [entry for entry in self.leaving if entry.key not in sent]
        await self.leave_what_others_sent(seen)
        if self._contested(seen):
            return going + await self._contend(seen)
        # The sender may have asked for more sends that are not shown yet.
        if going and self.leaving and await self._after_a_rest() is None:
            return going
        return going + self.leaving

    async def _contend(self, seen: Snapshot) -> list[Entry]:
        if self._all_of_others(seen):
            return await self._without_others(seen)
        if (again := await self._after_a_rest()) is None:
            return []
        if self._others(again) != self._others(seen):
            return await self._without_others(again)
        if any(_is_first(entry, again) for entry in self._contested(again)):
            return await self._without_others(again, first_go=True)
        return await self._take_over(again)

    async def _after_a_rest(self) -> Snapshot | None:
        """Wait and read again; None where others sent rows meanwhile."""
        run = self.run
        run.progress.say(
            "Another computer, or somebody in the portal, has been at work on rows of "
            f"this workbook. kawe waits {round(run.settle_seconds)} seconds and looks "
            "again."
        )
        if not await run.settle():
            return None
        again = await snapshot_of_others(run, self.leaving)
        if not sent_by_hand(self.leaving, again):
            return again
        for entry in self.leaving:
            await _leave_undone(run, entry)
        return None

    async def leave_what_others_sent(self, seen: Snapshot) -> None:
        """Note the rows that others have sent: that is final."""
        sent = [
            entry
            for entry in self._contested(seen)
            if any(not each.is_draft for each in seen.strangers_of(entry))
        ]
        for entry in sent:
            await self._leave(entry, seen.strangers_of(entry))
        self.leaving = [entry for entry in self.leaving if entry not in sent]

    def _contested(self, seen: Snapshot) -> list[Entry]:
        return [each for each in self.leaving if seen.strangers_of(each)]

    def _others(self, seen: Snapshot) -> set[Project]:
        return {each for row in self.leaving for each in seen.strangers_of(row)}

    def _all_of_others(self, seen: Snapshot) -> bool:
        """Say whether others are at work now on drafts of their own."""
        known = self.run.tally.known_strangers
        made = {each.marker for each in self.run.tally.made}
        return all(
            entry.marker in made
            and not _is_first(entry, seen)
            and all(each.id not in known for each in seen.strangers_of(entry))
            for entry in self._contested(seen)
        )

    async def _without_others(
        self, seen: Snapshot, *, first_go: bool = False
    ) -> list[Entry]:
        """Leave rows that others have drafts of; note those that they have sent."""
        going = []
        for entry in self.leaving:
            strangers = seen.strangers_of(entry)
            if not strangers or (first_go and _is_first(entry, seen)):
                going.append(entry)
            else:
                await self._leave(entry, strangers)
        return going

    async def _take_over(self, seen: Snapshot) -> list[Entry]:
        """Continue with drafts that others made first and have left, as it seems.

        If they saw our drafts they waited as long, and would have sent by now.
        """
        run = self.run
        if not await run.settle():
            return []
        again = await snapshot_of_others(run, self.leaving)
        moved = self._others(again) != self._others(seen)
        if moved or sent_by_hand(self.leaving, again):
            return await self._without_others(again)
        going = []
        for entry in self.leaving:
            strangers = again.strangers_of(entry)
            taken = await self._take(entry, strangers) if strangers else entry
            if taken is not None:
                going.append(taken)
        return going

    async def _leave(self, entry: Entry, strangers: Sequence[Project]) -> None:
        content, run = entry.content.project, self.run
        sent = [each for each in strangers if not each.is_draft]
        if content is None or not sent:
            await _leave_undone(run, entry)
            return
        if (alike := sent_alike(content, strangers)) is None:
            reason = _made_elsewhere(entry, content, sent)
            await run.move(entry, State.HELD, reason=reason)
            return
        await self._bind(entry, alike, state=State.SENT, reason=SENT_ELSEWHERE)
        run.tally.sent_elsewhere.add(entry.key)

    async def _take(self, entry: Entry, strangers: Sequence[Project]) -> Entry | None:
        """Take the draft that was made first; the row's own is left alone."""
        content, run = entry.content.project, self.run
        first = made_first(strangers)
        if content is not None and differences(content, first):
            reason = _made_elsewhere(entry, content, [first])
            await run.move(entry, State.HELD, reason=reason)
            return None
        taken = await self._bind(entry, first, state=State.DRAFTED)
        run.tally.taken_over.add(entry.key)
        return taken

    async def _bind(
        self, entry: Entry, project: Project, *, state: State, reason: str = ""
    ) -> Entry:
        """Take another's project for a row, in place of its own draft."""
        run = self.run
        if entry.state is not State.READY:
            # Unfinished: neither a draft to keep nor one that waits.
            await run.move(entry, State.READY)
        bound = await run.journal.move(
            entry.key, state, at=run.clock.now(), project=project.id, reason=reason
        )
        second = UnownedDraft(
            reference=entry.marker,
            name=entry.content.name,
            project_id=entry.project_id or "",
            why="another computer's was made first",
        )
        run.tally.second_drafts += (second,)
        return bound


def _is_first(entry: Entry, seen: Snapshot) -> bool:
    """Say whether the row's own draft was made first, and none was sent."""
    found = seen.of(entry)
    return (
        all(each.is_draft for each in found)
        and made_first(found).id == entry.project_id
    )


def _made_elsewhere(
    entry: Entry, content: ProjectContent, projects: Sequence[Project]
) -> str:
    made = "Another project was" if len(projects) == 1 else "Other projects were"
    how = "that this row likely repeats"
    if any(each.reference == entry.marker for each in projects):
        how = f"with the reference {entry.marker}"
        if differs := differences(content, projects[0]):
            how += f" that differs from the row in {', '.join(differs)}"
    return with_projects(f"{made} made {how}", projects)


async def _leave_undone(run: Run, entry: Entry) -> None:
    """Leave a row for the next run; a row that waits for tokens still waits."""
    run.tally.left_to_others.add(entry.key)
    if entry.state is State.DRAFTED:
        await run.move(entry, State.READY)


def _is_leaving(entry: Entry) -> bool:
    return entry.wants_send and entry.has_draft
