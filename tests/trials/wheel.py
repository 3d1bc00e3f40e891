"""Installs the wheel in each way that people have, and runs a small month with it.

    PYTHONPATH=tests python -m trials.wheel build/wheel

`make wheel` asks for it. It needs the package registry, and makes its folder anew. In
each way kawe is installed without extras first: what it then says to type is typed.
"""

from __future__ import annotations

import argparse
import os
import re
import shlex
import shutil
import subprocess
import sys
import time
import tomllib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Final

from trials.serving import Installed

ROOT: Final = Path(__file__).resolve().parents[2]
TEMPLATES: Final = ROOT / "templates"
_ADDS_UP: Final = "42 projects sent once, none sent more than once."
_HINT: Final = re.compile(r"Install it with: (.+)")
_NEXT: Final = re.compile(r"^Next: (.+)$", re.MULTILINE)
_BASE: Final = Path(sys.base_prefix) / "bin" / f"python3.{sys.version_info.minor}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ground:
    """What every way begins with."""

    wheel: Path
    folder: Path
    tools: Path
    """Where pip, pipx, shiv and uv lie."""

    @property
    def home(self) -> Path:
        """The home of whoever works there."""
        return self.folder / "home"

    def run(self, words: Sequence[object], **variables: object) -> None:
        """Run a program that installs; one that fails ends the trial."""
        usual = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
        told = {name: str(value) for name, value in variables.items()}
        subprocess.run(
            [str(word) for word in words],
            check=True,
            env={**usual, **told},
            capture_output=True,
        )

    def place(self, *path: Path) -> Installed:
        """Give an empty folder to work in, and a shell that finds `kawe` in `path`."""
        folder = self.folder / "work"
        for each in (folder, self.home):
            each.mkdir(parents=True)
        usual = os.environ["PATH"].split(os.pathsep)
        # Another kawe on PATH would be found in place of the one that is tried.
        kept = [each for each in usual if not (Path(each) / "kawe").exists()]
        whole = os.pathsep.join([*map(str, path), *kept, str(self.tools)])
        return Installed(kawe="kawe", folder=folder, home=self.home, path=whole)


def by_venv(ground: Ground) -> Installed:
    """Install into a venv that nobody activates."""
    folder = ground.folder / "my venv"
    ground.run([_BASE, "-m", "venv", folder])
    python = folder / "bin" / "python"
    ground.run([python, "-m", "pip", "install", "--quiet", ground.wheel])
    return replace(ground.place(), kawe=shlex.quote(str(folder / "bin" / "kawe")))


def by_pipx(ground: Ground) -> Installed:
    """Install with pipx."""
    return _by_tool(
        ground, "pipx install --quiet", home="PIPX_HOME", programs="PIPX_BIN_DIR"
    )


def by_uv_tool(ground: Ground) -> Installed:
    """Install with uv tool."""
    return _by_tool(
        ground, "uv tool install", home="UV_TOOL_DIR", programs="UV_TOOL_BIN_DIR"
    )


def _by_tool(ground: Ground, words: str, *, home: str, programs: str) -> Installed:
    tool, *more = words.split()
    own = {home: ground.folder / tool, programs: ground.folder / "bin"}
    ground.run([ground.tools / tool, *more, ground.wheel], **own)
    told = {name: str(path) for name, path in own.items()}
    return replace(ground.place(own[programs]), variables=told)


def by_user(ground: Ground) -> Installed:
    """Install for one person, with `pip install --user`."""
    here = ground.place(ground.home / ".local" / "bin")
    cache = Path.home() / ".cache" / "pip"
    words: list[object] = [_BASE, "-m", "pip", "install", "--quiet", "--user"]
    # Of the machine that tries, nothing counts as installed for the person.
    words += ["--ignore-installed", ground.wheel]
    ground.run(words, HOME=ground.home, PIP_CACHE_DIR=cache)
    return here


def by_one_file(ground: Ground) -> Installed:
    """Make one file with shiv, which has its extras from the beginning."""
    file = ground.folder / "kawe.pyz"
    libraries = ground.folder / "libraries"
    uv = [ground.tools / "uv", "pip", "install", "--quiet", "--python", _BASE]
    ground.run([*uv, "--target", libraries, f"kawe[twin] @ {ground.wheel.as_uri()}"])
    words = [ground.tools / "shiv", "--site-packages", libraries, "-c", "kawe"]
    ground.run([*words, "-o", file, "-p", _BASE])
    told = {"SHIV_ROOT": str(ground.folder / "unpacked")}
    return replace(ground.place(), kawe=str(file), variables=told)


WAYS: Final[dict[str, Callable[[Ground], Installed]]] = {
    "venv": by_venv,
    "pipx": by_pipx,
    "uv tool": by_uv_tool,
    "pip install --user": by_user,
    "one file (shiv)": by_one_file,
}


