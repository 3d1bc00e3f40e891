"""Sending a project to iwi: once, for one token, with one receipt."""

from __future__ import annotations

import json
import uuid
from collections.abc import Sequence
from sqlite3 import Connection, Row

from kawe.contract.enums import LogAction, ProjectStatus
from kawe.twin.call import Call, Rule
from kawe.twin.envelope import Refusal
from kawe.twin.rules.iwi import recipients
from kawe.twin.rules.project_view import find_own_project, shown_project
from kawe.twin.rules.receipts import write_receipt
from kawe.twin.rules.tokens import spend
from kawe.twin.store.activity import note_project


def _send(call: Call, db: Connection) -> dict[str, object]:
    project = find_own_project(call, db)
    if project["status"] != ProjectStatus.DRAFT:
        raise Refusal(status_code=409, message="The project has been sent already.")
    wanted = call.body.get("iwi") or json.loads(project["iwi_wanted"])
    submit(call, db, project_id=project["id"], wanted=wanted)
    _write_message(call, db, project_id=project["id"])
    return shown_project(call, db, project_id=project["id"])


def submit(
    call: Call, db: Connection, *, project_id: str, wanted: Sequence[str]
) -> None:
    """Send a draft: take the token, tell the iwi, write the receipt.

    Raises:
        Refusal: 400, nobody to send to; 402, no token. Nothing was written.
    """
    project = db.execute("SELECT * FROM project WHERE id = ?", (project_id,)).fetchone()
    iwi = recipients(db, project, wanted=wanted)
    spend(db, call, project_id=project_id, reason="SENT")
    db.execute(
        "UPDATE project SET status = ?, iwi_name = ?, free_reply = 1,"
        " sent_on = ?, updated_on = ? WHERE id = ?",
        (
            ProjectStatus.NEW,
            ", ".join(row["name"] for row in iwi),
            call.now,
            call.now,
            project_id,
        ),
    )
    if not call.caller.sandbox:
        _tell(db, project, iwi=iwi)
    write_receipt(call, db, project=project, iwi=[row["name"] for row in iwi])
    note_project(db, call, action=LogAction.SENT, project_id=project_id)


def _tell(db: Connection, project: Row, *, iwi: Sequence[Row]) -> None:
    """Put the project before those it goes to; a sandbox reaches nobody."""
    told = [row["id"] for row in iwi]
    if project["recipient_team_id"] is not None:
        told.append(project["recipient_team_id"])
    db.executemany(
        "INSERT INTO party (account_id, project_number, side, status)"
        " VALUES (?, ?, 'RECIPIENT', ?) ON CONFLICT DO NOTHING",
        [(account_id, project["number"], ProjectStatus.NEW) for account_id in told],
    )


def _write_message(call: Call, db: Connection, *, project_id: str) -> None:
    """Begin the thread with the message that came with the send."""
    db.execute(
        "INSERT INTO engagement (id, project_id, account_id, person_id,"
        " is_internal, content, created_on, updated_on)"
        " VALUES (?, ?, ?, ?, 0, ?, ?, ?)",
        (
            str(uuid.uuid4()),
            project_id,
            call.caller.account_id,
            call.caller.person_id,
            call.body["message"],
            call.now,
            call.now,
        ),
    )


PROJECT_SEND = Rule(act=_send)
