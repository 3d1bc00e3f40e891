"""What goes wrong with a journal's file, in words that a person can act on."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from kawe.domain.batch.journal_servers import JournalPlace
from kawe.domain.text.next_steps import Given, Next
from kawe.domain.text.texts import one_line
from kawe.errors import JournalError, JournalLocked, JournalNewer, StoreFault

_AGAIN: Final = f"then {Next.AGAIN}: nothing is sent twice."
_WORDS: Final = {
    "SQLITE_FULL": ("the disk is full", f"Make room on the disk, {_AGAIN}"),
    "SQLITE_IOERR": ("the disk reported a fault", f"Look after the disk, {_AGAIN}"),
    "SQLITE_BUSY": (
        "another program keeps it locked",
        f"Close the program that has it open, {_AGAIN}",
    ),
    # Extended codes stand before the one that they refine.
    "SQLITE_READONLY_DBMOVED": (
        "it was removed or moved meanwhile",
        f"Put it back, {_AGAIN}",
    ),
    "SQLITE_READONLY": (
        "it may only be read",
        f"Give yourself the right to write it, or choose another with {Given.JOURNAL}.",
    ),
    "SQLITE_PERM": (
        "the computer does not allow it",
        f"Give yourself the right to use it, or choose another with {Given.JOURNAL}.",
    ),
    "SQLITE_CANTOPEN": (
        "it cannot be opened",
        "Look whether its folder is there and is yours.",
    ),
    "SQLITE_NOTADB": (
        "it is not a journal",
        f"Choose kawe's own journal, or a new file, with {Given.JOURNAL}.",
    ),
    "SQLITE_CORRUPT": (
        "it is damaged",
        f"Begin a new one with {Given.JOURNAL}: kawe looks at the service first.",
    ),
}

_NO_TEXT: Final = "Could not decode to UTF-8"
"""Said without a code, of a text that is none."""


@contextmanager
def in_words(path: Path, *, doing: str) -> Iterator[None]:
    """Raise `StoreFault`, why a journal could not be `doing`: read, written, opened."""
    try:
        yield
    except (sqlite3.Error, UnicodeDecodeError) as fault:
        # Extended codes begin with the name of the one that they refine.
        name = str(getattr(fault, "sqlite_errorname", ""))
        if isinstance(fault, UnicodeDecodeError) or str(fault).startswith(_NO_TEXT):
            name = "SQLITE_CORRUPT"
        known = (words for code, words in _WORDS.items() if name.startswith(code))
        said = next(known, (one_line(str(fault)), ""))
        raise _error(path, doing, said) from fault


@contextmanager
def closed_on_fault(close: Callable[[], None]) -> Iterator[None]:
    """Close what is being opened where that goes wrong."""
    try:
        yield
    except JournalError:
        close()
        raise


@contextmanager
def fitting(*misfits: type[Exception]) -> Iterator[None]:
    """Refuse what a database finds not to fit the rest of a journal."""
    try:
        yield
    except misfits as misfit:
        raise JournalError(
            message="The journal refused what does not fit the rest of it."
        ) from misfit


def damaged(path: Path | str) -> StoreFault:
    return _error(path, "opened", _WORDS["SQLITE_CORRUPT"])


def none_yet(where: JournalPlace) -> JournalError:
    """Say that there is no journal, and how one begins."""
    message = f"There is no journal at {shown_path(where)} yet."
    return JournalError(message=message, hint="It begins with the first submit.")


def in_use(what: str, holder: object) -> JournalLocked:
    """Say who holds what another wants to write."""
    hint = "Wait until it has finished, or close the other kawe."
    return JournalLocked(message=f"{what} is in use by {holder}.", hint=hint)


def written_by_newer(where: JournalPlace, *, version: int, known: int) -> JournalNewer:
    return JournalNewer(
        message=f"A newer kawe wrote the journal {shown_path(where)}: its tables "
        f"have version {version}, and this kawe knows {known}.",
        hint="Bring kawe up to date on this computer.",
    )


def shown_path(path: JournalPlace | str) -> str:
    """Give a path as it may be shown: one line, nothing active."""
    return one_line(str(path), limit=300)


def _error(path: Path | str, doing: str, why_and_advice: tuple[str, str]) -> StoreFault:
    why, advice = why_and_advice
    return StoreFault(
        message=f"The journal {shown_path(path)} could not be {doing}: {why}.",
        hint=advice,
    )
