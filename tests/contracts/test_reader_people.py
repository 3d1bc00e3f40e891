"""Sheets as people keep them: names in two columns, totals, headings again, strikes."""

import gc
import tracemalloc
from datetime import date

import pytest
from openpyxl import Workbook
from openpyxl.styles import Font

from doubles.opening import COLUMNS
from kawe.domain.batch.readings import ReadingChoices
from kawe.domain.sheet.findings import Severity
from kawe.domain.text.next_steps import Given
from kawe.errors import WorkbookError
from kawe.workbook.reading.reader import CalamineReader
from unit.workbook.books import patched, with_part, xlsx

HEADINGS = ["First name", "Surname", "E-mail addr.", "Role"]
AROHA = ["Aroha", "Tūhoro", "aroha@example.org.nz", "Member"]
MERE = ["Mere", "Ngata", "mere@example.org.nz", "Member"]


def said(table):
    rows = [finding for row in table.rows for finding in row.findings]
    return [
        (getattr(each.where, "address", each.where.row), each.message)
        for each in (*table.findings, *rows)
    ]


@pytest.mark.parametrize(
    ("first", "last"),
    [
        ("First name", "Surname"),
        ("Given name(s)", "Family name"),
        ("FORENAME", "Last name *"),
        ("Preferred name", "Lastname"),
        ("Firstname", "surname"),
    ],
)
def test_a_name_in_two_columns_is_one_name_in_either_order(opened, first, last):
    there = opened([first, last, *HEADINGS[2:]], AROHA).table()
    back = opened(
        [last, "Team", first, *HEADINGS[2:]], ["Tūhoro", "A", "Aroha", *AROHA[2:]]
    ).table()

    wanted = {"name": "Aroha Tūhoro", "email": "aroha@example.org.nz", "role": "MEMBER"}
    assert [row.values() for row in (*there.rows, *back.rows)] == [wanted, wanted]
    assert (there.rows[0].raw, back.rows[0].raw[:3]) == (
        tuple(AROHA),
        ("Tūhoro", "A", "Aroha"),
    )
    assert (said(there), said(back)) == ([], [])


def test_an_empty_part_of_a_name_is_pointed_out(opened):
    table = opened(
        HEADINGS,
        ["Aroha", None, *AROHA[2:]],
        [None, "Ngata", *MERE[2:]],
        [None, None, *MERE[2:]],
    ).table()

    assert [row.value("name") for row in table.rows] == ["Aroha", "Ngata", None]
    assert said(table) == [
        ("B2", "The cell is empty, so Name is read as “Aroha”."),
        ("A3", "The cell is empty, so Name is read as “Ngata”."),
    ]
    assert {each.severity for row in table.rows for each in row.findings} == {
        Severity.WARNING
    }


def test_one_part_of_a_name_alone_asks_for_the_other(opened):
    table = opened(["First name", "Email", "Role"], ["Aroha", *AROHA[2:]]).table()

    (finding,) = table.findings
    assert (finding.severity, finding.message, finding.advice) == (
        Severity.ERROR,
        "The sheet has no column “Name”. “First name” holds a part of it.",
        "Add a column “Surname”, or one “Name”.",
    )


def test_a_whole_name_beside_a_part_is_the_name_and_says_so(opened):
    table = opened(
        ["Name", "Surname", "Email", "Role"], ["Aroha Tūhoro", *AROHA[1:]]
    ).table()

    assert [row.value("name") for row in table.rows] == ["Aroha Tūhoro"]
    assert said(table) == [
        ("B1", "“Surname” is not read: “Name” is taken for the whole Name.")
    ]


@pytest.mark.parametrize(
    "line",
    [
        ["Total"],
        ["TOTAL", None, None, 2],
        [None, "Sub-total:", 12],
        ["Grand total: 12"],
        ["2 people"],
        ["Total people", 2],
        ["Number of staff: 2"],
        ["Count", "2"],
        ["End of list"],
        ["Tapeke", 2],
        ["Total", None, "2 people"],
        ["No. of people: 2"],
        ["Staff count", 2],
        ["Total number of staff in this list: 2"],
        ["*** End of report ***"],
        [None, None, 2],
        ["2"],
    ],
    ids=str,
)
def test_a_total_line_is_not_read_and_is_named(opened, line):
    table = opened(HEADINGS, AROHA, MERE, line).table()

    assert [row.ref.row for row in table.rows] == [2, 3]
    assert said(table) == [(4, "Row 4 is a total line and is not read.")]