class Wrong(Exception):
    """A command did not end as it should."""


def expect(here: Installed, line: str, *says: str, code: int = 0) -> str:
    """Type a line; give what was said.

    Raises:
        Wrong: It ended with another code, or said something else.
    """
    ended = here.type(line)
    if ended.returncode != code or any(each not in ended.stdout for each in says):
        raise Wrong(f"{line} ended with {ended.returncode}:\n{ended.stdout}")
    return ended.stdout


def first_steps(here: Installed, version: str) -> None:
    """Show that the package is whole: version, templates, the hint for an extra."""
    expect(here, "kawe version", f"version {version}")
    for kind in ("projects", "invitations"):
        expect(here, f"kawe template {kind}", "is ready to fill in")
        name = f"{kind}.xlsx"
        if (here.folder / name).read_bytes() != (TEMPLATES / name).read_bytes():
            raise Wrong(f"{name} is not the template of the clone.")
    said = here.type("kawe demo").stdout
    hint = _HINT.search(said)
    if hint is not None:
        # As it stands, by somebody who knows nothing of how kawe was installed.
        added = here.type(hint[1])
        if added.returncode:
            raise Wrong(f"{hint[0]}\n{added.stdout}")
        shutil.rmtree(here.folder / "kawe-demo")
        said = expect(here, "kawe demo")
    if _ADDS_UP not in said:
        raise Wrong(f"The demo said:\n{said}")
    expect(here, "kawe doctor", f"version {version}", "No address", code=2)


def small_month(here: Installed) -> None:
    """Carry a month from a sample to its receipts, by the commands that kawe names."""
    with here.serving("--port 0 --storage-port 0 --tokens 50") as (address, key):
        (here.folder / "key").write_text(key, encoding="utf-8")
        (here.folder / "key").chmod(0o600)
        told = f"--base-url {address} --key-file key --store file"
        expect(here, f"kawe init --no-input {told}", "only you can read")
        expect(here, "kawe doctor --as-scheduler", "Nothing", "stands in the way")
        check = next_after(expect(here, "kawe demo --samples ."))
        submit = next_after(expect(here, check, "45 ready"))
        expect(here, f"{submit} --yes 42", "42 sent to iwi", "3 drafted")
        expect(here, submit, "45 done already")
        expect(here, "kawe status", "monthly")
        expect(here, "kawe export receipts -o receipts", "42")
        expect(here, "cd receipts && sha256sum --quiet -c manifest-sha256.txt")
        expect(here, "kawe journal verify")


def next_after(said: str) -> str:
    """Give the command that kawe says to type next.

    Raises:
        Wrong: It says none.
    """
    found = _NEXT.search(said)
    if found is None:
        raise Wrong(f"No next command:\n{said}")
    return found[1]


def trials(folder: Path, names: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Try each way; give its line of the table.

    Raises:
        Wrong: Something is not as it should be.
    """
    tools = folder / "tools"
    _run([sys.executable, "-m", "venv", tools])
    pip = [tools / "bin" / "python", "-m", "pip", "--quiet"]
    _run([*pip, "install", "pipx", "shiv", "uv"])
    # From the source distribution: what that lacks, the wheel lacks.
    _run([tools / "bin" / "uv", "build", "--quiet", "--out-dir", folder, ROOT])
    (wheel,) = folder.glob("kawe-*.whl")
    version = wheel.name.split("-")[1]
    for number, name in enumerate(names):
        own = folder / str(number)
        own.mkdir()
        ground = Ground(wheel=wheel, folder=own, tools=tools / "bin")
        times = [time.monotonic()]
        here = WAYS[name](ground)
        times.append(time.monotonic())
        first_steps(here, version)
        times.append(time.monotonic())
        small_month(here)
        times.append(time.monotonic())
        took = (after - before for before, after in pairwise(times))
        yield (name, *(f"{seconds:.0f}" for seconds in took))


def _run(words: Sequence[object]) -> None:
    subprocess.run([str(word) for word in words], check=True, capture_output=True)


def main() -> int:
    """Print the table; the exit code is 1 if a way does not work."""
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("folder", type=Path)
    options.add_argument("--only", choices=WAYS, action="append")
    given = options.parse_args()
    folder = given.folder.resolve()
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    print("| installed by | seconds to install | first steps | a month |")
    print("|---|--:|--:|--:|")
    try:
        for cells in trials(folder, given.only or tuple(WAYS)):
            print(f"| {' | '.join(cells)} |", flush=True)
    except Wrong as wrong:
        print(wrong)
        return 1
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    if ".example/" in project["urls"]["Repository"]:
        print("Before a release, set the addresses in pyproject.toml: [project.urls].")
    return 0


if __name__ == "__main__":
    sys.exit(main())
