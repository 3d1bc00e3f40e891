"""The activity log: who did what, and when (interface, Log).

Entries about a project are for all who see it, except internal ones: notes,
and whatever happened to a draft, stay with the account that did it. Entries
about a team have no project.
"""

from __future__ import annotations

import uuid
from sqlite3 import Connection
from typing import Final, TypeAlias

from kawe.contract.enums import LogAction, LogResource
from kawe.twin.occasion import Occasion

Change: TypeAlias = tuple[str | None, str | None, str | None]
"""One property of what was changed: its name, before and after."""

_NOTHING_NAMED: Final[Change] = (None, None, None)


def note_project(
    db: Connection, occasion: Occasion, *, action: LogAction, project_id: str
) -> None:
    """Write down that the caller did something with a project."""
    note_change(
        db, occasion, action=action, project_id=project_id, change=_NOTHING_NAMED
    )


def note_change(
    db: Connection,
    occasion: Occasion,
    *,
    action: LogAction,
    project_id: str,
    change: Change,
    is_internal: bool = False,
) -> None:
    """Write down a change of one property of a project."""
    _write(
        db,
        occasion,
        what=(action, LogResource.PROJECT, project_id),
        change=change,
        is_internal=is_internal,
    )


def note_team(
    db: Connection, occasion: Occasion, *, action: LogAction, change: Change
) -> None:
    """Write down a change of the caller's team."""
    what = (action, LogResource.TEAM, None)
    _write(db, occasion, what=what, change=change, is_internal=True)


def _write(
    db: Connection,
    occasion: Occasion,
    *,
    what: tuple[LogAction, LogResource, str | None],
    change: Change,
    is_internal: bool,
) -> None:
    caller = occasion.caller
    _, resource, _ = what
    is_of_team = resource is LogResource.TEAM
    db.execute(
        "INSERT INTO activity (id, action, resource, project_id, property, before,"
        " after, account_id, person_id, created_on, is_internal)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            str(uuid.uuid4()),
            *what,
            *change,
            caller.team_id if is_of_team else caller.account_id,
            caller.person_id,
            occasion.now,
            is_internal,
        ),
    )
