"""Several tables on one sheet: all are named, one is read, and none is mixed."""

from dataclasses import dataclass

import openpyxl
import pytest

from doubles.terminal import Terminal
from doubles.works import COLUMNS as HEAD
from doubles.works import checked, lay, row, rules, stopped

OTHER = ["Name", "Ref", "Type", "Description", "End date", "Start date", "Respond by"]
OTHER += ["Longitude", "Latitude"]


def turned(n):
    cells = dict(zip(HEAD, row(n), strict=True))
    return [cells[each] for each in OTHER]


BELOW = [
    ["Works of the north"],
    [],
    HEAD,
    *(row(n) for n in (1, 2)),
    [],
    ["Works of the south"],
    OTHER,
    *(turned(n) for n in (3, 4, 5)),
]
BESIDE = [
    [*one, None, None, *other]
    for one, other in zip(
        [HEAD, *(row(n) for n in (1, 2)), [None] * 9],
        [OTHER, *(turned(n) for n in (3, 4, 5))],
        strict=True,
    )
]
BELOW_SAID = "A8 with rows 9 to 11 (“Name”, “Ref”, “Type” …)"
BESIDE_SAID = "L1 with rows 2 to 4 (“Name”, “Ref”, “Type” …)"


@dataclass(frozen=True, kw_only=True)
class Two:
    """A sheet with a table of two rows and one of three."""

    rows: list
    first: str
    second: str
    said: str


BOTH = pytest.mark.parametrize(
    "two",
    [
        Two(rows=BELOW, first="A3", second="A8", said=BELOW_SAID),
        Two(rows=BESIDE, first="A1", second="L1", said=BESIDE_SAID),
    ],
    ids=["below", "beside"],
)


@BOTH
def test_without_a_person_it_stops_and_says_the_flag(person, two):
    lay(person, two.rows)
    for words in (["check"], ["plan"], ["submit", "--send", "--yes", "5"]):
        done = person.run(*words, "works.xlsx", "--no-input")
        assert done.returncode == 5
        both = f"{two.said}; {two.first} with rows"
        assert f"Sheet “Works” has 2 tables: {both}" in done.stderr
        assert f"the largest with --table {two.second}" in done.stderr
    assert person.sends() == 0


@BOTH
def test_the_flag_reads_one_table_and_the_other_is_named(newcomer, two):
    lay(newcomer, two.rows)
    for table, count, left in (
        (two.first, 2, two.said),
        (two.second.lower(), 3, f"{two.first} with rows"),
    ):
        assert checked(newcomer, "--table", table)["counts"] == {"ready": count}
        said = rules(newcomer, "--table", table)["table-not-read"]
        assert said.startswith(f"Not read: the table at {left}")
    done = newcomer.run("check", "works.xlsx", "--offline", "--table", "C7")
    assert (done.returncode, "has no table at C7" in done.stderr) == (5, True)
    columns = newcomer.run("columns", "works.xlsx", "--table", two.second, "--no-input")
    assert columns.returncode == 0


@BOTH
def test_each_table_is_sent_in_a_run_of_its_own_and_none_twice(person, two):
    lay(person, two.rows)
    words = ["submit", "works.xlsx", "--send", "--no-input"]
    for _ in range(2):
        for table, count in ((two.first, 2), (two.second, 3)):
            done = person.run(*words, "--table", table, "--yes", str(count))
            assert done.returncode == 0, done.stderr
            assert "Not read: the table at" in done.stdout
    assert person.sends() == 5
    names = sorted(e.name for e in person.folder.glob("*.result.xlsx"))
    assert names == [f"works.Works {e}.result.xlsx" for e in (two.first, two.second)]
    for table, count in ((two.first, 2), (two.second, 3)):
        report = person.document("status", "--write", f"works-works-{table.lower()}")
        assert report["result"].endswith(f".Works {table}.result.xlsx")
        assert report["counts"] == {"sent": count}
    for table, name in zip((two.first, two.second), names, strict=True):
        again = ["submit", name, "--send", "--no-input"]
        sheet = openpyxl.load_workbook(person.folder / name)
        is_whole = two.rows is BELOW
        assert (sheet["Works"].max_row == 11) == is_whole
        more = ["--table", table] if is_whole else []
        assert person.run(*again, *more).returncode == 0
    assert person.sends() == 5


@BOTH
def test_a_person_is_asked_and_the_largest_is_the_first_choice(newcomer, two):
    lay(newcomer, two.rows)
    terminal = Terminal(newcomer, "check", "works.xlsx", "--offline")
    terminal.answer("Which table is to be read? Type the number; nothing stops", "1")
    assert f"1  {two.second} with rows" in terminal.screen
    assert terminal.screen.count(f"{two.second} with rows") == 1
    terminal.end()
    assert "PROJECTS: 3 rows" in terminal.screen


