"""Who a key is, its team or iwi, and what owners change of a team."""

from collections.abc import Iterator
from sqlite3 import Connection, Row
from typing import Final

from kawe_contract.enums import InvitationStatus, UserRole
from kawe_contract.requests import PERSON_DETAILS
from kawe_twin.calls.call import Call, Rule
from kawe_twin.calls.validation import Problem
from kawe_twin.store.accounts import find_account, find_membership, full_name
from kawe_twin.store.database import first, picked
from kawe_twin.store.projects import note_team
from kawe_twin.world.answers import Refusal, not_found


def own_account_id(call: Call) -> str:
    """Give the team or iwi of the path; 404 when it is not the caller's own."""
    if call.ids["id"] not in (call.caller.team_id, call.caller.account_id):
        raise not_found()
    return call.caller.team_id


def demand_owner(call: Call, db: Connection) -> None:
    """Let only owners on (interface, Authentication 9); 403 for a member.

    A key whose person has left the team goes on as a member's key: valid, and
    able to do what members may.
    """
    member = _caller_in_team(call, db)
    if member is None or member["role"] != UserRole.OWNER:
        raise Refusal(403, "Only an owner of the team may do this.")


def _caller_in_team(call: Call, db: Connection) -> Row | None:
    caller = call.caller
    return find_membership(db, account_id=caller.team_id, person_id=caller.person_id)


def _read_user(call: Call, db: Connection) -> dict[str, object] | None:
    person = first(db, "SELECT * FROM person WHERE id = ?", (call.caller.person_id,))
    if person is None:
        return None
    account = find_account(db, call.caller.team_id)
    member = _caller_in_team(call, db)
    role = UserRole.MEMBER if member is None else member["role"]
    is_team = account["kind"] == "TEAM"
    as_is = ("id", "first_name", "last_name", "email", "profile_picture_url")
    iwi = {**picked(account, "id", "name", "slug"), "role": role}
    return {
        **picked(person, *as_is),
        "teams": [_team(account, role=role)] if is_team else [],
        "iwi": [] if is_team else [iwi],
    }


def _team(account: Row, *, role: str) -> dict[str, object]:
    national = account["national"]
    return {
        **picked(account, "id", "name"),
        "current_credit_balance": account["balance"],
        "role": role,
        "account": {
            **picked(account, "region", "local_authority", "organisation_type"),
            "national": None if national is None else national > 0,
            "sandbox": account["sandbox"] > 0,
        },
    }


def _read(call: Call, db: Connection) -> dict[str, object]:
    account_id = own_account_id(call)
    account = find_account(db, account_id)
    members = db.execute(
        "SELECT membership.*, person.id AS id, first_name, last_name, email"
        " FROM membership JOIN person ON person.id = membership.person_id"
        " WHERE account_id = ? ORDER BY membership.created_on, email",
        (account_id,),
    )
    invitations = db.execute(
        "SELECT * FROM invitation WHERE account_id = ? ORDER BY number DESC",
        (account_id,),
    )
    return {
        **picked(account, "id", "name"),
        "users": [_member(row) for row in members],
        "invitations": [_invitation(row, now=call.now) for row in invitations],
    }


def _member(row: Row) -> dict[str, object]:
    shown = ("id", "first_name", "last_name", "email", "role", "created_on")
    return picked(row, *shown, *PERSON_DETAILS)


def _invitation(row: Row, *, now: str) -> dict[str, object]:
    shown = ("id", "name", "email", "role", "created_on", "expired_on")
    status = invitation_status(row, now=now)
    return {**picked(row, *shown, *PERSON_DETAILS), "status": status}


def invitation_status(row: Row, *, now: str) -> str:
    """Say how an invitation stands: one past its end has expired by itself."""
    pending = row["status"] == InvitationStatus.PENDING
    if pending and row["expired_on"] <= now:
        return InvitationStatus.EXPIRED
    return str(row["status"])


def _rename(call: Call, db: Connection) -> bool:
    """Rename the team; what was sent shows the new name as well."""
    account_id = own_account_id(call)
    demand_owner(call, db)
    row = find_account(db, account_id)
    if row["kind"] != "TEAM":
        raise Refusal(403, "Only a team can be renamed.")
    db.execute(
        "UPDATE account SET name = :name WHERE id = :team OR sandbox_of = :team",
        {"name": call.body["name"], "team": account_id},
    )
    note_team(db, call, ("name", row["name"], call.body["name"]))
    return True


def _member_check(call: Call, db: Connection) -> Iterator[Problem]:
    """Find a person who is not in the team; other teams are not looked into."""
    if call.given("user_id") is None or call.ids["id"] != call.caller.team_id:
        return
    if own_member(call, db, call.body["user_id"]) is None:
        yield Problem("user_id", "must be a member of your team")


def own_member(call: Call, db: Connection, person_id: str) -> Row | None:
    """Find a member of the caller's team."""
    team_id, person_id = call.caller.team_id, person_id.lower()
    return find_membership(db, account_id=team_id, person_id=person_id)


def _led(call: Call, db: Connection) -> Row:
    """Give the member of the body to an owner of their team."""
    own_account_id(call)
    demand_owner(call, db)
    member = own_member(call, db, call.body["user_id"])
    if member is None:  # `_member_check` has seen to that
        raise not_found()
    return member


def _change_role(call: Call, db: Connection) -> bool:
    member = _led(call, db)
    if call.body["role"] != UserRole.OWNER:
        _keep_one_owner(call, db, member=member)
    new = {name: call.body.get(name, member[name]) for name in PERSON_DETAILS}
    set_to = ", ".join(f"{name} = :{name}" for name in ("role", *new))
    db.execute(
        f"UPDATE membership SET {set_to}"  # noqa: S608 - our words
        " WHERE account_id = :account AND person_id = :person",
        {**new, "role": call.body["role"], **_who(member)},
    )
    note_team(db, call, ("role", member["role"], call.body["role"]))
    return True


def _revoke(call: Call, db: Connection) -> bool:
    """Take a member out of the team and its groups.

    Projects, responses and notes stay; so do keys, until each is revoked.
    """
    member = _led(call, db)
    _keep_one_owner(call, db, member=member)
    who = _who(member)
    db.execute(
        "DELETE FROM membership WHERE account_id = :account AND person_id = :person",
        who,
    )
    db.execute(
        "DELETE FROM group_member WHERE person_id = :person AND group_id IN"
        " (SELECT id FROM assignment_group WHERE account_id = :account)",
        who,
    )
    note_team(db, call, ("member", full_name(db, member["person_id"]), None))
    return True


def _who(member: Row) -> dict[str, str]:
    return {"account": member["account_id"], "person": member["person_id"]}


def _keep_one_owner(call: Call, db: Connection, *, member: Row) -> None:
    """Refuse what would leave a team without anybody who may change it."""
    others = first(
        db,
        "SELECT 1 FROM membership WHERE account_id = ? AND person_id <> ?"
        " AND role = 'OWNER'",
        (call.caller.team_id, member["person_id"]),
    )
    if member["role"] == UserRole.OWNER and others is None:
        raise Refusal(409, "A team keeps at least one owner.")


RULES: Final = {
    "user_read": Rule(act=_read_user),
    "team_read": Rule(act=_read),
    "team_rename": Rule(act=_rename),
    "team_role": Rule(act=_change_role, check=_member_check),
    "team_revoke": Rule(act=_revoke, check=_member_check),
}
