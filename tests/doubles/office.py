"""An office that sends works, and what the service has of each.

A work is what is built; a line is what a sheet says of it. Which work a line is stands
in the story alone: nothing that kawe reads has it. What was sent is counted in the
service's own table, whatever kawe status --writes.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import chdir, closing
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from pathlib import Path
from sqlite3 import Row
from typing import Any, Final

from click.testing import CliRunner
from openpyxl import Workbook, load_workbook

from doubles.command import HEADINGS, Person, csv_row
from doubles.consulted import Consulted
from kawe.cli.app import kawe
from kawe_twin.serving import RunningTwin, TwinOptions, start_twin

DATES: Final = ("Start date", "End date", "Respond by")
YES: Final = ("--yes", "99", "--no-input", "--settle", "0.2")
RESULT: Final = "works.result.xlsx"
_HILLS: Final = ("Tawa", "Rata", "Miro", "Kōwhai", "Nīkau", "Tōtara", "Rimu", "Mānuka")
_WAYS: Final = ("Hill", "Mill", "Lake", "Bay", "Farm", "Ridge", "Church", "School")
_DAYS: Final = ("start_date", "end_date", "respond_by_date")
_PLACE: Final = ("Latitude", "Longitude")
_OF_A_SHEET: Final = "references-moved"
_PROJECTS: Final = """
SELECT *, (SELECT count(*) FROM activity
    WHERE activity.project_id = project.id AND action = 'SENT') AS sends
FROM project
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A row of a sheet; `work` is what it is about."""

    work: int
    cells: Mapping[str, str]

    def but(self, **cells: str) -> Line:
        """Say something else: `respond_by` is the heading Respond by."""
        said = {each.replace("_", " ").capitalize(): cells[each] for each in cells}
        return replace(self, cells={**self.cells, **said})

    def later(self, days: int, *headings: str) -> Line:
        """Move all dates, or some."""
        moved = {
            each: str(date.fromisoformat(self.cells[each]) + timedelta(days=days))
            for each in headings or DATES
        }
        return replace(self, cells={**self.cells, **moved})

    def moved(self, metres: float) -> Line:
        """Put its place further north."""
        latitude = float(self.cells["Latitude"]) + metres / 111_000
        return self.but(latitude=f"{latitude:.5f}")


def street(work: int) -> str:
    """Name the street of a work; no two of 128 have the same."""
    end = "Street" if work >= 64 else "Road"
    return f"{_HILLS[work % 8]} {_WAYS[work // 8 % 8]} {end}"


def line(work: int, *, numbered: bool = True, **cells: str) -> Line:
    """Make a right row: its name, words and place are no other's, its dates are."""
    words = f"The culvert under {street(work)} is replaced and the banks are planted."
    said = {
        **dict(zip(HEADINGS, csv_row(work), strict=True)),
        "Reference": f"R-{work}" if numbered else "",
        "Name": f"Culvert renewal, {street(work)}",
        "Description": words,
        "Latitude": f"{-36.86 - 0.005 * (work % 10):.5f}",
        "Longitude": f"{174.70 + 0.01 * (work // 10):.5f}",
    }
    return Line(work=work, cells=said).but(**cells)


def lines(works: Iterable[int], *, numbered: bool = True, **cells: str) -> list[Line]:
    """Make a right row of each work."""
    return [line(work, numbered=numbered, **cells) for work in works]


