"""A row against a draft, and against what it said: what was edited, what is there.

A colleague's computer made what this journal has nothing of, or this one before its
journal was lost. Runs and previews use the same rules.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from enum import Enum, auto
from typing import Final

from kawe.domain.rows.identity import draft_body, marker_of, update_body
from kawe.domain.service.service_words import Project, with_projects
from kawe.domain.sheet.content import ProjectContent
from kawe.domain.text.new_zealand import day_in_new_zealand, day_words
from kawe.domain.text.texts import clean
from kawe_contract.enums import ProjectPhase
from kawe_places.values import Place

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
    "respond_by_date": "respond by",
}
"""What people call a field of a draft, where it is not the field's own name."""
_SHOWN: Final = {
    "name": ("name", "name"),
    "description": ("description", "description"),
    "start date": ("start_at", "start_on"),
    "end date": ("end_at", "end_on"),
    "respond by": ("respond_by_at", "respond_by_on"),
    "place": ("place", "place"),
}
"""What is remembered of each project of the team: its part there, and in a row."""
_STOPPED: Final = {ProjectPhase.ON_HOLD, ProjectPhase.WITHDRAWN}
"""Phases that no service gives by itself to a draft without one: a person did."""
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
        "phase": project.phase == content.phase
        or (content.phase is None and project.phase not in _STOPPED),
        "start date": _same_day(project.start_at, content.start_on),
        "end date": _same_day(project.end_at, content.end_on),
        "respond by": _same_day(project.respond_by_at, content.respond_by_on),
        "place": _same_place(project.place, content.place),
    }
    return tuple(name for name, same in pairs.items() if not same)


def unlike(
    content: ProjectContent, project: Project
) -> tuple[tuple[str, str, str], ...]:
    """Give what a project says otherwise than the row: the field, there, and here."""
    apart = differences(content, project)
    return tuple(
        (each, words_of(getattr(project, there)), words_of(getattr(content, here)))
        for each, (there, here) in _SHOWN.items()
        if each in apart
    )


def words_of(value: object) -> str:
    """Say what stands in a part of a project."""
    match value:
        case datetime():
            return day_words(day_in_new_zealand(value))
        case date():
            return day_words(value)
        case Place():
            return f"{value.latitude}, {value.longitude}"
        case _:
            return clean(str(value or "nothing"))


def content_of_draft(content: ProjectContent, project: Project) -> ProjectContent:
    return replace(
        content,
        name=clean(project.name),
        description=clean(project.description),
        type=project.type,
        phase=project.phase if content.phase or project.phase in _STOPPED else None,
        start_on=_day(project.start_at, content.start_on),
        end_on=_day(project.end_at, content.end_on),
        respond_by_on=_day(project.respond_by_at, content.respond_by_on),
        place=content.place
        if _same_place(project.place, content.place)
        else project.place,
    )


def beyond_update(before: ProjectContent, after: ProjectContent) -> tuple[str, ...]:
    """Name what was edited that the service cannot change in a draft."""
    # A phase can be given, and not be taken away.
    return edited_words(before, after, free=update_body(after).keys())


def edited_words(
    before: ProjectContent, after: ProjectContent, *, free: Iterable[str] = ()
) -> tuple[str, ...]:
    """Name what was edited, but for what is `free` or goes with the send."""
    was, now = (draft_body(each) | {"files": _files(each)} for each in (before, after))
    edited = [
        _WORDS.get(name, name.replace("_", " "))
        for name in was | now
        if name not in {*free, *_WITH_THE_SEND} and was.get(name) != now.get(name)
    ]
    return tuple(dict.fromkeys(edited))


def edited_field(before: ProjectContent, after: ProjectContent) -> str:
    """Give the field of the first column in which two readings differ."""
    edited = (
        field for part, field in _COLUMNS.items() if _differs(part, before, after)
    )
    return next(edited, "name")


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


def _day(at: datetime | None, on: date) -> date:
    return on if at is None or _same_day(at, on) else day_in_new_zealand(at)


def _same_place(there: Place | None, here: Place | None) -> bool:
    # A draft without a place comes back with coordinates of the service's
    # choosing (the interface requires numbers), so only a given place counts.
    if here is None:
        return True
    return there is not None and (
        abs(there.latitude - here.latitude) < 1e-6
        and abs(there.longitude - here.longitude) < 1e-6
    )


class There(Enum):
    """What the projects with a row's marker are to the row."""

    SENT = auto()
    """One says the same and is sent, and no other is: so the row is."""
    DRAFT = auto()
    """All say the same and are drafts: the one made first is taken over."""
    OTHER = auto()
    """Only a person can say whether one is the row's own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ThereAlready:
    """How a row stands by what the service has of it."""

    what: There
    project: Project | None = None
    """The row's own; None where only a person can say."""
    why: str = ""
    """Why only a person can."""


def made_first(projects: Sequence[Project]) -> Project:
    return min(projects, key=lambda each: (each.created_at, each.id))


def sent_alike(content: ProjectContent, found: Sequence[Project]) -> Project | None:
    """Give the one project of `found` that is the row, sent already.

    Drafts beside it are no row's. If two were sent, only a person can decide.
    """
    sent = [each for each in found if not each.is_draft]
    if len(sent) != 1 or not sent[0].is_sent or differences(content, sent[0]):
        return None
    return sent[0]


def what_is_there(
    content: ProjectContent, found: Sequence[Project], *, strangers: Sequence[Project]
) -> ThereAlready:
    """Judge the projects that carry a row's marker; there is one at least.

    `strangers` are those that no row of this journal owns.
    """
    if (sent := sent_alike(content, strangers)) is not None:
        return ThereAlready(what=There.SENT, project=sent)
    differing = [each for each in found if differences(content, each)]
    is_plain = len(strangers) == len(found) and not differing
    if is_plain and all(each.is_draft for each in found):
        return ThereAlready(what=There.DRAFT, project=made_first(found))
    has = f"a project with the reference {marker_of(content)}"
    if len(found) > 1:
        has = f"{len(found)} projects with the reference {marker_of(content)}"
    elif not strangers:
        has += ", which was made for another row"
    elif differing:
        differs = differences(content, differing[0])
        has += f" that differs from the row in {', '.join(differs)}"
    else:
        has += " and does not say whether it was sent"
    why = f"The service already has {has}"
    return ThereAlready(what=There.OTHER, why=with_projects(why, found))
