"""Copies of a journal: a backup, its way back, another folder, a server and back.

Each copy is verified before it gets its name, and gets it whole or not at all. No
journal is replaced that knows what the copy does not know.
"""

import os
import shutil
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final

from kawe.domain.batch.journal_servers import JournalPlace
from kawe.domain.service.states import State
from kawe.domain.text.new_zealand import moment_words
from kawe.domain.text.next_steps import Given
from kawe.domain.text.texts import counted, one_line
from kawe.durable import Temporary, put, replacing, sync_folder, temporary_in
from kawe.errors import JournalError, StoreFault
from kawe.journal.events import Event, event_from_values
from kawe.journal.history import Verification, altered, verify_journal, verify_store
from kawe.journal.store import Store, set_aside_name
from kawe.journal.store.faults import damaged, shown_path
from kawe.journal.store.location import check_location
from kawe.journal.store.lock import WriterLock
from kawe.journal.store.opening import WHOLE, copy_file, make_folder
from kawe.journal.store.places import is_there, writer
from kawe.journal.store.sqlite import SqliteStore

_UNDONE: Final = "-journal"
"""How SQLite names the file by which it takes back half a commit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JournalCopy:
    """A copy that was made and verified."""

    path: Path | str
    events: int
    rows: int
    kept: Path | str | None = None
    """Where the journal lies that was there before; None: there was none."""


def back_up_journal(path: Path, target: Path) -> JournalCopy:
    """Copy the journal at `path` to the new file `target`, also while a run writes.

    Raises:
        JournalError: It is not whole, `target` is there already, or it cannot be
            written; then there is no new file.
    """
    _refuse_taken(target)
    with _in_folder(target) as temporary:
        found = _copied(path, temporary, called=target)
        _refuse_taken(target)
        put(temporary, target)
    return JournalCopy(path=target, events=found.events, rows=found.rows, kept=None)


def restore_journal(
    backup: Path, path: Path, *, at: datetime, moves_aside: bool = False
) -> JournalCopy:
    """Put a copy of `backup` in the place of the journal `path`; keep the old one.

    The journal that is there is copied beside itself, with the instant `at` (aware)
    in its name. One that has events which the backup lacks, or that cannot be read, is
    replaced only where `moves_aside`. A process that is killed leaves either.

    Raises:
        JournalLocked: Another process writes the journal.
        JournalError: The backup is not whole, the journal has other or newer events,
            or it cannot be written; then the journal is as it was.
    """
    is_own = path.exists() and backup.exists() and path.samefile(backup)
    if is_own or not backup.is_file():
        what = "the journal itself" if is_own else "no file"
        raise JournalError(
            message=f"{shown_path(backup)} is {what}.",
            hint="Name the backup to restore.",
        )
    check_location(path.absolute())
    make_folder(path.parent)
    with closing(WriterLock(path)), _in_folder(path) as temporary:
        found = _copied(backup, temporary, called=path)
        if (lost := _what_is_lost(path, by=temporary[1])) and not moves_aside:
            raise JournalError(
                message=lost,
                hint=f"Nothing was changed. To replace it all the same, use "
                f"{Given.ASIDE}: kawe "
                "keeps this journal beside the other, with the date in its name.",
            )
        kept = _keep_beside(path, at=at)
        put(temporary, path)
    return JournalCopy(path=path, events=found.events, rows=found.rows, kept=kept)


def move_journal(
    path: Path, folder: Path, *, companions: Sequence[Path] = ()
) -> JournalCopy:
    """Move the journal at `path`, and files beside it, to another folder.

    Its lock stays in the old folder too, as a sign that there was a journal. A process
    that is killed leaves the journal in the old folder, in the new one, or the same
    journal in both; the same call then ends the move.

    Raises:
        JournalLocked: A run holds it.
        JournalError: There is none, it is not whole, the new folder cannot keep it, or
            has a journal that knows more; then it is where it was.
    """
    target = folder / path.name
    check_location(target.absolute())
    if not path.is_file():
        raise _none_at(shown_path(path), target)
    make_folder(folder)
    if folder.samefile(path.parent):
        raise JournalError(
            message=f"The journal {shown_path(path)} lies in that folder already.",
            hint="Name another folder.",
        )
    with (
        closing(WriterLock(path)),
        closing(WriterLock(target)),
        _in_folder(target) as temporary,
    ):
        found = _copied(path, temporary, called=target)
        if lost := _what_is_lost(target, by=temporary[1]):
            raise JournalError(
                message=lost, hint="Nothing was moved. Name another folder."
            )
        _set_undone_aside(target, called=f"{target.name}.old")
        put(temporary, target)
        for each in companions:
            if each.is_file():
                _copy(each, folder / each.name)
        for each in (path, *companions):
            each.unlink(missing_ok=True)
        sync_folder(path.parent)
    return JournalCopy(path=target, events=found.events, rows=found.rows, kept=None)


def _copied(source: Path, temporary: Temporary, *, called: Path) -> Verification:
    """Copy a journal into a temporary file and verify what lies there."""
    copy_file(source, temporary[1], called=called)
    try:
        found = verify_journal(temporary[1])
    except StoreFault as fault:
        raise damaged(source) from fault
    if found.fault is not None:
        raise altered(shown_path(source), found.fault.what)
    return found


def _what_is_lost(path: Path, *, by: Path) -> str:
    """Say what a journal has that the one which replaces it lacks; may be nothing."""
    if not path.exists() or path.stat().st_size == 0:
        return ""
    try:
        mine, other = _chain(path), _chain(by)
    except JournalError as fault:
        why = one_line(fault.message, limit=600)
        return f"kawe cannot say what would be lost. {why}"
    shared = sum(1 for one, two in zip(mine, other, strict=False) if one[0] == two[0])
    gone = [event for _, event in mine[shared:]]
    lost = _events_lost(gone, is_newer=shared == len(other)) if gone else ""
    return lost and f"The journal {shown_path(path)} has {lost}"


def _events_lost(gone: Sequence[Event], *, is_newer: bool) -> str:
    events = counted(len(gone), f"{'newer' if is_newer else 'other'} event")
    rows = counted(len({event.row for event in gone}), "row")
    sent = {event.row for event in gone if event.went_to is State.SENT}
    last = moment_words(max(event.at for event in gone))
    return (
        f"{events} of {rows}, which would be lost; "
        f"rows that were sent in them: {len(sent):,}; the last event: {last}, NZ time."
    )


def _chain(path: Path) -> list[tuple[str, Event]]:
    with (
        closing(SqliteStore.for_reading(path, WHOLE)) as store,
        store.transaction(writes=False),
    ):
        try:
            return [
                (digest, event_from_values(tuple(values)))
                for _, _, digest, *values in store.rows("chain")
            ]
        except ValueError as fault:
            raise damaged(path) from fault


def _keep_beside(path: Path, *, at: datetime) -> Path | None:
    """Copy what lies at `path` beside it, byte for byte, under a dated name."""
    dated = set_aside_name(path.name, at)
    kept = path.with_name(dated) if path.exists() else None
    if kept is not None:
        _refuse_taken(kept)
        _copy(path, kept)
    _set_undone_aside(path, called=dated)
    return kept


def _set_undone_aside(path: Path, *, called: str) -> None:
    # SQLite would apply it to the journal that comes here.
    with suppress(FileNotFoundError):
        path.with_name(f"{path.name}{_UNDONE}").replace(
            path.with_name(f"{called}{_UNDONE}")
        )


def _copy(path: Path, target: Path) -> None:
    with path.open("rb") as old, replacing(target) as new:
        shutil.copyfileobj(old, new)


def _refuse_taken(target: Path) -> None:
    if os.path.lexists(target):
        raise JournalError(
            message=f"{shown_path(target)} is there already.",
            hint="Name a new file: kawe replaces no backup.",
        )


@contextmanager
def _in_folder(target: Path) -> Iterator[Temporary]:
    """Open a temporary file beside `target`; what the disk says becomes words."""
    try:
        with temporary_in(target.parent) as temporary:
            yield temporary
    except OSError as fault:
        why = one_line(str(fault.strerror)).lower()
        raise JournalError(
            message=f"{shown_path(target)} cannot be written: {why}.",
            hint="Choose a folder that is there, and that you may write to.",
        ) from fault


TABLES: Final = (
    *("binding", "batch", "entry", "reading", "line", "event", "file", "iwi_answer"),
    *("batch_owner", "queue_place", "approval", "run", "sent_to", "invitation"),
    *("report_step", "team_project", "first_read"),
)
"""Each after those that it names."""


_KNOWN_BY: Final = ("last_link", "footings")


def carry_journal(
    source: JournalPlace, target: JournalPlace, *, at: datetime
) -> JournalCopy:
    """Take the journal at `source` to `target`; one of them is on a server.

    The copy is one transaction, and verified. Only then does the journal at `source`
    get a dated name, under which nobody uses it. A process that is killed leaves it
    where it was; the same call then ends the move.

    Raises:
        JournalLocked: A run holds one of them.
        JournalError: There is none, it is not whole, or the target has another.
    """
    where = one_line(str(source))
    if not is_there(source):
        raise _none_at(where, target)
    if source == target:
        raise JournalError(message=f"The journal lies at {where} already.")
    if isinstance(target, Path):
        check_location(target)
        make_folder(target.parent)
    with closing(writer(source)) as old, closing(writer(target)) as new:
        found, there = _whole(old), _whole(new)
        if not (there.events or there.rows):
            with new.transaction(writes=True):
                for name in TABLES:
                    columns, records = old.table(name)
                    new.fill(name, columns, records)
            if (copied := _whole(new)) != found:
                raise altered(new.place, f"It has {copied.events:,} events.")
        elif any([*new.rows(each)] != [*old.rows(each)] for each in _KNOWN_BY):
            raise JournalError(
                message=f"There is another journal at {one_line(str(target))}.",
                hint="Nothing was moved. Name another place.",
            )
        kept = old.set_aside(at)
    path = target if isinstance(target, Path) else str(target)
    return JournalCopy(path=path, events=found.events, rows=found.rows, kept=kept)


def _none_at(where: str, target: JournalPlace) -> JournalError:
    hint = f"There is one at {one_line(str(target))}: it was moved already, it seems."
    none = f"There is no journal at {where}."
    return JournalError(message=none, hint=hint if is_there(target) else "")


def _whole(store: Store) -> Verification:
    found = verify_store(store)
    if found.fault is not None:
        raise altered(store.place, found.fault.what)
    return found
