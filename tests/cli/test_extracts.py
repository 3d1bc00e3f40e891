"""The rows to correct alone, and the rows as a map: files that go on by themselves."""

import json

import pytest
from openpyxl import load_workbook

from doubles.command import HEADINGS, csv_row, write_csv
from doubles.payloads import assert_json_is_inert
from unit.workbook.books import book

YES = ("--yes", "9", "--no-input")
BOTH = ("--failed", "wrong.xlsx", "--geojson", "map.geojson")
NO_TYPE = "Type: “Something” is not one of the choices for Type. Did you mean Other?"
NO_DATE = (
    "Start date: “tbc” is not a date. Type it as day/month/year, such as 15/02/2027."
)
NOWHERE = {"Latitude": "", "Longitude": "", "Send": "no"}


@pytest.fixture
def person(person_with):
    """Give a person whose sheet has five rows: two are wrong, and one has no place."""
    person = person_with(tokens=9)
    rows = [
        csv_row(1),
        csv_row(2, Type="Something"),
        csv_row(3, **{"Start date": "tbc"}),
        csv_row(4, **NOWHERE),
        csv_row(5, Latitude="-36.12345678901", Longitude="174.5"),
    ]
    write_csv(person.folder / "monthly.csv", rows)
    return person


def _table(path, sheet):
    return list(load_workbook(path)[sheet].iter_rows(values_only=True))


def test_rows_to_correct_go_back_in_alone_and_each_is_sent_once(person):
    first = person.run("submit", "monthly.csv", *YES, *BOTH)
    path = person.folder / "wrong.xlsx"
    headings, *rows = _table(path, "monthly")
    said = [(row[0], row[3], row[4], row[10], row[11]) for row in rows]
    opened = load_workbook(path)
    opened["monthly"]["D2"] = "Other"
    opened.save(path)
    again = person.run("submit", "wrong.xlsx", *YES, "--failed", "rest.csv")
    rest = (person.folder / "rest.csv").read_text("utf-8-sig").splitlines()
    third = person.run("submit", "wrong.xlsx", *YES)
    last = person.run("submit", "monthly.csv", *YES)

    assert (headings[0], headings[10:12]) == ("Reference", ("Outcome", "What to do"))
    assert said == [
        (
            *("R-2", "Something", "2030-03-01", "To correct"),
            f"Row 3 of monthly.csv: {NO_TYPE}",
        ),
        (
            *("R-3", "Earthworks", "tbc", "To correct"),
            f"Row 4 of monthly.csv: {NO_DATE}",
        ),
    ]
    assert "2 rows to correct are alone in wrong.xlsx" in first.stdout
    # It continues the batch, although no row of it was ever right before.
    assert "Batch monthly (wrong.xlsx)" in again.stdout
    assert "1 row to correct is alone in rest.csv" in again.stdout
    assert [line.partition(",")[0] for line in rest] == ["Reference", "R-3"]
    assert [each.returncode for each in (first, again, third, last)] == [3] * 4
    assert person.sends_of_each() == {"R-1": 1, "R-2": 1, "R-4": 0, "R-5": 1}


def _rules(sheet):
    """Give the drop-downs and other rules of a sheet by the heading of their column."""
    return {
        sheet.cell(row=1, column=rule.sqref.sorted()[0].min_col).value: (
            rule.type,
            rule.formula1,
        )
        for rule in sheet.data_validations.dataValidation
        if rule.type
    }


DAY = "date", "DATE(2000,1,1)"


