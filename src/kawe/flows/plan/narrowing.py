"""Narrowing: a run takes some rows of a workbook and leaves the others as they are."""

from __future__ import annotations

from collections.abc import Sequence

from kawe.domain.batch.plans import Plan
from kawe.domain.service.verdicts import RowKey
from kawe.domain.text.row_choice import RowChoice
from kawe.flows.plan.counting import acted_on, left_out, order_of_sends


def only(plan: Plan, choice: RowChoice) -> Plan:
    """Leave out every row that a person did not name.

    Raises:
        SettingsError: The sheet does not have a row that was named.
    """
    markers = {entry.key: entry.marker for entry in plan.entries}
    # A row with mistakes is left out in any case.
    rows = [(line, None if line.is_spoilt else line.row) for line in plan.lines]
    named = [
        (line.where.row, None if row is None else markers[row], row)
        for line, row in rows
    ]
    choice.check_known([(number, marker) for number, marker, _ in named])
    others = [
        key
        for number, marker, key in named
        if key is not None and not choice.has(number, marker)
    ]
    return left_out(plan, others)


def canary(plan: Plan, rows: int, *, first: Sequence[RowKey] = ()) -> Plan:
    """Leave out all rows with work but the first few in the order of sends.

    Rows that are not sent come after those that are, as they stand in the sheet.
    """
    sends = order_of_sends(plan, first=first)
    sent = {entry.key for entry in sends}
    others = [entry for entry in acted_on(plan) if entry.key not in sent]
    return left_out(plan, [entry.key for entry in [*sends, *others][rows:]])
