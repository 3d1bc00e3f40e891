"""What an officer reads is true, is said once, and fits on a page."""

import openpyxl

from doubles.command import HEADINGS, csv_row, write_csv

YES = ("--yes", "30", "--no-input")


def test_a_row_that_another_workbook_sent_since_is_told_as_sent_and_no_more(person):
    drafts = [csv_row(number, Send="no") for number in (1, 2)]
    write_csv(person.folder / "monthly.csv", drafts)
    person.run("submit", "monthly.csv", "--no-input")
    wrong = [csv_row(number, Type="Else") for number in range(1, 7)]
    write_csv(person.folder / "copy.csv", wrong)
    person.run("submit", "copy.csv", *YES)
    write_csv(person.folder / "monthly.csv", [csv_row(1), csv_row(2)])
    person.run("submit", "monthly.csv", *YES)
    told = person.run("status", "copy").stdout
    (batch,) = person.document("status", "copy")["batches"]
    rows = batch["rows"]
    assert ("has a draft" in told, "Not done: 4 rows." in told) == (False, True)
    assert [(row["outcome"], row["of_batch"]) for row in rows] == [
        ("sent", "monthly"),
        ("sent", "monthly"),
        *[("to correct", None)] * 4,
    ]
    assert not any("has a draft" in row["what_to_do"] for row in rows)


def test_with_a_sandbox_key_nobody_says_that_projects_go_to_iwi(person):
    person.key = person.twin.address.sandbox_key
    write_csv(person.folder / "monthly.csv", [csv_row(1), csv_row(2)])
    told = person.run("submit", "monthly.csv", "--no-input").stdout
    assert "2 projects go with a sandbox key, which reaches nobody." in told
    assert ("go to iwi" in told, "cannot be undone" in told) == (False, False)


def test_many_held_rows_fit_on_a_page_and_each_is_named(person):
    rows = [csv_row(number, Send="no") for number in range(1, 21)]
    write_csv(person.folder / "monthly.csv", rows)
    person.run("submit", "monthly.csv", "--no-input")
    edited = [csv_row(n, Send="no", Description="Else.") for n in range(1, 21)]
    write_csv(person.folder / "monthly.csv", edited)
    person.run("submit", "monthly.csv", *YES)
    person.environment = {"COLUMNS": "80"}
    lines = person.run("waiting").stdout.splitlines()
    told = " ".join(line.strip() for line in lines)
    assert (len(lines) < 60, "20 rows are held for one reason:" in told) == (True, True)
    assert [n for n in range(1, 19) if f"R-{n}" not in told] == []
    assert "and 2 more; --verbose tells of each." in told
    assert "R-20 (" in person.run("waiting", "--verbose").stdout
    assert len(person.document("waiting")["held"]) == 20


def test_a_plan_of_two_sheets_gives_one_next_command(person):
    book = openpyxl.Workbook()
    for name in ("Roads", "Water"):
        sheet = book.create_sheet(name)
        row = csv_row(
            1,
            Reference=f"{name}-1",
            Name=f"Works for {name}",
            Description=f"For {name}.",
            Latitude=f"-36.{ord(name[0])}",
        )
        sheet.append(HEADINGS)
        sheet.append(row)
    del book["Sheet"]
    book.save(person.folder / "two.xlsx")
    lines = person.run("plan", "two.xlsx", "--all-sheets").stdout.splitlines()
    assert [line for line in lines if line.startswith("Next:")] == [
        "Next: kawe submit two.xlsx --all-sheets"
    ]
    assert "Tokens are counted after the 1 send of the sheets before." in lines
