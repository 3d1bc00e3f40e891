"""Submitting: what was asked for, whether it may be done, and doing it.

What a person is asked and told in between, at a terminal or on a page, is a
`SubmitFace`'s.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from functools import partial, reduce
from pathlib import Path
from typing import TypeAlias

from kawe.cases.batches.ending import Closing, Ending, left_out_of
from kawe.cases.batches.plans import SubmitRequest
from kawe.cases.kit import Toolkit
from kawe.cases.session import Prepared, Session, open_session
from kawe.cases.sheets import SheetsToRead, SheetToRead, result_place
from kawe.domain.batch.agreements import Budget, Reach, reach_of
from kawe.domain.batch.runs import SUBMIT
from kawe.domain.batch.sending import NO_LOAD, IwiLoad, Sending
from kawe.domain.rows.entries import Entry
from kawe.domain.rows.shown_files import ShownFile
from kawe.domain.sheet.findings import Severity
from kawe.domain.text.next_steps import Given
from kawe.domain.text.texts import one_line
from kawe.flows.check.repeats import REPEATS
from kawe.flows.kinds import Submission
from kawe.flows.papers import keep_receipt_numbers
from kawe.flows.plan.counting import load_of_sends, sending_of, without_done_by
from kawe.flows.report.reporting import Submitted
from kawe.flows.run import Run
from kawe.flows.submit import submitting


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadySheet:
    """A sheet whose plan is counted: it can be announced, agreed to, carried out."""

    sheet: SheetToRead
    result: Path
    asked: SubmitRequest
    prepared: Prepared
    budget: Budget
    may_fail: int | None
    load: IwiLoad
    sending: Sending | None
    """What is to be sent and what to be kept as drafts."""
    account: str
    """LIVE or SANDBOX, and the team."""
    may_go: Sequence[Entry]
    """The rows that are to reach people, the first to go first."""
    files: tuple[ShownFile, ...]
    """What is uploaded."""

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
        counts = {plan.kind: self.sends + plan.own_steps}
        reach = reach_of(counts, account=self.account, rows=self.may_go)
        beside = f" and keep {drafts:,} as drafts" if drafts else ""
        otherwise = f", or use {Given.DRAFTS_ONLY}" if plan.kind.has_drafts else ""
        return replace(reach, beside=beside, otherwise=otherwise)

    def without_rows(self) -> ReadySheet:
        """Give it without the checked rows: many take much memory while a run goes."""
        prepared = replace(self.prepared, checked=self.prepared.checked.without_rows())
        asked = replace(self.asked, checked=None)
        return replace(self, asked=asked, prepared=prepared, may_go=())

    def after(self, used: int) -> ReadySheet:
        """Give it with the tokens that acts of the sheet before have left, at least."""
        left = replace(self.budget.less(used), agreed=self.budget.agreed)
        return replace(self, budget=left)

    def agreed_to(self, number: int) -> ReadySheet:
        """Give the sheet of whom it was shown: the first `number` rows may go."""
        return replace(self, budget=self.budget.agreed_to(number, self.may_go))


async def ready_sheet(
    session: Session,
    asked: SubmitRequest,
    *,
    sheet: SheetToRead,
    result: Path,
    before: Sequence[ReadySheet],
) -> ReadySheet:
    """Count the plan of one sheet, behind the sheets that go `before`."""
    prepared = await asked.prepare(session)
    plan = without_done_by(prepared.plan, [each.prepared.plan for each in before])
    plan = replace(plan, takes_out=asked.reading.accepts_missing)
    prepared = replace(prepared, plan=plan)
    may_fail = asked.may_fail(prepared)
    budget = asked.budget(session).less(sum(each.sends for each in before))
    prepared = await asked.approved(session, prepared)
    toolkit, workbook = session.toolkit, asked.reading.workbook
    if because := toolkit.writer(workbook).why_new(
        toolkit.check_report(prepared.checked.without_rows(), workbook=workbook)
    ):
        toolkit.progress.say(
            f"The result will be a new workbook and not your own, because {because}."
        )
    load, may_go = NO_LOAD, list[Entry]()
    if not asked.drafts_only:
        may_go = await session.sent_now(prepared.plan)
        load = load_of_sends(
            prepared.checked,
            frozenset(entry.key for entry in may_go[: budget.sends(len(may_go))]),
            finished_before=prepared.checked.iwi_load.finished_before,
        )
        await session.make_sure_of_load(
            reduce(IwiLoad.with_more, (each.load for each in before), load)
        )
    return ReadySheet(
        sheet=sheet,
        result=result,
        asked=asked,
        prepared=prepared,
        budget=budget,
        may_fail=may_fail,
        load=load,
        sending=_sending(prepared, asked),
        account=session.account_words,
        may_go=may_go,
        files=prepared.files(asked.reading.root.resolve()),
    )


async def planned_again(session: Session, ready: ReadySheet) -> ReadySheet:
    """Count the plan of a sheet once more, after an earlier sheet was carried out."""
    # What an earlier sheet did may be asked about; a draft is looked for anyhow.
    is_looked_for = ready.prepared.plan.kind.has_drafts
    asked = ready.asked if is_looked_for else replace(ready.asked, checked=None)
    prepared = await asked.prepare(session)
    plan = replace(prepared.plan, takes_out=ready.prepared.plan.takes_out)
    prepared = replace(prepared, plan=plan)
    files = prepared.files(ready.asked.reading.root.resolve())
    sending = _sending(prepared, ready.asked)
    return replace(ready, prepared=prepared, sending=sending, files=files)


def _sending(prepared: Prepared, asked: SubmitRequest) -> Sending | None:
    return sending_of(prepared.plan, prepared.checked, drafts_only=asked.drafts_only)


async def begin(session: Session, ready: ReadySheet) -> tuple[ReadySheet, Ending]:
    """Write down the plan of one sheet; say how the run will end that carries it out.

    Raises:
        ScopeMissing: It would send, and the key may not: nothing was made.
    """
    asked, plan, checked = ready.asked, ready.prepared.plan, ready.prepared.checked
    run = session.start(may_fail=ready.may_fail)
    run.tally.snapshot = ready.prepared.snapshot
    await session.make_sure_of_sending(ready.sends)
    begun = await submitting.begin(plan, run=run, budget=ready.budget)
    prepared = replace(ready.prepared, plan=begun, snapshot=None)
    return replace(ready, prepared=prepared), Ending(
        session=session,
        run=run,
        command=SUBMIT,
        result=ready.result,
        refused=checked.refuses_all,
        iwi_load=ready.load,
        submitted=Submitted(
            reading=plan.batch.reading,
            findings=checked.table.findings,
            same_sends=not asked.drafts_only,
            sending=ready.sending,
            read_as=checked.table.read_as,
        ),
        rows_read=plan.rows_read,
        left_out=left_out_of(plan, asked.limits),
    )


Agrees: TypeAlias = Callable[[Session, Sequence[ReadySheet]], Sequence[ReadySheet]]


async def _tell_nothing(_session: Session, _ready: Sequence[ReadySheet]) -> None:
    """Say nothing: it was shown before."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SubmitFace:
    """What a submit asks of a person, and tells them; by itself, next to nothing."""

    agreed: Agrees
    """Asks a person to agree; gives the sheets with what they agreed to, or raises
    `GuardRefused`: then nothing is done."""
    is_meant: Callable[[str], bool] = lambda _: False
    """Asks whether an odd account is meant."""
    are_others: Callable[[Mapping[object, str]], bool] = lambda _: False
    """Asks whether rows that look like projects of before are others; if not, they are
    left out, to correct."""
    announce: Callable[[Session, Sequence[ReadySheet]], Awaitable[None]] = _tell_nothing
    """Says what will be done, before anybody agrees to it."""
    heeding: Callable[[], AbstractContextManager[None]] = nullcontext
    """Heeds whoever stops the run."""
    closed: Callable[[ReadySheet, Closing], None] = lambda *_: None
    """Says how a sheet stands, whose result is written."""


