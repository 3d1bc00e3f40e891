"""Paying what a submission with `quantity` began."""

from __future__ import annotations

from functools import partial

from starlette.responses import Response

from kawe.contract.enums import ProjectStatus
from kawe.twin.portal.desk import Visit
from kawe.twin.portal.pages import go_to
from kawe.twin.portal.sessions import FlashMessage
from kawe.twin.portal.showing import show
from kawe.twin.portal.words import tokens
from kawe.twin.rules.checkouts import find_checkout, pay
from kawe.twin.rules.tokens import TOKEN_PRICE_CENTS


async def checkout_page(visit: Visit) -> Response:
    """Show what is to be paid, or that it has been."""
    checkout = await visit.desk.database.run(
        partial(find_checkout, checkout_id=visit.ids["id"])
    )
    amount = checkout["quantity"] * TOKEN_PRICE_CENTS
    return show(visit, "checkout.html", checkout=checkout, amount=amount)


async def pay_checkout(visit: Visit) -> Response:
    """Pay, then show the checkout as paid."""
    now = visit.desk.now
    paid = await visit.desk.database.run(
        partial(pay, checkout_id=visit.ids["id"], now=now)
    )
    said = f"Paid. {tokens(paid['quantity']).capitalize()} bought."
    if paid["submits"] and paid["project_status"] != ProjectStatus.DRAFT:
        said += " The project is sent."
    visit.session.notices.append(FlashMessage(says=said))
    return go_to(f"/portal/checkout/{paid['id']}")
