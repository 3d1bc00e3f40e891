"""Projects of a plan, round by round.

Each round settles the doubts that are certain, drafts, sends, and then waits for the
other doubts; a row created or sent again after a doubt needs another round.

A valid row becomes a draft: files first, then one create, so that all doubt about a
create concerns a free, invisible draft. Edits of the workbook are applied to drafts
only if a person asks for it, and only while the draft says what it said when it was
made. An update is an act like a create: noted first, made once, and settled by reading.
"""

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final

from kawe.domain.batch.plans import Plan
from kawe.domain.rows.edits import beyond_update, differences
from kawe.domain.rows.entries import Entry, projects_among
from kawe.domain.rows.identity import draft_body, update_body
from kawe.domain.service.service_words import OrganisationId, Project, ProjectId
from kawe.domain.service.states import (
    IN_DOUBT,
    UNSENT,
    Done,
    Intent,
    NotDone,
    Reason,
    State,
    Step,
    Unknown,
    Verdict,
    doubts_about,
    read_times,
)
from kawe.domain.sheet.content import Content, ProjectContent
from kawe.domain.text.texts import fold_name
from kawe.errors import ServiceError
from kawe.flows.kinds import Submission
from kawe.flows.run import Run
from kawe.flows.scanning import scan_organisations
from kawe.flows.settle.reconciling import GONE, reconcile
from kawe.flows.settle.resolving import (
    CHANGED_AFTER_DRAFT,
    GIVEN_UP,
    beyond_words,
    decided,
    is_held_for_edit,
    unlike_draft,
)
from kawe.flows.submit import submitting
from kawe.flows.submit.confirming import read_back
from kawe.flows.submit.existing import find_existing, find_second_drafts
from kawe.flows.submit.safe_retry import SafeRetry
from kawe.flows.submit.sending import let_wait
from kawe.flows.submit.uploading import bring_files, named_files
from kawe.flows.tools import Ending, each

_NOT_PLANNED: Final = "Not tried: the plan leaves it until there are more tokens."
_NEVER_LEFT: Final = NotDone(reason=Reason.NOT_REACHED, detail="the run was stopped")


@dataclass(slots=True, kw_only=True)
class _Drafting:
    """What every row that is to have a draft works with.

    The service creates an organisation each time it gets a whole one, so the first row
    that needs it sends it while the others wait at its lock.
    """

    run: Run
    organisations: dict[str, OrganisationId]
    locks: dict[str, asyncio.Lock] = field(
        default_factory=lambda: defaultdict(asyncio.Lock)
    )
    in_doubt: set[str] = field(default_factory=set)
    """A row in doubt may have created it: no other row may send it whole."""
    tried: set[str] = field(default_factory=set)
    """It was in doubt at some time: ask before it is sent whole again."""
    existing: Mapping[str, tuple[ProjectId, ...]] = field(default_factory=dict)
    """The projects known under each marker; the intent notes them, so that a later
    doubt cannot take one as its own."""

    def note_doubts(self, entries: Sequence[Entry]) -> None:
        """Note which organisations are in doubt, from the rows."""
        doubts = doubts_about(Step.CREATE)
        self.in_doubt = {_named(e.content) for e in entries if e.state in doubts}
        self.tried |= self.in_doubt


def _named(content: Content) -> str:
    """Give the folded name of the organisation of a row; empty: it has none."""
    return "" if content.organisation is None else fold_name(content.organisation.name)


async def submit_projects(submission: Submission) -> None:
    """Make drafts and send them; then look for drafts that no row owns."""
    plan, run = submission.plan, submission.run
    await _in_rounds(submission)
    if not run.stop.is_set():
        for name in sorted({plan.batch.name, *(entry.batch for entry in plan.entries)}):
            run.tally.second_drafts += await find_second_drafts(run, name)


