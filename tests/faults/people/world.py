"""One world with several people in it, who work at the same time."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from random import Random
from typing import Final

from faults.people.books import (
    Book,
    Press,
    edited,
    following,
    halves,
    merged,
    number_of,
)
from faults.people.command import Manner
from faults.people.computer import Computer
from faults.people.machine import OwnTrace, WallClock
from faults.people.person import Person
from faults.simulation import world
from faults.simulation.colleague import NAME_BY_HAND, Colleague
from faults.simulation.kept import Climate, Kept
from faults.simulation.network import Question
from faults.simulation.passing_time import live_through
from faults.simulation.service import SimulatedService
from faults.simulation.trace import Trace
from faults.simulation.weather import Weather

_AMPLE_TOKENS: Final = 1_000_000
_MOST_PASSES: Final = 6
_PAUSES: Final = (4_000.0, 1_000.0)
"""Between two passes: longer than anybody can be thought to be at work."""
_ECHOES: Final = {"echoes otherwise": str.upper}


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting(world.Setting):
    """What is given to a world of people; odd are lost journals, and services."""

    def chance(self, of: str) -> Random:
        """Give a source of chance of its own for each part of the world."""
        return Random(f"people {self.seed} {of}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Character:
    """What is peculiar to a world."""

    computers: int
    size: int
    """Rows of the workbook that all begin with."""
    loses_journals: bool
    is_short_of_tokens: bool
    has_meddler: bool
    has_faults: bool
    is_alone: bool
    """What the setting `machines` says on each computer."""
    lag_seconds: float
    has_replicas: bool
    read_lag_seconds: float
    skew_seconds: float
    refuses_second_send: bool
    service_is: str
    sets_clocks: bool
    answers_late: bool
    """Some looks at drafts are, and colleagues edit just those drafts meanwhile."""


def size_of(setting: Setting) -> int:
    """Say how many rows the first workbook of a world has."""
    chance = setting.chance("size")
    kind = chance.random()
    if kind < 0.75:
        return chance.randint(3, 25)
    return chance.randint(25, 60) if kind < 0.97 else chance.randint(60, 150)


def character_of(setting: Setting) -> Character:
    """Draw what is peculiar to a world."""
    chance, odd = setting.chance("character"), setting.oddities_percent / 100
    is_alone = chance.random() < 0.75
    oddity = chance.choice(("echoes otherwise", "ignores draft"))
    return Character(
        computers=chance.choice((2, 2, 2, 3, 3, 4)),
        size=size_of(setting),
        loses_journals=chance.random() < odd,
        is_short_of_tokens=chance.random() < 0.3,
        has_meddler=chance.random() < 0.25,
        has_faults=chance.random() < 0.6,
        is_alone=is_alone,
        lag_seconds=chance.choice((0, 0, 2, 20)),
        has_replicas=not is_alone and chance.random() < 0.5,
        read_lag_seconds=chance.choice((0, 0, 0, 4)),
        skew_seconds=chance.choice((0, 0, 1)),
        refuses_second_send=chance.random() < 0.5,
        service_is=oddity if chance.random() < odd else "",
        sets_clocks=chance.random() < 0.3,
        answers_late=setting.chance("late answers").random() < 0.1,
    )


@dataclass(slots=True, kw_only=True)
class World:
    """A world, which lives once."""

    setting: Setting
    character: Character = field(init=False)
    trace: Trace = field(init=False)
    service: SimulatedService = field(init=False)
    weather: Weather = field(init=False)
    colleague: Colleague = field(init=False)
    press: Press = field(init=False)
    people: list[Person] = field(init=False)
    edit_chance: Random = field(init=False)
    excused: set[int] = field(default_factory=set)
    passes: int = 0
    acts_at_rest: int = 0
    """Unsafe calls of a pass after nothing was left to do."""

    def __post_init__(self) -> None:
        """Make the world as its seed says."""
        setting = self.setting
        self.character = character_of(setting)
        self.edit_chance = setting.chance("late edits")
        self.trace = Trace(is_kept=setting.keeps_trace)
        self.trace.say(repr(self.character))
        self.service = _service(setting, self.character, self.trace)
        share = setting.faults_percent / 100 if self.character.has_faults else 0
        self.weather = Weather(
            chance=setting.chance("weather"),
            fault_share=share,
            trace=self.trace,
            has_stormy_days=share > 0 and setting.chance("storms").random() < 0.4,
            slow_share=0.3 if self.character.answers_late else 0,
        )
        self.press = _press(setting, self.character)
        first = Book(path="monthly.xlsx", rows=self.press.rows(self.character.size))
        self.people = [
            self._person(number, first) for number in range(self.character.computers)
        ]
        self.colleague = self._colleague()

    @property
    def computers(self) -> list[Computer]:
        return [each.computer for each in self.people]

    def live(self) -> None:
        """Live from the first run to the last."""
        live_through(self._live(), begin_seconds=0.0)

    async def _live(self) -> None:
        async with asyncio.TaskGroup() as group:
            for person in self.people:
                group.create_task(person.live())
        self._calm_down()
        for number in range(_MOST_PASSES):
            await asyncio.sleep(_PAUSES[number % len(_PAUSES)])
            acts = await self._pass()
            if number and not acts:
                break
        await asyncio.sleep(_PAUSES[0])
        self.acts_at_rest = await self._pass()

    async def _pass(self) -> int:
        """Let everybody run everything once more; count the unsafe calls."""
        self.passes += 1
        acts = 0
        for computer in self.computers:
            for book in (*computer.books, None):
                self.service.tokens = _AMPLE_TOKENS
                await computer.run(book)
                acts += computer.acts
        return acts

    def _calm_down(self) -> None:
        self.service.pass_time(asyncio.get_running_loop().time() + 1_000)
        self.weather.is_calm = True
        climate = self.service.climate
        climate.most_lag_seconds = climate.most_read_lag_seconds = 0
        self.trace.say("calm")

    def touched(self) -> set[int]:
        """Name the rows whose projects a colleague had in hand."""
        return {
            number_of(each.shown["name"])
            for each in self._projects()
            if each.touched_at is not None
        }

    def of_row(self) -> dict[int, list[Kept]]:
        """Give the projects of each row, whatever they are called."""
        found: dict[int, list[Kept]] = {}
        for each in self._projects():
            found.setdefault(number_of(each.shown["name"]), []).append(each)
        return found

    def _projects(self) -> list[Kept]:
        """Give the projects of rows: a colleague has some of their own."""
        return [
            each
            for each in self.service.shelves.projects
            if not each.shown["name"].startswith(NAME_BY_HAND)
        ]

    def _person(self, number: int, first: Book) -> Person:
        setting, character = self.setting, self.character
        chance = setting.chance(f"person {number}")
        name = f"computer {'ABCD'[number]}"
        trace = OwnTrace(whole=self.trace, name=name)
        minutes = chance.choice((0.0, 0.0, -7.0, -0.5, 0.1, 3.0, 9.0))
        books = [first.copy()]
        if number:
            books = self._books(first, chance)
        trace.say("has", *(f"{b.path} ({len(b.rows)})" for b in books), minutes)
        computer = Computer(
            name=name,
            service=self.service,
            weather=self.weather,
            trace=trace,
            chance=setting.chance(f"computer {number}"),
            clock=WallClock(ahead_seconds=60 * minutes),
            manner=Manner(
                workers=chance.choice((1, 3, 8, 8)),
                settle_seconds=setting.settle_seconds,
                is_alone=character.is_alone,
            ),
            books=books,
            excused=self.excused,
            meets=self._edit_late if character.answers_late else None,
        )
        return Person(
            computer=computer,
            chance=chance,
            press=self.press,
            excused=self.excused,
            loses_journals=character.loses_journals,
            sets_clocks=character.sets_clocks,
        )

    def _edit_late(self, _: int, question: Question) -> None:
        """Edit a draft that is looked at just now, now and then."""
        draft = self.service.shelves.by_id.get(question.path.get("id", ""))
        is_looked_at = question.operation == "project_read" and draft is not None
        if not is_looked_at or self.weather.is_calm or self.edit_chance.random() > 0.3:
            return

        def edit() -> None:
            if draft is not None and not draft.is_sent:
                self.colleague.edits(draft)

        at = asyncio.get_running_loop().time() + self.edit_chance.uniform(0.3, 2)
        self.service.later(at, edit)

    def _books(self, first: Book, chance: Random) -> list[Book]:
        """Give what another computer has of the first one's workbook."""
        kind = chance.random()
        if kind < 0.5:
            return [first.copy()]
        if kind < 0.6:
            copy = first.copy()
            for at in range(0, len(copy.rows), 3):
                self.excused.add(number_of(copy.change(at, edited).name))
            return [copy]
        if kind < 0.75:
            return halves(first, chance)
        if kind < 0.85:
            others = Book(path="ours.xlsx", rows=self.press.rows(chance.randint(1, 9)))
            return [merged([first, others], "together.xlsx")]
        december = following(
            first, press=self.press, chance=chance, path="december.xlsx"
        )
        return [first.copy(), december] if chance.random() < 0.5 else [december]

    def _colleague(self) -> Colleague:
        chance, character = self.setting.chance("colleague"), self.character
        colleague = Colleague(
            service=self.service,
            chance=chance,
            meddles=character.has_meddler,
            buys=character.is_short_of_tokens,
        )
        deeds = [colleague._creates] * chance.choice((0, 0, 1, 3))
        if colleague.meddles:
            kinds = (colleague._edits, colleague._sends)
            deeds += [chance.choice(kinds) for _ in range(chance.randint(1, 6))]
        if colleague.buys:
            deeds += [colleague._buys] * chance.randint(0, 4)
        for deed in deeds:
            self.service.later(chance.uniform(0, 600), deed)
        return colleague


