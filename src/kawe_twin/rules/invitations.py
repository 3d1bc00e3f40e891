"""Inviting people to a team, and what becomes of an invitation.

(Interface, Invitation and BulkInviteResponse.)
"""

import re
from collections.abc import Iterator, Mapping
from datetime import timedelta
from sqlite3 import Connection, Row
from typing import Any, Final

from kawe_contract.enums import BulkInviteStatus, InvitationStatus
from kawe_contract.requests import PERSON_DETAILS
from kawe_twin.calls.call import Call, Rule
from kawe_twin.calls.validation import Problem
from kawe_twin.rules.teams import demand_owner, invitation_status
from kawe_twin.store.accounts import create_person, find_account, join
from kawe_twin.store.database import create, first, found, picked, update
from kawe_twin.store.projects import note_team
from kawe_twin.world.answers import Refusal
from kawe_twin.world.clock import instant_text

_LIFETIME: Final = timedelta(days=7)
"""The interface does not show the rule; a week is the twin's."""

_EMAIL: Final = re.compile(r"[^@\s]+@[^@\s.]+(\.[^@\s.]+)+")


def _is_email(text: str) -> bool:
    return len(text) <= 254 and _EMAIL.fullmatch(text) is not None


def _email_problem(call: Call, db: Connection) -> Iterator[Problem]:  # noqa: ARG001 - the shape of every check
    email = call.given("email")
    if email is not None and not _is_email(email):
        yield Problem("email", "must be an email address")


def _invite_one(call: Call, db: Connection) -> bool:
    demand_owner(call, db)
    invited = _invite(db, call, person=call.body)
    if invited["status"] is not BulkInviteStatus.INVITED:
        raise Refusal(409, invited["message"])
    return True


def _invite_many(call: Call, db: Connection) -> dict[str, object]:
    """Invite each row by itself; a row that cannot be does not stop others."""
    demand_owner(call, db)
    done = [_invite(db, call, person=person) for person in call.body["invitations"]]
    count = [invited["status"] for invited in done].count
    return {
        "invited_count": count(BulkInviteStatus.INVITED),
        "skipped_count": count(BulkInviteStatus.SKIPPED),
        "failed_count": count(BulkInviteStatus.FAILED),
        "results": done,
    }


def _invite(db: Connection, call: Call, *, person: Mapping[str, Any]) -> dict[str, Any]:
    """Invite one person, and say how it went as a bulk invitation does."""
    email = person["email"]
    status, message, invitation_id = BulkInviteStatus.INVITED, None, None
    if not _is_email(email):
        status, message = BulkInviteStatus.FAILED, "email must be an email address"
    elif standing := _standing_of(db, call, email_folded=email.casefold()):
        status, message = BulkInviteStatus.SKIPPED, standing
    else:
        invitation_id = _write(db, call, person=person)
    return {
        "name": person["name"],
        "email": email,
        "status": status,
        "message": message,
        "invitation_id": invitation_id,
    }


def _standing_of(db: Connection, call: Call, *, email_folded: str) -> str | None:
    """Say why an address needs no invitation to the caller's team, if so."""
    where = (call.caller.team_id, email_folded)
    member = first(
        db,
        "SELECT 1 FROM membership JOIN person ON person.id = person_id"
        " WHERE account_id = ? AND email_folded = ?",
        where,
    )
    if member is not None:
        return "Already a member of the team."
    pending = first(
        db,
        "SELECT 1 FROM invitation WHERE account_id = ? AND email_folded = ?"
        " AND status = ? AND expired_on > ?",
        (*where, InvitationStatus.PENDING, call.now),
    )
    return None if pending is None else "An invitation is pending already."


def _write(db: Connection, call: Call, *, person: Mapping[str, Any]) -> str:
    invitation_id = create(
        db,
        "invitation",
        account_id=call.caller.team_id,
        name=person["name"],
        email=person["email"],
        email_folded=person["email"].casefold(),
        role=person["role"],
        status=InvitationStatus.PENDING,
        created_on=call.now,
        expired_on=instant_text(call.at + _LIFETIME),
        **{name: person.get(name) for name in PERSON_DETAILS},
    )
    note_team(db, call, ("invitation", None, person["email"]))
    return invitation_id


def _read(call: Call, db: Connection) -> dict[str, object]:
    row = _find(call, db)
    account = find_account(db, row["account_id"])
    named = picked(account, "id", "name")
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
        standing = _standing_of(db, call, email_folded=row["email_folded"])
        if standing is not None:
            raise Refusal(409, standing)
    end = instant_text(call.at + _LIFETIME)
    change = ("invitation", row["status"], InvitationStatus.PENDING)
    return _set(call, db, row, end=end, change=change)


def _expire(call: Call, db: Connection) -> bool:
    """End an invitation; one that has ended already stays ended."""
    demand_owner(call, db)
    row = _find(call, db)
    _refuse_accepted(row)
    if invitation_status(row, now=call.now) == InvitationStatus.EXPIRED:
        return True
    change = ("invitation", InvitationStatus.PENDING, InvitationStatus.EXPIRED)
    return _set(call, db, row, end=call.now, change=change)


def _set(
    call: Call, db: Connection, row: Row, *, end: str, change: tuple[str, str, str]
) -> bool:
    update(db, "invitation", row["id"], status=change[2], expired_on=end)
    note_team(db, call, change)
    return True


def _refuse_accepted(row: Row) -> None:
    if row["status"] == InvitationStatus.ACCEPTED:
        raise Refusal(409, "The invitation has been accepted already.")


def _find(call: Call, db: Connection) -> Row:
    return found(
        db,
        "SELECT * FROM invitation WHERE id = ? AND account_id = ?",
        (call.ids["id"], call.caller.team_id),
    )


def accept_invitation(db: Connection, *, invitation_id: str, now: str) -> str:
    """Let the invited person join, and give their id; 409 when it is too late."""
    row = found(db, "SELECT * FROM invitation WHERE id = ?", (invitation_id,))
    _refuse_accepted(row)
    if invitation_status(row, now=now) == InvitationStatus.EXPIRED:
        raise Refusal(409, "The invitation has expired.")
    person_id = _person(db, row, now=now)
    details = {name: row[name] for name in PERSON_DETAILS}
    join(db, row["account_id"], person_id, role=row["role"], now=now, **details)
    update(db, "invitation", row["id"], status=InvitationStatus.ACCEPTED)
    return person_id


def _person(db: Connection, invitation: Row, *, now: str) -> str:
    """Find the person with the invited address, or make one."""
    known = first(
        db,
        "SELECT id FROM person WHERE email_folded = ? ORDER BY rowid LIMIT 1",
        (invitation["email_folded"],),
    )
    if known is not None:
        return str(known["id"])
    first_name, _, last_name = invitation["name"].partition(" ")
    names = {"first_name": first_name, "last_name": last_name}
    return create_person(db, invitation["email"], now=now, **names)


RULES: Final = {
    "user_invite": Rule(act=_invite_one, check=_email_problem),
    "user_invite_bulk": Rule(act=_invite_many),
    "invitation_read": Rule(act=_read),
    "invitation_resend": Rule(act=_resend),
    "invitation_expire": Rule(act=_expire),
}
