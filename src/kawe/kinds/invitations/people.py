"""The people of an invitations sheet: what a row says, and how the team knows them."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from typing import Any, Final, TypeAlias

from kawe.domain.batch.outcomes import OVER
from kawe.domain.rows.identity import ADDRESS, fingerprint_of
from kawe.domain.service.service_words import (
    WITHDRAWN,
    Invitation,
    TeamInvitation,
    TeamRoll,
)
from kawe.domain.service.states import Fingerprint, RowKey
from kawe.domain.sheet.content import Content, PlainContent
from kawe.domain.sheet.findings import (
    PERSON_AGAIN,
    PERSON_GONE,
    PERSON_KNOWN,
    PERSON_ROLE,
    RowRef,
    Severity,
)
from kawe.domain.text.new_zealand import day_in_new_zealand, day_words
from kawe.domain.text.texts import one_line
from kawe.errors import ScopeMissing
from kawe.flows.checked_rows import CheckedRow, mark
from kawe.flows.routing import Asker
from kawe.ports import Journal
from kawe_contract.enums import InvitationStatus, UserRole


@dataclass(frozen=True, slots=True, kw_only=True)
class InvitationContent(PlainContent):
    """What a row of an invitations sheet says; all of it, or as far as it is read."""

    name: str = ""
    email: str = ""
    role: str = ""
    org_department: str | None = None
    org_department_other: str | None = None
    org_role: str | None = None
    org_role_other: str | None = None

    @property
    def identified_by(self) -> tuple[str, str]:
        return "email", "e-mail address"

    @property
    def once_by(self) -> str:
        return f"role {self.role}"

    @property
    def owner_words(self) -> str:
        """Name a person who is to be an owner."""
        whom = f"{one_line(self.name, limit=80)} ({one_line(self.email)})"
        return whom if self.role == UserRole.OWNER else ""


def email_key(email: str) -> RowKey:
    return RowKey(f"{ADDRESS}{email.casefold()}")


def invite_body(content: Content) -> dict[str, Any]:
    return {name: said for name, said in asdict(content).items() if said is not None}


def invitation_fingerprint(content: InvitationContent) -> Fingerprint:
    return fingerprint_of(invite_body(content))


Asked: TypeAlias = Mapping[str, Sequence[TeamInvitation]]
"""The invitations of each address."""
_Known: TypeAlias = tuple[str, tuple[str, str]]
"""The rule by which somebody is known, what that is, and what to do."""
_ACCEPTED: Final = InvitationStatus.ACCEPTED
_EVER: Final = datetime.min.replace(tzinfo=UTC)
_MEMBER: Final = "is a member of the team already"
_INVITED: Final = "has been invited already and has not answered yet"
_NOTHING: Final = "kawe invites nobody twice and changes no role."
_CHANGE: Final = "an owner changes the role with a sheet of members"
_RESEND: Final = "send it again with a sheet of resends"


async def mark_known_people(
    rows: Sequence[CheckedRow],
    *,
    asker: Asker,
    invited: Collection[RowRef],
    journal: Journal | None = None,
) -> tuple[CheckedRow, ...]:
    """Note on each row whether its person is known, has another role, or is gone.

    `invited` are rows whose person kawe invited or found there; the journal has what
    was seen of their invitations.
    """
    if not any(row.marker for row in rows):
        return tuple(rows)
    try:
        lookups = asker.tools.lookups
        roll = await lookups.team(asker.team_id or (await lookups.account()).team_id)
    except ScopeMissing:
        return tuple(rows)
    keys = [row.key for row in rows if row.key is not None]
    kept = {} if journal is None else await journal.invitations(keys)
    now = asker.tools.clock.now()
    seen = PeopleSeen(roll=roll, asked=roll.asked(), kept=kept, now=now)
    return tuple(
        _marked(row, seen=seen, is_done=row.row.ref in invited) for row in rows
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class PeopleSeen:
    """The team as it was read just now, and its invitations as they were before."""

    roll: TeamRoll
    asked: Asked
    kept: Mapping[RowKey, Invitation]
    now: datetime

    def last(self, email: str) -> Invitation | None:
        """Give the invitation of somebody that counts: an open one, or the latest."""
        if not (there := self.asked.get(email)):
            return None
        last = max(there, key=lambda one: (one.is_pending, one.made_at or _EVER))
        if email in self.roll.members:
            return replace(last.alone(), status=_ACCEPTED)
        before = self.kept.get(email_key(email))
        return last.alone().seen_after(before, now=self.now)

    def known(self, email: str, content: Content | None) -> _Known | None:
        """Say how the team knows the person of a row; None: it never did."""
        wants = content.role if isinstance(content, InvitationContent) else ""
        there = self.asked.get(email, ())
        pending = next((each.role for each in there if each.is_pending), None)
        if (has := self.roll.members.get(email, pending)) is not None:
            said = f"This person {_MEMBER if email in self.roll.members else _INVITED}"
            if has in {"", wants} or not wants:
                return PERSON_KNOWN, (f"{said}; the service leaves them out.", "")
            has, wants = one_line(has, limit=20).capitalize(), wants.capitalize()
            said += f", with the role {has}; the row says {wants}. {_NOTHING}"
            return PERSON_ROLE, (said, f"If {wants} is right, {_CHANGE}.")
        if any(each.status == _ACCEPTED for each in there):
            return _gone("accepted an invitation and is not in the team any more")
        return self._ended(self.last(email))

    def _ended(self, last: Invitation | None) -> _Known | None:
        if last is not None and last.status == WITHDRAWN:
            return _gone("was invited, and the invitation was withdrawn", _RESEND)
        if last is None or last.status != InvitationStatus.EXPIRED:
            return None
        if last.expires_at is None:
            return _gone(f"was invited, and the invitation {OVER}", _RESEND)
        on = day_words(day_in_new_zealand(last.expires_at))
        said = f"The invitation of this person expired on {on}"
        return PERSON_AGAIN, (f"{said}: a submit sends a new one.", "")


def _gone(words: str, advice: str = "invite them again in the portal") -> _Known:
    return PERSON_GONE, (
        f"This person {words}; kawe invites nobody twice.",
        f"If they should be in the team, {advice}.",
    )


def _marked(checked: CheckedRow, *, seen: PeopleSeen, is_done: bool) -> CheckedRow:
    if not (email := checked.marker):
        return checked
    known = seen.known(email, checked.content)
    if known is None and is_done:
        known = _gone("was invited or in the team, and is neither any more")
    if known is None or (is_done and known[0] == PERSON_KNOWN):
        return checked
    rule, (message, advice) = known
    finding = mark(
        checked.row,
        "role" if rule == PERSON_ROLE else "email",
        Severity.NOTE if rule in {PERSON_KNOWN, PERSON_AGAIN} else Severity.WARNING,
        rule=rule,
        message=message,
        advice=advice,
    )
    return checked.with_findings(finding)
