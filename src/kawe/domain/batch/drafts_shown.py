"""What the service shows of a draft, as one value that can be compared."""

from __future__ import annotations

from datetime import datetime

from kawe.domain.batch.saved_plans import hidden
from kawe.domain.service.service_words import Project


def shown_draft(project: Project | None, *, salt: str) -> str:
    """Hash what the service shows of a draft; None is one that it does not show."""
    if project is None:
        return hidden(salt, "not shown")
    place = project.place
    return hidden(
        salt,
        project.id,
        project.name,
        project.reference,
        project.status,
        project.description,
        project.type,
        project.phase,
        _instant(project.start_at),
        _instant(project.end_at),
        _instant(project.respond_by_at),
        None if place is None else list(place.key()),
        project.organisation_id,
    )


def _instant(at: datetime | None) -> str | None:
    return None if at is None else at.isoformat()
