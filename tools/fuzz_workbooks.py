"""Read and check thousands of spoiled workbooks, each in a process of its own.

A workbook may be read, or refused in one plain sentence. A traceback, a
process that dies, more than 10 s and more than 512 MiB are failures: the
workbook is kept, with what was done to it.

    python tools/fuzz_workbooks.py                  5,000 workbooks
    python tools/fuzz_workbooks.py 400 20261121     so many, from this seed
    python tools/fuzz_workbooks.py --only 17        number 17 of that seed again

Needs fork: Linux or macOS.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import resource
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from pathlib import Path
from random import Random
from typing import Final

from fuzz_mutations import Spoiled, spoil
from kawe.errors import KaweError
from kawe.settings import Settings
from kawe.toolkit.kit import Reading, Toolkit

ROOT: Final = Path(__file__).resolve().parent.parent
KEPT: Final = ROOT / "build" / "fuzz"
MOST_SECONDS: Final = 10
MOST_BYTES: Final = 512 * 2**20
_LOOK_SECONDS: Final = 0.002
# Linux counts kilobytes, macOS bytes.
_RSS_UNIT: Final = 1 if sys.platform == "darwin" else 1024


class End(IntEnum):
    """How a process ended; the value is its exit code."""

    TABLE = 0
    REFUSAL = 3
    TRACEBACK = 4
    UNPLAIN = 5
    """Refused, but not in one plain sentence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ran:
    """What one process took, and how it ended."""

    end: str
    seconds: float
    peak_bytes: int

    @property
    def is_good(self) -> bool:
        """Say whether the workbook was read, or plainly refused."""
        good = {End.TABLE.name, End.REFUSAL.name}
        return self.end in good and self.peak_bytes <= MOST_BYTES


@dataclass(slots=True, kw_only=True)
class Figures:
    """What all of them came to."""

    ends: Counter[str] = field(default_factory=Counter)
    slowest: tuple[float, int] = (0.0, 0)
    """Seconds, and the number of the workbook; so too the peak."""
    peak: tuple[int, int] = (0, 0)
    failures: list[int] = field(default_factory=list)

    def add(self, number: int, ran: Ran) -> None:
        """Count one workbook."""
        self.ends[ran.end] += 1
        self.slowest = max(self.slowest, (ran.seconds, number))
        self.peak = max(self.peak, (ran.peak_bytes, number))
        if not ran.is_good:
            self.failures.append(number)


class Silent:
    """Implements the ports `Progress` and `Halt`."""

    asked = False

    def begin(self, what: str, *, total: int) -> None:
        """Say nothing."""

    def advance(self, things: int = 1) -> None:
        """Say nothing."""

    def say(self, sentence: str) -> None:
        """Say nothing."""


def good_workbooks() -> list[Path]:
    """Give the samples that can be read, in a fixed order."""
    return sorted(
        path
        for folder in ("good", "odd")
        for path in (ROOT / "samples" / folder).glob("*/*.xlsx")
    )


def spoiled(number: int, *, seed: int, samples: Sequence[bytes]) -> Spoiled:
    """Make the workbook with this number; always the same one for a seed."""
    chance = Random(f"{seed}:{number}")
    return spoil(chance.choice(samples), chance=chance)


def check(path: Path) -> None:
    """Read and check a workbook as `kawe check --offline` does."""
    quiet = Silent()
    kit = Toolkit(
        settings=Settings(base_url=None, key=None), progress=quiet, halt=quiet
    )
    checked = asyncio.run(kit.check(Reading(workbook=path), service=None, journal=None))
    kit.check_report(checked, workbook=path)


def run(path: Path, *, said: Path) -> Ran:
    """Check `path` in a fork of this process, which has everything loaded."""
    begun = time.monotonic()
    child = os.fork()
    if child == 0:
        _in_child(path, said)
    ended, status, used = os.wait4(child, os.WNOHANG)
    while not ended:
        if time.monotonic() - begun > MOST_SECONDS:
            os.kill(child, signal.SIGKILL)
            _, _, used = os.wait4(child, 0)
            return _ran("HANG", begun, used)
        time.sleep(_LOOK_SECONDS)
        ended, status, used = os.wait4(child, os.WNOHANG)
    if os.WIFSIGNALED(status):
        return _ran(
            f"KILLED BY {signal.Signals(os.WTERMSIG(status)).name}", begun, used
        )
    code = os.WEXITSTATUS(status)
    named = {end.value: end.name for end in End}
    return _ran(named.get(code, f"EXIT CODE {code}"), begun, used)


