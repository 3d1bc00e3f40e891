"""The statement of a period: everything is read, put side by side, and judged."""

from __future__ import annotations

from typing import Final

from kawe.domain.batch.audits import Audit, AuditedSend
from kawe.domain.text.new_zealand import day_in_new_zealand
from kawe.flows.audit import judging, tokens
from kawe.flows.audit.gathering import Auditor, Gathered, JoinedProject
from kawe.flows.logs import make_sure
from kawe.flows.scanning import scan_projects, scan_receipts

_NOT_OVER: Final = (
    "The period is not over: what is sent after the statement was made is not in it."
)


async def audit(auditor: Auditor) -> Audit | None:
    """Make the statement of a period, but for files; None: the run was stopped.

    Raises:
        ServiceError: The service could not be read, or its lists kept changing.
    """
    lookups, stop = auditor.tools.lookups, auditor.tools.stop
    projects = await scan_projects(lookups, stop=stop)
    team_id = auditor.account.team_id
    receipts = await scan_receipts(lookups, team_id=team_id, stop=stop)
    for found in (projects, receipts):
        make_sure(found, stop=stop)
    view = Gathered(auditor=auditor, receipts=receipts.items)
    await view.join(projects.items)
    await tokens.read_team(view)
    await view.read_logs()
    if stop.is_set():
        return None
    view.match()
    if auditor.period.until_on > day_in_new_zealand(auditor.tools.clock.now()):
        view.remarks.append(_NOT_OVER)
    responses = tokens.paid_responses(view)
    ledger = tokens.add_up(view, responses)
    period_sends = view.sends()
    view.remarks += judging.of_team(view, period_sends)
    if auditor.saved is not None:
        view.remarks += auditor.saved.aside_words()
    findings = [
        *(one for seen in period_sends for one in judging.wrong_with(view, seen)),
        *judging.wrong_with_times(view),
        *judging.wrong_with_receipts(view),
        *judging.wrong_with_tokens(view, ledger),
        *judging.old_drafts(view, projects.items),
        *judging.wrong_with_files(view),
    ]
    return Audit(
        period=auditor.period,
        team=auditor.account.team_name,
        mode=auditor.mode,
        journals=len(auditor.journals),
        written_at=auditor.tools.clock.now(),
        sends=tuple(_audited(view, each) for each in period_sends),
        receipts=sum(s.receipt is not None for s in period_sends)
        + len(view.receipts_alone()),
        findings=judging.in_order(findings),
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
        project=seen.id,
        sent_at=seen.at,
        iwi=seen.told if project is None else project.iwi,
        receipt_number="" if receipt is None else receipt.receipt_number,
        submission_number="" if receipt is None else receipt.submission_number,
        tokens=gathered.tokens(seen) if gathered.auditor.mode == "live" else None,
        sent_by=seen.log.sent_by,
        in_journal=seen.in_journal,
        is_of_team=gathered.is_of_team(seen),
        on_service=seen.on_service,
    )
