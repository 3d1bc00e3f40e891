"""The journal: where it lies, and whether a run could use it."""

from __future__ import annotations

import os
from collections.abc import Iterator

from kawe.domain.rows.entries import Binding
from kawe.domain.service.service_words import Account
from kawe.domain.text.counts import counted
from kawe.domain.text.texts import one_line
from kawe.errors import JournalError, JournalForeign, JournalLocked
from kawe.journal.journal import StoreJournal
from kawe.journal.store.location import check_location
from kawe.journal.store.lock import WriterLock
from kawe.settings import Settings
from kawe.toolkit.doctor.machine_signs import nearest_folder
from kawe.toolkit.doctor.signs import Sign, doubtful, fine, sign_of


async def journal_signs(
    settings: Settings, *, account: Account | None, mode: str | None
) -> list[Sign]:
    """Look at the journal; `account` is whom the key speaks for, where known."""
    path = settings.journal_path()
    try:
        check_location(path)
    except JournalError as trouble:
        return [sign_of("journal", trouble)]
    if not path.exists():
        return [_not_begun(settings)]
    try:
        return [
            await _whole(settings, account=account, mode=mode),
            *_lock(settings),
        ]
    except JournalError as trouble:
        return [sign_of("journal", trouble)]


def _not_begun(settings: Settings) -> Sign:
    path = settings.journal_path()
    folder = nearest_folder(path.parent)
    if not os.access(folder, os.W_OK):
        return sign_of(
            "journal",
            JournalError(
                message=f"There is none yet, and you may not write in {folder}.",
                hint="Choose a folder of your own with --journal.",
            ),
        )
    return fine("journal", f"none yet; the first submit begins it at {path}")


async def _whole(
    settings: Settings, *, account: Account | None, mode: str | None
) -> Sign:
    path = settings.journal_path()
    journal = StoreJournal.open(path, read_only=True)
    try:
        binding, batches = await journal.binding(), await journal.batches()
    finally:
        await journal.close()
    size = f"{path.stat().st_size / 1e6:.1f} MB"
    words = f"{path}, {size}, {counted(len(batches), 'batch', 'batches')}, readable"
    if binding is None:
        return fine("journal", f"{words}, of no account yet")
    whose = f"{one_line(binding.team_name)}, {binding.mode}"
    if account is None or mode is None:
        return fine("journal", f"{words}, of {whose}")
    if _is_same(binding, account=account, mode=mode, url=settings.service_url()):
        return fine("journal", f"{words}, of this same account ({whose})")
    return sign_of(
        "journal",
        JournalForeign(
            message=f"{path} belongs to {whose} at {binding.base_url}, not to the "
            "account of this key.",
            hint="Choose another one with --journal, or use that account's key.",
        ),
    )


def _is_same(binding: Binding, *, account: Account, mode: str, url: str) -> bool:
    found = (binding.base_url, binding.team_id, binding.mode)
    return found == (url, account.team_id, mode)


def _lock(settings: Settings) -> Iterator[Sign]:
    try:
        WriterLock(settings.journal_path()).release()
    except JournalLocked as taken:
        yield doubtful("journal's lock", taken.message, advice=taken.hint)
    else:
        yield fine("journal's lock", "free: no other kawe is writing")
