"""Signs by which a row is like one that has a project.

Rows whose keys are not the same are very likely one row where a reference is typed
in another way, or one word of what makes a row this row is corrected: what is one
project to a person would become two. Nothing is concluded from it; a person is
asked. What cannot be read of a new row is in no sign of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import date, timedelta
from typing import Final, NewType

from kawe.domain.rows.identity import is_place_clear, reference_in
from kawe.domain.service.verdicts import RowKey
from kawe.domain.sheet.content import ProjectContent, ProjectSaid
from kawe.domain.text.new_zealand import day_words
from kawe.domain.text.texts import fold_name, near_reference

Sign = NewType("Sign", int)
"""A number made of something that two rows share when they are alike.

Another one in every process: it is not to be kept.
"""

_DESCRIPTION: Final = 1
_SEASON: Final = timedelta(days=120)
_NEARLY_A_YEAR: Final = timedelta(days=300)


def signs_of(key: RowKey, content: ProjectContent) -> Iterator[Sign]:
    """Give the signs of a row that has a project.

    One is the reference as a hurried reader sees it, one is name, description,
    three dates and place together. The others are what is left of the six without
    one of them; without the description it is what makes two rows of one workbook
    the same row twice. A purged row says nothing; its reference alone is a sign.
    """
    return _signs(key, content, references=[reference_in(key) is not None])


def signs_sought(key: RowKey | None, said: ProjectSaid) -> Iterator[Sign]:
    """Give the signs by which a new row is like one that has a project.

    Of six traits one may differ, unless both have a reference of their own: then
    that says that they are two, for as long as anything but the description differs.
    """
    has_none = key is None or reference_in(key) is None
    return _signs(key, said, references=[False, True] if has_none else [False])


def reference_signs_of(key: RowKey | None) -> Iterator[Sign]:
    """Give the sign of a row's reference, where it has one."""
    reference = None if key is None else reference_in(key)
    seen = "" if reference is None else near_reference(reference)
    if seen:
        yield Sign(hash(("reference", seen)))


def halves_of(said: ProjectSaid) -> Iterator[Sign]:
    """Give two signs that are found faster: rows alike in their six share one.

    Where one of six differs, the name is the same, or dates and place are.
    """
    if said.name:
        # Dates and place first: nothing of them needs to be folded.
        yield from _sign("when and where", *_traits(said, words=False))
        yield from _sign("name", fold_name(said.name))


def group_signs_of(said: ProjectSaid) -> Iterator[Sign]:
    """Give what rows share with those that they were, whatever else was changed.

    The first is name and place, which say much of a single row. The others, dates
    and place, and the name, say something where many rows share theirs.
    """
    *_, place = _traits(said, words=False)
    if said.name and place is not None:
        yield from _sign("name and place", fold_name(said.name), place)
        yield from halves_of(said)


def is_same_season(before: ProjectContent, now: ProjectSaid, *, today: date) -> bool:
    """Say whether a row may be `before` with other dates, and not its next round.

    What is done at one place every year is another project each year.
    """
    if now.start_on is None:
        return False
    apart = abs(now.start_on - before.start_on)
    is_open = before.respond_by_on >= today
    return apart < (_NEARLY_A_YEAR if is_open else _SEASON)


def to_put_back(before: ProjectContent, now: ProjectSaid) -> Mapping[str, str]:
    """Say by heading what a row without a reference must say again to be known."""
    days = {
        "Start date": (before.start_on, now.start_on),
        "End date": (before.end_on, now.end_on),
        "Respond by": (before.respond_by_on, now.respond_by_on),
    }
    said = {
        "Name": (before.name, now.name),
        **{
            heading: (day_words(was), "" if is_now is None else day_words(is_now))
            for heading, (was, is_now) in days.items()
        },
        "place": (_place_words(before), _place_words(now)),
        "Reference": ("", now.reference or ""),
    }
    return {heading: was for heading, (was, is_now) in said.items() if was != is_now}


def _signs(
    key: RowKey | None, said: ProjectSaid, *, references: Iterable[bool]
) -> Iterator[Sign]:
    yield from reference_signs_of(key)
    if said.name:
        traits = _traits(said)
        yield from _sign("all", *traits)
        for has_reference in references:
            yield from _all_but_one(traits, has_reference=has_reference)


def _all_but_one(traits: tuple[object, ...], *, has_reference: bool) -> Iterator[Sign]:
    for index in range(len(traits)):
        rest = (*traits[:index], *traits[index + 1 :])
        yield from _sign(index, has_reference and index != _DESCRIPTION, *rest)


def _sign(*parts: object) -> Iterator[Sign]:
    if None not in parts:
        yield Sign(hash(parts))


def _traits(said: ProjectSaid, *, words: bool = True) -> tuple[object, ...]:
    place = fold_name(said.address or "") if said.place is None else said.place.key()
    return (
        *(
            None if each is None else fold_name(each)
            for each in ((said.name, said.description) if words else ())
        ),
        said.start_on,
        said.end_on,
        said.respond_by_on,
        place if is_place_clear(said) else None,
    )


def _place_words(said: ProjectSaid) -> str:
    if said.place is None:
        return said.address or ""
    latitude, longitude = said.place.key()
    return f"{latitude}, {longitude}"
