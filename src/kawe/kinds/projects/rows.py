"""From the cells of a projects sheet to what its rows say."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date

from kawe.domain.rows.bodies import project_fingerprint
from kawe.domain.rows.identity import marker_of, project_key
from kawe.domain.service.places import Location, Place
from kawe.domain.sheet.columns import SheetKind
from kawe.domain.sheet.content import (
    Attachment,
    Contact,
    OrganisationContent,
    PartOfProject,
    ProjectContent,
    ProjectSaid,
)
from kawe.domain.sheet.findings import Finding, blocks
from kawe.domain.sheet.tables import CellValue, Table, TableRow
from kawe.flows.check.placing import (
    ORGANISATION,
    copied_down,
    is_place_unclear,
    locate_rows,
    place_findings,
    place_of,
)
from kawe.flows.checked_rows import CheckContext, CheckedRow, schema_findings
from kawe.flows.marking import was_unreadable
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
    return tuple(
        _read_row(
            row,
            kind=table.kind,
            context=context,
            located=(here.get(row.ref), there.get(row.ref)),
            asked=asked.get(row.ref),
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
) -> CheckedRow:
    values = row.values()
    findings = [
        *row.findings,
        *schema_findings(row, kind=kind, checker=context.checker, values=values),
        *(
            each.on(row)
            for each in value_breaches(values)
            if not was_unreadable(row, each.field)
        ),
        *place_findings(row, here=located[0], there=located[1]),
        *([] if asked is None else [asked]),
    ]
    files, about_files = _files(row, context.attachments)
    findings += about_files
    has_mistakes = blocks(findings)
    part = _part(
        values,
        located=located,
        files=files,
        send_by_default=context.send_by_default,
        unclear=_unclear(row, located) if has_mistakes else frozenset(),
    )
    content = None if has_mistakes else _content(part, values)
    said = content or part
    findings += [each.on(row) for each in _breaches(said, context)]
    return CheckedRow(
        row=row,
        findings=tuple(findings),
        key=project_key(said),
        content=content,
        partly=part if content is None else None,
        marker="" if content is None else marker_of(content),
        fingerprint=None if content is None else project_fingerprint(content),
    )


def _unclear(
    row: TableRow, located: tuple[Location | None, Location | None]
) -> frozenset[str]:
    fields = {field for field in row.cells if was_unreadable(row, field)}
    for location, prefix in zip(located, ("", ORGANISATION), strict=True):
        if is_place_unclear(row, location, prefix=prefix):
            fields.add(f"{prefix}place")
    return frozenset(fields)


def _breaches(said: ProjectSaid, context: CheckContext) -> Iterator[Breach]:
    yield from content_breaches(said, today=context.today)
    day_off = respond_by_breach(said, today=context.today, days=context.working_days)
    if day_off is not None:
        yield day_off


def _files(
    row: TableRow, attachments: Attachments
) -> tuple[tuple[Attachment, ...], tuple[Finding, ...]]:
    cell = row.cells.get("files")
    if cell is None or not isinstance(cell.value, list):
        return (), ()
    return attachments.find(cell.value, where=cell.ref, heading=cell.heading)


def _part(
    values: dict[str, CellValue],
    *,
    located: tuple[Location | None, Location | None],
    files: tuple[Attachment, ...],
    send_by_default: bool,
    unclear: frozenset[str],
) -> PartOfProject:
    iwi = values.get("iwi")
    return PartOfProject(
        reference=_text(values, "reference"),
        name=_text(values, "name"),
        description=_text(values, "description"),
        start_on=_day(values, "start_date"),
        end_on=_day(values, "end_date"),
        respond_by_on=_day(values, "respond_by_date"),
        address=_text(values, "address"),
        place=place_of(located[0]),
        iwi=tuple(iwi) if isinstance(iwi, list) else (),
        organisation=organisation_of(values, place=place_of(located[1])),
        files=files,
        send=values.get("send", send_by_default) is True,
        unclear=unclear,
    )


def _content(
    part: PartOfProject, values: dict[str, CellValue]
) -> ProjectContent | None:
    """Give what the row says as a whole; None where a required cell says nothing."""
    type_ = _text(values, "type")
    if (
        part.name is None
        or type_ is None
        or part.start_on is None
        or part.end_on is None
        or part.respond_by_on is None
    ):
        return None
    description = part.description or ""
    order = values.get("priority_order")
    return ProjectContent(
        reference=part.reference,
        name=part.name,
        description=description,
        type=type_,
        phase=_text(values, "phase"),
        start_on=part.start_on,
        end_on=part.end_on,
        respond_by_on=part.respond_by_on,
        address=part.address,
        place=part.place,
        iwi=part.iwi,
        organisation=part.organisation,
        contact=contact_of(values),
        files=part.files,
        send=part.send,
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


def contact_of(values: Mapping[str, CellValue]) -> Contact | None:
    """Give the contact that a row names, whatever else it says."""
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


def _day(values: dict[str, CellValue], field: str) -> date | None:
    try:
        return date.fromisoformat(_text(values, field) or "")
    except ValueError:
        return None
