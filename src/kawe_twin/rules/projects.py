"""Creating, reading, changing and listing projects (interface, CreateProjectBody).

A new project is first a draft; `draft` false sends it in the same transaction, and
without tokens the draft stays.

Lists come newest first, drafts included. Filters combine with AND, repeated values of
one with OR; the tabs are counted before the tab itself is applied.

Lists without a filter, or by status, type, priority and local authority, take constant
time: triggers count each cell (status, type, priority, sender), and a page merges one
index range per cell. A search, an organisation and an assignee cost what they match; a
search of one or two characters reads all.
"""

import heapq
import json
import uuid
from collections.abc import Iterator, Mapping
from itertools import islice
from sqlite3 import Connection
from typing import Any, Final

from kawe_contract.enums import ActiveStatus, LogAction, ProjectStatus
from kawe_twin.calls.call import Call, Query, Rule, folded, page_of
from kawe_twin.calls.validation import Problem
from kawe_twin.rules.organisations import create_organisation, find_organisation
from kawe_twin.rules.project_send import open_checkout, submit
from kawe_twin.rules.project_view import (
    OVER,
    find_own_project,
    find_project,
    listed_project,
    priority_of,
    shown_project,
)
from kawe_twin.rules.uploads import attach_files, file_problems
from kawe_twin.store.database import create, first, insert, update
from kawe_twin.store.projects import add_parties, note_change, note_project
from kawe_twin.world.answers import Refusal, Reply

_FIELDS: Final = (
    *("name", "description", "reference", "type", "phase"),
    *("start_date", "end_date", "respond_by_date"),
)

_SHORTEST_INDEXED: Final = 3
# Used only when the parameter was given. Values are bound; the text of every query is
# made of constants of this module.
_CELL_CLAUSES: Final = {
    "status": "party.status IN (SELECT value FROM json_each(:status))",
    "type": "party.type IN (SELECT value FROM json_each(:type))",
    "priority": "party.priority IN (SELECT value FROM json_each(:priority))",
    "local_authority": "party.sender_id IN"
    " (SELECT id FROM account WHERE lower(local_authority) = :local_authority)",
    "only_statuses": "party.status IN (SELECT value FROM json_each(:only_statuses))",
    "tab": "party.status IN (SELECT value FROM json_each(:tab))",
}
_SEARCH_CLAUSES: Final = {
    "made_until": "project.created_on <= :made_until",
    "organisation": "project.organisation_id IN"
    " (SELECT id FROM organisation WHERE name_folded = :organisation)",
    "assigned_to": "(project.assigned_to = :assigned_to"
    " OR project.sender_assigned_to = :assigned_to)",
    "indexed": "project.number IN (SELECT rowid FROM project_search"
    " WHERE project_search MATCH :indexed)",
    "scanned": "instr(project.search_text, :scanned) > 0",
}
_COMPARED: Final = {
    "organisation": folded,
    "local_authority": str.lower,
    "assigned_to": str.lower,
}
# CROSS JOIN: SQLite does not know that a search matches few projects.
_FOUND: Final = (
    "FROM project CROSS JOIN party ON party.project_number = project.number"
    " WHERE party.account_id = :account"
)
_COUNTED: Final = (
    "FROM party_count AS party WHERE party.account_id = :account AND party.n > 0"
)
_ONE_CELL: Final = (
    "SELECT project_number FROM party WHERE account_id = ? AND status = ?"
    " AND type = ? AND sender_id = ? ORDER BY project_number DESC LIMIT ?"
)
_TABS: Final = {
    ActiveStatus.ALL: tuple(ProjectStatus),
    ActiveStatus.ACTIVE: tuple(one for one in ProjectStatus if one not in OVER),
    ActiveStatus.CLOSED: (ProjectStatus.CLOSED,),
    ActiveStatus.COMPLETED: (ProjectStatus.COMPLETE,),
}


def _check(call: Call, db: Connection) -> Iterator[Problem]:
    yield from _day_problems(call)
    yield from _place_problems(call)
    yield from _account_problems(call, db)
    yield from file_problems(call, db)


def _day_problems(call: Call) -> Iterator[Problem]:
    """Find days out of order: answers are due on or before the end."""
    due, end = call.given("respond_by_date"), call.given("end_date")
    if due is not None and end is not None and due > end:
        yield Problem("respond_by_date", "must be on or before end_date")


