"""Sheets of acts from the command line: the twin counts what was asked for."""

from __future__ import annotations

import httpx
import openpyxl
import pytest

from doubles.command import csv_row, write_csv
from doubles.switchboard import Switchboard


@pytest.fixture
def office(person_with):
    return Office(person_with(tokens=20, faults=True))


class Office:
    """A person whose team has three projects with iwi, and a draft."""

    def __init__(self, person):
        self.person = person
        rows = [csv_row(n, Send="yes" if n < 4 else "no") for n in (1, 2, 3, 4)]
        write_csv(person.folder / "works.csv", rows)
        self.did("submit", "works.csv", "--yes", "3", "--no-input")

    def did(self, *words, code=0):
        """Run a command that must end so; give what it said in one line."""
        ran = self.person.run(*words)
        assert ran.returncode == code, ran.stdout + ran.stderr
        return " ".join((ran.stdout + ran.stderr).split())

    def sheet(self, kind, *rows):
        """Fill in the template of a kind; rows are values by heading."""
        path = self.person.folder / f"{kind}.xlsx"
        path.unlink(missing_ok=True)
        self.did("template", kind)
        book = openpyxl.load_workbook(path)
        sheet = book[kind.capitalize()]
        headings = [cell.value.rstrip(" *") for cell in sheet[1]]
        for number, values in enumerate(rows, start=2):
            for heading, value in values.items():
                at = headings.index(heading) + 1
                sheet.cell(row=number, column=at, value=value)
        book.save(path)
        return path.name

    def submit(self, kind, count=None, code=0):
        agreed = () if count is None else ("--yes", str(count))
        return self.did("submit", f"{kind}.xlsx", *agreed, "--no-input", code=code)

    def results(self, kind, heading="Outcome"):
        """Give a column of the result."""
        path = self.person.folder / f"{kind}.result.xlsx"
        sheet = openpyxl.load_workbook(path)[kind.capitalize()]
        headings, *rows = sheet.iter_rows(values_only=True)
        return [row[headings.index(heading)] for row in rows]

    def asked(self, operation):
        return sum(self.person.state()["requests"].get(operation, {}).values())

    @property
    def board(self):
        address = self.person.twin.address
        return Switchboard(address.switchboard_url, address.switchboard_secret)

    def client(self, key=None):
        address = self.person.twin.address
        bearer = {"Authorization": f"Bearer {key or address.live_key}"}
        return httpx.Client(base_url=address.api_url, headers=bearer)

    def read(self, path, **query):
        with self.client() as client:
            found = client.get(path, params=query).json()["response_object"]
        return found.get("data", found)

    def project(self, number):
        found = self.read("/projects", limit=100)
        return next(e for e in found if e["reference"] == f"R-{number}")


def test_projects_are_closed_once_by_reference_name_or_id(office):
    ids = office.project(3)["id"]
    office.sheet(
        "closures",
        {"Project": "R-1", "Message": "Thank you.", "All": "Yes"},
        {"Project": "Ōtāhuhu culvert 2"},
        {"Project": ids},
    )
    said = office.did("check", "closures.xlsx", "--verbose")
    assert "“open” → “closed”." in said
    assert office.asked("project_close") == 0
    office.submit("closures", 3)
    assert office.results("closures") == ["Done"] * 3
    assert {office.project(n)["status"] for n in (1, 2, 3)} == {"CLOSED"}
    office.submit("closures", 0)
    assert office.asked("project_close") == 3


@pytest.mark.parametrize("when", ["before", "after"])
def test_a_lost_answer_is_settled_by_reading_and_nothing_is_asked_twice(office, when):
    office.person.write_settings("settle = 0.2\n")
    office.board.set("drop", "project_close", nth=2, count=1, when=when)
    office.sheet("closures", *({"Project": f"R-{n}"} for n in (1, 2, 3)))
    office.submit("closures", 3)
    assert office.results("closures") == ["Done"] * 3
    assert office.asked("project_close") == 3
    office.submit("closures", 0)
    assert office.asked("project_close") == 3


def test_closing_wants_the_count(office):
    office.sheet("closures", {"Project": "R-1"})
    assert "--yes" in office.submit("closures", code=2)
    assert office.asked("project_close") == 0


def test_a_project_that_nobody_knows_is_named_with_the_cell(office):
    office.sheet("closures", {"Project": "Otahuhu culvert"}, {"Project": "R-4"})
    said = office.did("check", "closures.xlsx", code=3)
    for words in (
        "Closures!A2",
        "There is “Ōtāhuhu culvert 1”",
        "Closures!A3",
        "never sent",
    ):
        assert words in said
    assert office.asked("project_close") == 0


def test_what_is_closed_already_is_not_asked_for(office):
    with office.client() as client:
        client.put(f"/projects/{office.project(1)['id']}/close", json={"all": False})
    office.sheet("closures", {"Project": "R-1"})
    office.submit("closures", 0)
    assert office.asked("project_close") == 1


def test_a_sheet_of_acts_under_another_name_needs_the_word(office):
    name = office.person.folder / office.sheet("closures", {"Project": "R-1"})
    book = openpyxl.load_workbook(name)
    del book["kawe"]
    book["Closures"].title = "Done in June"
    book.save(name)
    said = office.did("check", "closures.xlsx", "--kind", "closures", "--verbose")
    assert "“open” → “closed”." in said
