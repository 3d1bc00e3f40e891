"""Inviting people to a team (interface, Invitation and BulkInviteResponse)."""

from __future__ import annotations

import re
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from sqlite3 import Connection
from typing import Any, Final

from kawe.contract.enums import BulkInviteStatus, InvitationStatus, LogAction
from kawe.twin.call import Call, Rule
from kawe.twin.clock import instant_text
from kawe.twin.envelope import Refusal
from kawe.twin.rules.teams import demand_owner
from kawe.twin.store.activity import note_team
from kawe.twin.validation import Problem

INVITATION_LIFETIME: Final = timedelta(days=7)
"""The interface does not show the rule; a week is the twin's."""

_EMAIL: Final = re.compile(r"[^@\s]+@[^@\s.]+(\.[^@\s.]+)+")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Invited:
    status: BulkInviteStatus
    message: str | None = None
    invitation_id: str | None = None


def _is_email(text: str) -> bool:
    return len(text) <= 254 and _EMAIL.fullmatch(text) is not None


def _email_problem(call: Call, db: Connection) -> list[Problem]:  # noqa: ARG001 - the shape of every check
    email = call.given("email")
    if email is None or _is_email(email):
        return []
    return [Problem(path="email", says="must be an email address")]


def _invite_one(call: Call, db: Connection) -> bool:
    demand_owner(call, db)
    invited = _invite(db, call, person=call.body)
    if invited.status is not BulkInviteStatus.INVITED:
        raise Refusal(status_code=409, message=invited.message or "")
    return True


def _invite_many(call: Call, db: Connection) -> dict[str, object]:
    """Invite each row by itself; a row that cannot be does not stop others."""
    demand_owner(call, db)
    people = call.body["invitations"]
    done = [(person, _invite(db, call, person=person)) for person in people]
    count = [invited.status for _, invited in done].count
    return {
        "invited_count": count(BulkInviteStatus.INVITED),
        "skipped_count": count(BulkInviteStatus.SKIPPED),
        "failed_count": count(BulkInviteStatus.FAILED),
        "results": [
            {
                "name": person["name"],
                "email": person["email"],
                "status": invited.status,
                "message": invited.message,
                "invitation_id": invited.invitation_id,
            }
            for person, invited in done
        ],
    }


def _invite(db: Connection, call: Call, *, person: Mapping[str, Any]) -> _Invited:
    email = person["email"]
    if not _is_email(email):
        return _Invited(
            status=BulkInviteStatus.FAILED, message="email must be an email address"
        )
    standing = standing_of(db, call, email_folded=email.casefold())
    if standing is not None:
        return _Invited(status=BulkInviteStatus.SKIPPED, message=standing)
    return _Invited(
        status=BulkInviteStatus.INVITED,
        invitation_id=_write(db, call, person=person),
    )


def standing_of(db: Connection, call: Call, *, email_folded: str) -> str | None:
    """Say why an address needs no invitation to the caller's team, if so."""
    where = (call.caller.team_id, email_folded)
    member = db.execute(
        "SELECT 1 FROM membership JOIN person ON person.id = person_id"
        " WHERE account_id = ? AND email_folded = ?",
        where,
    ).fetchone()
    if member is not None:
        return "Already a member of the team."
    pending = db.execute(
        "SELECT 1 FROM invitation WHERE account_id = ? AND email_folded = ?"
        " AND status = ? AND expired_on > ?",
        (*where, InvitationStatus.PENDING, call.now),
    ).fetchone()
    return None if pending is None else "An invitation is pending already."


def _write(db: Connection, call: Call, *, person: Mapping[str, Any]) -> str:
    invitation_id = str(uuid.uuid4())
    db.execute(
        "INSERT INTO invitation (id, account_id, name, email, email_folded, role,"
        " org_department, org_department_other, org_role, org_role_other, status,"
        " created_on, expired_on) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            invitation_id,
            call.caller.team_id,
            person["name"],
            person["email"],
            person["email"].casefold(),
            person["role"],
            person.get("org_department"),
            person.get("org_department_other"),
            person.get("org_role"),
            person.get("org_role_other"),
            InvitationStatus.PENDING,
            call.now,
            instant_text(call.at + INVITATION_LIFETIME),
        ),
    )
    change = ("invitation", None, person["email"])
    note_team(db, call, action=LogAction.CREATED, change=change)
    return invitation_id


USER_INVITE = Rule(act=_invite_one, check=_email_problem)
USER_INVITE_BULK = Rule(act=_invite_many)