def _place_problems(call: Call) -> Iterator[Problem]:
    latitude, longitude = call.given("latitude"), call.given("longitude")
    if call.body.get("latitude") is None and call.body.get("longitude") is not None:
        yield Problem("latitude", "must be given with longitude")
    if call.body.get("longitude") is None and call.body.get("latitude") is not None:
        yield Problem("longitude", "must be given with latitude")
    if latitude is not None and not -90 <= latitude <= 90:
        yield Problem("latitude", "must be between -90 and 90")
    if longitude is not None and not -180 <= longitude <= 180:
        yield Problem("longitude", "must be between -180 and 180")


def _account_problems(call: Call, db: Connection) -> Iterator[Problem]:
    organisation_id = call.given_id("organisation_id")
    if organisation_id is not None and not find_organisation(
        db, call, organisation_id=organisation_id
    ):
        yield Problem("organisation_id", "must be an organisation of your team")
    team_id = call.given_id("recipient_team_id")
    team = "SELECT 1 FROM account WHERE id = ? AND kind = 'TEAM' AND sandbox_of IS NULL"
    if team_id is not None and first(db, team, (team_id,)) is None:
        yield Problem("recipient_team_id", "must be a team")


def _create(call: Call, db: Connection) -> object:
    project_id = _write_draft(call, db)
    attach_files(
        db, call.body["files"], project_id=project_id, engagement_id=None, now=call.now
    )
    note_project(db, call, action=LogAction.CREATED, project_id=project_id)
    if call.body.get("quantity") is not None and call.caller.kind == "TEAM":
        url = open_checkout(call, db, project_id=project_id)
        return {**shown_project(call, db, project_id=project_id), "checkout_url": url}
    if not call.body["draft"]:
        try:
            submit(call, db, project_id=project_id, wanted=call.body.get("iwi", []))
        except Refusal as refusal:
            if refusal.status_code != 402:
                raise
            # The draft stays; the answer has no id (interface, Errors 402).
            return Reply(response_object=None, message=refusal.message, status_code=402)
    return shown_project(call, db, project_id=project_id)


def _write_draft(call: Call, db: Connection) -> str:
    body, project_id = call.body, str(uuid.uuid4())
    organisation_id = _organisation_of(call, db)
    number = insert(
        db,
        "project",
        id=project_id,
        account_id=call.caller.account_id,
        **{name: body.get(name) for name in _FIELDS},
        status=ProjectStatus.DRAFT,
        priority=priority_of(body["type"]),
        address=body.get("address") or "",
        latitude=body.get("latitude"),
        longitude=body.get("longitude"),
        iwi_wanted=json.dumps(body.get("iwi", [])),
        organisation_id=organisation_id,
        recipient_team_id=call.given_id("recipient_team_id"),
        search_text=search_text(
            name=body["name"],
            reference=body.get("reference"),
            address=body.get("address") or "",
        ),
        created_on=call.now,
        updated_on=call.now,
    )
    add_parties(db, [call.caller.account_id], project_number=number, side="SENDER")
    _write_contact(call, db, project_id=project_id, organisation_id=organisation_id)
    return project_id


def search_text(*, name: str, reference: str | None, address: str) -> str:
    return folded("\n".join((name, reference or "", address)))


def _organisation_of(call: Call, db: Connection) -> str | None:
    if (given := call.body.get("organisation")) is not None:
        return create_organisation(db, call, given=given)
    return call.given_id("organisation_id")


def _write_contact(
    call: Call, db: Connection, *, project_id: str, organisation_id: str | None
) -> None:
    if (contact := call.body.get("contact")) is None:
        return
    create(
        db,
        "contact",
        project_id=project_id,
        organisation_id=organisation_id,
        **{name: contact.get(name) for name in ("name", "role", "phone", "email")},
        created_on=call.now,
    )


def _read(call: Call, db: Connection) -> dict[str, object]:
    return shown_project(call, db, project_id=find_project(call, db)["id"])


def _update(call: Call, db: Connection) -> dict[str, object]:
    """Change what the body names, and log each property that differs.

    A sent project can be changed as well: `can_edit` is advice (interface,
    Authentication 8).
    """
    project = find_own_project(call, db)
    new = {name: call.body.get(name, project[name]) for name in _FIELDS}
    for name in _FIELDS:
        if new[name] != project[name]:
            note_change(db, call, (name, project[name], new[name]), project=project)
    update(
        db,
        "project",
        project["id"],
        **new,
        priority=priority_of(new["type"]),
        search_text=search_text(
            name=new["name"], reference=new["reference"], address=project["address"]
        ),
        updated_on=call.now,
    )
    return shown_project(call, db, project_id=project["id"])


