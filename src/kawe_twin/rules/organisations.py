"""Organisations that a team keeps for its projects."""

from collections.abc import Mapping
from functools import partial
from sqlite3 import Connection, Row
from typing import Any, Final

from kawe_contract.requests import ORGANISATION_TEXTS
from kawe_twin.calls.call import Call, Rule, folded, paged
from kawe_twin.store.database import create, first, found, picked, update

_KEPT: Final = (
    "SELECT * FROM organisation WHERE account_id = :team AND deleted_on IS NULL"
)
_ONE: Final = f"{_KEPT} AND id = :id"


def create_organisation(db: Connection, call: Call, *, given: Mapping[str, Any]) -> str:
    """Write a new organisation, even when there is one just like it."""
    return create(
        db,
        "organisation",
        account_id=call.caller.team_id,
        name=given["name"],
        name_folded=folded(given["name"]),
        address=given["address"],
        latitude=float(given["latitude"]),
        longitude=float(given["longitude"]),
        **{name: given.get(name) for name in ("city", "country", "postcode")},
        created_on=call.now,
        updated_on=call.now,
    )


def find_organisation(
    db: Connection, call: Call, *, organisation_id: str
) -> Row | None:
    """Find an organisation that the caller's team created and still keeps."""
    return first(db, _ONE, {"team": call.caller.team_id, "id": organisation_id})


def _find(call: Call, db: Connection) -> Row:
    return found(db, _ONE, {"team": call.caller.team_id, "id": call.ids["id"]})


def _shown(db: Connection, row: Row) -> dict[str, object]:
    contacts = db.execute(
        "SELECT * FROM contact WHERE organisation_id = ? ORDER BY number DESC",
        (row["id"],),
    )
    shown = ("id", "created_on", "name", "role", "role_type", "email", "phone")
    return {
        **picked(row, "id", "created_on", "updated_on"),
        # These are strings in the interface, not nullable: what is not known
        # is left out.
        **{name: row[name] for name in ORGANISATION_TEXTS if row[name] is not None},
        "contacts": [picked(one, *shown) for one in contacts],
    }


def _list(call: Call, db: Connection) -> dict[str, object]:
    shown, team_id = partial(_shown, db), call.caller.team_id
    return paged(db, _KEPT, call.query, shown=shown, team=team_id)


def _read(call: Call, db: Connection) -> dict[str, object]:
    return _shown(db, _find(call, db))


def _update(call: Call, db: Connection) -> dict[str, object]:
    row = _find(call, db)
    new = {name: call.body.get(name, row[name]) for name in ORGANISATION_TEXTS}
    update(
        db,
        "organisation",
        row["id"],
        **new,
        name_folded=folded(new["name"]),
        updated_on=call.now,
    )
    return _read(call, db)


def _delete(call: Call, db: Connection) -> bool:
    """Put an organisation away; the projects that name it stay as they are."""
    update(db, "organisation", _find(call, db)["id"], deleted_on=call.now)
    return True


RULES: Final = {
    "organisation_list": Rule(act=_list),
    "organisation_read": Rule(act=_read),
    "organisation_update": Rule(act=_update),
    "organisation_delete": Rule(act=_delete),
}
