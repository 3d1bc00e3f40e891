"""`kawe submit`: check, upload, draft, send; again to resume."""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Final

from kawe.cases import is_plan, read_plan_file
from kawe.cases.batches import submitting
from kawe.cases.batches.ending import Closing, Extracts
from kawe.cases.batches.plans import SubmitRequest, request_of_plan
from kawe.cases.batches.submitting import ReadySheet
from kawe.cases.session import Session
from kawe.cli.output import printing
from kawe.cli.output.next_command import PLACE, suggested, typed_flag
from kawe.cli.shared import agreeing, running
from kawe.cli.shared.agreeing import is_at_terminal
from kawe.cli.shared.declaring import command, names_of, options_class, rare
from kawe.cli.shared.detaching import detach
from kawe.cli.shared.notifying import NotifyingCommand
from kawe.cli.shared.options import (
    CommandContext,
    ReadingOptions,
    RunOptions,
    WhichOptions,
    WorkbookOptions,
)
from kawe.cli.shared.read_words import print_reading
from kawe.cli.shared.running import ExtractOptions, OpenOptions
from kawe.cli.shared.sheets import SheetAnswer, TakenSheets, head_line, take_sheets
from kawe.domain.batch.exit_codes import worst_of
from kawe.domain.rows.shown_files import file_lines
from kawe.domain.sheet.findings import Severity
from kawe.domain.text.row_choice import read_allowance
from kawe.domain.text.texts import counted
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
    detach: bool = rare(
        "--detach",
        help="Let a host of kawe work --database carry it out; see kawe status.",
    )
    run: RunOptions
    opening: OpenOptions


