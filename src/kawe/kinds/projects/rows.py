"""From the cells of a projects sheet to what its rows say."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date

from kawe.domain.rows.bodies import project_fingerprint
from kawe.domain.rows.identity import marker_of, project_key, reference_key
from kawe.domain.service.places import Location, Place
from kawe.domain.service.verdicts import RowKey
from kawe.domain.sheet.columns import SheetKind
from kawe.domain.sheet.content import (
    Attachment,
    Contact,
    OrganisationContent,
    ProjectContent,
)
from kawe.domain.sheet.findings import Finding, blocks
from kawe.domain.sheet.tables import CellValue, Table, TableRow
from kawe.flows.check.placing import (
    ORGANISATION,
    copied_down,
    locate_rows,
    place_findings,
    place_of,
)
from kawe.flows.checked_rows import CheckContext, CheckedRow, schema_findings
from kawe.kinds.projects.rules import (
    Breach,
    content_breaches,
    respond_by_breach,
    value_breaches,
)
from kawe.ports import Attachments


def read_projects(table: Table, *, context: CheckContext) -> tuple[CheckedRow, ...]:
    """Check every row by itself and build what it says."""
    here = locate_rows(table.rows, places=context.places)
    there = locate_rows(table.rows, places=context.places, prefix=ORGANISATION)
    asked = copied_down(table.rows, here)
    send = context.send_by_default and not table.has("send")
    return tuple(
        _read_row(
            row,
            kind=table.kind,
            context=context,
            located=(here.get(row.ref), there.get(row.ref)),
            asked=asked.get(row.ref),
            send_by_default=send,
        )
        for row in table.rows
    )


def _read_row(
    row: TableRow,
    *,
    kind: SheetKind,
    context: CheckContext,
    located: tuple[Location | None, Location | None],
    asked: Finding | None,
    send_by_default: bool,
) -> CheckedRow:
    values = row.values()
    named = _named_key(row)
    findings = [
        *row.findings,
        *schema_findings(row, kind=kind, checker=context.checker, values=values),
        *(each.on(row) for each in value_breaches(values)),
        *place_findings(row, here=located[0], there=located[1]),
        *([] if asked is None else [asked]),
    ]
    files, about_files = _files(row, context.attachments)
    findings += about_files
    if blocks(findings):
        return CheckedRow(row=row, findings=tuple(findings), named_key=named)
    content = _content(
        values, located=located, files=files, send_by_default=send_by_default
    )
    findings += [each.on(row) for each in _breaches(content, context)]
    return CheckedRow(
        row=row,
        findings=tuple(findings),
        key=project_key(content),
        named_key=named,
        content=content,
        marker=marker_of(content),
        fingerprint=project_fingerprint(content),
    )


def _named_key(row: TableRow) -> RowKey | None:
    reference = row.value("reference")
    return reference_key(reference) if isinstance(reference, str) else None


def _breaches(content: ProjectContent, context: CheckContext) -> Iterator[Breach]:
    yield from content_breaches(content, today=context.today)
    day_off = respond_by_breach(content, today=context.today, days=context.working_days)
    if day_off is not None:
        yield day_off


def _files(
    row: TableRow, attachments: Attachments
) -> tuple[tuple[Attachment, ...], tuple[Finding, ...]]:
    cell = row.cells.get("files")
    if cell is None or not isinstance(cell.value, list):
        return (), ()
    return attachments.find(cell.value, where=cell.ref, heading=cell.heading)


def _content(
    values: dict[str, CellValue],
    *,
    located: tuple[Location | None, Location | None],
    files: tuple[Attachment, ...],
    send_by_default: bool,
) -> ProjectContent:
    description = _text(values, "description") or ""
    send = values.get("send", send_by_default)
    iwi = values.get("iwi")
    order = values.get("priority_order")
    return ProjectContent(
        reference=_text(values, "reference"),
        name=_text(values, "name") or "",
        description=description,
        type=_text(values, "type") or "",
        phase=_text(values, "phase"),
        start_on=_day(values, "start_date"),
        end_on=_day(values, "end_date"),
        respond_by_on=_day(values, "respond_by_date"),
        address=_text(values, "address"),
        place=place_of(located[0]),
        iwi=tuple(iwi) if isinstance(iwi, list) else (),
        organisation=organisation_of(values, place=place_of(located[1])),
        contact=_contact(values),
        files=files,
        send=send is True,
        message=_text(values, "message") or description,
        recipient_team_id=_text(values, "recipient_team_id"),
        priority_order=float(order) if isinstance(order, int | float) else None,
    )


def organisation_of(
    values: Mapping[str, CellValue], *, place: Place | None
) -> OrganisationContent | None:
    """Give the organisation that a row names, whatever else it says."""
    name = _text(values, "organisation")
    if name is None:
        return None
    return OrganisationContent(
        name=name,
        address=_text(values, "organisation_address"),
        city=_text(values, "organisation_city"),
        country=_text(values, "organisation_country"),
        postcode=_text(values, "organisation_postcode"),
        place=place,
    )


def _contact(values: dict[str, CellValue]) -> Contact | None:
    name = _text(values, "contact_name")
    if name is None:
        return None
    return Contact(
        name=name,
        role=_text(values, "contact_role") or "",
        phone=_text(values, "contact_phone") or "",
        email=_text(values, "contact_email"),
    )


def _text(values: Mapping[str, CellValue], field: str) -> str | None:
    value = values.get(field)
    return value if isinstance(value, str) else None


def _day(values: dict[str, CellValue], field: str) -> date:
    return date.fromisoformat(_text(values, field) or "")
