"""The only connection to the database, its thread, and the rows that it has.

Transactions run one after the other, so that no token is spent twice. A commit is on
the disk before its caller gets the result.
"""

import asyncio
import sqlite3
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from sqlite3 import Connection, Row
from typing import Any, Final, TypeAlias, TypeVar

from kawe_twin.world.answers import not_found

T = TypeVar("T")

# A rollback journal with EXTRA is durable on every SQLite; WAL is not (3.7.0
# to 3.51.2 can corrupt it).
_PRAGMAS: Final = (
    "PRAGMA locking_mode = EXCLUSIVE",
    "PRAGMA journal_mode = TRUNCATE",
    "PRAGMA synchronous = EXTRA",
    "PRAGMA foreign_keys = ON",
    "PRAGMA cache_size = -32000",
)


class StoreUnusable(OSError):
    """The database is in use, or not a twin's."""


class Database:
    """The twin's database, locked exclusively: a second twin cannot start."""

    def __init__(self, path: Path) -> None:
        self._closed = False
        path.touch(mode=0o600)
        self._thread = ThreadPoolExecutor(
            max_workers=1, thread_name_prefix="kawe-twin-store"
        )
        try:
            self._connection = self._thread.submit(_open, path).result()
        except (sqlite3.Error, StoreUnusable) as fault:
            self._thread.shutdown()
            is_busy = getattr(fault, "sqlite_errorcode", 0) == sqlite3.SQLITE_BUSY
            why = "a twin that is running has it" if is_busy else str(fault)
            raise StoreUnusable(None, why, str(path)) from fault

    def submit(self, work: Callable[[Connection], T]) -> Future[T]:
        """Do `work` as one transaction; an exception undoes all of it."""
        return self._thread.submit(self._perform, work)

    async def run(self, work: Callable[[Connection], T]) -> T:
        """Do `work` as one transaction, without blocking the event loop."""
        return await asyncio.wrap_future(self.submit(work))

    def close(self) -> None:
        """Finish submitted work and close the file; idempotent."""
        if not self._closed:
            self._closed = True
            self._thread.submit(self._connection.close)
            self._thread.shutdown()

    def _perform(self, work: Callable[[Connection], T]) -> T:
        with transaction(self._connection) as db:
            return work(db)


@contextmanager
def transaction(db: Connection) -> Iterator[Connection]:
    """Commit what is done inside, or undo it when it raises."""
    db.execute("BEGIN IMMEDIATE")
    try:
        yield db
        db.execute("COMMIT")
    finally:
        # Open only when the work or the commit failed.
        if db.in_transaction:
            db.execute("ROLLBACK")


def _open(path: Path) -> Connection:
    db = sqlite3.connect(
        path, isolation_level=None, check_same_thread=False, timeout=1.0
    )
    db.row_factory = sqlite3.Row
    try:
        for pragma in _PRAGMAS:
            db.execute(pragma)
        _prepare(db)
    except BaseException:
        db.close()
        raise
    return db


def _prepare(db: Connection) -> None:
    """Migrate the database to the current schema, or refuse it."""
    version = db.execute("PRAGMA user_version").fetchone()[0]
    steps = _migrations()
    if not 0 <= version <= len(steps):
        raise StoreUnusable(
            "a newer kawe made this folder; use that one, or another folder"
        )
    # In one script: `executescript` commits what was begun before it.
    db.executescript("".join(("BEGIN IMMEDIATE;", *steps[version:])))
    db.execute(f"PRAGMA user_version = {len(steps):d}")
    db.execute("COMMIT")


def _migrations() -> list[str]:
    """Read the migrations in order."""
    there = files("kawe_twin.store.migrations").iterdir()
    steps = sorted((step.name, step) for step in there if step.name.endswith(".sql"))
    return [step.read_text("utf-8") for _, step in steps]


Values: TypeAlias = Mapping[str, Any] | Sequence[Any]


def insert(db: Connection, table: str, /, **values: object) -> int:
    """Write a row; give its number."""
    columns, marks = ", ".join(values), ", ".join(f":{name}" for name in values)
    cursor = db.execute(
        f"INSERT INTO {table} ({columns}) VALUES ({marks})",  # noqa: S608 - our words
        values,
    )
    return cursor.lastrowid or 0


def create(db: Connection, table: str, /, **values: object) -> str:
    """Write a row under a new id, and give the id."""
    new_id = str(uuid.uuid4())
    insert(db, table, id=new_id, **values)
    return new_id


def update(db: Connection, table: str, row_id: str, /, **values: object) -> None:
    """Change columns of the row with this id."""
    columns = ", ".join(f"{name} = :{name}" for name in values)
    db.execute(
        f"UPDATE {table} SET {columns} WHERE id = :row_id",  # noqa: S608 - our words
        {**values, "row_id": row_id},
    )


def first(db: Connection, statement: str, values: Values = ()) -> Row | None:
    """Give the first row, if there is one."""
    row: Row | None = db.execute(statement, values).fetchone()
    return row


def picked(row: Row, *columns: str) -> dict[str, object]:
    """Give some columns of a row by their names."""
    return {name: row[name] for name in columns}


def found(db: Connection, statement: str, values: Values = ()) -> Row:
    """Give the first row; 404 when there is none."""
    if (row := first(db, statement, values)) is None:
        raise not_found()
    return row
