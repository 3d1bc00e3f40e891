"""Processes that check spoiled workbooks, and one that watches them.

Each worker is a fork that has everything loaded, takes a few hundred
workbooks, and tells before and after each. Whoever is silent for too long is
ended, and another goes on behind the workbook that it stumbled over. Memory is
the peak of the process, put back before each workbook where the system can
(Linux), else that of all its workbooks so far.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import resource
import signal
import sys
import time
import traceback
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from enum import Enum, auto
from multiprocessing.connection import Connection, wait
from multiprocessing.context import ForkProcess
from pathlib import Path
from typing import Final

from faults.fuzzing.mutations import Spoiled
from kawe.cases.kit import Toolkit
from kawe.cli.output.next_command import in_commands
from kawe.domain.batch.readings import Reading
from kawe.errors import KaweError
from kawe.ports import Pace
from kawe.settings.values import Settings

MOST_SECONDS: Final = 10
"""Of the CPU, for one workbook: a busy machine is no fault of it."""
_HANG_SECONDS: Final = 60
"""By the clock; then whoever makes or checks a workbook is ended."""
MOST_BYTES: Final = 512 * 2**20
_WORKERS: Final = os.cpu_count() or 1
_SHIFT: Final = 250
"""Workbooks for one process; then a fresh one goes on."""
_LOOK_SECONDS: Final = 0.5
# Linux counts kilobytes, macOS bytes.
_RSS_UNIT: Final = 1 if sys.platform == "darwin" else 1024
_REFS: Final = Path("/proc/self/clear_refs")
_STATUS: Final = Path("/proc/self/status")


class End(Enum):
    """How the check of a workbook ended."""

    TABLE = auto()
    REFUSAL = auto()
    TRACEBACK = auto()
    UNPLAIN = auto()
    """Refused, but not in one plain sentence."""
    HANG = auto()


@dataclass(frozen=True, slots=True, kw_only=True)
class Ran:
    """What one workbook took, and how it ended."""

    end: str
    seconds: float
    peak_bytes: int
    changes: int = 0
    """How many changes the workbook was spoiled with."""
    said: str = ""

    @property
    def is_good(self) -> bool:
        """Say whether the workbook was read, or plainly refused, within bounds."""
        good = {End.TABLE.name, End.REFUSAL.name}
        is_small = self.peak_bytes <= MOST_BYTES
        return self.end in good and is_small and self.seconds <= MOST_SECONDS


class Silent:
    """Implements the ports `Progress` and `Halt`."""

    asked = False

    def follow(self, pace: Pace) -> None:
        """Say nothing."""

    def begin(self, what: str, *, total: int) -> None:
        """Say nothing."""

    def advance(self, things: int = 1) -> None:
        """Say nothing."""

    def say(self, sentence: str) -> None:
        """Say nothing."""


def check(path: Path, *, result: Path | None = None) -> None:
    """Read and check a workbook as `kawe check --offline` does; write its result."""
    quiet = Silent()
    kit = Toolkit(
        settings=Settings(base_url=None, key=None), progress=quiet, halt=quiet
    )
    checked = asyncio.run(kit.check(Reading(workbook=path)))
    report = kit.check_report(checked, workbook=path)
    if result is not None:
        kit.writer(path).write(report, result)


@dataclass(slots=True, kw_only=True)
class _Worker:
    """A process at work, as the one that watches sees it."""

    process: ForkProcess
    ears: Connection
    left: deque[int]
    """The numbers of the workbooks that it has yet to end, the present one first."""
    until: float
    """When the one that is being made or checked must be done."""
    said: Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Crew:
    """Workers for every core, each ended and replaced when it fails."""

    make: Callable[[int], Spoiled]
    folder: Path
    _at_work: dict[Connection, _Worker] = field(default_factory=dict)

    def run(self, numbers: Sequence[int]) -> Iterator[tuple[int, Ran]]:
        """Check the workbooks of all `numbers`; give how each ended, in any order."""
        shifts = deque(
            deque(numbers[at : at + _SHIFT]) for at in range(0, len(numbers), _SHIFT)
        )
        while shifts or self._at_work:
            while shifts and len(self._at_work) < _WORKERS:
                self._hire(shifts.popleft())
            for ears in wait(list(self._at_work), timeout=_LOOK_SECONDS):
                assert isinstance(ears, Connection)
                yield from self._hear(self._at_work[ears], shifts)
            for worker in list(self._at_work.values()):
                if time.monotonic() > worker.until:
                    worker.process.kill()
                    yield from self._bury(worker, shifts, End.HANG.name)

    def _hire(self, numbers: deque[int]) -> None:
        ears, mouth = multiprocessing.Pipe(duplex=False)
        said = self.folder / f"said-{ears.fileno()}.txt"
        process = multiprocessing.get_context("fork").Process(
            target=_work,
            args=(self.make, list(numbers)),
            kwargs={"mouth": mouth, "said": said},
            daemon=True,
        )
        process.start()
        mouth.close()
        self._at_work[ears] = _Worker(
            process=process,
            ears=ears,
            left=numbers,
            until=time.monotonic() + _HANG_SECONDS,
            said=said,
        )

    def _hear(
        self, worker: _Worker, shifts: deque[deque[int]]
    ) -> Iterator[tuple[int, Ran]]:
        try:
            told = worker.ears.recv()
        except EOFError:
            yield from self._bury(worker, shifts, "")
            return
        worker.until = time.monotonic() + _HANG_SECONDS
        if isinstance(told, Ran):
            yield worker.left.popleft(), told

    def _bury(
        self, worker: _Worker, shifts: deque[deque[int]], end: str
    ) -> Iterator[tuple[int, Ran]]:
        """Clear up after a process that has ended, well or not."""
        worker.process.join()
        worker.ears.close()
        self._at_work.pop(worker.ears)
        if not worker.left:
            return
        code = worker.process.exitcode or 0
        if code < 0 and not end:
            end = f"KILLED BY {signal.Signals(-code).name}"
        took = _HANG_SECONDS + time.monotonic() - worker.until
        said = worker.said.read_text("utf-8", "replace")
        end = end or f"EXIT CODE {code}"
        yield worker.left.popleft(), Ran(end=end, seconds=took, peak_bytes=0, said=said)
        if worker.left:
            shifts.appendleft(worker.left)


def _work(
    make: Callable[[int], Spoiled],
    numbers: Sequence[int],
    *,
    mouth: Connection,
    said: Path,
) -> None:
    """Check the workbooks of `numbers` within limits; the work of one process."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    out = os.open(said, os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o600)
    os.dup2(out, 1)
    os.dup2(out, 2)
    for number in numbers:
        workbook = make(number)
        path = said.with_suffix(f".{workbook.ending}")
        path.write_bytes(workbook.data)
        mouth.send(number)
        os.ftruncate(out, 0)
        os.lseek(out, 0, os.SEEK_SET)
        mouth.send(_checked(path, said, changes=len(workbook.done)))


