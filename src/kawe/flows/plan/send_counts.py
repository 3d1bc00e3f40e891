"""Counting: which rows that are not sent yet are to be sent, and which stay drafts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from kawe.domain.batch.plans import Plan
from kawe.domain.batch.sending import Sending
from kawe.domain.service.states import AFTER_SEND, BEFORE_CREATE, IN_DOUBT, UNSENT
from kawe.flows.check.checking import Checked
from kawe.flows.checked_rows import CheckedRow
from kawe.flows.plan.counting import acted_on, is_to_send, touched


def sending_asked(checked: Checked) -> Sending | None:
    """Count what the right rows of a sheet ask for; None for rows without drafts."""
    if not checked.table.kind.has_drafts:
        return None
    heading = checked.table.heading_of("send")
    right = [row for row in checked.rows if row.is_valid]
    asked = sum(row.content is not None and row.content.send for row in right)
    return Sending(
        heading="" if heading is None else heading.text,
        sends_all=checked.sends_all,
        asked=asked,
        quiet=len(right) - asked,
        says_no=_says_no(right),
    )


def sending_of(
    plan: Plan, checked: Checked, *, drafts_only: bool = False
) -> Sending | None:
    """Count the rows that a run does not leave out; None for rows without drafts."""
    asked_for = sending_asked(checked)
    if asked_for is None:
        return None
    rows = touched(plan)
    unsent = {
        entry.key
        for entry in rows
        if entry.state in BEFORE_CREATE | UNSENT | IN_DOUBT
        and entry.key not in plan.settled_there
    }
    asked = {entry.key for entry in rows if is_to_send(entry)} & unsent
    ready = asked | ({entry.key for entry in acted_on(plan)} & unsent)
    return replace(
        asked_for,
        drafts_only=drafts_only,
        asked=len(asked),
        quiet=len(ready - asked),
        kept=len(unsent - ready),
        sent=len(plan.sent_there) + sum(each.state in AFTER_SEND for each in rows),
        says_no=_says_no(row for row in checked.rows if row.key in unsent - asked),
    )


def _says_no(rows: Iterable[CheckedRow]) -> tuple[str, ...]:
    return tuple(
        str(row.row.where("send")) for row in rows if row.row.value("send") is False
    )
