"""A plan in words: its acts, their cost and their order."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from kawe.domain.batch.agreements import Budget, packs_covering, packs_words
from kawe.domain.batch.approvals import Approval, approval_words, approved_plan
from kawe.domain.batch.outcomes import DID, GOES_ON
from kawe.domain.batch.plans import Plan
from kawe.domain.batch.runs import RunRecord
from kawe.domain.batch.saved_plans import Action, SavedPlan
from kawe.domain.batch.sending import iwi_words, ready_json
from kawe.domain.rows.shown_files import file_lines, size_words
from kawe.domain.sheet.findings import RowRef, warned_words
from kawe.domain.text.new_zealand import moment_words
from kawe.domain.text.next_steps import Given
from kawe.domain.text.texts import counted, one_line
from kawe.flows.plan.belonging import named_words
from kawe.flows.plan.counting import is_to_send

_SHOWN_SENDS: Final = 10
_SHOWN_IWI: Final = 4
_SECONDS: Final = 90


def banner(*, mode: str, team: str, balance: int | None) -> str:
    """Say live or sandbox, the team, and its tokens."""
    has = "no tokens are spent" if balance is None else counted(balance, "token")
    return f"{mode.upper()}: {one_line(team)}, {has}"


def carrying_out(
    saved: SavedPlan, approvals: Sequence[Approval], *, plan: Plan
) -> list[str]:
    """Say which plan this is, who approved it, and how much is done."""
    when = f"{moment_words(saved.made_at)} (NZ time)"
    words = [f"The plan that {one_line(saved.author)} made at {when} still fits."]
    given = (*plan.approvals, *approvals)
    ours = (approval_words(e) for e in given if e.plan == approved_plan(saved))
    words += dict.fromkeys(ours)
    may = plan.may_send or {}
    left = sum(
        entry.key in may and (is_to_send(entry) or entry.takes_own_step)
        for entry in plan.entries
    )
    if (done := saved.acts - left) > 0:
        are = "is" if done == 1 else "are"
        acts = counted(saved.acts, saved.act)
        words.append(f"{done:,} of its {acts} {are} done, or can be done no more.")
    return words


def owner_lines(owners: Sequence[str]) -> Iterator[str]:
    """Name the people whom a plan invites as owners."""
    if owners:
        become = "person becomes an owner", "people become owners"
        yield (
            f"{counted(len(owners), *become)}, who may remove people, buy tokens and "
            f"manage keys: {'; '.join(map(one_line, owners))}."
        )


def absent_lines(plan: Plan) -> Iterator[str]:
    """Say which rows of its batch were cut out of a workbook, and which it leaves."""
    if plan.missing:
        cut = "row of this workbook's batch is", "rows of this workbook's batch are"
        named = named_words(plan.missing)
        yield f"{counted(len(plan.missing), *cut)} no longer in it: {named}."
    if plan.staying:
        batches = ", ".join(sorted({row.batch for row in plan.staying}))
        rows = counted(len(plan.staying), "row")
        are, stay = ("is", "stays") if len(plan.staying) == 1 else ("are", "stay")
        yield (
            f"{rows} of batch {batches} {are} not in this workbook and {stay} as "
            "before."
        )


def plan_lines(
    plan: SavedPlan, *, is_new: bool = True, verbose: bool = False
) -> Iterator[str]:
    """Say what a plan will do; for a saved plan, name every send and file."""
    account, counts = plan.account, plan.counts
    yield banner(mode=account.mode, team=account.team_name, balance=plan.balance)
    read = f"{counted(len(plan.rows), 'row')} read."
    yield f"{read} Nothing has been changed or sent." if is_new else read
    for action in Action:
        if counts[action]:
            yield f"{counts[action]:>7,} {plan.will(action)}"
    if plan.sending is not None:
        yield from plan.sending.lines()
    yield from filter(None, [warned_words(plan.warned)])
    if load := plan.iwi_load.words():
        yield load.replace("This batch sends", "This plan will send", 1)
    if plan.iwi_load.above:
        yield f"NOTHING WILL BE SENT. {plan.iwi_load.above}"
    yield from owner_lines([row.owner for row in plan.in_order if row.owner])
    yield from _tokens(plan)
    yield from _effort(plan, every_file=verbose or not is_new)
    if not is_new or any(row.marker for row in plan.in_order):
        # Row numbers alone say nothing.
        yield from _order(plan, shown=_SHOWN_SENDS if is_new else len(plan.rows))


def begun_words(
    saved: SavedPlan, runs: Iterable[RunRecord], rows: Mapping[RowRef, Any]
) -> str:
    """Say how far a plan was carried out, by the runs and outcomes of a batch."""
    begun = [run.began_at for run in runs if run.began_at >= saved.made_at]
    if not begun or saved.sheet not in {where.sheet for where in rows}:
        return ""
    done = {where.row for where, (outcome, _) in rows.items() if outcome in DID}
    acts = {row.number for row in saved.rows if row.action.reaches_people}
    at, does = moment_words(min(begun)), "sent" if saved.sends else "done"
    done_of_it = f": {len(done & acts):,} of {len(acts):,} {does}" if acts else ""
    said = f"at {at}{done_of_it}."
    if acts <= done and GOES_ON.isdisjoint(outcome for outcome, _ in rows.values()):
        return f"This plan was carried out {said}"
    return f"This plan was begun {said} Make the plan of what is left."


def shown_plan_lines(saved: SavedPlan, path: Path, *, begun: str = "") -> Iterator[str]:
    """Show a plan to whoever reads it or agrees; `path`: its file, or its workbook."""
    if path.resolve() != saved.reading.workbook:
        yield (
            f"The plan {one_line(str(path))}, as {one_line(saved.author)} made it at "
            f"{moment_words(saved.made_at)} (NZ time), unchanged since."
        )
    yield from filter(None, [begun])
    workbook = one_line(str(saved.reading.workbook))
    yield f"The plan is of {workbook}, sheet {one_line(saved.sheet)}."
    limits = asdict(saved.limits)
    limits["keep_reserve"] = limits["keep_reserve"] or None
    bounds = [
        Given.named(name)(*([] if value is True else [one_line(str(value))]))
        for name, value in limits.items()
        if value is not None and value is not False and value != ()
    ]
    how = (
        (str(Given.SEND), saved.reading.send_by_default),
        (str(Given.STRICT), saved.reading.is_strict),
    )
    bounds += [flag for flag, is_given in how if is_given]
    if bounds:
        yield f"It was made with {', '.join(bounds)}."
    yield from plan_lines(saved, is_new=False)


def _tokens(plan: SavedPlan) -> Iterator[str]:
    yield from _has(plan).costs(row.costs for row in plan.rows)
    if not plan.tokens_needed or plan.iwi_load.above:
        return
    yield from sends_lines(
        _has(plan), wanted=plan.tokens_needed, now=plan.sends, whose="plan"
    )


_WAITS: Final = (("row waits", "rows wait"), ("more waits", "more wait"))


def sends_lines(budget: Budget, *, wanted: int, now: int, whose: str) -> Iterator[str]:
    """Say how many of the `wanted` projects go to iwi, and how many wait.

    `whose` limits hold where there are tokens: a run's, or a plan's.
    """
    left, balance = wanted - now, budget.balance
    going = counted(now, "project goes", "projects go")
    if not now:
        yield f"NOTHING WILL BE SENT. 0 of {wanted:,} will be sent to iwi."
    elif balance is None:
        yield f"{going} with a sandbox key, which reaches nobody."
    else:
        stay = counted(balance - now, "token stays", "tokens stay")
        yield f"{going} to iwi, and {stay}. Sending cannot be undone."
    waits = counted(left, *_WAITS[bool(now)])
    urgent = ", the least urgent" if now else ""
    missing, kept = budget.missing(wanted), budget.keep_reserve
    if left and missing:
        reserve = f" ({kept:,} of them stay in reserve)" if kept else ""
        tokens = counted(missing, "token is", "tokens are")
        packs = packs_words(missing)
        yield f"{waits}{urgent}: {tokens} missing{reserve}; {packs}."
    elif left:
        yield f"{waits}{urgent}: this {whose} may use no more tokens."


def _has(plan: SavedPlan) -> Budget:
    limits = plan.limits
    return Budget(
        balance=plan.balance,
        keep_reserve=limits.keep_reserve,
        max_tokens=limits.max_tokens,
    )


def _effort(plan: SavedPlan, *, every_file: bool) -> Iterator[str]:
    if uploads := [file for _, file in plan.uploads]:
        files = counted(len(uploads), "file")
        size = size_words(sum(file.size_bytes for file in uploads))
        yield f"{files} will be uploaded ({size}):"
        yield from file_lines(plan.files, every=every_file)
    if not any(row.action.acts for row in plan.rows):
        yield "There is nothing to do."
    else:
        requests = counted(plan.requests, "request")
        time = "" if plan.seconds is None else f", {_time(plan.seconds)}"
        yield f"About {requests} to the service{time}."


def _time(seconds: float) -> str:
    if seconds < _SECONDS:
        return "about a minute at most"
    return f"about {counted(math.ceil(seconds / 60), 'minute')}"


def _order(plan: SavedPlan, *, shown: int) -> Iterator[str]:
    if not (rows := plan.in_order):
        return
    yield f"The order of {plan.act}s:"
    for row in rows[:shown]:
        where = f"{one_line(plan.sheet)}!{row.number}"
        to = iwi_words(plan.iwi_of(row), shown=_SHOWN_IWI)
        marker = one_line(row.marker, limit=60)
        yield f"{row.place:>7,}. {where} {marker}{' to ' if to else ''}{to}".rstrip()
        if row.stands:
            yield f"         {row.stands}"
    if (more := len(rows) - shown) > 0:
        yield f"        … and {more:,} more: the file of a plan has all of them."


def plan_document(plan: SavedPlan, *, written: Path | None) -> dict[str, Any]:
    """Make the JSON document of a plan; its schema is stable."""
    short = _has(plan).missing(plan.tokens_needed)
    in_order = [
        (row, {"sheet": plan.sheet, "row": row.number}) for row in plan.in_order
    ]
    return {
        "schema": "kawe.planned/1",
        "plan": written,
        "sha256": plan.sha256,
        "author": plan.author,
        "team": plan.account.team_name,
        "mode": plan.account.mode,
        "rows_read": len(plan.rows),
        **plan.totals,
        **ready_json(plan.sending),
        "remarks": list(plan.sending.remarks()) if plan.sending else [],
        "owners": [
            where | {"owner": row.owner} for row, where in in_order if row.owner
        ],
        "balance": plan.balance,
        "tokens_left": None if plan.balance is None else plan.balance - plan.sends,
        "tokens_missing": short,
        "packs": list(packs_covering(short)),
        "files": plan.files,
        "requests": plan.requests,
        "seconds": plan.seconds,
        "iwi_load": plan.iwi_load.as_json(),
        "above_ceiling": plan.iwi_load.above,
        "rows": [
            {
                "sheet": plan.sheet,
                "row": row.number,
                "reference": row.marker,
                "action": row.action.value,
                "iwi": plan.iwi_of(row),
                "warnings": list(row.warnings),
            }
            for row in plan.rows
        ],
        "order_of_sends": [
            where | {"reference": row.marker, "iwi": plan.iwi_of(row)}
            for row, where in in_order
            if row.action.sends
        ],
        "order_of_invitations": [
            where for row, where in in_order if not row.action.sends
        ],
    }