@pytest.mark.parametrize(
    "line",
    [
        ["Total", "Wellbeing", "total@example.org.nz", "Member"],
        ["Total", None, "total@example.org.nz"],
        ["Count", "Basie"],
        ["Total Mobility"],
        ["Endre"],
        [None, None, "two@example.org.nz"],
        ["12 Main Street"],
        ["Total", "2 people", "Member"],
        ["Project 3"],
        ["Norman", "Count"],
    ],
    ids=str,
)
def test_a_line_that_may_be_a_row_stays_a_row(opened, line):
    assert [row.ref.row for row in opened(HEADINGS, AROHA, line).table().rows] == [2, 3]


def test_a_project_called_total_is_a_row_and_its_total_line_is_none(opened):
    day = date(2027, 2, 1)
    sheet = opened(
        ["Name", "Type", "Start date", "End date", "Cost"],
        ["Total", None, day, day, 5],
        ["Bridge", "Other", day, day, 7],
        [None, None, None, None, 12],
    )

    assert [row.ref.row for row in sheet.table().rows] == [2, 3]
    assert said(sheet.table())[-1] == (4, "Row 4 is a total line and is not read.")


def test_numbered_lines_that_are_not_filled_in_are_rows(opened):
    sheet = opened(["No", *HEADINGS], [1, *AROHA], [2, *MERE], [3], [4])
    one = opened(["No", *HEADINGS], [1, *AROHA], [2, *MERE], [3])

    assert [row.ref.row for row in sheet.table().rows] == [2, 3, 4, 5]
    assert [row.ref.row for row in one.table().rows] == [2, 3, 4]


def test_headings_that_come_again_are_not_read_and_are_named(opened):
    again = [each.upper() for each in HEADINGS]
    sheet = opened(HEADINGS, AROHA, HEADINGS, MERE, again, ["2 people"], ["Total", 2])
    table = sheet.table()

    assert [row.ref.row for row in table.rows] == [2, 4]
    assert said(table) == [
        (6, "Rows 6 and 7 are total lines and are not read."),
        (3, "Rows 3 and 5 repeat the headings and are not read."),
    ]


def struck(tmp_path, *, cells=4, more=(), **options):
    made = Workbook()
    for row in (HEADINGS, AROHA, (*MERE, *more)):
        made.active.append(row)
    for cell in made.active[3][:cells]:
        cell.font = Font(strike=True)
    made.save(tmp_path / "staff.xlsx")
    reader = CalamineReader(COLUMNS, **options)
    return reader.open(tmp_path / "staff.xlsx", kind=None, sheet=None)


def test_struck_through_rows_stop_the_reading(tmp_path):
    with pytest.raises(WorkbookError) as stopped:
        struck(tmp_path)

    assert (stopped.value.message, stopped.value.hint) == (
        (
            "Sheet “Sheet” has struck-through rows: 3. kawe does not guess whether "
            "they are meant."
        ),
        (
            f"Run again with {Given.SKIP_STRUCK} to leave them out, or with "
            f"{Given.INCLUDE_STRUCK} to take them too."
        ),
    )


def test_struck_through_rows_are_left_out_or_read_as_told(tmp_path):
    table = struck(tmp_path, choices=ReadingChoices(takes_struck=False)).table()
    with_them = struck(tmp_path, choices=ReadingChoices(takes_struck=True)).table()

    assert [row.ref.row for row in table.rows] == [2]
    assert said(table) == [(3, "Row 3 is struck through and is not read.")]
    assert [row.ref.row for row in with_them.rows] == [2, 3]
    assert said(with_them) == [(3, "Struck-through rows were read too: 3.")]


def test_a_row_of_which_the_first_two_cells_are_struck_stops_the_reading(tmp_path):
    with pytest.raises(WorkbookError):
        struck(tmp_path, cells=2, more=range(9))


def test_one_struck_cell_is_read_where_somebody_said_so_alone(tmp_path):
    said = (ReadingChoices(takes_struck=each) for each in (None, False, True))
    read = [struck(tmp_path, cells=1, choices=each).table() for each in said]

    names = [[row.value("name") for row in table.rows] for table in read]
    assert names == [["Aroha Tūhoro", each] for each in (None, None, "Mere Ngata")]


