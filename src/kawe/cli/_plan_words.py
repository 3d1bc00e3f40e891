"""What is said of a plan: what will be done, at what cost, in which order."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any, Final

from kawe.domain.batch.approvals import Approval, approval_words, approved_plan
from kawe.domain.batch.plans import Plan
from kawe.domain.batch.saved_plans import Action, PlannedRow, SavedPlan
from kawe.domain.batch.tokens import Budget, packs_covering, packs_words
from kawe.domain.rows.shown_files import SHOWN_FILES, file_lines, size_words
from kawe.domain.text.counts import counted
from kawe.domain.text.new_zealand import moment_words
from kawe.domain.text.texts import one_line
from kawe.flows.plan.belonging import missing_words, staying_words
from kawe.flows.plan.counting import is_to_invite, is_to_send

_SHOWN_SENDS: Final = 10
_SECONDS: Final = 90
_WILL: Final = {
    Action.CREATE_AND_SEND: "will be created and sent to iwi",
    Action.CREATE_AND_WAIT: "will be created, and wait for a token",
    Action.CREATE: "will be created as draft, and not be sent",
    Action.UPDATE_AND_SEND: "will be changed in the service, and sent to iwi",
    Action.UPDATE_AND_WAIT: "will be changed in the service, and wait for a token",
    Action.UPDATE: "will be changed in the service, and not be sent",
    Action.TAKE_AND_SEND: "will be sent to iwi, with the draft that another computer "
    "or a lost journal has made, after a pause",
    Action.TAKE_AND_WAIT: "will wait for a token, with the draft that another computer "
    "or a lost journal has made",
    Action.TAKE: "will keep the draft that another computer or a lost journal has made",
    Action.SEND: "will be sent to iwi, with the draft that is there",
    Action.WAIT: "will wait for a token, with the draft that is there",
    Action.INVITE: "will be invited",
    Action.NOTE_SENT: "will not be sent: sent already, by another computer or a lost "
    "journal",
    Action.SKIP: "will be left alone: done already",
    Action.CHANGED: "will be left alone: changed after it was done",
    Action.CORRECT: "will be left out: to correct",
    Action.HOLD: "will be left alone: held for a person",
    Action.LEAVE: "will be left out of this run",
}


def banner(*, mode: str, team: str, balance: int | None) -> str:
    """Say first of all whether this is real, for whom, and with how many tokens."""
    has = "no tokens are spent" if balance is None else counted(balance, "token")
    return f"{mode.upper()}: {one_line(team)}, {has}"


def carrying_out(
    saved: SavedPlan, approvals: Sequence[Approval], *, plan: Plan
) -> list[str]:
    """Say which plan is carried out, who agreed to it, and how far it is done."""
    when = f"{moment_words(saved.made_at)} (NZ time)"
    words = [f"The plan that {one_line(saved.author)} made at {when} still fits."]
    given = [each for each in approvals if each.plan == approved_plan(saved)]
    if plan.approval is not None:
        others = (each.approved_by for each in given)
        given += [] if plan.approval.approved_by in others else [plan.approval]
    words += [approval_words(each) for each in given]
    may = plan.may_send or frozenset()
    left = sum(
        entry.key in may and (is_to_send(entry) or is_to_invite(entry))
        for entry in plan.entries
    )
    done = saved.acts - left
    if done > 0:
        are = "is" if done == 1 else "are"
        acts = counted(saved.acts, "invitation" if saved.invites else "send")
        words.append(f"{done:,} of its {acts} {are} done, or can be done no more.")
    return words


def owner_lines(owners: Sequence[str]) -> Iterator[str]:
    """Name those who may do everything, before anybody agrees to it."""
    if owners:
        become = "person becomes an owner", "people become owners"
        yield (
            f"{counted(len(owners), *become)}, who may remove people, buy tokens and "
            f"manage keys: {'; '.join(map(one_line, owners))}."
        )


def absent_lines(plan: Plan) -> Iterator[str]:
    """Say which rows of its batch a workbook does not have."""
    yield from filter(None, (missing_words(plan), staying_words(plan)))


def plan_lines(plan: SavedPlan, *, is_new: bool = True) -> Iterator[str]:
    """Say what a plan will do; of one that is not new, name every send."""
    summary, account = plan.summary, plan.account
    yield banner(mode=account.mode, team=account.team_name, balance=summary.balance)
    read = f"{counted(len(plan.rows), 'row')} read."
    yield f"{read} Nothing has been changed or sent." if is_new else read
    for action in Action:
        if summary.counts.get(action):
            yield f"{summary.counts[action]:>7,} {_WILL[action]}"
    load = summary.iwi_load.words()
    if load:
        yield load.replace("This batch sends", "This plan will send", 1)
    yield from owner_lines([row.owner for row in plan.owners])
    yield from _tokens(plan)
    yield from _effort(plan, is_new=is_new)
    yield from _order(plan, shown=_SHOWN_SENDS if is_new else len(plan.rows))


def _tokens(plan: SavedPlan) -> Iterator[str]:
    summary = plan.summary
    if not summary.tokens_needed:
        return
    if summary.balance is None:
        yield (
            f"{counted(plan.sends, 'project')} will be sent; a sandbox key uses no "
            "tokens and reaches nobody."
        )
        return
    left = summary.balance - plan.sends
    yield (
        f"{counted(plan.sends, 'token')} will be used, and {left:,} will be left. "
        "Sending cannot be undone."
    )
    short = summary.tokens_needed - plan.sends
    if short:
        yield from _short(plan, short)


def _short(plan: SavedPlan, short: int) -> Iterator[str]:
    summary, limits = plan.summary, plan.limits
    wait = counted(short, "row will wait", "rows will wait")
    missing = _has(plan).missing(summary.tokens_needed)
    if missing == 0:
        yield f"{wait}, the least urgent: this plan may use no more tokens."
        return
    packs = packs_words(packs_covering(missing))
    reserve = (
        f" ({limits.keep_reserve:,} of them stay in reserve)"
        if limits.keep_reserve
        else ""
    )
    yield (
        f"{wait} for tokens, the least urgent. {counted(missing, 'token')} more"
        f"{reserve} would do for all: in the portal, {packs}. kawe never buys."
    )


def _has(plan: SavedPlan) -> Budget:
    return Budget(balance=plan.summary.balance, keep_reserve=plan.limits.keep_reserve)


def _effort(plan: SavedPlan, *, is_new: bool) -> Iterator[str]:
    summary = plan.summary
    if summary.upload_files:
        files = counted(summary.upload_files, "file")
        yield f"{files} will be uploaded ({size_words(summary.upload_bytes)}):"
        shown = plan.files
        yield from file_lines(shown, shown=SHOWN_FILES if is_new else len(shown))
    if not any(action.acts for action, n in summary.counts.items() if n):
        yield "There is nothing to do."
    else:
        requests = counted(summary.requests, "request")
        time = "" if summary.seconds is None else f", {_time(summary.seconds)}"
        yield f"About {requests} to the service{time}."


def _time(seconds: float) -> str:
    if seconds < _SECONDS:
        return "about a minute at most"
    return f"about {counted(math.ceil(seconds / 60), 'minute')}"


def _order(plan: SavedPlan, *, shown: int) -> Iterator[str]:
    rows = plan.in_order
    if not rows:
        return
    yield f"The order of {'invitations' if plan.invites else 'sends'}:"
    for row in rows[:shown]:
        yield f"{row.place:>7,}. {_row(plan, row)}"
    more = len(rows) - shown
    if more > 0:
        yield f"        … and {more:,} more, all of them in the file of the plan (-o)."


def _row(plan: SavedPlan, row: PlannedRow) -> str:
    where = f"{one_line(plan.sheet)}!{row.number}"
    return f"{where} {one_line(row.marker, limit=60)}".rstrip()


def plan_document(
    plan: SavedPlan, *, written: str | None, exit_code: int
) -> dict[str, Any]:
    """Make the JSON document of a plan; its schema is stable."""
    summary = plan.summary
    balance = summary.balance
    short = _has(plan).missing(summary.tokens_needed)
    return {
        "schema": "kawe.planned/1",
        "exit_code": exit_code,
        "plan": written,
        "sha256": plan.sha256,
        "author": plan.author,
        "team": plan.account.team_name,
        "mode": plan.account.mode,
        "rows_read": len(plan.rows),
        "counts": {action.value: n for action, n in summary.counts.items()},
        "sends": plan.sends,
        "invites": plan.invites,
        "owners": [
            {"sheet": plan.sheet, "row": row.number, "owner": row.owner}
            for row in plan.owners
        ],
        "tokens_needed": summary.tokens_needed,
        "balance": balance,
        "tokens_left": None if balance is None else balance - plan.sends,
        "tokens_missing": short,
        "packs": list(packs_covering(short)),
        "upload_files": summary.upload_files,
        "upload_bytes": summary.upload_bytes,
        "files": [each.as_json() for each in plan.files],
        "requests": summary.requests,
        "seconds": summary.seconds,
        "iwi_load": summary.iwi_load.as_json(),
        "order_of_sends": [
            {"sheet": plan.sheet, "row": row.number, "reference": row.marker}
            for row in plan.in_order
            if row.action.sends
        ],
        "order_of_invitations": [
            {"sheet": plan.sheet, "row": row.number}
            for row in plan.in_order
            if not row.action.sends
        ],
    }
