"""Rows that a person filled in before stand in the new template as they were."""

import io
from datetime import date, datetime, time

import openpyxl
import pytest

from kawe.domain.sheet.findings import RowRef
from kawe.domain.sheet.tables import Cell, Heading, Table, TableRow
from kawe.errors import WorkbookError
from kawe.kinds.projects import PROJECTS
from kawe.workbook.templates.template import carry, template_bytes
from kawe_xlsx.limits import EXCEL_TEXT_LIMIT
from unit.workbook.books import DETAILS, NAME, PLACE, START

# As Excel has them: without a time zone.
MIDNIGHT = datetime(2030, 3, 1)  # noqa: DTZ001 (a cell knows no zone)
AFTERNOON = datetime(2030, 3, 1, 14, 30)  # noqa: DTZ001 (a cell knows no zone)
COLUMNS = (NAME, START, DETAILS, PLACE)


def _filled(*rows):
    content = template_bytes(PROJECTS, COLUMNS, rows=rows)
    return openpyxl.load_workbook(io.BytesIO(content)).worksheets[0]


def _table(*rows, means=(NAME, START, None)):
    """Make a sheet; each value is (raw, what it was read as)."""
    return Table(
        kind=PROJECTS,
        sheet="Projects",
        heading_row=1,
        headings=tuple(
            Heading(column=at, text=f"H{at}", means=column)
            for at, column in enumerate(means, start=1)
        ),
        rows=tuple(
            TableRow(
                ref=RowRef(sheet="Projects", row=number),
                raw=tuple(raw for raw, _ in values),
                cells={
                    column.field: Cell(
                        ref=RowRef(sheet="Projects", row=number).cell(at),
                        heading=f"H{at}",
                        shown=str(raw),
                        value=value,
                    )
                    for at, (column, (raw, value)) in enumerate(
                        zip(means, values, strict=True), start=1
                    )
                    if column is not None
                },
            )
            for number, values in enumerate(rows, start=2)
        ),
    )


@pytest.mark.parametrize(
    "value",
    [
        "Ōtaki",
        "=1+1",
        "@SUM(A1)",
        "#REF!",
        "00123",
        7,
        -41.27061,
        174.79109000000002,
        True,
        MIDNIGHT,
        AFTERNOON,
        time(14, 30),
    ],
)
def test_a_value_comes_back_as_it_was(value):
    cell = _filled({"name": value})["A2"]
    assert (cell.value, cell.data_type != "f") == (value, True)


def test_a_day_is_shown_with_its_month_in_words():
    cell = _filled({"start_date": date(2030, 3, 1)})["B2"]
    assert (cell.value, cell.number_format) == (MIDNIGHT, "d mmm yyyy")


def test_a_day_before_excel_counts_right_is_text():
    assert _filled({"start_date": date(1899, 1, 5)})["B2"].value == "1899-01-05"


def test_rows_stand_below_each_other_under_their_headings():
    sheet = _filled({"name": "A"}, {"latitude": -41.5, "description": "x\ny"})
    rows = [[cell.value for cell in row] for row in sheet["A1:D3"]]
    assert rows == [
        ["Name *", "Start date *", "Description", "Latitude"],
        ["A", None, None, None],
        [None, None, "x\ny", -41.5],
    ]


def test_drop_downs_and_the_table_reach_beyond_many_rows():
    sheet = _filled(*[{"name": f"N{number}"} for number in range(700)])
    assert sheet.tables["kawe_projects"].ref == "A1:D1201"


def test_what_is_carried_is_what_was_typed_by_known_columns():
    table = _table(
        (("Ōtaki ", "Ōtaki"), ("1/3/30", "2030-03-01"), ("mine", None)),
        ((None, None), (None, None), ("mine", None)),
    )
    carried = carry(table)
    assert (carried.rows, carried.read_as, carried.lost) == (
        ({"name": "Ōtaki ", "start_date": "1/3/30"}, {}),
        table.read_as,
        (),
    )


def test_a_bare_number_that_was_read_as_a_day_becomes_that_day():
    table = _table(((5.0, "5"), (46054, "2026-02-01"), (None, None)))
    assert carry(table).rows == ({"name": 5.0, "start_date": date(2026, 2, 1)},)


def test_a_text_that_no_cell_can_hold_is_refused_by_its_address():
    table = _table((("x" * (EXCEL_TEXT_LIMIT + 1), "x"), (None, None), (None, None)))
    with pytest.raises(WorkbookError, match="Projects!A2"):
        carry(table)
