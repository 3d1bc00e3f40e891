"""What is new as a table, and in counts."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from kawe.domain.service.watching import News, NewsKind
from kawe.domain.text.new_zealand import local_time, weekday_words
from kawe.domain.text.texts import counted, one_line
from kawe_xlsx.cells import RawValue

HEADINGS: Final = (
    "What is new",
    "Project or person",
    "Reference",
    "Iwi",
    "When",
    "Who",
    "What they write",
    "Documents",
    "Status",
    "Your next response",
    "Respond by",
    "Days left or over",
    "Link",
)
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
        (
            one.kind.capitalize(),
            one.about,
            one.reference,
            one.iwi,
            None if one.at is None else local_time(one.at),
            one.who,
            one.words,
            "\n".join(one.documents),
            one.status_words,
            "" if one.reply is None else one.reply.capitalize(),
            one.respond_by_on,
            one.days_words,
            link_of(one, link=link),
        )
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
