"""The rows that wait for tokens: their order, and their release."""

from __future__ import annotations

import asyncio
from typing import Final

from starlette.exceptions import HTTPException
from starlette.responses import Response

from kawe.cases.kit import Toolkit
from kawe.cases.waiting.queue import (
    chosen_rows,
    drop_rows,
    dropped_lines,
    look_at_queue,
    put_first,
)
from kawe.desk.rendering import go_to
from kawe.desk.runs import DeskRun
from kawe.desk.visits import DeskVisit, View
from kawe.domain.batch.agreements import packs_words

COUNT: Final = "count release"
DROP: Final = "deferred drop"
_WORD: Final = "drop"


def queue(visit: DeskVisit) -> Response:
    """Show the rows in the order in which they go."""
    found = asyncio.run(look_at_queue(visit.toolkit))
    known = None if visit.runs.balance is None else visit.runs.balance.tokens
    missing = max(0, len(found.for_tokens) - (known or 0))
    return visit.page(
        "queue.html",
        queue=found,
        now=visit.toolkit.clock.now(),
        known=known,
        packs=packs_words(missing) if missing else "",
        portal=visit.portal,
        dropped=visit.runs.last("", DROP),
    )


def order(visit: DeskVisit) -> Response:
    """Let a row go before all others, or in the usual order again."""
    is_back = visit.text("how") == "back"
    asyncio.run(put_first(visit.toolkit, [visit.text("row")], undo=is_back))
    visit.runs.forget(COUNT)
    return go_to("/queue")


def ask_drop(visit: DeskVisit) -> Response:
    """Ask before a row leaves the queue for good."""
    name = visit.query.get("row", "")
    found = asyncio.run(look_at_queue(visit.toolkit))
    (row,) = chosen_rows((*found.rows, *found.missing), [name])
    return visit.page("drop.html", row=row, word=_WORD)


def drop(visit: DeskVisit) -> Response:
    """Take a row out of the queue for good."""
    if visit.text("typed").casefold() != _WORD:
        raise HTTPException(
            409, f"The word “{_WORD}” was not typed. Nothing was changed."
        )
    name = visit.text("row")

    async def leave(toolkit: Toolkit, _: DeskRun) -> tuple[list[str], int]:
        chosen, left = await drop_rows(toolkit, [name])
        return list(dropped_lines(chosen, still=len(left.rows))), 0

    return visit.begin(DROP, leave)


PAGES: Final[tuple[tuple[str, View], ...]] = (
    ("/queue", queue),
    ("/queue/drop", ask_drop),
)
ACTS: Final[tuple[tuple[str, View], ...]] = (
    ("/queue/order", order),
    ("/queue/drop", drop),
)
