"""Organisations that a team keeps for its projects."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from sqlite3 import Connection, Row
from typing import Any, Final

from kawe.twin.call import Call, Rule
from kawe.twin.envelope import not_found
from kawe.twin.folding import folded
from kawe.twin.paging import page_of

_TEXTS: Final = (
    "name",
    "address",
    "city",
    "country",
    "postcode",
    "email",
    "phone",
    "mobile",
)


def create_organisation(db: Connection, call: Call, *, given: Mapping[str, Any]) -> str:
    """Write a new organisation, even when there is one just like it."""
    organisation_id = str(uuid.uuid4())
    db.execute(
        "INSERT INTO organisation (id, account_id, name, name_folded, address,"
        " latitude, longitude, city, country, postcode, created_on, updated_on)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            organisation_id,
            call.caller.team_id,
            given["name"],
            folded(given["name"]),
            given["address"],
            float(given["latitude"]),
            float(given["longitude"]),
            given.get("city"),
            given.get("country"),
            given.get("postcode"),
            call.now,
            call.now,
        ),
    )
    return organisation_id


def find_organisation(
    db: Connection, call: Call, *, organisation_id: str
) -> Row | None:
    """Find an organisation that the caller's team created and still keeps."""
    row: Row | None = db.execute(
        "SELECT * FROM organisation WHERE id = ? AND account_id = ?"
        " AND deleted_on IS NULL",
        (organisation_id, call.caller.team_id),
    ).fetchone()
    return row


def _find(call: Call, db: Connection) -> Row:
    row = find_organisation(db, call, organisation_id=call.ids["id"])
    if row is None:
        raise not_found()
    return row


def _shown(db: Connection, row: Row) -> dict[str, object]:
    contacts = db.execute(
        "SELECT * FROM contact WHERE organisation_id = ? ORDER BY number DESC",
        (row["id"],),
    )
    shown = ("id", "created_on", "name", "role", "role_type", "email", "phone")
    return {
        "id": row["id"],
        "created_on": row["created_on"],
        "updated_on": row["updated_on"],
        # These are strings in the interface, not nullable: what is not known
        # is left out.
        **{name: row[name] for name in _TEXTS if row[name] is not None},
        "contacts": [{name: one[name] for name in shown} for one in contacts],
    }


def _list(call: Call, db: Connection) -> dict[str, object]:
    total = db.execute(
        "SELECT count(*) FROM organisation WHERE account_id = ? AND deleted_on IS NULL",
        (call.caller.team_id,),
    ).fetchone()[0]
    rows = db.execute(
        "SELECT * FROM organisation WHERE account_id = ? AND deleted_on IS NULL"
        " ORDER BY number DESC LIMIT ? OFFSET ?",
        (call.caller.team_id, call.query.limit, call.query.offset),
    ).fetchall()
    return page_of([_shown(db, row) for row in rows], total=total, query=call.query)


def _read(call: Call, db: Connection) -> dict[str, object]:
    return _shown(db, _find(call, db))


def _update(call: Call, db: Connection) -> dict[str, object]:
    row = _find(call, db)
    new = {name: call.body.get(name, row[name]) for name in _TEXTS}
    db.execute(
        "UPDATE organisation SET name = :name, name_folded = :name_folded,"
        " address = :address, city = :city, country = :country,"
        " postcode = :postcode, email = :email, phone = :phone, mobile = :mobile,"
        " updated_on = :now WHERE number = :number",
        {
            **new,
            "name_folded": folded(new["name"]),
            "now": call.now,
            "number": row["number"],
        },
    )
    return _read(call, db)


def _delete(call: Call, db: Connection) -> bool:
    """Put an organisation away; the projects that name it stay as they are."""
    row = _find(call, db)
    db.execute(
        "UPDATE organisation SET deleted_on = ? WHERE number = ?",
        (call.now, row["number"]),
    )
    return True


ORGANISATION_LIST = Rule(act=_list)
ORGANISATION_READ = Rule(act=_read)
ORGANISATION_UPDATE = Rule(act=_update)
ORGANISATION_DELETE = Rule(act=_delete)
