"""Making findings that point at the right cell."""

from __future__ import annotations

from kawe.domain.sheet.findings import Finding, Severity
from kawe.domain.sheet.tables import TableRow
from kawe.domain.text.next_steps import Given, Next
from kawe_places.values import PlaceRemark


def mark(
    row: TableRow,
    field: str,
    severity: Severity,
    *,
    rule: str,
    message: str,
    advice: str = "",
) -> Finding:
    """Make a finding on the cell of `field`, or on the row where it has none."""
    cell = row.cells.get(field)
    return Finding(
        where=row.where(field),
        severity=severity,
        rule=rule,
        heading="" if cell is None else cell.heading,
        value="" if cell is None else cell.shown,
        message=message,
        advice=advice,
    )


def mark_place(
    row: TableRow, remark: PlaceRemark, *, refused: bool, prefix: str = ""
) -> Finding:
    """Make the finding of a remark about a place."""
    severity, advice = Severity.WARNING, remark.advice
    if remark.is_note:
        severity = Severity.NOTE
    if remark.is_suggestion:
        advice = (
            f"{advice.removesuffix('.')}; or {Next.AGAIN} with "
            f"{Given.ACCEPT_COORDINATES}."
        )
    return mark(
        row,
        prefix + remark.field,
        Severity.ERROR if refused else severity,
        rule=remark.rule,
        message=remark.message,
        advice=advice,
    )


def was_unreadable(row: TableRow, field: str) -> bool:
    """Say whether the cell of `field` has a value that could not be read.

    It has a finding already; "is missing" would be a second, wrong one.
    """
    cell = row.cells.get(field)
    return cell is not None and cell.value is None and cell.shown != ""
