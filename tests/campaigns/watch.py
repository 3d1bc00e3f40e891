"""Let iwi respond to some of many projects, and see that each is reported once.

    PYTHONPATH=tests .venv/bin/python -m campaigns.watch
        (nothing more)      1,000 projects, 30 responses in three rounds
        --kills 5           kill the watch so often within and between the rounds

In the first round after the baseline the twin's pages begin one project late, in the
second one early, and in the third colleagues send projects while they are read. Ends
with 1 when a response was not reported, or twice.
"""

from __future__ import annotations

import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Final

from openpyxl import load_workbook

from doubles.command import Person
from doubles.consulted import Consulted
from doubles.figures import Asked
from doubles.switchboard import Switchboard
from kawe_twin.serving import RunningTwin, TwinOptions, start_twin

_PAGE: Final = 100
_ROUNDS: Final = 3
_MEANWHILE: Final = 5


@dataclass(slots=True, kw_only=True)
class Watched:
    """What became of all rounds."""

    reported: Counter[str] = field(default_factory=Counter)
    """How often each response was reported."""
    asked: int = 0
    """Requests of the rounds after the baseline, without those of killed ones."""
    least: int = 0
    """Requests that no round could do without: its pages, and changed threads."""
    kills: int = 0
    shifted: int = 0


def watch(person: Person, *, projects: int, changed: int, kills: int) -> Watched:
    """Do the baseline and three rounds; give what came of them."""
    chance, seen = Random(17), Watched()
    twin = person.twin
    iwi, other = Consulted(twin), Consulted(twin)
    board = Switchboard(twin.address)
    ids = iwi.send(projects)
    _round(person, seen, kills=0, chance=chance)
    drawn = chance.sample(ids, changed)
    for number in range(_ROUNDS):
        share = drawn[number::_ROUNDS]
        for project in share:
            iwi.respond(project, f"to {project}")
        fault = 0
        if number < _ROUNDS - 1:
            fault = board.set("shift", "project_list", rows=1 - 2 * number)
        with _colleagues(other, busy=number == _ROUNDS - 1):
            before = iwi.asked().total()
            killed = _round(person, seen, kills=kills, chance=chance)
            seen.asked += iwi.asked().total() - (killed or before)
        if fault:
            seen.shifted += board.happened(fault)
            board.clear()
        seen.least += -(-projects // _PAGE) + len(share)
    person.run("watch", "--once", "--quiet")
    iwi.close()
    other.close()
    return seen


def _round(person: Person, seen: Watched, *, kills: int, chance: Random) -> int:
    """Do a round, after some that were killed; give what was asked until then."""
    asked = 0
    counts = Consulted(person.twin)
    for _ in range(kills):
        process = person.start("watch", "--once")
        time.sleep(chance.uniform(0.2, 1.2))
        # One that has ended by then was a round: what it found is in its workbook.
        process.kill()
        process.wait()
        seen.kills += 1
        asked = counts.asked().total()
    counts.close()
    person.run("watch", "--once", "--quiet")
    return asked


@contextmanager
def _colleagues(consulted: Consulted, *, busy: bool) -> Iterator[None]:
    """Let colleagues send a few projects meanwhile, one after another."""

    def work() -> None:
        for _ in range(_MEANWHILE if busy else 0):
            consulted.send(1, name="Sent meanwhile")

    thread = threading.Thread(target=work)
    thread.start()
    try:
        yield
    finally:
        thread.join()


def _reported(folder: Path) -> Counter[str]:
    """Count the responses in all workbooks."""
    said: Counter[str] = Counter()
    for path in folder.glob("what-is-new/*.xlsx"):
        rows = load_workbook(path)["What is new"].values
        said.update(str(row[6]) for row in rows if row[0] == "Response")
    return said


def run(twin: RunningTwin, folder: Path, *, given: Asked) -> Watched:
    """Watch with a person of that folder; count what the workbooks say."""
    person = Person(folder=folder, twin=twin)
    seen = watch(
        person, projects=given.projects, changed=given.changed, kills=given.kills
    )
    seen.reported = _reported(folder)
    return seen


def main() -> int:
    """Watch, print and write down what came of it."""
    given = Asked(__doc__, projects=1_000, changed=30, kills=0)
    with tempfile.TemporaryDirectory() as named:
        folder = Path(named)
        (folder / "person").mkdir()
        options = TwinOptions(
            folder=folder / "twin", tokens=100_000, rate_limit=10**6, faults=True
        )
        with start_twin(options) as twin:
            seen = run(twin, folder / "person", given=given)
    lost = given.changed - len(seen.reported)
    doubled = sum(many > 1 for many in seen.reported.values())
    print(
        f"{given.changed} responses among {given.projects} projects in {_ROUNDS} "
        f"rounds, {seen.kills} kills: {len(seen.reported)} reported, {doubled} of them "
        f"twice; {seen.asked} requests, at least {seen.least} are needed"
    )
    given.record(
        "watch",
        f"iwi respond to {given.changed} of {given.projects} projects in "
        f"{_ROUNDS} rounds of a watch whose pages shift",
        runs=_ROUNDS + seen.kills,
        rows=given.changed,
        faults=seen.kills + seen.shifted,
        lost=lost,
        doubled=doubled,
        seeds="17",
        note=f"{seen.asked} requests in the rounds that ended; at least "
        f"{seen.least} are needed for their pages and changed threads",
    )
    return 1 if lost or doubled else 0


if __name__ == "__main__":
    sys.exit(main())
