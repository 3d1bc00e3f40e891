"""Where the parts of a release lie, and how other programs are run for it."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from packaging.utils import parse_wheel_filename

ROOT: Final = Path(__file__).resolve().parents[2]
DIST: Final = ROOT / "dist"
BUILD: Final = ROOT / "build"
CONSTRAINTS: Final = ROOT / "constraints.txt"
LOCK: Final = ROOT / "uv.lock"


def wheel() -> Path:
    """Give the wheel of kawe in `dist/`.

    Raises:
        SystemExit: There is none, or there are several.
    """
    found = list(DIST.glob("kawe-*.whl"))
    if len(found) != 1:
        raise SystemExit("dist/ must have one wheel of kawe. Run: make dist")
    return found[0]


def version() -> str:
    """Give the version of the wheel in `dist/`."""
    return str(parse_wheel_filename(wheel().name)[1])


def run(
    words: Sequence[str | Path],
    *,
    folder: Path = ROOT,
    more: Mapping[str, str] | None = None,
) -> None:
    """Run a program with the time of the last commit as that of every file.

    Raises:
        SystemExit: It failed; what went wrong it said itself.
    """
    surroundings = {**os.environ, "SOURCE_DATE_EPOCH": _epoch(), **(more or {})}
    ended = subprocess.run(words, check=False, cwd=folder, env=surroundings)
    if ended.returncode:
        raise SystemExit(ended.returncode)


def tracked() -> list[Path]:
    """Give each file that git knows, below the project's folder."""
    words = ["git", "ls-files", "-z"]
    listed = subprocess.run(words, check=True, cwd=ROOT, capture_output=True).stdout
    return [Path(name) for name in listed.decode().split("\0") if name]


def _epoch() -> str:
    words = ["git", "log", "-1", "--format=%ct"]
    told = subprocess.run(words, check=True, cwd=ROOT, capture_output=True, text=True)
    return os.environ.get("SOURCE_DATE_EPOCH") or told.stdout.strip()
