"""Sending a project to iwi: once, for one token, with one receipt."""

from __future__ import annotations

import json
from collections.abc import Sequence
from sqlite3 import Connection, Row

from kawe.contract.enums import LogAction, ProjectStatus
from kawe.twin.call import Call, Rule
from kawe.twin.envelope import Refusal
from kawe.twin.occasion import Occasion
from kawe.twin.rules.iwi import recipients
from kawe.twin.rules.project_view import find_own_project, shown_project
from kawe.twin.rules.receipts import write_receipt
from kawe.twin.rules.tokens import spend
from kawe.twin.store.activity import note_project
from kawe.twin.store.engagements import ThreadEntry, write_entry
from kawe.twin.store.parties import add_parties


def _send(call: Call, db: Connection) -> dict[str, object]:
    project = find_own_project(call, db)
    if project["status"] != ProjectStatus.DRAFT:
        if call.query.sends_again:
            return _send_again(call, db, project_id=project["id"])
        raise Refusal(status_code=409, message="The project has been sent already.")
    wanted = call.body.get("iwi") or json.loads(project["iwi_wanted"])
    submit(call, db, project_id=project["id"], wanted=wanted)
    # The thread begins with the message that came with the send.
    entry = ThreadEntry(content=call.body["message"])
    write_entry(db, call, project_id=project["id"], entry=entry)
    return shown_project(call, db, project_id=project["id"])


def _send_again(call: Call, db: Connection, *, project_id: str) -> dict[str, object]:
    """Send what was sent: for one more token, as only the switchboard has it."""
    spend(db, call, project_id=project_id, reason="SENT")
    note_project(db, call, action=LogAction.SENT, project_id=project_id)
    return shown_project(call, db, project_id=project_id)


def submit(
    occasion: Occasion, db: Connection, *, project_id: str, wanted: Sequence[str]
) -> None:
    """Send a draft: take the token, tell the iwi, write the receipt.

    Raises:
        Refusal: 400, nobody to send to; 402, no token. Nothing was written.
    """
    project = db.execute("SELECT * FROM project WHERE id = ?", (project_id,)).fetchone()
    iwi = recipients(db, project, wanted=wanted)
    spend(db, occasion, project_id=project_id, reason="SENT")
    db.execute(
        "UPDATE project SET status = ?, iwi_name = ?, free_reply = 1,"
        " sent_on = ?, updated_on = ? WHERE id = ?",
        (
            ProjectStatus.NEW,
            ", ".join(row["name"] for row in iwi) or None,
            occasion.now,
            occasion.now,
            project_id,
        ),
    )
    if not occasion.caller.sandbox:
        _tell(db, project, iwi=iwi)
    names = [row["name"] for row in (*iwi, *_recipient_team(db, project))]
    write_receipt(occasion, db, project=project, iwi=names)
    note_project(db, occasion, action=LogAction.SENT, project_id=project_id)


def _tell(db: Connection, project: Row, *, iwi: Sequence[Row]) -> None:
    """Put the project before those it goes to; a sandbox reaches nobody."""
    told = [row["id"] for row in (*iwi, *_recipient_team(db, project))]
    add_parties(db, told, project_number=project["number"], side="RECIPIENT")


def _recipient_team(db: Connection, project: Row) -> list[Row]:
    return db.execute(
        "SELECT * FROM account WHERE id = ?", (project["recipient_team_id"],)
    ).fetchall()


PROJECT_SEND = Rule(act=_send)
