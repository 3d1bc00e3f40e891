"""The statement of a period: everything is read, put side by side, and judged."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import timedelta
from typing import Final

from kawe.domain.batch.audits import (
    Audit,
    AuditedResponse,
    AuditedSend,
    AuditFinding,
    AuditTrouble,
    TokenLedger,
)
from kawe.domain.batch.outcomes import outcome_of
from kawe.domain.service.papers import PAYLOAD, FileTrouble
from kawe.domain.service.service_words import Project, Receipt
from kawe.domain.service.watching import own_names
from kawe.domain.text.new_zealand import day_in_new_zealand, moment_words
from kawe.domain.text.next_steps import Given
from kawe.domain.text.texts import counted, one_line, some_of
from kawe.errors import ScopeMissing
from kawe.flows.audit.gathering import Auditor, Gathered, JoinedProject
from kawe.flows.papers import paper_of
from kawe.flows.scanning import make_sure, scan_list, scan_projects, scan_receipts

_OF_FILE: Final = {
    FileTrouble.ALTERED: AuditTrouble.ALTERED_FILE,
    FileTrouble.MISSING: AuditTrouble.MISSING_FILE,
    FileTrouble.EXTRA: AuditTrouble.OTHER_FILE,
    FileTrouble.REPLACED: AuditTrouble.ALTERED_FILE,
    FileTrouble.UNLISTED: AuditTrouble.OTHER_FILE,
    FileTrouble.UNREADABLE: AuditTrouble.ALTERED_FILE,
}
_SHOWN: Final = 5
"""So many projects stand in one sentence."""
_GONE: Final = "token is gone", "tokens are gone"
_NOT_OVER: Final = (
    "The period is not over: what is sent after the statement was made is not in it."
)
_NO_STATEMENT: Final = ", so no statement can be made"
_NO_INVOICES: Final = (
    "The key may not read invoices (billing:read): the tokens that were bought are not "
    "known, so tokens of all time are not added up."
)
_WHOSE: Final = (
    "The service names who responded, and not for which side. kawe takes who has the "
    "name of a member of the team now for the team."
)


def in_order(findings: Iterable[AuditFinding]) -> tuple[AuditFinding, ...]:
    """Give exceptions as people read them: the gravest first."""
    order = list(AuditTrouble)
    return tuple(sorted(findings, key=lambda f: (order.index(f.trouble), f.about)))


def wrong_with(gathered: Gathered, seen: JoinedProject) -> Iterator[AuditFinding]:
    """Give what is wrong with one send of the period."""
    at = "" if seen.at is None else moment_words(seen.at)
    if not (seen.in_journal or gathered.is_of_team(seen)):
        why = "no journal that was read knows it"
        if seen.row is not None:
            why = f"the {seen.journal} has it as {outcome_of(seen.row.state)}"
        who = f" by {seen.log.sent_by}" if seen.log.sent_by else ""
        what = f"The service has it as sent at {at}{who}; {why}."
        yield _found(AuditTrouble.OUTSIDE, seen.about, what)
    if not seen.on_service:
        has = "does not show it" if seen.project is None else "shows a draft"
        what = f"The {seen.journal} has it as sent at {at}; the service {has}."
        yield _found(AuditTrouble.NOT_THERE, seen.about, what)
    if seen.receipt is None and seen.name not in gathered.ambiguous:
        once = _listed_once(gathered, seen)
        what = f"It was sent at {at}; no receipt has its name.{once}"
        yield _found(AuditTrouble.NO_RECEIPT, seen.about, what)
    yield from _other_iwi(seen)
    used = gathered.tokens(seen)
    if gathered.auditor.mode == "live" and used > 1:
        what = f"The log of the service has {used} sends of it."
        yield _found(AuditTrouble.PAID_AGAIN, seen.about, what)


def _listed_once(gathered: Gathered, seen: JoinedProject) -> str:
    """Say which receipt a send had that the service lists no more, and its file."""
    number = seen.row and seen.row.receipt_number
    if not number:
        return ""
    names = gathered.auditor.saved.names if gathered.auditor.saved else ()
    saved = [each for each in names if f" {number} " in f" {each.rpartition('/')[2]}"]
    kept = f", is saved as {one_line('; '.join(saved))}" if saved else ""
    number = one_line(number)
    return f" The receipt {number} was listed once{kept}, and is listed no more."


def of_team(gathered: Gathered, sends: Iterable[JoinedProject]) -> Iterator[str]:
    """Name what somebody else of the team sent; not an exception."""
    found = [
        f"{one_line(seen.about, limit=60)}, by {seen.log.sent_by or 'nobody named'}"
        for seen in filter(gathered.is_of_team, sends)
    ]
    if found:
        are = counted(len(found), "project was", "projects were")
        names = some_of(found, shown=_SHOWN, between="; ")
        yield (
            f"{are} sent by somebody else of the team: no journal that was read has "
            f"them, and receipts and logs agree: {names}."
        )


def wrong_with_times(gathered: Gathered) -> Iterator[AuditFinding]:
    """Give what the service has as sent, and nobody says when."""
    for seen in gathered.seen.values():
        if seen.at is None and gathered.may_be_in(seen):
            what = "The service has it as sent; no log and no receipt say when."
            yield _found(AuditTrouble.OUTSIDE, seen.about, what)


def _other_iwi(seen: JoinedProject) -> Iterator[AuditFinding]:
    if seen.project is None or not seen.on_service or not seen.told:
        return
    got = seen.project.iwi
    if sorted(got) != sorted(seen.told):
        what = (
            f"It went to {'; '.join(got) or 'nobody'}, as the service says; "
            f"the {seen.journal} has {'; '.join(seen.told)}."
        )
        yield _found(AuditTrouble.OTHER_IWI, seen.about, what)


def _found(trouble: AuditTrouble, about: str, what: str) -> AuditFinding:
    return AuditFinding(trouble=trouble, about=about, what=what)


def wrong_with_receipts(gathered: Gathered) -> Iterator[AuditFinding]:
    """Give the receipts of the period of which no send is certain."""
    alone: dict[str, list[Receipt]] = defaultdict(list)
    for receipt in gathered.receipts_alone():
        alone[receipt.project_name].append(receipt)
    for name, receipts in alone.items():
        numbers = "; ".join(map(_receipt_words, receipts))
        has = [s for s in gathered.seen.values() if s.receipt and s.name == name]
        if name not in gathered.ambiguous and has:
            first = "; ".join(_receipt_words(s.receipt) for s in has if s.receipt)
            what = f"It was sent, and has the receipt {first}; there is also {numbers}."
            yield _found(AuditTrouble.SECOND_RECEIPT, has[0].about, what)
            continue
        if name not in gathered.ambiguous:
            what = f"No project that was sent has this name: {numbers}."
            yield _found(AuditTrouble.RECEIPT_ALONE, name, what)
            continue
        sends = "; ".join(
            f"{one_line(s.about)}, {'' if s.at is None else moment_words(s.at)}"
            for s in gathered.seen.values()
            if s.name == name and s.receipt is None
        )
        what = f"Receipts: {numbers}. Projects: {sends}."
        yield _found(AuditTrouble.AMBIGUOUS, name, what)


def wrong_with_tokens(
    gathered: Gathered, ledger: TokenLedger | None
) -> Iterator[AuditFinding]:
    """Give what the balance has that invoices, sends and responses do not explain."""
    if ledger is None or ledger.is_explained:
        return
    left, responses = ledger.unexplained, ledger.responses or 0
    # So many more responses may have used tokens, if others were of the team.
    spare = ledger.responses_at_most - responses
    trouble = AuditTrouble.TOKENS
    if left < 0:
        what = f"The team has {counted(-left, 'token')} more than it should."
        if -left <= responses:
            trouble = AuditTrouble.WHOSE
            what += " Responses explain that only if some were not of the team."
    elif ledger.responses is None:
        them = "it" if left == 1 else "them"
        what = f"{counted(left, *_GONE)}; no send used {them}, and responses may have."
    elif left > spare:
        what = (
            f"{counted(left - spare, *_GONE)}; no send and no response explains that."
        )
    else:
        trouble = AuditTrouble.WHOSE
        what = f"{counted(left, *_GONE)}. "
        what += "Responses explain that only if others were of the team."
    if left > 0 and spare:
        projects = [one_line(each.about, limit=60) for each in unclear(gathered)]
        counts = counted(spare, "more token", "more tokens")
        what += (
            f" At most {counts} can be of responses of people who are not in the team "
            f"now, on: {some_of(projects, shown=_SHOWN, between='; ')}."
        )
    yield _found(trouble, "Balance", what)


def old_drafts(
    gathered: Gathered, projects: Iterable[Project]
) -> Iterator[AuditFinding]:
    """Give the drafts that wait for longer than they should."""
    now, choice = gathered.auditor.tools.clock.now(), gathered.auditor.choice
    for project in projects:
        age = now - project.created_at
        is_made = day_in_new_zealand(project.created_at) <= choice.period.until_on
        if project.is_draft and is_made and age > timedelta(days=choice.draft_days):
            about = f"{project.name} ({project.reference or 'no reference'})"
            what = f"It has been a draft for {counted(age.days, 'day')}."
            yield _found(AuditTrouble.OLD_DRAFT, about, what)


def wrong_with_files(gathered: Gathered) -> Iterator[AuditFinding]:
    """Give the saved files that are not as they were saved, or not there."""
    saved, folder = gathered.auditor.saved, gathered.auditor.folder
    if saved is None or folder is None:
        return
    for each in saved.findings:
        yield _found(_OF_FILE[each.trouble], each.file, f"The file {each.what}.")
    prefix, period = PAYLOAD if saved.is_bag else "", gathered.auditor.choice.period
    for receipt in gathered.receipts:
        name = f"{prefix}{paper_of(receipt, folder=folder).name}"
        if period.has(receipt.created_at) and name not in saved.names:
            what = "No list of the folder has this receipt."
            yield _found(AuditTrouble.MISSING_FILE, name, what)


def _receipt_words(receipt: Receipt) -> str:
    said = f"{receipt.receipt_number} ({receipt.submission_number})"
    return f"{one_line(said)}, {moment_words(receipt.created_at)}"


async def audit(auditor: Auditor) -> Audit | None:
    """Make the statement of a period, but for files; None: the run was stopped."""
    lookups, stop = auditor.tools.lookups, auditor.tools.stop
    projects = await scan_projects(lookups, stop=stop)
    receipts = await scan_receipts(lookups, team_id=auditor.account.team_id, stop=stop)
    for found in (projects, receipts):
        make_sure(found, so=_NO_STATEMENT, stop=stop)
    view = Gathered(auditor=auditor, receipts=receipts.items)
    await view.join(projects.items)
    await read_team(view)
    await view.read_logs()
    if stop.is_set():
        return None
    view.match()
    if auditor.choice.period.until_on > day_in_new_zealand(auditor.tools.clock.now()):
        view.remarks.append(_NOT_OVER)
    responses = paid_responses(view)
    ledger = add_up(view, responses)
    period_sends = view.sends()
    view.remarks += of_team(view, period_sends)
    if auditor.saved is not None:
        view.remarks += auditor.saved.aside_words()
    findings = [
        *(one for seen in period_sends for one in wrong_with(view, seen)),
        *wrong_with_times(view),
        *wrong_with_receipts(view),
        *wrong_with_tokens(view, ledger),
        *old_drafts(view, projects.items),
        *wrong_with_files(view),
    ]
    return Audit(
        period=auditor.choice.period,
        team=auditor.account.team_name,
        mode=auditor.mode,
        journals=len(auditor.journals),
        written_at=auditor.tools.clock.now(),
        sends=tuple(_audited(view, each) for each in period_sends),
        receipts=sum(s.receipt is not None for s in period_sends)
        + len(view.receipts_alone()),
        findings=in_order(findings),
        responses=responses,
        ledger=ledger,
        files=None if auditor.saved is None else auditor.saved.files,
        remarks=tuple(view.remarks),
    )


def _audited(gathered: Gathered, seen: JoinedProject) -> AuditedSend:
    """Give a send as the statement shows it."""
    receipt, project = seen.receipt, seen.project
    assert seen.at is not None
    return AuditedSend(
        name=seen.name,
        reference=seen.reference,
        project_id=seen.id,
        sent_at=seen.at,
        iwi=seen.told if project is None else project.iwi,
        receipt_number="" if receipt is None else receipt.receipt_number,
        submission_number="" if receipt is None else receipt.submission_number,
        tokens=gathered.tokens(seen) if gathered.auditor.mode == "live" else None,
        sent_by=seen.log.sent_by,
        in_journal=seen.in_journal,
        of_team=gathered.is_of_team(seen),
        on_service=seen.on_service,
    )


async def read_team(gathered: Gathered) -> None:
    """Ask who is in the team, and what it bought, where the key may know."""
    auditor = gathered.auditor
    team, lookups = auditor.account.team_id, auditor.tools.lookups
    gathered.own_names = own_names(auditor.account, await lookups.team(team))
    if auditor.mode != "live":
        is_said = auditor.choice.opening is not None
        ignored = f" {Given.OPENING} changes nothing." if is_said else ""
        gathered.remarks.append(f"A sandbox uses no tokens.{ignored}")
        return
    try:
        found = await scan_list(
            lookups, "invoice_list", of=team, stop=auditor.tools.stop
        )
    except ScopeMissing:
        gathered.remarks.append(_NO_INVOICES)
        return
    make_sure(found, so=_NO_STATEMENT, stop=auditor.tools.stop)
    gathered.bought = sum(map(_tokens_of, found.items))


def paid_responses(gathered: Gathered) -> tuple[AuditedResponse, ...] | None:
    """Give the responses that used a token, the earliest first; None: not known.

    Where the tokens of all time are not added up, those of the period alone.
    """
    if gathered.auditor.mode != "live" or not gathered.knows_logs:
        return None
    has = gathered.auditor.choice.period.has
    found = [
        AuditedResponse(
            name=one.name,
            reference=one.reference,
            project_id=one.id,
            responded_at=response.at,
            who=response.who,
            number=number,
            in_period=has(response.at),
        )
        for one in gathered.projects()
        for number, response in one.log.paid(gathered.own_names)
        if gathered.bought is not None or has(response.at)
    ]
    return tuple(sorted(found, key=lambda r: (r.responded_at, r.project_id)))


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
        opening=gathered.auditor.choice.opening,
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
