"""From the cells of an invitations sheet to whom its rows invite."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace
from typing import Final

from kawe.domain.sheet.columns import SheetKind
from kawe.domain.sheet.findings import Finding, Severity, blocks
from kawe.domain.sheet.refs import RowRef
from kawe.domain.sheet.tables import CellValue, Table, TableRow
from kawe.flows.checked_rows import CheckContext, CheckedRow, schema_findings
from kawe.flows.marking import mark
from kawe.kinds.invitations.content import (
    InvitationContent,
    PartOfInvitation,
    email_key,
    invitation_fingerprint,
)

_OWNER_RULE: Final = "owner-not-allowed"
_REQUIRED = ("name", "email", "role")
_OPTIONAL = ("org_department", "org_department_other", "org_role", "org_role_other")


def read_invitations(table: Table, *, context: CheckContext) -> tuple[CheckedRow, ...]:
    """Check every row by itself and build whom it invites."""
    return tuple(_read_row(row, kind=table.kind, context=context) for row in table.rows)


def without_owner_findings(
    rows: Iterable[CheckedRow], *, done: Collection[RowRef]
) -> tuple[CheckedRow, ...]:
    """Remove the findings about owners of rows that are done."""
    return tuple(
        replace(row, findings=tuple(f for f in row.findings if f.rule != _OWNER_RULE))
        if row.row.ref in done
        else row
        for row in rows
    )


def _read_row(row: TableRow, *, kind: SheetKind, context: CheckContext) -> CheckedRow:
    email = row.value("email")
    values = {**context.given, **row.values()}
    owner = _owner_findings(row, role=values.get("role"), context=context)
    findings = (
        *row.findings,
        *schema_findings(row, kind=kind, checker=context.checker, values=values),
    )
    content = None if blocks(findings) else _content(values)
    return CheckedRow(
        row=row,
        findings=(*findings, *owner),
        key=email_key(email) if isinstance(email, str) else None,
        content=content,
        partly=PartOfInvitation(),
        # The address, case folded, as the service has it.
        marker=email.casefold() if isinstance(email, str) else "",
        fingerprint=None if content is None else invitation_fingerprint(content),
    )


def _content(values: dict[str, CellValue]) -> InvitationContent | None:
    """Give whom the row invites; None where a required cell says nothing."""
    if any(name not in values for name in _REQUIRED):
        return None
    there = (name for name in (*_REQUIRED, *_OPTIONAL) if name in values)
    return InvitationContent(**{name: str(values[name]) for name in there})


def _owner_findings(
    row: TableRow, *, role: CellValue, context: CheckContext
) -> tuple[Finding, ...]:
    """Refuse owners unless the person said that they are meant.

    An owner may remove people, buy tokens and manage keys (interface, Authentication,
    9).
    """
    if context.allows_owners or role != "OWNER":
        return ()
    finding = mark(
        row,
        "role",
        severity=Severity.ERROR,
        rule=_OWNER_RULE,
        words=(
            (
                "An owner may remove people, buy tokens and manage keys, so kawe "
                "invites owners only when it is told to."
            ),
            "Choose Member, or run again with --allow-owner.",
        ),
    )
    return (finding,)
