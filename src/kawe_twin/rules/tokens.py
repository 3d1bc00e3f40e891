"""Tokens: spending one, and buying a pack (interface, Token rules)."""

import uuid
from sqlite3 import Connection, Row
from typing import Final, Literal, TypeAlias

from kawe_contract.limits import TOKEN_PACKS
from kawe_twin.calls.call import Call, Rule, paged
from kawe_twin.rules.teams import own_account_id
from kawe_twin.store.accounts import note_tokens
from kawe_twin.store.database import first, insert, picked
from kawe_twin.world.answers import Refusal
from kawe_twin.world.keys import Occasion

Reason: TypeAlias = Literal["START", "BOUGHT", "SENT", "RESPONDED"]

TOKEN_PRICE_CENTS: Final = 11_500
"""GST inclusive. The interface states no price; this one is the twin's."""

NO_TOKENS: Final = (
    "No tokens are available. Tokens must be purchased to submit the project."
)


def spend(
    db: Connection, occasion: Occasion, *, project_id: str, reason: Reason
) -> None:
    """Take one token, unless the account never pays; 402 when none is left."""
    if not occasion.caller.pays:
        return
    taken = db.execute(
        "UPDATE account SET balance = balance - 1 WHERE id = ? AND balance > 0",
        (occasion.caller.account_id,),
    )
    if taken.rowcount == 0:
        raise Refusal(402, NO_TOKENS)
    why = {"reason": reason, "project_id": project_id, "created_on": occasion.now}
    note_tokens(db, occasion.caller.account_id, -1, **why)


def buy(db: Connection, *, account_id: str, quantity: int, now: str) -> int:
    """Buy one pack, write its invoice, and give the new balance; 400 for any other."""
    if quantity not in TOKEN_PACKS:
        packs = ", ".join(str(pack) for pack in TOKEN_PACKS)
        raise Refusal(400, f"quantity must be one of {packs}")
    row = first(
        db,
        "UPDATE account SET balance = balance + ? WHERE id = ? AND kind = 'TEAM'"
        " RETURNING balance",
        (quantity, account_id),
    )
    if row is None:
        raise Refusal(404, "There is no such team.")
    note_tokens(db, account_id, quantity, reason="BOUGHT", created_on=now)
    insert(
        db,
        "invoice",
        id=f"in_{uuid.uuid4().hex}",
        account_id=account_id,
        description=f"{quantity} token{'s'[: quantity != 1]}",
        quantity=quantity,
        amount_cents=quantity * TOKEN_PRICE_CENTS,
        currency="nzd",
        status="paid",
        created_on=now,
    )
    return int(row["balance"])


def _invoices(call: Call, db: Connection) -> dict[str, object]:
    return paged(
        db,
        "SELECT * FROM invoice WHERE account_id = :account",
        call.query,
        shown=invoice_shown,
        account=own_account_id(call),
    )


def invoice_shown(row: Row) -> dict[str, object]:
    return {
        **picked(row, "id", "description", "quantity", "currency"),
        **picked(row, "status", "created_on"),
        "number": f"KI-{row['number']:06d}",
        "amount_total": row["amount_cents"],
        # The twin sells nothing, so there is no paper of a payment service.
        "download_url": None,
        "hosted_url": None,
    }


RULES: Final = {"invoice_list": Rule(act=_invoices)}
