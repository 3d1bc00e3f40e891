"""Result workbooks: how every row stands, in words and colours."""

import io
import re
import zipfile
from collections.abc import Sequence
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

from openpyxl import Workbook, load_workbook
from openpyxl.utils import column_index_from_string, get_column_letter, range_boundaries

from doubles.reports import PROJECT_HEADINGS, batch_report, standing
from kawe.domain.batch.explaining import OUTCOMES
from kawe.domain.batch.outcomes import BatchReport, Outcome, RowReport
from kawe.domain.sheet.content import Attachment
from kawe.domain.sheet.findings import Finding, RowRef, Severity
from kawe.domain.text.next_steps import Next
from kawe.kinds.invitations import INVITATIONS
from kawe.kinds.projects import PROJECTS
from kawe.workbook.results.result import write_result
from kawe_xlsx.limits import CUT_MARK

AT = datetime(2026, 11, 21, 2, 15, tzinfo=UTC)
WEB = "https://portal.example.nz/projects/1"


def finding(row: int, column: int | None = 1, **given: Any) -> Finding:
    ref = RowRef(sheet="Projects", row=row)
    said = {
        "severity": Severity.ERROR,
        "rule": "date-unreadable",
        "heading": "Name" if column == 1 else "Start",
        "value": "tbc",
        "message": "“tbc” is not a date.",
        "advice": "Type it as day/month/year.",
        **given,
    }
    return Finding(where=ref if column is None else ref.cell(column), **said)


def row(number: int, outcome: Outcome = Outcome.SENT, **given: Any) -> RowReport:
    return standing(number, outcome, **{"raw": ("Bridge", date(2027, 2, 1)), **given})


def report(*rows: RowReport, **given: Any) -> BatchReport:
    usual = {"batch": "2026-11-21-a", "workbook": "rows.xlsx", "written_at": AT}
    return batch_report(*rows, **{**usual, "headings": ("Name", "Start"), **given})


def opened(made: BatchReport) -> Workbook:
    files = [io.BytesIO() for _ in range(3)]
    write_result(made, files)
    return load_workbook(files[0])


def values(book: Workbook, sheet: str) -> list[Sequence[Any]]:
    return [cells for cells in book[sheet].iter_rows(values_only=True) if any(cells)]


def test_files_of_rows_have_a_sheet_and_without_files_there_is_none():
    plan = Attachment(
        path=Path("/x/plans/site plan.pdf"),
        name="=site plan.pdf",
        mime_type="application/pdf",
        size_bytes=1234,
        sha256="ab" * 32,
    )
    book = opened(report(row(2, files=(plan,)), row(3)))
    assert book.sheetnames[-1] == "Files"
    heading, *rows = values(book, "Files")
    assert list(heading) == [
        *("Row", "Reference", "Name", "File", "Size in bytes", "SHA-256")
    ]
    assert [[each[0], *each[3:]] for each in rows] == [
        ["2", "=site plan.pdf", 1234, "ab" * 32]
    ]
    assert opened(report(row(2))).sheetnames[-1] == "Waiting"


def test_the_sheets_stand_in_their_order():
    assert opened(report(row(2))).sheetnames == [
        "Results",
        "Projects",
        "Summary",
        "Problems",
        "Waiting",
    ]


def test_each_row_keeps_its_number_and_says_how_it_stands():
    given = row(
        5,
        what_to_do="Nothing.",
        iwi=tuple(f"Iwi {n}" for n in range(10)),
        project_id="p-1",
        link=WEB,
        receipt_number="R-1",
        at=AT,
    )

    sheet = opened(report(given))["Projects"]

    assert [cell.value for cell in sheet[4]] == ["Name", "Start", *PROJECT_HEADINGS]
    assert [cell.value for cell in sheet[5]] == [
        "Bridge",
        datetime(2027, 2, 1),  # noqa: DTZ001 (a cell has no zone)
        "Sent",
        "Nothing.",
        "Iwi 0; Iwi 1; Iwi 2; Iwi 3; Iwi 4; Iwi 5; Iwi 6; Iwi 7 and 2 more",
        "p-1",
        "Open in portal",
        "R-1",
        datetime(2026, 11, 21, 15, 15),  # noqa: DTZ001 (New Zealand wall time)
        None,
    ]
    assert sheet["G5"].hyperlink.target == WEB
    assert sheet.freeze_panes == "A5"