def test_rows_to_correct_have_what_a_template_has_and_are_the_same_rows(person):
    headings = ["PROJECT NAME", *HEADINGS[2:], "=cost & centre", "=cost & centre"]
    headings.remove("Respond by")
    rows = []
    for n in range(1, 4):
        row = [*csv_row(n)[1:6], *csv_row(n)[7:], f"00{n}", "=1+1"]
        rows.append([*row[:2], "Something", *row[3:]] if n == 2 else row)
    write_csv(person.folder / "Lists.csv", rows, headings=headings)
    person.run("check", "Lists.csv", "--offline", "--failed", "wrong.xlsx")
    opened = load_workbook(person.folder / "wrong.xlsx")
    sheet = opened["Projects"]
    first = [cell.value for cell in sheet[1]]
    said = [sheet[f"M{n}"].value for n in range(2, 5)]
    # Both are corrected, in the file of the rows and in the workbook itself.
    for n in range(2, 5):
        sheet[f"K{n}"], sheet["C3"] = "1/4/2030", "Other"
    opened.save(person.folder / "wrong.xlsx")
    rows[1][2] = "Other"
    right = [[*row, "1/4/2030"] for row in rows]
    headings.append("Respond by")
    write_csv(person.folder / "Lists.csv", right, headings=headings)
    done = [person.run("submit", each, *YES) for each in ("wrong.xlsx", "Lists.csv")]

    twice = ["=cost & centre", "=cost & centre (2)"]
    assert first == [*headings[:-3], *twice, "Respond by *", *first[11:]]
    assert first[11:13] == ["Outcome", "What to do"]
    assert (sheet["I1"].data_type, sheet["J2"].value, sheet["J2"].data_type) == (
        *("s", "=1+1", "s"),
    )
    assert said == [
        "Row 2 of Lists.csv: Fill in “Respond by *”.",
        f"Row 3 of Lists.csv: {NO_TYPE} Fill in “Respond by *”.",
        "Row 4 of Lists.csv: Fill in “Respond by *”.",
    ]
    assert _rules(sheet) == {
        "Type": ("list", "kawe_type"),
        "Start date": DAY,
        "End date": DAY,
        "Send": ("list", "kawe_send"),
        "Respond by *": DAY,
    }
    assert (opened.defined_names["kawe_send"].attr_text, sheet.freeze_panes) == (
        "'Lists'!$B$2:$B$3",
        "A2",
    )
    widths = [sheet.column_dimensions[letter].width for letter in "ABCDI"]
    assert (widths, sheet["D2"].number_format) == ([36, 56, 34, 15, 24], "d mmm yyyy")
    assert [each.returncode for each in done] == [0, 0], done[1].stdout
    assert [each["sends"] for each in person.state()["projects"]] == [1, 1, 1]


def test_the_rows_to_correct_are_those_of_the_table_that_was_read(person):
    swapped = [[row[1], row[0], *row[2:]] for row in ([*HEADINGS], csv_row(2))]
    write_csv(person.folder / "monthly.csv", [csv_row(1, Type="Something"), *swapped])
    words = ["check", "monthly.csv", "--offline", "--table", "A1"]
    told = person.run(*words, "--failed", "wrong.xlsx")
    again = person.document("check", "wrong.xlsx", "--offline")

    assert "1 row to correct is alone in wrong.xlsx" in told.stdout
    assert "Not read: the table at A3 with row" in told.stdout
    assert [each["row"] for each in again["rows"]] == [2]


def test_people_to_correct_are_chosen_from_lists_too(person):
    lines = [
        ["First name", "Surname", "E-mail", "Role", "Notes"],
        ["Mere", "Pene", "mere", "Member", "of the board"],
        ["Hemi", "Ao", "hemi@example.org", "Member", None],
    ]
    (person.folder / "staff.xlsx").write_bytes(book({"Staff": lines}))
    person.run("check", "staff.xlsx", "--offline", "--failed", "wrong.xlsx")
    opened = load_workbook(person.folder / "wrong.xlsx")
    sheet = opened["Staff"]
    rules = _rules(sheet)
    headings, *rows = [line[:5] for line in sheet.iter_rows(values_only=True)]
    sheet["C2"] = "mere@example.org"
    opened.save(person.folder / "wrong.xlsx")
    told = person.document("check", "wrong.xlsx", "--offline")
    assert ([*headings], [[*row] for row in rows]) == (lines[0], lines[1:2])
    assert rules == {"Role": ("list", "kawe_role")}
    assert (told["kind"], told["counts"]) == ("invitations", {"ready": 1})


def test_a_file_of_rows_to_correct_never_misleads_and_is_never_lost(person):
    words = ("check", "monthly.csv", "--offline", *BOTH)
    assert person.run(*words).returncode == 3
    person.run(*words)
    assert not (person.folder / "wrong (2).xlsx").exists()
    write_csv(person.folder / "monthly.csv", [csv_row(1)])
    assert "No row is to correct: wrong.xlsx has none.\n" in person.run(*words).stdout
    assert len(_table(person.folder / "wrong.xlsx", "monthly")) == 1
    # What a person changed stays, and the next goes beside it.
    for name in ("wrong.csv", "map.geojson"):
        path = person.folder / name
        path.write_bytes(path.read_bytes() + b"\r\n")
    document = person.document(*words)
    assert [document["result_failed"], document["result_geojson"]] == [
        "wrong (2).xlsx",
        "map (2).geojson",
    ]


