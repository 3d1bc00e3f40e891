"""Which store keeps a journal: a file of this machine, or a schema on a server."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from kawe.domain.batch.journal_servers import JournalPlace, JournalServer
from kawe.errors import JournalError
from kawe.journal.store import Store
from kawe.journal.store.lock import Holder, who_writes
from kawe.journal.store.opening import USUAL, OpeningLimits
from kawe.journal.store.sqlite import SqliteStore

if TYPE_CHECKING:
    from kawe.journal.store.server import ServerStore


def reader(place: JournalPlace, limits: OpeningLimits = USUAL) -> Store:
    """Open a journal to read it, without a look at how its rows stand.

    The structure of a large one is not checked: that takes seconds.
    """
    if isinstance(place, Path):
        return SqliteStore.for_reading(place, limits)
    return _on_server().for_reading(place)


def writer(place: JournalPlace, limits: OpeningLimits = USUAL) -> Store:
    """Take a journal's lock and open it, without a look at how its rows stand."""
    if isinstance(place, Path):
        return SqliteStore.for_writing(place, limits)
    return _on_server().for_writing(place)


def is_there(place: JournalPlace, *, to_write: bool = False) -> bool:
    """Say whether there is a journal; `JournalError`: no answer, or not `to_write`."""
    if not isinstance(place, Path):
        return _on_server().is_there(place, to_write=to_write)
    # A full disk leaves an empty file.
    return place.exists() and not (place.is_file() and place.stat().st_size == 0)


def journals_at(server: JournalServer) -> list[str]:
    return _on_server().beside(server)


def state_of(place: JournalPlace) -> object:
    """Give what is another after every commit."""
    if not isinstance(place, Path):
        return _on_server().state_of(place)
    if not place.exists():
        return place
    with place.open("rb") as file:
        # The file counts its commits there (SQLite, File Format, 1.3.7).
        file.seek(24)
        return place.stat().st_ino, file.read(4)


def writer_at(place: JournalPlace) -> Holder | None:
    """Say who writes a journal now; None: nobody does."""
    if isinstance(place, Path):
        return who_writes(place)
    return _on_server().who_writes(place)


def _on_server() -> type[ServerStore]:
    try:
        from kawe.journal.store.server import ServerStore  # noqa: PLC0415 (an extra)
    except ImportError as missing:
        raise JournalError(
            message="A journal on a server needs a part that is not installed.",
            hint="Install it: pip install 'kawe[postgres]'",
        ) from missing
    return ServerStore
