"""Samples that changing a few cells cannot make.

ROWS are other rows to begin with, CHANGES alter a sheet of a workbook. Each is
named by a case in samples_cases.toml.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from openpyxl.utils.datetime import CALENDAR_MAC_1904
from openpyxl.worksheet.table import Table, TableColumn
from openpyxl.worksheet.worksheet import Worksheet

from samples_rows import LONG_TEXT, Cells, fill, projects

# ---------------------------------------------------------- changes to a sheet


def _merged_types(sheet: Worksheet) -> None:
    sheet["D3"].value = None
    sheet.merge_cells("D2:D3")


def _hidden_row(sheet: Worksheet) -> None:
    sheet.auto_filter.ref = "A1:AB4"
    sheet.auto_filter.add_filter_column(0, ["B-101", "B-103"])
    sheet.row_dimensions[3].hidden = True


def _two_months(sheet: Worksheet) -> None:
    sheet.title = "March"
    assert sheet.parent is not None
    fill(sheet.parent.create_sheet("April"), projects())


def _hidden_sheet(sheet: Worksheet) -> None:
    assert sheet.parent is not None
    last = sheet.parent.create_sheet("Projects February")
    fill(last, projects(4))
    last.sheet_state = "hidden"


def _from_1904(sheet: Worksheet) -> None:
    assert sheet.parent is not None
    sheet.parent.epoch = CALENDAR_MAC_1904


def _far_cell(sheet: Worksheet) -> None:
    sheet["XFD1048576"].value = "x"


def _totals(sheet: Worksheet) -> None:
    sheet.insert_rows(3)
    sheet.insert_rows(5)
    table = Table(displayName="Projects_2030", ref="A1:AB7", totalsRowCount=1)
    table.tableColumns = [
        TableColumn(id=number, name=str(heading.value))
        for number, heading in enumerate(sheet[1], start=1)
    ]
    table.tableColumns[0].totalsRowLabel = "Total"
    sheet["A7"].value, sheet["B7"].value = "Total", "3 projects"
    sheet.add_table(table)


def _further_down(sheet: Worksheet) -> None:
    sheet.insert_rows(1, amount=11)
    for number, line in enumerate(
        ("Kaunihera o Tauira", "Register of works", "Printed 28 February 2030"), start=2
    ):
        sheet.cell(number, 1, line)
    for address, words in {
        "A12": "Our ref.",
        "B12": "PROJECT NAME *",
        "D12": "Type of consent",
        "H12": "Response due by",
        "Z12": "Message to iwi",
    }.items():
        sheet[address].value = words


def _other_sheets(sheet: Worksheet) -> None:
    assert sheet.parent is not None
    fill(sheet.parent.create_sheet("Projects last year"), projects(4))
    sheet.parent.create_sheet("Notes")["A1"].value = "Ask Mere about the culvert."


def _sheet_without_a_name(sheet: Worksheet) -> None:
    sheet.title = "Sheet1"
    assert sheet.parent is not None
    sheet.parent.create_sheet("Budget")["A1"].value = "Roads"


CHANGES: Final[Mapping[str, Callable[[Worksheet], None]]] = {
    "merged_types": _merged_types,
    "hidden_row": _hidden_row,
    "two_months": _two_months,
    "hidden_sheet": _hidden_sheet,
    "from_1904": _from_1904,
    "far_cell": _far_cell,
    "totals": _totals,
    "further_down": _further_down,
    "other_sheets": _other_sheets,
    "sheet_without_a_name": _sheet_without_a_name,
}


# ------------------------------------------------- other rows to begin with

_YES_AND_NO: Final = (True, "Yes", "Y", 1, "Āe", False, "No", "n", 0, "Kāo")
_STREETS: Final = tuple(
    f"Culvert renewal, {name} Street"
    for name in ("Hardy", "Bridge", "Nile", "Collingwood", "Rutherford")
) + tuple(
    f"New culvert below {name} Road"
    for name in ("Waimea", "Annesbrook", "Moana", "Princes", "Maitai")
)


def _no_rows(cells: Cells) -> Cells:
    return {address: value for address, value in cells.items() if address[-1] == "1"}


def _no_headings(cells: Cells) -> Cells:
    del cells
    return {"A1": "Budget 2030", "A3": "Roads", "B3": 1_200_000, "A4": "Parks"}


def _second_row_again(cells: Cells) -> Cells:
    again = {
        f"{address[:-1]}3": value
        for address, value in cells.items()
        if address[-1] == "2"
    }
    again["C3"] = "The same project, described in other words."
    made = {address: value for address, value in cells.items() if address[-1] != "3"}
    made |= again
    return {address: v for address, v in made.items() if address not in {"A2", "A3"}}


def _four_rows(cells: Cells) -> Cells:
    fourth = {at: value for at, value in projects(4).items() if at[-1] == "5"}
    return fourth | cells


def _ten_rows(cells: Cells) -> Cells:
    """Put the second project in ten rows, each a street further."""
    made = {at: value for at, value in cells.items() if at[-1] == "1"}
    for number in range(2, 12):
        made |= {f"{at[:-1]}{number}": cells[at] for at in cells if at[-1] == "3"}
        made |= {f"A{number}": f"C-{100 + number}", f"B{number}": _STREETS[number - 2]}
        made |= {f"K{number}": 173.28404 + number / 1000}
    for number, word in enumerate(_YES_AND_NO, start=2):
        made[f"Y{number}"] = word
    return made


def _longest_text(cells: Cells) -> Cells:
    return cells | {"C3": LONG_TEXT}


def _one_place(cells: Cells) -> Cells:
    made = {at: value for at, value in cells.items() if at[-1] in "12"}
    for row in range(3, 8):
        made |= {f"{at[0]}{row}": cells[at] for at in cells if at[1:] == "3"}
        made |= {f"A{row}": f"B-20{row}", f"B{row}": f"Culvert {row - 2} of 5, Nelson"}
    return made


def _three_grids(cells: Cells) -> Cells:
    cells = _four_rows(cells)
    for number in range(2, 5):
        del cells[f"J{number}"], cells[f"K{number}"]
    # The same places as in degrees: Ōtaki, Nelson, Waitangi.
    cells |= {"L2": "1 781 493", "M2": "5 485 837", "N2": "NZTM"}
    cells |= {"L3": 2_533_787, "M3": 5_992_869, "N3": "NZMG"}
    cells |= {"L4": 3_495_082, "M4": 5_131_527, "N4": "Chatham Islands"}
    metres = {at: cells[at] for at in ("L4", "M4", "N4")}
    last = {f"{at[:-1]}4": value for at, value in cells.items() if at[-1] == "5"}
    kept = {at: value for at, value in cells.items() if at[-1] in "123"}
    return kept | {at: v for at, v in last.items() if at not in {"J4", "K4"}} | metres


ROWS: Final[Mapping[str, Callable[[Cells], Cells]]] = {
    "no_rows": _no_rows,
    "no_headings": _no_headings,
    "second_row_again": _second_row_again,
    "four_rows": _four_rows,
    "ten_rows": _ten_rows,
    "longest_text": _longest_text,
    "one_place": _one_place,
    "three_grids": _three_grids,
}
