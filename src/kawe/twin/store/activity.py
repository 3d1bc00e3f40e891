"""The activity log: who did what, and when."""

from __future__ import annotations

import uuid
from sqlite3 import Connection

from kawe.contract.enums import LogAction, LogResource
from kawe.twin.call import Call


def note_project(
    db: Connection, call: Call, *, action: LogAction, project_id: str
) -> None:
    """Write down that the caller did something with a project."""
    note_change(db, call, action=action, project_id=project_id, change=("", None, None))


def note_change(
    db: Connection,
    call: Call,
    *,
    action: LogAction,
    project_id: str,
    change: tuple[str, str | None, str | None],
) -> None:
    """Write down a change of one property: its name, before and after."""
    name, before, after = change
    db.execute(
        "INSERT INTO activity (id, action, resource, property, before, after,"
        " project_id, account_id, person_id, created_on)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            str(uuid.uuid4()),
            action,
            LogResource.PROJECT,
            name or None,
            before,
            after,
            project_id,
            call.caller.account_id,
            call.caller.person_id,
            call.now,
        ),
    )
