"""What only Excel workbooks have: typed cells, hidden rows, merges, formulas."""

from collections.abc import Callable
from datetime import date, datetime, timedelta

import pytest
from openpyxl import Workbook
from openpyxl.comments import Comment
from openpyxl.utils.datetime import CALENDAR_MAC_1904
from openpyxl.worksheet.table import Table as ExcelTable

from kawe.domain.batch.readings import ReadingChoices
from kawe.domain.sheet.findings import Severity
from kawe.domain.sheet.tables import Table
from kawe.domain.text.next_steps import Given
from kawe.errors import WorkbookError
from kawe.kinds.projects import PROJECTS
from kawe.workbook.reading.reader import CalamineReader
from unit.workbook.books import COLUMNS, SHEET, book, patched

HEADINGS = ["Name", "Type", "Start date", "Latitude", "Contact phone", "Notes"]
BRIDGE = ["Bridge", "Other", date(2027, 2, 1), -41.28, "021 123 456", "a note"]


def hidden(*rows: int) -> Callable[[Workbook], None]:
    def hide(made: Workbook) -> None:
        for number in rows:
            made.worksheets[0].row_dimensions[number].hidden = True

    return hide


@pytest.fixture
def read(tmp_path) -> Callable[..., Table]:
    def reading(
        *rows, change=lambda _: None, patch=lambda text: text, include_hidden=False
    ) -> Table:
        path = tmp_path / "rows.xlsx"
        path.write_bytes(patched(book({"Projects": rows}, change=change), SHEET, patch))
        reader = CalamineReader(
            COLUMNS, choices=ReadingChoices(include_hidden=include_hidden)
        )
        return reader.read(path, kind=PROJECTS, sheet=None)

    return reading


def rules(table: Table) -> list[tuple[str, str]]:
    return [(str(each.where), each.rule) for row in table.rows for each in row.findings]


def test_typed_cells_are_read(read):
    row = read(HEADINGS, BRIDGE).rows[0]

    assert row.values() == {
        "name": "Bridge",
        "type": "OTHER",
        "start_date": "2027-02-01",
        "latitude": -41.28,
        "contact_phone": "021 123 456",
    }
    assert row.raw == tuple(BRIDGE)
    assert row.cells["start_date"].shown == "1 Feb 2027"


def test_a_time_just_before_midnight_stays_on_its_day(read):
    late = ["Bridge", "Other", 46054.999999999, None, None, None]

    def as_date(made: Workbook) -> None:
        made.worksheets[0]["C2"].number_format = "d/mm/yyyy"

    row = read(HEADINGS, late, change=as_date).rows[0]

    assert row.value("start_date") == "2026-02-01"
    # The same for every row, so that rows with such a time are one sentence.
    assert [(each.rule, each.advice) for each in row.findings] == [
        ("date-with-time", "kawe takes the day alone; nothing else to do.")
    ]


def test_a_first_that_is_shown_without_its_day_is_no_day(read):
    dayless = [
        "mmm-yy",
        "mm/yyyy",
        "yyyy",
        "mmm",
        r"[$-1409]mmmm\ yy;@",
        '"due" mmm yy',
    ]
    formats = [*dayless, "d mmm yyyy", "dd/mm/yyyy", "mmm d", "General", "mmm-yy"]

    def as_shown(made: Workbook) -> None:
        for row, each in enumerate(formats, 2):
            made.worksheets[0].cell(row, 3).number_format = each

    firsts = [["Bridge", "Other", date(2027, 9, 1)]] * 10
    other = ["Bridge", "Other", date(2027, 9, 2)]
    rows = read(HEADINGS, *firsts, other, change=as_shown).rows

    days = [None] * 6 + ["2027-09-01"] * 4 + ["2027-09-02"]
    assert [row.value("start_date") for row in rows] == days


def test_a_workbook_that_counts_from_1904_reads_right(read):
    def old_mac(made: Workbook) -> None:
        made.epoch = CALENDAR_MAC_1904
        made.worksheets[0]["C3"] = 44592

    table = read(HEADINGS, BRIDGE, BRIDGE, change=old_mac)

    assert table.rows[0].value("start_date") == "2027-02-01"
    assert table.rows[1].value("start_date") == "2026-02-01"


def test_a_length_of_time_is_shown_as_excel_shows_it(read):
    rows = [*BRIDGE[:5], timedelta(hours=30)]

    assert read(HEADINGS, rows).rows[0].raw[-1] == "30:00:00"


def test_an_error_cell_is_an_error_with_its_address(read):
    row = ["#REF!", "Other", date(2027, 2, 1), None, None, "#N/A"]

    table = read(HEADINGS, row)

    assert rules(table) == [("Projects!A2", "cell-error")]
    assert table.rows[0].cells["name"].shown == "#REF!"
    assert table.rows[0].raw[-1] == "#N/A"


def test_a_formula_without_its_value_is_an_error(read):
    table = read(HEADINGS, ["=B2", *BRIDGE[1:5], "=B2"])

    assert rules(table) == [("Projects!A2", "formula-uncalculated")]
    assert table.rows[0].cells["name"].shown == "(formula)"


