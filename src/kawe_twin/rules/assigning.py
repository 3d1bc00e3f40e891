"""Assignment groups of a team, and assigning a project to a person or a group.

(Interface, RecipientGroup and GroupBody.) Each side assigns a project for itself.
"""

import re
from collections.abc import Iterator
from sqlite3 import Connection, Row
from typing import Final

from kawe_contract.enums import AssignSide, ProjectStatus
from kawe_twin.calls.call import Call, Rule
from kawe_twin.calls.validation import Problem
from kawe_twin.rules.project_states import take_up
from kawe_twin.rules.project_view import find_project, shown_project
from kawe_twin.rules.teams import own_member
from kawe_twin.store.accounts import full_name
from kawe_twin.store.database import create, first, picked, update
from kawe_twin.store.projects import note_change, note_team
from kawe_twin.world.answers import Refusal, not_found

_SIDES: Final = {"SENDER": AssignSide.SENDER, "RECIPIENT": AssignSide.RECIPIENT}
_COLOUR: Final = re.compile(r"#?([0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})", re.ASCII)


def _kept(call: Call, db: Connection) -> dict[str, Row]:
    """Give the groups that the caller's team keeps by their ids, the newest first."""
    rows = db.execute(
        "SELECT * FROM assignment_group WHERE account_id = ? AND deleted_on IS NULL"
        " ORDER BY number DESC",
        (call.caller.team_id,),
    )
    return {row["id"]: row for row in rows}


def _find(call: Call, db: Connection) -> Row:
    if (row := _kept(call, db).get(call.ids["id"])) is None:
        raise not_found()
    return row


def _check(call: Call, db: Connection) -> Iterator[Problem]:
    colour = call.given("colour")
    if colour is not None and not _COLOUR.fullmatch(colour):
        yield Problem("colour", "must be a colour in hex form, #1b5e20")
    for place, person_id in enumerate(call.given("memberIds") or ()):
        if own_member(call, db, person_id) is None:
            yield Problem(f"memberIds[{place}]", "must be a member of your team")


def _list(call: Call, db: Connection) -> list[dict[str, object]]:
    return [_shown(db, row) for row in _kept(call, db).values()]


def _create(call: Call, db: Connection) -> dict[str, object]:
    group_id = create(
        db,
        "assignment_group",
        account_id=call.caller.team_id,
        name=call.body["name"],
        colour=call.body["colour"],
        description=call.body.get("description"),
        created_on=call.now,
        updated_on=call.now,
    )
    return _written(call, db, group_id=group_id)


def _update(call: Call, db: Connection) -> dict[str, object]:
    row = _find(call, db)
    update(
        db,
        "assignment_group",
        row["id"],
        name=call.body["name"],
        colour=call.body["colour"],
        description=call.body.get("description", row["description"]),
        updated_on=call.now,
    )
    return _written(call, db, group_id=row["id"], before=row["name"])


def _delete(call: Call, db: Connection) -> bool:
    """Put a group away; projects assigned to it are assigned to no group."""
    row = _find(call, db)
    update(db, "assignment_group", row["id"], deleted_on=call.now)
    note_team(db, call, ("group", row["name"], None))
    return True


def _written(
    call: Call, db: Connection, *, group_id: str, before: str | None = None
) -> dict[str, object]:
    """Write who is in a group, note the change and show the group as it is now."""
    db.execute("DELETE FROM group_member WHERE group_id = ?", (group_id,))
    members = {person_id.lower() for person_id in call.body["memberIds"]}
    db.executemany(
        "INSERT INTO group_member (group_id, person_id) VALUES (?, ?)",
        [(group_id, person_id) for person_id in sorted(members)],
    )
    note_team(db, call, ("group", before, call.body["name"]))
    return _shown(db, _kept(call, db)[group_id])


def _shown(db: Connection, row: Row) -> dict[str, object]:
    members = db.execute(
        "SELECT person_id FROM group_member WHERE group_id = ? ORDER BY person_id",
        (row["id"],),
    )
    shown = ("id", "name", "colour", "description", "created_on", "updated_on")
    return {
        **picked(row, *shown),
        "member_ids": [member["person_id"] for member in members],
    }


def _assign_check(call: Call, db: Connection) -> Iterator[Problem]:
    person_id, group_id = call.given_id("user_id"), call.given_id("group_id")
    if person_id is not None and own_member(call, db, person_id) is None:
        yield Problem("user_id", "must be a member of your team")
    if group_id is not None and group_id not in _kept(call, db):
        yield Problem("group_id", "must be a group of your team")


def _assign(call: Call, db: Connection) -> dict[str, object]:
    """Set who looks after the project, as the caller's side; null sets nobody.

    A `group_id` that is left out stays as it is. An iwi that assigns a new
    project has picked it up.
    """
    project = find_project(call, db)
    side = call.body.get("side", _SIDES[project["side"]])
    if side != _SIDES[project["side"]]:
        raise Refusal(403, "A project is assigned by each side for itself.")
    prefix = "sender_" if side == AssignSide.SENDER else ""
    name, person_id = f"{prefix}assigned_to", call.given_id("user_id")
    _assign_to(call, db, project=project, name=name, value=person_id)
    if "group_id" in call.body:
        name, group_id = f"{name}_group", call.given_id("group_id")
        _assign_to(call, db, project=project, name=name, value=group_id)
    if project["side"] == "RECIPIENT" and project["status"] == ProjectStatus.NEW:
        take_up(call, db, project)
    return shown_project(call, db, project_id=project["id"])


def _assign_to(
    call: Call, db: Connection, *, project: Row, name: str, value: str | None
) -> None:
    if value == project[name]:
        return
    # The interface's name of the field is also the name of its column.
    update(db, "project", project["id"], **{name: value}, updated_on=call.now)
    told = _group_name if name.endswith("_group") else full_name
    change = (name, told(db, project[name]), told(db, value))
    note_change(db, call, change, project=project)


def _group_name(db: Connection, group_id: str | None) -> str | None:
    row = first(db, "SELECT name FROM assignment_group WHERE id = ?", (group_id,))
    return None if row is None else str(row["name"])


RULES: Final = {
    "group_list": Rule(act=_list),
    "group_create": Rule(act=_create, check=_check),
    "group_update": Rule(act=_update, check=_check),
    "group_delete": Rule(act=_delete),
    "project_assign": Rule(act=_assign, check=_assign_check),
}