def test_the_rows_are_an_excel_table_with_headings_that_all_differ():
    made = report(row(2, raw=("a", "b", "c")), headings=("Name", "name", "Link"))

    sheet = opened(made)["Projects"]
    table = sheet.tables["kawe_rows"]

    names = [each.name for each in table.tableColumns]
    assert table.ref == "A1:K2"
    assert names == [
        *("Name", "name (2)", "Link"),
        *("Outcome", "What to do", "To iwi", "Project id", "Link (kawe)"),
        *("Receipt number", "Time", "Reference at the service"),
    ]
    assert [cell.value for cell in sheet[1]] == names


def test_text_is_never_a_formula_or_an_error():
    texts = ["=1+1", "+1", "-1", "@SUM(A1)", "#REF!", "\t=1", "{=1}", "=HYPERLINK(1)"]
    rows = [
        row(
            number,
            Outcome.HELD,
            raw=(text, text),
            what_to_do=text,
            name=text,
            reference=text,
            project_id=text,
            receipt_number=text,
            findings=(finding(number, value=text, message=text, advice=text),),
        )
        for number, text in enumerate(texts, start=2)
    ]

    book = opened(report(*rows, headings=("=1", "+1"), remarks=("=1",)))

    cells = [cell for sheet in book for line in sheet for cell in line]
    filled = [cell for cell in cells if cell.value is not None]
    assert {cell.data_type for cell in filled} == {"s", "n"}
    assert all(cell.quotePrefix for cell in filled if cell.data_type == "s")


def test_control_and_direction_characters_never_reach_a_cell():
    given = row(2, raw=("a\x1b[31m\u202eb\x00\ud800\ufffe", "x\r\ny\tz"))

    sheet = opened(report(given))["Projects"]

    assert [sheet["A2"].value, sheet["B2"].value] == ["a[31mb", "x\ny z"]


def test_a_text_longer_than_a_cell_is_cut_and_says_so():
    sheet = opened(report(row(2, raw=("x" * 40_000, None))))["Projects"]

    assert sheet["A2"].value == "x" * 1_000 + CUT_MARK


def test_values_keep_their_kind_and_their_last_digit():
    number = -35.714999999999996
    given = row(2, raw=(number, True, 12.0, None, float("inf"), date(1890, 1, 1)))

    sheet = opened(report(given, headings=tuple("abcdef")))["Projects"]

    assert [cell.value for cell in sheet[2][:6]] == [
        number,
        True,
        12,
        None,
        "inf",
        "1890-01-01",
    ]


def test_a_cell_with_an_error_is_red_and_says_why():
    sheet = opened(report(row(2, Outcome.INVALID, findings=(finding(2, 2),))))[
        "Projects"
    ]

    assert sheet["B2"].fill.fgColor.rgb == "FFFFC7CE"
    assert sheet["B2"].comment.text == (
        "kawe, 15:15 on 21 November 2026:\n\n"
        "“tbc” is not a date. Type it as day/month/year."
    )
    assert sheet["A2"].comment is None


def test_a_cell_with_a_warning_is_amber_and_a_note_leaves_no_mark():
    warning = finding(2, 1, severity=Severity.WARNING)
    note = finding(2, 2, severity=Severity.NOTE)

    sheet = opened(report(row(2, findings=(warning, note))))["Projects"]

    assert sheet["A2"].fill.fgColor.rgb == "FFFFEB9C"
    assert sheet["B2"].comment is None


def test_a_finding_follows_its_heading_where_columns_have_moved():
    moved = finding(2, 9, heading="Start")

    sheet = opened(report(row(2, findings=(moved,))))["Projects"]

    assert sheet["B2"].comment is not None


def test_a_finding_about_the_whole_row_marks_what_to_do():
    sheet = opened(
        report(row(2, what_to_do="Look.", findings=(finding(2, None, heading=""),)))
    )["Projects"]

    assert sheet["D2"].fill.fgColor.rgb == "FFFFC7CE"
    assert sheet["D2"].comment.text == (
        "kawe, 15:15 on 21 November 2026:\n\n"
        "“tbc” is not a date. Type it as day/month/year."
    )


def test_what_to_do_and_iwi_wrap_in_a_new_workbook_and_the_row_has_their_height():
    todo = "The place is in the sea. " * 4
    given = (row(2, what_to_do=todo.strip()), row(3, iwi=("Ngāti Tauira",) * 6), row(4))

    sheet = opened(report(*given))["Projects"]

    assert [sheet[cell].alignment.wrap_text for cell in ("D2", "E3")] == [True, True]
    assert [sheet.row_dimensions[at].height for at in (2, 3, 4)] == [45, 45, None]


