"""A journal's file and its SQL: made, recognised, checked and brought up to date.

A file may come from anywhere. Before it is used, SQLite checks its structure, and its
schema must be, word for word, the one that our migrations make: no foreign trigger or
view ever runs.

A copy is of the file as it is in one moment, also while another writes it.

Of a large file, structure and states are checked by those who write it, while it is
read already: for hundreds of thousands of rows SQLite's check takes seconds. Nothing is
written before it has passed, so no intent is noted and no request depends on a damaged
journal. An audit and `verify` read the whole history of a file of any size.
"""

import json
import math
import os
import re
import sqlite3
import stat
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from sqlite3 import Connection
from threading import Thread
from typing import Final

from kawe import durable
from kawe.domain.service.states import BEFORE_CREATE, RowKey
from kawe.domain.text.next_steps import Given, Next
from kawe.errors import JournalError
from kawe.journal.store.faults import (
    closed_on_fault,
    damaged,
    in_words,
    none_yet,
    shown_path,
    written_by_newer,
)
from kawe.journal.words import shown_key

_NAME: Final = re.compile(r"^-- ([a-z_]+)$", re.MULTILINE)
_PUT: Final = re.compile(r"INTO \w+ \((.+?)\).+CONFLICT \((.+?)\) DO UPDATE", re.DOTALL)
_HERE: Final = files("kawe.journal.store")
_COLUMNS: Final = {
    "entry": "key, batch, position, kind, marker, fingerprint, state, moved_at, "
    "project_id, reason, receipt_number",
    "event": "entry, kind, at, came_from, went_to, step, attempt, body_sha256, "
    "verdict, http_status, project, known_projects, detail",
}
"""Of a row without its content, and of what an event says, as `records` read them."""
_PARTS: Final = (
    *("row_is_quiet", "row_was_sent_at", "row_is_over", "went_over", "row_is_purged"),
)
"""Not statements: they stand in others, and a later one also in those before it."""


def sql(name: str) -> str:
    return statements()[name]


@cache
def statements() -> dict[str, str]:
    """Give every statement by its name."""
    text = _HERE.joinpath("queries.sql").read_text("utf-8")
    _, *rest = _NAME.split(text.format_map(_COLUMNS))
    found = dict(zip(rest[::2], map(_replacing, rest[1::2]), strict=True))
    for part in _PARTS:
        inner = found.pop(part)
        found = {
            e: text.replace(f"({part})", f"({inner})") for e, text in found.items()
        }
    return found


def _replacing(text: str) -> str:
    """Let what is put take the place of all that was kept under its key."""
    if put := _PUT.search(text):
        columns, key = (each.split(", ") for each in put.groups())
        rest = (f"{each} = excluded.{each}" for each in columns if each not in key)
        text = text.replace("(all_else)", ", ".join(rest))
    return text.strip()


@cache
def migrations(folder: str = "migrations") -> tuple[str, ...]:
    """Give the scripts that build a schema; the first leads to version 1."""
    scripts = sorted(_HERE.joinpath(folder).iterdir(), key=lambda each: each.name)
    return tuple(each.read_text("utf-8") for each in scripts)


APPLICATION_ID: Final = 0x6B617765
"""`kawe`, in the file's header (SQLite, `PRAGMA application_id`)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OpeningLimits:
    """How long a journal's file is waited for, and up to which size it is checked."""

    busy_seconds: float = 30.0
    """How long a commit waits for readers, and a reader for a commit."""
    check_bytes: float = 16 * 1024 * 1024
    """So much is checked in well under a second."""


USUAL: Final = OpeningLimits()
WHOLE: Final = OpeningLimits(check_bytes=math.inf)
_GUARDS: Final = (
    "PRAGMA trusted_schema = OFF",
    "PRAGMA cell_size_check = ON",
    "PRAGMA mmap_size = 0",
    "PRAGMA foreign_keys = ON",
    # Nothing that rows say may reach a temporary file.
    "PRAGMA temp_store = MEMORY",
)
# A rollback journal with EXTRA is durable on every SQLite; WAL is not
# (3.7.0 to 3.51.2 can corrupt it). fullfsync matters on macOS alone.
_DURABLE: Final = (
    "PRAGMA journal_mode = DELETE",
    "PRAGMA synchronous = EXTRA",
    "PRAGMA fullfsync = ON",
)


def open_for_writing(path: Path, limits: OpeningLimits) -> Connection:
    """Open the journal at `path`, or begin one; the caller holds its lock.

    A larger one than its limit is not checked here: the caller calls `inspect`, and
    writes nothing before that has passed.
    """
    _make_file(path)
    db = _connect(path, limits)
    with closed_on_fault(db.close), in_words(path, doing="opened"):
        for pragma in _DURABLE:
            db.execute(pragma)
        version = _recognise(db, path=path)
        if version:
            _check(db, path=path, version=version, limits=limits)
        _migrate(db, since=version)
    return db


def is_large(path: Path, limits: OpeningLimits) -> bool:
    return path.stat().st_size > limits.check_bytes


