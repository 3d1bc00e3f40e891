"""Which iwi a place belongs to, and whom a project goes to."""

from collections.abc import Sequence
from sqlite3 import Connection, Row
from typing import Final

from kawe_twin.calls.call import Call, Rule, folded
from kawe_twin.store.accounts import find_account
from kawe_twin.store.database import picked
from kawe_twin.world.answers import Refusal
from kawe_twin.world.iwi_areas import resolve


def _count(call: Call, db: Connection) -> dict[str, object]:  # noqa: ARG001 - the shape of every rule
    found = resolve(latitude=call.body["lat"], longitude=call.body["lon"])
    return {
        "iwi": [{"slug": iwi.slug, "name": iwi.name} for iwi in found],
        # There is something to choose only where there are two or more.
        "can_select_iwi": len(found) > 1,
    }


def _search(call: Call, db: Connection) -> list[dict[str, object]]:
    wanted = folded(call.query.last("search"))
    rows = db.execute("SELECT * FROM account WHERE kind = 'IWI' ORDER BY name")
    return [_shown(row) for row in rows if wanted in folded(row["name"])]


def _shown(row: Row) -> dict[str, object]:
    return picked(row, "id", "name", "slug", "logo_url", "primary_colour")


def recipients(db: Connection, project: Row, *, wanted: Sequence[str]) -> list[Row]:
    """Find the iwi that a project goes to; 400 when there is nobody to send to.

    Where the place belongs to one iwi, the service routes the project itself
    and `wanted` is ignored; where it belongs to several, the caller chooses
    among them; where it belongs to none, any iwi may be named (interface,
    `POST /iwi/count`).

    An iwi's own project that goes to a team needs no iwi beside it.
    """
    if not wanted and _goes_to_team_alone(db, project):
        return []
    latitude, longitude = project["latitude"], project["longitude"]
    known = [
        str(row["slug"])
        for row in db.execute("SELECT slug FROM account WHERE kind = 'IWI'")
    ]
    here: list[str] = []
    if latitude is not None:
        here = [iwi.slug for iwi in resolve(latitude=latitude, longitude=longitude)]
        if len(here) == 1:
            return _accounts(db, here)
    choices = here or known
    if not wanted:
        raise Refusal(400, _nobody(here))
    if any(slug not in choices for slug in wanted):
        raise Refusal(400, "iwi must be slugs among " + ", ".join(choices))
    return _accounts(db, wanted)


def _goes_to_team_alone(db: Connection, project: Row) -> bool:
    sender = find_account(db, project["account_id"])
    return project["recipient_team_id"] is not None and sender["kind"] == "IWI"


def _nobody(here: Sequence[str]) -> str:
    if here:
        return "iwi must name at least one of " + ", ".join(here)
    return "the location belongs to no iwi, and iwi names none"


def _accounts(db: Connection, slugs: Sequence[str]) -> list[Row]:
    rows = db.execute("SELECT * FROM account WHERE kind = 'IWI' ORDER BY name")
    return [row for row in rows if row["slug"] in slugs]


RULES: Final = {"iwi_count": Rule(act=_count), "iwi_search": Rule(act=_search)}
