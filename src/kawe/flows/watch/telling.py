"""What is new as a table, and in counts."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

from kawe.domain.service.watching import News, NewsKind
from kawe.domain.text.new_zealand import local_time, weekday_words
from kawe.domain.text.texts import counted, one_line
from kawe_xlsx.cells import RawValue

_CELLS: Final[Mapping[str, Callable[[News], RawValue]]] = {
    "What is new": lambda one: one.kind.capitalize(),
    "Project or person": lambda one: one.about,
    "Reference": lambda one: one.reference,
    "Iwi": lambda one: one.iwi,
    "When": lambda one: None if one.at is None else local_time(one.at),
    "Who": lambda one: one.who,
    "What they write": lambda one: one.words,
    "Documents": lambda one: "\n".join(one.documents),
    "Status": lambda one: one.status_words,
    "Your next response": lambda one: (one.reply or "").capitalize(),
    "Respond by": lambda one: one.respond_by_on,
    "Days left or over": lambda one: one.days_words,
}
HEADINGS: Final = (*_CELLS, "Link")
_COUNTED: Final = {
    NewsKind.RECEIVED: ("project received", "projects received"),
    NewsKind.RESPONSE: ("response", "responses"),
    NewsKind.OWN_RESPONSE: ("response of your team", "responses of your team"),
    NewsKind.STATUS: ("changed status", "changed statuses"),
    NewsKind.LATE: ("project that is late", "projects that are late"),
    NewsKind.RESPOND_BY: (
        "respond by date that is near without an answer",
        "respond by dates that are near without an answer",
    ),
    NewsKind.INVITATION_SOON: (
        "invitation that expires soon",
        "invitations that expire soon",
    ),
    NewsKind.INVITATION_OVER: (
        "invitation that has expired",
        "invitations that have expired",
    ),
}


def counts_of(news: Iterable[News]) -> Counter[NewsKind]:
    """Count what is new by its kind, in the order in which people read it."""
    counts = Counter(one.kind for one in news)
    return Counter({kind: counts[kind] for kind in NewsKind if counts[kind]})


def counts_words(counts: Counter[NewsKind]) -> str:
    """Say the counts in one line."""
    said = (counted(number, *_COUNTED[kind]) for kind, number in counts.items())
    return ", ".join(said) or "nothing is new"


def rows_of(news: Iterable[News], *, link: str) -> Sequence[Sequence[RawValue]]:
    """Give a row for each of the news, under `HEADINGS`; times as New Zealand's.

    `link` is the address of a project's page, with `{id}`, or empty.
    """
    return [
        (*(cell(one) for cell in _CELLS.values()), link_of(one, link=link))
        for one in news
    ]


def line_of(one: News) -> str:
    """Say one of the news on a line."""
    words = f"{one.kind.capitalize()}: {one.about}"
    words += f" ({one.iwi})" if one.iwi else ""
    words += f", {one.who}" if one.who else ""
    detail = one.status_words if one.kind is NewsKind.STATUS else one.words
    if one.days is not None and one.respond_by_on is not None:
        detail = f"{one.days_words}, {weekday_words(one.respond_by_on)}"
    return one_line(f"{words}: {detail}" if detail else words, limit=160)


def link_of(one: News, *, link: str) -> str:
    return "" if one.project is None else link.replace("{id}", one.project)
