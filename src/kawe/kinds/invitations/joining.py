"""Who of those to be invited is in the team, or has been asked, already.

The service skips them; kawe names them before anything is sent, so that a person sees
that a list is last year's. It also names people whom it invited once and who are not
there any more: kawe invites nobody twice, and "done" would hide that.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from kawe.contract.enums import InvitationStatus
from kawe.domain.service.service_words import TeamInvitation, TeamRoll
from kawe.domain.sheet.findings import PERSON_GONE, PERSON_KNOWN, Severity
from kawe.domain.sheet.refs import RowRef
from kawe.errors import ScopeMissing
from kawe.flows.checked_rows import CheckedRow
from kawe.flows.marking import mark
from kawe.flows.routing import Asker


async def mark_known_people(
    rows: Sequence[CheckedRow], *, asker: Asker, invited: Collection[RowRef]
) -> tuple[CheckedRow, ...]:
    """Note on each row whether its person is known, or is gone.

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


def _marked(
    checked: CheckedRow,
    *,
    roll: TeamRoll,
    asked: Mapping[str, Sequence[TeamInvitation]],
    is_done: bool,
) -> CheckedRow:
    email = checked.marker
    if not email:
        return checked
    invitations = asked.get(email, ())
    is_member = email in roll.member_emails
    if is_done:
        is_there = is_member or any(each.is_pending for each in invitations)
        return checked if is_there else _gone(checked, invitations)
    if is_member:
        return _known(checked, "is a member of the team already")
    if any(each.is_pending for each in invitations):
        return _known(checked, "has been invited already and has not answered yet")
    return checked


def _known(checked: CheckedRow, words: str) -> CheckedRow:
    finding = mark(
        checked.row,
        "email",
        severity=Severity.NOTE,
        rule=PERSON_KNOWN,
        words=(f"This person {words}; the service leaves them out.", ""),
    )
    return checked.with_findings(finding)


def _gone(checked: CheckedRow, invitations: Sequence[TeamInvitation]) -> CheckedRow:
    match {each.status for each in invitations}:
        case statuses if InvitationStatus.ACCEPTED in statuses:
            words = "accepted an invitation and is not in the team any more"
            advice = "invite them again in the portal"
        case statuses if InvitationStatus.EXPIRED in statuses:
            words = "was invited, and the invitation has expired"
            advice = "resend the invitation in the portal"
        case _:
            words = "was invited or in the team, and is neither any more"
            advice = "invite them again in the portal"
    finding = mark(
        checked.row,
        "email",
        severity=Severity.WARNING,
        rule=PERSON_GONE,
        words=(
            f"This person {words}; kawe invites nobody twice.",
            f"If they should be in the team, {advice}.",
        ),
    )
    return checked.with_findings(finding)
