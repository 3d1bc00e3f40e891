"""People, and whose team they are in."""

from __future__ import annotations

from sqlite3 import Connection, Row


def is_member(db: Connection, *, account_id: str, person_id: str) -> bool:
    """Tell whether a person is in a team now."""
    return find_membership(db, account_id=account_id, person_id=person_id) is not None


def find_membership(db: Connection, *, account_id: str, person_id: str) -> Row | None:
    """Find a person's place in a team."""
    row: Row | None = db.execute(
        "SELECT * FROM membership WHERE account_id = ? AND person_id = ?",
        (account_id, person_id),
    ).fetchone()
    return row


def full_name(db: Connection, person_id: str | None) -> str | None:
    """Give a person's first and last name."""
    row = db.execute(
        "SELECT first_name, last_name FROM person WHERE id = ?", (person_id,)
    ).fetchone()
    return None if row is None else f"{row['first_name']} {row['last_name']}".strip()
