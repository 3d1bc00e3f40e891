"""Who sees a project, what is said on its thread, and the log (interface, Log).

All parties see a project's entries, except internal ones (notes, changes of a draft),
which only the acting account sees. Entries about a team have no project.
"""

from collections.abc import Iterable
from sqlite3 import Connection, Row
from typing import Literal, TypeAlias

from kawe_contract.enums import LogAction, LogResource, ProjectStatus
from kawe_twin.store.database import create
from kawe_twin.world.keys import Occasion


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


def write_entry(
    db: Connection,
    occasion: Occasion,
    *,
    project_id: str,
    content: str,
    meeting_type: str | None = None,
    is_internal: bool = False,
) -> str:
    """Add an entry in the caller's name; give its id.

    An internal one is for the caller's account; `meeting_type` says how people met.
    """
    return create(
        db,
        "engagement",
        project_id=project_id,
        account_id=occasion.caller.account_id,
        person_id=occasion.caller.person_id,
        is_internal=is_internal,
        content=content,
        meeting_type=meeting_type,
        created_on=occasion.now,
        updated_on=occasion.now,
    )


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


def note_change(
    db: Connection, occasion: Occasion, change: Change, *, project: Row
) -> None:
    """Note what changed of a project; of a draft, only its own side sees that."""
    note_project(
        db,
        occasion,
        action=LogAction.UPDATED,
        project_id=project["id"],
        change=change,
        is_internal=project["status"] == ProjectStatus.DRAFT,
    )


def note_team(db: Connection, occasion: Occasion, change: Change) -> None:
    """Note what of a team is new, has changed, or is no more."""
    _write(
        db,
        occasion,
        change,
        action=done_by(change),
        resource=LogResource.TEAM,
        account_id=occasion.caller.team_id,
        is_internal=True,
    )


def done_by(change: Change) -> LogAction:
    """Say what a change did to a thing: there was none before, or is none after."""
    _, before, after = change
    there = LogAction.DELETED if after is None else LogAction.UPDATED
    return LogAction.CREATED if before is None else there


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
