"""Naming the iwi of rows that the journal knows: whom they go to, or went to."""

from collections.abc import Iterable
from contextlib import suppress
from datetime import UTC, datetime
from typing import Final

from kawe.domain.batch.sending import IwiLoad, load_of
from kawe.domain.rows.entries import Entry, projects_among
from kawe.domain.service.service_words import IwiAnswers, IwiChoice
from kawe.domain.service.states import RowKey, State
from kawe.domain.sheet.content import ProjectContent
from kawe.domain.text.texts import one_line, some_of
from kawe.errors import ScopeMissing
from kawe.flows.routing import AnswerCache, Asker
from kawe.flows.run import Run
from kawe.ports import Journal

_EVER: Final = datetime.min.replace(tzinfo=UTC)


async def iwi_of(
    entries: Iterable[Entry], *, journal: Journal
) -> dict[RowKey, tuple[str, ...]]:
    """Name the iwi of rows; of a row without a known one, nothing.

    Of a sent row those whom the service says that it told; else those whom it said
    that it would ask for the place.
    """
    if not (rows := projects_among(entries)):
        return {}
    answers = await journal.iwi_answers(since=_EVER)
    asked = {entry.key: _asked(content, answers) for entry, content in rows}
    return asked | await journal.sent_to(asked)


async def load_of_rows(rows: Iterable[Entry], *, journal: Journal) -> IwiLoad:
    """Add up the iwi of rows that wait, as the journal names them."""
    iwi = await iwi_of(rows, journal=journal)
    return load_of(
        tuple(IwiChoice(slug=name, name=name) for name in dict.fromkeys(names))
        for names in iwi.values()
    )


async def hold_elsewhere(run: Run, entries: Iterable[Entry]) -> None:
    """Hold rows whose place has other iwi than before; whoever lets one go was told."""
    rows = [*projects_among(entries)]
    before = await run.journal.iwi_answers(since=_EVER)
    cache = AnswerCache(journal=run.journal, clock=run.clock)
    places = (c.place for _, c in rows if c.place and c.place.key() in before)
    now = before
    with suppress(ScopeMissing):
        # A key may send, and not look up iwi.
        now = before | await Asker(tools=run, cache=cache).iwi_at(places)
    for entry, content in rows:
        if (goes_to := _asked(content, now)) != _asked(content, before):
            names = some_of([*map(one_line, goes_to)], shown=5) or "nobody"
            reason = f"The service would send it to other iwi by now: {names}."
            await run.move(entry, State.HELD, reason=reason)


def _asked(content: ProjectContent, answers: IwiAnswers) -> tuple[str, ...]:
    answer = None if content.place is None else answers.get(content.place.key())
    if answer is None:
        return content.iwi
    return tuple(
        each.name
        for each in answer.choices
        if each.slug in content.iwi or not answer.can_select
    )
