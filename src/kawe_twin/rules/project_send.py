"""Sending a project to iwi: once, for one token, with one receipt.

A submission can buy its tokens (interface, `quantity`): a person pays in the portal,
which buys the tokens and submits the project.
"""

import json
from collections.abc import Sequence
from datetime import datetime
from sqlite3 import Connection, Row
from typing import Final

from kawe_contract.enums import LogAction, ProjectStatus
from kawe_twin.calls.call import Call, Rule
from kawe_twin.rules.iwi import recipients
from kawe_twin.rules.project_view import find_own_project, shown_project
from kawe_twin.rules.receipts import write_receipt
from kawe_twin.rules.tokens import buy, spend
from kawe_twin.store.accounts import caller_of
from kawe_twin.store.database import create, found, update
from kawe_twin.store.projects import add_parties, note_project, write_entry
from kawe_twin.world.answers import Refusal
from kawe_twin.world.keys import Occasion


def _send(call: Call, db: Connection) -> dict[str, object]:
    project = find_own_project(call, db)
    if project["status"] != ProjectStatus.DRAFT:
        if call.query.sends_again:
            return _send_again(call, db, project_id=project["id"])
        raise Refusal(409, "The project has been sent already.")
    wanted = call.body.get("iwi") or json.loads(project["iwi_wanted"])
    submit(call, db, project_id=project["id"], wanted=wanted)
    # The thread begins with the message that came with the send.
    write_entry(db, call, project_id=project["id"], content=call.body["message"])
    return shown_project(call, db, project_id=project["id"])


def _send_again(call: Call, db: Connection, *, project_id: str) -> dict[str, object]:
    """Send a sent project again for one more token; only a fault does so."""
    spend(db, call, project_id=project_id, reason="SENT")
    note_project(db, call, action=LogAction.SENT, project_id=project_id)
    return shown_project(call, db, project_id=project_id)


def submit(
    occasion: Occasion, db: Connection, *, project_id: str, wanted: Sequence[str]
) -> None:
    """Send a draft: take the token, tell the iwi, write the receipt."""
    project = found(db, "SELECT * FROM project WHERE id = ?", (project_id,))
    iwi = recipients(db, project, wanted=wanted)
    spend(db, occasion, project_id=project_id, reason="SENT")
    update(
        db,
        "project",
        project_id,
        status=ProjectStatus.NEW,
        iwi_name=", ".join(row["name"] for row in iwi) or None,
        free_reply=True,
        sent_on=occasion.now,
        updated_on=occasion.now,
    )
    team = "SELECT * FROM account WHERE id = ?"
    told = [*iwi, *db.execute(team, (project["recipient_team_id"],))]
    if not occasion.caller.sandbox:
        # A sandbox reaches nobody.
        ids = [row["id"] for row in told]
        add_parties(db, ids, project_number=project["number"], side="RECIPIENT")
    write_receipt(occasion, db, project=project, sent_to=[row["name"] for row in told])
    note_project(db, occasion, action=LogAction.SENT, project_id=project_id)


def open_checkout(call: Call, db: Connection, *, project_id: str) -> str:
    """Open a purchase for a new project; give the address where it is paid.

    With `draft` true the tokens are bought and the project stays a draft; any other one
    could be submitted when it is paid.
    """
    submits = not call.body["draft"]
    if submits:
        project = found(db, "SELECT * FROM project WHERE id = ?", (project_id,))
        recipients(db, project, wanted=call.body.get("iwi", []))
    checkout_id = create(
        db,
        "checkout",
        account_id=call.caller.account_id,
        project_id=project_id,
        quantity=int(call.body["quantity"]),
        submits=submits,
        created_on=call.now,
    )
    return f"{call.setup.api_url}/portal/checkout/{checkout_id}"


def find_checkout(db: Connection, *, checkout_id: str) -> Row:
    """Find a checkout, with the names of its team and project; 404 for none."""
    return found(
        db,
        "SELECT checkout.*, account.name AS account_name, account.balance,"
        " project.name AS project_name, project.status AS project_status"
        " FROM checkout JOIN account ON account.id = checkout.account_id"
        " JOIN project ON project.id = checkout.project_id WHERE checkout.id = ?",
        (checkout_id,),
    )


def pay(db: Connection, *, checkout_id: str, now: str) -> Row:
    """Pay a checkout, once: buy its tokens, then submit its project; 409 once paid.

    Gives the paid checkout with the `project_status`. A sent project is not sent again,
    and one without recipients stays a draft; the team keeps the tokens.
    """
    row = find_checkout(db, checkout_id=checkout_id)
    if row["paid_on"] is not None:
        raise Refusal(409, "This checkout has been paid already.")
    buy(db, account_id=row["account_id"], quantity=row["quantity"], now=now)
    update(db, "checkout", checkout_id, paid_on=now)
    if row["submits"] and row["project_status"] == ProjectStatus.DRAFT:
        _submit_paid(db, row, now=now)
    return find_checkout(db, checkout_id=checkout_id)


def _submit_paid(db: Connection, checkout: Row, *, now: str) -> None:
    project_id = checkout["project_id"]
    project = found(db, "SELECT * FROM project WHERE id = ?", (project_id,))
    occasion = Occasion(
        caller=caller_of(db, account_id=checkout["account_id"]),
        at=datetime.fromisoformat(now),
    )
    try:
        wanted = json.loads(project["iwi_wanted"])
        submit(occasion, db, project_id=project_id, wanted=wanted)
    except Refusal as refusal:
        # `submit` refuses before it writes; anything else would be a fault.
        if refusal.status_code != 400:
            raise


RULES: Final = {"project_send": Rule(act=_send)}