def test_a_number_that_lost_a_zero_can_be_typed_again_with_it():
    lost = finding(2, 1, rule="zero-lost", severity=Severity.WARNING)

    sheet = opened(report(row(2, raw=(211234567.0, None), findings=(lost,))))[
        "Projects"
    ]

    assert (sheet["A2"].value, sheet["A2"].number_format) == (211234567, "@")


def test_every_outcome_is_explained_and_coloured():
    rows = [row(number, each) for number, each in enumerate(Outcome, start=2)]

    book = opened(report(*rows))

    said = values(book, "Summary")
    for number, outcome in enumerate(Outcome, start=2):
        words = outcome.value.capitalize()
        explained = OUTCOMES[outcome]
        assert (words, 1, explained.means, explained.next_step) in said
        assert book["Projects"].cell(number, 3).value == words
        assert book["Projects"].cell(number, 3).fill.fill_type == "solid"


def test_the_sums_of_the_summary_are_the_rows_read():
    outcomes = [Outcome.SENT, Outcome.SENT, Outcome.INVALID, Outcome.DEFERRED]
    rows = [row(number, each) for number, each in enumerate(outcomes, start=2)]

    said = values(opened(report(*rows)), "Summary")

    counts = {line[0]: line[1] for line in said if isinstance(line[1], int)}
    assert counts == {"Sent": 2, "To correct": 1, "Deferred": 1, "Rows read": 4}


def test_the_summary_says_what_this_is_and_when_in_new_zealand_time():
    said = values(opened(report(row(2), remarks=("It stopped.",))), "Summary")
    flat = [cell for line in said for cell in line]

    assert flat[0] == "Result for rows.xlsx"
    assert "Live: projects reach iwi, and each send uses a token." in flat
    assert "Saturday 21 November 2026, 15:15 (NZ time)" in flat
    assert "• It stopped." in flat


def test_deferred_rows_are_told_with_the_tokens_that_would_cover_them():
    rows = [row(number, Outcome.DEFERRED, turn=number) for number in range(2, 20)]
    # Of two responses to one project, the second takes no token.
    more = [row(n, Outcome.DEFERRED, turn=n, turns_in="p") for n in (20, 21)]
    gone = row(22, Outcome.DEFERRED)

    said = values(opened(report(*rows[1:], *more, gone, tokens_left=3)), "Summary")
    flat = [cell for line in said for cell in line if isinstance(cell, str)]

    assert "19 rows wait for 18 tokens." in flat
    assert "The team has 3 tokens now." in flat
    assert (
        "15 more are needed. In the portal, 1 pack of 20 would do. kawe itself never "
        "buys."
    ) in flat


def test_every_finding_is_said_once_in_problems_with_its_rows_errors_first():
    rows = [
        row(3, Outcome.INVALID, findings=(finding(3, 2), finding(3, 1))),
        row(4, Outcome.INVALID, findings=(finding(4, 2),)),
        row(2, findings=(finding(2, None, heading="", severity=Severity.NOTE),)),
    ]

    sheet = opened(report(*rows))["Problems"]
    assert [
        [cell.value for cell in line[:6]] for line in sheet.iter_rows(min_row=2)
    ] == [
        ["Projects", "A3", "3", "Name", "tbc", "Must be corrected"],
        ["Projects", "B3", "3 and 4", "Start", "tbc", "Must be corrected"],
        ["Projects", "Row 2", "2", None, "tbc", "For your information"],
    ]
    assert sheet["B3"].hyperlink.location == "'Projects'!B3"


def test_decisions_come_first_then_those_that_wait_for_tokens_in_their_order():
    rows = [
        row(2, Outcome.HELD, name="none"),
        row(3, Outcome.DEFERRED, name="late", respond_by_on=date(2026, 11, 20), turn=2),
        row(4, Outcome.SENT, name="sent", respond_by_on=date(2026, 11, 1)),
        row(5, Outcome.IN_DOUBT, name="soon", respond_by_on=date(2026, 11, 25)),
        row(6, Outcome.DEFERRED, name="next", respond_by_on=date(2027, 11, 25), turn=1),
    ]

    shown = list(opened(report(*rows))["Waiting"].iter_rows(min_row=2))
    assert [[line[0].value, line[2].value, line[5].value] for line in shown] == [
        [None, "soon", 4],
        [None, "none", None],
        [1, "next", 369],
        [2, "late", -1],
    ]