def asked_of(context: CommandContext, options: SubmitOptions) -> SubmitRequest:
    """Say what a submit was asked for, from its options."""
    path, allowance = options.reading.workbook, options.max_errors
    is_saved = is_plan(path)
    _refuse_strays(options, is_saved=is_saved)
    limits = options.which.limits(options.run.bounds)
    if is_saved:
        asked = request_of_plan(
            read_plan_file(path),
            path,
            context.toolkit,
            limits=limits,
            workbook=options.moved_to,
            files_root=options.reading.files_root,
        )
    else:
        asked = SubmitRequest(reading=options.reading.reading, limits=limits, path=path)
    return replace(
        asked,
        allowance=None if allowance is None else read_allowance(allowance),
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


_IDLE_SHEETS: Final = 4
"""More of them would push the question off the screen."""


@command(
    "kawe submit monthly.xlsx · kawe submit monthly.xlsx --yes 40 --no-input · kawe "
    "submit plan.json",
    cls=NotifyingCommand,
)
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
    no_input = options.run.no_input
    taken = take_sheets(
        context,
        asked.reading,
        options.reading,
        no_input=no_input,
        of_one={"only", "canary"},
    )
    places = taken.places(options.reading.result, options.extracts)
    if asked.saved is None:
        taken = taken.asked(acts=True)
    if options.detach:
        return detach(taken.context, asked, sheets=taken.sheets, run=options.run)
    face = _Terminal(taken=taken, run=options.run, extracts=places)
    asyncio.run(
        submitting.submit_sheets(
            taken.context.toolkit,
            asked,
            sheets=taken.sheets,
            results=[*places],
            face=submitting.SubmitFace(
                agreed=face.agreed,
                is_meant=partial(agreeing.is_meant, no_input=face.run.no_input),
                are_others=face.are_others,
                announce=face.announce,
                heeding=face.context.state.stopping.on_signals,
                closed=face.closed,
            ),
        )
    )
    if face.idle and not context.as_json:
        printing.print_lines(_in_few(face.answers, [*taken.rest_lines(face.answers)]))
        code = worst_of(each.code for each in face.answers)
    else:
        code = taken.answer("submit", face.answers)
    options.opening.open(context.results, no_input=no_input)
    return code


def _in_few(answers: Sequence[SheetAnswer], others: Sequence[str]) -> Iterator[str]:
    """Say of sheets with nothing to do, and of `others`, how they stand."""
    for each in answers[:_IDLE_SHEETS]:
        rows = each.document()["rows_read"]
        yield f"{head_line(each.sheet)} {counted(rows, 'row')}, all done already."
    if (more := len(answers) - _IDLE_SHEETS) > 0:
        yield f"And {counted(more, 'more sheet')}, all done already."
    yield from others[:1]
    if others[1:]:
        yield f"And {counted(len(others) - 1, 'more sheet')} not read."


@dataclass(frozen=True, slots=True, kw_only=True)
class _Terminal:
    """Asks and tells the person at the terminal."""

    taken: TakenSheets
    run: RunOptions
    extracts: Mapping[Path, Extracts]
    """By the result of a sheet, the files beside it."""
    answers: list[SheetAnswer] = field(default_factory=list)
    idle: list[ReadySheet] = field(default_factory=list)
    """Several sheets, where none has anything to do."""

    @property
    def context(self) -> CommandContext:
        return self.taken.context

    def are_others(self, repeats: Mapping[object, str]) -> bool:
        self.context.progress.close()
        return agreeing.ask_about_repeats(repeats, no_input=self.run.no_input)

    async def announce(self, session: Session, ready: Sequence[ReadySheet]) -> None:
        """Say what will be done for each sheet; the account is said once."""
        self.context.progress.close()
        plans = [each.prepared.plan for each in ready]
        is_idle = all(e.finished == e.rows_read and not e.has_work for e in plans)
        if is_idle and len(plans) > 1 and not self.context.verbose:
            self.idle.extend(ready)
        said = ready[:1] if self.idle else ready
        for each in () if self.context.as_json else said:
            await self._announce(session, each, is_first=each is ready[0])

    def agreed(self, session: Session, ready: Sequence[ReadySheet]) -> list[ReadySheet]:
        """Compare the acts of all sheets with what was agreed to, then ask of each."""
        run = self.run
        never = run.no_input or not is_at_terminal()
        if len(ready) > 1 and (run.agreed is not None or never):
            total = submitting.reach_of_all(session, ready)
            agreeing.agree(total, agreed=run.agreed, no_input=run.no_input)
        return [self._agreed(session, each) for each in ready]

    def _agreed(self, session: Session, ready: ReadySheet) -> ReadySheet:
        """Ask where a person must agree to what is done for one sheet."""
        asked, run = ready.asked, self.run
        reaches_people = session.reaches_people(ready.prepared.plan.kind)
        if ready.reach.acts and reaches_people and run.agreed is None:
            printing.print_lines(self.taken.head(ready.sheet))
        prepared = agreeing.ask_about_missing(
            ready.prepared, accepts=asked.reading.accepts_missing, no_input=run.no_input
        )
        ready = replace(ready, prepared=prepared)
        budget = agreeing.ask_agreement(
            # The account was said with the plan, a few lines above.
            replace(ready.reach, account=""),
            budget=ready.budget,
            is_live=reaches_people,
            agreed=run.agreed,
            no_input=run.no_input,
        )
        return replace(ready, budget=budget)

    def closed(self, ready: ReadySheet, closing: Closing) -> None:
        """Say how a sheet stands."""
        done = running.closed(self.context, closing, self.extracts[ready.result])
        answer = SheetAnswer(
            sheet=ready.sheet,
            code=closing.code,
            document=lambda: running.closing_document(done, files=ready.files),
        )
        self.answers.append(answer)
        if not self.context.as_json and not self.idle:
            is_idle = not ready.prepared.plan.has_work
            lines = running.closing_lines(done, is_idle=is_idle)
            printing.print_lines([*self.taken.head(ready.sheet), *lines])

    async def _announce(
        self, session: Session, ready: ReadySheet, *, is_first: bool
    ) -> None:
        asked, plan = ready.asked, ready.prepared.plan
        verbose = self.context.verbose
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
        if self.idle:
            printing.print_lines(lines[:1])
            return
        print_reading(
            ready.prepared.checked.table,
            asked.reading.workbook,
            self.context,
            is_idle=not plan.has_work,
        )
        printing.print_problems(
            ready.prepared.checked.problems(as_they_stand(plan)),
            least=Severity.ERROR if plan.kind.has_drafts else Severity.WARNING,
            rest="in Problems, a sheet of the result workbook; or --verbose",
            verbose=verbose,
            is_brief=True,
        )
        if asked.saved is not None:
            approvals = await session.journal.approvals()
            lines[1:1] = carrying_out(asked.saved, approvals, plan=plan)
        said = lines if is_first else lines[1:]
        printing.print_lines(filter(None, (*said, *absent_lines(plan))))