def _list(call: Call, db: Connection) -> dict[str, object]:
    values = {"account": call.caller.account_id, **dict(_values(call.query))}
    searched = any(name in values for name in _SEARCH_CLAUSES)
    counts = _tab_counts(db, values, searched=searched)
    tab = ActiveStatus(call.query.last("active_status") or ActiveStatus.ALL)
    if tab is not ActiveStatus.ALL:
        values["tab"] = json.dumps(_TABS[tab])
    numbers: list[int] = []
    if call.query.offset < counts[tab]:
        numbers = _numbers(db, values, query=call.query, searched=searched)
    rows = db.execute(
        "SELECT * FROM project_shown WHERE number IN"
        " (SELECT value FROM json_each(?)) ORDER BY number DESC",
        (json.dumps(numbers),),
    )
    page = page_of(
        [listed_project(row) for row in rows], total=counts[tab], query=call.query
    )
    return {**page, "tab_counts": counts}


def _values(query: Query) -> Iterator[tuple[str, Any]]:
    """Give the parameters, by name of clause."""
    for name in ("type", "status", "priority"):
        if chosen := query.given.get(name):
            yield name, json.dumps(chosen)
    for name, form in _COMPARED.items():
        if wanted := query.last(name):
            yield name, form(wanted)
    if query.only_statuses:
        yield "only_statuses", json.dumps(query.only_statuses)
    if query.made_until:
        yield "made_until", query.made_until
    yield from _sought(folded(query.last("search")))


def _sought(text: str) -> Iterator[tuple[str, str]]:
    if len(text) < _SHORTEST_INDEXED or "\0" in text:
        if text:
            yield "scanned", text
    else:
        # A phrase of trigrams matches a part of the text.
        yield "indexed", '"' + text.replace('"', '""') + '"'


def _where(begins: str, values: Mapping[str, Any]) -> str:
    clauses = {**_CELL_CLAUSES, **_SEARCH_CLAUSES}
    asked = [clause for name, clause in clauses.items() if name in values]
    return " AND ".join([begins, *asked])


def _tab_counts(
    db: Connection, values: Mapping[str, Any], *, searched: bool
) -> dict[str, int]:
    begins = (
        f"SELECT party.status, count(*) AS n {_FOUND}"
        if searched
        else f"SELECT party.status, sum(party.n) AS n {_COUNTED}"
    )
    rows = db.execute(f"{_where(begins, values)} GROUP BY party.status", values)
    by_status = {row["status"]: row["n"] for row in rows}
    return {
        tab.value: sum(by_status.get(status, 0) for status in statuses)
        for tab, statuses in _TABS.items()
    }


def _numbers(
    db: Connection, values: Mapping[str, Any], *, query: Query, searched: bool
) -> list[int]:
    """Give the numbers of one page's projects, newest first."""
    if any(name in values for name in _CELL_CLAUSES) and not searched:
        return _merged(db, values, query=query)
    begins = (
        f"SELECT party.project_number {_FOUND}"
        if searched
        else "SELECT project_number FROM party WHERE account_id = :account"
    )
    rows = db.execute(
        f"{_where(begins, values)}"
        " ORDER BY party.project_number DESC LIMIT :limit OFFSET :offset",
        {**values, "limit": query.limit, "offset": query.offset},
    )
    return [row["project_number"] for row in rows]


def _merged(db: Connection, values: Mapping[str, Any], *, query: Query) -> list[int]:
    """Merge the newest of every cell; each is read only as far as needed."""
    begins = f"SELECT DISTINCT party.status, party.type, party.sender_id {_COUNTED}"
    cells = db.execute(_where(begins, values), values).fetchall()
    end = query.offset + query.limit
    found = (db.execute(_ONE_CELL, (values["account"], *cell, end)) for cell in cells)
    ranges = [(row["project_number"] for row in rows) for rows in found]
    return list(islice(heapq.merge(*ranges, reverse=True), query.offset, end))


RULES: Final = {
    "project_create": Rule(act=_create, check=_check),
    "project_list": Rule(act=_list),
    "project_read": Rule(act=_read),
    "project_update": Rule(act=_update, check=lambda call, _: _day_problems(call)),
}