def agreed_before(most: int) -> Agrees:
    """Agree to so many acts of each sheet; more raise `GuardRefused`."""

    def agreed(session: Session, ready: Sequence[ReadySheet]) -> Iterator[ReadySheet]:
        for each in ready:
            if session.reaches_people(each.prepared.plan.kind):
                each.reach.check_covered(most)
                yield each.agreed_to(most)
            else:
                yield each

    return lambda session, ready: [*agreed(session, ready)]


async def submit_sheets(
    toolkit: Toolkit,
    asked: SubmitRequest,
    *,
    sheets: SheetsToRead,
    results: Sequence[Path],
    face: SubmitFace,
) -> list[Closing]:
    """Check every sheet, let the person agree, then carry out one after the other.

    A run that stops begins no other sheet.

    Raises:
        GuardRefused: The person, or a guard, does not agree: nothing was sent.
        PlanRefused: The plan is stale: nothing was sent.
    """
    accept, is_meant = asked.accept, face.is_meant
    async with open_session(toolkit, accept=accept, agree=is_meant) as session:
        ready = await _settled(session, asked, sheets, results=results, face=face)
        batches = [each.prepared.plan.batch.name for each in ready]
        async with session.asking(SUBMIT, batches):
            await face.announce(session, ready)
            agreed = [*face.agreed(session, ready)]
        ready.clear()
        closings: list[Closing] = []
        stuck: set[str] = set()
        while agreed:
            now = agreed.pop(0)
            # What an earlier sheet has done is not done again.
            now = await planned_again(session, now) if closings else now
            now = now.without_rows()
            toolkit.let_rows_go()
            with face.heeding():
                now, ending = await begin(session, now)
                run = ending.run
                run.tally.stuck = stuck
                await _carry_out(now, run)
            now = replace(now, budget=replace(now.budget, agreement=None))
            agreed = [e.after(len(run.tally.acts_with_token)) for e in agreed]
            batch, workbook = now.prepared.plan.batch, now.asked.reading.workbook
            closings.append(await ending.write(batch, workbook=workbook))
            face.closed(now, closings[-1])
            if not ending.goes_on:
                break
        return closings


