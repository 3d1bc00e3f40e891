"""Plans: making and keeping them, and what is to be submitted, a plan or a workbook."""

import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from pathlib import Path

from kawe import __version__
from kawe.cases.batches.approving import signed_approvals, wants_approval
from kawe.cases.choices import author_of
from kawe.cases.companions import at_files
from kawe.cases.kinds import KINDS
from kawe.cases.kit import Toolkit
from kawe.cases.session import Prepared, Session
from kawe.domain.batch.agreements import Budget
from kawe.domain.batch.plans import Plan
from kawe.domain.batch.readings import PATHS, Reading
from kawe.domain.batch.saved_plans import Action, PlannedLimits, SavedPlan, hidden
from kawe.domain.batch.sending import IwiLoad
from kawe.domain.rows.edits import There
from kawe.domain.rows.entries import Binding
from kawe.domain.rows.identity import sha256_of
from kawe.domain.service.states import RowKey
from kawe.domain.sheet.columns import SheetKind
from kawe.domain.text.next_steps import Given, Next
from kawe.domain.text.row_choice import Allowance
from kawe.domain.text.texts import counted, one_line
from kawe.errors import GuardRefused, PlanRefused
from kawe.files.plans import sealed
from kawe.flows.check.checking import Checked
from kawe.flows.plan import counting, foreseeing
from kawe.flows.plan.foreseeing import Foreseen
from kawe.flows.plan.staleness import changes_since, planned_by_key, planned_rows
from kawe.schemas.catalog import row_schema
from kawe.settings.values import Settings
from kawe_contract.document import document

_STALE = "The plan is stale; nothing more is sent."
_AGAIN = f"Make the plan again with {Next.PLAN}, and have it approved again if need be."


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """A new plan and what it was made from."""

    prepared: Prepared
    foreseen: Foreseen
    saved: SavedPlan


def rules_hash() -> str:
    """Hash the rules for rows: schemas, contract, and kawe's own."""
    rows = {kind.value: row_schema(kind) for kind in KINDS}
    return sha256_of({"kawe": __version__, "rows": rows, "contract": document()})


async def make_saved_plan(
    session: Session,
    reading: Reading,
    *,
    limits: PlannedLimits,
    checked: Checked | None = None,
    before: Sequence[Made] = (),
) -> Made:
    """Plan what submitting a workbook, or one `checked` sheet, would do.

    Nothing is changed. What the plans `before` do of the same workbook is taken for
    done, and their tokens for used.

    Raises:
        ScopeMissing: It would send, and the key may not.
    """
    author = author_of(session.toolkit.settings)
    prepared = await session.prepare(
        reading, update_drafts=limits.update_drafts, keeps=False, checked=checked
    )
    prepared = await session.narrowed(prepared, limits)
    earlier = [each.prepared.plan for each in before]
    plan = counting.without_done_by(prepared.plan, earlier)
    prepared = replace(prepared, plan=plan)
    run, salt = session.start(), secrets.token_hex(16)
    budget = session.budget(limits)
    budget = budget.less(sum(each.saved.sends for each in before))
    foreseen = await foreseeing.foresee(
        run, prepared.plan, budget=budget, drafts_only=limits.drafts_only
    )
    checked, root = prepared.checked, reading.root.resolve()
    requests = await foreseeing.requests_of(run, checked, foreseen)
    saved = SavedPlan(
        author=author,
        made_at=session.toolkit.clock.now(),
        kawe=__version__,
        rules=rules_hash(),
        salt=salt,
        account=session.binding,
        key_hash=_key_hash(session.toolkit.settings, salt=salt),
        sheet=checked.table.sheet,
        reading=_absolute(reading, kind=checked.table.kind),
        limits=replace(limits, keep_reserve=budget.keep_reserve),
        balance=budget.balance,
        requests=requests,
        seconds=session.service.pace.forecast(requests),
        iwi_load=await _load(session, checked, foreseen, before=before),
        iwi_names={
            each.slug: each.name for row in checked.rows for each in row.goes_to
        },
        sending=counting.sending_of(
            counting.left_out(
                replace(prepared.plan, there=foreseen.there), foreseen.held
            ),
            checked,
            drafts_only=limits.drafts_only,
        ),
        rows=tuple(planned_rows(checked, foreseen, salt=salt, root=root)),
    )
    return Made(prepared=prepared, foreseen=foreseen, saved=sealed(saved))


async def _load(
    session: Session, checked: Checked, foreseen: Foreseen, *, before: Sequence[Made]
) -> IwiLoad:
    """Add up what goes to each iwi, and which would get more than the settings allow.

    Raises:
        ScopeMissing: The key may not send.
    """
    await session.make_sure_of_sending(len(foreseen.sends))
    load = counting.load_of_sends(checked, frozenset(foreseen.sends))
    earlier = (each.saved.iwi_load for each in before)
    whole = await session.weighed(reduce(IwiLoad.with_more, earlier, load))
    return replace(load, above=whole.above)


