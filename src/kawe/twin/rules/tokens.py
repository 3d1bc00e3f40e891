"""Tokens: spending one, and buying a pack (interface, Token rules)."""

from __future__ import annotations

import uuid
from sqlite3 import Connection, Row
from typing import Final, Literal, TypeAlias

from kawe.contract.limits import TOKEN_PACKS
from kawe.twin.call import Call, Rule
from kawe.twin.envelope import Refusal
from kawe.twin.occasion import Occasion
from kawe.twin.paging import page_of
from kawe.twin.rules.teams import own_account_id

Reason: TypeAlias = Literal["START", "BOUGHT", "SENT", "RESPONDED"]

TOKEN_PRICE_CENTS: Final = 11_500
"""GST inclusive. The interface states no price; this one is the twin's."""

NO_TOKENS: Final = (
    "No tokens are available. Tokens must be purchased to submit the project."
)


def spend(
    db: Connection, occasion: Occasion, *, project_id: str, reason: Reason
) -> None:
    """Take one token, unless the account never pays.

    Raises:
        Refusal: 402, none is left; nothing was written.
    """
    if not occasion.caller.pays:
        return
    taken = db.execute(
        "UPDATE account SET balance = balance - 1 WHERE id = ? AND balance > 0",
        (occasion.caller.account_id,),
    )
    if taken.rowcount == 0:
        raise Refusal(status_code=402, message=NO_TOKENS)
    db.execute(
        "INSERT INTO token_entry (account_id, change, reason, project_id, created_on)"
        " VALUES (?, -1, ?, ?, ?)",
        (occasion.caller.account_id, reason, project_id, occasion.now),
    )


def buy(db: Connection, *, account_id: str, quantity: int, now: str) -> int:
    """Buy one pack, write its invoice, and give the new balance.

    Raises:
        Refusal: 400, no such pack, or 404, no such team.
    """
    if quantity not in TOKEN_PACKS:
        packs = ", ".join(str(pack) for pack in TOKEN_PACKS)
        raise Refusal(status_code=400, message=f"quantity must be one of {packs}")
    row = db.execute(
        "UPDATE account SET balance = balance + ? WHERE id = ? AND kind = 'TEAM'"
        " RETURNING balance",
        (quantity, account_id),
    ).fetchone()
    if row is None:
        raise Refusal(status_code=404, message="There is no such team.")
    db.execute(
        "INSERT INTO token_entry (account_id, change, reason, created_on)"
        " VALUES (?, ?, 'BOUGHT', ?)",
        (account_id, quantity, now),
    )
    db.execute(
        "INSERT INTO invoice (id, account_id, description, quantity, amount_cents,"
        " currency, status, created_on) VALUES (?, ?, ?, ?, ?, 'nzd', 'paid', ?)",
        (
            f"in_{uuid.uuid4().hex}",
            account_id,
            f"{quantity} token{'s'[: quantity != 1]}",
            quantity,
            quantity * TOKEN_PRICE_CENTS,
            now,
        ),
    )
    return int(row["balance"])


def _invoices(call: Call, db: Connection) -> dict[str, object]:
    account_id = own_account_id(call)
    total = db.execute(
        "SELECT count(*) FROM invoice WHERE account_id = ?", (account_id,)
    ).fetchone()[0]
    rows = db.execute(
        "SELECT * FROM invoice WHERE account_id = ? ORDER BY number DESC"
        " LIMIT ? OFFSET ?",
        (account_id, call.query.limit, call.query.offset),
    )
    return page_of([invoice_shown(row) for row in rows], total=total, query=call.query)


def invoice_shown(row: Row) -> dict[str, object]:
    """Show an invoice as the interface does."""
    return {
        "id": row["id"],
        "number": f"KI-{row['number']:06d}",
        "description": row["description"],
        "quantity": row["quantity"],
        "amount_total": row["amount_cents"],
        "currency": row["currency"],
        "status": row["status"],
        # The twin sells nothing, so there is no paper of a payment service.
        "download_url": None,
        "hosted_url": None,
        "created_on": row["created_on"],
    }


INVOICE_LIST = Rule(act=_invoices)
