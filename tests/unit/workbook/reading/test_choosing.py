"""Which sheet of a workbook is read, and as which kind."""

from __future__ import annotations

import pytest
from openpyxl import Workbook

from kawe.domain.sheet.columns import SheetKind
from kawe.errors import WorkbookError
from kawe.kinds.invitations import INVITATIONS as INVITATIONS_KIND
from kawe.kinds.projects import PROJECTS as PROJECTS_KIND
from kawe.workbook.reading.headings import Recogniser
from kawe.workbook.reading.reader import Chooser
from kawe.workbook.reading.sheets import Body
from kawe.workbook.reading.xlsx_book import XlsxBook
from unit.workbook.books import COLUMNS, book

RECOGNISER = Recogniser(COLUMNS)
PROJECTS = [["Name", "Type", "Start date"], ["Bridge", "Other", "1/2/2027"]]
INVITATIONS = [["Name", "Email", "Role"], ["Mere", "mere@x.govt.nz", "Owner"]]
NOTES = [["Some notes"], ["Name of nobody"]]


def choose(sheets, *, kind=None, sheet=None, change=lambda _: None, hidden=False):
    made = XlsxBook(book(sheets, change=change), name="rows.xlsx")
    chooser = Chooser(recogniser=RECOGNISER, include_hidden=hidden)
    return chooser.choose(made, kind=kind, sheet=sheet)


def named(chosen: Body) -> tuple[str, SheetKind]:
    return chosen.grid.sheet, chosen.headings.kind


def hide_first(made: Workbook) -> None:
    made.worksheets[0].sheet_state = "hidden"


def test_the_sheet_that_bears_the_name_of_the_kind_is_read():
    sheets = {"Old": PROJECTS, "Projects": PROJECTS, "Notes": NOTES}

    assert named(choose(sheets)) == ("Projects", PROJECTS_KIND)


def test_else_the_only_sheet_with_known_headings():
    sheets = {"Notes": NOTES, "Sheet1": INVITATIONS}

    assert named(choose(sheets)) == ("Sheet1", INVITATIONS_KIND)


def test_of_two_named_sheets_the_one_with_rows_is_read():
    sheets = {"Projects": PROJECTS[:1], "Invitations": INVITATIONS}

    assert named(choose(sheets)) == ("Invitations", INVITATIONS_KIND)


def test_two_sheets_that_could_be_meant_stop_with_their_names():
    with pytest.raises(WorkbookError) as stopped:
        choose({"North": PROJECTS, "South": PROJECTS})

    assert "“North”, “South”" in stopped.value.message
    assert stopped.value.hint == "Name one with --sheet."


def test_the_kind_tells_two_sheets_apart():
    sheets = {"Projects": PROJECTS, "Invitations": INVITATIONS}

    assert named(choose(sheets, kind=INVITATIONS_KIND)) == (
        "Invitations",
        INVITATIONS_KIND,
    )


def test_a_sheet_is_found_by_the_name_the_person_gives():
    sheets = {"North": PROJECTS, "South": PROJECTS}

    assert named(choose(sheets, sheet="south")) == ("South", PROJECTS_KIND)


def test_a_sheet_that_is_not_there_stops_with_those_that_are():
    with pytest.raises(WorkbookError) as stopped:
        choose({"North": PROJECTS}, sheet="West")

    assert stopped.value.message == "“rows.xlsx” has no sheet called “West”."
    assert "“North”" in stopped.value.hint


def test_a_hidden_sheet_is_ignored():
    sheets = {"Projects": PROJECTS, "Sheet1": PROJECTS}

    assert choose(sheets, change=hide_first).grid.sheet == "Sheet1"


def test_a_hidden_sheet_is_read_only_when_hidden_things_are_meant():
    sheets = {"Projects": PROJECTS, "Sheet1": NOTES}

    with pytest.raises(WorkbookError, match="Sheet “Projects” is hidden"):
        choose(sheets, sheet="Projects", change=hide_first)
    chosen = choose(sheets, sheet="Projects", change=hide_first, hidden=True)
    assert chosen.grid.sheet == "Projects"


def test_the_sheets_of_a_result_workbook_are_ignored():
    waiting = [["Row", "Name", "Type", "Start date"], ["2", "Bridge", "Other", ""]]
    sheets = {"Summary": NOTES, "Rows": PROJECTS, "Problems": NOTES, "Waiting": waiting}

    assert choose(sheets).grid.sheet == "Rows"


def test_a_sheet_called_summary_is_the_persons_where_kawes_is_marked():
    sheets = {"Summary (kawe)": PROJECTS, "Summary": PROJECTS}

    assert choose(sheets).grid.sheet == "Summary"


def test_no_known_headings_stop_with_those_that_are_looked_for():
    with pytest.raises(WorkbookError) as stopped:
        choose({"Notes": NOTES})

    assert "no headings that it knows" in stopped.value.message
    assert "projects: “Name”, “Type”, “Start date”" in stopped.value.hint