async def plan_sheets(
    session: Session, readings: Sequence[Reading], *, limits: PlannedLimits
) -> list[Made]:
    """Plan for each sheet; a later one has the tokens that the earlier ones leave.

    Raises as `make_saved_plan`.
    """
    made: list[Made] = []
    across = await session.check_together(readings, keeps=False)
    for reading, checked in zip(readings, across, strict=True):
        one = await make_saved_plan(
            session, reading, limits=limits, checked=checked, before=made
        )
        made.append(one)
    # The last has weighed them all together, and a submit refuses all or none.
    above = made[-1].saved.iwi_load.above
    return [_with_ceiling(each, above) if above else each for each in made]


def _with_ceiling(made: Made, above: str) -> Made:
    load = replace(made.saved.iwi_load, above=above)
    return replace(made, saved=sealed(replace(made.saved, iwi_load=load)))


def _absolute(reading: Reading, *, kind: SheetKind) -> Reading:
    paths = {name: getattr(reading, name) for name in PATHS}
    there = {name: path and path.resolve() for name, path in paths.items()}
    return replace(reading, kind=kind, **there)


def account_check(saved: SavedPlan, settings: Settings) -> Callable[[Binding], None]:
    """Make the function that raises `PlanRefused` for another account."""

    def accept(now: Binding) -> None:
        changes = [
            f"It was made for {what} {one_line(before)}, and this is {one_line(after)}."
            for what, before, after in (
                ("the address", saved.account.base_url, now.base_url),
                ("mode", saved.account.mode, now.mode),
            )
            if before != after
        ]
        if saved.account.team_id != now.team_id:
            changes.append(
                f"It was made for the team {one_line(saved.account.team_name)}, and "
                f"the key is of {one_line(now.team_name)}."
            )
        if not changes and saved.key_hash != _key_hash(settings, salt=saved.salt):
            changes.append("It was made with another key.")
        _refuse(changes)

    return accept


async def prepare_saved(
    session: Session, saved: SavedPlan, reading: Reading, *, keeps: bool = True
) -> Prepared:
    """Check the workbook of a plan, and that nothing has changed.

    `keeps` is as for `Session.check`.

    Raises:
        PlanRefused: The plan is stale; the message names the rows.
    """
    prepared = await session.prepare(
        reading, update_drafts=saved.limits.update_drafts, keeps=keeps
    )
    rows, touched = prepared.checked.rows, counting.acted_on(prepared.plan)
    known = await session.journal.known(row.key for row in rows if row.key)
    drafts = await foreseeing.read_drafts(session.start(), touched)
    _refuse([*changes_since(saved, rows, known=known, drafts=drafts)])
    rows_planned = planned_by_key(saved, rows)
    planned = {key: row.action for key, row in rows_planned.items()}
    may_send = {
        key: row.place or 0
        for key, row in rows_planned.items()
        if row.action.reaches_people
    }
    held = await _held_still(session, prepared.plan, planned=planned)
    # Nobody hears of what was there when the plan was made, and is: it is noted so.
    going = {entry.key for entry in prepared.plan.own_rows}
    skipped = {key for key, action in planned.items() if action is Action.SKIP}
    noted = {e.key for e in touched if e.takes_own_step} & skipped - going
    plan = counting.left_out(
        replace(prepared.plan, may_send=may_send, held_back=held),
        {
            e.key
            for e in touched
            if e.key not in noted and not (e.key in planned and planned[e.key].acts)
        },
    )
    return replace(prepared, plan=plan)


async def _held_still(
    session: Session, plan: Plan, *, planned: Mapping[RowKey, Action]
) -> dict[RowKey, str]:
    """Say why rows are held of which the plan said so; not those that could go now."""
    holding = {key for key, action in planned.items() if action is Action.HOLD}
    if not holding:
        return {}
    there = await foreseeing.find_there_already(session.start(), plan, and_drafts=True)
    return {
        key: there[key].why
        for key in holding & there.keys()
        if there[key].what is There.OTHER
    }


def reading_of_plan(
    saved: SavedPlan, *, workbook: Path | None, files_root: Path | None
) -> Reading:
    """Say how to read the workbook of a plan, which may have moved.

    Raises:
        PlanRefused: It is not where it was.
    """
    path = workbook or saved.reading.workbook
    if not path.is_file():
        raise PlanRefused(
            message=f"The workbook of the plan is not at {one_line(str(path))}.",
            hint="If it was moved or renamed, say where it is: "
            f"{Given.WORKBOOK('PATH')}",
        )
    root = files_root or saved.reading.files_root
    return replace(saved.reading, workbook=path, files_root=root)


def _key_hash(settings: Settings, *, salt: str) -> str:
    # Twelve digits distinguish keys and reveal nothing of them.
    return hidden(salt, "key", settings.service_key())[:12]


def _refuse(changes: Sequence[str]) -> None:
    if changes:
        raise PlanRefused(message=f"{_STALE} {' '.join(changes)}", hint=_AGAIN)