def test_a_cell_of_which_a_part_is_struck_is_no_value(tmp_path):
    inline, shared = b't="inlineStr"><is><t>Mere</t></is>', b't="s"><v>1</v>'
    data = patched(
        xlsx(HEADINGS, AROHA, MERE),
        "xl/worksheets/sheet1.xml",
        lambda text: text.replace(inline, shared),
    )
    texts = b"<r><rPr><strike/></rPr><t>Old </t></r><r><t>Mere</t></r>"
    texts = b"<sst><si><t/></si><si>%b</si></sst>" % texts
    data = with_part(data, "xl/sharedStrings.xml", texts)
    (tmp_path / "staff.xlsx").write_bytes(data)
    sheet = CalamineReader(COLUMNS).open(tmp_path / "staff.xlsx", kind=None, sheet=None)
    assert [row.value("name") for row in sheet.table().rows] == ["Aroha Tūhoro", None]


def test_one_date_with_its_month_first_casts_doubt_on_other_columns_too(opened):
    head = ["Name", "Type", "Start date", "End date", "Respond by"]
    rows = [
        ["Bridge", "Other", "2/13/2027", "3/1/2027", "3/1/2027"],
        ["Road", "Other", "2027-02-13", "3/1/2027", "28/1/2027"],
    ]

    found = said(opened(head, *rows).table())

    either = "“3/1/2027” could be 3 Jan 2027 or 1 Mar 2027: another date of the sheet"
    assert sorted(found[1:]) == [
        ("C2", "“2/13/2027” looks like 13 Feb 2027 with the month first."),
        *((cell, f"{either} has the month first.") for cell in ("D2", "D3")),
    ]


def test_a_given_role_needs_no_column(opened):
    bare = opened(HEADINGS[:3], AROHA[:3]).table()
    told = opened(HEADINGS[:3], AROHA[:3], given=frozenset({"role"})).table()

    (finding,) = bare.findings
    assert (finding.rule, finding.advice) == (
        "heading-missing",
        (
            "Give one for every row with --role member, or add a column with the "
            "heading “Role”."
        ),
    )
    assert said(told) == []


def test_a_cell_that_may_be_empty_says_so_and_a_needed_one_does_not(opened):
    table = opened(["Name", "Type", "Phase"], ["Bridge", "Briddge", "Lodgd"]).table()

    assert [each.advice for each in table.rows[0].findings] == [
        "Choose it from the list in the template, or write it as it stands there.",
        "Did you mean Lodged? Or leave the cell empty.",
    ]


def test_the_rows_of_a_sheet_are_taken_from_the_file_once(tmp_path):
    struck(tmp_path, cells=0)
    path, reader = tmp_path / "staff.xlsx", CalamineReader(COLUMNS)

    one, two = (reader.read(path, kind=None, sheet=None) for _ in range(2))
    back = reader.original(path, kind=one.kind, sheet=one.sheet)

    taken = [row.raw for row in one.rows], [row.raw for row in two.rows]
    assert [id(each) for each in taken[0]] == [id(each) for each in taken[1]]
    assert [id(raw) for _, raw in back.rows()] == [id(each) for each in taken[0]]

    path.write_bytes(b"Saved otherwise meanwhile.")
    reader.let_rows_go()

    back = reader.original(path, kind=one.kind, sheet=one.sheet)
    assert [raw for _, raw in back.rows()] == taken[0]


def test_a_text_file_is_let_go_whole_and_known_as_one(tmp_path):
    path, reader = tmp_path / "staff.csv", CalamineReader(COLUMNS)
    path.write_bytes(b"Name,Email\nAroha,aroha@example.nz" + b"\n" * 50_000)
    CalamineReader(COLUMNS).read(path, kind=None, sheet=None)  # imports what reads it
    tracemalloc.start()
    kind = reader.read(path, kind=None, sheet=None).kind
    reader.let_rows_go()
    gc.collect()
    held_bytes, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    back = reader.original(path, kind=kind, sheet="staff")
    assert (held_bytes < 40_000, back) == (True, "your rows are in a text file")