async def _in_rounds(submission: Submission) -> None:
    plan, run = submission.plan, submission.run
    left = partial(submitting.unfinished, plan, run=run)
    drafting = _Drafting(run=run, organisations=dict(submission.organisations))
    for _ in range(submitting.ROUNDS):
        rows = await left()
        if submitting.has_doubts(rows):
            await reconcile(run, rows, wait=False)
            rows = await left()
        if run.stop.is_set():
            return
        # A doubt that was settled may have left a row where it is made again.
        await submitting.take_out_missing(plan, run=run)
        existing = await find_existing(run, rows)
        del rows
        # The intents note what a person knew of when they let the rows go.
        existing |= {
            entry.marker: (*existing.get(entry.marker, ()), *plan.repeats[entry.key])
            for entry in plan.entries
            if entry.key in plan.repeats
        }
        drafting.existing = existing
        # No name for the rows here: none stands in memory twice.
        await _draft_all(drafting, await _to_draft(plan, run=run))
        if plan.updates_drafts:
            await update_drafts(run, await left(), edited=plan.edited)
        await _hold_or_rest(plan, run=run)
        if not submission.drafts_only:
            await submitting.send_round(
                run, await _to_send(plan, run=run), budget=submission.budget
            )
        if run.stop.is_set() or not submitting.has_doubts(await left()):
            return
        run.progress.say(
            "Some answers were lost. kawe asks the service what happened before it "
            f"goes on; this takes up to {round(run.settle_seconds)} seconds."
        )
        await reconcile(run, await left(), wait=True)
        if run.stop.is_set():
            return


async def _to_draft(plan: Plan, *, run: Run) -> list[Entry]:
    left = run.tally.left_to_others
    return [
        entry
        for entry in await submitting.rows_of(plan, run=run)
        # One that is left out and in doubt may have made an organisation.
        if entry.key not in left
        and (entry.key not in plan.left_out or entry.state in IN_DOUBT)
    ]


async def _to_send(plan: Plan, *, run: Run) -> list[Entry]:
    entries = await submitting.unfinished(plan, run=run)
    if plan.may_send is None:
        return entries
    later = {
        entry.key: entry
        for entry in entries
        if entry.key not in plan.may_send and entry.wants_send and entry.state in UNSENT
    }
    await let_wait(run, [*later.values()], reason=_NOT_PLANNED)
    return [entry for entry in entries if entry.key not in later]


async def _hold_or_rest(plan: Plan, *, run: Run) -> None:
    """Hold drafts whose row was edited; let those rest that no release is to send."""
    said = {entry.key: entry.fingerprint for entry in plan.edited}
    rest = {each.key for each in plan.entries if not each.wants_send}
    for entry in (
        await run.journal.find((said.keys() | rest) - plan.left_out)
    ).values():
        # An edit that was brought to the draft is what the journal has now.
        is_edited = said.get(entry.key, entry.fingerprint) != entry.fingerprint
        if is_edited and entry.state in UNSENT:
            await run.move(entry, State.HELD, reason=CHANGED_AFTER_DRAFT)
        elif not entry.wants_send:
            await submitting.let_rest(entry, run=run)


async def _draft_all(drafting: _Drafting, entries: Sequence[Entry]) -> None:
    """Make a draft of every row that has none."""
    run = drafting.run
    waiting = [
        entry for entry in entries if entry.state in {State.VALID, State.FILES_READY}
    ]
    if not waiting:
        return
    drafting.note_doubts(entries)
    bare = [e for e in waiting if e.state is State.VALID and not e.content.files]
    ready = {e.key: e for e in await run.move_all(bare, State.FILES_READY)}
    waiting = [ready.get(entry.key, entry) for entry in waiting]
    # Of many rows, none stands in memory twice while drafts are made.
    del entries, bare, ready
    waiting.sort(key=lambda entry: entry.position)
    await run.look_up_attempts(waiting, Step.CREATE)
    run.progress.begin("Uploading files and creating drafts", total=len(waiting))

    async def work(row: tuple[Entry, ProjectContent]) -> Ending | None:
        entry, content = row
        ending = await _draft(drafting, entry, content)
        # Nor is a row finished that a stop left alone.
        if ending is None and not run.stop.is_set():
            run.progress.advance()
        return ending

    await each(projects_among(waiting), work, workers=run.rows_at_once, stop=run.stop)


