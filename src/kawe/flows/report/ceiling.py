"""How many projects an iwi may get in a month, and which would get more."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Final

from kawe.domain.batch.periods import Period
from kawe.domain.batch.sending import IwiLoad, load_of
from kawe.domain.rows.entries import Entry
from kawe.domain.service.service_words import IwiChoice
from kawe.domain.text.new_zealand import day_in_new_zealand
from kawe.domain.text.texts import some_of
from kawe.flows.naming_iwi import iwi_of
from kawe.flows.report.reporting import report_period
from kawe.ports import Journal

_SHOWN: Final = 8


async def over_ceiling(
    load: IwiLoad, *, most: int | None, journal: Journal, now: datetime
) -> str:
    """Name the iwi that would get more than `most` in this month of New Zealand.

    What was sent before is what this journal knows. Empty: none would.
    """
    if most is None or not load.shares:
        return ""
    today = day_in_new_zealand(now)
    month = Period(since_on=today.replace(day=1), until_on=today)
    told = await report_period(month, journal=journal, written_at=now)
    return some_of([*load.over(most, sent=dict(told.iwi))], shown=_SHOWN, between=" ")


async def load_of_rows(rows: Iterable[Entry], *, journal: Journal) -> IwiLoad:
    """Add up the iwi of rows that wait, as the journal names them."""
    iwi = await iwi_of(rows, journal=journal)
    return load_of(
        tuple(IwiChoice(slug=name, name=name) for name in dict.fromkeys(names))
        for names in iwi.values()
    )
