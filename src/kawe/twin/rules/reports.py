"""Engagement reports. They build on their own time (interface, Report)."""

from __future__ import annotations

import uuid
from sqlite3 import Connection, Row
from typing import Final

from kawe.twin.call import Call, Rule
from kawe.twin.clock import instant_after
from kawe.twin.paging import page_of
from kawe.twin.papers import Paper, new_zealand_time
from kawe.twin.rules.project_view import find_project
from kawe.twin.rules.receipts import write_paper
from kawe.twin.rules.teams import own_account_id

BUILD_SECONDS: Final = 1.0
"""How long a report is not yet listed after it was asked for."""


def _request(call: Call, db: Connection) -> bool:
    """Take the report's words down now; it is listed once it is built.

    `all` adds the account's own notes to what both sides can see.
    """
    project = find_project(call, db)
    document_id = write_paper(
        call,
        db,
        paper=_paper(call, db, project=project),
        name=f"report-{call.at:%Y%m%d-%H%M%S}.pdf",
        project_id=project["id"],
    )
    db.execute(
        "INSERT INTO report (id, account_id, project_id, document_id, project_name,"
        " reference, created_on, listed_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (
            str(uuid.uuid4()),
            call.caller.account_id,
            project["id"],
            document_id,
            project["name"],
            project["reference"],
            call.now,
            instant_after(call.at, seconds=BUILD_SECONDS),
        ),
    )
    return True


def _paper(call: Call, db: Connection, *, project: Row) -> Paper:
    entries = db.execute(
        "SELECT engagement.*, account.name AS author FROM engagement"
        " JOIN account ON account.id = engagement.account_id"
        " WHERE project_id = :project AND deleted_on IS NULL AND (is_internal = 0"
        "  OR (:all AND engagement.account_id = :account))"
        " ORDER BY number",
        {
            "project": project["id"],
            "all": bool(call.body.get("all")),
            "account": call.caller.account_id,
        },
    )
    return Paper(
        title="Engagement report",
        made_at=call.at,
        facts=[
            ("Project", project["name"]),
            ("Reference", project["reference"] or ""),
            ("Sent to", project["iwi_name"] or ""),
            ("Made at", new_zealand_time(call.at)),
        ],
        paragraphs=[
            f"{row['created_on']} {row['author']}\n{row['content'] or ''}"
            for row in entries
        ],
    )


def _list(call: Call, db: Connection) -> dict[str, object]:
    own_account_id(call)
    account_id = call.caller.account_id
    total = db.execute(
        "SELECT count(*) FROM report WHERE account_id = ? AND listed_at <= ?",
        (account_id, call.now),
    ).fetchone()[0]
    rows = db.execute(
        "SELECT id, document_id, project_name, reference, created_on FROM report"
        " WHERE account_id = ? AND listed_at <= ? ORDER BY number DESC"
        " LIMIT ? OFFSET ?",
        (account_id, call.now, call.query.limit, call.query.offset),
    )
    # A project may have no reference; its report says an empty one.
    shown = [{**dict(row), "reference": row["reference"] or ""} for row in rows]
    return page_of(shown, total=total, query=call.query)


PROJECT_REPORT = Rule(act=_request)
REPORT_LIST = Rule(act=_list)
