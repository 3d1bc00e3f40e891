"""What people do with last month's rows: each brings works back that were sent."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterable
from dataclasses import replace
from datetime import timedelta
from typing import Final

from doubles.memory_journal import MemoryJournal, QuickStore
from faults.people.computer import Computer
from faults.people.months import Months
from faults.people.sheets import Row
from faults.people.works import edited, postponed
from faults.simulation.passing_time import EPOCH
from kawe.journal.history import _purge

_MONTHLY: Final = "monthly.xlsx"


async def live(months: Months) -> None:
    """Live some months, each with a habit."""
    chance = months.chance
    if chance.random() < 0.4:
        months.maker.names = ("Stormwater renewals", "Culverts", "Roads")[
            : chance.choice((1, 3))
        ]
    months.last = await months.submit(
        months.home, _MONTHLY, months.new_rows(chance.randint(6, 24))
    )
    for _ in range(chance.randint(2, 4)):
        await months.pass_days(chance.choice((7, 28, 30)))
        months.habit = chance.choice(HABITS)
        months.trace.say("a month", months.habit)
        await _HABITS[months.habit](months)
        months.findings.others[months.habit] += 1


async def _carries_over(months: Months) -> None:
    """Begin the month with a third of the last one's rows, some of them rewritten."""
    third = _some(months, months.last, len(months.last) // 3)
    rows = [edited(_plain(row), months.chance) for row in third]
    await _next(months, [*_numbered(months, rows), *_fresh(months)])


async def _passes_the_result_on(months: Months) -> None:
    """Give the result to a colleague, who postpones rows in it."""
    rows = [_sometimes(postponed, months, row) for row in months.last]
    colleague = months.computer()
    rows = await months.submit(colleague, "result.xlsx", [*rows, *_fresh(months)])
    if months.chance.random() < 0.5:
        await months.submit(months.home, "from the colleague.xlsx", rows)


async def _passes_a_copy_on(months: Months) -> None:
    """Give a colleague the rows as they were, who rewrites some."""
    rows = [
        edited(_plain(row), months.chance) if months.chance.random() < 0.4 else row
        for row in map(_plain, months.last)
    ]
    await months.submit(months.computer(), "copy.xlsx", [*rows, *_fresh(months)])


async def _postpones(months: Months) -> None:
    """Put rows off in the same file."""
    rows = [_sometimes(postponed, months, _plain(row)) for row in months.last]
    await _same_file(months, [*rows, *_fresh(months)])


async def _empties_references(months: Months) -> None:
    """Empty the references of some rows, and put them off."""
    rows = [
        replace(_sometimes(postponed, months, row), reference=None)
        for row in map(_plain, months.last)
    ]
    await _same_file(months, [*rows, *_fresh(months)])


async def _renumbers(months: Months) -> None:
    """Number all rows anew, and rewrite a few."""
    rows = [
        replace(_sometimes(edited, months, _plain(row)), reference=f"2027/{row.work}")
        for row in months.last
    ]
    await _same_file(months, [*rows, *_fresh(months)])


async def _fills_down(months: Months) -> None:
    """Put rows in on top or in the middle, and drag the references down again."""
    rows = [*months.last] if months.chance.random() < 0.3 else _plainly(months.last)
    at = months.chance.choice((0, len(rows) // 2))
    rows[at:at] = _fresh(months)
    await _same_file(months, _filled_down(months, rows))


async def _sorts_references(months: Months) -> None:
    """Sort the column of references alone, after rows were appended."""
    rows = _filled_down(months, [*_plainly(months.last), *_fresh(months)])
    references = sorted((str(row.reference) for row in rows), reverse=True)
    await _same_file(
        months,
        [replace(row, reference=r) for row, r in zip(rows, references, strict=True)],
    )


async def _sorts_names(months: Months) -> None:
    """Sort the column of names alone."""
    rows = _plainly(months.last)
    names = sorted(row.name for row in rows)
    rows = [replace(row, name=name) for row, name in zip(rows, names, strict=True)]
    await _same_file(months, [*rows, *_fresh(months)])


async def _appends_to_a_log(months: Months) -> None:
    """Copy some rows to the end of the file, with another day to respond by."""
    copies = [
        postponed(edited(_plain(row), months.chance), months.chance)
        if months.chance.random() < 0.3
        else _later(_plain(row))
        for row in _some(months, months.last, 4)
    ]
    rows = [*_plainly(months.last), *_numbered(months, copies)]
    await _same_file(months, [*rows, *_fresh(months)])


async def _has_two_sheets(months: Months) -> None:
    """Write joint works on two sheets, each in its own words, and some old ones."""
    here, there = _fresh(months, 6), _fresh(months, 4)
    joint = [edited(row, months.chance, least=1) for row in _some(months, here, 3)]
    old = [edited(_plain(row), months.chance) for row in _some(months, months.last, 2)]
    there = [*_numbered(months, joint), *there, *_numbered(months, old)]
    months.last = await months.submit(months.home, "two sheets.xlsx", here, there)


async def _puts_a_backup_back(months: Months) -> None:
    """Put a journal back from before the last rows were sent; go on with those."""
    computer = months.home
    before = _copied(computer)
    sent = _fresh(months, 8)
    await months.submit(computer, "in between.xlsx", sent)
    computer.lose_journal()
    computer.journal = before
    rows = [_sometimes(postponed, months, row) for row in sent]
    await months.submit(computer, "in between.xlsx", [*rows, *_fresh(months)])


async def _purges(months: Months) -> None:
    """Purge the journal, and put rows off."""
    computer = months.home
    assert computer.journal is not None
    now = EPOCH + timedelta(seconds=asyncio.get_running_loop().time())
    store = computer.journal.store
    with store.erasing():
        _purge(store, {None: now}, at=now)
    computer.lose_waiting()
    await _postpones(months)


async def _meets_a_restored_service(months: Months) -> None:
    """Go on after the service came back as it was before the last rows were sent."""
    service = months.service
    await months.pass_days(1)
    then, number = service.seconds, len(service.shelves.projects)
    rows = _fresh(months, 6)
    await months.submit(months.home, "yesterday.xlsx", rows)
    service.restore(at=then, number=number)
    await months.pass_days(1)
    await months.submit(months.home, "yesterday.xlsx", [*rows, *_fresh(months)])


async def _next(months: Months, rows: Iterable[Row]) -> None:
    path = f"month {len(months.home.books)}.xlsx"
    months.last = await months.submit(months.home, path, [*rows])


async def _same_file(months: Months, rows: Iterable[Row]) -> None:
    months.last = await months.submit(months.home, _MONTHLY, [*rows])


def _fresh(months: Months, number: int | None = None) -> list[Row]:
    return months.new_rows(months.chance.randint(0, 8) if number is None else number)


def _plain(row: Row) -> Row:
    """Give the row without what kawe wrote beside it."""
    return replace(row, project_id="", marker="")


def _plainly(rows: Iterable[Row]) -> list[Row]:
    return [_plain(row) for row in rows]


def _later(row: Row) -> Row:
    return replace(row, respond_by_on=row.respond_by_on + timedelta(weeks=1))


def _some(months: Months, rows: list[Row], number: int) -> list[Row]:
    return months.chance.sample(rows, min(len(rows), max(1, number)))


def _sometimes(do: Callable[..., Row], months: Months, row: Row) -> Row:
    return do(row, months.chance) if months.chance.random() < 0.5 else row


def _numbered(months: Months, rows: Iterable[Row]) -> list[Row]:
    """Give rows new references, or none, or leave them theirs."""
    way = months.chance.choice(("new", "new", "none", "same"))
    if way == "same":
        return [*rows]
    return [
        replace(row, reference=months.maker.reference() if way == "new" else None)
        for row in rows
    ]


def _filled_down(months: Months, rows: Iterable[Row]) -> list[Row]:
    rows = [*rows]
    months.maker.references = max(months.maker.references, len(rows))
    return [replace(row, reference=f"R-{n}") for n, row in enumerate(rows, start=1)]


def _copied(computer: Computer) -> MemoryJournal:
    assert computer.journal is not None
    store = QuickStore.in_memory()
    computer.journal.store._db.backup(store._db)
    return MemoryJournal(store=store)


_HABITS: Final[dict[str, Callable[[Months], Coroutine[None, None, None]]]] = {
    "a third carried over": _carries_over,
    "result passed on": _passes_the_result_on,
    "copy passed on": _passes_a_copy_on,
    "postponed": _postpones,
    "references emptied": _empties_references,
    "renumbered": _renumbers,
    "filled down": _fills_down,
    "references sorted": _sorts_references,
    "names sorted": _sorts_names,
    "year log": _appends_to_a_log,
    "two sheets": _has_two_sheets,
    "old backup": _puts_a_backup_back,
    "purged": _purges,
    "service restored": _meets_a_restored_service,
}
HABITS: Final = tuple(_HABITS)
