"""Naming the iwi of rows that the journal knows: whom they go to, or went to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Final

from kawe.domain.rows.entries import Entry, projects_among
from kawe.domain.service.service_words import IwiAnswer
from kawe.domain.service.states import RowKey
from kawe.domain.sheet.content import ProjectContent
from kawe.ports import Journal

_EVER: Final = datetime.min.replace(tzinfo=UTC)


async def iwi_of(
    entries: Iterable[Entry], *, journal: Journal
) -> dict[RowKey, tuple[str, ...]]:
    """Name the iwi of rows; of a row without a known one, nothing.

    Of a sent row those whom the service says that it told; else those whom it said
    that it would ask for the place.
    """
    rows = projects_among(entries)
    if not rows:
        return {}
    answers = await journal.iwi_answers(since=_EVER)
    asked = {entry.key: _asked(content, answers) for entry, content in rows}
    return asked | await journal.sent_to(asked)


def _asked(
    content: ProjectContent, answers: Mapping[tuple[float, float], IwiAnswer]
) -> tuple[str, ...]:
    answer = None if content.place is None else answers.get(content.place.key())
    if answer is None:
        return content.iwi
    return tuple(
        each.name
        for each in answer.choices
        if each.slug in content.iwi or not answer.can_select
    )
