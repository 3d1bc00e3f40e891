"""How a row is compared with another one, and with a project of the service.

Rows with two keys are probably one row where a reference is typed in another way, or
one word of the key is corrected. kawe concludes nothing from it; it asks a person.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Final, NewType

from kawe.domain.rows.bodies import draft_body, update_body
from kawe.domain.rows.identity import duplicate_key, marker_of, reference_in
from kawe.domain.service.places import Place
from kawe.domain.service.service_words import Project
from kawe.domain.service.verdicts import RowKey
from kawe.domain.sheet.content import ProjectContent
from kawe.domain.text.new_zealand import day_in_new_zealand, day_words
from kawe.domain.text.texts import clean, fold_name, near_reference

Sign = NewType("Sign", int)
"""A hash of what two rows share when they are alike; another one in every process."""

_DESCRIPTION: Final = 1
_SEASON: Final = timedelta(days=120)
_NEARLY_A_YEAR: Final = timedelta(days=300)
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
    key: Sequence[object],
    *,
    description: str | None,
    is_done: bool,
) -> bool:
    """Say whether a row is plainly about another project than `before`.

    Its name differs, and so does its place, or at least two of start, end and respond
    by; of a row that is done, its description is enough. `key` is the row's
    `duplicate_key`; what could not be read is None there, and differs from nothing.
    """
    was = (*duplicate_key(before), fold_name(before.description))
    now = (*key, None if description is None else fold_name(description))
    pairs = zip(was, now, strict=True)
    name, place, address, *days, words = (bool(a and b) and a != b for a, b in pairs)
    moved = place or address or (is_done and words)
    return name and (moved or sum(days) >= _PLAINLY)


def signs_of(key: RowKey, content: ProjectContent) -> Iterator[Sign]:
    """Give the signs of a row that has a project.

    One is its `near_reference`, one is name, description, three dates and place
    together. The others are these six without one each; without the description it is
    the duplicate key. A purged row has the sign of its reference alone.
    """
    return _signs(key, content, references=[reference_in(key) is not None])


def signs_sought(key: RowKey, content: ProjectContent) -> Iterator[Sign]:
    """Give the signs by which a new row is like one that has a project.

    One of the six may differ; where both have references that differ, only the
    description.
    """
    others = [False, True] if reference_in(key) is None else [False]
    return _signs(key, content, references=others)


def reference_signs_of(key: RowKey) -> Iterator[Sign]:
    """Give the sign of a row's reference, where it has one."""
    reference = reference_in(key)
    seen = "" if reference is None else near_reference(reference)
    if seen:
        yield Sign(hash(("reference", seen)))


def halves_of(content: ProjectContent) -> Iterator[Sign]:
    """Give two signs for a quick search: rows that agree in five of six share one.

    They are the name, and dates and place.
    """
    if content.name:
        # Dates and place first: nothing of them needs to be folded.
        yield Sign(hash(("when and where", *_traits(content, words=False))))
        yield Sign(hash(("name", fold_name(content.name))))


def group_signs_of(content: ProjectContent) -> Iterator[Sign]:
    """Give the signs that whole edited groups share.

    The first, name and place, says much of a single row; dates and place, and the name,
    say something where many rows share theirs.
    """
    if content.name:
        *_, place = _traits(content, words=False)
        yield Sign(hash(("name and place", fold_name(content.name), place)))
        yield from halves_of(content)


def is_same_season(before: ProjectContent, now: ProjectContent, *, today: date) -> bool:
    """Say whether a row may be `before` with other dates.

    A project that is done at one place every year is another one each year.
    """
    apart = abs(now.start_on - before.start_on)
    is_open = before.respond_by_on >= today
    return apart < (_NEARLY_A_YEAR if is_open else _SEASON)


def to_put_back(before: ProjectContent, now: ProjectContent) -> Mapping[str, str]:
    """Say by heading what a row without a reference must say again to be known."""
    said = {
        "Name": (before.name, now.name),
        "Start date": (day_words(before.start_on), day_words(now.start_on)),
        "End date": (day_words(before.end_on), day_words(now.end_on)),
        "Respond by": (day_words(before.respond_by_on), day_words(now.respond_by_on)),
        "place": (_place_words(before), _place_words(now)),
        "Reference": ("", now.reference or ""),
    }
    return {heading: was for heading, (was, is_now) in said.items() if was != is_now}


def _signs(
    key: RowKey, content: ProjectContent, *, references: Iterable[bool]
) -> Iterator[Sign]:
    yield from reference_signs_of(key)
    if content.name:
        traits = _traits(content)
        yield Sign(hash(("all", *traits)))
        for has_reference in references:
            yield from _all_but_one(traits, has_reference=has_reference)


def _all_but_one(traits: tuple[object, ...], *, has_reference: bool) -> Iterator[Sign]:
    for index in range(len(traits)):
        rest = (*traits[:index], *traits[index + 1 :])
        yield Sign(hash((index, has_reference and index != _DESCRIPTION, *rest)))


def _traits(content: ProjectContent, *, words: bool = True) -> tuple[object, ...]:
    place = content.place
    said = (content.name, content.description) if words else ()
    return (
        *map(fold_name, said),
        content.start_on,
        content.end_on,
        content.respond_by_on,
        fold_name(content.address or "") if place is None else place.key(),
    )


def _place_words(content: ProjectContent) -> str:
    if content.place is None:
        return content.address or ""
    latitude, longitude = content.place.key()
    return f"{latitude}, {longitude}"


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
