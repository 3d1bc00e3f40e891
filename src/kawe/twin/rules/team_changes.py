"""Renaming a team, and changing or ending a membership; owners only."""

from __future__ import annotations

from collections.abc import Iterator
from sqlite3 import Connection, Row
from typing import Final

from kawe.contract.enums import LogAction, UserRole
from kawe.twin.call import Call, Rule
from kawe.twin.envelope import Refusal
from kawe.twin.rules.teams import demand_owner, own_account_id
from kawe.twin.store.activity import note_team
from kawe.twin.store.people import find_membership, full_name
from kawe.twin.validation import Problem

_DETAILS: Final = ("org_department", "org_department_other", "org_role")


def _rename(call: Call, db: Connection) -> bool:
    """Rename the team; what was sent shows the new name as well."""
    account_id = own_account_id(call)
    demand_owner(call, db)
    row = db.execute("SELECT * FROM account WHERE id = ?", (account_id,)).fetchone()
    if row["kind"] != "TEAM":
        raise Refusal(status_code=403, message="Only a team can be renamed.")
    db.execute(
        "UPDATE account SET name = :name WHERE id = :team OR sandbox_of = :team",
        {"name": call.body["name"], "team": account_id},
    )
    change = ("name", row["name"], call.body["name"])
    note_team(db, call, action=LogAction.UPDATED, change=change)
    return True


def _member_check(call: Call, db: Connection) -> Iterator[Problem]:
    """Find a person who is not in the team; other teams are not looked into."""
    person_id = call.given("user_id")
    if person_id is None or call.ids["id"] != call.caller.team_id:
        return
    if _member(call, db) is None:
        yield Problem(path="user_id", says="must be a member of your team")


def _member(call: Call, db: Connection) -> Row | None:
    return find_membership(
        db,
        account_id=call.caller.team_id,
        person_id=call.body["user_id"].lower(),
    )


def _change_role(call: Call, db: Connection) -> bool:
    own_account_id(call)
    demand_owner(call, db)
    member = _member(call, db)
    if member is None:  # `_member_check` has seen to that
        return False
    if call.body["role"] != UserRole.OWNER:
        _keep_one_owner(call, db, member=member)
    new = {
        name: call.body.get(name, member[name])
        for name in (*_DETAILS, "org_role_other")
    }
    db.execute(
        "UPDATE membership SET role = :role, org_department = :org_department,"
        " org_department_other = :org_department_other, org_role = :org_role,"
        " org_role_other = :org_role_other"
        " WHERE account_id = :account AND person_id = :person",
        {
            **new,
            "role": call.body["role"],
            "account": member["account_id"],
            "person": member["person_id"],
        },
    )
    change = ("role", member["role"], call.body["role"])
    note_team(db, call, action=LogAction.UPDATED, change=change)
    return True


def _revoke(call: Call, db: Connection) -> bool:
    """Take a member out of the team and its groups.

    Projects, responses and notes stay; so do keys, until each is revoked.
    """
    own_account_id(call)
    demand_owner(call, db)
    member = _member(call, db)
    if member is None:  # `_member_check` has seen to that
        return False
    _keep_one_owner(call, db, member=member)
    who = {"account": member["account_id"], "person": member["person_id"]}
    db.execute(
        "DELETE FROM membership WHERE account_id = :account AND person_id = :person",
        who,
    )
    db.execute(
        "DELETE FROM group_member WHERE person_id = :person AND group_id IN"
        " (SELECT id FROM assignment_group WHERE account_id = :account)",
        who,
    )
    change = ("member", full_name(db, member["person_id"]), None)
    note_team(db, call, action=LogAction.DELETED, change=change)
    return True


def _keep_one_owner(call: Call, db: Connection, *, member: Row) -> None:
    """Refuse what would leave a team without anybody who may change it."""
    others = db.execute(
        "SELECT 1 FROM membership WHERE account_id = ? AND person_id <> ?"
        " AND role = 'OWNER'",
        (call.caller.team_id, member["person_id"]),
    ).fetchone()
    if member["role"] == UserRole.OWNER and others is None:
        raise Refusal(status_code=409, message="A team keeps at least one owner.")


TEAM_RENAME = Rule(act=_rename)
TEAM_ROLE = Rule(act=_change_role, check=_member_check)
TEAM_REVOKE = Rule(act=_revoke, check=_member_check)
