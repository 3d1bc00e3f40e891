"""Who sees a project."""

from __future__ import annotations

from collections.abc import Iterable
from sqlite3 import Connection
from typing import Literal


def add_parties(
    db: Connection,
    account_ids: Iterable[str],
    *,
    project_number: int,
    side: Literal["SENDER", "RECIPIENT"],
) -> None:
    """Let these accounts see a project; those who do already stay as they are."""
    db.executemany(
        "INSERT INTO party (account_id, project_number, side, status, type,"
        " priority, sender_id)"
        " SELECT ?, number, ?, status, type, priority, account_id FROM project"
        " WHERE number = ? ON CONFLICT DO NOTHING",
        [(account_id, side, project_number) for account_id in account_ids],
    )
