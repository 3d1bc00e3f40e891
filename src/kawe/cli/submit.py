"""`kawe submit`: check, upload, draft, send; again to resume."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import click

from kawe.cli.output import printing
from kawe.cli.output.finding_lines import print_problems
from kawe.cli.output.plan_words import absent_lines, carrying_out
from kawe.cli.shared import running
from kawe.cli.shared.asked import Asked, SubmitOptions, asked_of
from kawe.cli.shared.asking import (
    Reach,
    agree,
    ask_about_missing,
    ask_agreement,
    asker,
    is_at_terminal,
    reach_of,
)
from kawe.cli.shared.declaring import taking
from kawe.cli.shared.notifying import NotifyingCommand
from kawe.cli.shared.options import CommandContext
from kawe.cli.shared.read_words import print_read_as
from kawe.cli.shared.running import left_out_of
from kawe.cli.shared.sheets import (
    SheetAnswer,
    answer_in_json,
    ask_about_sheets,
    head_line,
    left_lines,
    not_begun_lines,
    result_path,
    sheets_of,
    worst,
)
from kawe.domain.batch.iwi_load import NO_LOAD, IwiLoad
from kawe.domain.batch.sending import Sending
from kawe.domain.batch.tokens import Budget
from kawe.domain.rows.entries import Entry
from kawe.domain.rows.shown_files import ShownFile, file_lines
from kawe.domain.sheet.findings import Severity
from kawe.domain.text.texts import one_line
from kawe.flows.plan.counting import load_of_sends, own_steps_of, without_done_by
from kawe.flows.plan.send_counts import sending_of
from kawe.flows.report.reporting import Submitted
from kawe.toolkit import (
    Prepared,
    Session,
    SheetsToRead,
    SheetToRead,
    mark_across,
    open_session,
)
from kawe.toolkit.extracts import Extracts


@click.command(
    cls=NotifyingCommand,
    epilog="Examples: kawe submit monthly.xlsx · kawe submit monthly.xlsx --yes 40 "
    "--no-input · kawe submit plan.json --approved-by Aroha",
)
@taking(SubmitOptions)
def submit(options: SubmitOptions) -> int:
    """Submit WORKBOOK: upload files, make drafts, send them, invite people.

    Rows that need correcting are left out and listed. Running the same
    command again goes on where the last run stopped; rows that are done are
    left alone.

    A plan that kawe plan has kept may stand in place of WORKBOOK: then exactly
    that is done, or nothing where something has changed since.
    """
    context = options.run.open()
    asked = asked_of(context, options)
    context.toolkit.check_there(asked.reading.workbook)
    every, no_input = options.reading.all_sheets, options.run.no_input
    sheets = sheets_of(
        context,
        asked.reading,
        options.reading,
        of_one={"--only": options.which.only, "--canary": options.which.canary},
    )
    results = [
        result_path(context, each, wanted=options.reading.result, every=every)
        for each in sheets.lists
    ]
    extracts = [
        options.extracts.placed(context.toolkit, each, result=result, every=every)
        for each, result in zip(sheets.lists, results, strict=True)
    ]
    if asked.saved is None:
        context, sheets = ask_about_sheets(context, sheets, no_input=no_input)
    places = list(zip(results, extracts, strict=True))
    answers = asyncio.run(_submit(context, asked, sheets=sheets, places=places))
    if context.as_json:
        answer_in_json("submit", answers, sheets, every=every)
    else:
        printing.print_lines([*not_begun_lines(answers, sheets), *left_lines(sheets)])
    options.opening.open(context.results, no_input=no_input)
    return worst(answers)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Ready:
    """A sheet whose plan is counted: it can be announced, agreed to, carried out."""

    sheet: SheetToRead
    result: Path
    extracts: Extracts
    asked: Asked
    prepared: Prepared
    budget: Budget
    may_fail: int | None
    load: IwiLoad
    sending: Sending | None
    """What is to be sent and what to be kept as drafts."""
    account: str
    """LIVE or SANDBOX, and the team."""
    goes_now: Sequence[Entry]
    """The rows that reach people now, the first to go first."""

    @property
    def sends(self) -> int:
        """Count the projects that would go to iwi now."""
        if self.asked.drafts_only:
            return 0
        return self.budget.sends(self.prepared.plan.to_send)

    @property
    def reach(self) -> Reach:
        """Describe the acts that reach people."""
        plan, sending = self.prepared.plan, self.sending
        drafts = 0 if sending is None else sending.ready_to_draft
        reach = reach_of(
            plan.kind,
            self.sends + plan.own_steps,
            account=self.account,
            rows=self.goes_now,
        )
        beside = f" and keep {drafts:,} as drafts" if drafts else ""
        return replace(reach, beside=beside)

    @property
    def files(self) -> tuple[ShownFile, ...]:
        """List the files that the run uploads."""
        return self.prepared.files(self.asked.reading.root.resolve())


async def _submit(
    context: CommandContext,
    asked: Asked,
    *,
    sheets: SheetsToRead,
    places: Sequence[tuple[Path, Extracts]],
) -> list[SheetAnswer]:
    """Check every sheet, then ask about each, then carry out one after the other."""
    no_input = asked.options.run.no_input
    confirm = asker(no_input=no_input)
    async with open_session(
        context.toolkit, accept=asked.accept, agree=confirm
    ) as session:
        ready: list[_Ready] = []
        some = await _asked_of_each(session, asked, sheets)
        for one, sheet, place in zip(some, sheets.lists, places, strict=True):
            found = await _ready(session, one, sheet=sheet, place=place, before=ready)
            ready.append(found)
        context.progress.close()
        if not context.as_json:
            for each in ready:
                await _announce(session, each, is_first=each is ready[0])
        if len(ready) > 1:
            _agree_to_all(session, ready)
        agreed = [_agreed(session, each) for each in ready]
        return await _carry_out_all(context, session, agreed)


async def _carry_out_all(
    context: CommandContext, session: Session, agreed: Sequence[_Ready]
) -> list[SheetAnswer]:
    """Carry out one sheet after the other; a run that stops begins no other sheet."""
    answers: list[SheetAnswer] = []
    for each in agreed:
        # What an earlier sheet has done is not done again.
        now = await _planned_again(session, each) if answers else each
        answer, goes_on = await _carry_out(context, session, now)
        answers.append(answer)
        if not context.as_json:
            printing.print_lines([*_head(each), *answer.lines])
        if not goes_on:
            break
    return answers


def _head(ready: _Ready) -> list[str]:
    every = ready.asked.options.reading.all_sheets
    return [head_line(ready.sheet)] if every else []


async def _asked_of_each(
    session: Session, asked: Asked, sheets: SheetsToRead
) -> list[Asked]:
    if len(sheets.lists) == 1:
        return [replace(asked, reading=sheets.lists[0].reading)]
    readings = [each.reading for each in sheets.lists]
    checked = mark_across([await session.check(each) for each in readings])
    return [
        replace(asked, reading=reading, checked=one)
        for reading, one in zip(readings, checked, strict=True)
    ]


async def _ready(
    session: Session,
    asked: Asked,
    *,
    sheet: SheetToRead,
    place: tuple[Path, Extracts],
    before: Sequence[_Ready],
) -> _Ready:
    """Count the plan of one sheet, behind the sheets that go `before`."""
    prepared = await asked.prepare(session)
    earlier = [each.prepared.plan for each in before]
    prepared = replace(prepared, plan=without_done_by(prepared.plan, earlier))
    may_fail = asked.may_fail(prepared)
    budget = asked.budget(session).less(sum(each.sends for each in before))
    prepared = await asked.approved(session, prepared)
    load, now = NO_LOAD, list[Entry]()
    if not asked.drafts_only:
        now = await session.sent_now(prepared.plan, budget=budget)
        load = load_of_sends(
            prepared.checked,
            frozenset(entry.key for entry in now),
            finished_before=prepared.checked.iwi_load.finished_before,
        )
    return _Ready(
        sheet=sheet,
        result=place[0],
        extracts=place[1],
        asked=asked,
        prepared=prepared,
        budget=budget,
        may_fail=may_fail,
        load=load,
        sending=_sending(prepared, asked),
        account=session.account_words,
        goes_now=[*now, *own_steps_of(prepared.plan)],
    )


async def _planned_again(session: Session, ready: _Ready) -> _Ready:
    prepared = await ready.asked.prepare(session)
    takes_out = ready.prepared.plan.takes_out
    plan = replace(prepared.plan, takes_out=takes_out)
    prepared = replace(prepared, plan=plan)
    return replace(ready, prepared=prepared, sending=_sending(prepared, ready.asked))


def _sending(prepared: Prepared, asked: Asked) -> Sending | None:
    return sending_of(prepared.plan, prepared.checked, drafts_only=asked.drafts_only)


def _agreed(session: Session, ready: _Ready) -> _Ready:
    """Ask where a person must agree to what is done for one sheet."""
    asked, run = ready.asked, ready.asked.options.run
    reaches_people = session.reaches_people(ready.prepared.plan.kind)
    if ready.reach.acts and reaches_people and run.agreed is None:
        printing.print_lines(_head(ready))
    prepared = ask_about_missing(
        ready.prepared, accepts=asked.reading.accepts_missing, no_input=run.no_input
    )
    ready = replace(ready, prepared=prepared)
    budget = ask_agreement(
        ready.reach,
        budget=ready.budget,
        is_live=reaches_people,
        agreed=run.agreed,
        no_input=run.no_input,
    )
    return replace(ready, budget=budget)


def _agree_to_all(session: Session, ready: Sequence[_Ready]) -> None:
    """Compare the acts of all sheets with what was agreed to, before any is asked."""
    run = ready[0].asked.options.run
    reaches = [
        (each.reach, one_line(each.sheet.sheet))
        for each in ready
        if session.reaches_people(each.prepared.plan.kind) and each.reach.acts
    ]
    total = Reach(
        acts=sum(reach.acts for reach, _ in reaches),
        does=", and ".join(f"{reach.does} ({sheet})" for reach, sheet in reaches),
        undone=" ".join(dict.fromkeys(reach.undone for reach, _ in reaches)),
    )
    if run.agreed is not None or run.no_input or not is_at_terminal():
        agree(total, agreed=run.agreed, no_input=run.no_input)


async def _carry_out(
    context: CommandContext, session: Session, ready: _Ready
) -> tuple[SheetAnswer, bool]:
    """Carry out the plan of one sheet; say whether the next one may begin."""
    asked, plan, files = ready.asked, ready.prepared.plan, ready.files
    run = session.start(may_fail=ready.may_fail)
    with context.stopping.on_signals():
        await session.submit(
            ready.prepared, run=run, budget=ready.budget, drafts_only=asked.drafts_only
        )
    context.progress.close()
    ending = running.Ending(
        context=context,
        session=session,
        run=run,
        command="submit",
        result=ready.result,
        extracts=ready.extracts,
        refused=ready.prepared.checked.refuses_all,
        iwi_load=ready.load,
        submitted=Submitted(
            reading=plan.batch.reading,
            findings=ready.prepared.checked.table.findings,
            same_sends=not asked.drafts_only,
            sending=ready.sending,
            read_as=ready.prepared.checked.table.read_as,
        ),
        rows_read=plan.rows_read,
        left_out=left_out_of(plan, asked.options.which),
        files=files,
    )
    closing = await ending.write(plan.batch, workbook=asked.reading.workbook)
    answer = SheetAnswer(
        sheet=ready.sheet,
        code=closing.code,
        document=lambda: closing.document(files=files),
        lines=[*closing.lines()],
    )
    return answer, run.stop.because is None and not context.stopping.asked


async def _announce(session: Session, ready: _Ready, *, is_first: bool) -> None:
    """Say what will be done for one sheet; the account is said once."""
    asked, plan = ready.asked, ready.prepared.plan
    lines = [
        *running.plan_lines(
            plan,
            session=session,
            budget=ready.budget,
            sending=ready.sending,
            files=file_lines(ready.files, every=asked.options.run.output.verbose),
        ),
        ready.load.words(),
    ]
    printing.print_lines(_head(ready))
    print_read_as(ready.prepared.checked.table.read_as)
    print_problems(
        ready.prepared.checked.problems(),
        least=Severity.ERROR,
        rest="in Problems, a sheet of the result workbook; or --verbose",
        verbose=asked.options.run.output.verbose,
    )
    if asked.saved is not None:
        approvals = await session.journal.approvals()
        lines[1:1] = carrying_out(asked.saved, approvals, plan=plan)
    said = lines if is_first else lines[1:]
    printing.print_lines(filter(None, (*said, *absent_lines(plan))))
