"""`[checks.projects]`: an organisation's own checks, in its words, in every face."""

import pytest
from openpyxl import load_workbook

from doubles.command import csv_row, write_csv
from doubles.desk import Desk, read

WORDS = "Our references are RC-2030-001."


def checks(person, *lines, kind="projects"):
    person.write_settings("\n".join([f"[checks.{kind}]", *lines, ""]))


def check_of(person, rows, *, code):
    write_csv(person.folder / "monthly.csv", rows)
    done = person.run("check", "monthly.csv")
    assert done.returncode == code
    return " ".join(done.stdout.split())


@pytest.mark.parametrize(
    "line",
    [
        f'reference = {{ like = "RC-####-###", says = "{WORDS}" }}',
        f'Reference = {{ like = "RC*", says = "{WORDS}" }}',
        f'reference = {{ one_of = ["RC-1", "R-2"], says = "{WORDS}" }}',
        f'address = {{ required = true, says = "{WORDS}" }}',
        f'respond_by_date = {{ working_days = 999, says = "{WORDS}" }}',
    ],
    ids=["a pattern", "any text", "a list", "required", "working days"],
)
def test_a_cell_that_is_not_so_is_an_error_in_the_organisations_words(person, line):
    checks(person, line)
    assert WORDS in check_of(person, [csv_row(1)], code=3)
    sent = person.run("submit", "monthly.csv", "--yes", "9", "--no-input")
    assert (sent.returncode, person.state()["projects"]) == (3, [])


def test_a_cell_that_is_so_says_nothing_and_a_warning_lets_the_row_go(person):
    checks(
        person,
        f'reference = {{ like = "r-#", says = "{WORDS}" }}',
        'type = { one_of = ["Bridges"], warns = true, says = "Is it no bridge?" }',
    )
    said = check_of(person, [csv_row(1)], code=0)
    assert (WORDS in said, "Is it no bridge?" in said) == (False, True)
    sent = person.run("submit", "monthly.csv", "--yes", "9", "--no-input")
    assert sent.returncode == 0


def test_the_words_stand_in_result_plan_json_and_at_the_desk(person):
    checks(person, f'reference = {{ like = "RC-*", says = "{WORDS}" }}')
    check_of(person, [csv_row(1)], code=3)
    book = load_workbook(person.folder / "monthly.result.xlsx")
    cells = [str(c.value) for sheet in book for row in sheet.iter_rows() for c in row]
    assert any(WORDS in each for each in cells)
    for command in ("check", "plan"):
        found = person.document(command, "monthly.csv")["findings"]
        assert [e["rule"] for e in found if e["message"] == WORDS] == ["own-check"]
    with Desk(person) as desk:
        page = desk.put_in("monthly.csv", (person.folder / "monthly.csv").read_bytes())
        assert WORDS in read(page.text)


def test_a_sheet_of_people_and_one_of_acts_are_checked_too(person):
    line = 'person = { like = "*@tauira.nz", says = "Only our own people." }'
    checks(person, line, kind="members")
    (person.folder / "members.csv").write_text("Person,Role\nme@other.nz,Member\n")
    assert "Only our own people." in person.stdout_of("check", "members.csv", code=3)


@pytest.mark.parametrize(
    "line",
    [
        'reference = { like = "*a*", says = "Two stars." }',
        'reference = { like = "RC" }',
        'reference = { says = "Nothing is wanted." }',
        'reference = { required = "yes", says = "No word." }',
        'reference = { exec = "rm", required = true, says = "Unknown." }',
        'nonsense = { required = true, says = "No column." }',
        'reference = "RC"',
    ],
)
def test_a_check_that_cannot_be_is_refused(person, line):
    checks(person, line)
    assert "is no check of a column" in person.stderr_of("check", "monthly.csv", code=2)


def test_a_folder_may_add_a_check(person):
    near = person.folder / "kawe.toml"
    near.write_text(f'[checks.projects]\nreference={{like="X", says="{WORDS}"}}\n')
    assert WORDS in check_of(person, [csv_row(1)], code=3)
