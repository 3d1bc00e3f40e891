"""What happened to a project, and the documents it has."""

from __future__ import annotations

from sqlite3 import Connection, Row

from kawe.twin.call import Call, Rule
from kawe.twin.paging import page_of
from kawe.twin.rules.engagements import person_shown
from kawe.twin.rules.project_view import find_project
from kawe.twin.rules.uploads import document_shown


def _logs(call: Call, db: Connection) -> dict[str, object]:
    """List the log newest first, without what the other side keeps to itself."""
    where = _where(call, db)
    total = db.execute(
        "SELECT count(*) FROM activity WHERE project_id = :project"
        " AND (is_internal = 0 OR account_id = :account)",
        where,
    ).fetchone()[0]
    rows = db.execute(
        "SELECT activity.*, first_name, last_name, profile_picture_url"
        " FROM activity LEFT JOIN person ON person.id = activity.person_id"
        " WHERE project_id = :project"
        " AND (is_internal = 0 OR account_id = :account)"
        " ORDER BY number DESC LIMIT :limit OFFSET :offset",
        where,
    )
    return page_of([_entry(row) for row in rows], total=total, query=call.query)


def _entry(row: Row) -> dict[str, object]:
    as_is = ("id", "action", "resource", "property", "project_id", "created_on")
    return {
        **{name: row[name] for name in as_is},
        "from": row["before"],
        "to": row["after"],
        "created_by": person_shown(row),
    }


def _documents(call: Call, db: Connection) -> dict[str, object]:
    """List documents newest first.

    Receipts and reports are for the account they were made for.
    """
    where = _where(call, db)
    total = db.execute(
        "SELECT count(*) FROM document WHERE project_id = :project"
        " AND (state = 'READY' OR account_id = :account)",
        where,
    ).fetchone()[0]
    rows = db.execute(
        "SELECT * FROM document WHERE project_id = :project"
        " AND (state = 'READY' OR account_id = :account)"
        " ORDER BY number DESC LIMIT :limit OFFSET :offset",
        where,
    )
    return page_of([document_shown(row) for row in rows], total=total, query=call.query)


def _where(call: Call, db: Connection) -> dict[str, object]:
    return {
        "project": find_project(call, db)["id"],
        "account": call.caller.account_id,
        "limit": call.query.limit,
        "offset": call.query.offset,
    }


PROJECT_LOGS = Rule(act=_logs)
PROJECT_DOCUMENTS = Rule(act=_documents)
