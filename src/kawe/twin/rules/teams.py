"""A team or iwi account as its own key sees it."""

from __future__ import annotations

from sqlite3 import Connection, Row
from typing import Final

from kawe.contract.enums import InvitationStatus, UserRole
from kawe.twin.call import Call, Rule
from kawe.twin.envelope import Refusal, not_found

_DETAILS: Final = (
    "org_department",
    "org_department_other",
    "org_role",
    "org_role_other",
)


def own_account_id(call: Call) -> str:
    """Give the team or iwi of the path, when it is the caller's own.

    Raises:
        Refusal: 404 for any other.
    """
    if call.ids["id"] not in (call.caller.team_id, call.caller.account_id):
        raise not_found()
    return call.caller.team_id


def demand_owner(call: Call, db: Connection) -> None:
    """Let only owners on (interface, Authentication 9).

    A key whose person has left the team goes on as a member's key: valid, and
    able to do what members may.

    Raises:
        Refusal: 403 for a member.
    """
    row = db.execute(
        "SELECT role FROM membership WHERE account_id = ? AND person_id = ?",
        (call.caller.team_id, call.caller.person_id),
    ).fetchone()
    if row is None or row["role"] != UserRole.OWNER:
        said = "Only an owner of the team may do this."
        raise Refusal(status_code=403, message=said)


def _read(call: Call, db: Connection) -> dict[str, object]:
    account_id = own_account_id(call)
    account = db.execute("SELECT * FROM account WHERE id = ?", (account_id,)).fetchone()
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
        "id": account["id"],
        "name": account["name"],
        "users": [_member(row) for row in members],
        "invitations": [_invitation(row, now=call.now) for row in invitations],
    }


def _member(row: Row) -> dict[str, object]:
    shown = ("id", "first_name", "last_name", "email", "role", "created_on")
    return {name: row[name] for name in (*shown, *_DETAILS)}


def _invitation(row: Row, *, now: str) -> dict[str, object]:
    shown = ("id", "name", "email", "role", "created_on", "expired_on")
    return {
        **{name: row[name] for name in (*shown, *_DETAILS)},
        "status": invitation_status(row, now=now),
    }


def invitation_status(row: Row, *, now: str) -> str:
    """Say how an invitation stands: one past its end has expired by itself."""
    pending = row["status"] == InvitationStatus.PENDING
    if pending and row["expired_on"] <= now:
        return InvitationStatus.EXPIRED
    return str(row["status"])


TEAM_READ = Rule(act=_read)
