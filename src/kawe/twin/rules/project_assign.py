"""Assigning a project to a person, a group, or both, on one's own side."""

from __future__ import annotations

from collections.abc import Iterator
from sqlite3 import Connection, Row
from typing import Final

from kawe.contract.enums import AssignSide, LogAction, ProjectStatus
from kawe.twin.call import Call, Rule
from kawe.twin.envelope import Refusal
from kawe.twin.rules.groups import find_group
from kawe.twin.rules.project_view import find_project, shown_project
from kawe.twin.store.activity import note_change
from kawe.twin.store.people import full_name, is_member
from kawe.twin.validation import Problem

_SIDES: Final = {"SENDER": AssignSide.SENDER, "RECIPIENT": AssignSide.RECIPIENT}

# The interface's name of each field is also the name of its column.
_SET: Final = {
    "assigned_to": "UPDATE project SET assigned_to = ? WHERE id = ?",
    "sender_assigned_to": "UPDATE project SET sender_assigned_to = ? WHERE id = ?",
    "assigned_to_group": "UPDATE project SET assigned_to_group = ? WHERE id = ?",
    "sender_assigned_to_group": (
        "UPDATE project SET sender_assigned_to_group = ? WHERE id = ?"
    ),
}


def _check(call: Call, db: Connection) -> Iterator[Problem]:
    person_id, group_id = call.given("user_id"), call.given("group_id")
    account_id = call.caller.team_id
    if person_id is not None and not is_member(
        db, account_id=account_id, person_id=person_id.lower()
    ):
        yield Problem(path="user_id", says="must be a member of your team")
    if group_id is not None and find_group(call, db, group_id=group_id) is None:
        yield Problem(path="group_id", says="must be a group of your team")


def _assign(call: Call, db: Connection) -> dict[str, object]:
    """Set who looks after the project; null sets nobody.

    A `group_id` that is left out stays as it is. An iwi that assigns a new
    project has picked it up.

    Raises:
        Refusal: 403, the side is not the caller's own.
    """
    project = find_project(call, db)
    side = call.body.get("side", _SIDES[project["side"]])
    if side != _SIDES[project["side"]]:
        said = "A project is assigned by each side for itself."
        raise Refusal(status_code=403, message=said)
    prefix = "sender_" if side == AssignSide.SENDER else ""
    person_id = _lower(call.body["user_id"])
    _set(call, db, project=project, name=f"{prefix}assigned_to", value=person_id)
    if "group_id" in call.body:
        group_id = _lower(call.body["group_id"])
        name = f"{prefix}assigned_to_group"
        _set(call, db, project=project, name=name, value=group_id)
    if project["side"] == "RECIPIENT" and project["status"] == ProjectStatus.NEW:
        _pick_up(call, db, project_id=project["id"])
    return shown_project(call, db, project_id=project["id"])


def _pick_up(call: Call, db: Connection, *, project_id: str) -> None:
    before, after = ProjectStatus.NEW, ProjectStatus.AWAITING_RESPONSE
    db.execute(
        "UPDATE project SET status = ?, updated_on = ? WHERE id = ?",
        (after, call.now, project_id),
    )
    change = ("status", before, after)
    note_change(
        db, call, action=LogAction.UPDATED, project_id=project_id, change=change
    )


def _set(
    call: Call, db: Connection, *, project: Row, name: str, value: str | None
) -> None:
    if value == project[name]:
        return
    db.execute(_SET[name], (value, project["id"]))
    db.execute(
        "UPDATE project SET updated_on = ? WHERE id = ?", (call.now, project["id"])
    )
    told = _group_name if name.endswith("_group") else full_name
    note_change(
        db,
        call,
        action=LogAction.UPDATED,
        project_id=project["id"],
        change=(name, told(db, project[name]), told(db, value)),
        is_internal=project["status"] == ProjectStatus.DRAFT,
    )


def _group_name(db: Connection, group_id: str | None) -> str | None:
    row = db.execute(
        "SELECT name FROM assignment_group WHERE id = ?", (group_id,)
    ).fetchone()
    return None if row is None else str(row["name"])


def _lower(identifier: str | None) -> str | None:
    return None if identifier is None else identifier.lower()


PROJECT_ASSIGN = Rule(act=_assign, check=_check)
