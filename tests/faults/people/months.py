"""A world that lives for months: time passes, and people come back to their rows."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from random import Random
from typing import Final, TypeAlias

from faults.people.books import Book
from faults.people.command import Manner
from faults.people.computer import Computer, ends_of
from faults.people.machine import OwnTrace, WallClock
from faults.people.sheets import FIRST_ROW, Row
from faults.people.works import MOST_EDITED, Ledger, Maker
from faults.people.world import Setting
from faults.simulation.kept import Climate
from faults.simulation.oracle import Findings
from faults.simulation.passing_time import EPOCH, live_through
from faults.simulation.service import SimulatedService
from faults.simulation.trace import Trace
from faults.simulation.weather import Weather
from kawe.domain.batch.outcomes import Outcome, RowReport
from kawe.domain.sheet.findings import Severity

_DAY: Final = 86_400.0
_PAUSE_SECONDS: Final = 4_000
"""Longer than anybody can be thought to be at work."""
_MOST_RUNS: Final = 8
_MOST_TURNS: Final = 4
_TWICE: Final = "row-twice"
_ASKED: Final = frozenset({Outcome.INVALID, Outcome.HELD})
_ENDED: Final = frozenset({*_ASKED, Outcome.SENT})


@dataclass(slots=True, kw_only=True)
class Sheet:
    """One list of a workbook."""

    name: str
    rows: list[Row]


Reports: TypeAlias = Mapping[tuple[str, int], RowReport]
"""By sheet and number of the row."""
Asked: TypeAlias = Sequence[tuple[Row, RowReport]]
"""The rows that a person is asked about."""


@dataclass(slots=True, kw_only=True)
class Months:
    """A team's months with one service, and some computers."""

    seed: int
    chance: Random
    trace: Trace
    fault_share: float
    settle_seconds: float
    service: SimulatedService = field(init=False)
    weather: Weather = field(init=False)
    maker: Maker = field(init=False)
    ledger: Ledger = field(default_factory=Ledger)
    findings: Findings = field(default_factory=lambda: Findings(worlds=1))
    computers: list[Computer] = field(default_factory=list)
    last: list[Row] = field(default_factory=list)
    """The result of the last month, as kawe wrote it on the first computer."""
    habit: str = "first month"
    is_honest: bool = False
    """No row is a repeat, so that a workbook may not need more than one answer."""
    answered: set[int] = field(default_factory=set)
    """Works whose rows have a word in *Repeat of*, which people leave there."""
    has_column: bool = False
    """People write into the column *Repeat of* what they were asked before."""
    uses_column: bool = field(init=False)

    def __post_init__(self) -> None:
        """Make the service, and the first computer."""
        chance = self.chance
        self.uses_column = chance.random() < 0.5
        self.maker = Maker(chance=chance, has_references=chance.random() < 0.6)
        self.service = SimulatedService(
            trace=self.trace,
            tokens=1_000_000,
            climate=Climate(
                chance=Random(chance.random()),
                refuses_second_send=chance.random() < 0.5,
                most_lag_seconds=0,
                hides_status_share=0,
                says_local_midnight=chance.random() < 0.5,
                balance_lies=0,
            ),
        )
        self.weather = Weather(
            chance=Random(chance.random()),
            fault_share=self.fault_share,
            trace=self.trace,
            has_stormy_days=False,
        )
        self.computer()

    @property
    def home(self) -> Computer:
        """Give the computer on which the team usually works."""
        return self.computers[0]

    @property
    def today(self) -> date:
        return (EPOCH + timedelta(seconds=asyncio.get_running_loop().time())).date()

    def computer(self) -> Computer:
        """Give somebody a computer that has no journal yet."""
        name = f"computer {'ABCDEFGHIJ'[len(self.computers)]}"
        computer = Computer(
            name=name,
            service=self.service,
            weather=self.weather,
            trace=OwnTrace(whole=self.trace, name=name),
            chance=Random(self.chance.random()),
            clock=WallClock(ahead_seconds=0),
            manner=Manner(workers=8, settle_seconds=self.settle_seconds, is_alone=True),
            books=[],
            excused=None,
        )
        self.computers.append(computer)
        return computer

    def new_rows(self, number: int) -> list[Row]:
        """Write rows of new works."""
        return self.maker.rows(number, today=self.today)

    async def pass_days(self, days: float) -> None:
        """Let time pass; projects that are over are closed, or completed by iwi."""
        await asyncio.sleep(days * _DAY)
        now, today = asyncio.get_running_loop().time(), self.today.isoformat()
        self.service.pass_time(now)
        for kept in self.service.shelves.projects:
            is_over = kept.body["end_date"] < today
            is_open = kept.is_sent and kept.shown["closed_on"] is None
            if is_open and self.chance.random() < (0.5 if is_over else 0.02):
                status = self.chance.choice(("CLOSED", "COMPLETE"))
                closed = f"{today}T00:00:00.000Z"
                kept.change(None, at=now, status=status, closed_on=closed)

    async def submit(
        self, computer: Computer, path: str, *sheets: Sequence[Row]
    ) -> list[Row]:
        """Submit a workbook until all of it is sent, or nothing more can be said.

        Who is asked says truthfully what is a repeat, and what is new.
        """
        lists = [
            Sheet(name=f"Sheet {number}", rows=[*rows])
            for number, rows in enumerate(sheets, start=1)
        ]
        self._count_new(lists)
        if not any(each.rows for each in lists):
            return []
        accepts, turn, asked = False, 0, list[tuple[Row, RowReport]]()
        told: Reports = {}
        for turn in range(_MOST_TURNS):
            told = await self._run(computer, path, lists, accepts=accepts)
            asked = [each for each in _told(lists, told) if _is_asked(each[1])]
            if not turn:
                new = sum(self._is_new(row) for row, _ in asked)
                self.findings.asked[self.habit] += new
            if not asked:
                break
            accepts = self._answer(lists, asked, turn=turn)
            if not any(each.rows for each in lists):
                break
        self._end(turn, asked)
        reports = {id(row): report for row, report in _told(lists, told)}
        return [
            _as_result(row, reports.get(id(row))) for each in lists for row in each.rows
        ]

    def _count_new(self, lists: Sequence[Sheet]) -> None:
        rows = [row for each in lists for row in each.rows if self._is_new(row)]
        works = len({row.work for row in rows})
        self.findings.rows += works
        self.findings.new[self.habit] += works

    def _is_new(self, row: Row) -> bool:
        return not self.ledger.sends[row.work]

    async def _run(
        self, computer: Computer, path: str, lists: Sequence[Sheet], *, accepts: bool
    ) -> Reports:
        """Run kawe until it has said of every row how it stands."""
        books = [
            Book(path=path, sheet=each.name, rows=[*each.rows])
            for each in lists
            if each.rows
        ]
        rows = [row for each in lists for row in each.rows]
        others = (each for each in computer.books if each.path != path)
        computer.books = [*others, books[0]]
        self.ledger.write(rows)
        self.answered |= {row.work for row in rows if row.repeat_of}
        told: Sequence[RowReport] = ()
        for _ in range(_MOST_RUNS):
            ran = await computer.run(
                books[0],
                more=books[1:],
                accepts=accepts,
                ends_at=ends_of(self.chance, len(rows)) if self.fault_share else None,
            )
            self._read_ledger()
            told = () if ran is None else ran.rows
            have_ended = all(each.outcome in _ENDED for each in told)
            if have_ended and len(told) >= len(rows):
                break
            await asyncio.sleep(_PAUSE_SECONDS)
        found = {(each.where.sheet, each.where.row): each for each in told}
        self._judge(lists, found)
        return found

    def _read_ledger(self) -> None:
        again = self.ledger.read_on(self.service.spent, habit=self.habit)
        for work, send in again:
            edits = self.ledger.edits(work, send)
            words = f"{self.habit}: work {work} was sent again as project {send.number}"
            words += f" ({' and '.join(edits) or 'nothing'} edited)"
            if work in self.answered:
                self.findings.answered += 1
                continue
            if len(edits) > MOST_EDITED:
                self.findings.rewritten += 1
                continue
            self.findings.doubled += 1
            self.findings.doubled_by[self.habit] += 1
            self.findings.broken.append(words)

    def _judge(self, lists: Sequence[Sheet], told: Reports) -> None:
        """Hold what is said of each row against what the service did for its work."""
        if len(told) < sum(len(each.rows) for each in lists):
            self.findings.lost += 1
            self._breaks("rows are not reported")
        for row, report in _told(lists, told):
            if report.outcome not in _ENDED:
                self.findings.lost += 1
                self._breaks(f"at the end: {_words(row, report)}")
            elif report.outcome is Outcome.SENT and self._is_new(row):
                self.findings.claimed += 1
                self._breaks(f"falsely called sent: {_words(row, report)}")

    def _breaks(self, what: str) -> None:
        self.findings.broken.append(f"{self.habit}: {what}")

    def _answer(self, lists: Sequence[Sheet], asked: Asked, *, turn: int) -> bool:
        """Say what is so; `--accept repeats` where that is true of every row."""
        self.trace.say("  asked about", *(_words(*each) for each in asked))
        works = Counter(row.work for each in lists for row in each.rows)
        true = all(
            self._is_new(row) and works[row.work] == 1 and not _needs_number(report)
            for row, report in asked
        )
        if true and not self.uses_column:
            return True
        self.has_column = True
        reports = {id(row): report for row, report in asked}
        have_moved = any(self._has_moved(row) for row, _ in asked)
        seen = set[int]()
        for each in lists:
            rows, each.rows = each.rows, []
            for row in rows:
                report, is_first = reports.get(id(row)), row.work not in seen
                seen.add(row.work)
                if report is None:
                    each.rows.append(row)
                elif is_first:
                    number = have_moved or _needs_number(report)
                    stays = not turn and self.chance.random() < 0.3
                    twice = _has_twin(report)
                    each.rows += self._put_right(
                        row, number=number, twice=twice, stays=stays
                    )
        return False

    def _put_right(
        self, row: Row, *, number: bool, twice: bool, stays: bool
    ) -> Iterator[Row]:
        """Say whether a row is new, or which project it is, or take it out."""
        if self._is_new(row):
            reference = self.maker.reference() if number else row.reference
            name = f"{row.name} {row.work}" if twice else row.name
            yield replace(row, reference=reference, name=name, repeat_of="new")
        elif stays or self._has_moved(row):
            yield replace(row, reference=self._marker(row))

    def _marker(self, row: Row) -> str:
        sends = self.ledger.sends[row.work]
        return str(sends[0].body["reference"]) if sends else ""

    def _has_moved(self, row: Row) -> bool:
        marker = self._marker(row)
        return bool(marker and row.reference and row.reference != marker)

    def _end(self, turn: int, asked: Asked) -> None:
        self.findings.workbooks[self.habit] += 1
        self.findings.questions[self.habit] += turn
        self.findings.asked_again[self.habit] += turn > 1
        if turn > 1 and self.is_honest:
            self._breaks(f"{turn} questions about a workbook")
        for row, report in asked:
            if self._is_new(row):
                self.findings.stuck += 1
                self._breaks(f"no answer helps: {_words(row, report)}")


