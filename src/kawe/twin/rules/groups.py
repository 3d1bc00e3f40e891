"""Assignment groups of a team (interface, RecipientGroup and GroupBody)."""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterator
from sqlite3 import Connection, Row
from typing import Final

from kawe.contract.enums import LogAction
from kawe.twin.call import Call, Rule
from kawe.twin.envelope import not_found
from kawe.twin.store.activity import note_team
from kawe.twin.store.people import is_member
from kawe.twin.validation import Problem

_COLOUR: Final = re.compile(r"#?([0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})", re.ASCII)


def find_group(call: Call, db: Connection, *, group_id: str) -> Row | None:
    """Find a group that the caller's team keeps."""
    row: Row | None = db.execute(
        "SELECT * FROM assignment_group WHERE id = ? AND account_id = ?"
        " AND deleted_on IS NULL",
        (group_id.lower(), call.caller.team_id),
    ).fetchone()
    return row


def _find(call: Call, db: Connection) -> Row:
    row = find_group(call, db, group_id=call.ids["id"])
    if row is None:
        raise not_found()
    return row


def _check(call: Call, db: Connection) -> Iterator[Problem]:
    colour = call.given("colour")
    if colour is not None and not _COLOUR.fullmatch(colour):
        yield Problem(path="colour", says="must be a colour in hex form, #1b5e20")
    for place, person_id in enumerate(call.given("memberIds") or ()):
        if not is_member(
            db, account_id=call.caller.team_id, person_id=person_id.lower()
        ):
            says = "must be a member of your team"
            yield Problem(path=f"memberIds[{place}]", says=says)


def _list(call: Call, db: Connection) -> list[dict[str, object]]:
    rows = db.execute(
        "SELECT * FROM assignment_group WHERE account_id = ? AND deleted_on IS NULL"
        " ORDER BY number DESC",
        (call.caller.team_id,),
    ).fetchall()
    return [_shown(db, row) for row in rows]


def _create(call: Call, db: Connection) -> dict[str, object]:
    group_id = str(uuid.uuid4())
    db.execute(
        "INSERT INTO assignment_group (id, account_id, name, colour, description,"
        " created_on, updated_on) VALUES (?, ?, ?, ?, ?, ?, ?)",
        (
            group_id,
            call.caller.team_id,
            call.body["name"],
            call.body["colour"],
            call.body.get("description"),
            call.now,
            call.now,
        ),
    )
    _write_members(call, db, group_id=group_id)
    note_team(
        db, call, action=LogAction.CREATED, change=("group", None, call.body["name"])
    )
    return _shown_again(db, group_id)


def _update(call: Call, db: Connection) -> dict[str, object]:
    row = _find(call, db)
    db.execute(
        "UPDATE assignment_group SET name = ?, colour = ?, description = ?,"
        " updated_on = ? WHERE id = ?",
        (
            call.body["name"],
            call.body["colour"],
            call.body.get("description", row["description"]),
            call.now,
            row["id"],
        ),
    )
    db.execute("DELETE FROM group_member WHERE group_id = ?", (row["id"],))
    _write_members(call, db, group_id=row["id"])
    change = ("group", row["name"], call.body["name"])
    note_team(db, call, action=LogAction.UPDATED, change=change)
    return _shown_again(db, row["id"])


def _delete(call: Call, db: Connection) -> bool:
    """Put a group away; projects assigned to it are assigned to no group."""
    row = _find(call, db)
    db.execute(
        "UPDATE assignment_group SET deleted_on = ? WHERE id = ?",
        (call.now, row["id"]),
    )
    note_team(db, call, action=LogAction.DELETED, change=("group", row["name"], None))
    return True


def _write_members(call: Call, db: Connection, *, group_id: str) -> None:
    members = {person_id.lower() for person_id in call.body["memberIds"]}
    db.executemany(
        "INSERT INTO group_member (group_id, person_id) VALUES (?, ?)",
        [(group_id, person_id) for person_id in sorted(members)],
    )


def _shown_again(db: Connection, group_id: str) -> dict[str, object]:
    row = db.execute(
        "SELECT * FROM assignment_group WHERE id = ?", (group_id,)
    ).fetchone()
    return _shown(db, row)


def _shown(db: Connection, row: Row) -> dict[str, object]:
    members = db.execute(
        "SELECT person_id FROM group_member WHERE group_id = ? ORDER BY person_id",
        (row["id"],),
    )
    shown = ("id", "name", "colour", "description", "created_on", "updated_on")
    return {
        **{name: row[name] for name in shown},
        "member_ids": [member["person_id"] for member in members],
    }


GROUP_LIST = Rule(act=_list)
GROUP_CREATE = Rule(act=_create, check=_check)
GROUP_UPDATE = Rule(act=_update, check=_check)
GROUP_DELETE = Rule(act=_delete)
