"""One fault of the disk under a submit, and what must hold afterwards."""

from __future__ import annotations

import errno
import json
import zipfile
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from io import BytesIO
from itertools import count
from pathlib import Path
from queue import SimpleQueue
from typing import Any, Final

import kawe.cases.kinds  # noqa: F401 - declares what a journal's rows can be
from doubles.command import Person
from doubles.failing_disk import Commands, Ended, Fault, a_person, commands, submitting
from doubles.power import Kind
from kawe.journal.history import verify_journal

ACTS: Final = ("project_create", "project_send")
AT_ONCE: Final = 2
_CODES: Final = frozenset({0, 2, 3, 4, 5, 6, 7})
_SPILT: Final = ("Traceback", "Logging error", "Exception ignored", "Error:")


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """Which fault strikes which submit."""

    fault: Fault
    rows: int = 3
    workers: int = 8
    attachment: bool = False
    again: bool = False
    """The submit that is struck is the second one: there is an old result."""
    closely: bool = True
    """One more run shows that nothing is left to do."""

    def __str__(self) -> str:
        return f"{self.rows} rows{' again' if self.again else ''}, {self.fault}"


@dataclass(slots=True, kw_only=True)
class Trial:
    """What became of a case."""

    case: Case
    struck: bool
    code: int
    said: str
    complaints: list[str] = field(default_factory=list)
    to_a_person: int = 0
    sends: tuple[int, ...] = ()

    def expect(self, holds: object, otherwise: str) -> None:
        """Complain where something does not hold."""
        if not holds:
            self.complaints.append(f"{self.case}: {otherwise}")


class Trials:
    """Carries cases out, a few at once, each with a person and a twin of its own."""

    def __init__(self, folder: Path, births: list[Commands]) -> None:
        self._folder = folder
        self._free: SimpleQueue[Commands] = SimpleQueue()
        for each in births:
            self._free.put(each)
        self._pool = ThreadPoolExecutor(max_workers=len(births))
        self._numbers = count(1)

    def until_untouched(self, case_of: Callable[[int], Case]) -> list[Trial]:
        """Try the first, second, third ... call until a run is not struck."""
        done: list[Trial] = []
        first = 1
        while all(trial.struck for trial in done):
            done += self.every(case_of(first + more) for more in range(8))
            first += 8
        return [trial for trial in done if trial.struck]

    def every(self, cases: Iterator[Case]) -> list[Trial]:
        return list(self._pool.map(self._try, list(cases)))

    def _try(self, case: Case) -> Trial:
        number = next(self._numbers)
        folder = self._folder / f"trial-{number}"
        born = self._free.get()
        try:
            with a_person(folder, rows=case.rows, attachment=case.attachment) as person:
                return _tried(case, person, born)
        finally:
            self._free.put(born)

    def close(self) -> None:
        self._pool.shutdown()


@contextmanager
def trials(folder: Path, *, at_once: int = AT_ONCE) -> Iterator[Trials]:
    """Have what it takes to carry cases out."""
    with ExitStack() as stack:
        births = [
            stack.enter_context(commands(folder / f"commands-{number}"))
            for number in range(at_once)
        ]
        running = Trials(folder, births)
        stack.callback(running.close)
        yield running


def _tried(case: Case, person: Person, born: Commands) -> Trial:
    words = submitting("--workers", str(case.workers))
    if case.again:
        born.run(person, words)
    old = _result(person)
    ended = born.run(person, words, fault=case.fault)
    trial = Trial(
        case=case, struck=ended.struck > 0, code=ended.code, said=ended.err.strip()
    )
    if not trial.struck:
        return trial
    _look_at_end(trial, ended)
    result = _result(person)
    trial.expect(
        result == old or _is_whole(result), "the result is neither old nor new"
    )
    _look_at_next(trial, person, born.run(person, words))
    if case.closely:
        before = _acts(person)
        last = born.run(person, words)
        trial.expect(last.code == 0, f"one more run ended with {last.code}")
        trial.expect(_acts(person) == before, "one more run made unsafe calls")
    trial.sends = tuple(each["sends"] for each in person.state()["projects"])
    trial.expect(
        trial.sends == (1,) * case.rows, f"the rows were sent {trial.sends} times"
    )
    return trial


def _look_at_end(trial: Trial, ended: Ended) -> None:
    fault, said = trial.case.fault, ended.err + ended.out
    trial.expect(ended.code in _CODES, f"ended with {ended.code}: {ended.err}")
    trial.expect(not any(each in said for each in _SPILT), f"spilt: {ended.err}")
    # An attachment that cannot be read is a finding, and stands in the result.
    if ended.code not in {0, 3, 4}:
        last = ended.err.strip().splitlines()[-1:]
        trial.expect(
            last and last[0].startswith("kawe: ") and last[0].count(". ") >= 1,
            f"says nothing that helps: {ended.err}",
        )
    is_journal = ".journal" in ended.where
    if fault.kind is Kind.FSYNC and is_journal and trial.case.workers == 1:
        trial.expect(
            ended.code == 6 and ended.acts_after == 0,
            f"went on after a failed fsync: {ended.code}, {ended.acts_after} acts",
        )


def _look_at_next(trial: Trial, person: Person, ended: Ended) -> None:
    counts = _counts(ended)
    trial.to_a_person = trial.case.rows - counts.get("sent", 0)
    trial.expect(
        (ended.code, counts) == (0, {"sent": trial.case.rows}),
        f"the next run ended with {ended.code}: {counts} {ended.err}",
    )
    (journal,) = (person.folder / "home").rglob("*.journal")
    fault = verify_journal(journal).fault
    trial.expect(fault is None, f"the journal is not whole: {fault}")
    trial.expect(_is_whole(_result(person)), "no whole result in the end")
    left = [each.name for each in person.folder.glob(".kawe-*")]
    may_be_left = trial.case.fault.kind is Kind.UNLINK or trial.case.fault.keeps_on
    trial.expect(may_be_left or not left, f"left behind: {left}")


def _counts(ended: Ended) -> dict[str, int]:
    try:
        counts: dict[str, int] = json.loads(ended.out)["counts"]
    except (ValueError, KeyError):
        return {}
    return counts


def _acts(person: Person) -> dict[str, Any]:
    requests = person.state()["requests"]
    return {name: requests.get(name) for name in ACTS}


def _result(person: Person) -> bytes | None:
    path = person.folder / "monthly.result.xlsx"
    return path.read_bytes() if path.exists() else None


def _is_whole(result: bytes | None) -> bool:
    if result is None:
        return False
    try:
        with zipfile.ZipFile(BytesIO(result)) as archive:
            return archive.testzip() is None and "xl/workbook.xml" in archive.namelist()
    except zipfile.BadZipFile:
        return False


def error_at(number: int) -> int:
    """Give an error for the n-th call: both are met in turn."""
    return errno.EIO if number % 2 else errno.ENOSPC


def complaints(trials: Iterable[Trial]) -> list[str]:
    """Give all that did not hold."""
    return [each for trial in trials for each in trial.complaints]
