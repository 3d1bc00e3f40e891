"""Who of those to be invited is in the team, or has been asked, already.

The service leaves them out by itself. They are named before anything is sent,
so that a person sees in time that a list is last year's.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Final

from kawe.domain.content import InvitationContent
from kawe.domain.findings import PERSON_KNOWN, Finding, Severity
from kawe.domain.refs import RowRef
from kawe.domain.service_words import TeamRoll
from kawe.errors import ScopeMissing
from kawe.flows.marking import mark
from kawe.flows.project_rows import CheckedRow
from kawe.ports import Lookups

_PENDING: Final = "PENDING"


async def mark_known_people(
    rows: Sequence[CheckedRow], *, lookups: Lookups, skip: Collection[RowRef]
) -> tuple[CheckedRow, ...]:
    """Note on each row whether its person is known; nothing for those in `skip`.

    A key that may not read the team leaves every row as it is.

    Raises:
        ServiceError: The team could not be read for another reason.
    """
    if all(row.row.ref in skip or not row.is_valid for row in rows):
        return tuple(rows)
    try:
        account = await lookups.account()
        roll = await lookups.team(account.team_id)
    except ScopeMissing:
        return tuple(rows)
    asked = {each.email for each in roll.invitations if each.status == _PENDING}
    return tuple(
        row if row.row.ref in skip else _marked(row, roll=roll, asked=asked)
        for row in rows
    )


def _marked(
    checked: CheckedRow, *, roll: TeamRoll, asked: Collection[str]
) -> CheckedRow:
    content = checked.content
    if not isinstance(content, InvitationContent):
        return checked
    email = content.email.casefold()
    if email in roll.member_emails:
        return _noted(checked, "is a member of the team already")
    if email in asked:
        return _noted(checked, "has been invited already and has not answered yet")
    return checked


def _noted(checked: CheckedRow, words: str) -> CheckedRow:
    finding: Finding = mark(
        checked.row,
        "email",
        severity=Severity.NOTE,
        rule=PERSON_KNOWN,
        words=(f"This person {words}; the service leaves them out.", ""),
    )
    return replace(checked, findings=(*checked.findings, finding))
