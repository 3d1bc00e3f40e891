"""One world: a workbook, a person, a service, and everything that goes wrong."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Final

from doubles.machine import AskedToStop
from doubles.memory_journal import MemoryJournal, Stopped
from faults.simulation.batches import batch_of, size_of
from faults.simulation.colleague import Colleague
from faults.simulation.command import Command, Ended, unwrapped
from faults.simulation.kept import Climate
from faults.simulation.life import POINTS, Life, SimulatedJournal
from faults.simulation.network import Network
from faults.simulation.passing_time import live_through
from faults.simulation.service import SimulatedService
from faults.simulation.trace import Trace
from faults.simulation.weather import MOST_LATE_SECONDS, Weather
from kawe.flows.check.checking import Checked
from kawe.service.opening import Service

_MOST_RUNS: Final = 8
_AMPLE_TOKENS: Final = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """What is given to a world; all else follows."""

    seed: int
    faults_percent: float = 5.0
    oddities_percent: float = 2.0
    """How many worlds have a meddling colleague, a lost journal, null statuses."""
    settle_seconds: float = 180.0
    wrap: Callable[[Service], Service] = unwrapped
    """What stands between the flows and the service, to show what would happen."""
    keeps_trace: bool = False

    def chance(self, of: str) -> Random:
        """Give a source of chance of its own for each part of the world."""
        return Random(f"{self.seed} {of}")


@dataclass(slots=True, kw_only=True)
class Character:
    """What is peculiar to a world."""

    loses_journals: bool
    has_meddler: bool
    hides_status: bool
    is_short_of_tokens: bool
    through_http: bool
    workers: int
    gap_seconds: tuple[float, ...] = (1, 4, 20, 90, 400)

    @property
    def is_ordinary(self) -> bool:
        """Say whether nothing but faults can leave a row to a person."""
        return not (self.loses_journals or self.has_meddler or self.hides_status)


@dataclass(slots=True, kw_only=True)
class World:
    """A world, which lives once."""

    setting: Setting
    trace: Trace = field(init=False)
    character: Character = field(init=False)
    service: SimulatedService = field(init=False)
    weather: Weather = field(init=False)
    colleague: Colleague = field(init=False)
    checked: Checked = field(init=False)
    size: int = field(init=False)
    journal: MemoryJournal | None = None
    seconds: float = 0.0
    runs: int = 0
    acts: int = 0
    ends: Counter[str] = field(default_factory=Counter)
    """Where processes ended, by point."""
    chance: Random = field(init=False)

    def __post_init__(self) -> None:
        """Make the world as its seed says."""
        setting = self.setting
        self.size = size_of(setting.chance("size"))
        self.checked = batch_of(setting.chance("batch"), self.size)
        self.trace = Trace(is_kept=setting.keeps_trace)
        self.chance = setting.chance("person")
        self.character = _character(setting)
        self.service = _service(setting, self.character, self.trace)
        self.weather = Weather(
            chance=setting.chance("weather"),
            fault_share=setting.faults_percent / 100,
            trace=self.trace,
            has_stormy_days=self.chance.random() < 0.4,
        )
        self.colleague = Colleague(
            service=self.service,
            chance=setting.chance("colleague"),
            meddles=self.character.has_meddler,
            buys=self.character.is_short_of_tokens,
        )
        for _ in range(self.chance.choice((0, 0, 3, 40, 130))):
            self.colleague._creates()

    def run_in_trouble(self) -> None:
        """Run the command again and again, while things go wrong."""
        for _ in range(self.chance.randint(1, _MOST_RUNS)):
            self.colleague.plan_a_run(now=self.seconds)
            ended = self.run(ends_at=self._end(), stops_after=self._halt())
            if ended.is_finished and self.chance.random() < 0.7:
                break

    def calm_down(self) -> None:
        """Let nothing go wrong any more; what is under way still arrives."""
        self.weather.is_calm = True
        self.service.climate.most_lag_seconds = 0
        self.service.climate.balance_lies = 0
        self.service.tokens = _AMPLE_TOKENS
        self.trace.say("calm")

    def run(
        self,
        *,
        ends_at: tuple[str, int] | None = None,
        stops_after: float | None = None,
    ) -> Ended:
        """Run the command once, as one process."""
        self.runs += 1
        life = Life(trace=self.trace, ends_at=ends_at)
        network = Network(
            service=self.service,
            weather=self.weather,
            life=life,
            trace=self.trace,
            chance=self.setting.chance(f"process {self.runs}"),
        )
        journal = SimulatedJournal(life=life, before=self.journal)
        halt = AskedToStop()
        command = Command(
            journal=journal,
            network=network,
            halt=halt,
            checked=self.checked,
            workers=self.character.workers,
            settle_seconds=self.setting.settle_seconds,
            wrap=self.setting.wrap,
            through_http=self.character.through_http,
        )
        self.trace.say("run", self.runs)
        ended = self._live(command, halt, stops_after)
        self.acts = network.acts
        self.journal = journal
        if life.is_over:
            assert life.ends_at is not None
            self.ends[life.ends_at[0]] += 1
            self.service.hurry(self.seconds + MOST_LATE_SECONDS)
            if self.character.loses_journals and self.chance.random() < 0.6:
                self.trace.say("journal lost")
                self.journal = None
        self.trace.say("ended", ended.words)
        self.seconds += self.chance.choice(self.character.gap_seconds)
        return ended

    def _live(
        self, command: Command, halt: AskedToStop, stops_after: float | None
    ) -> Ended:
        async def process() -> Ended:
            loop = asyncio.get_running_loop()
            if stops_after is not None:
                loop.call_later(stops_after, lambda: setattr(halt, "asked", True))
            try:
                return await command.run()
            except Stopped:
                return Ended(words="gone", is_finished=False)
            finally:
                self.seconds = loop.time()

        ended, _ = live_through(process(), begin_seconds=self.seconds)
        return ended

    def _end(self) -> tuple[str, int] | None:
        if self.chance.random() < 0.2:
            return None
        most = 2 * self.size
        return self.chance.choice(POINTS), round(most ** self.chance.random())

    def _halt(self) -> float | None:
        return self.chance.uniform(0, 200) if self.chance.random() < 0.05 else None


def _character(setting: Setting) -> Character:
    chance = setting.chance("character")
    share = setting.oddities_percent / 100
    return Character(
        loses_journals=chance.random() < share,
        has_meddler=chance.random() < share,
        hides_status=chance.random() < share / 2,
        is_short_of_tokens=chance.random() < 0.3,
        through_http=chance.random() < 0.02,
        workers=chance.choice((1, 3, 8, 8, 16)),
    )


def _service(setting: Setting, character: Character, trace: Trace) -> SimulatedService:
    chance = setting.chance("service")
    size = size_of(setting.chance("size"))
    return SimulatedService(
        trace=trace,
        tokens=chance.randint(0, size) if character.is_short_of_tokens else 10 * size,
        climate=Climate(
            chance=setting.chance("climate"),
            refuses_second_send=chance.random() < 0.5,
            most_lag_seconds=chance.choice((0, 5, 60)),
            hides_status_share=0.5 if character.hides_status else 0.0,
            says_local_midnight=chance.random() < 0.5,
            balance_lies=chance.choice((0, 0, 0, -3, 7)),
        ),
    )
