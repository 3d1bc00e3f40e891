"""The kinds of sheet whose rows are acts: each is made from one line of the table.

An act takes one look and one request; then its verdict is written down.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, ClassVar, Final

from kawe.domain.batch.agreements import Budget
from kawe.domain.batch.explaining import CONFIRMED
from kawe.domain.batch.outcomes import Outcome
from kawe.domain.rows.entries import Entry
from kawe.domain.rows.identity import fingerprint_of
from kawe.domain.service.states import (
    FINISHED,
    NotDone,
    Reason,
    State,
    Step,
    Unknown,
    doubts_about,
)
from kawe.domain.sheet.content import Attachment, Content
from kawe.domain.sheet.findings import ACT_IS_SO, Severity, blocks
from kawe.domain.sheet.tables import Table, TableRow
from kawe.flows.checked_rows import (
    CheckContext,
    CheckedRow,
    attachments_of,
    owner_findings,
    schema_findings,
)
from kawe.flows.kinds import Answers, Inquiry, Kind, Submission, guide_of
from kawe.flows.run import Run
from kawe.flows.submit.safe_retry import SafeRetry
from kawe.flows.submit.sending import AT_LIMIT, BEHIND, NO_TOKENS_LEFT, take_note_of_402
from kawe.flows.submit.submitting import in_rounds
from kawe.flows.submit.uploading import bring_files, named_files
from kawe.kinds.acts.again import (
    as_before,
    ask_of_sorted,
    asked_again,
    before,
    earlier_acts,
    spelt_as_before,
)
from kawe.kinds.acts.content import (
    ActContent,
    act_key,
    act_of,
    each_once,
    emptied,
    is_as_fetched,
    new_role,
    said_of,
    shown_of,
)
from kawe.kinds.acts.deeds import STANDS, Deed, deed_of
from kawe.kinds.acts.facts import Facts, Reverse, fetched_rows, parts_of, put_back
from kawe.kinds.acts.schema import WORDS, schema_of
from kawe.kinds.acts.table import AGAIN, BEHIND_FAILED, TABLE, ActLine, More, Proven
from kawe.kinds.acts.world import (
    OF_PROJECT,
    Unfit,
    World,
    find_projects,
    read_threads,
    read_world,
    some_names,
)
from kawe.ports import Lookups

_TO_DO: Final = frozenset({State.VALID, State.QUEUED})
_AS_IN_LINE: Final = ("word", "verb", "costs", "is_counted", "is_for_iwi")


@dataclass(frozen=True, slots=True, kw_only=True)
class Doer:
    """Does the acts of one batch in one run."""

    verb: str
    run: Run
    budget: Budget
    dry: dict[str, str] = field(default_factory=dict)
    """Why the next act that needs a token waits, by project."""
    in_doubt: set[str] = field(default_factory=set)
    """The targets of which an act of this round is in doubt."""
    behind: Collection[str] = ()
    """The targets of which an act of an earlier sheet failed."""

    async def settle(self, entries: Sequence[Entry]) -> None:
        """Settle doubts by reading, the earliest first."""
        for at, entry in enumerate(entries, start=1):
            step = Step(act_of(entry).word)
            if entry.state in doubts_about(step) and not self.run.stop.is_set():
                await self._settle(entry)
                if entry.key in self.run.tally.failed:
                    await self._hold_behind(entry, entries[at:])

    async def do(self, entries: Sequence[Entry], _: None) -> None:
        """Do what is not done, one after the other."""
        waiting = [e for e in entries if e.state in _TO_DO]
        if waiting:
            self.run.progress.begin(self.verb.capitalize(), total=len(waiting))
        self.in_doubt.clear()
        await self._hold(waiting, self.behind)
        for at, entry in enumerate(waiting, start=1):
            if self.run.stop.is_set():
                return
            # Rows of one target keep their order: the next round settles the doubt.
            one = ActContent.of(entry.content).one
            if one in self.in_doubt or entry.key in self.run.tally.failed:
                continue
            # A row that waits already keeps its time and its reason, and needed one.
            waits, why = entry.state is State.QUEUED, self._why_not(entry)
            if why and not waits:
                await self.run.move(entry, State.QUEUED, reason=why)
            elif not (waits and self.dry):
                await self._do(entry)
                if entry.key in self.run.tally.failed:
                    await self._hold_behind(entry, waiting[at:])
            self.run.progress.advance()

    async def _hold_behind(self, entry: Entry, rows: Sequence[Entry]) -> None:
        """Hold what follows on the target of a row that failed: so it was agreed to."""
        one = ActContent.of(entry.content).one
        self.run.tally.stuck.add(one)
        await self._hold(rows, {one})

    async def _hold(self, rows: Sequence[Entry], ones: Collection[str]) -> None:
        behind = [e for e in rows if ActContent.of(e.content).one in ones]
        behind = [e for e in behind if e.state in _TO_DO]
        await self.run.move_all(behind, State.HELD, reason=BEHIND_FAILED)

    def _why_not(self, entry: Entry) -> str:
        """Say why an act waits for tokens; what is free goes on, unless it ends all."""
        act, target = act_of(entry), ActContent.of(entry.content).target_id
        most, used = self.budget.own_limit, self.run.tally.tokens
        if most is not None and used >= most and self._may_cost(entry):
            return self.dry.setdefault(target, AT_LIMIT)
        why = self.dry.get(target, "")
        if act.costs:
            return why
        return BEHIND if why and act.verb in STANDS else ""

    def _may_cost(self, entry: Entry) -> bool:
        """Say whether an act may use a token, as far as this run knows."""
        turns = ActContent.of(entry.content).turns_in
        is_second = bool(turns) and self.run.tally.turns[turns] % 2 == 1
        return bool(act_of(entry).costs) and not is_second

    def _count(self, entry: Entry) -> None:
        if self._may_cost(entry):
            self.run.tally.acts_with_token.add(entry.key)
        if turns := ActContent.of(entry.content).turns_in:
            self.run.tally.turns[turns] += 1

    async def _do(self, entry: Entry) -> None:
        if is_as_fetched(ActContent.of(entry.content).said, act_of(entry)):
            await self.run.move(entry, State.ALREADY_THERE)
            return
        if not await bring_files(self.run, entry, ActContent.of(entry.content).files):
            return
        retry, goes_on = SafeRetry(run=self.run), True
        while goes_on and not self.run.stop.is_set():
            try:
                deed = await self._look(entry, shown=shown_of(entry))
                deed = await self._with_files(entry, deed)
                if deed.unknown is not None and not deed.is_so:
                    raise deed.unknown
            except Unfit as trouble:
                await self.run.move(entry, State.HELD, reason=str(trouble))
                return
            if deed.is_so:
                await self.run.move(entry, State.ALREADY_THERE)
                return
            if not await self.run.pace.turn():
                return
            goes_on = await self._ask(entry, deed, retry)

    async def _with_files(self, entry: Entry, deed: Deed) -> Deed:
        files = await named_files(self.run, entry, ActContent.of(entry.content).files)
        return replace(deed, body={**deed.body, "files": files}) if files else deed

    async def _ask(self, entry: Entry, deed: Deed, retry: SafeRetry) -> bool:
        """Note the intent, ask once, conclude; say whether it may be asked again."""
        run, step = self.run, Step(act_of(entry).word)
        asked = [deed.operation, deed.path, deed.body]
        intent = await run.intend(entry, step, asked, known=deed.seen)
        await run.journal.note([intent])
        verdict = await run.acts.act(
            step, deed.operation, path=deed.path, body=deed.body
        )
        if not isinstance(verdict, NotDone):
            self._count(entry)
        if isinstance(verdict, Unknown):
            self.in_doubt.add(ActContent.of(entry.content).one)
        await run.conclude(intent, verdict)
        if isinstance(verdict, NotDone) and verdict.reason is Reason.NO_TOKENS:
            take_note_of_402(run)
            self.dry[ActContent.of(entry.content).target_id] = NO_TOKENS_LEFT
        return await retry.may_retry(verdict)

    async def _look(self, entry: Entry, *, shown: Mapping[str, str] = {}) -> Deed:
        content, act, run = ActContent.of(entry.content), act_of(entry), self.run
        world = World(account=run.account)
        world = await read_world(
            run.lookups, world, act.reads, project=content.target_id
        )
        return deed_of(act, content.said, world, shown=shown)

    async def _settle(self, entry: Entry) -> None:
        """Settle one doubt; what is not there may still be on its way."""
        before = (await self.run.journal.attempts(entry.key))[-1].intent.known_projects
        trouble = await self._is_done(entry, before)
        if trouble is not None:
            if not await self.run.settle():
                return
            trouble = await self._is_done(entry, before)
        if trouble is None:
            words = f"{act_of(entry).done.capitalize()} {CONFIRMED}"
            await self.run.move(entry, State.DONE, reason=words)
        elif trouble:
            await self.run.move(entry, State.HELD, reason=trouble)
        else:
            await self.run.move(entry, State.VALID)

    async def _is_done(self, entry: Entry, before: Sequence[str]) -> str | None:
        """Give None where it is done, else why it must be held; empty: it need not."""
        try:
            deed = await self._look(entry)
        except Unfit as trouble:
            return str(trouble)
        if deed.is_so or set(deed.seen) - set(before):
            return None
        if act_of(entry).proof is not Proven.ONLY_SEEN:
            return ""
        return (
            "The answer was lost, and the service does not show whether it was done. "
            "Look in the portal before you do it again."
        )


class ActsKind(Kind):
    """Rows that name a target each, and what is to be done with it."""

    package = "kawe.kinds.acts"
    content = ActContent
    done = Outcome.DONE.value
    known_rules = frozenset({ACT_IS_SO})
    marker = "Target"
    needs_its_name = True
    tells_side = True
    is_real_in_sandbox = True
    line: ClassVar[ActLine]
    verb: ClassVar[str]
    """Said while its rows are done."""

    def content_of(self, values: dict[str, Any]) -> Content:
        """Read a content back: JSON knows no pairs."""
        cells = tuple((name, value) for name, value in values["cells"])
        files = tuple(map(Attachment.of_json, values.get("files", ())))
        changes = tuple(map(tuple, values.get("changes", ())))
        told = {"cells": cells, "files": files, "changes": changes}
        return ActContent(**{**values, **told})

    def read(self, table: Table, *, context: CheckContext) -> tuple[CheckedRow, ...]:
        return tuple(self.read_row(row, context) for row in table.rows)

    def read_row(
        self, row: TableRow, context: CheckContext, more: More = ()
    ) -> CheckedRow:
        """Check one row by itself; `more` is what it says beside its cells."""
        said = said_of(row, self.line, more)
        files, about = attachments_of(row, context.attachments)
        found = (
            *about,
            *row.findings,
            *schema_findings(row, kind=self, context=context),
            *owner_findings(row, new_role(said), context),
            *emptied(row, self.line),
        )
        if blocks(found):
            return CheckedRow(row=row, findings=found)
        target = self.line.target
        content = ActContent(
            field=target,
            name=str(said[target]),
            cells=tuple(sorted(said.items())),
            files=files,
        )
        checked = CheckedRow(
            row=row,
            findings=found,
            key=act_key(self.word, said, target=target),
            content=content,
            marker=content.name,
            take_fingerprint=partial(fingerprint_of, said, files=files),
        )
        is_left = is_as_fetched(said, self.line)
        return self._so(checked, "It is as it was fetched") if is_left else checked

    async def ask(self, rows: tuple[CheckedRow, ...], inquiry: Inquiry) -> Answers:
        """Say what each row changes, and refuse what two rows say of one target."""
        told = await self.told(rows, inquiry)
        return Answers(rows=each_once(told, word=self.word, inquiry=inquiry))

    async def told(
        self, rows: Sequence[CheckedRow], inquiry: Inquiry
    ) -> Sequence[CheckedRow]:
        """Find the targets, and say of each row what it changes, cell by cell."""
        world = World(account=await inquiry.asker.tools.lookups.account())
        if world.account.is_iwi and not self.line.is_for_iwi:
            can = f"The key is an iwi's, and only a team can {self.line.needs}."
            said = {"message": can, "advice": "Take the row out."}
            mark = partial(CheckedRow.marked, rule="act-for-teams", **said)
            return [mark(each, self.line.target) for each in rows]
        acts = [ActContent.of(e.content) for e in rows if e.content is not None]
        named = {n for e in acts for n in (e.typed, e.said.get("new_reference")) if n}
        is_of_project = self.line.target == "project"
        projects = await find_projects(named if is_of_project else (), inquiry)
        rows = [spelt_as_before(each, inquiry, projects) for each in rows]
        earlier = await earlier_acts(self.line, inquiry.journal)
        added = (e for e in rows if e.content and e.key not in inquiry.known)
        messages = frozenset(ActContent.of(each.content).message for each in added)
        world = replace(world, earlier=earlier, new=messages, projects=projects)
        if named:
            shared = [each for each in self.line.reads if each not in OF_PROJECT]
            tools = inquiry.asker.tools
            world = await read_world(tools.lookups, world, shared, project="")
        told = [await self._told(each, world, inquiry) for each in rows]
        return ask_of_sorted(told, inquiry) if self.line.is_counted else told

    async def _told(
        self, row: CheckedRow, world: World, inquiry: Inquiry
    ) -> CheckedRow:
        """Give a row with what is said of it."""
        if row.content is None or any(e.rule == ACT_IS_SO for e in row.findings):
            return row
        content = ActContent.of(row.content)
        try:
            if self.line.target == "project":
                content = replace(content, target_id=world.projects.find(content.typed))
                row = replace(row, content=content)
            lookups, reads = inquiry.asker.tools.lookups, self.line.reads
            whole = await read_world(lookups, world, reads, project=content.target_id)
            is_new = row.key not in inquiry.known
            earlier = world.earlier.get(content.one, ())
            if is_new and (same := before(content, earlier)) is not None:
                said = ActContent.of(same.content).said
                row, is_new = as_before(row, same.key, said), False
                if same.state in FINISHED:
                    return self._so(row, f"It was {self.line.done} before")
            deed = deed_of(self.line, content.said, whole)
            if deed.unknown is not None and is_new:
                raise deed.unknown
            if is_new:
                asked = asked_again(deed, content, world, inquiry=inquiry)
                row = row.with_findings(*(each.on(row.row) for each in asked))
        except Unfit as trouble:
            return self._unfit(row, trouble, inquiry)
        named = replace(
            ActContent.of(row.content),
            name=whole.called(content.typed, self.line.target),
            changes=tuple(
                (name, deed.before.get(name, ""), str(to))
                for name, to in deed.after.items()
            ),
        )
        return self._changes(replace(row, content=named), deed, inquiry, world=world)

    def _unfit(self, row: CheckedRow, trouble: Unfit, inquiry: Inquiry) -> CheckedRow:
        if row.row.ref in inquiry.finished:
            return row
        field = trouble.field or self.line.target
        name = str(row.row.value(field) or "")
        suggest = inquiry.context.suggester.misspelt
        meant = some_names(suggest(name, among=trouble.among) or trouble.among)
        advice = f"There is {meant}. {trouble.advice}" if meant else trouble.advice
        said = {"rule": trouble.rule, "message": trouble.message, "advice": advice}
        return row.marked(field, **said)

    def _changes(
        self, row: CheckedRow, deed: Deed, inquiry: Inquiry, *, world: World
    ) -> CheckedRow:
        """Say what is changed: from what, to what."""
        if row.row.ref in inquiry.finished:
            if self.line.proof is not Proven.READING or deed.is_so:
                return row
            what = f"This was done before, and it is not {self.line.done} any more; "
            what += "kawe does nothing twice."
            said = {"rule": "act-undone", "message": what, "advice": AGAIN}
            return row.marked(self.line.target, Severity.WARNING, **said)
        if deed.is_so:
            gone = {"deleted", "removed"} & {*deed.after.values()}
            what = "There is none" if gone else f"It is {self.line.done} already"
            return self._so(row, what)
        about = deed.about(inquiry.context, world.projects)
        return row.with_findings(*(each.on(row.row) for each in about))

    def _so(self, row: CheckedRow, what: str) -> CheckedRow:
        target, told = self.line.target, f"{what}; nothing is asked for."
        return row.marked(target, Severity.NOTE, rule=ACT_IS_SO, message=told)

    async def fetch(self, lookups: Lookups, *, at: str) -> list[Facts]:
        """Give what is so now: a row for each target, by field."""
        world = World(account=await lookups.account())
        world = await read_world(lookups, world, parts_of(self.line), project="")
        if "thread" in self.line.reads:
            world = await read_threads(lookups, world)
        return [*fetched_rows(self.line, world, at=at)]

    def put_back(self, content: Content, *, batch: str) -> tuple[str, Reverse]:
        """Give the kind of the row that puts an act back, and that row."""
        back = put_back(self.line, ActContent.of(content), batch=batch)
        return self.line.undone_as, back

    async def submit(self, submission: Submission) -> None:
        """Do every act once, and settle what is in doubt."""
        run, budget = submission.run, submission.budget
        doer = Doer(verb=self.verb, run=run, budget=budget, behind={*run.tally.stuck})
        await in_rounds(submission, settle=doer.settle, act=doer.do)

    async def release(self, run: Run, rows: Sequence[Entry], *, budget: Budget) -> None:
        """Settle doubts, which are not asked for anew here, and do what waited."""
        doer = Doer(verb=self.verb, run=run, budget=budget)
        await doer.settle(rows)
        await doer.do(rows, None)


def _kind_of(act: ActLine) -> ActsKind:
    one, many = act.targets
    also = [f"to {act.verb}"] if act.verb in WORDS else []
    said = {
        "line": act,
        **{each: getattr(act, each) for each in _AS_IN_LINE},
        "sheet_names": frozenset({act.word, *also}),
        "own_schema": schema_of(
            act.word, act.fields, required=act.marked("*"), guarded=act.guarded
        ),
        "guide": _guide(act),
        "steps": {Step(act.word): (act.needs, "to do so")},
        "one": f"a {act.one}",
        "act": act.one,
        "listed": f"{many} to {act.verb}",
        "will": f"be {act.done}",
        "acts": (f"{one} to {act.verb}", f"{many} to {act.verb}"),
        "does": (f"{act.verb} {{count}}", one, many),
        "undone": f"Nothing was {act.done}.",
        "there": ("so already, or left as fetched", "It was so already, or left so.")
        if act.guarded
        else (f"{act.done} already", f"It was {act.done} already."),
        "shows_marker": act.target != "person",
    }
    made: type[ActsKind] = type(f"{act.word.capitalize()}Kind", (ActsKind,), said)
    return made()


def _guide(act: ActLine) -> tuple[str, ...]:
    one, many = act.targets
    back = "That cannot be undone."
    if act.undone_as:
        back = f"Undone by a sheet of {act.undone_as}, but for what was deleted."
    return guide_of(
        act.word,
        f"Fill in one row for each {one} that you want to {act.verb}, on the sheet "
        f"{act.word.capitalize()}. Click on a cell to see what it wants.",
        submit=f"The {many} are {act.done}, each by one request. {back}",
    )


ACTS: Final = tuple(_kind_of(act) for act in TABLE)
