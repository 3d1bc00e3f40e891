"""Forecasting: about how many requests a run makes to the service.

Uploads to its storage do not count against the rate limit.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from kawe.domain.service.states import Step
from kawe.flows.check.checking import Checked
from kawe.flows.kinds import Kind
from kawe.flows.plan.counting import acted_on, files_of, is_to_create
from kawe.flows.plan.foreseeing import Foreseen
from kawe.flows.routing import REMEMBERED_FOR
from kawe.flows.run import Run
from kawe_contract.limits import PAGE_MAX

_PER_FILE: Final = 2
_PER_CREATE: Final = 1
_PER_UPDATE: Final = 3
_PER_SEND: Final = 3
"""The draft is read, sent, and read back; an update likewise."""
_ACCOUNT: Final = 2
"""Asked for at the beginning and at the end."""


async def requests_of(run: Run, checked: Checked, foreseen: Foreseen) -> int:
    """Say about how many requests carrying out a plan takes."""
    rows, kind = acted_on(foreseen.plan), Kind.of(foreseen.plan.kind)
    done = [foreseen.actions[entry.key] for entry in rows]
    creates = len(foreseen.creating)
    looked_for = sum(is_to_create(entry) for entry in rows)
    return sum(
        (
            _ACCOUNT,
            await _checking(run, checked),
            len(foreseen.drafts),
            await _looks(run, (looked_for + len(foreseen.drafts), _known(foreseen))),
            # New projects are on the first pages.
            math.ceil((len(foreseen.wanting) - _known(foreseen)) / PAGE_MAX),
            _PER_FILE * len(files_of(foreseen.creating)),
            _PER_CREATE * creates,
            _PER_UPDATE * sum(Step.UPDATE in action.steps for action in done),
            _PER_SEND * sum(action.sends for action in done),
            # Whether the key may send is asked before anything is made, and the list
            # of receipts is read at the end.
            2 * any(action.sends for action in done),
            math.ceil(sum(a.is_own_step for a in done) / kind.rows_in_a_request),
        )
    )


async def _checking(run: Run, checked: Checked) -> int:
    """Count the requests of checking again: places, people, organisations."""
    known = await run.journal.iwi_answers(since=run.clock.now() - REMEMBERED_FOR)
    places = {
        row.content.place.key()
        for row in checked.rows
        if row.goes_to and row.content is not None and row.content.place is not None
    }
    lists = math.ceil(len(checked.organisations) / PAGE_MAX)
    return (
        len(places - known.keys())
        + lists
        + Kind.of(checked.table.kind).requests_to_check
    )


def _known(foreseen: Foreseen) -> int:
    """Count the rows to send that are looked up in the whole list, or None."""
    made = {entry.key for entry in foreseen.creating}
    is_new = not foreseen.there and made.issuperset(foreseen.wanting)
    return 0 if is_new else len(foreseen.wanting)


async def _looks(run: Run, rows: Sequence[int]) -> int:
    """Count the requests of the searches before creates and before sends.

    `rows` are the numbers of rows of each search.
    """
    looks = [count for count in rows if count]
    if not looks:
        return 0
    first = await run.lookups.projects(page=1)
    if first.total < PAGE_MAX:
        return len(looks)
    pages = math.ceil(first.total / PAGE_MAX)
    # The whole list ends with an empty page, and its first is read again.
    return sum(1 + (pages + 2 if pages <= count else count) for count in looks)