@dataclass(frozen=True, slots=True, kw_only=True)
class SubmitRequest:
    """What is to be submitted, and within which bounds."""

    reading: Reading
    limits: PlannedLimits
    """The limits of this run; those of a saved plan hold as well."""
    path: Path
    """Of the file of the plan; without one, of the workbook."""
    saved: SavedPlan | None = None
    """None: the workbook as it is."""
    file: str = ""
    """The SHA-256 of the file of the plan; empty without one."""
    accept: Callable[[Binding], None] | None = field(repr=False, default=None)
    allowance: Allowance | None = None
    to_plan: str = ""
    """Says how to make a plan that another person approves."""
    checked: Checked | None = None
    """The sheet, checked together with the other sheets of the run; None: not yet."""

    @property
    def drafts_only(self) -> bool:
        """Say whether nothing is to be sent."""
        of_plan = self.saved is not None and self.saved.limits.drafts_only
        return self.limits.drafts_only or of_plan

    async def prepare(self, session: Session, *, keeps: bool = True) -> Prepared:
        """Check the workbook and plan, or check that the saved plan still fits.

        `keeps` is as for `Session.check`.
        """
        if self.saved is None:
            prepared = await session.prepare(
                self.reading,
                update_drafts=self.limits.update_drafts,
                keeps=keeps,
                checked=self.checked,
            )
        else:
            prepared = await prepare_saved(
                session, self.saved, self.reading, keeps=keeps
            )
        limits = replace(self.limits, drafts_only=self.drafts_only)
        narrowed, run = await session.narrowed(prepared, limits), session.start()
        plan = await foreseeing.without_there_already(
            run, narrowed.plan, look=narrowed.checked.look
        )
        return replace(narrowed, plan=plan, snapshot=run.tally.snapshot)

    def budget(self, session: Session) -> Budget:
        """Say how many sends may be tried."""
        before = [self.saved.limits] if self.saved else []
        return session.budget(self.limits, *before)

    def may_fail(self, prepared: Prepared) -> int | None:
        """Say how many more rows may fail (None: any number), or refuse the run."""
        if self.allowance is None:
            return None
        plan = prepared.plan
        allowed = self.allowance.of(plan.rows_read)
        if plan.invalid > allowed:
            need = counted(plan.invalid, "row needs", "rows need")
            raise GuardRefused(
                message=f"{need} correcting, and {Given.MAX_ERRORS} allows "
                f"{self.allowance.words()}.",
                hint="Nothing was sent. Correct them, or allow more.",
            )
        return allowed - plan.invalid

    async def approved(self, session: Session, prepared: Prepared) -> Prepared:
        """Add the approvals of the plan; refuse where one is missing."""
        # Rows that wait for tokens are sent later without asking again, so the
        # budget does not count here.
        may_act = not self.drafts_only and any(
            counting.is_to_send(e) or e.takes_own_step
            for e in counting.touched(prepared.plan)
        )
        reaches_people = may_act and session.reaches_people(prepared.plan.kind)
        if not reaches_people or not wants_approval(session):
            return prepared
        act, batch = prepared.plan.kind.act, prepared.plan.batch.name
        if self.saved is None:
            raise GuardRefused(
                message=f"The settings want a signed approval for every live {act}, "
                "and a workbook by itself has none.",
                hint=f"Nothing was sent. Make a plan: {self.to_plan}",
            )
        given = await signed_approvals(
            session, self.saved, path=self.path, file=self.file, batch=batch
        )
        needs_another = session.toolkit.settings.approval == "second_person"
        if needs_another and not any(each.is_by_another for each in given):
            raise GuardRefused(
                message=f"The plan of {one_line(self.saved.author)} was approved by "
                "nobody else.",
                hint="Nothing was sent. Somebody else than its author must sign it.",
            )
        return replace(prepared, plan=replace(prepared.plan, approvals=given))


def request_of_plan(
    read: tuple[SavedPlan, str],
    path: Path,
    toolkit: Toolkit,
    *,
    limits: PlannedLimits | None = None,
    workbook: Path | None = None,
    files_root: Path | None = None,
) -> SubmitRequest:
    """Ask for what a plan says, and `read_plan_file` read; its workbook may have moved.

    Raises:
        PlanRefused: The rules of this kawe are others, or its workbook is not there.
    """
    saved, file = read
    if saved.rules != rules_hash():
        made_by = one_line(saved.kawe, limit=40)
        raise PlanRefused(
            message=f"{_STALE} It was made by kawe {made_by} with other rules for "
            f"rows than this kawe has ({__version__}).",
            hint=_AGAIN,
        )
    reading = reading_of_plan(saved, workbook=workbook, files_root=files_root)
    kept, root = toolkit.settings.bucket_folder, saved.reading.files_root
    if files_root is None and root is not None and root.name == kept.name:
        # A bucket has another folder on each machine.
        reading = at_files(toolkit.settings, replace(reading, files_root=None))
    return SubmitRequest(
        reading=reading,
        limits=limits or PlannedLimits(),
        path=path,
        saved=saved,
        file=file,
        accept=account_check(saved, toolkit.settings),
    )
