"""Two computers with one workbook: the second starts at each moment of the first.

Nothing goes wrong here, and nothing is drawn but how long a request takes.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random
from typing import Final

from faults.people.books import Book, Press, number_of
from faults.people.command import Manner, Told
from faults.people.computer import Computer
from faults.people.machine import OwnTrace, WallClock
from faults.simulation.kept import Climate
from faults.simulation.network import Question
from faults.simulation.passing_time import live_through
from faults.simulation.service import SimulatedService
from faults.simulation.trace import Trace
from faults.simulation.weather import Fate, Fault, Weather
from kawe.domain.batch.outcomes import Outcome

_LATER_SECONDS: Final = 4_000.0
_ANOTHER: Final = "another computer"


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenery:
    """Where two computers meet."""

    rows: int = 6
    workers: int = 3
    refuses_second_send: bool = False
    lag_seconds: float = 0.0
    """How long lists lag; both say then that other machines do the same."""
    upload_seconds: float = 0.2
    """How long a file takes; what a run waits for, mostly."""
    seed: int = 1

    def words(self) -> str:
        """Describe it."""
        refuses = "with 409" if self.refuses_second_send else "without 409"
        return (
            f"{refuses}, lists lag {self.lag_seconds:g} s, a file takes "
            f"{self.upload_seconds:g} s, {self.workers} workers"
        )


class _SlowLine(Weather):
    """Nothing goes wrong, and files take their time."""

    upload_seconds: float

    def fate(self, operation: str, *, now: float, shows_409: bool) -> Fate:
        """Let a request arrive."""
        if operation == "storage_post":
            seconds = self.upload_seconds
            return Fate(fault=Fault.NONE, arrives_after=seconds, ends_after=seconds)
        return Weather.fate(self, operation, now=now, shows_409=shows_409)


@dataclass(frozen=True, slots=True, kw_only=True)
class Meeting:
    """What came of a second start at one moment."""

    moment: int
    request: str
    """What the first was about to ask."""
    sends: Counter[int]
    """By row, of all that the service ever accepted."""
    untold: tuple[str, ...]
    """Who left rows undone, or has them sent by the other, and says nothing."""
    rows: int
    to_a_person: int
    lines: tuple[str, ...] = ()

    @property
    def doubled(self) -> int:
        """Count the rows that were sent more than once."""
        return sum(number > 1 for number in self.sends.values())

    @property
    def lost(self) -> int:
        """Count the rows that were never sent, though both ran again."""
        return self.rows - len(self.sends)

    def troubles(self) -> list[str]:
        """Say what was not as promised."""
        where = f"B starts at request {self.moment} of A ({self.request})"
        counts = {
            "doubled": self.doubled,
            "lost": self.lost,
            "to a person": self.to_a_person,
        }
        told = [f"{number} {what}" for what, number in counts.items() if number]
        return [f"{where}: {each}" for each in (*told, *self.untold)]


def moments(scenery: Scenery) -> int:
    """Count the requests that a computer makes which is alone."""
    return _Pair(scenery).alone()


def meet(scenery: Scenery, moment: int, *, keeps_trace: bool = False) -> Meeting:
    """Let the second start just before request number `moment` of the first.

    At 0 both start together; past the last request the first is done.
    """
    return _Pair(scenery, keeps_trace=keeps_trace).meet(moment)


def meetings(scenery: Scenery, *, every: int = 1) -> Iterator[Meeting]:
    """Let them meet at every moment, or at every n-th."""
    for moment in range(0, moments(scenery) + 2, every):
        yield meet(scenery, moment)


class _Pair:
    """A and B, and the service between them."""

    def __init__(self, scenery: Scenery, *, keeps_trace: bool = False) -> None:
        self._scenery = scenery
        self._trace = Trace(is_kept=keeps_trace)
        self._service = _service(scenery, self._trace)
        self._weather = _SlowLine(
            chance=Random(f"overlap {scenery.seed}"),
            fault_share=0,
            trace=self._trace,
            has_stormy_days=False,
        )
        self._weather.upload_seconds = scenery.upload_seconds
        press = Press(
            chance=Random(scenery.seed),
            has_files=True,
            has_organisations=False,
            unnumbered=0.3,
            prefix="R-",
        )
        rows = [replace(row, send=True) for row in press.rows(scenery.rows)]
        self._book = Book(path="monthly.xlsx", rows=rows)
        self._a, self._b = self._computer("A"), self._computer("B")
        self._request = "nothing: it is done"

    def alone(self) -> int:
        """Let A run alone; count its requests."""
        met: list[int] = []
        self._a.meets = lambda number, _: met.append(number)
        live_through(self._a.run(self._book), begin_seconds=0.0)
        return len(met)

    def meet(self, moment: int) -> Meeting:
        """Let both run, and run again later."""
        untold, _ = live_through(self._both(moment), begin_seconds=0.0)
        sends = Counter(
            number_of(each.shown["name"])
            for each in self._service.shelves.projects
            for _ in each.sends
        )
        held = {
            entry.content.name
            for computer in (self._a, self._b)
            for entry in computer.entries()
            if entry.state.value in {"HELD", "UNCONFIRMED"}
        }
        return Meeting(
            moment=moment,
            request=self._request,
            sends=sends,
            untold=(*untold, *self._a.broken, *self._b.broken),
            rows=len(self._book.rows),
            to_a_person=len(held),
            lines=tuple(self._trace.lines),
        )

    async def _both(self, moment: int) -> list[str]:
        comes = asyncio.Event()

        def count(number: int, question: Question) -> None:
            if number == moment:
                self._request = " ".join([question.operation, *question.path.values()])
                comes.set()

        async def first() -> list[str]:
            untold = await self._run(self._a)
            comes.set()
            return untold

        async def second() -> list[str]:
            await comes.wait()
            return await self._run(self._b)

        if moment == 0:
            self._request = "nothing yet"
            comes.set()
        self._a.meets = count
        untold = [e for told in await asyncio.gather(first(), second()) for e in told]
        self._a.meets = None
        for _ in range(2):
            await asyncio.sleep(_LATER_SECONDS)
            for computer in (self._a, self._b):
                untold += await self._run(computer)
        return untold

    async def _run(self, computer: Computer) -> list[str]:
        told = await computer.run(self._book)
        assert told is not None
        return _untold(computer, told)

    def _computer(self, name: str) -> Computer:
        scenery = self._scenery
        return Computer(
            name=name,
            service=self._service,
            weather=self._weather,
            trace=OwnTrace(whole=self._trace, name=name),
            chance=Random(f"{name} {scenery.seed}"),
            clock=WallClock(ahead_seconds=0),
            manner=Manner(
                workers=scenery.workers,
                settle_seconds=180,
                is_alone=scenery.lag_seconds == 0,
            ),
            books=[self._book],
            excused=set(),
        )


def _untold(computer: Computer, told: Told) -> list[str]:
    """Say which rows are not done, or done elsewhere, without a word of why."""
    words = told.words.casefold()
    if _ANOTHER in words:
        return []
    return [
        f"{computer.name}: {row.name} is {row.outcome} and nobody is told"
        for row in told.rows
        if row.outcome is not Outcome.SENT and _ANOTHER not in row.what_to_do.casefold()
    ]


def _service(scenery: Scenery, trace: Trace) -> SimulatedService:
    return SimulatedService(
        trace=trace,
        tokens=100 * scenery.rows,
        climate=Climate(
            chance=Random(scenery.seed),
            refuses_second_send=scenery.refuses_second_send,
            most_lag_seconds=scenery.lag_seconds,
            hides_status_share=0,
            says_local_midnight=False,
            balance_lies=0,
            lags_evenly=True,
        ),
    )
