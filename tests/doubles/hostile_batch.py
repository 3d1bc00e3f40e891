"""A whole batch against a twin that misbehaves: commands, sockets, exit codes.

The commands run in this process, so that thousands of them take minutes; all
else is as it is for a person.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Any, Final

import httpx

from doubles.bodies import project_body
from doubles.command import Person, csv_row, write_csv
from doubles.switchboard import Switchboard
from kawe.cli.app import kawe
from kawe.cli.output.exit import run_and_exit
from kawe.domain.batch.exit_codes import ExitCode
from kawe_twin.serving import RunningTwin

# Neither the person nor their machine did anything wrong; a service may show what
# looks like the work of another computer.
EXPECTED: Final = frozenset(
    {ExitCode.DONE, ExitCode.ROWS_WAIT_FOR_PERSON, ExitCode.SERVICE, ExitCode.JOURNAL}
)
_EARLY: Final = frozenset({ExitCode.SERVICE, ExitCode.JOURNAL})
ACTS: Final = ("project_create", "project_send")
SUBMIT: Final = ("--yes", "99", "--no-input", "--settle", "1", "--json")

_OLD: Final = project_body(
    "Somebody else's culvert", description="A pipe is laid.", start_date="2030-02-01"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """One fault as the switchboard takes it."""

    kind: str
    operations: tuple[str, ...] = ()
    fields: Mapping[str, Any] = field(default_factory=dict)

    def set(self, board: Switchboard, *, seed: int) -> int:
        """Set it."""
        told = {"seed": seed, **self.fields}
        return board.set(self.kind, *self.operations, **told)


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """One way in which a service is hostile."""

    name: str
    settings: tuple[Setting, ...]
    held: tuple[str, ...] = ()
    """What is said of rows that are held; nothing, where none may be."""
    stops: tuple[str, ...] = ()
    """What is said of a run that ends early; nothing, where none may."""

    def mixed(self, other: Variant) -> Variant:
        """Be hostile in both ways at once."""
        return Variant(
            name=f"{self.name}, {other.name}",
            settings=(*self.settings, *other.settings),
            held=(*self.held, *other.held),
            stops=(*self.stops, *other.stops),
        )

    def as_likely(self, probability: float) -> Variant:
        """Let what is left to chance happen as often as that."""
        settings = tuple(
            replace(each, fields={**each.fields, "probability": probability})
            if "probability" in each.fields
            else each
            for each in self.settings
        )
        return replace(self, settings=settings)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """How one command ended."""

    code: int
    said: str
    aside: str = ""
    """How it went on, and what stopped it: standard error."""

    @property
    def rows(self) -> list[dict[str, Any]]:
        """Give the rows that it reported; none when it was refused."""
        try:
            told: dict[str, Any] = json.loads(self.said)
        except ValueError:
            return []
        rows: list[dict[str, Any]] = told["rows"]
        return rows

    @property
    def remarks(self) -> str:
        """Give what it said about the whole run."""
        try:
            return " ".join(json.loads(self.said)["remarks"])
        except ValueError:
            return self.said + self.aside


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What one batch went through, and what is wrong with how it ended."""

    variant: str
    faults: int
    outcomes: Counter[str]
    """After the last run, when the service was well again."""
    doubled: tuple[str, ...]
    wrong: tuple[str, ...]


