"""A journal that is looked after: which one, and what lies beside it."""

from __future__ import annotations

from pathlib import Path

from kawe.cases.batches.approving import is_genuine
from kawe.files.answers import answers_beside
from kawe.files.watching import watch_beside
from kawe.journal.copies import (
    JournalCopy,
    back_up_journal,
    move_journal,
    restore_journal,
)
from kawe.journal.history import Verification, verify_journal
from kawe.settings import Settings

__all__ = [
    "JournalCopy",
    "back_up_journal",
    "move_whole",
    "place_of",
    "restore_journal",
    "verify_whole",
]


def place_of(settings: Settings) -> Path:
    """Say where the journal of the settings and the key lies, or would lie.

    Raises:
        SettingsError: Neither a journal nor key and address are named.
    """
    if settings.journal is None:
        settings.service_url()
        settings.service_key()
    return settings.journal_path()


def verify_whole(path: Path) -> Verification:
    """Check the history of a journal, and the signatures of its approvals.

    Raises:
        JournalError: There is none, or it cannot be read.
    """
    return verify_journal(path, proves=is_genuine)


def move_whole(path: Path, folder: Path) -> JournalCopy:
    """Move a journal, what checks were told and what a watch knows to another folder.

    Raises:
        JournalError: As `move_journal`.
    """
    return move_journal(
        path, folder, companions=[answers_beside(path), watch_beside(path)]
    )