def _told(lists: Sequence[Sheet], told: Reports) -> Iterator[tuple[Row, RowReport]]:
    """Give what is reported of each row."""
    for each in lists:
        for number, row in enumerate(each.rows, start=FIRST_ROW):
            if (each.name, number) in told:
                yield row, told[each.name, number]


def _as_result(row: Row, report: RowReport | None) -> Row:
    """Give a row of the result, with what kawe wrote beside it."""
    if report is None:
        return row
    return replace(
        row, project_id=report.project_id or "", marker=report.reference or ""
    )


def _is_asked(report: RowReport) -> bool:
    # What the wire left in doubt is decided in the portal, and no row can say it.
    return (
        report.outcome in _ASKED and "without a clear answer" not in report.what_to_do
    )


def _needs_number(report: RowReport) -> bool:
    return "reference" in _rules(report) or _TWICE in _rules(report)


def _has_twin(report: RowReport) -> bool:
    return any("same name" in e.message for e in report.findings if e.rule == _TWICE)


def _rules(report: RowReport) -> str:
    errors = (e for e in report.findings if e.severity is Severity.ERROR)
    return " ".join(each.rule for each in errors)


def _words(row: Row, report: RowReport) -> str:
    why = _rules(report) or report.what_to_do
    return f"work {row.work} ({row.reference}): {report.outcome}, {why}"


def live(
    setting: Setting, life: Callable[[Months], Coroutine[None, None, None]]
) -> tuple[Findings, Months]:
    """Let a world live for months, and hold what became of it against the promises."""
    chance = setting.chance("months")
    months = Months(
        seed=setting.seed,
        chance=chance,
        trace=Trace(is_kept=setting.keeps_trace),
        fault_share=setting.faults_percent / 100 if chance.random() < 0.2 else 0,
        settle_seconds=setting.settle_seconds,
    )
    live_through(life(months), begin_seconds=0.0)
    findings = months.findings
    for computer in months.computers:
        findings.runs += computer.runs
        findings.ends.update(computer.ends)
        findings.unsaid += computer.unsaid
        findings.broken += computer.broken
    findings.struck.update(months.weather.struck)
    findings.broken = [f"seed {setting.seed}: {each}" for each in findings.broken]
    return findings, months