def _checked(path: Path, said: Path, *, changes: int) -> Ran:
    _forget_peak()
    # Making a workbook may take what it likes; checking it may not.
    _, most = resource.getrlimit(resource.RLIMIT_DATA)
    resource.setrlimit(resource.RLIMIT_DATA, (MOST_BYTES, most))
    begun = time.process_time()
    end = _end_of(path)
    took = time.process_time() - begun
    resource.setrlimit(resource.RLIMIT_DATA, (most, most))
    return Ran(
        end=end.name,
        seconds=took,
        peak_bytes=_peak_bytes(),
        changes=changes,
        said=said.read_text("utf-8", "replace"),
    )


def _end_of(path: Path) -> End:
    result = path.with_name(f"{path.stem}.result.xlsx")
    for each in path.parent.glob(f"{path.stem}.result*"):
        each.unlink()
    try:
        check(path, result=result)
    except KaweError as why:
        words = in_commands(f"{why.message}{why.hint}")
        os.write(2, words.encode("utf-8", "backslashreplace"))
        return End.REFUSAL if words.isprintable() else End.UNPLAIN
    except BaseException:  # noqa: BLE001 (a panic of calamine is no Exception)
        os.write(2, traceback.format_exc().encode("utf-8", "backslashreplace"))
        return End.TRACEBACK
    return End.TABLE


def _forget_peak() -> None:
    with suppress(OSError):
        _REFS.write_text("5")


def _peak_bytes() -> int:
    with suppress(OSError):
        for line in _STATUS.read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * _RSS_UNIT
