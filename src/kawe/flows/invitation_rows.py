"""From the cells of an invitations sheet to whom its rows invite."""

from __future__ import annotations

from kawe.domain.bodies import invitation_fingerprint
from kawe.domain.columns import SheetKind
from kawe.domain.content import InvitationContent
from kawe.domain.findings import blocks
from kawe.domain.identity import invitation_key
from kawe.domain.tables import Table, TableRow
from kawe.flows.project_rows import CheckedRow, schema_findings
from kawe.ports import RowChecker

_OPTIONAL = ("org_department", "org_department_other", "org_role", "org_role_other")


def read_invitations(table: Table, *, checker: RowChecker) -> tuple[CheckedRow, ...]:
    """Check every row by itself and build whom it invites."""
    return tuple(_read_row(row, checker=checker) for row in table.rows)


def _read_row(row: TableRow, *, checker: RowChecker) -> CheckedRow:
    findings = (
        *row.findings,
        *schema_findings(row, kind=SheetKind.INVITATIONS, checker=checker),
    )
    if blocks(findings):
        return CheckedRow(row=row, findings=findings)
    values = row.values()
    content = InvitationContent(
        name=str(values["name"]),
        email=str(values["email"]),
        role=str(values["role"]),
        **{name: str(values[name]) for name in _OPTIONAL if name in values},
    )
    return CheckedRow(
        row=row,
        findings=findings,
        key=invitation_key(content),
        content=content,
        fingerprint=invitation_fingerprint(content),
    )
