"""Runs the tests of units and contracts on every other Python of this machine.

    python tools/other_pythons.py build/pythons [3.13 …]

Each has an environment of its own with exactly what `constraints-dev.txt` names.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final, TypeAlias

ROOT: Final = Path(__file__).resolve().parent.parent
FIRST, LAST = 11, 19
Words: TypeAlias = list[str | Path]
PIP: Final = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
PYTEST: Final = ["-m", "pytest", "-q", "--numprocesses", "3", "--dist", "loadfile"]
TESTS: Final = (
    *("tests/unit", "tests/contracts"),
    *("tests/contract", "tests/places", "tests/twin/unit", "tests/xlsx"),
)


def program_of(version: str) -> str | None:
    """Give a Python of this version that starts, such as 3.13; None: there is none.

    A version manager has a program for what is not chosen: it says so, and ends.
    """
    root = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    found = [shutil.which(f"python{version}")]
    found += [str(each / "bin" / "python") for each in root.glob(f"{version}.*")]
    for program in filter(None, found):
        words = [program, "-c", "import venv"]
        if not subprocess.run(words, check=False, capture_output=True).returncode:
            return program
    return None


def others(wanted: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Give each other Python, or those that are wanted, by its version."""
    for version in wanted or [f"3.{minor}" for minor in range(FIRST, LAST)]:
        is_here = version == f"{sys.version_info.major}.{sys.version_info.minor}"
        program = None if is_here else program_of(version)
        if program is not None:
            yield version, program


def prepare(program: str, folder: Path) -> None:
    """Make the environment anew."""
    shutil.rmtree(folder, ignore_errors=True)
    install: Words = [*PIP, "--python", folder / "bin" / "python", "install"]
    steps: list[Words] = [
        [program, "-m", "venv", "--without-pip", folder],
        [*install, "--require-hashes", "--requirement", "constraints-dev.txt"],
        [*install, "--no-deps", "--editable", "."],
    ]
    for step in steps:
        subprocess.run(step, check=True, cwd=ROOT)


def test(version: str, folder: Path) -> int:
    """Run the tests in the environment."""
    print(f"Python {version}:", flush=True)
    # A cache of its own: another Python's must not be read.
    python = folder / "bin" / "python"
    words: Words = [python, *PYTEST, "-o", f"cache_dir={folder}/cache", *TESTS]
    return subprocess.run(words, check=False, cwd=ROOT).returncode


def main() -> int:
    """Test on each; the worst code counts."""
    folder = Path(sys.argv[1]).resolve()
    every = list(others(sys.argv[2:]))
    if not every:
        print("No other Python is on this machine.")
    folders = {version: folder / version for version, _ in every}
    # pip waits for the disk and the net: together they take little more than one.
    with ThreadPoolExecutor() as pool:
        list(pool.map(prepare, [program for _, program in every], folders.values()))
    return max((test(*each) for each in folders.items()), default=0)


if __name__ == "__main__":
    sys.exit(main())