def _check(db: Connection, *, path: Path, version: int, limits: OpeningLimits) -> None:
    is_today = version == len(migrations())
    if is_today and is_large(path, limits):
        check_batches(db, path=path)
    else:
        check_structure(db, path=path, is_today=is_today)


def inspect(path: Path, limits: OpeningLimits) -> "Inspection":
    """Begin to check the structure of an open journal."""
    db = _connect(path, limits)
    with closed_on_fault(db.close), in_words(path, doing="opened"):
        for pragma in _GUARDS:
            db.execute(pragma)
        db.execute("PRAGMA query_only = ON")
    return Inspection(db, path=path)


def open_for_reading(path: Path, limits: OpeningLimits) -> Connection:
    """Open the journal at `path` to read it, beside a writer.

    What a dead writer left half done is undone first, as SQLite does. The structure of
    a larger one than its limit is not checked.
    """
    db, version = open_as_kept(path, limits)
    with closed_on_fault(db.close), in_words(path, doing="opened"):
        return _up_to_date(db, since=version)


def open_as_kept(path: Path, limits: OpeningLimits) -> tuple[Connection, int]:
    """Open the journal at `path` to read it; give the version of its tables too."""
    if not path.exists():
        raise none_yet(path)
    db = _connect(path, limits)
    with closed_on_fault(db.close), in_words(path, doing="opened"):
        db.execute("PRAGMA query_only = ON")
        version = _recognise(db, path=path)
        if version == 0:
            raise JournalError(
                message=f"The journal {shown_path(path)} is empty.",
                hint="It begins with the first submit.",
            )
        _check(db, path=path, version=version, limits=limits)
    return db, version


def _up_to_date(db: Connection, *, since: int) -> Connection:
    """Give a journal in the form of today; one of an older kawe as a copy in memory."""
    if since == len(migrations()):
        return db
    copy = _in_memory()
    with closing(db):
        db.backup(copy)
    _migrate(copy, since=since)
    copy.execute("PRAGMA query_only = ON")
    return copy


def in_memory() -> Connection:
    """Begin a journal in memory: a copy of one that has its tables already."""
    db = _in_memory()
    _model(len(migrations())).backup(db)
    return db


def _in_memory() -> Connection:
    db = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    for pragma in _GUARDS:
        db.execute(pragma)
    return db


@cache
def _model(version: int) -> Connection:
    db = _in_memory()
    db.executescript("".join(migrations()[:version]))
    return db


def make_folder(folder: Path) -> None:
    """Make the journal's folder for its owner alone; keep one that is there."""
    try:
        durable.make_folder(folder)
    except OSError as fault:
        raise JournalError(
            message=f"The folder {shown_path(folder)} cannot be made.",
            hint=f"Choose another place with {Given.JOURNAL}.",
        ) from fault


def _make_file(path: Path) -> None:
    # SQLite gives its own files beside this one the same rights.
    try:
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
        if path.stat().st_size == 0:
            keep_names(path)
        if path.is_file() and stat.S_IMODE(path.stat().st_mode) & 0o077:
            path.chmod(0o600)
    except OSError as fault:
        raise JournalError(
            message=f"The journal {shown_path(path)} cannot be opened.",
            hint=f"Choose a file of your own with {Given.JOURNAL}.",
        ) from fault


def keep_names(path: Path, *, sync: Callable[[int], None] = os.fsync) -> None:
    """Force a new file's name and those of its folders to the disk.

    SQLite does it for the file alone. Windows has no such call and needs none.

    Raises:
        OSError: The disk does not keep them.
    """
    for folder in path.absolute().parents:
        durable.sync_folder(folder, sync=sync)


def _connect(path: Path, limits: OpeningLimits) -> Connection:
    if not path.is_file():
        raise JournalError(
            message=f"{shown_path(path)} is not a file.",
            hint=f"Choose a file with {Given.JOURNAL}.",
        )
    with in_words(path, doing="opened"):
        return sqlite3.connect(
            f"{path.absolute().as_uri()}?mode=rw",
            uri=True,
            isolation_level=None,
            check_same_thread=False,
            timeout=limits.busy_seconds,
        )


def _recognise(db: Connection, *, path: Path) -> int:
    for pragma in _GUARDS:
        db.execute(pragma)
    version = int(db.execute("PRAGMA user_version").fetchone()[0])
    application = int(db.execute("PRAGMA application_id").fetchone()[0])
    found = _schema(db)
    if application == version == 0 and not found:
        return 0
    if application != APPLICATION_ID or version < 1:
        raise JournalError(
            message=f"{shown_path(path)} is not a journal of kawe's.",
            hint=f"Choose kawe's own journal, or a new file, with {Given.JOURNAL}.",
        )
    if version > len(migrations()):
        raise written_by_newer(path, version=version, known=len(migrations()))
    if found != _schema(_model(version)):
        raise JournalError(
            message=f"The tables of the journal {shown_path(path)} are not as kawe "
            "made them: something else changed the file.",
            hint="Keep a copy of it, and put a backup in its place; or begin a new "
            f"one with {Given.JOURNAL}: kawe looks at the service first.",
        )
    return version


