"""Every file is named before it goes to iwi; what nobody means does not go."""

import json

import pytest

from doubles.command import HEADINGS, csv_row
from doubles.planned import YES

HEADINGS_AND_FILES = ",".join([*HEADINGS, "Files"])


@pytest.fixture
def person(person_with):
    person = person_with(tokens=9)
    person.write_settings('author = "Mere"\n')
    for name in ("site plan.pdf", "photos/1.pdf", "photos/2.pdf", "id_rsa"):
        put(person, name)
    put(person, ".ssh/id_rsa")
    put(person, "others.xlsx")
    return person


def put(person, name):
    path = person.folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"%PDF-1.7\n" + name.encode() * 200)


def write(person, *cells):
    rows = [",".join([*csv_row(n), cell]) for n, cell in enumerate(cells)]
    text = "\n".join([HEADINGS_AND_FILES, *rows, ""])
    (person.folder / "monthly.csv").write_text(text, "utf-8")


SHOWN = [
    "        photos/1.pdf (2 kB, row 3)",
    "        photos/2.pdf (2 kB, row 3)",
    "        site plan.pdf (3 kB, rows 2, 3)",
]
NAMED = [("photos/1.pdf", [3]), ("photos/2.pdf", [3]), ("site plan.pdf", [2, 3])]


def lines_about(stdout):
    return [line for line in stdout.splitlines() if line.startswith("        ")]


def named(document):
    return [(each["path"], each["rows"]) for each in document["files"]]


def test_check_plan_and_submit_name_every_file_before_anything_is_sent(person):
    write(person, "site plan.pdf", "photos/*; site plan.pdf")
    told = [
        person.run("check", "monthly.csv"),
        person.run("check", "monthly.csv", "--offline"),
        person.run("plan", "monthly.csv", "-o", "plan.json"),
        person.run("plan", "plan.json"),
        person.run("submit", "monthly.csv", "--no-input"),
        person.run("submit", "plan.json", "--no-input"),
    ]
    shown = [lines_about(each.stdout)[:3] for each in told]
    assert (shown, person.state()["projects"]) == ([SHOWN] * 6, [])


def test_the_documents_and_the_plan_name_every_file(person):
    write(person, "site plan.pdf", "photos/*; site plan.pdf")
    person.run("plan", "monthly.csv", "-o", "plan.json", "--quiet")
    plan = json.loads((person.folder / "plan.json").read_text("utf-8"))
    documents = [
        person.document("check", "monthly.csv"),
        person.document("plan", "plan.json"),
        person.document("submit", "monthly.csv", "--yes", "2"),
    ]
    assert [named(each) for each in documents] == [NAMED] * 3
    assert [[file["path"] for file in row["files"]] for row in plan["rows"]] == [
        ["site plan.pdf"],
        ["photos/1.pdf", "photos/2.pdf", "site plan.pdf"],
    ]


@pytest.mark.parametrize("cell", ["**", ".ssh/id_rsa", "id_rsa"])
def test_what_nobody_means_is_not_sent(person, cell):
    write(person, cell)
    done = person.run("submit", "monthly.csv", *YES)
    assert (done.returncode, person.state()["projects"]) == (3, [])


def test_a_pattern_of_all_folders_goes_when_that_is_said_without_keys_and_tables(
    person,
):
    for name in ("photos/id_rsa", "photos/deep/3.pdf", "photos/payslips.xlsx"):
        put(person, name)
    write(person, "photos/**")
    checked = person.run("check", "monthly.csv", "--accept", "patterns")
    person.run("plan", "monthly.csv", "-o", "plan.json", "--accept", "patterns")
    done = person.run("submit", "plan.json", *YES)
    shown = [line.split(" (")[0].strip() for line in lines_about(done.stdout)]
    assert (checked.returncode, done.returncode, person.sends(), shown) == (
        0,
        0,
        1,
        ["photos/1.pdf", "photos/2.pdf", "photos/deep/3.pdf"],
    )
    assert "Next: kawe submit monthly.csv --accept patterns" in checked.stdout


def test_no_file_is_said_to_be_uploaded_for_a_row_that_is_sent_elsewhere(person):
    write(person, "photos/1.pdf")
    person.run("submit", "monthly.csv", *YES, "--journal", "lost.journal")
    write(person, "photos/1.pdf", "photos/2.pdf")
    done = person.document("submit", "monthly.csv", *YES, "--settle", "1")
    assert (
        done["exit_code"],
        done["counts"],
        [each["path"] for each in done["files"]],
    ) == (0, {"sent": 2}, ["photos/2.pdf"])
