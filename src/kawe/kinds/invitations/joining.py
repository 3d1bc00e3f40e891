"""How the people of a sheet stand in the team: compared with it at every run.

The service skips whom it knows; kawe names them before anything is sent, so that a
person sees that a list is last year's. Whoever was invited once, from any computer, and
has another role or is not there any more is named, and never invited again by kawe.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Final, TypeAlias

from kawe.contract.enums import InvitationStatus
from kawe.domain.service.service_words import TeamInvitation, TeamRoll
from kawe.domain.sheet.content import Content
from kawe.domain.sheet.findings import (
    PERSON_GONE,
    PERSON_KNOWN,
    PERSON_ROLE,
    Severity,
)
from kawe.domain.sheet.refs import RowRef
from kawe.domain.text.texts import one_line
from kawe.errors import ScopeMissing
from kawe.flows.checked_rows import CheckedRow
from kawe.flows.marking import mark
from kawe.flows.routing import Asker
from kawe.kinds.invitations.content import InvitationContent

Asked: TypeAlias = Mapping[str, Sequence[TeamInvitation]]
"""The invitations of each address."""
_Known: TypeAlias = tuple[str, tuple[str, str]]
"""The rule by which somebody is known, what that is, and what to do."""
_MEMBER: Final = "is a member of the team already"
_INVITED: Final = "has been invited already and has not answered yet"
_NOTHING: Final = "kawe invites nobody twice and changes no role."
_CHANGE: Final = "an owner of the team changes the role in the portal"
_INVITE: Final = "invite them again in the portal"
_RESEND: Final = "send the invitation again in the portal"


async def mark_known_people(
    rows: Sequence[CheckedRow], *, asker: Asker, invited: Collection[RowRef]
) -> tuple[CheckedRow, ...]:
    """Note on each row whether its person is known, has another role, or is gone.

    `invited` are rows whose person kawe invited or found there.
    """
    if not any(row.marker for row in rows):
        return tuple(rows)
    try:
        team = asker.team_id or (await asker.lookups.account()).team_id
        roll = await asker.lookups.team(team)
    except ScopeMissing:
        return tuple(rows)
    asked = roll.asked()
    return tuple(
        _marked(row, roll=roll, asked=asked, is_done=row.row.ref in invited)
        for row in rows
    )


def how_known(
    email: str, content: Content | None, *, roll: TeamRoll, asked: Asked
) -> _Known | None:
    """Say how the team knows the person of a row; None: it never did."""
    wants = content.role if isinstance(content, InvitationContent) else ""
    there = asked.get(email, ())
    pending = next((each.role for each in there if each.is_pending), None)
    has = roll.members.get(email, pending)
    if has is not None:
        said = f"This person {_MEMBER if email in roll.members else _INVITED}"
        if has in {"", wants} or not wants:
            return PERSON_KNOWN, (f"{said}; the service leaves them out.", "")
        has, wants = one_line(has, limit=20).capitalize(), wants.capitalize()
        said += f", with the role {has}; the row says {wants}. {_NOTHING}"
        return PERSON_ROLE, (said, f"If {wants} is right, {_CHANGE}.")
    match {each.status for each in there}:
        case statuses if InvitationStatus.ACCEPTED in statuses:
            return _gone("accepted an invitation and is not in the team any more")
        case statuses if InvitationStatus.EXPIRED in statuses:
            return _gone("was invited, and the invitation has expired", _RESEND)
        case _:
            return None


def _gone(words: str, advice: str = _INVITE) -> _Known:
    return PERSON_GONE, (
        f"This person {words}; kawe invites nobody twice.",
        f"If they should be in the team, {advice}.",
    )


def _marked(
    checked: CheckedRow, *, roll: TeamRoll, asked: Asked, is_done: bool
) -> CheckedRow:
    email = checked.marker
    if not email:
        return checked
    known = how_known(email, checked.content, roll=roll, asked=asked)
    if known is None and is_done:
        known = _gone("was invited or in the team, and is neither any more")
    if known is None or (is_done and known[0] == PERSON_KNOWN):
        return checked
    rule, words = known
    finding = mark(
        checked.row,
        "role" if rule == PERSON_ROLE else "email",
        severity=Severity.NOTE if rule == PERSON_KNOWN else Severity.WARNING,
        rule=rule,
        words=words,
    )
    return checked.with_findings(finding)