def _press(setting: Setting, character: Character) -> Press:
    chance = setting.chance("rows")
    echoes = character.service_is in _ECHOES
    return Press(
        chance=chance,
        has_files=chance.random() < 0.15,
        has_organisations=chance.random() < 0.2,
        unnumbered=0.0 if echoes else chance.choice((0.0, 0.2, 1.0)),
        prefix="r-" if echoes else "R-",
    )


def _service(setting: Setting, character: Character, trace: Trace) -> SimulatedService:
    chance, size = setting.chance("service"), character.size
    short = chance.randint(0, size)
    return SimulatedService(
        trace=trace,
        tokens=short if character.is_short_of_tokens else 100 * size,
        climate=Climate(
            chance=setting.chance("climate"),
            refuses_second_send=character.refuses_second_send,
            most_lag_seconds=character.lag_seconds,
            hides_status_share=0,
            says_local_midnight=chance.random() < 0.5,
            balance_lies=chance.choice((0, 0, 0, -3, 7)),
            lags_evenly=character.is_alone,
            has_replicas=character.has_replicas,
            most_read_lag_seconds=character.read_lag_seconds,
            most_skew_seconds=character.skew_seconds,
            echo=_ECHOES.get(character.service_is, str),
            ignores_draft=character.service_is == "ignores draft",
        ),
    )
