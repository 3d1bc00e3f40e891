"""The thread of a project (interface, Engagement)."""

from __future__ import annotations

from sqlite3 import Connection, Row

from kawe.twin.call import Call, Rule
from kawe.twin.paging import page_of
from kawe.twin.rules.project_view import find_project
from kawe.twin.rules.uploads import document_shown


def _list(call: Call, db: Connection) -> dict[str, object]:
    """List newest first; notes only to their author's team."""
    project = find_project(call, db)
    where = {
        "project": project["id"],
        "account": call.caller.account_id,
        "limit": call.query.limit,
        "offset": call.query.offset,
    }
    total = db.execute(
        "SELECT count(*) FROM engagement WHERE project_id = :project"
        " AND deleted_on IS NULL AND (is_internal = 0 OR account_id = :account)",
        where,
    ).fetchone()[0]
    rows = db.execute(
        "SELECT engagement.*, first_name, last_name, profile_picture_url"
        " FROM engagement LEFT JOIN person ON person.id = engagement.person_id"
        " WHERE project_id = :project AND deleted_on IS NULL"
        " AND (is_internal = 0 OR account_id = :account)"
        " ORDER BY number DESC LIMIT :limit OFFSET :offset",
        where,
    ).fetchall()
    return page_of(
        [shown_engagement(db, row) for row in rows], total=total, query=call.query
    )


def shown_entry(db: Connection, entry_id: str) -> dict[str, object]:
    """Show the entry with this id."""
    row = db.execute(
        "SELECT engagement.*, first_name, last_name, profile_picture_url"
        " FROM engagement LEFT JOIN person ON person.id = engagement.person_id"
        " WHERE engagement.id = ?",
        (entry_id,),
    ).fetchone()
    return shown_engagement(db, row)


def shown_engagement(db: Connection, row: Row) -> dict[str, object]:
    """Show one entry with its documents."""
    documents = db.execute(
        "SELECT * FROM document WHERE engagement_id = ? ORDER BY number", (row["id"],)
    )
    return {
        "id": row["id"],
        "is_internal": row["is_internal"] > 0,
        "project_id": row["project_id"],
        "content": row["content"],
        "meeting_type": row["meeting_type"],
        "created_by": person_shown(row),
        "documents": [document_shown(document) for document in documents],
        "created_on": row["created_on"],
        "updated_on": row["updated_on"],
    }


def person_shown(row: Row) -> dict[str, object] | None:
    """Show the person whose names a row carries, or nobody."""
    if row["first_name"] is None:
        return None
    shown = ("first_name", "last_name", "profile_picture_url")
    return {name: row[name] for name in shown}


ENGAGEMENT_LIST = Rule(act=_list)
