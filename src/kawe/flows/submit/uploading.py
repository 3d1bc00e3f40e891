"""Bringing the files of a row to the service, before the request that names them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from kawe.domain.rows.entries import Entry, StoredFile
from kawe.domain.service.states import NotUploaded, Reason, State, Uploaded
from kawe.domain.sheet.content import Attachment
from kawe.domain.text.next_steps import Next
from kawe.errors import ContractBroken, KeyRefused, ScopeMissing
from kawe.flows.run import Run, unreachable


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
    hint = f"{Next.AGAIN}: what is done stays done."
    match verdict.reason:
        case Reason.KEY_REFUSED:
            run.stop.set(KeyRefused(message=verdict.detail, hint=hint))
        case Reason.SCOPE_MISSING:
            run.stop.set(ScopeMissing(message=verdict.detail, hint=hint))
        case Reason.NOT_REACHED if run.stop.is_set():
            # Stopped while it waited: there is nothing to complain of.
            pass
        case Reason.NOT_REACHED:
            run.stop.set(unreachable(verdict.detail.rstrip(".")))
        case Reason.NOT_FOUND:
            run.stop.set(ContractBroken(message=verdict.detail))
        case (
            Reason.NO_TOKENS
            | Reason.REJECTED
            | Reason.RATE_LIMITED
            | Reason.CHUNK_REFUSED
        ):
            await run.move(
                entry,
                State.INVALID,
                reason=verdict.detail
                if verdict.changed
                else f"The service did not take the file {name}: {verdict.detail}",
            )
        case _:
            assert_never(verdict.reason)
