"""How a row is compared with what it said, and with a project of the service."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Final

from kawe.domain.rows.bodies import draft_body, update_body
from kawe.domain.rows.identity import duplicate_key, marker_of
from kawe.domain.service.places import Place
from kawe.domain.service.service_words import Project
from kawe.domain.sheet.content import ProjectContent, ProjectSaid
from kawe.domain.text.new_zealand import day_in_new_zealand
from kawe.domain.text.texts import clean, fold_name

_PLAINLY: Final = 2
_COLUMNS: Final = {
    "name": "name",
    "description": "description",
    "type": "type",
    "phase": "phase",
    "start_on": "start_date",
    "end_on": "end_date",
    "respond_by_on": "respond_by_date",
    "address": "address",
    "place": "latitude",
    "organisation": "organisation",
    "contact": "contact_name",
    "files": "files",
    "iwi": "iwi",
}
"""The parts of a row, each with the field of its first column."""
_WORDS: Final = {
    "latitude": "place",
    "longitude": "place",
    "recipient_team_id": "recipient team",
}
"""What people call a field of a draft, where it is not the field's own name."""
_WITH_THE_SEND: Final = {"iwi", "reference"}
"""Fields of a draft that an edit does not touch, or that go with the send."""


def differences(content: ProjectContent, project: Project) -> tuple[str, ...]:
    """Name the fields in which `project` is not what the row says.

    Dates go out as days and come back as UTC instants: a day is equal when it is the
    same in UTC or in Pacific/Auckland.
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


def beyond_update(before: ProjectContent, after: ProjectContent) -> tuple[str, ...]:
    """Name what was edited that the service cannot change in a draft."""
    was, now = (draft_body(each) | {"files": _files(each)} for each in (before, after))
    # A phase can be given, and not be taken away.
    free = update_body(after).keys() | _WITH_THE_SEND
    edited = [
        _WORDS.get(name, name.replace("_", " "))
        for name in was | now
        if name not in free and was.get(name) != now.get(name)
    ]
    return tuple(dict.fromkeys(edited))


def edited_field(before: ProjectContent, after: ProjectContent) -> str:
    """Give the field of the first column in which two readings differ."""
    edited = (
        field for part, field in _COLUMNS.items() if _differs(part, before, after)
    )
    return next(edited, "name")


def is_another_project(
    before: ProjectContent,
    said: ProjectSaid,
    *,
    is_done: bool,
) -> bool:
    """Say whether a row is plainly about another project than `before`.

    Its name differs, and so does its place, or at least two of start, end and respond
    by; of a row that is done, its description is enough. What cannot be read differs
    from nothing.
    """
    was, now = (
        (*duplicate_key(each), fold_name(each.description or ""))
        for each in (before, said)
    )
    pairs = zip(was, now, strict=True)
    name, place, address, *days, words = (bool(a and b) and a != b for a, b in pairs)
    moved = place or address or (is_done and words)
    return name and (moved or sum(days) >= _PLAINLY)


def _differs(part: str, before: ProjectContent, after: ProjectContent) -> bool:
    if part == "files":
        return _files(before) != _files(after)
    return bool(getattr(before, part) != getattr(after, part))


def _files(content: ProjectContent) -> list[tuple[str, str]]:
    return sorted((each.name, each.sha256) for each in content.files)


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
