"""The rows that wait for tokens: their order, and their release."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Final

from starlette.exceptions import HTTPException
from starlette.responses import Response

from kawe.desk.band import Balance
from kawe.desk.pages import go_to
from kawe.desk.runs import DeskRun
from kawe.desk.visits import View, Visit
from kawe.domain.batch.deadlines import deadlines_words
from kawe.domain.batch.tokens import packs_words
from kawe.toolkit import Toolkit, open_session
from kawe.toolkit.queue import (
    chosen_rows,
    drop_rows,
    dropped_lines,
    look_at_queue,
    put_first,
)
from kawe.toolkit.releasing import ReadyRelease, count_release

COUNT: Final = "count release"
_DROP: Final = "drop"


@dataclass(frozen=True, slots=True, kw_only=True)
class Counted:
    """A release that a person looks at before they agree to it."""

    ready: ReadyRelease
    most: int | None
    """As many as the person wanted at most; None: all."""
    account: str
    is_live: bool
    wants_second: bool
    """Whether the settings want another person's word."""


def queue(visit: Visit) -> Response:
    """Show the rows in the order in which they go."""
    found = asyncio.run(look_at_queue(visit.toolkit))
    days = [row.respond_by_on for row in found.rows]
    warning = deadlines_words(days, today=found.rows[0].today) if days else ""
    return visit.page(
        "queue.html",
        queue=found,
        now=visit.toolkit.clock.now(),
        warning=warning,
        packs=packs_words(len(found.rows)) if found.rows else "",
        portal=visit.portal,
        said=visit.query.get("said", ""),
    )


def order(visit: Visit) -> Response:
    """Let a row go before all others, or in the usual order again."""
    is_back = visit.text("how") == "back"
    asyncio.run(put_first(visit.toolkit, [visit.text("row")], undo=is_back))
    return go_to("/queue")


def ask_drop(visit: Visit) -> Response:
    """Ask before a row leaves the queue for good."""
    name = visit.query.get("row", "")
    found = asyncio.run(look_at_queue(visit.toolkit))
    (row,) = chosen_rows((*found.rows, *found.missing), [name])
    return visit.page("drop.html", row=row, word=_DROP)


def drop(visit: Visit) -> Response:
    """Take a row out of the queue for good."""
    if visit.text("typed").casefold() != _DROP:
        raise HTTPException(
            409, f"The word “{_DROP}” was not typed. Nothing was changed."
        )
    chosen, left = asyncio.run(drop_rows(visit.toolkit, [visit.text("row")]))
    lines = dropped_lines(chosen, still=len(left.rows))
    return visit.page("done.html", title="Out of the queue", lines=lines, back="/queue")


def count(visit: Visit) -> Response:
    """Ask the service how many rows can go now."""
    most = visit.number("most")

    async def look(toolkit: Toolkit, run: DeskRun) -> tuple[Counted, int]:
        del run
        async with open_session(toolkit, read_only=True) as session:
            visit.runs.balance = Balance.of(session)
            ready = await count_release(session, None, max_tokens=most)
            settings = toolkit.settings
            return Counted(
                ready=ready,
                most=most,
                account=session.account_words,
                is_live=session.is_live,
                wants_second=settings.approval == "second_person" and session.is_live,
            ), 0

    visit.runs.start(COUNT, look, workbook=None)
    return go_to("/at-work")


def ask_release(visit: Visit) -> Response:
    """Show what a release would do, and ask for its number."""
    job = visit.runs.last("", COUNT)
    if job is None or job.answer is None:
        return go_to("/queue")
    return visit.page("release.html", counted=job.answer, portal=visit.portal)


PAGES: Final[tuple[tuple[str, View], ...]] = (
    ("/queue", queue),
    ("/queue/drop", ask_drop),
    ("/queue/release", ask_release),
)
ACTS: Final[tuple[tuple[str, View], ...]] = (
    ("/queue/order", order),
    ("/queue/drop", drop),
    ("/queue/count", count),
)
