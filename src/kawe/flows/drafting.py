"""From a valid row to a draft: files first, then one create.

All doubt about a create falls on a free, invisible draft. Side effects that
cannot be taken back are left to `sending`.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, assert_never

from kawe.domain.bodies import draft_body
from kawe.domain.content import Attachment, ProjectContent
from kawe.domain.entries import Entry, StoredFile
from kawe.domain.identity import sha256_of
from kawe.domain.service_words import OrganisationId, ProjectId
from kawe.domain.states import State
from kawe.domain.texts import fold_name
from kawe.domain.verdicts import (
    Done,
    NotDone,
    NotUploaded,
    Reason,
    Step,
    Uploaded,
)
from kawe.errors import ContractBroken, KeyRefused, ScopeMissing
from kawe.flows.crew import each
from kawe.flows.run import Run, unreachable
from kawe.flows.scanning import scan_organisations

_REACH_TRIES: Final = 3
_REACH_WAIT_SECONDS: Final = 2.0


@dataclass(slots=True, kw_only=True)
class Organisations:
    """The organisations of a run: each new one is created once.

    The service makes a new organisation each time one is passed whole, so the
    first row that needs it carries it while the others wait at its lock.
    """

    known: dict[str, OrganisationId]
    locks: dict[str, asyncio.Lock] = field(
        default_factory=lambda: defaultdict(asyncio.Lock)
    )


async def draft_all(
    run: Run,
    entries: Sequence[Entry],
    *,
    organisations: Organisations,
    existing: Mapping[str, tuple[ProjectId, ...]],
) -> None:
    """Bring every row that has no draft yet as far as a draft.

    `existing` are projects already known under each marker; they are noted
    with the intent, so that a later doubt cannot take one for its own.
    """
    waiting = [
        entry for entry in entries if entry.state in {State.VALID, State.FILES_READY}
    ]
    if not waiting:
        return
    run.progress.begin("Uploading files and creating drafts", total=len(waiting))

    async def work(entry: Entry) -> None:
        await _draft(
            run,
            entry,
            organisations=organisations,
            known=existing.get(entry.marker, ()),
        )
        run.progress.advance()

    await each(waiting, work, workers=run.workers, brake=run.brake)


async def _draft(
    run: Run,
    entry: Entry,
    *,
    organisations: Organisations,
    known: tuple[ProjectId, ...],
) -> None:
    content = entry.content
    if not isinstance(content, ProjectContent):
        return
    if entry.state is State.VALID:
        moved = await _bring_files(run, entry, content)
        if moved is None:
            return
        entry = moved
    name = None if content.organisation is None else content.organisation.name
    if name is None or fold_name(name) in organisations.known:
        await _create(run, entry, content, organisations=organisations, known=known)
        return
    async with organisations.locks[fold_name(name)]:
        await _create(run, entry, content, organisations=organisations, known=known)


async def _bring_files(run: Run, entry: Entry, content: ProjectContent) -> Entry | None:
    files = await run.journal.files(entry.key) if content.files else ()
    stored = {(each.sha256, each.name) for each in files}
    for attachment in content.files:
        if (attachment.sha256, attachment.name) in stored:
            continue
        if run.brake.is_on() or not await _bring_file(run, entry, attachment):
            return None
    return await run.move(entry, State.FILES_READY)


async def _bring_file(run: Run, entry: Entry, attachment: Attachment) -> bool:
    verdict = await run.uploads.upload(attachment)
    match verdict:
        case Uploaded(document_id=document_id):
            await run.journal.keep_file(
                StoredFile(
                    row=entry.key,
                    sha256=attachment.sha256,
                    name=attachment.name,
                    document_id=document_id,
                )
            )
            run.tally.uploaded += 1
            return True
        case NotUploaded():
            await _not_uploaded(run, entry, verdict, name=attachment.name)
            return False
        case _:
            assert_never(verdict)


async def _not_uploaded(
    run: Run, entry: Entry, verdict: NotUploaded, *, name: str
) -> None:
    hint = "Run the same command again: what is done stays done."
    match verdict.reason:
        case Reason.KEY_REFUSED:
            run.brake.pull(KeyRefused(message=verdict.detail, hint=hint))
        case Reason.SCOPE_MISSING:
            run.brake.pull(ScopeMissing(message=verdict.detail, hint=hint))
        case Reason.NOT_REACHED:
            run.brake.pull(unreachable(verdict.detail.rstrip(".")))
        case Reason.NOT_FOUND:
            run.brake.pull(ContractBroken(message=verdict.detail))
        case _:
            await run.move(
                entry,
                State.INVALID,
                reason=verdict.detail
                if verdict.changed
                else f"The service did not take the file {name}: {verdict.detail}",
            )


async def _create(
    run: Run,
    entry: Entry,
    content: ProjectContent,
    *,
    organisations: Organisations,
    known: tuple[ProjectId, ...],
) -> None:
    organisation_id = await _organisation_id(
        run, entry, content, organisations=organisations
    )
    files = await run.journal.files(entry.key) if content.files else ()
    body = draft_body(
        content,
        documents=_documents(content, files),
        organisation_id=organisation_id,
    )
    for attempt in range(1, _REACH_TRIES + 1):
        if not await run.pace.turn() or run.brake.is_on():
            return
        intent = await run.intend(entry, Step.CREATE, body_sha256=sha256_of(body))
        intent = replace(intent, known_projects=known)
        await run.journal.note([intent])
        verdict = await run.acts.create_draft(body)
        await run.conclude(intent, verdict)
        match verdict:
            case NotDone(reason=Reason.RATE_LIMITED):
                continue
            case NotDone(reason=Reason.NOT_REACHED, detail=detail):
                await _breathe(run, attempt, detail)
            case Done(project=project) if project is not None:
                run.tally.created += 1
                if content.organisation and project.organisation_id:
                    name = fold_name(content.organisation.name)
                    organisations.known.setdefault(name, project.organisation_id)
                return
            case _:
                return


async def _breathe(run: Run, attempt: int, detail: str) -> None:
    # No byte left, so trying again is safe; but not for ever.
    if attempt >= _REACH_TRIES:
        run.brake.pull(unreachable(detail))
        return
    await run.clock.sleep(_REACH_WAIT_SECONDS * attempt)


async def _organisation_id(
    run: Run,
    entry: Entry,
    content: ProjectContent,
    *,
    organisations: Organisations,
) -> OrganisationId | None:
    if content.organisation is None:
        return None
    name = fold_name(content.organisation.name)
    attempts = await run.journal.attempts(entry.key)
    if name not in organisations.known and attempts:
        # An earlier attempt may have created it: never pass it whole unseen.
        organisations.known |= await scan_organisations(run.lookups)
    return organisations.known.get(name)


def _documents(
    content: ProjectContent, files: Sequence[StoredFile]
) -> list[tuple[str, str]]:
    by_file = {(each.sha256, each.name): each.document_id for each in files}
    return [(by_file[(each.sha256, each.name)], each.name) for each in content.files]
