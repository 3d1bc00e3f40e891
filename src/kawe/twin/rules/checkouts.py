"""Buying tokens as part of a submission (interface, `quantity`).

The API never charges a card: it gives an address, and a person pays there in
the portal. Paying buys the tokens and then submits the project.
"""

from __future__ import annotations

import json
import uuid
from datetime import datetime
from sqlite3 import Connection, Row

from kawe.contract.enums import ProjectStatus
from kawe.twin.call import Call
from kawe.twin.envelope import Refusal, not_found
from kawe.twin.occasion import Deed
from kawe.twin.rules.iwi import recipients
from kawe.twin.rules.project_send import submit
from kawe.twin.rules.tokens import buy
from kawe.twin.store.accounts import caller_of


def open_checkout(call: Call, db: Connection, *, project_id: str) -> str:
    """Open a purchase for a new project; give the address where it is paid.

    With `draft` true the tokens are bought and the project stays a draft.

    Raises:
        Refusal: 400, the project could not be submitted even when paid.
    """
    submits = not call.body["draft"]
    if submits:
        project = db.execute(
            "SELECT * FROM project WHERE id = ?", (project_id,)
        ).fetchone()
        recipients(db, project, wanted=call.body.get("iwi", []))
    checkout_id = str(uuid.uuid4())
    db.execute(
        "INSERT INTO checkout (id, account_id, project_id, quantity, submits,"
        " created_on) VALUES (?, ?, ?, ?, ?, ?)",
        (
            checkout_id,
            call.caller.account_id,
            project_id,
            int(call.body["quantity"]),
            submits,
            call.now,
        ),
    )
    return f"{call.setup.api_url}/portal/checkout/{checkout_id}"


def find_checkout(db: Connection, *, checkout_id: str) -> Row:
    """Find a checkout, with the names of its team and project.

    Raises:
        Refusal: 404, there is none.
    """
    row: Row | None = db.execute(
        "SELECT checkout.*, account.name AS account_name, account.balance,"
        " project.name AS project_name, project.status AS project_status"
        " FROM checkout JOIN account ON account.id = checkout.account_id"
        " JOIN project ON project.id = checkout.project_id WHERE checkout.id = ?",
        (checkout_id,),
    ).fetchone()
    if row is None:
        raise not_found()
    return row


def pay(db: Connection, *, checkout_id: str, now: str) -> Row:
    """Pay a checkout, once: buy its tokens, then submit its project.

    Gives the checkout as it is afterwards; `project_status` tells whether the
    project went out. What was sent meanwhile is not sent again, and what has
    nobody to go to any more stays a draft; the tokens are the team's all the
    same.

    Raises:
        Refusal: 404, there is none; 409, it has been paid.
    """
    row = find_checkout(db, checkout_id=checkout_id)
    if row["paid_on"] is not None:
        raise Refusal(status_code=409, message="This checkout has been paid already.")
    buy(db, account_id=row["account_id"], quantity=row["quantity"], now=now)
    db.execute("UPDATE checkout SET paid_on = ? WHERE id = ?", (now, checkout_id))
    if row["submits"] and row["project_status"] == ProjectStatus.DRAFT:
        _submit(db, row, now=now)
    return find_checkout(db, checkout_id=checkout_id)


def _submit(db: Connection, checkout: Row, *, now: str) -> None:
    project = db.execute(
        "SELECT * FROM project WHERE id = ?", (checkout["project_id"],)
    ).fetchone()
    deed = Deed(
        caller=caller_of(db, account_id=checkout["account_id"]),
        at=datetime.fromisoformat(now),
    )
    try:
        submit(
            deed,
            db,
            project_id=project["id"],
            wanted=json.loads(project["iwi_wanted"]),
        )
    except Refusal as refusal:
        # `submit` refuses before it writes; anything else would be a fault.
        if refusal.status_code != 400:
            raise
