"""Rows to submit, made without a workbook."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime
from functools import partial
from pathlib import Path

from kawe.domain.rows.identity import marker_of, project_fingerprint, project_key
from kawe.domain.sheet.columns import SheetKind, column_named
from kawe.domain.sheet.content import ProjectContent
from kawe.domain.sheet.findings import RowRef
from kawe.domain.sheet.tables import Heading, Table, TableRow
from kawe.flows.check.checking import Checked
from kawe.flows.checked_rows import CheckedRow
from kawe.flows.plan.belonging import Source
from kawe.kinds.invitations import INVITATIONS
from kawe.kinds.invitations.kind import (
    InvitationContent,
    email_key,
    invitation_fingerprint,
)
from kawe.kinds.projects import PROJECTS
from kawe.schemas.catalog import load_columns
from kawe_places.values import Place

READ_AT = datetime(2026, 11, 21, 9, 0, tzinfo=UTC)
SOURCE = Source(workbook=Path("monthly.xlsx"), read_at=READ_AT)
# One iwi of the twin, which routes such a place by itself.
AUCKLAND = Place(latitude=-36.85, longitude=174.76)


def project(number: int, **changes: object) -> ProjectContent:
    """Make the content of a row that is to be sent."""
    content = ProjectContent(
        reference=f"R-{number}",
        name=f"Culvert {number} at Māngere",
        description="A culvert is replaced.",
        type="EARTHWORKS",
        start_on=date(2030, 3, 1),
        end_on=date(2030, 9, 30),
        respond_by_on=date(2030, 4, 1),
        address="1 Coronation Road, Māngere",
        place=AUCKLAND,
        send=True,
        message="Please tell us what matters to you here.",
    )
    return replace(content, **changes)  # type: ignore[arg-type]


def checked_projects(contents: list[ProjectContent]) -> Checked:
    """Make a checked sheet of projects."""
    rows = [
        CheckedRow(
            row=TableRow(
                ref=RowRef(sheet="Projects", row=number + 2),
                cells={},
                raw=(c.name, "yes" if c.send else None),
            ),
            findings=(),
            key=project_key(c),
            content=c,
            marker=marker_of(c),
            take_fingerprint=partial(project_fingerprint, c),
        )
        for number, c in enumerate(contents)
    ]
    send = column_named("send", load_columns(PROJECTS))
    headings = (
        Heading(column=1, text="Name"),
        Heading(column=2, text="Send", means=send),
    )
    return _checked(rows, *headings, kind=PROJECTS)


def first_rows(number: int = 1, **changes: object) -> Checked:
    """Make a sheet of so many projects, which say the same where nothing is named."""
    return checked_projects([project(each, **changes) for each in range(number)])


def checked_invitations(contents: list[InvitationContent]) -> Checked:
    """Make a checked sheet of invitations."""
    rows = [
        CheckedRow(
            row=TableRow(
                ref=RowRef(sheet="Invitations", row=number + 2), cells={}, raw=(c.name,)
            ),
            findings=(),
            key=email_key(c.email),
            content=c,
            marker=c.email.casefold(),
            take_fingerprint=partial(invitation_fingerprint, c),
        )
        for number, c in enumerate(contents)
    ]
    return _checked(rows, kind=INVITATIONS)


def person(number: int, **changes: object) -> InvitationContent:
    """Make the content of an invitation."""
    content = InvitationContent(
        name=f"Hēmi {number}", email=f"hemi{number}@example.org", role="MEMBER"
    )
    return replace(content, **changes)  # type: ignore[arg-type]


def _checked(rows: list[CheckedRow], *headings: Heading, kind: SheetKind) -> Checked:
    table = Table(
        kind=kind,
        sheet=kind.value.capitalize(),
        heading_row=1,
        headings=headings,
        rows=tuple(each.row for each in rows),
    )
    return Checked(table=table, rows=tuple(rows), organisations={})
