"""Planting a bug in a copy of kawe, and seeing whether the tests notice."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final

from faults.planted.bugs import ROOT, Bug, spoilt

_COPIED: Final = ("src", "tests", "tools")
_LINKED: Final = ("docs", "samples")
_LEFTOVERS: Final = shutil.ignore_patterns(".hypothesis", "*.tmp")
_MOST_SECONDS: Final = 600
_STRANGE: Final = 99
# In the tests' own process: the kawe that is imported must be the copy's.
_PROGRAM: Final = f"""\
import sys, kawe, pytest
if not kawe.__file__.startswith(sys.argv[1]):
    raise SystemExit({_STRANGE})
raise SystemExit(pytest.main(sys.argv[2:]))
"""
# One process, whatever the project's own options say: only its kawe is looked at.
_OPTIONS: Final = (
    *("-x", "-q", "--no-header", "--tb=line"),
    *("-p", "no:cacheprovider", "-o", "addopts=--import-mode=importlib"),
)


class End(StrEnum):
    """How the tests ended."""

    CAUGHT = "caught"
    """At least one of them failed."""
    MISSED = "missed"
    """They all passed."""
    NOT_TRIED = "not tried"
    """They did not run: no such test, no end, or another kawe was imported."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """One bug, and whether it was noticed."""

    bug: Bug
    end: End
    seconds: float
    by: str
    """The test that noticed it; else the last words of the tests."""


def plant_all(
    bugs: Sequence[Bug], *, processes: int, tell: Callable[[Trial], None]
) -> list[Trial]:
    """Plant each bug in a copy of its own, several at a time."""

    def one(bug: Bug) -> Trial:
        trial = plant(bug)
        tell(trial)
        return trial

    with ThreadPoolExecutor(processes) as pool:
        return list(pool.map(one, bugs))


def plant(bug: Bug) -> Trial:
    """Plant a bug in a copy and run the tests that are to catch it.

    Raises:
        Misfit: Its patch does not fit.
    """
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="kawe-planted-") as folder:
        copy = copied(Path(folder).resolve() / "kawe")
        for name, text in spoilt(bug, root=copy).items():
            (copy / name).write_text(text, encoding="utf-8")
        end, by = tested(copy, bug.caught_by)
    return Trial(bug=bug, end=end, seconds=time.monotonic() - began, by=by)


def copied(to: Path) -> Path:
    """Copy what the tests need; what they only look at is linked."""
    to.mkdir()
    for name in _COPIED:
        shutil.copytree(ROOT / name, to / name, ignore=_LEFTOVERS)
    for name in _LINKED:
        (to / name).symlink_to(ROOT / name)
    shutil.copy2(ROOT / "pyproject.toml", to)
    return to


def tested(copy: Path, tests: Sequence[str]) -> tuple[End, str]:
    """Run tests in a copy; say how they ended and which one failed."""
    command = [sys.executable, "-c", _PROGRAM, str(copy), *_OPTIONS, *tests]
    try:
        ran = subprocess.run(
            command,
            cwd=copy,
            env={**os.environ, "PYTHONPATH": str(copy / "src")},
            check=False,
            capture_output=True,
            text=True,
            timeout=_MOST_SECONDS,
        )
    except subprocess.TimeoutExpired:
        return End.NOT_TRIED, "no end"
    failed = [line for line in ran.stdout.splitlines() if line.startswith("FAILED ")]
    match ran.returncode:
        case 0:
            return End.MISSED, "every test passed"
        case 1 if failed:
            return End.CAUGHT, failed[0].split(" ", 2)[1].rpartition("::")[2]
        case _:
            last = (ran.stdout + ran.stderr).strip().splitlines()[-1:]
            return End.NOT_TRIED, f"{ran.returncode}: {''.join(last)}"
