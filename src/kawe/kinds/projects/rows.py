"""From the cells of a projects sheet to what its rows say.

Rules across several fields of one row: each broken one names one field.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from kawe.domain.rows.identity import marker_of, project_fingerprint, project_key
from kawe.domain.service.service_words import PLACE_NEEDED
from kawe.domain.sheet.columns import SheetKind
from kawe.domain.sheet.content import (
    Contact,
    OrganisationContent,
    PartOfProject,
    ProjectContent,
    ProjectSaid,
)
from kawe.domain.sheet.findings import MESSAGE_FILLED, Finding, Severity, blocks
from kawe.domain.sheet.tables import Table, TableRow
from kawe.domain.text.new_zealand import day_of
from kawe.domain.text.next_steps import Given, Next
from kawe.domain.text.wording import Wording
from kawe.flows.check import placing
from kawe.flows.check.days import day_breaches
from kawe.flows.checked_rows import (
    Breach,
    CheckContext,
    CheckedRow,
    Once,
    attachments_of,
    schema_findings,
    was_unreadable,
)
from kawe_places.values import CellValue, Location, Place


def read_projects(table: Table, *, context: CheckContext) -> tuple[CheckedRow, ...]:
    """Check every row by itself and build what it says."""
    here = placing.locate_rows(table.rows, places=context.places)
    there = placing.locate_rows(
        table.rows, places=context.places, prefix=placing.ORGANISATION
    )
    asked = placing.copied_down(table.rows, here)
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
        *schema_findings(row, kind=kind, context=context, values=values),
        *(
            each.on(row)
            for each in value_breaches(values)
            if not was_unreadable(row, each.field)
        ),
        *placing.place_findings(row, here=located[0], there=located[1]),
        *([] if asked is None else [asked]),
    ]
    files, about_files = attachments_of(row, context.attachments)
    findings += about_files
    has_mistakes = blocks(findings)
    texts = texts_of(values)
    iwi, text = values.get("iwi"), texts.get
    shared: dict[str, Any] = {
        "reference": text("reference"),
        "name": text("name"),
        "description": text("description"),
        "start_on": day_of(text("start_date")),
        "end_on": day_of(text("end_date")),
        "respond_by_on": day_of(text("respond_by_date")),
        "address": text("address"),
        "place": placing.place_of(located[0]),
        "iwi": tuple(iwi) if isinstance(iwi, list) else (),
        "organisation": organisation_of(texts, place=placing.place_of(located[1])),
        "files": files,
        "send": values.get("send", context.choices.send_by_default) is True,
    }
    if context.wording and "message" not in texts and not has_mistakes:
        findings.append(wording_breach(context.wording, texts).on(row))
        has_mistakes = blocks(findings)
        if not has_mistakes:
            texts["message"] = context.wording.filled(texts)
    content = None if has_mistakes else _content(shared, texts, values)
    said: ProjectSaid = content or PartOfProject(
        **shared, unclear=_unclear(row, located) if has_mistakes else frozenset()
    )
    findings += [each.on(row) for each in content_breaches(said, context)]
    return CheckedRow(
        row=row,
        findings=tuple(findings),
        key=project_key(said),
        content=content,
        partly=None if content else said,
        marker="" if content is None else marker_of(content),
        take_fingerprint=Once(project_fingerprint, content) if content else None,
    )


def _unclear(
    row: TableRow, located: tuple[Location | None, Location | None]
) -> frozenset[str]:
    fields = {field for field in row.cells if was_unreadable(row, field)}
    for location, prefix in zip(located, ("", placing.ORGANISATION), strict=True):
        if placing.is_place_unclear(row, location, prefix=prefix):
            fields.add(f"{prefix}place")
    return frozenset(fields)


def _content(
    shared: dict[str, Any], texts: dict[str, str], values: dict[str, CellValue]
) -> ProjectContent | None:
    """Give what the row says as a whole; None where a required cell says nothing."""
    text, order = texts.get, values.get("priority_order")
    if (type_ := text("type")) is None or None in map(shared.get, _NEEDED):
        return None
    description = shared["description"] or ""
    return ProjectContent(
        **shared | {"description": description},
        type=type_,
        phase=text("phase"),
        contact=contact_of(texts),
        message=text("message") or description,
        recipient_team_id=text("recipient_team_id"),
        priority_order=float(order) if isinstance(order, int | float) else None,
    )


def organisation_of(
    texts: Mapping[str, str], *, place: Place | None
) -> OrganisationContent | None:
    """Give the organisation that a row names, whatever else it says."""
    text = texts.get
    if (name := text("organisation")) is None:
        return None
    said = {each: text(f"{placing.ORGANISATION}{each}") for each in _ADDRESS}
    return OrganisationContent(name=name, place=place, **said)


def contact_of(texts: Mapping[str, str]) -> Contact | None:
    """Give the contact that a row names, whatever else it says."""
    text = texts.get
    if (name := text("contact_name")) is None:
        return None
    return Contact(
        name=name,
        role=text("contact_role") or "",
        phone=text("contact_phone") or "",
        email=text("contact_email"),
    )


def texts_of(values: Mapping[str, CellValue]) -> dict[str, str]:
    return {field: each for field, each in values.items() if isinstance(each, str)}


_FROM_ADDRESS: Final = (
    " To find it from the address, follow the row's link to a map in the result, or "
    f"give a table of addresses with coordinates: {Given.PLACES('FILE')}. kawe itself "
    "looks no address up."
)
_NEEDED = ("name", "start_on", "end_on", "respond_by_on")
_CONTACT_FIELDS = ("contact_name", "contact_role", "contact_phone")
_ADDRESS = ("address", "city", "country", "postcode")
_ORGANISATION_DETAILS = tuple(
    f"{placing.ORGANISATION}{each}" for each in (*_ADDRESS, "latitude", "longitude")
)


def value_breaches(values: Mapping[str, CellValue]) -> Iterator[Breach]:
    """Check what must be given together (interface, CreateProjectBody)."""
    missing = [name for name in _CONTACT_FIELDS if name not in values]
    if missing and ("contact_email" in values or len(missing) < len(_CONTACT_FIELDS)):
        yield Breach(
            field=missing[0],
            rule="contact-incomplete",
            message="A contact is given without "
            f"{' and '.join(name.removeprefix('contact_') for name in missing)}.",
            advice="Fill in what is missing, in a column of that name (add one, or "
            "rename yours). If the columns are of others than the contact, say so: "
            f"{Next.COLUMNS}, with the workbook. Or leave all contact cells empty.",
        )
    details = [name for name in _ORGANISATION_DETAILS if name in values]
    if details and "organisation" not in values:
        yield Breach(
            field="organisation",
            rule="organisation-unnamed",
            message="Organisation details are given without the organisation's name.",
            advice="Fill in the organisation, or clear its other cells.",
        )


def wording_breach(wording: Wording, texts: Mapping[str, str]) -> Breach:
    """Say that a row goes with the message for all, or what it lacks for it."""
    for field in sorted(wording.fields - texts.keys()):
        words = field.replace("_", " ")
        return Breach(
            field=field,
            rule="message-incomplete",
            message=f"The message of {wording.of} names the {words}; the row has none.",
            advice=f"Fill in the {words}, or write a message of its own into the row.",
        )
    return Breach(
        field="message",
        rule=MESSAGE_FILLED,
        message=f"The row goes with the message of {wording.of}.",
        advice="",
        severity=Severity.NOTE,
    )


def content_breaches(said: ProjectSaid, context: CheckContext) -> Iterator[Breach]:
    """Check dates and what a send needs (interface, CreateProjectBody)."""
    dates = said.start_on, said.end_on, said.respond_by_on
    yield from day_breaches(dates, context)
    is_lost = said.place is None and "place" not in said.unclear
    if is_lost and (said.send or said.address):
        yield Breach(
            field="latitude",
            severity=Severity.ERROR if said.send else Severity.WARNING,
            rule=PLACE_NEEDED,
            message="The row is to be sent but says no place."
            if said.send
            else "The row has an address but no place, so it can only be a draft.",
            advice="Fill in latitude and longitude, or easting and northing: the "
            "place decides which iwi is asked."
            + (_FROM_ADDRESS if said.address else ""),
        )
