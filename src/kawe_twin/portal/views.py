"""Pages of accounts (tokens, keys, people, receipts) and of projects."""

import json
from collections.abc import Mapping
from functools import partial
from sqlite3 import Connection, Row
from typing import Any, Final

from starlette.responses import RedirectResponse, Response

from kawe_contract.enums import ProjectStatus, Scope
from kawe_contract.limits import PAGE_MAX, TOKEN_PACKS
from kawe_twin.portal import reading
from kawe_twin.portal.context import Visit
from kawe_twin.portal.pages import SCOPE_WORDS, tokens
from kawe_twin.rules.invitations import accept_invitation
from kawe_twin.rules.project_send import find_checkout, pay
from kawe_twin.rules.tokens import TOKEN_PRICE_CENTS, buy
from kawe_twin.store.accounts import issue_key, revoke_keys
from kawe_twin.world.answers import Refusal, not_found
from kawe_twin.world.iwi_areas import IWI

_TABS: Final = ("active", "all", "closed", "completed")


async def home(visit: Visit) -> Response:
    """Show every team with its balance, and every iwi with its inbox."""
    teams = await visit.setup.run(reading.teams)
    return visit.show("home.html", teams=teams, iwi=await visit.setup.run(reading.iwi))


async def tokens_page(visit: Visit) -> Response:
    """Show a team's balance, the packs on sale, and its invoices."""
    account = await visit.account()
    return visit.show(
        "tokens.html",
        account=account,
        invoices=await visit.listed("invoice_list", account),
        packs=[(pack, pack * TOKEN_PRICE_CENTS) for pack in TOKEN_PACKS],
    )


async def buy_tokens(visit: Visit) -> Response:
    """Buy a pack, then show its invoice."""
    account_id = (await visit.account())["id"]
    chosen = visit.form.text("quantity")
    quantity = int(chosen) if chosen.isdecimal() and len(chosen) < 9 else 0
    now = visit.setup.now

    def work(db: Connection) -> tuple[int, str]:
        balance = buy(db, account_id=account_id, quantity=quantity, now=now)
        return balance, reading.newest_invoice_id(db, account_id=account_id)

    balance, invoice_id = await visit.setup.run(work)
    said = f"Bought {tokens(quantity)}. The balance is now {tokens(balance)}."
    return visit.tell(said, at=f"accounts/{account_id}/invoices/{invoice_id}")


async def invoice_page(visit: Visit) -> Response:
    """Show one invoice."""
    account = await visit.account()
    invoice = await visit.setup.run(
        reading.invoice, account_id=account["id"], invoice_id=visit.ids["invoice"]
    )
    return visit.show("invoice.html", account=account, invoice=invoice)


async def checkout_page(visit: Visit) -> Response:
    """Show the price of a submission with `quantity`, or that it is paid."""
    checkout = await visit.setup.run(find_checkout, checkout_id=visit.ids["id"])
    amount = checkout["quantity"] * TOKEN_PRICE_CENTS
    return visit.show("checkout.html", checkout=checkout, amount=amount)


async def pay_checkout(visit: Visit) -> Response:
    """Pay, then show the checkout as paid."""
    paid = await visit.setup.run(pay, checkout_id=visit.ids["id"], now=visit.setup.now)
    said = f"Paid. {tokens(paid['quantity']).capitalize()} bought."
    if paid["submits"] and paid["project_status"] != ProjectStatus.DRAFT:
        said += " The project is sent."
    return visit.tell(said, at=f"checkout/{paid['id']}")


async def keys_page(visit: Visit) -> Response:
    """Show an account's keys, and the form for a new one."""
    account = await visit.account()
    keys = await visit.setup.run(reading.keys, account_id=account["id"])
    return visit.show("keys.html", account=account, keys=keys, scopes=SCOPE_WORDS)


async def create_key(visit: Visit) -> Response:
    """Make a key with the ticked scopes; only the next page shows its secret."""
    account = await visit.account()
    made, caller = await visit.setup.run(
        issue_key,
        account_id=account["id"],
        scopes=_scopes(visit.form.texts("scope")),
        now=visit.setup.now,
        sandbox=visit.form.text("kind") == "sandbox",
    )
    visit.setup.ring.add(caller, key_hash=made.hash)
    said, at = "The new key works from now on.", f"accounts/{account['id']}/keys"
    return visit.tell(said, at=at, key_secret=made.secret)


def _scopes(ticked: tuple[str, ...]) -> frozenset[Scope]:
    if not ticked:
        raise Refusal(400, "Tick at least one thing that the key may do.")
    if any(name not in list(Scope) for name in ticked):
        raise Refusal(400, "There is no such scope.")
    return frozenset(Scope(name) for name in ticked)


async def revoke_key(visit: Visit) -> Response:
    """Revoke one key of the account, at once and for good."""
    account_id = (await visit.account())["id"]
    key_id, now = visit.form.text("key"), visit.setup.now

    def work(db: Connection) -> frozenset[str]:
        held = [row["id"] for row in reading.keys(db, account_id=account_id)]
        return revoke_keys(db, key_id, now=now) if key_id in held else frozenset()

    if not (gone := await visit.setup.run(work)):
        raise Refusal(404, "There is no such key, or it has been revoked already.")
    visit.setup.ring.drop(gone)
    return visit.tell("The key is revoked.", at=f"accounts/{account_id}/keys")


