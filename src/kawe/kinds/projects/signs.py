"""Signs by which a row is like one that has a project.

Rows whose keys are not the same are very likely one row where a reference is typed
in another way, or one word of what makes a row this row is corrected: what is one
project to a person would become two. Nothing is concluded from it; a person is
asked.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import date, timedelta
from typing import Final, NewType

from kawe.domain.rows.identity import reference_in
from kawe.domain.service.verdicts import RowKey
from kawe.domain.sheet.content import ProjectContent
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


def signs_sought(key: RowKey, content: ProjectContent) -> Iterator[Sign]:
    """Give the signs by which a new row is like one that has a project.

    Of six traits one may differ, unless both have a reference of their own: then
    that says that they are two, for as long as anything but the description differs.
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
    """Give two signs that are found faster: rows alike in their six share one.

    Where one of six differs, the name is the same, or dates and place are.
    """
    if content.name:
        # Dates and place first: nothing of them needs to be folded.
        yield Sign(hash(("when and where", *_traits(content, words=False))))
        yield Sign(hash(("name", fold_name(content.name))))


def group_signs_of(content: ProjectContent) -> Iterator[Sign]:
    """Give what rows share with those that they were, whatever else was changed.

    The first is name and place, which say much of a single row. The others, dates
    and place, and the name, say something where many rows share theirs.
    """
    if content.name:
        *_, place = _traits(content, words=False)
        yield Sign(hash(("name and place", fold_name(content.name), place)))
        yield from halves_of(content)


def is_same_season(before: ProjectContent, now: ProjectContent, *, today: date) -> bool:
    """Say whether a row may be `before` with other dates, and not its next round.

    What is done at one place every year is another project each year.
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
