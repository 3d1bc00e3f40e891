"""Honest programmes: much is alike in them, and each row is a work of its own."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from faults.people.months import Months
from faults.people.sheets import Row
from faults.people.works import next_round
from faults.simulation.oracle import Findings
from kawe_places.values import Place

_MONTH_DAYS: Final = 30.44
_SITE: Final = Place(latitude=-36.85, longitude=174.76)
_YARD: Final = ("Depot yard works", "Depot drains", "Depot fences")


async def live(months: Months) -> None:
    """Live through one programme."""
    months.is_honest = True
    # In turn, so that a few worlds have them all.
    number = len(PROGRAMMES)
    months.habit = PROGRAMMES[(months.seed + months.seed // number) % number]
    months.trace.say("a programme", months.habit)
    await _PROGRAMMES[months.habit](months)
    months.findings.others[months.habit] += 1


async def _rounds(
    months: Months, *, number: int, apart: int, times: int, in_a_year: int
) -> None:
    """Do some works again and again: a sheet for each round, for a year, or a log."""
    way = months.chance.choice(("sheet for each", "sheet for a year", "log"))
    together = in_a_year if way == "sheet for a year" else 1
    works = months.new_rows(number)
    log: list[Row] = []
    for first in range(0, times, together):
        rows = [
            _round(row, at=at, apart=apart)
            for at in range(first, first + together)
            for row in works
        ]
        rows = _answered(months, rows)
        log = [*log, *rows]
        path = "log.xlsx" if way == "log" else f"round {first}.xlsx"
        done = await months.submit(months.home, path, log if way == "log" else rows)
        log = done if way == "log" else []
        await months.pass_days(_MONTH_DAYS * apart * together)


def _round(row: Row, *, at: int, apart: int) -> Row:
    reference = None if row.reference is None else f"{row.reference}-{at + 1}"
    again = next_round(row, months=at * apart, work=row.work + 100_000 * at)
    return replace(again, reference=reference)


async def _apart(
    months: Months,
    *,
    most: int,
    names: Sequence[str] = (),
    words: str = "",
    site: Place | None = None,
) -> None:
    """Write new works month by month that share a name, or a place."""
    maker, chance = months.maker, months.chance
    maker.names, maker.words, maker.site = names, words, site
    for _ in range(chance.randint(2, 6)):
        rows = months.new_rows(chance.randint(most // 4, most))
        path = f"month {maker.made}.xlsx"
        await months.submit(months.home, path, _answered(months, rows))
        await months.pass_days(_MONTH_DAYS)


def _answered(months: Months, rows: Sequence[Row]) -> list[Row]:
    """Say in advance what was asked before, where people keep the column."""
    word = "new" if months.has_column else ""
    return [replace(row, repeat_of=word) for row in rows]


_PROGRAMMES: Final[dict[str, Callable[[Months], Coroutine[None, None, None]]]] = {
    "monthly": partial(_rounds, number=4, apart=1, times=24, in_a_year=12),
    "half-yearly": partial(_rounds, number=20, apart=6, times=6, in_a_year=2),
    "annual": partial(_rounds, number=30, apart=12, times=3, in_a_year=1),
    "one site": partial(_apart, most=30, site=_SITE),
    "depot": partial(_apart, most=30, site=_SITE, names=_YARD),
    "shared name": partial(_apart, most=200, names=("Stormwater renewals 2027",)),
    "numbered": partial(_apart, most=40, words="The bore is tested and cleaned."),
    "shared name and words": partial(
        _apart,
        most=60,
        names=("Stormwater renewals 2027",),
        words="A pipe is renewed in an open trench.",
    ),
}
PROGRAMMES: Final = tuple(_PROGRAMMES)
MOST_ASKED: Final = 0.01
"""Of the rows of all programmes."""
_MOST_OF_ONE: Final = 0.05
"""Of the rows of each."""
_MOST_OF_ROUNDS: Final = {"monthly": 2 / 24}
"""Rounds two and three of monthly works are asked about: two make no even steps."""


def too_many_questions(findings: Findings) -> list[str]:
    """Name the programmes of which people are asked about too many rows."""
    asked, new = findings.asked, findings.new
    shares = {
        name: (asked[name], new[name], _MOST_OF_ROUNDS.get(name, _MOST_OF_ONE))
        for name in PROGRAMMES
    }
    all_asked, all_new = (
        sum(each[name] for name in PROGRAMMES) for each in (asked, new)
    )
    shares["all programmes"] = all_asked, all_new, MOST_ASKED
    return [
        f"{name}: people are asked about {about:,} of {rows:,} honest rows"
        for name, (about, rows, most) in shares.items()
        if about > most * rows
    ]
