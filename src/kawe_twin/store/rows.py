"""Writes and finds rows.

Tables, columns and statements are the twin's own; a caller's values are bound.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from sqlite3 import Connection, Row
from typing import Any, TypeAlias

from kawe_twin.world.answers import not_found

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


def found(db: Connection, statement: str, values: Values = ()) -> Row:
    """Give the first row; 404 when there is none."""
    row = first(db, statement, values)
    if row is None:
        raise not_found()
    return row
