"""From a valid row to a draft: files first, then one create.

All doubt about a create concerns a free, invisible draft.
"""

import asyncio
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from kawe.domain.rows.entries import Entry, projects_among
from kawe.domain.rows.identity import draft_body, sha256_of
from kawe.domain.service.service_words import OrganisationId, ProjectId
from kawe.domain.service.states import (
    Done,
    Intent,
    NotDone,
    Reason,
    State,
    Step,
    Unknown,
    Verdict,
    doubts_about,
)
from kawe.domain.sheet.content import Content, ProjectContent
from kawe.domain.text.texts import fold_name
from kawe.errors import ServiceError
from kawe.flows.run import Run
from kawe.flows.scanning import scan_organisations
from kawe.flows.settle.resolving import GIVEN_UP, decided
from kawe.flows.submit.safe_retry import SafeRetry
from kawe.flows.submit.uploading import bring_files
from kawe.flows.tools import Ending, each

_NEVER_LEFT: Final = NotDone(reason=Reason.NOT_REACHED, detail="the run was stopped")


@dataclass(slots=True, kw_only=True)
class Organisations:
    """The organisations of a run: each new one is created once.

    The service creates an organisation each time it gets a whole one, so the first row
    that needs it sends it while the others wait at its lock.
    """

    known: dict[str, OrganisationId]
    locks: dict[str, asyncio.Lock] = field(
        default_factory=lambda: defaultdict(asyncio.Lock)
    )
    in_doubt: set[str] = field(default_factory=set)
    """A row in doubt may have created it: no other row may send it whole."""
    tried: set[str] = field(default_factory=set)
    """It was in doubt at some time: ask before it is sent whole again."""

    def note_doubts(self, entries: Sequence[Entry]) -> None:
        """Note which organisations are in doubt, from the rows."""
        doubts = doubts_about(Step.CREATE)
        self.in_doubt = {_named(e.content) for e in entries if e.state in doubts}
        self.tried |= self.in_doubt


def _named(content: Content) -> str:
    """Give the folded name of the organisation of a row; empty: it has none."""
    return "" if content.organisation is None else fold_name(content.organisation.name)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Drafting:
    """What every row that is to have a draft works with."""

    run: Run
    organisations: Organisations
    existing: Mapping[str, tuple[ProjectId, ...]]


async def draft_all(
    run: Run,
    entries: Sequence[Entry],
    *,
    organisations: Organisations,
    existing: Mapping[str, tuple[ProjectId, ...]],
) -> None:
    """Make a draft of every row that has none.

    `existing` are the projects known under each marker; the intent notes them, so that
    a later doubt cannot take one as its own.
    """
    waiting = [
        entry for entry in entries if entry.state in {State.VALID, State.FILES_READY}
    ]
    if not waiting:
        return
    organisations.note_doubts(entries)
    bare = [e for e in waiting if e.state is State.VALID and not e.content.files]
    ready = {e.key: e for e in await run.move_all(bare, State.FILES_READY)}
    waiting = [ready.get(entry.key, entry) for entry in waiting]
    # Of many rows, none stands in memory twice while drafts are made.
    del entries, bare, ready
    waiting.sort(key=lambda entry: entry.position)
    await run.look_up_attempts(waiting, Step.CREATE)
    run.progress.begin("Uploading files and creating drafts", total=len(waiting))

    drafting = _Drafting(run=run, organisations=organisations, existing=existing)

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
    organisations = drafting.organisations
    if entry.state is State.VALID:
        if (moved := await _bring_files(drafting.run, entry, content)) is None:
            return None
        entry = moved
    name = _named(content)
    if not name or name in organisations.known:
        return await _create(drafting, entry, content)
    async with organisations.locks[name]:
        if name in organisations.in_doubt:
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
    files = await run.journal.files(entry.key) if content.files else ()
    by_file = {(each.sha256, each.name): each.document_id for each in files}
    body = draft_body(
        content,
        documents=[(by_file[e.sha256, e.name], e.name) for e in content.files],
        organisation_id=organisation_id,
    )
    known = drafting.existing.get(entry.marker, ())
    retry = SafeRetry(run=run)
    while await run.pace.turn() and not run.stop.is_set():
        intent = await run.intend(entry, Step.CREATE, body_sha256=sha256_of(body))
        intent = replace(intent, known_projects=known)
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
            organisations.known.setdefault(name, made)
    elif isinstance(verdict, Unknown) and name and name not in organisations.known:
        organisations.in_doubt.add(name)
        organisations.tried.add(name)


async def _organisation_id(
    drafting: _Drafting, entry: Entry, content: ProjectContent
) -> OrganisationId | None:
    run, organisations = drafting.run, drafting.organisations
    if not (name := _named(content)):
        return None
    attempts = await run.journal.attempts(entry.key)
    if name not in organisations.known and (attempts or name in organisations.tried):
        # An earlier attempt may have created it: never pass it whole unseen.
        organisations.known |= await scan_organisations(run.lookups)
    return organisations.known.get(name)
