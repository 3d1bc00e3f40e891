"""Saved plans: making them, and carrying them out exactly."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from kawe import __version__
from kawe.cases.choices import author_of
from kawe.cases.kinds import KINDS
from kawe.cases.session import Prepared, Session
from kawe.domain.batch.plans import Plan
from kawe.domain.batch.saved_plans import (
    Action,
    PlannedLimits,
    Reading,
    SavedPlan,
    hidden,
)
from kawe.domain.rows.entries import Binding
from kawe.domain.rows.identity import sha256_of
from kawe.domain.rows.there import There
from kawe.domain.service.verdicts import RowKey
from kawe.domain.sheet.columns import SheetKind
from kawe.domain.text.next_steps import Given, Next
from kawe.domain.text.texts import one_line
from kawe.errors import PlanRefused
from kawe.files.plans import sealed
from kawe.flows.check.checking import Checked
from kawe.flows.plan.counting import (
    acted_on,
    left_out,
    load_of_sends,
    sending_of,
    without_done_by,
)
from kawe.flows.plan.forecasting import requests_of
from kawe.flows.plan.foreseeing import (
    Foreseen,
    find_there_already,
    foresee,
    read_drafts,
)
from kawe.flows.plan.staleness import changes_since, planned_by_key, planned_rows
from kawe.schemas.documents import row_schema
from kawe.settings import Settings
from kawe_contract.document import document

_STALE = "The plan is stale; nothing was sent."
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
        WorkbookError: It cannot be read.
        ServiceError: A question could not be answered.
        ScopeMissing: It would send, and the key may not.
    """
    settings = session.toolkit.settings
    author = author_of(settings)
    prepared = await session.prepare(
        reading, update_drafts=limits.update_drafts, keeps=False, checked=checked
    )
    prepared = await _narrowed(session, prepared, limits=limits, before=before)
    run, salt = session.start(), secrets.token_hex(16)
    budget = session.budget(max_tokens=limits.max_tokens, agreed=None)
    budget = budget.less(sum(each.saved.sends for each in before))
    foreseen = await foresee(
        run, prepared.plan, budget=budget, drafts_only=limits.drafts_only
    )
    await session.make_sure_of_sending(len(foreseen.sends))
    checked, root = prepared.checked, reading.root.resolve()
    requests = await requests_of(run, checked, foreseen)
    saved = SavedPlan(
        author=author,
        made_at=session.toolkit.clock.now(),
        kawe=__version__,
        rules=rules_hash(),
        salt=salt,
        account=session.binding,
        key_hash=_key_hash(settings, salt=salt),
        sheet=checked.table.sheet,
        reading=_absolute(reading, kind=checked.table.kind),
        limits=limits,
        balance=budget.balance,
        requests=requests,
        seconds=session.service.pace.forecast(requests),
        iwi_load=load_of_sends(checked, frozenset(foreseen.sends)),
        iwi_names={
            each.slug: each.name for row in checked.rows for each in row.goes_to
        },
        sending=sending_of(
            replace(prepared.plan, there=foreseen.there),
            checked,
            drafts_only=limits.drafts_only,
        ),
        rows=tuple(planned_rows(checked, foreseen, salt=salt, root=root)),
    )
    return Made(prepared=prepared, foreseen=foreseen, saved=sealed(saved))


def _absolute(reading: Reading, *, kind: SheetKind) -> Reading:
    return replace(
        reading,
        workbook=reading.workbook.resolve(),
        kind=kind,
        files_root=reading.files_root and reading.files_root.resolve(),
        places=reading.places and reading.places.resolve(),
    )


async def _narrowed(
    session: Session,
    prepared: Prepared,
    *,
    limits: PlannedLimits,
    before: Sequence[Made],
) -> Prepared:
    """Leave out what is not wanted, and what the plans `before` do."""
    prepared = await session.narrowed(
        prepared, only=limits.only, canary=limits.canary, drafts_only=limits.drafts_only
    )
    earlier = [each.prepared.plan for each in before]
    return replace(prepared, plan=without_done_by(prepared.plan, earlier))


def check_rules(saved: SavedPlan) -> None:
    """Check that the rules for rows are those of the plan.

    Raises:
        PlanRefused: They are others.
    """
    if saved.rules != rules_hash():
        made_by = one_line(saved.kawe, limit=40)
        raise PlanRefused(
            message=f"{_STALE} It was made by kawe {made_by} with other rules for "
            f"rows than this kawe has ({__version__}).",
            hint=_AGAIN,
        )


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
    session: Session, saved: SavedPlan, reading: Reading
) -> Prepared:
    """Check the workbook of a plan, and that nothing has changed.

    Raises:
        PlanRefused: The plan is stale; the message names the rows.
    """
    prepared = await session.prepare(reading, update_drafts=saved.limits.update_drafts)
    rows, touched = prepared.checked.rows, acted_on(prepared.plan)
    known = await session.journal.known(row.key for row in rows if row.key)
    drafts = await read_drafts(session.start(), touched)
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
    plan = left_out(
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
    there = await find_there_already(session.start(), plan, and_drafts=True)
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