async def _draft(
    drafting: _Drafting, entry: Entry, content: ProjectContent
) -> Ending | None:
    if entry.state is State.VALID:
        if (moved := await _bring_files(drafting.run, entry, content)) is None:
            return None
        entry = moved
    name = _named(content)
    if not name or name in drafting.organisations:
        return await _create(drafting, entry, content)
    async with drafting.locks[name]:
        if name in drafting.in_doubt:
            # The next round comes after the doubt is settled.
            return None
        return await _create(drafting, entry, content)


async def _bring_files(run: Run, entry: Entry, content: ProjectContent) -> Entry | None:
    # What went with a draft that is gone is uploaded anew.
    is_new = bool(content.files) and (
        await decided(entry.key, journal=run.journal) == GIVEN_UP
    )
    if not await bring_files(run, entry, content.files, is_new=is_new):
        return None
    return await run.move(entry, State.FILES_READY)


async def _create(
    drafting: _Drafting, entry: Entry, content: ProjectContent
) -> Ending | None:
    run = drafting.run
    try:
        organisation_id = await _organisation_id(drafting, entry, content)
    except ServiceError as trouble:
        # Not raised: creates in flight beside this one must finish.
        run.stop.set(trouble)
        return None
    body = draft_body(
        content,
        files=await named_files(run, entry, content.files),
        organisation_id=organisation_id,
    )
    known = drafting.existing.get(entry.marker, ())
    retry = SafeRetry(run=run)
    while await run.pace.turn() and not run.stop.is_set():
        intent = await run.intend(entry, Step.CREATE, body, known=known)
        # Before it has a place: no place waits for the disk.
        await run.journal.note([intent])
        async with run.places:
            if run.stop.is_set():
                verdict: Verdict = _NEVER_LEFT
            else:
                verdict = await run.acts.create_draft(body)
                run.stop_if_unsafe(Step.CREATE, verdict)
        if isinstance(verdict, Done):
            _learn(drafting, content, verdict)
            return _conclude(run, intent, verdict)
        await run.conclude(intent, verdict)
        if not await retry.may_retry(verdict):
            _learn(drafting, content, verdict)
            return None
    return None


async def _conclude(run: Run, intent: Intent, verdict: Done) -> None:
    """Write a success down, and only then show it."""
    await run.conclude(intent, verdict)
    run.progress.advance()


def _learn(drafting: _Drafting, content: ProjectContent, verdict: Verdict) -> None:
    name, organisations = _named(content), drafting.organisations
    if isinstance(verdict, Done):
        drafting.run.tally.created += 1
        made = None if verdict.project is None else verdict.project.organisation_id
        if name and made is not None:
            organisations.setdefault(name, made)
    elif isinstance(verdict, Unknown) and name and name not in organisations:
        drafting.in_doubt.add(name)
        drafting.tried.add(name)


async def _organisation_id(
    drafting: _Drafting, entry: Entry, content: ProjectContent
) -> OrganisationId | None:
    run, organisations = drafting.run, drafting.organisations
    if not (name := _named(content)):
        return None
    attempts = await run.journal.attempts(entry.key)
    if name not in organisations and (attempts or name in drafting.tried):
        # An earlier attempt may have created it: never pass it whole unseen.
        organisations.update(await scan_organisations(run.lookups))
    return organisations.get(name)


