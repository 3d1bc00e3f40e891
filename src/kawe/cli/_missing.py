"""Rows that were cut out of their workbook: named, and asked about."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from kawe.cli._asking import is_at_terminal, typed
from kawe.domain.counts import counted
from kawe.domain.plans import Plan
from kawe.flows.belonging import missing_words, staying_words
from kawe.toolkit import Prepared


def absent_lines(plan: Plan) -> Iterator[str]:
    """Say which rows of its batch a workbook does not have."""
    yield from filter(None, (missing_words(plan), staying_words(plan)))


def ask_about_missing(prepared: Prepared, *, accepts: bool, no_input: bool) -> Prepared:
    """Let a person say whether the rows leave; without a word they stay.

    Agreeing to sends is no agreement to this.
    """
    missing = prepared.plan.missing
    if not missing:
        return prepared
    can_ask = not no_input and is_at_terminal()
    takes_out = accepts or (can_ask and _agrees(len(missing)))
    return replace(prepared, plan=replace(prepared.plan, takes_out=takes_out))


def _agrees(rows: int) -> bool:
    they = "it leaves" if rows == 1 else "they leave"
    answer = typed(
        f"Type {rows} if {they}: {counted(rows, 'row')} will not be made or sent. "
        "Anything else keeps them as they are, and nothing is sent for them"
    )
    return answer == str(rows)
