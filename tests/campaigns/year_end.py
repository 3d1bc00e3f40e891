"""Close a year with sheets of acts, and a month of an iwi; count by the ledger.

    PYTHONPATH=tests .venv/bin/python -m campaigns.year_end
        (nothing more)     a council with 1,200 projects to close, an iwi with 300
        --scale 0.01       a hundredth of it

The council closes its projects, reopens 40, removes 15 members, changes 60 (all on
sheets of what is so) and answers 200 times, until its tokens run out and it buys more.
The iwi answers, notes and completes what it received. Three runs of the council and one
of the iwi are killed in the middle. Ends with 1 where an act was done twice or not.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count, islice
from pathlib import Path

import openpyxl

from doubles.acts_office import Office
from doubles.at_the_twin import buy
from doubles.bodies import project_body
from doubles.command import at_a_twin
from doubles.figures import Asked

_PACK = 50
"""So many tokens are bought at once."""
_WAITS = 4
"""The exit code where rows wait for tokens."""


@dataclass(slots=True, kw_only=True)
class Counted:
    """What was asked for, and what came of it."""

    acts: int = 0
    runs: int = 0
    kills: int = 0
    lost: int = 0
    doubled: int = 0
    complaints: list[str] = field(default_factory=list)


@dataclass(slots=True, kw_only=True)
class Desk:
    """Somebody with sheets of acts, and the count of what they asked for."""

    office: Office
    counted: Counted

    def fill(self, projects: int) -> None:
        """Send so many projects, called R-1 and on, but R-4."""
        with self.office.client() as client:
            for n in range(5, projects + 2):
                body = project_body(f"Culvert {n}", reference=f"R-{n}")
                made = client.post("/projects", json=body).raise_for_status().json()
                where = f"/projects/{made['response_object']['id']}/send"
                client.put(where, json={"message": "Kia ora."}).raise_for_status()

    def fetch(self, kind: str, change: Mapping[str, str], *, rows: int) -> None:
        """Fetch a sheet, and change its first rows, but no owner's."""
        path = self.office.person.folder / f"{kind}.xlsx"
        path.unlink(missing_ok=True)
        self.office.did("template", kind, "--now", "-o", path.name)
        book = openpyxl.load_workbook(path)
        headings, *found = book[kind.capitalize()].iter_rows()
        at = {str(cell.value).rstrip(" *"): n for n, cell in enumerate(headings)}
        able = (e for e in found if "Owner" not in {cell.value for cell in e})
        for row in islice(able, rows):
            for heading, value in change.items():
                row[at[heading]].value = value
        book.save(path)

    def submit(
        self, kind: str, operation: str, rows: int, *, kill: bool = False
    ) -> None:
        """Submit a sheet three times; kill a run before them in the middle."""
        before = self.office.done(operation)
        words = "submit", f"{kind}.xlsx", "--yes", str(rows), "--no-input"
        if kill:
            self.kill(words, operation, before + rows // 4)
        ended = [self.office.person.run(*words) for _ in range(3)][-1]
        done = self.office.done(operation) - before
        self.counted.runs += 3
        self.counted.acts += rows
        self.counted.lost += max(0, rows - done)
        self.counted.doubled += max(0, done - rows)
        if done != rows or ended.returncode != 0:
            said = " ".join((ended.stdout + ended.stderr).split())[:1_000]
            told = f"{kind}: {done} of {rows} done, {ended.returncode}: {said}"
            self.counted.complaints.append(told)

    def kill(self, words: tuple[str, ...], operation: str, enough: int) -> None:
        """Kill a run when so much is done."""
        run = self.office.person.start(*words)
        self.counted.kills += 1
        self.counted.runs += 1
        while run.poll() is None and self.office.done(operation) < enough:
            time.sleep(0.002)
        if run.poll() is not None:
            self.counted.complaints.append(f"{words[1]} ended before it was killed")
        run.kill()
        run.wait()


@contextmanager
def _desk(counted: Counted, *, projects: int, tokens: int) -> Iterator[Desk]:
    """Sit somebody before a twin with so many projects, and so many tokens left."""
    with tempfile.TemporaryDirectory(prefix="kawe-year-") as name:
        folder, most = Path(name).resolve(), projects + tokens
        with at_a_twin(folder, tokens=most, faults=True) as person:
            desk = Desk(office=Office(person), counted=counted)
            person.write_settings("settle = 0.5\n")
            desk.fill(projects)
            yield desk


def close_year(counted: Counted, of: Callable[[int], int]) -> None:
    """Do what a council does at the end of its year."""
    closed, answered = of(1_200), of(100)
    with _desk(counted, projects=closed + answered, tokens=answered // 2) as desk:
        answer(desk, projects=answered)
        desk.fetch("closures", {"Do": "close"}, rows=closed)
        desk.submit("closures", "project_close", closed, kill=True)
        desk.fetch("reopenings", {"Do": "reopen"}, rows=of(40))
        desk.submit("reopenings", "project_reopen", of(40))
        desk.office.join(*(f"mahi{n}" for n in range(of(15) + of(60))))
        desk.fetch("members", {"Remove": "Yes"}, rows=of(15))
        desk.submit("members", "team_revoke", of(15))
        desk.fetch("members", {"Org role": "Planner"}, rows=of(60))
        desk.submit("members", "team_role", of(60), kill=True)


def answer(desk: Desk, *, projects: int) -> None:
    """Answer twice on each; once is free, and tokens run out until more are bought."""
    office, rows = desk.office, 2 * projects
    office.sheet(
        "responses",
        *(
            {"Project": f"R-{n}", "Message": f"Thank you, {turn}."}
            for turn in ("first", "second")
            for n in range(5, projects + 5)
        ),
    )
    words = "submit", "responses.xlsx", "--yes", str(rows), "--no-input"
    desk.kill(words, "project_respond", projects // 4)
    waiting = office.person.run(*words)
    done = office.done("project_respond")
    if waiting.returncode != _WAITS or done == rows:
        desk.counted.complaints.append(f"no token was missing: {waiting.stdout}")
    for _ in range(-(-projects // _PACK)):
        buy(office.person.twin.address, _PACK)
    desk.counted.runs += 1
    desk.counted.acts += done
    desk.submit("responses", "project_respond", rows - done)


def be_iwi(counted: Counted, of: Callable[[int], int]) -> None:
    """Do what an iwi does in a month with what it received."""
    received = of(300)
    with _desk(counted, projects=received, tokens=1) as desk:
        desk.office.be_iwi()
        numbers = [n for n in islice(count(1), received + 1) if n != 4]
        listed = desk.office.did("export", "projects", "-o", "inbox")
        if f"{received:,} of {received:,}" not in listed:
            counted.complaints.append(f"the inbox: {listed[:400]}")
        rows = [{"Project": f"R-{n}"} for n in numbers]
        note = {"Note": "Rang the council.", "Meeting type": "Phone call"}
        for kind, operation, more in (
            ("responses", "project_respond", {"Message": "Tēnā koutou."}),
            ("notes", "note_create", note),
            ("completions", "project_complete", {}),
        ):
            desk.office.sheet(kind, *(row | more for row in rows))
            desk.submit(kind, operation, received, kill=kind == "responses")


def main() -> int:
    """Do both, print and write down what came of it."""
    given = Asked(__doc__, scale=1.0)
    counted = Counted()

    def of(full: int) -> int:
        return max(3, round(full * float(given.scale)))

    close_year(counted, of)
    be_iwi(counted, of)
    print(*counted.complaints, sep="\n")
    print(f"{counted.acts} acts, {counted.lost} lost, {counted.doubled} twice")
    given.record(
        "year-end",
        "a council closes its year and an iwi answers a month with sheets of "
        "acts; runs are killed, and tokens run out in the responses",
        runs=counted.runs,
        rows=counted.acts,
        faults=counted.kills,
        lost=counted.lost,
        doubled=counted.doubled,
        note=f"{counted.kills} kills; the rows are acts, counted by the twin",
    )
    return 1 if counted.complaints else 0


if __name__ == "__main__":
    sys.exit(main())