def filled_down(rows: Sequence[Line], *, first: int = 1) -> list[Line]:
    """Number rows from the first to the last, as a spreadsheet does."""
    return [row.but(reference=f"R-{n}") for n, row in enumerate(rows, start=first)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What became of a command, by its own words and by the service's table."""

    exit_code: int
    asked: Mapping[str, int]
    """By rule, how many rows it left to a person to correct."""
    went: int
    """How many works went that had not been sent before."""
    twice: frozenset[int]
    """The works that were sent more than once."""
    claimed: frozenset[int]
    """The works that it says were sent and that were not."""
    document: Mapping[str, Any] = field(repr=False, compare=False)

    def by_the_table(self) -> Told:
        """Leave out by which rule rows were left."""
        return replace(self, asked={})


def happens(code: int, *, went: int = 0, **asked: int) -> Told:
    """Give an end without a second send and without a false word."""
    return Told(
        exit_code=code,
        asked={rule.replace("_", "-"): rows for rule, rows in asked.items()},
        went=went,
        twice=frozenset(),
        claimed=frozenset(),
        document={},
    )


@dataclass(slots=True, kw_only=True)
class Office:
    """Two computers, each with a journal of its own, and one team at the service."""

    twin: RunningTwin
    here: Person
    there: Person
    _works: dict[tuple[str, ...], int] = field(default_factory=dict)

    def submit(
        self,
        who: Person,
        *sheets: Iterable[Line],
        name: str = "works.xlsx",
        result: bool = False,
        words: Sequence[str] = (),
        command: str = "submit",
    ) -> Told:
        """Write a workbook and submit it; `result` writes over kawe's result of it."""
        lists = [list(sheet) for sheet in sheets]
        book = load_workbook(who.folder / RESULT) if result else Workbook()
        self._fill(book, lists)
        book.save(who.folder / name)
        more = ("--all-sheets",) if len(lists) > 1 else ()
        agreed = YES if command == "submit" else ()
        return self._told(who, command, name, *more, *agreed, *words, sheets=lists)

    def _told(
        self, who: Person, *words: str, sheets: Sequence[Sequence[Line]] = ()
    ) -> Told:
        before = self.sends()
        code, document = self._run(who, *words)
        after = self.sends()
        each_sheet = document.get("sheets", [document])
        reported = {
            rows[each["row"] - 2].work
            for rows, told in zip(sheets, each_sheet, strict=False)
            for each in told.get("rows", [])
            if each.get("outcome") == "sent"
        }
        return Told(
            exit_code=code,
            asked=_asked(each_sheet),
            went=len(after) - len(before),
            twice=frozenset(work for work, sends in after.items() if sends > 1),
            claimed=frozenset(reported - after.keys()),
            document=document,
        )

    def begin(self, rows: Sequence[Line]) -> None:
        """Send works for the first time: all go."""
        assert self.submit(self.here, rows) == happens(0, went=len(rows))

    def run(self, *words: str) -> None:
        assert self._run(self.here, *words)[0] == 0

    def release(self) -> Told:
        return self._told(self.here, "release", *YES)

    def pass_on(self) -> None:
        """Give the other computer the result of the workbook."""
        there, here = (each.folder / RESULT for each in (self.there, self.here))
        there.write_bytes(here.read_bytes())

    def sends(self) -> Counter[int]:
        """Count the sends of each work."""
        counted = Counter[int]()
        for each in self._projects():
            counted[self._work(each)] += each["sends"]
        return +counted

    def references(self) -> dict[int, str]:
        """Give the reference of each work at the service."""
        return {self._work(each): each["reference"] for each in self._projects()}

    def in_portal(self, row: Line) -> None:
        """Send a work by hand, as a colleague does, with a place or without."""
        cells = row.cells
        said: dict[str, Any] = dict(zip(_DAYS, (cells[e] for e in DATES), strict=True))
        said |= {each.lower(): float(cells[each] or 0) or None for each in _PLACE}
        said |= {"name": cells["Name"], "description": cells["Description"]}
        with closing(Consulted(self.twin)) as colleague:
            colleague.send(1, **said, iwi=["ngati-tauira-ki-te-raki"])
        self._keep(row)

    def close(self, work: int) -> None:
        """Close the project of a work, as a colleague does."""
        (project,) = [e["id"] for e in self._projects() if self._work(e) == work]
        with closing(Consulted(self.twin)) as colleague:
            colleague.close_project(project)

    def _projects(self) -> list[Row]:
        database = self.twin._assembly.database
        return database.submit(lambda db: db.execute(_PROJECTS).fetchall()).result()

    def _work(self, project: Row) -> int:
        days = [project[each] for each in _DAYS]
        place = [f"{project[each.lower()] or 0:.5f}" for each in _PLACE]
        return self._works[project["name"], project["description"], *days, *place]

    def _fill(self, book: Workbook, sheets: Sequence[Sequence[Line]]) -> None:
        """Write lines below headings; columns of kawe stay as they are."""
        if "Results" not in book:
            book.remove(book.worksheets[0])
        for number, rows in enumerate(sheets, start=1):
            title = f"Works {number}"
            sheet = book[title] if title in book else book.create_sheet(title)
            more = [heading for row in rows for heading in row.cells]
            for column, heading in enumerate(dict.fromkeys([*HEADINGS, *more]), 1):
                below = [row.cells.get(heading) or None for row in rows]
                below += [None] * (sheet.max_row - 1 - len(rows))
                for at, text in enumerate([heading, *below], start=1):
                    sheet.cell(row=at, column=column).value = text
            for row in rows:
                self._keep(row)

    def _keep(self, row: Line) -> None:
        known = self._works.setdefault(_said(row.cells), row.work)
        assert known == row.work, f"{row.cells} is work {known} as well"

    def _run(self, who: Person, *words: str) -> tuple[int, dict[str, Any]]:
        ours = {name: None for name in os.environ if name.startswith(("KAWE", "XDG"))}
        with chdir(who.folder):
            done = CliRunner(env={**ours, **who.surroundings()}).invoke(
                kawe, [*words, "--json"], standalone_mode=False
            )
        assert done.exception is None, done.output
        return done.return_value, json.loads(done.stdout)


def open_office(folder: Path) -> Office:
    """Start the service and put two computers before it."""
    options = TwinOptions(folder=folder / "twin", rate_limit=100_000, tokens=500)
    twin = start_twin(options)
    here, there = (Person(folder=folder / at, twin=twin) for at in ("here", "there"))
    here.folder.mkdir()
    there.folder.mkdir()
    return Office(twin=twin, here=here, there=there)


def _said(cells: Mapping[str, str]) -> tuple[str, ...]:
    """Give what the service keeps of a row, in one form."""
    place = [f"{float(cells[each] or 0):.5f}" for each in _PLACE]
    return (cells["Name"], cells["Description"], *(cells[e] for e in DATES), *place)


def _asked(told: Iterable[Mapping[str, Any]]) -> dict[str, int]:
    """Count the rows of each rule by which a row is to correct."""
    found = [each for sheet in told for each in sheet.get("findings", [])]
    counted = Counter[str]()
    for each in found:
        rows = 1 if each["rule"] == _OF_A_SHEET else len(each["rows"])
        counted[each["rule"]] += rows if each["severity"] == "error" else 0
    return dict(+counted)
