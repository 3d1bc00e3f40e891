"""`kawe submit`: check, upload, draft, send; again to resume."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Final

import click

from kawe.cases import (
    REPEATS,
    Session,
    SheetsToRead,
    account_check,
    check_rules,
    is_plan,
    mark_across,
    open_session,
    read_plan_file,
    reading_of_plan,
)
from kawe.cases.batches.extracts import Extracts
from kawe.cases.batches.submitting import (
    Asked,
    ReadySheet,
    carry_out,
    planned_again,
    ready_sheet,
)
from kawe.cli.output import printing
from kawe.cli.output.finding_lines import print_problems
from kawe.cli.output.next_command import PLACE, suggested, typed_flag
from kawe.cli.shared import running
from kawe.cli.shared.asking import (
    agree,
    ask_about_missing,
    ask_about_repeats,
    ask_agreement,
    asker,
    is_at_terminal,
)
from kawe.cli.shared.declaring import names_of, options_class, rare, taking
from kawe.cli.shared.extracts import ExtractOptions
from kawe.cli.shared.notifying import NotifyingCommand
from kawe.cli.shared.opening import OpenOptions
from kawe.cli.shared.options import (
    CommandContext,
    ReadingOptions,
    RunOptions,
    WhichOptions,
    WorkbookOptions,
)
from kawe.cli.shared.read_words import print_reading
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
from kawe.domain.batch.reach import Reach
from kawe.domain.batch.saved_plans import PlannedLimits
from kawe.domain.rows.shown_files import file_lines
from kawe.domain.sheet.findings import Severity
from kawe.domain.text.row_choice import read_allowance
from kawe.domain.text.texts import one_line
from kawe.errors import SettingsError
from kawe.flows.plan.counting import as_they_stand
from kawe.flows.plan.wording import absent_lines, carrying_out


@options_class
class SubmitOptions:
    """The options of a submit."""

    reading: WorkbookOptions
    extracts: ExtractOptions
    which: WhichOptions
    max_errors: str | None = rare(
        "--max-errors",
        metavar="N|P%",
        help="Stop when more than N rows, or P percent of the rows, fail.",
    )
    moved_to: Path | None = rare(
        "--workbook", help="Where the workbook of the plan is now, if it was moved."
    )
    run: RunOptions
    opening: OpenOptions


def asked_of(context: CommandContext, options: SubmitOptions) -> Asked:
    """Say what a submit was asked for, from its options."""
    path = options.reading.workbook
    saved, file = read_plan_file(path) if is_plan(path) else (None, "")
    _refuse_strays(options, is_saved=saved is not None)
    allowance = options.max_errors
    if saved is None:
        reading = options.reading.reading
    else:
        check_rules(saved)
        reading = reading_of_plan(
            saved, workbook=options.moved_to, files_root=options.reading.files_root
        )
    return Asked(
        reading=reading,
        limits=PlannedLimits(
            **asdict(options.which),
            max_tokens=options.run.bounds.max_tokens,
            keep_reserve=context.settings.keep_reserve,
        ),
        saved=saved,
        path=path,
        file=file,
        allowance=None if allowance is None else read_allowance(allowance),
        accept=None if saved is None else account_check(saved, context.settings),
        to_plan=f"{suggested('plan', path, also='-o plan.json')}; another person runs: "
        f"kawe approve plan.json; then: {suggested('submit', 'plan.json', only=PLACE)}",
    )


def _refuse_strays(options: SubmitOptions, *, is_saved: bool) -> None:
    if not is_saved and options.moved_to is not None:
        raise SettingsError(
            message="--workbook goes with a plan, not with a workbook.",
            hint="Make a plan first: kawe plan WORKBOOK -o plan.json. Nothing was "
            "sent.",
        )
    flag = typed_flag({*names_of(ReadingOptions), "update_drafts"} - {"files_root"})
    if is_saved and flag is not None:
        another = f"Make another plan with {flag}."
        if flag == "--all-sheets":
            another = "Make a plan of each sheet, with --sheet."
        raise SettingsError(
            message=f"{flag} belongs to kawe plan: a plan is carried out as it was "
            "made.",
            hint=f"{another} Nothing was sent.",
        )


_MAPPING_LINES: Final = 6
"""More of them would push the question off the screen."""


@click.command(
    cls=NotifyingCommand,
    epilog="Examples: kawe submit monthly.xlsx · kawe submit monthly.xlsx --yes 40 "
    "--no-input · kawe submit plan.json",
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
        no_input=no_input,
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
        context, sheets = ask_about_sheets(
            context, sheets, no_input=no_input, acts=True
        )
    places = list(zip(results, extracts, strict=True))
    answers = asyncio.run(
        _submit(context, asked, options=options, sheets=sheets, places=places)
    )
    if context.as_json:
        answer_in_json("submit", answers, sheets, every=every)
    else:
        printing.print_lines([*not_begun_lines(answers, sheets), *left_lines(sheets)])
    options.opening.open(context.results, no_input=no_input)
    return worst(answers)


async def _submit(
    context: CommandContext,
    asked: Asked,
    *,
    options: SubmitOptions,
    sheets: SheetsToRead,
    places: Sequence[tuple[Path, Extracts]],
) -> list[SheetAnswer]:
    """Check every sheet, then ask about each, then carry out one after the other."""
    confirm = asker(no_input=options.run.no_input)
    async with open_session(
        context.toolkit, accept=asked.accept, agree=confirm
    ) as session:
        results = [result for result, _ in places]
        ready = await _ready(session, asked, sheets, results=results)
        context.progress.close()
        never = options.run.no_input or context.as_json or asked.saved is not None
        while ask_about_repeats(_repeats(ready, is_open=True), no_input=never):
            accepted = await _ready(session, asked, _accepting(sheets), results=results)
            # The word covers what was listed; another one may have come meanwhile.
            if _repeats(accepted).keys() <= _repeats(ready).keys():
                ready = accepted
                break
            ready = await _ready(session, asked, sheets, results=results)
        if not context.as_json:
            for each in ready:
                is_first = each is ready[0]
                await _announce(
                    session, each, options=options, context=context, is_first=is_first
                )
        if len(ready) > 1:
            _agree_to_all(session, ready, run=options.run)
        agreed = [_agreed(session, each, options=options) for each in ready]
        asked_for = [extracts for _, extracts in places]
        each_ready = list(zip(agreed, asked_for, strict=True))
        return await _carry_out_all(context, session, each_ready, options=options)


async def _ready(
    session: Session, asked: Asked, sheets: SheetsToRead, *, results: Sequence[Path]
) -> list[ReadySheet]:
    ready: list[ReadySheet] = []
    some = await _asked_of_each(session, asked, sheets)
    for one, sheet, result in zip(some, sheets.lists, results, strict=True):
        ready.append(
            await ready_sheet(session, one, sheet=sheet, result=result, before=ready)
        )
    return ready


def _accepting(sheets: SheetsToRead) -> SheetsToRead:
    return replace(
        sheets,
        lists=tuple(
            replace(each, reading=replace(each.reading, accepts_repeats=True))
            for each in sheets.lists
        ),
    )


def _repeats(
    ready: Sequence[ReadySheet], *, is_open: bool = False
) -> dict[object, str]:
    """Give what rows likely repeat, and what is said of it; `is_open`: not agreed."""
    return {
        (row.row.ref, each): f"{one_line(str(finding.where))}: {finding.message}"
        for sheet in ready
        for row in sheet.prepared.checked.rows
        for finding in row.findings
        if finding.rule in REPEATS
        and (finding.severity is Severity.ERROR or not is_open)
        for each in row.repeats or {finding.rule}
    }


async def _carry_out_all(
    context: CommandContext,
    session: Session,
    agreed: Sequence[tuple[ReadySheet, Extracts]],
    *,
    options: SubmitOptions,
) -> list[SheetAnswer]:
    """Carry out one sheet after the other; a run that stops begins no other sheet."""
    answers: list[SheetAnswer] = []
    for each, extracts in agreed:
        # What an earlier sheet has done is not done again.
        now = await planned_again(session, each) if answers else each
        answer, goes_on = await _carry_out(context, session, now, extracts=extracts)
        answers.append(answer)
        if not context.as_json:
            printing.print_lines([*_head(each, options), *answer.lines])
        if not goes_on:
            break
    return answers


def _head(ready: ReadySheet, options: SubmitOptions) -> list[str]:
    return [head_line(ready.sheet)] if options.reading.all_sheets else []


async def _asked_of_each(
    session: Session, asked: Asked, sheets: SheetsToRead
) -> list[Asked]:
    if len(sheets.lists) == 1:
        return [replace(asked, reading=sheets.lists[0].reading)]
    readings = [each.reading for each in sheets.lists]
    some = [await session.check(each) for each in readings]
    checked = mark_across(some, accepts=readings[0].accepts_repeats)
    return [
        replace(asked, reading=reading, checked=one)
        for reading, one in zip(readings, checked, strict=True)
    ]


def _agreed(
    session: Session, ready: ReadySheet, *, options: SubmitOptions
) -> ReadySheet:
    """Ask where a person must agree to what is done for one sheet."""
    asked, run = ready.asked, options.run
    reaches_people = session.reaches_people(ready.prepared.plan.kind)
    if ready.reach.acts and reaches_people and run.agreed is None:
        printing.print_lines(_head(ready, options))
    prepared = ask_about_missing(
        ready.prepared, accepts=asked.reading.accepts_missing, no_input=run.no_input
    )
    ready = replace(ready, prepared=prepared)
    budget = ask_agreement(
        # The account was said with the plan, a few lines above.
        replace(ready.reach, account=""),
        budget=ready.budget,
        is_live=reaches_people,
        agreed=run.agreed,
        no_input=run.no_input,
    )
    return replace(ready, budget=budget)


def _agree_to_all(
    session: Session, ready: Sequence[ReadySheet], *, run: RunOptions
) -> None:
    """Compare the acts of all sheets with what was agreed to, before any is asked."""
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
    context: CommandContext,
    session: Session,
    ready: ReadySheet,
    *,
    extracts: Extracts,
) -> tuple[SheetAnswer, bool]:
    """Carry out the plan of one sheet; say whether the next one may begin."""
    asked, plan, files = ready.asked, ready.prepared.plan, ready.files
    with context.stopping.on_signals():
        ending = await carry_out(session, ready, told=context)
    context.progress.close()
    closed = await running.closed(
        context,
        ending,
        plan.batch,
        workbook=asked.reading.workbook,
        extracts=extracts,
    )
    answer = SheetAnswer(
        sheet=ready.sheet,
        code=closed.closing.code,
        document=lambda: closed.document(files=files),
        lines=[*closed.lines(is_idle=not plan.has_work)],
    )
    return answer, ending.goes_on


async def _announce(
    session: Session,
    ready: ReadySheet,
    *,
    options: SubmitOptions,
    context: CommandContext,
    is_first: bool,
) -> None:
    """Say what will be done for one sheet; the account is said once."""
    asked, plan = ready.asked, ready.prepared.plan
    verbose = options.run.output.verbose
    lines = [
        *running.plan_lines(
            plan,
            session=session,
            budget=ready.budget,
            sending=ready.sending,
            files=file_lines(ready.files, every=verbose),
        ),
        *(
            (
                ready.load.words(),
                ready.prepared.checked.far_words(today=session.toolkit.today),
            )
            if plan.has_work
            else ()
        ),
    ]
    printing.print_lines(_head(ready, options))
    print_reading(
        ready.prepared.checked.table,
        asked.reading.workbook,
        context,
        most=_MAPPING_LINES if plan.has_work else 0,
    )
    print_problems(
        ready.prepared.checked.problems(as_they_stand(plan)),
        least=Severity.ERROR,
        rest="in Problems, a sheet of the result workbook; or --verbose",
        verbose=verbose,
        is_brief=True,
    )
    if asked.saved is not None:
        approvals = await session.journal.approvals()
        lines[1:1] = carrying_out(asked.saved, approvals, plan=plan)
    said = lines if is_first else lines[1:]
    printing.print_lines(filter(None, (*said, *absent_lines(plan))))