@dataclass(slots=True, kw_only=True)
class Rehearsal:
    """One person in front of one twin with a switchboard."""

    twin: RunningTwin
    folder: Path
    batches: int = 0

    @property
    def board(self) -> Switchboard:
        """Give the switchboard."""
        return Switchboard(self.twin.address)

    def fill(self, *, projects: int) -> None:
        """Have projects of other people there: more than a page can shift."""
        address = self.twin.address
        bearer = {"Authorization": f"Bearer {address.live_key}"}
        with httpx.Client(
            base_url=address.api_url, headers=bearer, verify=False
        ) as client:
            for number in range(projects):
                body = {**_OLD, "reference": f"OLD-{number}"}
                client.post("/projects", json=body).raise_for_status()

    def go_through(self, variant: Variant, *, rows: int, seed: int) -> Told:
        """Submit a batch while the service is hostile, and again when it is well."""
        self.batches += 1
        person = Person(folder=self._new_folder(), twin=self.twin)
        own = [f"H{self.batches}-{n}" for n in range(rows)]
        # So unlike those of other batches that they are no repeats of them.
        east = f"{175 + self.batches % 500 / 500:.4f}"
        words = "".join(Random(self.batches).choices("aeiouhkmnprtw", k=30))
        works = {"Longitude": east, "Latitude": "-38.5000", "Description": words}
        write_csv(
            person.folder / "monthly.csv",
            [
                csv_row(n, Reference=own[n], Name=f"Culvert {own[n]}", **works)
                for n in range(rows)
            ],
        )
        board = self.board
        for setting in variant.settings:
            setting.set(board, seed=seed)
        first = run_here(person, "submit", "monthly.csv", *SUBMIT)
        faults = sum(int(each["happened"]) for each in board.faults())
        board.clear()
        last = run_here(person, "submit", "monthly.csv", *SUBMIT)
        again = run_here(person, "submit", "monthly.csv", *SUBMIT)
        sends = self._sends(own)
        return Told(
            variant=variant.name,
            faults=faults,
            outcomes=Counter(str(row["outcome"]) for row in again.rows),
            doubled=tuple(each for each in own if sends[each] > 1),
            wrong=(
                *_badly_ended(first, last, again),
                *_untrue(first, last, again, sends=sends),
                *_unexplained(first, again, variant=variant),
                *_lost(again, rows=rows),
            ),
        )

    def _new_folder(self) -> Path:
        folder = self.folder / f"person-{self.batches}"
        folder.mkdir()
        return folder

    def _sends(self, own: Sequence[str]) -> Counter[str]:
        state = Person(folder=self.folder, twin=self.twin).state()
        sends: Counter[str] = Counter()
        for project in state["projects"]:
            if project["reference"] in own:
                sends[project["reference"]] += int(project["sends"])
        return sends


def run_here(person: Person, *words: str) -> Ended:
    """Run a command in this process, to its exit code."""
    said, aside, code = io.StringIO(), io.StringIO(), 0
    with (
        _surrounded(person.surroundings()),
        contextlib.chdir(person.folder),
        contextlib.redirect_stdout(said),
        contextlib.redirect_stderr(aside),
    ):
        try:
            run_and_exit(lambda: kawe.main(list(words), standalone_mode=False) or 0)
        except SystemExit as leave:
            code = int(leave.code or 0)
    return Ended(code=code, said=said.getvalue(), aside=aside.getvalue())


@contextlib.contextmanager
def _surrounded(environment: Mapping[str, str]) -> Iterator[None]:
    before = dict(os.environ)
    os.environ.clear()
    os.environ.update(environment)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


def _badly_ended(*ends: Ended) -> Iterator[str]:
    for end in ends:
        if end.code not in EXPECTED or "Traceback" in end.said + end.aside:
            yield f"ended with {end.code}: {end.said[-500:]} {end.aside[-500:]}"


def _untrue(*ends: Ended, sends: Counter[str]) -> Iterator[str]:
    for end in ends:
        for row in end.rows:
            if row["outcome"] == "sent" and sends[row["reference"]] == 0:
                yield f"{row['reference']} is said to be sent and is not"


def _unexplained(first: Ended, again: Ended, *, variant: Variant) -> Iterator[str]:
    for row in (*first.rows, *again.rows):
        if row["outcome"] != "held":
            continue
        if not any(words in row["what_to_do"] for words in variant.held):
            yield f"held without the right reason: {row['what_to_do']}"
    if first.code in _EARLY and not any(
        words in first.remarks for words in variant.stops
    ):
        yield f"stopped without the right reason: {first.remarks}"


def _lost(again: Ended, *, rows: int) -> Iterator[str]:
    outcomes = Counter(row["outcome"] for row in again.rows)
    if outcomes["sent"] + outcomes["held"] != rows:
        yield f"not at rest: {dict(outcomes)} {again.said[-300:]}"
