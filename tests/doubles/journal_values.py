"""Values to put into a journal."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import Any

from kawe.domain.batch.approvals import (
    Approval,
    Proof,
    SignedApproval,
    Statement,
    covered_hash,
)
from kawe.domain.rows.entries import Batch, BatchName, Binding, Entry, Line, StoredFile
from kawe.domain.service.service_words import InviteAnswer, Project, ProjectId
from kawe.domain.service.states import Done, Fingerprint, Intent, RowKey, State, Step
from kawe.domain.sheet.content import ProjectContent
from kawe.domain.sheet.findings import RowRef
from kawe.kinds.invitations import INVITATIONS
from kawe.kinds.invitations.kind import InvitationContent
from kawe.kinds.projects import PROJECTS

NOW = datetime(2026, 11, 21, 9, 0, tzinfo=UTC)
BATCH = BatchName("monthly")
BINDING = Binding(
    base_url="https://api.example.nz",
    team_id="00000000-0000-4000-8000-000000000001",
    team_name="Kāpiti Coast",
    mode="live",
)


GIVEN = Approval(
    plan="a" * 64,
    batch=BATCH,
    author="mere",
    approved_by="Hēmi Tūhoe",
    sends=12,
    at=NOW,
)
_ROWS = (("a", "b"), ("c", "d"))
PROOF = Proof(
    signed=SignedApproval(
        statement=Statement(
            plan=GIVEN.plan,
            file="f" * 64,
            kind="projects",
            workbook="November.xlsx",
            sheet="Projects",
            mode=BINDING.mode,
            service=BINDING.base_url,
            team_id=BINDING.team_id,
            team=BINDING.team_name,
            user_id="u",
            user="Hēmi",
            email="hemi@example.org",
            acts=12,
            waits=0,
            salt="s",
            rows=covered_hash(_ROWS),
            at=NOW,
            kawe="0.1.0",
        ),
        public_key="k",
        signature="s",
    ),
    rows=_ROWS,
)
SIGNED = replace(GIVEN, proof=PROOF)
"""As it is kept; nobody has checked the signature."""


def later(minutes: int) -> datetime:
    """Give an instant so many minutes after NOW."""
    return NOW + timedelta(minutes=minutes)


def key(number: int) -> RowKey:
    return RowKey(f"ref:R-{number}")


def project_id(number: int) -> ProjectId:
    return ProjectId(f"00000000-0000-4000-8000-{number:012d}")


def batch(**changes: Any) -> Batch:
    """Make a batch."""
    value = Batch(
        batch=BATCH,
        kind=PROJECTS,
        workbook="/home/mere/November.xlsx",
        sheet="Projects",
        headings=("Reference", "Name"),
        opened_at=NOW,
        read_at=NOW,
    )
    return replace(value, **changes)


def content(number: int, **changes: Any) -> ProjectContent:
    """Make what row `number` says."""
    value = ProjectContent(
        reference=f"R-{number}",
        name=f"Stormwater outlet {number}, Ōtaki",
        description="A new outlet.",
        type="EARTHWORKS",
        start_on=date(2027, 2, 1),
        end_on=date(2027, 5, 1),
        respond_by_on=date(2027, 1, 20),
        message="Kia ora.",
    )
    return replace(value, **changes)


def entry(number: int, **changes: Any) -> Entry:
    """Make row `number` as its workbook has it."""
    value = Entry(
        key=key(number),
        batch=BATCH,
        kind=PROJECTS,
        marker=f"R-{number}",
        fingerprint=Fingerprint(f"{number:064x}"),
        content=content(number),
        state=State.VALID,
        moved_at=NOW,
        position=number,
    )
    return replace(value, **changes)


def invitation(number: int, **changes: Any) -> Entry:
    """Make row `number` of an invitations sheet."""
    email = f"hemi{number}@example.nz"
    value = entry(
        number,
        key=RowKey(f"mail:{email}"),
        kind=INVITATIONS,
        marker=email,
        content=InvitationContent(name="Hēmi", email=email, role="MEMBER"),
    )
    return replace(value, **changes)


def line(number: int, **changes: Any) -> Line:
    """Make the line of row `number`."""
    value = Line(
        where=RowRef(sheet="Projects", row=number + 1),
        raw=(f"R-{number}", "Stormwater outlet"),
        findings=(),
        row=key(number),
    )
    return replace(value, **changes)


def intent(number: int, step: Step, *, attempt: int = 1, **changes: Any) -> Intent:
    """Make an intent of row `number`."""
    value = Intent(
        row=key(number), step=step, attempt=attempt, body_sha256="a" * 64, begun_at=NOW
    )
    return replace(value, **changes)


def created(number: int) -> Done:
    """Make the verdict of a create that made project `number`."""
    return Done(
        http_status=201,
        project=Project(
            id=project_id(number),
            name="Stormwater outlet",
            reference=f"R-{number}",
            status="DRAFT",
            created_at=NOW,
        ),
    )


def invited(status: str, *, message: str | None = None) -> Done:
    """Make the verdict of an invitation."""
    answer = InviteAnswer(email="hemi1@example.nz", status=status, message=message)
    return Done(http_status=200, invitation=answer)


def stored(number: int, **changes: Any) -> StoredFile:
    """Make a file of row `number` that is with the service."""
    value = StoredFile(
        row=key(number), sha256="b" * 64, name="plan.pdf", document_id=f"doc-{number}"
    )
    return replace(value, **changes)
