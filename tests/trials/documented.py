"""Types the commands of the documentation, with a kawe that came from the wheel.

    PYTHONPATH=tests:tools python -m trials.documented build/wheel

`make wheel` asks for it. The commands are those in the blocks of README, the tutorial
and the how-to guides. Each page has a folder, a home and a twin of its own, and what
its reader has by then: `documented.toml` says so. The tutorial is typed with its
answers, and what it shows must be what kawe says; so must what README shows.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from docs_pages import Page, read_pages
from doubles.command import csv_row, write_csv
from doubles.consulted import Consulted
from doubles.tutorial_reader import PAGE as TUTORIAL
from doubles.tutorial_reader import Reader, follow, reader_in

ROOT: Final = Path(__file__).resolve().parents[2]
LEAST: Final = 40
"""So many commands must run, however the pages change."""
_PLAN: Final = Path(__file__).with_suffix(".toml")
_STARTED: Final = "The service is running at"
_OWN_PORTS: Final = " --port 0 --storage-port 0"


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """What a page needs, and what is different from a command that ends with 0."""

    tokens: int = 200
    first: tuple[str, ...] = ()
    """Lines that the reader has typed before the page begins."""
    before: dict[str, list[str]] = field(default_factory=dict)
    """What happens before a command: lines, or `buy N`."""
    codes: dict[str, int] = field(default_factory=dict)
    not_run: dict[str, str] = field(default_factory=dict)
    instead: dict[str, str] = field(default_factory=dict)
    """Parts of a command that cannot be had here, and what is typed for them."""


@dataclass(slots=True)
class Tally:
    """What became of the commands."""

    ran: int = 0
    left: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)


def scenes() -> dict[str, Scene]:
    """Read what each page needs."""
    told = tomllib.loads(_PLAN.read_text("utf-8"))
    return {
        name: Scene(**{**scene, "first": tuple(scene.get("first", ()))})
        for name, scene in told.items()
    }


def documented() -> Iterator[Page]:
    """Give the pages that people type from."""
    for page in read_pages(ROOT):
        if page.name == "README.md" or page.name.startswith("docs/how-to/"):
            yield page


def commands(page: Page) -> Iterator[str]:
    """Give the commands of a page, in their order."""
    for line in page.lines():
        if line.language == "sh" and line.text.startswith("kawe "):
            yield line.text


class TypedPage:
    """A page that is typed."""

    def __init__(self, page: Page, reader: Reader, scene: Scene) -> None:
        self._page = page
        self._reader = reader
        self._scene = scene
        self._environment = reader.surroundings()

    def type_into(self, tally: Tally) -> None:
        """Type every command; one that ends as it should not is noted."""
        for line in self._scene.first:
            self._prepare(line, tally)
        for line in commands(self._page):
            why = self._scene.not_run.get(line)
            if why is not None:
                tally.left.append(f"{self._page.name}: {line}: {why}")
                continue
            for earlier in self._scene.before.get(line, ()):
                self._prepare(earlier, tally)
            self._type(line, tally)

    def _prepare(self, line: str, tally: Tally) -> None:
        if line.startswith("buy "):
            self._reader.twin.buy_tokens(int(line.removeprefix("buy ")))
        elif line == "respond":
            iwi = Consulted(self._reader.twin)
            iwi.respond_to_all("Tēnā koe.")
            iwi.close()
        elif line == "write rows.csv":
            numbers = [*range(1, 21), 104, 107]
            rows = [csv_row(number) for number in numbers]
            write_csv(self._reader.folder / "rows.csv", rows)
        elif self._reader.type(line) not in {0, 4}:
            tally.wrong.append(f"{self._page.name}: before: {line}\n{self._said()}")

    def _type(self, line: str, tally: Tally) -> None:
        typed = line
        for part, instead in self._scene.instead.items():
            typed = typed.replace(part, instead)
        wanted = self._scene.codes.get(line, 0)
        is_server = line.startswith("kawe serve")
        code = self._serve(typed) if is_server else self._reader.type(typed)
        tally.ran += 1
        if code != wanted:
            said = f"ended with {code}, not {wanted}\n{self._said()}"
            tally.wrong.append(f"{self._page.name}: {line}: {said}")

    def _serve(self, line: str) -> int:
        """Start the twin, wait until it serves, and press Ctrl-C."""
        told = self._reader.folder / "served.txt"
        ports = (
            f"{_OWN_PORTS} --switchboard-port 0" if "--faults" in line else _OWN_PORTS
        )
        with told.open("w", encoding="utf-8") as file:
            process = subprocess.Popen(
                ["sh", "-c", f"exec {line}{ports}"],
                cwd=self._reader.folder,
                env={**self._environment, "PYTHONUNBUFFERED": "1"},
                stdin=subprocess.DEVNULL,
                stdout=file,
                stderr=subprocess.STDOUT,
            )
        deadline = time.monotonic() + 60
        while _STARTED not in told.read_text("utf-8"):
            if process.poll() is not None or time.monotonic() > deadline:
                break
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        process.wait(timeout=60)
        self._reader.said = told.read_text("utf-8")
        return 0 if _STARTED in self._reader.said else 1

    def _said(self) -> str:
        return "\n".join(self._reader.said.splitlines()[-12:])


def type_tutorial(programs: Path, folder: Path, tally: Tally) -> None:
    """Type the tutorial, and compare what it shows."""
    with reader_in(folder, programs=programs) as reader:
        followed = follow(reader)
    own = [(line, code) for line, code in followed.ended if line.startswith("kawe ")]
    tally.ran += len(own)
    tally.wrong += [
        f"{TUTORIAL.name}: {line}: ended with {code}"
        for line, code in own
        if code not in {0, 3, 4}
    ]
    tally.wrong += [
        f"{TUTORIAL.name} shows what kawe does not say: {line}"
        for line in followed.unsaid
    ]
    tally.left += [
        f"{TUTORIAL.name}: {line}: a twin runs already, which the rest is typed for"
        for line in commands(TUTORIAL)
        if line == "kawe serve"
    ]


def type_demo(programs: Path, folder: Path, tally: Tally) -> None:
    """Run the demo, and compare what README shows of it."""
    page = next(page for page in documented() if page.name == "README.md")
    with reader_in(folder, programs=programs) as reader:
        code = reader.type("kawe demo")
    shown = [line.text for line in page.lines() if line.language == ""]
    unsaid = [line for line in shown if line not in reader.said]
    tally.ran += 1
    if code or unsaid:
        tally.wrong.append(f"README.md shows of the demo: {unsaid}; code {code}")


def type_all(programs: Path, folder: Path) -> Tally:
    """Type every page with the kawe in `programs`, each below `folder`."""
    tally, told = Tally(), scenes()
    type_tutorial(programs, folder / "tutorial", tally)
    type_demo(programs, folder / "demo", tally)
    for page in documented():
        scene = told.get(page.name)
        lines = list(commands(page))
        if scene is None:
            tally.left += [f"{page.name}: {line}: no scene is set" for line in lines]
        elif lines:
            place = folder / Path(page.name).stem
            with reader_in(place, programs=programs, tokens=scene.tokens) as reader:
                TypedPage(page, reader, scene).type_into(tally)
            print(f"{page.name}: {len(lines)} commands", flush=True)
    return tally


def main() -> int:
    """Install the wheel, type the pages; the exit code is 1 if one is not right."""
    folder = Path(sys.argv[1]).resolve()
    (wheel,) = folder.glob("kawe-*.whl")
    place = folder / "documented"
    shutil.rmtree(place, ignore_errors=True)
    pip = [place / "venv" / "bin" / "python", "-m", "pip", "install", "--quiet"]
    for words in (
        [sys.executable, "-m", "venv", place / "venv"],
        [*pip, f"{wheel}[all]"],
    ):
        subprocess.run(list(map(str, words)), check=True, stderr=subprocess.DEVNULL)
    tally = type_all(place / "venv" / "bin", place)
    print("\n".join([*tally.wrong, "Not run:", *tally.left]))
    print(f"{tally.ran} documented commands ran, {len(tally.wrong)} are wrong.")
    return 1 if tally.wrong or tally.ran < LEAST else 0


if __name__ == "__main__":
    os.environ.pop("PYTHONPATH", None)
    sys.exit(main())
