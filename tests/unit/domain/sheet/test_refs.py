"""Places in a workbook are named as Excel names them."""

import pytest

from doubles.sheets import finding
from kawe.domain.sheet.findings import CellRef, RowRef, Severity, blocks
from kawe_xlsx.cells import column_letters

ROW = RowRef(sheet="Projects", row=7)
CELL = CellRef(sheet="Projects", row=7, column=28)


@pytest.mark.parametrize(
    ("column", "letters"),
    [(1, "A"), (26, "Z"), (27, "AA"), (28, "AB"), (703, "AAA"), (16384, "XFD")],
)
def test_columns_count_as_in_excel(column, letters):
    assert column_letters(column) == letters


def test_there_is_no_column_before_the_first():
    with pytest.raises(ValueError, match="count from 1"):
        column_letters(0)


def test_a_row_and_a_cell_print_as_excel_writes_them():
    assert (str(ROW), str(CELL), CELL.address) == ("Projects!7", "Projects!AB7", "AB7")


def test_a_row_points_at_its_cells_and_a_cell_at_its_row():
    assert (ROW.cell(28), CELL.row_ref) == (CELL, ROW)


@pytest.mark.parametrize("where", [ROW, CELL])
def test_a_finding_belongs_to_a_row_wherever_it_points(where):
    assert _finding(where=where).row == ROW


@pytest.mark.parametrize(
    ("severity", "blocked"),
    [(Severity.ERROR, True), (Severity.WARNING, False), (Severity.NOTE, False)],
)
def test_only_an_error_keeps_a_row_from_being_sent(severity, blocked):
    assert blocks([_finding(), _finding(severity=severity)]) is blocked


def _finding(where=ROW, severity=Severity.NOTE):
    return finding(where, severity=severity, rule="a-rule")
