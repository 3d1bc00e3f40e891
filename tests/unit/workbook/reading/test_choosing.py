"""Which sheet of a workbook is read, and as which kind."""

from dataclasses import replace
from pathlib import Path

import pytest
from openpyxl import Workbook

from kawe.cases.kinds import KINDS
from kawe.domain.sheet.columns import SheetKind
from kawe.domain.text.next_steps import Given
from kawe.errors import WorkbookError
from kawe.kinds.invitations import INVITATIONS as INVITATIONS_KIND
from kawe.kinds.projects import PROJECTS as PROJECTS_KIND
from kawe.schemas.catalog import load_columns
from kawe.workbook.reading.assigning import mapped
from kawe.workbook.reading.books import Books, XlsxBook
from kawe.workbook.reading.choosing import Chooser
from kawe.workbook.reading.headings import Recogniser
from kawe.workbook.reading.lines import Body
from unit.workbook.books import COLUMNS, book

RECOGNISER = Recogniser(COLUMNS)
PROJECTS = [["Name", "Type", "Start date"], ["Bridge", "Other", "1/2/2027"]]
INVITATIONS = [["Name", "Email", "Role"], ["Mere", "mere@x.govt.nz", "Owner"]]
NOTES = [["Some notes"], ["Name of nobody"]]


def choose(sheets, *, kind=None, sheet=None, change=lambda _: None, hidden=False):
    made = XlsxBook(book(sheets, change=change), name="rows.xlsx")
    chooser = Chooser(made, recogniser=RECOGNISER, include_hidden=hidden)
    return chooser.choose(kind=kind, sheet=sheet)


def named(chosen: Body) -> tuple[str, SheetKind]:
    return chosen.grid.sheet, chosen.headings.kind


def hide_first(made: Workbook) -> None:
    made.worksheets[0].sheet_state = "hidden"


WAITING = [["Row", "Name", "Type", "Start date"], ["2", "Bridge", "Other", ""]]
RESULT = {"Summary": NOTES, "Rows": PROJECTS, "Problems": NOTES, "Waiting": WAITING}


@pytest.mark.parametrize(
    ("sheets", "asked", "chosen"),
    [
        ({"Old": PROJECTS, "Projects": PROJECTS, "Notes": NOTES}, {}, "Projects"),
        ({"Notes": NOTES, "Sheet1": INVITATIONS}, {}, "Sheet1"),
        ({"Projects": PROJECTS[:1], "Invitations": INVITATIONS}, {}, "Invitations"),
        (
            {"Projects": PROJECTS, "Invitations": INVITATIONS},
            {"kind": INVITATIONS_KIND},
            "Invitations",
        ),
        ({"North": PROJECTS, "South": PROJECTS}, {"sheet": "south"}, "South"),
        (RESULT, {}, "Rows"),
        ({"Summary (kawe)": PROJECTS, "Summary": PROJECTS}, {}, "Summary"),
    ],
    ids=[
        *("called like its kind", "the only one with known headings", "with rows"),
        *("of the kind that is meant", "called as a person says", "not of a result"),
        "a person's summary beside that of kawe",
    ],
)
def test_of_several_sheets_the_one_that_is_meant_is_read(sheets, asked, chosen):
    kind = INVITATIONS_KIND if sheets[chosen] is INVITATIONS else PROJECTS_KIND
    assert named(choose(sheets, **asked)) == (chosen, kind)


def test_a_book_is_looked_at_once():
    books, data = Books(), book({"North": PROJECTS})
    first, second = (
        Chooser(
            books.open(Path("rows.xlsx"), data, recogniser=RECOGNISER),
            recogniser=RECOGNISER,
            include_hidden=False,
        )
        for _ in range(2)
    )

    seen = first.look()

    assert first.look(PROJECTS_KIND) is seen
    assert first.grid("North") is second.grid("North") is seen[0].grid


def test_the_rows_below_known_headings_are_gone_through_once():
    chosen = choose({"Projects": PROJECTS})

    body, _ = mapped(chosen)

    # It keeps its rows as they were read.
    assert body is chosen


class TopRows(list):
    """Fails where a row below the twentieth is read."""

    def __iter__(self):
        for number, row in enumerate(super().__iter__()):
            assert number < 20
            yield row


class HeadingsAlone(XlsxBook):
    """Gives no row far below the headings."""

    def _grid(self, sheet):
        grid = super()._grid(sheet)
        return replace(grid, rows=TopRows(grid.rows))


def test_no_cell_below_decides_where_the_headings_are_of_one_list_alone():
    rows = [PROJECTS[0], *[PROJECTS[1]] * 30]
    made = HeadingsAlone(book({"North": rows}), name="rows.xlsx")
    chooser = Chooser(made, recogniser=RECOGNISER, include_hidden=False)

    assert [each.name for each in chooser.look() if each.is_list] == ["North"]


def test_two_sheets_that_could_be_meant_stop_with_their_names():
    with pytest.raises(WorkbookError) as stopped:
        choose({"North": PROJECTS, "South": PROJECTS})

    assert "“North”, “South”" in stopped.value.message
    assert stopped.value.hint == (
        f"Name one with {Given.SHEET}; check, plan and submit take every list "
        f"with {Given.ALL_SHEETS}."
    )


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


def test_no_known_headings_stop_with_those_that_are_looked_for():
    with pytest.raises(WorkbookError) as stopped:
        choose({"Notes": NOTES})

    assert "no headings that it knows" in stopped.value.message
    assert "projects: “Name”, “Type”, “Start date”" in stopped.value.hint


