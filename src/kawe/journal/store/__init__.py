"""Where a journal is kept: named statements, run in transactions.

`queries.sql` holds every statement and `migrations` every table. No type of a
database's library leaves this folder, so another database is another `Store` and
nothing else.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from datetime import UTC, datetime
from typing import Any, Protocol, TypeAlias, TypeVar

from kawe.domain.text.next_steps import Next
from kawe.errors import JournalError, StoreFault

T = TypeVar("T")

Record: TypeAlias = tuple[Any, ...]
"""One row of a table: texts, numbers and None."""
Value: TypeAlias = str | float | None


class Store(Protocol):
    """Runs the statements of `queries.sql`; one thread at a time uses it.

    Every method may raise `StoreFault`.
    """

    @property
    def place(self) -> str:
        """Say where it is, as it may be shown to a person."""

    def rows(self, name: str, *values: Value) -> Iterator[Record]:
        """Ask the question `name`, and give what it finds one by one."""

    def run(self, name: str, records: Iterable[Record]) -> None:
        """Carry the statement `name` out once for each of `records`, in order."""

    def transaction(self, *, writes: bool) -> AbstractContextManager[None]:
        """Keep all of what is done within, durably at its end, or nothing."""

    def part(self) -> AbstractContextManager[None]:
        """Keep all of what is done within a part of a transaction, or nothing."""

    def erasing(self) -> AbstractContextManager[None]:
        """Make a transaction that leaves nothing of what it removes where it was."""

    def check_integrity(self) -> None:
        """Raise `JournalError` if it is damaged."""

    def table(self, name: str) -> tuple[Sequence[str], Iterable[Record]]:
        """Give the columns of a table and all its records, in their order."""

    def fill(
        self, name: str, columns: Sequence[str], records: Iterable[Record]
    ) -> None:
        """Put those records into a table in place of what it has."""

    def set_aside(self, at: datetime) -> str:
        """Give the journal a dated name, under which nobody uses it; close it."""

    def close(self) -> None:
        """Close it, for others to use."""


@contextmanager
def savepoint(control: Callable[[str], None]) -> Iterator[None]:
    """Take back what is done within, where it fails; a fault ends all anyway."""
    control("SAVEPOINT part")
    try:
        yield
    except StoreFault:
        raise
    except BaseException:
        control("ROLLBACK TO part")
        control("RELEASE part")
        raise
    control("RELEASE part")


@contextmanager
def reading_records() -> Iterator[None]:
    """Turn any error from a damaged or foreign record into one `JournalError`."""
    try:
        yield
    except (LookupError, TypeError, ValueError, AttributeError, RecursionError) as bad:
        raise JournalError(
            message="The journal holds something that kawe did not write.",
            hint=f"Look at it with {Next.JOURNAL_VERIFY}.",
        ) from bad


def all_of(
    store: Store, name: str, read: Callable[[Record], T], *values: Value
) -> tuple[T, ...]:
    """Ask the question `name`, and read all that it finds."""
    with reading_records():
        return tuple(map(read, store.rows(name, *values)))


def first_of(
    store: Store, name: str, read: Callable[[Record], T], *values: Value
) -> T | None:
    return next(iter(all_of(store, name, read, *values)), None)


def only(record: Record) -> Any:  # noqa: ANN401 - of the column's own type
    """Read a record of one column."""
    (value,) = record
    return value


def filling(name: str, columns: Sequence[str], *, mark: str) -> str:
    """Give the statement that adds a record to a table; `mark` stands for a value."""
    marks = ", ".join(mark for _ in columns)
    return f"INSERT INTO {name} ({', '.join(columns)}) VALUES ({marks})"  # noqa: S608 - ours


def set_aside_name(name: str, at: datetime) -> str:
    """Give the name of a journal that another has taken the place of."""
    return f"{name}.{at.astimezone(UTC):%Y-%m-%d-%H%M%S}.old"


def key_list(keys: Iterable[str]) -> str:
    """Give any number of keys as one value: databases limit how many there are."""
    return json.dumps(list(keys))
