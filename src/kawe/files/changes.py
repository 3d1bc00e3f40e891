"""What changed in a list since the export before it: as JSON lines, and for queries."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, closing, contextmanager
from typing import IO, Final, TypeAlias

from kawe.domain.service.lists import ListCounts, ListRecord
from kawe.files.lists import EarlierLines, Put, line_of

Compared: TypeAlias = Callable[[Mapping[str, object]], str]
"""Says whether an object is new, changed or unchanged."""
_SHOWN: Final = ("reference", "name", "status", "respond_by_date", "updated_on")
"""What of an object has a column of its own."""
_TABLE: Final = f"CREATE TABLE changes (id, change, {', '.join(_SHOWN)}, object)"
_ROW: Final = f"INSERT INTO changes VALUES ({', '.join('?' * (len(_SHOWN) + 3))})"  # noqa: S608 - question marks alone


def changed_lines(
    file: IO[bytes],
    counts: ListCounts,
    *,
    earlier: EarlierLines | None,
    compared: Compared,
) -> AbstractContextManager[Put]:
    """Write what is new or has changed, then what is gone, each on a line."""
    return _changes(
        lambda change, item: file.write(line_of({"change": change, **item})),
        counts,
        earlier=earlier,
        compared=compared,
    )


@contextmanager
def changed_table(
    file: IO[bytes],
    counts: ListCounts,
    *,
    earlier: EarlierLines | None,
    compared: Compared,
) -> Iterator[Put]:
    """Write the same as one table of SQLite; its `object` is the line of JSON."""
    with closing(sqlite3.connect(":memory:")) as base:
        base.execute(_TABLE)

        def write(change: str, item: Mapping[str, object]) -> None:
            shown = (item.get(each) for each in _SHOWN)
            plain = (each if isinstance(each, str) else None for each in shown)
            text = line_of(item).decode().rstrip("\n")
            base.execute(_ROW, (item["id"], change, *plain, text))

        with _changes(write, counts, earlier=earlier, compared=compared) as put:
            yield put
        base.commit()
        file.write(base.serialize())


@contextmanager
def _changes(
    write: Callable[[str, Mapping[str, object]], object],
    counts: ListCounts,
    *,
    earlier: EarlierLines | None,
    compared: Compared,
) -> Iterator[Put]:
    """Give each change since the earlier export to `write`, those that are gone last.

    That is known only where the whole list was asked for.
    """
    left = set() if earlier is None else set(earlier.ids())

    def put(record: ListRecord) -> None:
        change = compared(record.item)
        left.discard(str(record.item["id"]))
        if change != "unchanged":
            write(change, record.item)

    yield put
    for gone in sorted(left) if counts.gone else ():
        write("gone", {"id": gone})