def test_a_report_without_rows_is_a_whole_workbook():
    book = opened(report())

    assert book["Projects"].tables["kawe_rows"].ref == "A1:J2"
    assert values(book, "Problems")[1][0] == "No problems were found."
    assert values(book, "Waiting")[1][0] == "No row waits for a person."


def test_a_sheet_of_the_persons_called_summary_keeps_its_name():
    assert opened(report(row(2), sheet="Summary")).sheetnames == [
        "Results",
        "Summary",
        "Summary (kawe)",
        "Problems",
        "Waiting",
    ]


def test_an_address_that_is_no_web_address_is_no_link():
    sheet = opened(report(row(2, link="javascript:alert(1)")))["Projects"]

    assert sheet["G2"].hyperlink is None
    assert sheet["G2"].value == "javascript:alert(1)"


def test_every_sheet_prints_in_landscape_with_its_headings_on_each_page():
    book = opened(report(row(2)))

    for sheet in book:
        assert sheet.page_setup.orientation == "landscape"
        assert sheet.page_setup.fitToWidth == 1
        assert sheet.sheet_properties.pageSetUpPr.fitToPage
    assert book["Projects"].print_title_rows == "$1:$1"


def test_what_is_printed_has_letters_of_nine_points_on_a4():
    book = opened(report(row(2, iwi=("a", "b"))))

    # What is between the margins of A4, and a digit of 11 points, both in points.
    paper, digit = 842 - 2 * 0.4 * 72, 5.25
    for sheet in book:
        area = sheet.print_area or sheet.dimensions
        first, _, last, _ = range_boundaries(area.rpartition("!")[2])
        shown = set(range(first, last + 1))
        if sheet.print_title_cols:
            ends = sheet.print_title_cols.replace("$", "").split(":")
            begin, end = map(column_index_from_string, ends)
            shown |= set(range(begin, end + 1))
        columns = sheet.column_dimensions
        widths = [columns[get_column_letter(each)] for each in shown]
        needed = digit * sum(each.width for each in widths if not each.hidden)
        assert 11 * min(1, paper / needed) >= 9, sheet.title


def test_people_have_no_columns_of_projects():
    files = [io.BytesIO() for _ in range(3)]
    write_result(report(row(2), gives=frozenset()), files)

    book = load_workbook(files[0])
    own = ["Outcome", "What to do", "Time"]
    assert [cell.value for cell in book["Projects"][1]] == ["Name", "Start", *own]
    assert [cell.value for cell in book["Results"][1]] == [
        *("Row", "Reference", "Name"),
        *own,
    ]
    assert files[1].getvalue().decode("utf-8-sig").splitlines()[0] == ",".join(
        ("Name", "Start", *own)
    )


def test_the_names_for_programs_are_those_of_the_page():
    page = Path(__file__).resolve().parents[2] / "docs/reference/result-files.md"
    table = page.read_text("utf-8").partition("<!-- names -->")[2].partition("\n\n")[0]
    there = re.findall(r"^\| `(\w+)`", table, re.MULTILINE)
    columns = [
        [
            each.name
            for each in opened(made)["Results"].tables["kawe_results"].tableColumns
        ]
        for made in (
            report(row(2), gives=PROJECTS.gives | {"message_as_sent"}),
            report(row(2), gives=INVITATIONS.gives),
        )
    ]

    assert [[each for each in there if each in named] for named in columns] == columns
    assert set(there) == {each for named in columns for each in named}


def test_a_row_that_is_ready_has_its_next_step_in_results():
    sheet = opened(report(row(2, Outcome.READY)))["Results"]

    assert sheet["E3"].value == f"Submit the workbook: {Next.SUBMIT}."


def test_charts_say_in_words_what_they_show():
    made = report(
        row(2, iwi=("Ngāti <A>",)), row(3, Outcome.HELD, iwi=("Ngāti <A>", "Te B"))
    )
    files = [io.BytesIO() for _ in range(3)]
    write_result(made, files)

    sheet = load_workbook(files[0])["Summary"]
    with zipfile.ZipFile(files[0]) as archive:
        drawing = ET.fromstring(archive.read("xl/drawings/drawing3.xml"))
    said = [each.get("descr") for each in drawing.iter() if each.get("descr")]
    assert said == [
        "Rows by outcome: Sent 1, Held 1.",
        "Projects by iwi: Ngāti <A> 2, Te B 1.",
    ]
    counts = [chart.series[0].val.numRef.f for chart in sheet._charts]
    shown = [[cell.value for (cell,) in sheet[f.rpartition("!")[2]]] for f in counts]
    assert shown == [[1, 1], [2, 1]]
