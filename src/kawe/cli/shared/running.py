"""What submit and release share: the words before sends, and after the run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import click

from kawe.cases import Session
from kawe.cases.batches.ending import Closing, Ending
from kawe.cases.batches.extracts import Extracts
from kawe.cli.output import printing
from kawe.cli.output.next_words import in_commands
from kawe.cli.shared.extracts import NO_EXTRACTS, WrittenExtracts, write_extracts
from kawe.cli.shared.options import CommandContext
from kawe.domain.batch.plans import Plan
from kawe.domain.batch.sending import Sending
from kawe.domain.batch.tokens import Budget, packs_words
from kawe.domain.rows.entries import Batch
from kawe.domain.rows.shown_files import ShownFile, size_words
from kawe.domain.sheet.warned import warned_words
from kawe.domain.text.counts import counted
from kawe.flows.plan.counting import owners_of, warned_rows
from kawe.flows.plan.wording import banner, owner_lines

_WAITS: Final = (("row waits", "rows wait"), ("more waits", "more wait"))


def plan_lines(
    plan: Plan,
    *,
    session: Session,
    budget: Budget,
    sending: Sending | None,
    files: Iterable[str],
) -> Iterator[str]:
    """Say what a run will do; `files` are the lines of those that it uploads."""
    account = session.account
    balance = account.balance if session.is_live else None
    yield banner(mode=session.mode, team=account.team_name, balance=balance)
    if session.is_live and account.sandbox:
        yield "The service calls this account a sandbox: sends may reach nobody."
    if plan.own_steps and not session.is_live and session.reaches_people(plan.kind):
        yield f"The key is a sandbox key, and the {plan.kind.act}s are real."
    yield "; ".join(_parts(plan)) + "."
    yield from files
    yield from owner_lines(owners_of(plan))
    if sending is not None:
        yield from sending.lines()
    yield from filter(None, [warned_words(warned_rows(plan))])
    if sending is None or sending.drafts_only:
        return
    # A saved plan may send fewer than the sheet asks for.
    wanted = max(plan.to_send, 0 if plan.may_send is None else sending.ready_to_send)
    if wanted:
        yield from _sends_lines(plan, budget, wanted=wanted)


def _sends_lines(plan: Plan, budget: Budget, *, wanted: int) -> Iterator[str]:
    """Say how many of the rows that ask for it go now, and how many wait."""
    now = budget.sends(plan.to_send)
    left = wanted - now
    if not now:
        yield f"NOTHING WILL BE SENT. 0 of {left:,} will be sent to iwi."
    elif budget.balance is None:
        sent = counted(now, "project is", "projects are")
        yield f"{sent} sent now; a sandbox key reaches nobody."
    else:
        going = counted(now, "project goes", "projects go")
        yield f"{going} to iwi now. Sending cannot be undone."
    waits = counted(left, *_WAITS[bool(now)])
    urgent = ", the least urgent ones" if now else ""
    missing = budget.missing(wanted)
    if left and missing:
        yield f"{waits} for tokens{urgent}; {packs_words(missing)}."
    elif left:
        whose = "run" if wanted == plan.to_send else "plan"
        yield f"{waits}{urgent}: this {whose} may use no more tokens."


def _parts(plan: Plan) -> Iterator[str]:
    yield f"{counted(plan.rows_read, 'row')} read"
    for number, one, many in (
        (plan.finished, "done already", "done already"),
        (len(plan.sent_there), "sent already elsewhere", "sent already elsewhere"),
        (plan.invalid, "to correct, left out", "to correct, left out"),
        (plan.held, "held for a person", "held for a person"),
        (plan.to_create, "draft to make", "drafts to make"),
        (plan.to_update, "draft to change", "drafts to change"),
        (plan.own_steps, *plan.kind.acts),
    ):
        if number:
            yield counted(number, one, many)
    if plan.upload_files:
        files = counted(plan.upload_files, "file")
        yield f"{files} to upload ({size_words(plan.upload_bytes)})"


@dataclass(frozen=True, slots=True, kw_only=True)
class Closed:
    """How one batch stands after a run, and the files that say so."""

    closing: Closing
    extracts: WrittenExtracts = NO_EXTRACTS

    def lines(self, *, is_idle: bool = False) -> Iterator[str]:
        """Say how it stands, of a run that had nothing to do in few lines."""
        closing = self.closing
        yield from printing.report_lines(
            closing.report, result=closing.result, sums=closing.sums, is_brief=is_idle
        )
        yield from self.extracts.lines()

    def document(self, *, files: Sequence[ShownFile] | None = None) -> dict[str, Any]:
        return printing.report_document(
            self.closing.report,
            result=self.closing.result,
            files=files,
            more=self.extracts.as_json(),
        )


async def closed(
    context: CommandContext,
    ending: Ending,
    batch: Batch,
    *,
    workbook: Path | None,
    extracts: Extracts,
) -> Closed:
    """Write the result of a batch; say what a person must hear of at once."""
    closing = await ending.write(batch, workbook=workbook)
    for trouble in closing.troubles:
        click.echo(in_commands(f"kawe: {trouble}"), err=True)
    if closing.result is not None:
        context.results.append(closing.result)
    return Closed(closing=closing, extracts=write_extracts(extracts, closing.report))
