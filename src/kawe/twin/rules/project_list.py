"""Listing projects (interface, Query parameters of GET /projects).

Newest first, drafts included. Filters combine with AND, repeated values of
one with OR; the tabs are counted before the tab itself is applied.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from sqlite3 import Connection
from typing import Any, Final

from kawe.contract.enums import ActiveStatus, ProjectStatus
from kawe.twin.call import Call, Rule
from kawe.twin.folding import folded
from kawe.twin.paging import page_of
from kawe.twin.queries import Query
from kawe.twin.rules.project_view import listed_project

_SHORTEST_INDEXED: Final = 3

# Each is used only when its parameter was given; values are bound, never
# written into the text.
_CLAUSES: Final = {
    "types": "project.type IN (SELECT value FROM json_each(:types))",
    "priorities": "project.priority IN (SELECT value FROM json_each(:priorities))",
    "organisation": "project.organisation_id IN"
    " (SELECT id FROM organisation WHERE name_folded = :organisation)",
    "local_authority": "project.account_id IN"
    " (SELECT id FROM account WHERE lower(local_authority) = :local_authority)",
    "assigned_to": ":assigned_to IN (project.assigned_to, project.sender_assigned_to)",
    "indexed": "project.number IN (SELECT rowid FROM project_search"
    " WHERE project_search MATCH :indexed)",
    "scanned": "instr(project.search_text, :scanned) > 0",
}
_STATUSES: Final = "party.status IN (SELECT value FROM json_each(:statuses))"
_TAB: Final = "party.status IN (SELECT value FROM json_each(:tab))"

# The text of a query is put together from constants of this module alone.
_PAGE_BEGINS: Final = (
    "SELECT * FROM project_shown WHERE number IN (SELECT party.project_number FROM"
)
_PAGE_ENDS: Final = (
    "ORDER BY party.project_number DESC LIMIT :limit OFFSET :offset)"
    " ORDER BY number DESC"
)
_COUNT_BEGINS: Final = "SELECT party.status, count(*) AS n FROM"

_OVER: Final = {
    ActiveStatus.CLOSED: (ProjectStatus.CLOSED,),
    ActiveStatus.COMPLETED: (ProjectStatus.COMPLETE,),
}
_TABS: Final = {
    ActiveStatus.ALL: tuple(ProjectStatus),
    ActiveStatus.ACTIVE: tuple(
        status
        for status in ProjectStatus
        if status not in (ProjectStatus.CLOSED, ProjectStatus.COMPLETE)
    ),
    **_OVER,
}


def _list(call: Call, db: Connection) -> dict[str, object]:
    values = dict(_values(call.query))
    values["account"] = call.caller.account_id
    counts = _tab_counts(db, values)
    tab = ActiveStatus(call.query.active_status)
    rows = db.execute(
        "\n".join((_PAGE_BEGINS, _from(values), f"AND {_TAB}", _PAGE_ENDS)),
        {
            **values,
            "tab": json.dumps(_TABS[tab]),
            "limit": call.query.limit,
            "offset": call.query.offset,
        },
    )
    page = page_of(
        [listed_project(row) for row in rows], total=counts[tab], query=call.query
    )
    return {**page, "tab_counts": counts}


def _values(query: Query) -> Iterator[tuple[str, Any]]:
    """Give what was asked for, by the name of its clause."""
    for name in ("types", "statuses", "priorities"):
        if chosen := getattr(query, name):
            yield name, json.dumps(chosen)
    if query.organisation:
        yield "organisation", folded(query.organisation)
    if query.local_authority:
        yield "local_authority", query.local_authority.lower()
    if query.assigned_to:
        yield "assigned_to", query.assigned_to
    sought = folded(query.search)
    if len(sought) < _SHORTEST_INDEXED or "\0" in sought:
        if sought:
            yield "scanned", sought
    else:
        # One phrase of trigrams, which is the same as a part of the text.
        yield "indexed", '"' + sought.replace('"', '""') + '"'


def _from(values: dict[str, Any]) -> str:
    asked = [clause for name, clause in _CLAUSES.items() if name in values]
    if "statuses" in values:
        asked.append(_STATUSES)
    join = "party JOIN project ON project.number = party.project_number"
    # Without a filter on the project itself, one index answers.
    source = join if any("project." in clause for clause in asked) else "party"
    return " AND ".join([f"{source} WHERE party.account_id = :account", *asked])


def _tab_counts(db: Connection, values: dict[str, Any]) -> dict[str, int]:
    rows = db.execute(
        "\n".join((_COUNT_BEGINS, _from(values), "GROUP BY party.status")), values
    )
    by_status = {row["status"]: row["n"] for row in rows}
    return {
        tab.value: sum(by_status.get(status, 0) for status in statuses)
        for tab, statuses in _TABS.items()
    }


PROJECT_LIST = Rule(act=_list)