async def _carry_out(ready: ReadySheet, run: Run) -> None:
    """Carry out a plan that was begun."""
    await submitting.submit(
        Submission(
            plan=ready.prepared.plan,
            run=run,
            budget=ready.budget,
            organisations=ready.prepared.checked.organisations,
            drafts_only=ready.asked.drafts_only,
        )
    )
    await keep_receipt_numbers(run)


async def submit_one(
    toolkit: Toolkit, asked: SubmitRequest, *, face: SubmitFace
) -> Closing:
    """Submit the one sheet of a workbook; its result goes to its usual place."""
    sheets, workbook = toolkit.sheets(asked.reading), asked.reading.workbook
    place = result_place(workbook, wanted=None, label=sheets.lists[0].label)
    toolkit.writer(workbook).check_writable(place)
    (closing,) = await submit_sheets(
        toolkit, asked, sheets=sheets, results=[place], face=face
    )
    return closing


async def submit_agreed(
    toolkit: Toolkit, asked: SubmitRequest, *, agreed: int
) -> Closing:
    """Submit the one sheet of a workbook; so many acts were agreed to, at most."""
    face = SubmitFace(agreed=agreed_before(agreed))
    return await submit_one(toolkit, asked, face=face)


def reach_of_all(session: Session, ready: Sequence[ReadySheet]) -> Reach:
    """Describe the acts of all sheets that reach people, as one."""
    reaches = [
        (each.reach, one_line(each.sheet.sheet))
        for each in ready
        if session.reaches_people(each.prepared.plan.kind) and each.reach.acts
    ]
    return Reach(
        acts=sum(reach.acts for reach, _ in reaches),
        does=", and ".join(f"{reach.does} ({sheet})" for reach, sheet in reaches),
        undone=" ".join(dict.fromkeys(reach.undone for reach, _ in reaches)),
    )


async def _settled(
    session: Session,
    asked: SubmitRequest,
    sheets: SheetsToRead,
    *,
    results: Sequence[Path],
    face: SubmitFace,
) -> list[ReadySheet]:
    """Make the sheets ready; ask about rows that repeat others until that is clear."""
    make = partial(_ready, session, asked, [*zip(sheets.lists, results, strict=True)])
    ready = await make()
    while asked.saved is None and face.are_others(_repeats(ready, is_open=True)):
        accepted = await make(accepts=True)
        # The word covers what was listed; another one may have come meanwhile.
        if _repeats(accepted).keys() <= _repeats(ready).keys():
            return accepted
        ready = await make()
    return ready


async def _ready(
    session: Session,
    asked: SubmitRequest,
    sheets: Sequence[tuple[SheetToRead, Path]],
    *,
    accepts: bool = False,
) -> list[ReadySheet]:
    ready: list[ReadySheet] = []
    readings = [each.reading for each, _ in sheets]
    if accepts:
        readings = [replace(each, accepts_repeats=True) for each in readings]
    some = [replace(asked, reading=reading) for reading in readings]
    if len(some) > 1:
        checked = await session.check_together(readings)
        some = [replace(e, checked=c) for e, c in zip(some, checked, strict=True)]
    for one, (sheet, result) in zip(some, sheets, strict=True):
        ready.append(
            await ready_sheet(session, one, sheet=sheet, result=result, before=ready)
        )
    return ready


def _repeats(
    ready: Sequence[ReadySheet], *, is_open: bool = False
) -> dict[object, str]:
    """Give what rows likely repeat, and what is said of it; `is_open`: not agreed."""
    said: dict[object, str] = {}
    for row in (row for sheet in ready for row in sheet.prepared.checked.rows):
        for finding in row.findings:
            is_asked = finding.severity is Severity.ERROR or not is_open
            if finding.rule in REPEATS and is_asked:
                words = f"{one_line(str(finding.where))}: {finding.message}"
                repeated = row.repeats or {finding.rule}
                said |= dict.fromkeys(((row.row.ref, e) for e in repeated), words)
    return said
