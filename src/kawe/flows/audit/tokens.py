"""The tokens of a team: what was bought, and what sends and responses used."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Final

from kawe.domain.batch.audits import AuditedResponse, TokenLedger
from kawe.domain.service.watching import own_names
from kawe.domain.text.next_steps import Given
from kawe.domain.text.texts import counted
from kawe.errors import ScopeMissing
from kawe.flows.audit.gathering import Gathered, JoinedProject
from kawe.flows.logs import make_sure
from kawe.flows.scanning import scan_list

_NO_INVOICES: Final = (
    "The key may not read invoices (billing:read): the tokens that were bought are not "
    "known, so tokens of all time are not added up."
)
_WHOSE: Final = (
    "The service names who responded, and not for which side. kawe takes who has the "
    "name of a member of the team now for the team."
)


async def read_team(gathered: Gathered) -> None:
    """Ask who is in the team, and what it bought, where the key may know.

    Raises:
        ServiceError: It could not be read, or kept changing.
    """
    auditor = gathered.auditor
    team, lookups = auditor.account.team_id, auditor.tools.lookups
    gathered.own_names = own_names(auditor.account, await lookups.team(team))
    if auditor.mode != "live":
        ignored = (
            "" if auditor.opening is None else f" {Given.OPENING} changes nothing."
        )
        gathered.remarks.append(f"A sandbox uses no tokens.{ignored}")
        return
    try:
        found = await scan_list(
            lookups, "invoice_list", of=team, stop=auditor.tools.stop
        )
    except ScopeMissing:
        gathered.remarks.append(_NO_INVOICES)
        return
    make_sure(found, stop=auditor.tools.stop)
    gathered.bought = sum(map(_tokens_of, found.items))


def paid_responses(gathered: Gathered) -> tuple[AuditedResponse, ...] | None:
    """Give the responses that used a token, the earliest first; None: not known.

    Where the tokens of all time are not added up, those of the period alone.
    """
    if gathered.auditor.mode != "live" or not gathered.knows_logs:
        return None
    has = gathered.auditor.period.has
    found = [
        AuditedResponse(
            name=one.name,
            reference=one.reference,
            project=one.id,
            at=response.at,
            who=response.who,
            number=number,
            in_period=has(response.at),
        )
        for one in gathered.projects()
        for number, response in one.log.paid(gathered.own_names)
        if gathered.bought is not None or has(response.at)
    ]
    return tuple(sorted(found, key=lambda r: (r.at, r.project)))


def add_up(
    gathered: Gathered, responses: Collection[AuditedResponse] | None
) -> TokenLedger | None:
    """Add up what was bought and used; None: the key may not know what was bought."""
    most = sum(one.log.paid_at_most for one in gathered.projects())
    if most:
        gathered.remarks.append(_WHOSE)
    if gathered.bought is None:
        return None
    again = sum(max(0, gathered.tokens(s) - 1) for s in gathered.seen.values())
    ledger = TokenLedger(
        bought=gathered.bought,
        opening=gathered.auditor.opening,
        sends=max(len(gathered.receipts), len(gathered.seen)) + again,
        responses=None if responses is None else len(responses),
        responses_at_most=most,
        balance=gathered.auditor.account.balance,
    )
    if most and ledger.unexplained == 0:
        gathered.remarks.append("The balance of tokens agrees with that.")
    if ledger.unexplained < 0 and ledger.is_explained:
        more = counted(-ledger.unexplained, "token")
        gathered.remarks.append(
            f"The team had {more} more than invoices explain: say with {Given.OPENING} "
            "how many it got without an invoice, so that they are compared."
        )
    return ledger


def unclear(gathered: Gathered) -> Iterable[JoinedProject]:
    """Give the projects of which it matters for which side somebody responded."""
    return (
        one
        for one in gathered.projects()
        if one.log.paid_at_most > len(list(one.log.paid(gathered.own_names)))
    )


def _tokens_of(invoice: Mapping[str, object]) -> int:
    quantity = invoice.get("quantity")
    is_paid = str(invoice.get("status")).casefold() == "paid"
    return int(quantity) if is_paid and isinstance(quantity, int | float) else 0
