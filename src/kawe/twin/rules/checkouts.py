"""Finishing a purchase that a submission began (interface, `quantity`)."""

from __future__ import annotations

from sqlite3 import Connection, Row

from kawe.twin.envelope import Refusal, not_found
from kawe.twin.rules.tokens import buy


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
    """Pay a checkout, once; give it as it was before.

    Raises:
        Refusal: 404, there is none; 409, it has been paid.
    """
    row = find_checkout(db, checkout_id=checkout_id)
    if row["paid_on"] is not None:
        raise Refusal(status_code=409, message="This checkout has been paid already.")
    buy(db, account_id=row["account_id"], quantity=row["quantity"], now=now)
    db.execute("UPDATE checkout SET paid_on = ? WHERE id = ?", (now, checkout_id))
    return row
