"""The bodies that kawe sends, made from what rows say.

`quantity` and `draft: false` are never in them: kawe never buys, and never sends what
it has not read back.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kawe.domain.rows.identity import fingerprint_of, marker_of
from kawe.domain.service.verdicts import Fingerprint
from kawe.domain.sheet.content import OrganisationContent, ProjectContent


def draft_body(
    content: ProjectContent,
    *,
    documents: Sequence[tuple[str, str]] = (),
    organisation_id: str | None = None,
) -> dict[str, Any]:
    """Make the body that creates a row's draft (CreateProjectBody).

    `documents` are (document id, name). Without an `organisation_id` the body has the
    whole organisation, and the service creates a new one.
    """
    body = update_body(content) | {
        "reference": marker_of(content),
        "files": [{"id": each, "name": name} for each, name in documents],
        "draft": True,
    }
    body |= _without_none(
        address=content.address,
        recipient_team_id=content.recipient_team_id,
    )
    if content.place is not None:
        body["latitude"] = content.place.latitude
        body["longitude"] = content.place.longitude
    if content.iwi:
        body["iwi"] = list(content.iwi)
    if organisation_id is not None:
        body["organisation_id"] = organisation_id
    elif content.organisation is not None:
        body["organisation"] = _organisation(content.organisation)
    if content.contact is not None:
        body["contact"] = _without_none(
            name=content.contact.name,
            role=content.contact.role,
            phone=content.contact.phone,
            email=content.contact.email,
        )
    return body


def update_body(content: ProjectContent) -> dict[str, Any]:
    """Make the body that updates a row's draft (UpdateProjectBody)."""
    return {
        "name": content.name,
        "description": content.description,
        "type": content.type,
        "start_date": content.start_on.isoformat(),
        "end_date": content.end_on.isoformat(),
        "respond_by_date": content.respond_by_on.isoformat(),
    } | _without_none(phase=content.phase)


def project_fingerprint(content: ProjectContent) -> Fingerprint:
    """Hash what a row's draft says, files by their bytes and not their ids."""
    return fingerprint_of(
        draft_body(content),
        file_hashes=tuple(f"{each.name}:{each.sha256}" for each in content.files),
    )


def _organisation(content: OrganisationContent) -> dict[str, Any]:
    place = content.place
    return _without_none(
        name=content.name,
        address=content.address,
        latitude=None if place is None else place.latitude,
        longitude=None if place is None else place.longitude,
        city=content.city,
        country=content.country,
        postcode=content.postcode,
    )


def _without_none(**fields: str | float | None) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}