def test_the_same_headings_again_and_a_spacer_make_no_second_table(newcomer):
    lay(newcomer, [HEAD, row(1), HEAD, row(2)])
    assert checked(newcomer)["counts"] == {"ready": 2}
    apart = [[*each[:4], None, *each[4:]] for each in (HEAD, row(1), row(2))]
    lay(newcomer, apart)
    assert checked(newcomer)["counts"] == {"ready": 2}


def test_names_below_a_group_beside_a_spacer_are_columns_and_no_table(newcomer):
    group, names = [None] * 10 + ["Contact"], [*HEAD, None, "Name", "Role", "Phone"]
    lay(newcomer, [group, names, [*row(1), None, "Aroha", "Planner", "021 555 0101"]])
    document = checked(newcomer)
    read = {e["heading"]: e["field"] for e in document["reading"]["columns"]}
    assert (len(read), read["Contact Name"]) == (12, "contact_name")
    assert {"table-not-read"}.isdisjoint(e["rule"] for e in document["findings"])


def test_a_second_table_with_headings_half_of_which_are_strange_is_one(newcomer):
    strange = ["Job", "Ref", "Name", "Scope", "Until", "From", "Reply"]
    cells = ["J-1", "R-9", "Ford", "A ford.", "2027-09-30", "2027-03-01", "2027-02-01"]
    lay(newcomer, [HEAD, *(row(n) for n in range(4)), [], strange, cells])
    assert "A7 with row 8" in stopped(newcomer)


@pytest.mark.parametrize(
    "above",
    [
        [["Crew", "Depot", "Trucks"], ["A", "Levin", 3], ["B", "Foxton", 4]],
        [["Lodged", "Granted", "Open"], [12, 9, 3]],
    ],
    ids=["crews", "counts"],
)
def test_a_table_of_strange_headings_above_the_list_is_named(newcomer, above):
    lay(newcomer, [["Works 2027"], *above, [], HEAD, row(1), row(2)])
    document = checked(newcomer)
    left = [e for e in document["findings"] if e["rule"] == "table-not-read"]
    said = ", ".join(f"“{each}”" for each in above[0])
    are = "rows 3 and 4" if above[2:] else "row 3"
    assert [each["message"] for each in left] == [
        f"Not read: the table at A2 with {are} ({said})."
    ]
    assert document["counts"] == {"ready": 2}


@pytest.mark.parametrize(
    "above",
    [
        [["Region:", "North", "Status:", "Open"], ["From:", 1, "To:", 31]],
        [["Horowhenua", "Works", "2027"], ["Prepared by Mere"]],
        [["A = approved", "B = built", "C = closed"]],
    ],
    ids=["labels", "titles", "legend"],
)
def test_titles_and_labels_above_the_list_are_no_table(newcomer, above):
    lay(newcomer, [*above, [], HEAD, row(1), row(2)])
    document = checked(newcomer)
    assert {"table-not-read"}.isdisjoint(e["rule"] for e in document["findings"])
    assert document["counts"] == {"ready": 2}


def test_projects_beside_people_are_never_one_list(newcomer):
    people = [["Name", "Email", "Role"], ["Mere", "m@x.nz", "Member"], [None] * 3]
    rows = [
        [*one, None, *two]
        for one, two in zip([HEAD, row(1), row(2)], people, strict=True)
    ]
    lay(newcomer, rows)
    done = newcomer.run("check", "works.xlsx", "--offline", "--kind", "projects")
    assert (done.returncode, "has 2 tables" in done.stderr) == (5, True)
    for table, kind, count in (("A1", "projects", 2), ("K1", "invitations", 1)):
        document = checked(newcomer, "--table", table)
        assert (document["kind"], document["counts"]) == (kind, {"ready": count})


def test_of_every_list_the_one_with_two_tables_is_asked_about(newcomer):
    lay(newcomer, BELOW, West=[HEAD, row(8)])
    words = ["check", "works.xlsx", "--offline", "--all-sheets"]
    assert "“Works” has 2 tables" in newcomer.stderr_of(*words, "--no-input", code=5)
    both = newcomer.run(*words, "--table", "A3")
    assert (both.returncode, "--table speaks of one sheet" in both.stderr) == (2, True)
    terminal = Terminal(newcomer, *words)
    terminal.answer("Which table is to be read?", "2")
    terminal.end()
    assert "PROJECTS: 2 rows" in terminal.screen
