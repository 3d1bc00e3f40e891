"""Who a key is (interface, User)."""

from __future__ import annotations

from sqlite3 import Connection, Row

from kawe.contract.enums import UserRole
from kawe.twin.call import Call, Rule


def _read(call: Call, db: Connection) -> dict[str, object] | None:
    person = db.execute(
        "SELECT * FROM person WHERE id = ?", (call.caller.person_id,)
    ).fetchone()
    if person is None:
        return None
    account = db.execute(
        "SELECT account.*, membership.role FROM account LEFT JOIN membership"
        " ON membership.account_id = account.id AND membership.person_id = ?"
        " WHERE account.id = ?",
        (call.caller.person_id, call.caller.team_id),
    ).fetchone()
    is_team = account["kind"] == "TEAM"
    return {
        "id": person["id"],
        "first_name": person["first_name"],
        "last_name": person["last_name"],
        "email": person["email"],
        "profile_picture_url": person["profile_picture_url"],
        "teams": [_team(account)] if is_team else [],
        "iwi": [] if is_team else [_iwi(account)],
    }


def _team(account: Row) -> dict[str, object]:
    return {
        "id": account["id"],
        "name": account["name"],
        "current_credit_balance": account["balance"],
        "role": account["role"] or UserRole.MEMBER,
        "account": {
            "region": account["region"],
            "local_authority": account["local_authority"],
            "organisation_type": account["organisation_type"],
            "national": None
            if account["national"] is None
            else account["national"] > 0,
            "sandbox": account["sandbox"] > 0,
        },
    }


def _iwi(account: Row) -> dict[str, object]:
    return {
        "id": account["id"],
        "name": account["name"],
        "slug": account["slug"],
        "role": account["role"] or UserRole.MEMBER,
    }


USER_READ = Rule(act=_read)