REFUSED = (
    (("--failed", "monthly.csv"), "would be written over your workbook"),
    (("--failed", "monthly.result.csv"), "would be written over the result"),
    (("--failed", "a.xlsx", "--result", "a.xlsx"), "over the result: a.xlsx"),
    (("--failed", "wrong.txt"), "“wrong.txt” does not end in .xlsx"),
    (("--failed", "none/wrong.csv"), "“wrong.csv” cannot be written"),
    (("--geojson", "none/map.geojson"), "“map.geojson” cannot be written"),
)


def test_a_place_that_cannot_be_is_refused_before_anything_is_sent(person):
    before = (person.folder / "monthly.csv").read_bytes()
    told = [person.run("submit", "monthly.csv", *YES, *words) for words, _ in REFUSED]
    wrong = [
        each.stderr
        for each, (_, said) in zip(told, REFUSED, strict=True)
        if each.returncode != 5 or said not in each.stderr
    ]
    assert wrong == []
    assert (person.folder / "monthly.csv").read_bytes() == before
    assert person.state()["projects"] == []


def test_what_kawe_wrote_is_no_attachment_and_goes_with_a_purge(person):
    (person.folder / "a-memo.pdf").write_bytes(b"%PDF-1.4 memo")
    lines = [[*HEADINGS, "Files"], [*csv_row(7), "a-*"]]
    (person.folder / "works.xlsx").write_bytes(book({"Works": lines}))
    words = ("works.xlsx", "--accept", "patterns", "--failed", "a-wrong.csv")
    words += ("--geojson", "a-map.geojson")
    person.run("submit", *words, *YES)
    attached = [each["path"] for each in person.document("check", *words)["files"]]
    purged = person.run("journal", "purge", "--older-than", "0", "--results", *YES)
    left = sorted(each.name for each in person.folder.iterdir() if each.is_file())

    assert attached == ["a-memo.pdf"]
    assert purged.returncode == 0, purged.stderr
    assert left == ["a-memo.pdf", "monthly.csv", "works.xlsx"]


def test_each_sheet_has_its_own_files(person):
    sheets = {
        "Roads": [list(HEADINGS), csv_row(1, Name="")],
        "Staff": [["Full name", "Email", "Role"], ["Mere Pene", "mere", "Member"]],
    }
    (person.folder / "both.xlsx").write_bytes(book(sheets))
    person.run("check", "both.xlsx", "--all-sheets", "--offline", *BOTH)
    told = person.document("check", "wrong.Staff.xlsx", "--offline")
    names = sorted(each.name for each in person.folder.glob("wrong*.xlsx"))
    assert names == ["wrong.Roads.xlsx", "wrong.Staff.result.xlsx", "wrong.Staff.xlsx"]
    assert (told["kind"], told["counts"]) == ("invitations", {"to correct": 1})


def test_a_map_has_a_feature_for_each_row_and_nothing_for_no_place(person):
    person.run("submit", "monthly.csv", *YES, *BOTH)
    document = assert_json_is_inert((person.folder / "map.geojson").read_bytes())
    person.run("status", "--write", "--geojson", "map.geojson")
    again = json.loads((person.folder / "map.geojson").read_bytes())

    assert again["features"][0] == document["features"][0]
    assert (document["type"], document["schema"]) == (
        "FeatureCollection",
        "kawe.geojson/1",
    )
    features = document["features"]
    assert {each["type"] for each in features} == {"Feature"}
    assert [each["geometry"] for each in features] == [
        {"type": "Point", "coordinates": [174.76, -36.85]},
        None,
        None,
        None,
        # Longitude first, and seven decimals are a centimetre.
        {"type": "Point", "coordinates": [174.5, -36.1234568]},
    ]
    named = [each["properties"]["reference"] for each in features]
    assert named == ["R-1", "R-2", "R-3", "R-4", "R-5"]
    shown = features[0]["properties"]
    assert {type(each) for each in shown.values()} <= {str, int, type(None)}
    assert {**shown, "project_id": "", "link": "", "at": ""} == {
        "row": 2,
        "sheet": "monthly",
        "reference": "R-1",
        "name": "Ōtāhuhu culvert 1",
        "outcome": "sent",
        "what_to_do": "",
        "project_id": "",
        "link": "",
        "receipt_number": shown["receipt_number"],
        "at": "",
        "respond_by": "2030-04-01",
        "iwi": "Ngāti Tauira ki te Raki",
    }
