"""Entries of a project's thread."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from sqlite3 import Connection

from kawe.twin.occasion import Occasion


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreadEntry:
    """What somebody says on a thread; internal is for their own account."""

    content: str
    is_internal: bool = False
    meeting_type: str | None = None


def write_entry(
    db: Connection, occasion: Occasion, *, project_id: str, entry: ThreadEntry
) -> str:
    """Add an entry in the caller's name; give its id."""
    entry_id = str(uuid.uuid4())
    db.execute(
        "INSERT INTO engagement (id, project_id, account_id, person_id,"
        " is_internal, content, meeting_type, created_on, updated_on)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            entry_id,
            project_id,
            occasion.caller.account_id,
            occasion.caller.person_id,
            entry.is_internal,
            entry.content,
            entry.meeting_type,
            occasion.now,
            occasion.now,
        ),
    )
    return entry_id