def _migrate(db: Connection, *, since: int) -> None:
    if not (scripts := migrations()[since:]):
        return
    # In one script: `executescript` commits what was begun before it.
    db.executescript("".join(("BEGIN IMMEDIATE;", *scripts)))
    db.execute(f"PRAGMA application_id = {APPLICATION_ID:d}")
    db.execute(f"PRAGMA user_version = {since + len(scripts):d}")
    db.execute("COMMIT")


def _schema(db: Connection) -> list[tuple[str, ...]]:
    # Spaces do not count: an editor or a checkout may change line ends.
    records = db.execute("SELECT type, name, tbl_name, sql FROM sqlite_schema")
    return sorted(
        (kind, name, table, " ".join((sql or "").split()))
        for kind, name, table, sql in records
    )


def copy_file(path: Path, target: Path, *, called: Path) -> None:
    """Copy the journal at `path` into the empty file `target`, which is not synced.

    The copy has the tables of the kawe that wrote the journal. A message calls the
    target `called`.
    """
    db, _ = open_as_kept(path, WHOLE)
    with closing(db):
        copy_open(db, target, path=path, called=called)


def copy_open(db: Connection, target: Path, *, path: Path, called: Path) -> None:
    """Copy an open journal, of the file `path`, as `copy_file` does."""
    # By way of memory: a slow target keeps no writer of the journal waiting.
    with closing(sqlite3.connect(":memory:")) as memory:
        with in_words(path, doing="read"):
            # The backup alone would wait for ever: a read waits as the journal does.
            db.execute("BEGIN")
            db.execute("SELECT 1 FROM sqlite_schema LIMIT 1").fetchone()
            db.backup(memory)
            db.execute("COMMIT")
        with in_words(called, doing="written"), closing(sqlite3.connect(target)) as it:
            # The caller syncs it whole; nothing may lie beside it.
            it.execute("PRAGMA journal_mode = OFF")
            it.execute("PRAGMA synchronous = OFF")
            memory.backup(it)


_STRAY: Final = "SELECT 1 FROM {} WHERE batch NOT IN (SELECT name FROM batch) LIMIT 1"
_STRAY_ENTRIES: Final = _STRAY.format("entry")
_STRAY_READINGS: Final = (
    "SELECT 1 FROM reading WHERE batch NOT IN (SELECT name FROM batch) UNION ALL "
    "SELECT 1 FROM batch WHERE name NOT IN (SELECT batch FROM reading) LIMIT 1"
)


class Inspection:
    """A check of the whole structure, on a connection of its own."""

    def __init__(self, db: Connection, *, path: Path) -> None:
        """Begin; `db` is closed at the end."""
        self._db: Final = db
        self._path: Final = path
        self._found: JournalError | None = None
        self._thread: Final = Thread(
            target=self._look, name="kawe-journal-inspection", daemon=True
        )
        self._thread.start()

    def passed(self) -> None:
        """Wait for the end; raise `JournalError` if the journal is damaged."""
        self._thread.join()
        if self._found is not None:
            raise self._found

    def stop(self) -> None:
        # An interrupt before its begin has no effect: try again until its end.
        """Stop the check, and wait until the file is closed."""
        while self._thread.is_alive():
            with suppress(sqlite3.ProgrammingError):
                self._db.interrupt()
            self._thread.join(timeout=0.01)

    def _look(self) -> None:
        try:
            with closing(self._db) as db, in_words(self._path, doing="read"):
                check_structure(db, path=self._path)
                check_standings(db, path=self._path)
        except JournalError as fault:
            self._found = fault


def check_structure(db: Connection, *, path: Path, is_today: bool = True) -> None:
    """Let SQLite check a journal; one not of `is_today` has no table of readings."""
    if db.execute("PRAGMA quick_check(1)").fetchone() != ("ok",):
        raise damaged(path)
    check_batches(db, path=path)
    if is_today and db.execute(_STRAY_READINGS).fetchone() is not None:
        raise damaged(path)


def check_standings(db: Connection, *, path: Path) -> None:
    """Make sure that every row stands where its last events left it.

    A journal may come from anywhere. `verify` checks the whole history too.
    """
    with in_words(path, doing="read"):
        found = db.execute(sql("misfit"), (json.dumps(sorted(BEFORE_CREATE)),))
        misfit = found.fetchone()
    if misfit is not None:
        raise JournalError(
            message=f"What the journal {shown_path(path)} says of "
            f"{shown_key(RowKey(misfit[0]))} is not what its events say: something "
            "else changed the file.",
            hint=f"Nothing was sent. Keep a copy, look with {Next.JOURNAL_VERIFY}, and "
            f"put a backup in its place; or begin a new one with {Given.JOURNAL}: kawe "
            "looks at the service first.",
        )


def check_batches(db: Connection, *, path: Path) -> None:
    """Make sure that every row has a batch that there is; it needs an index alone."""
    if db.execute(_STRAY_ENTRIES).fetchone() is not None:
        raise damaged(path)
