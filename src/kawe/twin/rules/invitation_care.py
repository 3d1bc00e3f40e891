"""Reading, resending, expiring and accepting an invitation."""

from __future__ import annotations

import uuid
from sqlite3 import Connection, Row

from kawe.contract.enums import InvitationStatus, LogAction
from kawe.twin.call import Call, Rule
from kawe.twin.clock import instant_text
from kawe.twin.envelope import Refusal, not_found
from kawe.twin.rules.invitations import INVITATION_LIFETIME, standing_of
from kawe.twin.rules.teams import demand_owner, invitation_status
from kawe.twin.store.activity import note_team


def _read(call: Call, db: Connection) -> dict[str, object]:
    row = _find(call, db)
    account = db.execute(
        "SELECT id, name, kind FROM account WHERE id = ?", (row["account_id"],)
    ).fetchone()
    named = {"id": account["id"], "name": account["name"]}
    is_team = account["kind"] == "TEAM"
    return {
        "team": named if is_team else None,
        "iwi": None if is_team else named,
        "role": row["role"],
    }


def _resend(call: Call, db: Connection) -> bool:
    """Send an invitation again: it is pending, and its time begins anew."""
    demand_owner(call, db)
    row = _find(call, db)
    _refuse_accepted(row)
    if invitation_status(row, now=call.now) == InvitationStatus.EXPIRED:
        standing = standing_of(db, call, email_folded=row["email_folded"])
        if standing is not None:
            raise Refusal(status_code=409, message=standing)
    db.execute(
        "UPDATE invitation SET status = ?, expired_on = ? WHERE id = ?",
        (
            InvitationStatus.PENDING,
            instant_text(call.at + INVITATION_LIFETIME),
            row["id"],
        ),
    )
    change = ("invitation", row["status"], InvitationStatus.PENDING)
    note_team(db, call, action=LogAction.UPDATED, change=change)
    return True


def _expire(call: Call, db: Connection) -> bool:
    """End an invitation; one that has ended already stays ended."""
    demand_owner(call, db)
    row = _find(call, db)
    _refuse_accepted(row)
    if invitation_status(row, now=call.now) == InvitationStatus.EXPIRED:
        return True
    db.execute(
        "UPDATE invitation SET status = ?, expired_on = ? WHERE id = ?",
        (InvitationStatus.EXPIRED, call.now, row["id"]),
    )
    change = ("invitation", InvitationStatus.PENDING, InvitationStatus.EXPIRED)
    note_team(db, call, action=LogAction.UPDATED, change=change)
    return True


def _refuse_accepted(row: Row) -> None:
    if row["status"] == InvitationStatus.ACCEPTED:
        said = "The invitation has been accepted already."
        raise Refusal(status_code=409, message=said)


def _find(call: Call, db: Connection) -> Row:
    row: Row | None = db.execute(
        "SELECT * FROM invitation WHERE id = ? AND account_id = ?",
        (call.ids["id"], call.caller.team_id),
    ).fetchone()
    if row is None:
        raise not_found()
    return row


def accept_invitation(db: Connection, *, invitation_id: str, now: str) -> str:
    """Let the invited person join the team; give the person's id.

    Raises:
        Refusal: 404, there is none; 409, it is accepted or over.
    """
    row = db.execute(
        "SELECT * FROM invitation WHERE id = ?", (invitation_id,)
    ).fetchone()
    if row is None:
        raise not_found()
    _refuse_accepted(row)
    if invitation_status(row, now=now) == InvitationStatus.EXPIRED:
        raise Refusal(status_code=409, message="The invitation has expired.")
    person_id = _person(db, row, now=now)
    details = ("org_department", "org_department_other", "org_role", "org_role_other")
    db.execute(
        "INSERT INTO membership (account_id, person_id, role, org_department,"
        " org_department_other, org_role, org_role_other, created_on)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (
            row["account_id"],
            person_id,
            row["role"],
            *(row[name] for name in details),
            now,
        ),
    )
    db.execute(
        "UPDATE invitation SET status = ? WHERE id = ?",
        (InvitationStatus.ACCEPTED, row["id"]),
    )
    return person_id


def _person(db: Connection, invitation: Row, *, now: str) -> str:
    """Find the person with the invited address, or make one."""
    known = db.execute(
        "SELECT id FROM person WHERE email_folded = ? ORDER BY rowid LIMIT 1",
        (invitation["email_folded"],),
    ).fetchone()
    if known is not None:
        return str(known["id"])
    first, _, last = invitation["name"].partition(" ")
    person_id = str(uuid.uuid4())
    db.execute(
        "INSERT INTO person (id, first_name, last_name, email, email_folded,"
        " created_on) VALUES (?, ?, ?, ?, ?, ?)",
        (
            person_id,
            first,
            last,
            invitation["email"],
            invitation["email_folded"],
            now,
        ),
    )
    return person_id


INVITATION_READ = Rule(act=_read)
INVITATION_RESEND = Rule(act=_resend)
INVITATION_EXPIRE = Rule(act=_expire)
