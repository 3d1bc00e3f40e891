"""An exported list of projects, given back to kawe, is known by its Project ids."""

import pytest
from openpyxl import load_workbook

from doubles.command import csv_row, write_csv

YES = ("--yes", "9", "--no-input")


@pytest.fixture
def person(person_with):
    someone = person_with(tokens=9)
    rows = [csv_row(n, Latitude=f"-36.85{n}7") for n in (1, 2, 3)]
    rows.append(csv_row(4, Latitude="-36.8597", Send="no"))
    write_csv(someone.folder / "monthly.csv", rows)
    assert someone.run("submit", "monthly.csv", *YES).returncode == 0
    assert someone.run("export", "projects", "-o", "projects.xlsx").returncode == 0
    return someone


def test_an_export_that_nobody_edited_leaves_nothing_to_do(person):
    checked = person.run("check", "projects.xlsx", "--no-input")
    sent = person.run("submit", "projects.xlsx", *YES)
    assert (checked.returncode, "[error]" in checked.stdout) == (0, False)
    assert "No row is ready to be submitted." in checked.stdout
    assert (sent.returncode, "4 done already" in sent.stdout) == (0, True)
    assert (person.sends(), len(person.state()["projects"])) == (3, 4)


def test_a_cell_of_an_export_that_was_edited_says_that_nothing_is_applied(person):
    path = person.folder / "projects.xlsx"
    book = load_workbook(path)
    (sheet,) = book.worksheets
    headings = {cell.value: cell.column_letter for cell in sheet[4]}
    named = {row[0].value: row[0].row for row in sheet.iter_rows(min_row=5)}
    place = f"{headings['Description']}{named['R-2']}"
    sheet[place] = "Another culvert is replaced."
    book.save(path)
    checked = person.run("check", "projects.xlsx", "--no-input")
    errors = [line for line in checked.stdout.splitlines() if "[error]" in line]
    assert (checked.returncode, len(errors)) == (3, 1), checked.stdout
    assert errors[0].startswith(f"Projects!{place} [error] Description")
    assert (
        "already sent as Ōtāhuhu culvert 2 (R-2); the edit is not applied"
        in (errors[0])
    )
