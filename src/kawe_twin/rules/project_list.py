"""Listing projects (interface, Query parameters of GET /projects).

Newest first, drafts included. Filters combine with AND, repeated values of
one with OR; the tabs are counted before the tab itself is applied.

Lists without a filter, or by status, type, priority and local authority, take constant
time: triggers count each cell (status, type, priority, sender), and a page merges one
index range per cell. A search, an organisation and an assignee cost what they match; a
search of one or two characters reads all.
"""

from __future__ import annotations

import heapq
import json
from collections.abc import Iterator, Mapping
from itertools import islice
from sqlite3 import Connection, Row
from typing import Any, Final

from kawe_contract.enums import ActiveStatus, ProjectStatus
from kawe_twin.calls.call import Call, Rule
from kawe_twin.calls.queries import Query, folded, page_of
from kawe_twin.rules.project_view import listed_project
from kawe_twin.world.flags import OVER

_SHORTEST_INDEXED: Final = 3

# Used only when the parameter was given. Values are bound; the text of every query is
# made of constants of this module.
_CELL_CLAUSES: Final = {
    "statuses": "party.status IN (SELECT value FROM json_each(:statuses))",
    "types": "party.type IN (SELECT value FROM json_each(:types))",
    "priorities": "party.priority IN (SELECT value FROM json_each(:priorities))",
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


def _list(call: Call, db: Connection) -> dict[str, object]:
    values = {"account": call.caller.account_id, **dict(_values(call.query))}
    searched = any(name in values for name in _SEARCH_CLAUSES)
    counts = _tab_counts(db, values, searched=searched)
    tab = ActiveStatus(call.query.active_status)
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
    for name in ("types", "statuses", "only_statuses", "priorities"):
        if chosen := getattr(query, name):
            yield name, json.dumps(chosen)
    if query.organisation:
        yield "organisation", folded(query.organisation)
    if query.local_authority:
        yield "local_authority", query.local_authority.lower()
    for name in ("assigned_to", "made_until"):
        if wanted := getattr(query, name):
            yield name, wanted
    yield from _sought(folded(query.search))


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
    narrowed = any(name in values for name in _CELL_CLAUSES)
    if narrowed and not searched:
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
    ranges = [
        _newest(db, cell, account_id=values["account"], limit=end) for cell in cells
    ]
    return list(islice(heapq.merge(*ranges, reverse=True), query.offset, end))


def _newest(db: Connection, cell: Row, *, account_id: str, limit: int) -> Iterator[int]:
    for row in db.execute(_ONE_CELL, (account_id, *cell, limit)):
        yield row["project_number"]


RULES: Final = {"project_list": Rule(act=_list)}
