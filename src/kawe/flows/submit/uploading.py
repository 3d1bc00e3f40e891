"""Bringing the files of a row to the service, before the request that names them."""

from collections.abc import Sequence
from typing import assert_never

from kawe.domain.rows.entries import Entry, StoredFile
from kawe.domain.service.states import NotUploaded, State, Uploaded
from kawe.domain.sheet.content import Attachment
from kawe.errors import ServiceError
from kawe.flows.run import Run


async def bring_files(
    run: Run, entry: Entry, files: Sequence[Attachment], *, is_new: bool = False
) -> bool:
    """Upload the files that are not there yet, all of them where `is_new`.

    False: one could not be brought; the row, or the run, says why.
    """
    there = await run.journal.files(entry.key) if files and not is_new else ()
    stored = {(each.sha256, each.name) for each in there}
    for attachment in files:
        if (attachment.sha256, attachment.name) in stored:
            continue
        if run.stop.is_set() or not await _bring_file(run, entry, attachment):
            return False
    return True


async def named_files(
    run: Run, entry: Entry, files: Sequence[Attachment]
) -> list[dict[str, str]]:
    """Name the files that were brought for a row, as the body of a request does."""
    there = await run.journal.files(entry.key) if files else ()
    ids = {(each.sha256, each.name): str(each.document_id) for each in there}
    return [{"id": ids[e.sha256, e.name], "name": e.name} for e in files]


async def _bring_file(run: Run, entry: Entry, attachment: Attachment) -> bool:
    try:
        verdict = await run.uploads.upload(attachment)
    except ServiceError as trouble:
        # Whoever stopped while it waited need not hear of it.
        if not run.stop.is_set():
            run.stop.set(trouble)
        return False
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
            return True
        case NotUploaded(detail=why, changed=changed):
            untaken = f"The service did not take the file {attachment.name}: {why}"
            why = why if changed else untaken
            await run.move(entry, State.INVALID, reason=why)
            return False
        case _:
            assert_never(verdict)
