"""What one row says, once it has been read and found right."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from pathlib import Path

from kawe.contract.enums import UserRole
from kawe.domain.places import Place


@dataclass(frozen=True, slots=True, kw_only=True)
class Attachment:
    """One file of a row, as it was when it was checked."""

    path: Path
    name: str
    mime_type: str
    size_bytes: int
    sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Contact:
    """Whom iwi can talk to about a project."""

    name: str
    role: str
    phone: str
    email: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class OrganisationContent:
    """The organisation that a project is for."""

    name: str
    address: str | None = None
    city: str | None = None
    country: str | None = None
    postcode: str | None = None
    place: Place | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectContent:
    """What a row of a projects sheet says."""

    reference: str | None
    name: str
    description: str
    type: str
    phase: str | None = None
    start_on: date
    end_on: date
    respond_by_on: date
    address: str | None = None
    place: Place | None = None
    iwi: tuple[str, ...] = ()
    """Slugs; empty where the service routes the project itself."""
    organisation: OrganisationContent | None = None
    contact: Contact | None = None
    files: tuple[Attachment, ...] = ()
    send: bool = False
    message: str
    recipient_team_id: str | None = None
    priority_order: float | None = None
    """Who gets scarce tokens first; small numbers first, None last."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InvitationContent:
    """What a row of an invitations sheet says."""

    name: str
    email: str
    role: str
    org_department: str | None = None
    org_department_other: str | None = None
    org_role: str | None = None
    org_role_other: str | None = None

    @property
    def is_owner(self) -> bool:
        """Say whether the person may then do everything (interface, 9)."""
        return self.role == UserRole.OWNER