_SENT_MEANWHILE: Final = (
    "It had been sent in the portal before the edit reached it: the edit is not "
    "applied."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Edit:
    """A row with a draft, as the journal has it and as its workbook has it by now."""

    entry: Entry
    now: Entry
    before: ProjectContent
    after: ProjectContent
    project_id: ProjectId


async def update_drafts(
    run: Run, entries: Sequence[Entry], *, edited: Sequence[Entry]
) -> None:
    """Apply the edits of rows that are not sent yet to their drafts.

    `edited` are the rows as the workbook has them now. A row whose earlier update was
    refused or did not arrive is tried again.
    """
    now = {entry.key: entry for entry in edited}
    edits = [
        edit
        for entry in entries
        if (edit := await _edit_of(run, entry, now.get(entry.key))) is not None
    ]
    if not edits:
        return
    await run.look_up_attempts([edit.entry for edit in edits], Step.UPDATE)
    run.progress.begin("Changing drafts", total=len(edits))

    async def work(edit: _Edit) -> None:
        await _update(run, edit)
        run.progress.advance()

    await each(edits, work, workers=run.workers, stop=run.stop)


async def _edit_of(run: Run, entry: Entry, revised: Entry | None) -> _Edit | None:
    if entry.key in run.tally.update_tried:
        return None
    if entry.state is State.HELD:
        last = (await run.journal.attempts(entry.key))[-1:]
        if any(e.intent.step is Step.UPDATE and e.verdict != "done" for e in last):
            # Since then the journal has what the row said at that time.
            revised = revised or entry
        elif not is_held_for_edit(entry):
            return None
    elif entry.state not in UNSENT:
        return None
    if revised is None or entry.project_id is None:
        return None
    before, after = entry.content.project, revised.content.project
    if before is None or after is None:
        return None
    now = replace(entry, content=after, fingerprint=revised.fingerprint)
    return _Edit(
        entry=entry, now=now, before=before, after=after, project_id=entry.project_id
    )


async def _update(run: Run, edit: _Edit) -> None:
    if beyond := beyond_update(edit.before, edit.after):
        await _hold(run, edit.entry, reason=beyond_words(beyond))
        return
    project = None
    async for project in _readings(run, edit.project_id):
        if project is not None:
            break
    if run.stop.is_set():
        return
    entry = edit.entry
    if project is not None and project.is_sent:
        if entry.state is not State.READY:
            entry = await run.move(entry, State.READY)
        await run.move(entry, State.SENT, reason=_SENT_MEANWHILE)
    elif why := await _why_not(run, edit, project):
        await _hold(run, entry, reason=why)
    else:
        await _ask(run, edit)


async def _why_not(run: Run, edit: _Edit, project: Project | None) -> str:
    """Say why a draft must not be changed, as it was just read; empty: it may be."""
    if project is None:
        return GONE
    if not project.is_draft:
        return "The service does not say whether it was sent."
    before, after = edit.before, edit.after
    theirs = await unlike_draft(edit.entry, before, project, journal=run.journal)
    if theirs and differences(after, project) and before != after:
        return (
            "The draft was changed in the portal as well "
            f"({', '.join(theirs)}): kawe does not write over that."
        )
    return ""


async def _ask(run: Run, edit: _Edit) -> None:
    body = update_body(edit.after)
    retry = SafeRetry(run=run)
    run.tally.update_tried.add(edit.entry.key)
    while await run.pace.turn() and not run.stop.is_set():
        intent = await run.intend(edit.entry, Step.UPDATE, body)
        await run.journal.note([intent], revised=[edit.now])
        verdict = await run.acts.update(edit.project_id, body)
        moved = await run.conclude(intent, verdict)
        if await retry.may_retry(verdict):
            continue
        if isinstance(verdict, Done):
            run.tally.updated += 1
            await _read_back(run, moved, edit)
        return


async def _readings(run: Run, project: ProjectId) -> AsyncIterator[Project | None]:
    """Read a project now and on the schedule of doubts, until the run stops."""
    now = run.clock.elapsed()
    for at in (now, *read_times(now, settle_seconds=run.settle_seconds)):
        await run.wait_until(at)
        shown = None if run.stop.is_set() else await read_back(run, project)
        if run.stop.is_set():
            return
        yield shown


async def _read_back(run: Run, entry: Entry, edit: _Edit) -> None:
    """Compare what the service shows, which may be late; a send compares again."""
    differs: tuple[str, ...] = ()
    async for project in _readings(run, edit.project_id):
        if project is None:
            differs = ("the draft",)
            continue
        differs = await unlike_draft(entry, edit.after, project, journal=run.journal)
        if not differs or differences(edit.before, project):
            break
    if differs and not run.stop.is_set():
        await run.move(
            entry,
            State.HELD,
            reason="The service accepted the edit and shows something else: "
            f"{', '.join(differs)}.",
        )


async def _hold(run: Run, entry: Entry, *, reason: str) -> None:
    if entry.state is State.HELD:
        # Only from elsewhere can it be held anew, with what is known now.
        entry = await run.move(entry, State.DRAFTED)
    await run.move(entry, State.HELD, reason=reason)