REGISTER = ["Reference", "Name", "Description", "Type", "Start date", "End date"]
REGISTER_ROW = ["R-1", "Bridge", "A bridge.", "Other", "1/2/2027", "1/3/2027"]
PEOPLE = ["Full name", "Email", "Role", "Department"]
PERSON = ["Mere", "mere@x.govt.nz", "Owner", "Planning"]
FULL = Recogniser({kind: load_columns(kind) for kind in KINDS})


def decided(sheets, *, kind=None, sheet=None):
    made = XlsxBook(book(sheets), name="rows.xlsx")
    chooser = Chooser(made, recogniser=FULL, include_hidden=False)
    return named(chooser.choose(kind=kind, sheet=sheet))


@pytest.mark.parametrize("asked", [None, "by name"])
@pytest.mark.parametrize(
    ("title", "rows", "kind"),
    [
        ("Projects", [PEOPLE, PERSON], INVITATIONS_KIND),
        ("Projects", [["Name", "E-mail", "Role", "Department"], PERSON], "people"),
        ("Invitations", [REGISTER, REGISTER_ROW], PROJECTS_KIND),
        ("Sheet1", [REGISTER, REGISTER_ROW], PROJECTS_KIND),
        ("Sheet1", [["Staff of the council"], [], PEOPLE, PERSON], INVITATIONS_KIND),
        ("Invitations", [["Works 2027"], ["May"], REGISTER, REGISTER_ROW], "projects"),
        ("Projects", [["Name", "Job\ntitle", "Role\n(access)", "Mail"]], "people"),
        ("Projects", [[*REGISTER, "Email", "Phone", "Department"]], PROJECTS_KIND),
        ("Projects", [[*REGISTER, "Contact name", "Contact email"]], PROJECTS_KIND),
        ("Staff", [["Name", "Email", "Job title", "Phone", "Start date"]], "people"),
        ("do", [["Project", "Do", "Message"], ["R-1", "Close", ""]], "acts"),
        ("Works", [[*REGISTER, "Do"], [*REGISTER_ROW, "Dig"]], PROJECTS_KIND),
        ("To close", [["Project", "Message"], ["R-1", "Thanks."]], "closures"),
    ],
)
def test_the_headings_say_what_a_sheet_is_about_whatever_it_is_called(
    title, rows, kind, *, asked
):
    wanted = INVITATIONS_KIND if kind == "people" else kind

    assert decided({title: rows}, sheet=asked and title) == (title, wanted)


@pytest.mark.parametrize("title", ["Projects", "Invitations", "Sheet1"])
def test_headings_of_both_kinds_stop_and_both_are_named(title):
    both = [*REGISTER, "Respond by", "Email", "Role", "Department"]

    with pytest.raises(WorkbookError) as stopped:
        decided({title: [both]})

    assert stopped.value.message == (
        f"Sheet “{title}” could be a list of projects or of invitations: it has the "
        "headings of both (of projects “Reference”, “Name”, “Description”, “Type”, "
        "“Start date”, “End date”, “Respond by”, “Email”; of invitations “Name”, "
        "“Email”, “Role”, “Department”)."
    )
    assert (
        f"{Given.KIND('projects')} or {Given.KIND('invitations')}" in stopped.value.hint
    )
    assert decided({title: [both]}, kind=PROJECTS_KIND) == (title, PROJECTS_KIND)


def test_of_a_list_and_a_table_of_choices_the_list_is_read():
    sheets = {"Lookups": [["Type", "Phase"], ["Other", "x"]], "2027": [REGISTER] * 2}

    assert decided(sheets) == ("2027", PROJECTS_KIND)


def test_every_list_is_named_and_every_other_sheet_with_the_reason():
    sheets = {
        "Read me": NOTES,
        "Roads": [REGISTER, REGISTER_ROW],
        "Staff": [PEOPLE, PERSON],
        "Lookups": [["Type", "Phase"], ["Other", "x"]],
        "Empty": [REGISTER],
        "Summary": [REGISTER, REGISTER_ROW],
    }
    made = XlsxBook(book(sheets), name="rows.xlsx")
    lists, left = Chooser(made, recogniser=FULL, include_hidden=False).lists(kind=None)

    assert lists == (("Roads", PROJECTS_KIND), ("Staff", INVITATIONS_KIND))
    assert left == {
        "Read me": "kawe found no headings in it that it knows",
        "Lookups": "kawe knows only these of its headings: “Type”, “Phase”",
        "Empty": "it has headings and no rows",
        "Summary": "kawe wrote it",
    }


def test_lists_of_one_kind_leave_those_of_another():
    sheets = {"Roads": [REGISTER, REGISTER_ROW], "Staff": [PEOPLE, PERSON]}
    made = XlsxBook(book(sheets), name="rows.xlsx")
    chooser = Chooser(made, recogniser=FULL, include_hidden=False)
    lists, left = chooser.lists(kind=INVITATIONS_KIND)

    assert lists == (("Staff", INVITATIONS_KIND),)
    assert left == {"Roads": "it holds projects"}


def test_a_workbook_without_a_list_has_none():
    made = XlsxBook(book({"Notes": NOTES}), name="rows.xlsx")

    with pytest.raises(WorkbookError, match="no headings that it knows"):
        Chooser(made, recogniser=FULL, include_hidden=False).lists(kind=None)
