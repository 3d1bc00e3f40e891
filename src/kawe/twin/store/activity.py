"""The activity log: who did what, and when (interface, Log).

All parties see a project's entries, except internal ones (notes, changes of a draft),
which only the acting account sees. Entries about a team have no project.
"""

from __future__ import annotations

from sqlite3 import Connection
from typing import TypeAlias

from kawe.contract.enums import LogAction, LogResource
from kawe.twin.store.rows import create
from kawe.twin.world.occasion import Occasion

Change: TypeAlias = tuple[str | None, str | None, str | None]
"""A changed property: name, before, after."""


def note_project(
    db: Connection,
    occasion: Occasion,
    *,
    action: LogAction,
    project_id: str,
    change: Change = (None, None, None),
    is_internal: bool = False,
) -> None:
    _write(
        db,
        occasion,
        change,
        action=action,
        resource=LogResource.PROJECT,
        project_id=project_id,
        account_id=occasion.caller.account_id,
        is_internal=is_internal,
    )


def note_team(
    db: Connection, occasion: Occasion, *, action: LogAction, change: Change
) -> None:
    _write(
        db,
        occasion,
        change,
        action=action,
        resource=LogResource.TEAM,
        account_id=occasion.caller.team_id,
        is_internal=True,
    )


def _write(
    db: Connection, occasion: Occasion, change: Change, /, **values: object
) -> None:
    name, before, after = change
    create(
        db,
        "activity",
        property=name,
        before=before,
        after=after,
        person_id=occasion.caller.person_id,
        created_on=occasion.now,
        **values,
    )
