"""All mistakes of a sheet are named in one round, and what was sent stays counted."""

from doubles.command import csv_row, write_csv

YES = ("--yes", "9", "--no-input")
OFFLINE = ("--offline",)
SPOILT = {"Name": "Else", "End date": "31/02/2030", "Type": "Nonsense"}
PEOPLE = """Name,Email,Role
Mere,mere@example.nz,Member
,MERE@example.nz,Nonsense
"""


def _rules(document):
    return [
        (each["where"], each["rule"])
        for row in document["rows"]
        for each in row["findings"]
        if each["severity"] == "error"
    ]


def _told(done):
    return [line.strip() for line in done.stdout.splitlines() if line.startswith("   ")]


def test_a_duplicate_with_other_mistakes_is_named_on_both_rows_and_neither_is_sent(
    person,
):
    rows = [csv_row(1), csv_row(1, **SPOILT), csv_row(3)]
    write_csv(person.folder / "monthly.csv", rows)
    named = [
        ("monthly!A2", "row-twice"),
        ("monthly!F3", "date-unreadable"),
        ("monthly!D3", "not-a-choice"),
        ("monthly!A3", "row-twice"),
    ]
    checks = [person.document("check", "monthly.csv", *how) for how in ((), OFFLINE)]
    done = person.document("submit", "monthly.csv", *YES)
    assert [sorted(_rules(each)) for each in (*checks, done)] == [sorted(named)] * 3
    assert (done["counts"], person.sends()) == ({"to correct": 2, "sent": 1}, 1)


def test_a_row_that_was_sent_stays_counted_once_a_duplicate_of_it_comes(person):
    sent = [csv_row(1), csv_row(3)]
    write_csv(person.folder / "monthly.csv", sent)
    person.run("submit", "monthly.csv", *YES)
    counts = ["2 sent to iwi", "1 to correct", "3 rows in all"]
    for changes in (SPOILT, {"Name": "Else"}):
        write_csv(person.folder / "monthly.csv", [csv_row(1, **changes), *sent])
        checked = person.run("check", "monthly.csv")
        done = person.run("submit", "monthly.csv", *YES)
        assert [_told(checked), _told(done)] == [counts, counts]
    assert (_told(person.run("status", "monthly"))[:3], person.sends()) == (counts, 2)


def test_a_row_without_a_reference_that_was_sent_stays_so_when_it_gets_a_mistake(
    person,
):
    write_csv(person.folder / "monthly.csv", [csv_row(1, Reference="")])
    person.run("submit", "monthly.csv", *YES)
    rows = [csv_row(1, Reference="", Type="Nonsense")]
    write_csv(person.folder / "monthly.csv", rows)
    done = person.run("submit", "monthly.csv", *YES)
    assert (done.returncode, _told(done)) == (
        3,
        [
            "1 sent to iwi",
            "1 row in all",
            "1 of them sent before, and changed since: the change is not applied",
        ],
    )


def test_a_sheet_without_a_column_is_checked_in_all_that_it_has(person):
    path = write_csv(person.folder / "monthly.csv", [csv_row(1), csv_row(1)])
    path.write_text(path.read_text("utf-8-sig").replace("End date", "Closing"), "utf-8")
    done = person.document("check", "monthly.csv")
    twice = [("monthly!A2", "row-twice"), ("monthly!A3", "row-twice")]
    assert [each for each in _rules(done) if each[1] == "row-twice"] == twice
    assert done["counts"] == {"to correct": 2}


def test_a_person_is_there_twice_whatever_else_is_wrong_with_one_row(person_with):
    person = person_with()
    (person.folder / "people.csv").write_text(PEOPLE, "utf-8")
    done = person.document("submit", "people.csv", *YES)
    assert sorted(_rules(done)) == [
        ("people!A3", "missing"),
        ("people!B2", "row-twice"),
        ("people!B3", "row-twice"),
        ("people!C3", "not-a-choice"),
    ]
    assert done["counts"] == {"to correct": 2}
