"""Whom a row of an invitations sheet invites."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from kawe.domain.rows.identity import ADDRESS, fingerprint_of
from kawe.domain.service.verdicts import Fingerprint, RowKey
from kawe.domain.sheet.content import PlainContent
from kawe.domain.text.texts import one_line
from kawe_contract.enums import UserRole


class PartOfInvitation(PlainContent):
    """What a row of an invitations sheet says whose cells have mistakes."""

    __slots__ = ()

    @property
    def identified_by(self) -> tuple[str, str]:
        return "email", "e-mail address"


@dataclass(frozen=True, slots=True, kw_only=True)
class InvitationContent(PartOfInvitation):
    """What a row of an invitations sheet says."""

    name: str
    email: str
    role: str
    org_department: str | None = None
    org_department_other: str | None = None
    org_role: str | None = None
    org_role_other: str | None = None

    @property
    def once_by(self) -> str:
        return self.role

    @property
    def is_owner(self) -> bool:
        return self.role == UserRole.OWNER

    @property
    def owner_words(self) -> str:
        """Name a person who is to be an owner."""
        if not self.is_owner:
            return ""
        return f"{one_line(self.name, limit=80)} ({one_line(self.email)})"


def email_key(email: str) -> RowKey:
    return RowKey(f"{ADDRESS}{email.casefold()}")


def invite_body(content: InvitationContent) -> dict[str, Any]:
    """Make one item of a bulk invitation (InviteUserBody)."""
    return {name: said for name, said in asdict(content).items() if said is not None}


def invitation_fingerprint(content: InvitationContent) -> Fingerprint:
    return fingerprint_of(invite_body(content))
