"""Whose a journal is, and whose a document is."""

from __future__ import annotations

from kawe.domain.rows.entries import Binding, StoredFile
from kawe.domain.text.texts import one_line
from kawe.errors import JournalError, JournalForeign
from kawe.journal.words import shown_key


def same_account(kept: Binding, *, asked: Binding) -> None:
    """Make sure that a journal is used with the account that it belongs to.

    A team may have been renamed: its name does not count.

    Raises:
        JournalForeign: It belongs to another service, team or mode.
    """
    if _identity(kept) == _identity(asked):
        return
    mine, theirs = _account(kept), _account(asked)
    if mine == theirs:
        theirs = "another team of the same name"
    raise JournalForeign(
        message=f"This journal belongs to {mine}, but the key is for {theirs}.",
        hint="Use the key that it belongs to, or another file with --journal.",
    )


def document_free(stored: StoredFile, *, holder: StoredFile | None) -> None:
    """Make sure that a document is no other file's; `holder` is whose it is.

    Raises:
        JournalError: It is. One document belongs to one project, so to one row.
    """
    if holder is None or _file_identity(holder) == _file_identity(stored):
        return
    raise JournalError(
        message=(
            f"The document kept for {shown_key(stored.row)} already belongs to "
            f"another file of {shown_key(holder.row)}."
        )
    )


def _identity(binding: Binding) -> tuple[str, str, str]:
    return (binding.base_url, binding.team_id, binding.mode)


def _file_identity(stored: StoredFile) -> tuple[str, str, str]:
    return (stored.row, stored.sha256, stored.name)


def _account(binding: Binding) -> str:
    name, where = one_line(binding.team_name), one_line(binding.base_url)
    return f"{name} at {where} ({one_line(binding.mode)})"
