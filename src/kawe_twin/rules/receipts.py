"""What is printed (interface, Receipt and Report).

Each sent project has one receipt. Reports are requested, and listed later.
"""

from collections.abc import Sequence
from functools import partial
from sqlite3 import Connection, Row
from typing import Final

from kawe_twin.calls.call import Call, Rule, paged
from kawe_twin.rules.project_view import find_project
from kawe_twin.rules.teams import own_account_id
from kawe_twin.storage.papers import NEW_ZEALAND, Paper, new_zealand_time, to_json
from kawe_twin.store.accounts import find_account
from kawe_twin.store.database import create, insert
from kawe_twin.world.clock import instant_after
from kawe_twin.world.keys import Occasion

BUILD_SECONDS: Final = 1.0
"""Time from the request of a report until it is listed."""


def write_receipt(
    occasion: Occasion, db: Connection, *, project: Row, sent_to: Sequence[str]
) -> None:
    """Write the receipt of a send, with its current content."""
    count = db.execute("SELECT coalesce(max(number), 0) + 1 FROM receipt").fetchone()[0]
    receipt_number = f"KR-{occasion.at.astimezone(NEW_ZEALAND).year}-{count:06d}"
    submission_number = f"KS-{count:06d}"
    paper = Paper(
        title="Receipt of engagement",
        made_at=occasion.at,
        facts=[
            ("Receipt number", receipt_number),
            ("Submission number", submission_number),
            ("Project", project["name"]),
            ("Reference", project["reference"] or ""),
            ("Project id", project["id"]),
            ("Sent by", find_account(db, occasion.caller.team_id)["name"]),
            ("Sent to", "\n".join(sent_to)),
            ("Sent at", new_zealand_time(occasion.at)),
        ],
        paragraphs=["Made by kawe’s twin of the service. It proves nothing to others."],
    )
    _write_paper(
        occasion,
        db,
        "receipt",
        paper=paper,
        name=receipt_number,
        project=project,
        receipt_number=receipt_number,
        submission_number=submission_number,
    )


def _write_paper(
    occasion: Occasion,
    db: Connection,
    table: str,
    *,
    paper: Paper,
    name: str,
    project: Row,
    **listed: object,
) -> None:
    """Store a paper, and list it; its PDF is made on the first download."""
    both = {
        "account_id": occasion.caller.account_id,
        "project_id": project["id"],
        "created_on": occasion.now,
    }
    document_id = create(
        db,
        "document",
        name=f"{name}.pdf",
        mime_type="application/pdf",
        state="PAPER",
        updated_on=occasion.now,
        **both,
    )
    insert(db, "paper", document_id=document_id, content=to_json(paper))
    listed |= {"document_id": document_id, "project_name": project["name"]}
    create(db, table, **both, **listed)


_RECEIPTS: Final = (
    "SELECT id, document_id, project_name, receipt_number, submission_number,"
    " created_on FROM receipt WHERE account_id = :account"
)
# A project may have no reference; its report says an empty one.
_REPORTS: Final = (
    "SELECT id, document_id, project_name, coalesce(reference, '') AS reference,"
    " created_on FROM report WHERE account_id = :account AND listed_at <= :now"
)


def _list(statement: str, call: Call, db: Connection) -> dict[str, object]:
    own_account_id(call)
    about = {"account": call.caller.account_id, "now": call.now}
    return paged(db, statement, call.query, shown=dict, **about)


def _request(call: Call, db: Connection) -> bool:
    """Write a report now, listed later; `all` adds the account's own notes."""
    project = find_project(call, db)
    _write_paper(
        call,
        db,
        "report",
        paper=_paper(call, db, project=project),
        name=f"report-{call.at:%Y%m%d-%H%M%S}",
        project=project,
        reference=project["reference"],
        listed_at=instant_after(call.at, seconds=BUILD_SECONDS),
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


RULES: Final = {
    "receipt_list": Rule(act=partial(_list, _RECEIPTS)),
    "project_report": Rule(act=_request),
    "report_list": Rule(act=partial(_list, _REPORTS)),
}
