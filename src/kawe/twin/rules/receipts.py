"""Receipts: one per project sent, proof of engagement (interface, Receipt)."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from sqlite3 import Connection, Row

from kawe.twin.call import Call, Rule
from kawe.twin.occasion import Occasion
from kawe.twin.paging import page_of
from kawe.twin.papers import NEW_ZEALAND, Paper, new_zealand_time, to_json
from kawe.twin.rules.teams import own_account_id


def write_receipt(
    occasion: Occasion, db: Connection, *, project: Row, iwi: Sequence[str]
) -> None:
    """Write the receipt of a send, with its paper as things stand now."""
    count = db.execute("SELECT coalesce(max(number), 0) + 1 FROM receipt").fetchone()[0]
    receipt_number = f"KR-{occasion.at.astimezone(NEW_ZEALAND).year}-{count:06d}"
    submission_number = f"KS-{count:06d}"
    team = db.execute(
        "SELECT name FROM account WHERE id = ?", (occasion.caller.team_id,)
    ).fetchone()
    paper = Paper(
        title="Receipt of engagement",
        made_at=occasion.at,
        facts=[
            ("Receipt number", receipt_number),
            ("Submission number", submission_number),
            ("Project", project["name"]),
            ("Reference", project["reference"] or ""),
            ("Project id", project["id"]),
            ("Sent by", team["name"]),
            ("Sent to", "\n".join(iwi)),
            ("Sent at", new_zealand_time(occasion.at)),
        ],
        paragraphs=["Made by kawe’s twin of the service. It proves nothing to others."],
    )
    document_id = write_paper(
        occasion,
        db,
        paper=paper,
        name=f"{receipt_number}.pdf",
        project_id=project["id"],
    )
    db.execute(
        "INSERT INTO receipt (id, account_id, project_id, document_id,"
        " project_name, receipt_number, submission_number, created_on)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (
            str(uuid.uuid4()),
            occasion.caller.account_id,
            project["id"],
            document_id,
            project["name"],
            receipt_number,
            submission_number,
            occasion.now,
        ),
    )


def write_paper(
    occasion: Occasion, db: Connection, *, paper: Paper, name: str, project_id: str
) -> str:
    """Keep what a paper says; it is printed when it is first fetched."""
    document_id = str(uuid.uuid4())
    db.execute(
        "INSERT INTO document (id, account_id, name, mime_type, state, project_id,"
        " created_on, updated_on)"
        " VALUES (?, ?, ?, 'application/pdf', 'PAPER', ?, ?, ?)",
        (
            document_id,
            occasion.caller.account_id,
            name,
            project_id,
            occasion.now,
            occasion.now,
        ),
    )
    db.execute(
        "INSERT INTO paper (document_id, content) VALUES (?, ?)",
        (document_id, to_json(paper)),
    )
    return document_id


def _list(call: Call, db: Connection) -> dict[str, object]:
    own_account_id(call)
    account_id = call.caller.account_id
    total = db.execute(
        "SELECT count(*) FROM receipt WHERE account_id = ?", (account_id,)
    ).fetchone()[0]
    rows = db.execute(
        "SELECT id, document_id, project_name, receipt_number, submission_number,"
        " created_on FROM receipt WHERE account_id = ? ORDER BY number DESC"
        " LIMIT ? OFFSET ?",
        (account_id, call.query.limit, call.query.offset),
    )
    return page_of([dict(row) for row in rows], total=total, query=call.query)


RECEIPT_LIST = Rule(act=_list)
