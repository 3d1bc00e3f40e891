"""Whether a project at the service is the one that a row asked for."""

from __future__ import annotations

from datetime import UTC, date, datetime

from kawe.domain.rows.content import ProjectContent
from kawe.domain.rows.identity import marker_of
from kawe.domain.service.places import Place
from kawe.domain.service.service_words import Project
from kawe.domain.text.new_zealand import day_in_new_zealand
from kawe.domain.text.texts import clean


def differences(content: ProjectContent, project: Project) -> tuple[str, ...]:
    """Name the fields in which `project` is not what the row says.

    Dates go out as days and come back as UTC instants, so a day is equal when
    it is the same day in UTC or in Pacific/Auckland.
    """
    pairs = {
        "reference": (project.reference or "") == marker_of(content),
        "name": clean(project.name) == clean(content.name),
        "description": clean(project.description) == clean(content.description),
        "type": project.type == content.type,
        "phase": content.phase is None or project.phase == content.phase,
        "start date": _same_day(project.start_at, content.start_on),
        "end date": _same_day(project.end_at, content.end_on),
        "respond by": _same_day(project.respond_by_at, content.respond_by_on),
        "place": _same_place(project.place, content.place),
    }
    return tuple(name for name, same in pairs.items() if not same)


def _same_day(at: datetime | None, on: date) -> bool:
    if at is None:
        return False
    return on in {at.astimezone(UTC).date(), day_in_new_zealand(at)}


def _same_place(there: Place | None, here: Place | None) -> bool:
    # A draft without a place comes back with coordinates of the service's
    # choosing (the interface requires numbers), so only a given place counts.
    if here is None:
        return True
    return there is not None and (
        abs(there.latitude - here.latitude) < 1e-6
        and abs(there.longitude - here.longitude) < 1e-6
    )
