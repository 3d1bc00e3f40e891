"""Pages of the accounts: balances, tokens and invoices, keys, receipts."""

from __future__ import annotations

from functools import partial
from sqlite3 import Connection, Row
from typing import Any, Final

from starlette.responses import RedirectResponse, Response

from kawe.contract.enums import Scope
from kawe.contract.limits import TOKEN_PACKS
from kawe.twin.envelope import Refusal
from kawe.twin.portal import reading
from kawe.twin.portal.desk import RuleQuestion, Visit
from kawe.twin.portal.pages import go_to
from kawe.twin.portal.sessions import FlashMessage
from kawe.twin.portal.showing import show
from kawe.twin.portal.words import SCOPE_WORDS, tokens
from kawe.twin.rules.tokens import TOKEN_PRICE_CENTS, buy
from kawe.twin.store.accounts import issue_key, revoke_keys

PAGE_ROWS: Final = "25"


async def home(visit: Visit) -> Response:
    """Show every team with its balance, and every iwi with its inbox."""
    teams = await visit.desk.database.run(reading.teams)
    iwi = await visit.desk.database.run(reading.iwi)
    return show(visit, "home.html", teams=teams, iwi=iwi)


async def tokens_page(visit: Visit) -> Response:
    """Show a team's balance, the packs on sale, and its invoices."""
    account = await account_of(visit)
    page = visit.query.get("page", "1")
    invoices = await visit.desk.ask(
        RuleQuestion(
            name="invoice_list",
            ids={"id": account["id"]},
            query={"page": [page], "limit": [PAGE_ROWS]},
        ),
        account_id=account["id"],
    )
    return show(
        visit,
        "tokens.html",
        account=account,
        invoices=invoices,
        packs=[(pack, pack * TOKEN_PRICE_CENTS) for pack in TOKEN_PACKS],
    )


async def buy_tokens(visit: Visit) -> Response:
    """Buy a pack, then show its invoice."""
    account = await account_of(visit)
    chosen = visit.form.text("quantity")
    quantity = int(chosen) if chosen.isdecimal() and len(chosen) < 9 else 0
    now = visit.desk.now

    def work(db: Connection) -> tuple[int, str]:
        balance = buy(db, account_id=account["id"], quantity=quantity, now=now)
        return balance, reading.newest_invoice_id(db, account_id=account["id"])

    balance, invoice_id = await visit.desk.database.run(work)
    said = f"Bought {tokens(quantity)}. The balance is now {tokens(balance)}."
    visit.session.notices.append(FlashMessage(says=said))
    return go_to(f"/portal/accounts/{account['id']}/invoices/{invoice_id}")


async def invoice_page(visit: Visit) -> Response:
    """Show one invoice."""
    account = await account_of(visit)
    invoice = await visit.desk.database.run(
        partial(
            reading.invoice, account_id=account["id"], invoice_id=visit.ids["invoice"]
        )
    )
    return show(visit, "invoice.html", account=account, invoice=invoice)


async def keys_page(visit: Visit) -> Response:
    """Show an account's keys, and the form for a new one."""
    account = await account_of(visit)
    keys = await visit.desk.database.run(
        partial(reading.keys, account_id=account["id"])
    )
    return show(visit, "keys.html", account=account, keys=keys, scopes=SCOPE_WORDS)


async def create_key(visit: Visit) -> Response:
    """Make a key with the scopes ticked; its secret is on the next page only."""
    account = await account_of(visit)
    scopes = _scopes(visit.form.texts("scope"))
    now, sandbox = visit.desk.now, visit.form.text("kind") == "sandbox"
    made, caller = await visit.desk.database.run(
        lambda db: issue_key(
            db, account_id=account["id"], scopes=scopes, now=now, sandbox=sandbox
        )
    )
    visit.desk.ring.add(caller, key_hash=made.hash)
    notice = FlashMessage(says="The new key works from now on.", key_secret=made.secret)
    visit.session.notices.append(notice)
    return go_to(f"/portal/accounts/{account['id']}/keys")


def _scopes(ticked: tuple[str, ...]) -> frozenset[Scope]:
    if not ticked:
        said = "Tick at least one thing that the key may do."
        raise Refusal(status_code=400, message=said)
    if any(name not in list(Scope) for name in ticked):
        raise Refusal(status_code=400, message="There is no such scope.")
    return frozenset(Scope(name) for name in ticked)


async def revoke_key(visit: Visit) -> Response:
    """Revoke one key of the account, at once and for good."""
    account = await account_of(visit)
    key_id, now = visit.form.text("key"), visit.desk.now

    def work(db: Connection) -> frozenset[str]:
        if key_id not in [
            row["id"] for row in reading.keys(db, account_id=account["id"])
        ]:
            return frozenset()
        return revoke_keys(db, key_id, now=now)

    gone = await visit.desk.database.run(work)
    if not gone:
        said = "There is no such key, or it has been revoked already."
        raise Refusal(status_code=404, message=said)
    visit.desk.ring.drop(gone)
    visit.session.notices.append(FlashMessage(says="The key is revoked."))
    return go_to(f"/portal/accounts/{account['id']}/keys")


async def receipts_page(visit: Visit) -> Response:
    """Show a team's receipts, newest first."""
    account = await account_of(visit)
    page = visit.query.get("page", "1")
    receipts = await visit.desk.ask(
        RuleQuestion(
            name="receipt_list",
            ids={"id": account["id"]},
            query={"page": [page], "limit": [PAGE_ROWS]},
        ),
        account_id=account["id"],
    )
    return show(visit, "receipts.html", account=account, receipts=receipts)


async def document(visit: Visit) -> Response:
    """Send the browser to a fresh link of one document."""
    link: dict[str, Any] = await visit.desk.ask(
        RuleQuestion(name="download", ids={"id": visit.ids["document"]}),
        account_id=visit.ids["id"],
    )
    return RedirectResponse(
        str(link["url"]), status_code=303, headers={"Cache-Control": "no-store"}
    )


async def account_of(visit: Visit) -> Row:
    """Find the account of the path.

    Raises:
        Refusal: 404, there is none.
    """
    return await visit.desk.database.run(
        partial(reading.account, account_id=visit.ids["id"])
    )
