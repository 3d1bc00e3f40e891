"""What one row says, once it has been read and found right."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import ClassVar, TypeAlias, assert_never

from kawe.contract.enums import UserRole
from kawe.domain.service.places import Place
from kawe.domain.service.verdicts import Step
from kawe.domain.sheet.columns import SheetKind


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

    kind: ClassVar[SheetKind] = SheetKind.PROJECTS
    first_step: ClassVar[Step] = Step.CREATE
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

    kind: ClassVar[SheetKind] = SheetKind.INVITATIONS
    first_step: ClassVar[Step] = Step.INVITE
    # What may be asked of any row: a person has none of it.
    files: ClassVar[tuple[Attachment, ...]] = ()
    organisation: ClassVar[None] = None
    place: ClassVar[None] = None
    priority_order: ClassVar[None] = None
    reference: ClassVar[None] = None
    respond_by_on: ClassVar[None] = None
    send: ClassVar[bool] = False

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


Content: TypeAlias = ProjectContent | InvitationContent
"""What a row of any sheet says."""


def project_of(content: Content | None) -> ProjectContent | None:
    """Give what a row says of its project; None where it is about something else."""
    match content:
        case ProjectContent():
            return content
        case InvitationContent() | None:
            return None
        case _:
            assert_never(content)