async def people_page(visit: Visit) -> Response:
    """Show the members and the invitations of an account."""
    account = await visit.account()
    team = await visit.listed("team_read", account)
    return visit.show("people.html", account=account, team=team)


async def accept(visit: Visit) -> Response:
    """Accept an invitation of the account, in place of the invited person."""
    account_id = (await visit.account())["id"]
    invitation_id, now = visit.form.text("invitation"), visit.setup.now

    def work(db: Connection) -> None:
        if not reading.is_invited(
            db, account_id=account_id, invitation_id=invitation_id
        ):
            raise not_found()
        accept_invitation(db, invitation_id=invitation_id, now=now)

    await visit.setup.run(work)
    return visit.tell("The invitation is accepted.", at=f"accounts/{account_id}/people")


async def receipts_page(visit: Visit) -> Response:
    """Show a team's receipts, newest first."""
    account = await visit.account()
    receipts = await visit.listed("receipt_list", account)
    return visit.show("receipts.html", account=account, receipts=receipts)


async def document(visit: Visit) -> Response:
    """Send the browser to a fresh link of one document."""
    link = await visit.context.ask(
        "download", account_id=visit.ids["id"], ids={"id": visit.ids["document"]}
    )
    return RedirectResponse(
        str(link["url"]), status_code=303, headers={"Cache-Control": "no-store"}
    )


async def projects_page(visit: Visit) -> Response:
    """List the projects that an account sees; for an iwi, its inbox."""
    account = await visit.account()
    search, tab = visit.query.get("search", ""), visit.query.get("tab", "active")
    projects = await visit.listed(
        "project_list", account, search=search, active_status=tab
    )
    ids = [project["id"] for project in projects["data"]]
    return visit.show(
        "projects.html",
        account=account,
        projects=projects,
        senders=await visit.setup.run(reading.senders, project_ids=ids),
        search=search,
        tab=tab,
        tabs=_TABS,
    )


async def project_page(visit: Visit) -> Response:
    """Show a project, its thread and actions, for the account `as` or the sender."""
    project_id = visit.ids["id"]
    parties = await visit.setup.run(reading.parties, project_id=project_id)
    viewer = _viewer(parties, visit.query.get("as", ""))
    ask = partial(visit.context.ask, account_id=viewer["id"], ids={"id": project_id})
    project = await ask("project_read")
    return visit.show(
        "project.html",
        parties=parties,
        viewer=viewer,
        project=project,
        thread=await ask("engagement_list", query={"limit": str(PAGE_MAX)}),
        authors=await visit.setup.run(reading.thread_authors, project_id=project_id),
        files=await visit.setup.run(reading.project_files, project_id=project_id),
        choices=await _iwi_choices(visit, project, viewer=viewer),
    )


def _viewer(parties: list[Row], account_id: str) -> Row:
    for party in parties:
        if account_id in {party["id"], ""}:
            return party
    raise not_found()


async def _iwi_choices(
    visit: Visit, project: Mapping[str, Any], *, viewer: Row
) -> list[dict[str, Any]]:
    """Give the iwi among which the sender of a draft chooses, if any."""
    if not project["can_send"]:
        return []
    held = await visit.setup.run(reading.draft_place, project_id=project["id"])
    known = [{"slug": iwi.slug, "name": iwi.name} for iwi in IWI]
    if held["latitude"] is not None:
        body = {"lat": held["latitude"], "lon": held["longitude"]}
        ask = partial(visit.context.ask, account_id=viewer["id"])
        place = await ask("iwi_count", body=body)
        if len(place["iwi"]) == 1:
            return []
        known = place["iwi"] or known
    wanted = json.loads(held["iwi_wanted"])
    return [{**iwi, "wanted": iwi["slug"] in wanted} for iwi in known]


_ACTS: Final[dict[str, tuple[str, str, dict[str, object]]]] = {
    "close": ("project_close", "The project is closed.", {"all": True}),
    "complete": ("project_complete", "The project is complete.", {}),
    "pick-up": ("project_pick_up", "The project is picked up.", {}),
    "reopen": ("project_reopen", "The project is open again.", {}),
    "respond": ("project_respond", "The response is on the thread.", {"files": []}),
    "send": ("project_send", "The project is sent.", {}),
}
"""By its word: the operation, what is said once it is done, and what it takes."""


async def act_on_project(visit: Visit) -> Response:
    """Do one thing to a project in an account's name, then show it again."""
    act, project_id, form = visit.ids["act"], visit.ids["id"], visit.form
    if act not in _ACTS:
        raise not_found()
    (name, said, takes), account_id = _ACTS[act], form.text("as")
    body = takes | ({"message": form.text("message")} if form.text("message") else {})
    if act == "respond" and "message" not in body:
        # The API accepts an empty response; a person sends one by mistake.
        raise Refusal(400, "Write what you want to say.")
    if act == "send":
        body["iwi"] = list(form.texts("iwi"))
    await visit.context.ask(
        name, account_id=account_id, ids={"id": project_id}, body=body
    )
    return visit.tell(said, at=f"projects/{project_id}?as={account_id}")