def _ran(end: str, begun: float, used: resource.struct_rusage) -> Ran:
    return Ran(
        end=end,
        seconds=time.monotonic() - begun,
        peak_bytes=used.ru_maxrss * _RSS_UNIT,
    )


def _in_child(path: Path, said: Path) -> None:
    """Check `path` within limits, and end the process."""
    try:
        resource.setrlimit(resource.RLIMIT_DATA, (MOST_BYTES, MOST_BYTES))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        out = os.open(said, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        os.dup2(out, 1)
        os.dup2(out, 2)
        os._exit(_end_of(path))
    finally:
        # Whatever happens, the child never returns into the parent's loop.
        os._exit(End.TRACEBACK)


def _end_of(path: Path) -> End:
    try:
        check(path)
    except KaweError as why:
        words = f"{why.message}{why.hint}"
        os.write(2, words.encode("utf-8", "backslashreplace"))
        return End.REFUSAL if words.isprintable() else End.UNPLAIN
    except BaseException:  # noqa: BLE001 (a panic of calamine is no Exception)
        os.write(2, traceback.format_exc().encode("utf-8", "backslashreplace"))
        return End.TRACEBACK
    return End.TABLE


def campaign(numbers: Sequence[int], *, seed: int) -> Figures:
    """Run all of them; failures are kept below `build/fuzz` and told."""
    paths = good_workbooks()
    samples = [path.read_bytes() for path in paths]
    for path in paths:
        # Once here, so that what is loaded late is loaded for every child.
        check(path)
    figures = Figures()
    with tempfile.TemporaryDirectory(prefix="kawe-fuzz-") as folder:
        path, said = Path(folder) / "spoiled.xlsx", Path(folder) / "said.txt"
        for number in numbers:
            workbook = spoiled(number, seed=seed, samples=samples)
            path.write_bytes(workbook.data)
            ran = run(path, said=said)
            figures.add(number, ran)
            if not ran.is_good:
                _keep(f"{seed}-{number}", workbook, ran, said=said)
    return figures


def _keep(name: str, workbook: Spoiled, ran: Ran, *, said: Path) -> None:
    KEPT.mkdir(parents=True, exist_ok=True)
    (KEPT / f"{name}.xlsx").write_bytes(workbook.data)
    words = [
        f"{ran.end} after {ran.seconds:.1f} s, {ran.peak_bytes / 2**20:.0f} MiB",
        *workbook.done,
        said.read_text("utf-8", "replace") if said.exists() else "",
    ]
    text = "\n".join(words).encode("utf-8", "backslashreplace")
    (KEPT / f"{name}.txt").write_bytes(text)
    print(f"FAILURE {name}: {ran.end}; kept in {KEPT}", flush=True)


def say(figures: Figures) -> None:
    """Print the figures."""
    ends = figures.ends
    print(
        f"{ends.total()} spoiled workbooks: {ends[End.TABLE.name]} read, "
        f"{ends[End.REFUSAL.name]} refused plainly, {len(figures.failures)} failures"
    )
    print(f"slowest {figures.slowest[0]:.1f} s (number {figures.slowest[1]})")
    print(f"peak {figures.peak[0] / 2**20:.0f} MiB (number {figures.peak[1]})")


def main() -> int:
    """Fail when any workbook did."""
    words = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    words.add_argument("count", type=int, nargs="?", default=5_000)
    words.add_argument("seed", type=int, nargs="?", default=20261121)
    words.add_argument("--only", type=int, action="append")
    given = words.parse_args()
    figures = campaign(given.only or range(given.count), seed=given.seed)
    say(figures)
    return 1 if figures.failures else 0


if __name__ == "__main__":
    sys.exit(main())