def test_a_formula_with_its_value_is_read_with_a_note_about_its_column(read):
    def calculated(text: bytes) -> bytes:
        return (
            text.replace(b'<c r="A2" ', b'<c r="A2" t="str" ')
            .replace(b"<f>B2</f><v></v>", b"<f>B2</f><v>Bridge</v>")
            .replace(b"<f>B2</f><v />", b"<f>B2</f><v>Bridge</v>")
        )

    table = read(HEADINGS, ["=B2", *BRIDGE[1:]], patch=calculated)

    assert table.rows[0].value("name") == "Bridge"
    assert [(each.severity, each.rule) for each in table.findings] == [
        (Severity.NOTE, "column-formulas")
    ]


def test_merged_cells_in_the_data_are_an_error_once_in_each_row(read):
    def merge(made: Workbook) -> None:
        made.worksheets[0].merge_cells("A3:C4")

    table = read(HEADINGS, *[BRIDGE] * 4, change=merge)

    assert rules(table) == [(f"Projects!A{row}", "cells-merged") for row in (3, 4)]
    assert [row.value("type") for row in table.rows] == ["OTHER", None, None, "OTHER"]


def test_merged_cells_above_the_headings_and_in_unknown_columns_are_nothing(read):
    def merge(made: Workbook) -> None:
        made.worksheets[0].merge_cells("A1:F1")
        made.worksheets[0].merge_cells("F3:F4")

    assert rules(read(["Our projects"], HEADINGS, BRIDGE, BRIDGE, change=merge)) == []


def test_hidden_rows_stop_the_batch_with_their_numbers(read):
    with pytest.raises(WorkbookError) as stopped:
        read(HEADINGS, *[BRIDGE] * 6, change=hidden(3, 4, 6))

    assert "hidden or filtered rows: 3, 4 and 6." in stopped.value.message
    assert f"{Given.INCLUDE_HIDDEN}" in stopped.value.hint


def test_hidden_rows_are_read_with_a_warning_where_they_are_meant(read):
    table = read(HEADINGS, BRIDGE, BRIDGE, change=hidden(3), include_hidden=True)

    assert len(table.rows) == 2
    assert [each.rule for each in table.findings] == ["rows-hidden"]


def test_hidden_rows_without_values_are_nothing(read):
    assert read(HEADINGS, BRIDGE, change=hidden(9)).findings == ()


def test_a_hidden_column_and_comments_of_people_have_a_warning(read):
    def hide(made: Workbook) -> None:
        for cell, author in (("A1", "Mere"), ("B2", "kawe"), ("A2", "Mere")):
            made.worksheets[0][cell].comment = Comment("Not before the hui", author)
        made.worksheets[0].column_dimensions["B"].hidden = True
        made.worksheets[0].column_dimensions["F"].hidden = True

    table = read(HEADINGS, BRIDGE, change=hide)

    assert [(str(each.where), each.message) for each in table.findings] == [
        ("Projects!2", "Commented rows were read too: 2."),
        ("Projects!B1", "Column B “Type” is hidden, and was read."),
    ]


def test_the_totals_row_of_a_table_is_no_row(read):
    def totals(made: Workbook) -> None:
        table = ExcelTable(displayName="t", ref="A1:F3", totalsRowCount=1)
        made.worksheets[0].add_table(table)

    table = read(HEADINGS, BRIDGE, ["Total", None, None, 1.0], change=totals)

    assert [row.ref.row for row in table.rows] == [2]
    said = [each.message for each in table.findings]
    assert said == ["Row 3 is a total line and is not read."]


def test_a_stray_cell_in_the_last_corner_is_left_out_with_a_warning(read):
    def stray(made: Workbook) -> None:
        made.worksheets[0]["XFD1048576"] = "x"

    table = read(HEADINGS, BRIDGE, change=stray)

    assert len(table.rows) == 1
    assert [(each.severity, each.rule, each.value) for each in table.findings] == [
        (Severity.WARNING, "cells-far-out", "XFD1048576")
    ]


def test_a_million_formatted_empty_rows_are_nothing(read):
    def empty_rows(text: bytes) -> bytes:
        rows = b"".join(
            b'<row r="%d" s="1"><c r="A%d" s="1"/></row>' % (number, number)
            for number in range(3, 50_003)
        )
        return text.replace(b"</sheetData>", rows + b"</sheetData>")

    assert len(read(HEADINGS, BRIDGE, patch=empty_rows).rows) == 1


def test_a_lying_dimension_hides_no_row(read):
    def lie(text: bytes) -> bytes:
        return text.replace(b'<dimension ref="A1:F3"', b'<dimension ref="A1:A1"')

    assert len(read(HEADINGS, BRIDGE, BRIDGE, patch=lie).rows) == 2


def test_a_day_with_a_time_is_floored(read):
    at = datetime(2027, 2, 1, 23, 59)  # noqa: DTZ001 (a cell has no zone)

    row = read(HEADINGS, ["Bridge", "Other", at, None, None, None]).rows[0]

    assert row.value("start_date") == "2027-02-01"
