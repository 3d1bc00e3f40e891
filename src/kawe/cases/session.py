"""An open service and journal, bound to one account."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from kawe.cases.choices import agreed_mode, make_sure_of_account, make_sure_of_side
from kawe.cases.kit import Toolkit
from kawe.domain.batch.agreements import Budget
from kawe.domain.batch.exit_codes import ExitCode, code_of
from kawe.domain.batch.outcomes import BatchReport
from kawe.domain.batch.periods import Period
from kawe.domain.batch.plans import Plan
from kawe.domain.batch.readings import Reading
from kawe.domain.batch.runs import EndOfRun, RunRecord
from kawe.domain.batch.saved_plans import PlannedLimits
from kawe.domain.batch.sending import IwiLoad
from kawe.domain.batch.waiting import in_order
from kawe.domain.rows.entries import Batch, BatchName, Binding, Entry
from kawe.domain.rows.shown_files import ShownFile, files_below
from kawe.domain.service.service_words import Account
from kawe.domain.sheet.columns import SheetKind
from kawe.domain.text.next_steps import Given
from kawe.domain.text.row_choice import read_row_choice
from kawe.domain.text.texts import one_line, some_of
from kawe.errors import GuardRefused, KaweError, ScopeMissing, SettingsError
from kawe.files.answers import AnswerFile, answers_beside
from kawe.flows.check.across import mark_across
from kawe.flows.check.checking import Checked
from kawe.flows.checked_rows import attached
from kawe.flows.plan import counting
from kawe.flows.plan.belonging import Source
from kawe.flows.plan.counting import drafts_made_by, sent_now
from kawe.flows.plan.planning import make_plan
from kawe.flows.report.months import report_period
from kawe.flows.report.previewing import report_preview
from kawe.flows.report.reporting import Frame
from kawe.flows.routing import REMEMBERED_FOR, AnswerCache
from kawe.flows.run import Run, Snapshot
from kawe.flows.tools import StopSignal, Tools
from kawe.flows.wait.queueing import waiting
from kawe.ports import Journal
from kawe.workbook.replacing import batch_beside

if TYPE_CHECKING:
    from kawe.service.opening import Service

_IWI_SHOWN: Final = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """A checked workbook and the plan that follows from it."""

    checked: Checked
    plan: Plan
    snapshot: Snapshot | None = None
    """What the service showed when the plan was counted."""

    def files(self, root: Path) -> tuple[ShownFile, ...]:
        """List the files that the run uploads, relative to `root`."""
        going = (*drafts_made_by(self.plan), *self.plan.own_rows)
        making = {entry.key for entry in going}
        rows = (row for row in self.checked.rows if row.key in making)
        return files_below(root, attached(rows))


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """A toolkit with its service and journal open."""

    toolkit: Toolkit
    service: Service
    journal: Journal
    account: Account
    mode: str

    @property
    def is_live(self) -> bool:
        return self.mode == "live"

    @property
    def spends_tokens(self) -> bool:
        return self.is_live and not self.account.is_iwi

    def reaches_people(self, kind: SheetKind) -> bool:
        """Check that acts for a sheet of this kind reach people.

        A sandbox key sends to nobody, but invites real people unless the whole
        account is a sandbox.
        """
        if not kind.is_counted:
            return False
        is_real = kind.is_real_in_sandbox and self.account.sandbox is not True
        return self.is_live or is_real

    @property
    def account_words(self) -> str:
        return f"{self.mode.upper()}: {one_line(self.account.team_name)}"

    @property
    def binding(self) -> Binding:
        return Binding(
            base_url=self.toolkit.settings.service_url(),
            team_id=self.account.team_id,
            team_name=self.account.team_name,
            mode=self.mode,
        )

    @property
    def tools(self) -> Tools:
        return self.toolkit.tools(self.service)

    async def check(
        self, reading: Reading, *, keeps: bool = True, cache: AnswerCache | None = None
    ) -> Checked:
        """Check a workbook.

        The journal keeps what the service says of places, if it `keeps` anything;
        `cache` stands in its place.

        Raises:
            GuardRefused: The key is an iwi's, and the sheet a team's.
        """
        if not (kind := self.toolkit.head(reading).kind).tells_side:
            say = f"If it is one of these, say which, as {Given.KIND('notes')}. "
            make_sure_of_side(kind, self.account, or_else=say)
        if cache is None:
            cache = AnswerCache(
                journal=self.journal, clock=self.toolkit.clock, keeps=keeps
            )
        return await self.toolkit.check(
            reading,
            service=self.service,
            journal=self.journal,
            cache=cache,
            team_id=self.account.team_id,
        )

    async def check_together(
        self,
        readings: Sequence[Reading],
        *,
        keeps: bool = True,
        cache: AnswerCache | None = None,
    ) -> tuple[Checked, ...]:
        """Check sheets of one workbook, each as `check` does, and all together."""
        some = [await self.check(each, keeps=keeps, cache=cache) for each in readings]
        return mark_across(some, accepts=readings[0].accepts_repeats)

    @contextmanager
    def remembering(self, *, is_fresh: bool) -> Iterator[AnswerCache]:
        """Give what checks of the last 24 hours were told; keep what this one is told.

        `is_fresh`: nothing of it is used, and all is kept anew.
        """
        now = self.toolkit.clock.now()
        memory = AnswerFile(
            answers_beside(self.toolkit.settings.journal_path()),
            binding=self.binding,
            since=now - REMEMBERED_FOR,
            now=now,
        )
        try:
            yield AnswerCache(
                journal=self.journal,
                clock=self.toolkit.clock,
                keeps=False,
                memory=memory,
                is_fresh=is_fresh,
            )
        finally:
            memory.save()

    async def prepare(
        self,
        reading: Reading,
        *,
        update_drafts: bool = False,
        keeps: bool = True,
        checked: Checked | None = None,
    ) -> Prepared:
        """Check a workbook, unless it is `checked`, and plan its submission."""
        if checked is None:
            checked = await self.check(reading, keeps=keeps)
        sheet = checked.table.sheet
        lists = self.toolkit.list_names(reading, sheet=sheet)
        source = Source(
            workbook=reading.workbook.resolve(),
            read_at=self.toolkit.clock.now(),
            is_there=partial(self.toolkit.has_still, reading),
            label=self.toolkit.label(reading, sheet=sheet),
            siblings=frozenset(lists) - {sheet},
            of_batch=batch_beside(reading.workbook),
        )
        plan = await make_plan(
            checked,
            source=source,
            account=self.account,
            journal=self.journal,
            update_drafts=update_drafts,
        )
        return Prepared(checked=checked, plan=plan)

    async def preview(
        self, reading: Reading, checked: Checked
    ) -> tuple[BatchReport, BatchName]:
        """Report how each row stands, and in which batch; none: a submit opens one."""
        plan = (await self.prepare(reading, checked=checked)).plan
        report = await report_preview(
            checked,
            plan,
            run=self.start(),
            workbook=reading.workbook,
            frame=Frame(written_at=self.toolkit.clock.now()),
        )
        is_new = plan.batch.opened_at == plan.batch.read_at
        return report, BatchName("" if is_new else plan.batch.name)

    async def narrowed(self, prepared: Prepared, limits: PlannedLimits) -> Prepared:
        """Leave rows out of a plan, by its limits.

        Raises:
            SettingsError: They name rows that the sheet does not have, or want drafts
                of people.
        """
        plan = prepared.plan
        if limits.drafts_only and not plan.kind.has_drafts:
            raise SettingsError(
                message=f"{Given.DRAFTS_ONLY} is for projects: {plan.kind.one} has no "
                "draft.",
                hint=plan.kind.undone,
            )
        if limits.update_drafts and not plan.kind.has_drafts:
            idle = f"{Given.UPDATE_DRAFTS} changes nothing for a sheet of {plan.kind}."
            self.toolkit.progress.say(f"Note: {idle}")
        if limits.only is not None:
            plan = counting.only(plan, read_row_choice(limits.only))
        if limits.canary is not None:
            first = await self.journal.put_first_so_far()
            plan = counting.canary(plan, limits.canary, first=first)
        return replace(prepared, plan=plan)

    async def sent_now(self, plan: Plan) -> list[Entry]:
        """Give the rows that are to reach people, in the order of a saved plan."""
        ordered = await self._in_order([*sent_now(plan), *plan.own_rows])
        if (places := plan.may_send) is not None:
            ordered.sort(key=lambda entry: places[entry.key])
        return ordered

    async def _in_order(self, rows: Iterable[Entry]) -> list[Entry]:
        return in_order(rows, first=await self.journal.put_first_so_far())

    def start(self, *, may_fail: int | None = None) -> Run:
        return Run(
            journal=self.journal,
            acts=self.service.acts,
            lookups=self.service.lookups,
            uploads=self.service.uploads,
            pace=self.service.pace,
            clock=self.toolkit.clock,
            progress=self.toolkit.progress,
            stop=StopSignal(halt=self.toolkit.halt),
            account=self.account,
            workers=self.toolkit.settings.workers,
            settle_seconds=self.toolkit.settings.settle_seconds,
            is_alone=self.toolkit.settings.machines == "one",
            may_fail=may_fail,
            alerts=self.toolkit.alerts,
            owner=self.toolkit.settings.owner,
            chance=random.Random().random,  # noqa: S311 - guards no secret
        )

    def budget(self, *limits: PlannedLimits) -> Budget:
        """Say how many sends may be tried: these limits and the settings hold."""
        most = (each.max_tokens for each in limits if each.max_tokens is not None)
        reserves = (each.keep_reserve for each in limits)
        return Budget(
            balance=self.account.balance if self.spends_tokens else None,
            keep_reserve=max(self.toolkit.settings.keep_reserve, *reserves),
            max_tokens=min(most, default=None),
        )

    async def waiting(self, names: tuple[BatchName, ...]) -> list[Entry]:
        """Give the rows that wait, in order; not those that another run has."""
        rows = await waiting(names, journal=self.journal)
        at = self.toolkit.run_beside(self.journal)
        return await self._in_order(e for e in rows if not e.is_in_flight(at))

    @asynccontextmanager
    async def asking(
        self, command: str, batches: Iterable[BatchName]
    ) -> AsyncIterator[None]:
        """Keep a run that ends in here in the history: it never began.

        A batch that the journal does not have yet has no history.
        """
        stopped: int | None = ExitCode.INTERRUPTED
        try:
            yield
            stopped = None
        except KaweError as trouble:
            stopped = code_of(trouble)
            raise
        finally:
            if stopped is not None:
                now = self.toolkit.clock.now()
                end = EndOfRun(at=now, counts={}, tokens=0, exit_code=stopped)
                await self.keep_runs(command, batches, end=end)

    async def keep_runs(
        self, command: str, batches: Iterable[BatchName], *, end: EndOfRun | None = None
    ) -> None:
        """Add a run of each of some batches to the history."""
        names = set(batches)
        for batch in await self.journal.batches():
            if batch.name in names:
                await self.keep_run(command, batch, end=end)

    async def keep_run(
        self, command: str, batch: Batch, *, end: EndOfRun | None
    ) -> None:
        """Add a run of a batch to the history."""
        run = RunRecord(
            batch=batch.name,
            command=command,
            workbook=batch.workbook,
            began_at=self.toolkit.clock.now(),
            end=end,
            by=self.toolkit.run,
        )
        await self.journal.keep_run(run)

    async def make_sure_of_sending(self, sends: int) -> None:
        """Check before all uploads and drafts that the key may send, if it is to.

        Raises:
            ScopeMissing: It may not; other missing scopes show at the first request.
        """
        if lacks := await self.lacks_sending(sends):
            raise ScopeMissing(
                message=lacks,
                hint="Nothing was made and nothing was sent. Ask an owner of the team "
                f"for a key with that scope, or make drafts with {Given.DRAFTS_ONLY}.",
            )

    async def lacks_sending(self, sends: int) -> str:
        """Say that the key may not send; empty where it may, or sends nothing."""
        from kawe.service.probing import SENDING  # noqa: PLC0415 (start-up)

        if not sends or not await self.service.pace.turn():
            return ""
        team_id = self.account.team_id
        if await self.service.probe.has(SENDING, team_id=team_id) is not False:
            return ""
        return f"The key may not send projects: it lacks {SENDING.scope} (403)."

    async def weighed(self, load: IwiLoad) -> IwiLoad:
        """Add which iwi would get more in this month than the settings allow.

        What was sent before is what this journal knows.
        """
        most, now = self.toolkit.settings.per_iwi_month, self.toolkit.clock.now()
        if most is None or not load.shares:
            return load
        today = self.toolkit.today
        month = Period(since_on=today.replace(day=1), until_on=today)
        told = await report_period(month, journal=self.journal, written_at=now)
        above = load.over(most, sent=dict(told.iwi))
        return replace(load, above=some_of([*above], shown=_IWI_SHOWN, between=" "))

    async def make_sure_of_load(self, load: IwiLoad) -> None:
        """Check before all acts that no iwi gets more than the settings allow.

        Raises:
            GuardRefused: One would.
        """
        if above := (await self.weighed(load)).above:
            raise GuardRefused(
                message=above,
                hint="Nothing was sent. Send fewer of them now and the others next "
                "month, or raise per_iwi_month in your own settings.",
            )


@asynccontextmanager
async def open_session(
    toolkit: Toolkit,
    *,
    read_only: bool = False,
    accept: Callable[[Binding], None] | None = None,
    agree: Callable[[str], bool] | None = None,
) -> AsyncIterator[Session]:
    """Open service and journal, and bind them to each other.

    A journal that is only read stays unchanged and may be missing. `accept` raises
    for a wrong account; `agree` asks the person about an odd one before sends.

    Raises:
        GuardRefused: Key and settings disagree about live or sandbox, or a live
            key meets a sandbox account and the person does not agree.
        JournalForeign: The journal belongs to another account.
    """
    async with (
        toolkit.open_service() as service,
        toolkit.open_journal(read_only=read_only, may_be_missing=True) as journal,
    ):
        account = await service.lookups.account()
        mode = agreed_mode(toolkit.settings, account)
        if agree is not None:
            make_sure_of_account(toolkit.settings, account, agree=agree)
        session = Session(
            toolkit=toolkit,
            service=service,
            journal=journal,
            account=account,
            mode=mode,
        )
        if accept is not None:
            accept(session.binding)
        if not read_only:
            account_alone = replace(session.binding, team_name="")
            toolkit.profiles.check(toolkit.settings, account_alone)
        await journal.bind(session.binding)
        yield session
