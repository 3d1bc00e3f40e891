"""The good rows that every sample of a mistake starts from, by address."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
from typing import Any, Final

from openpyxl import Workbook
from openpyxl.styles import Font
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.worksheet import Worksheet

from kawe_xlsx.limits import EXCEL_TEXT_LIMIT

Cells = dict[str, Any]
"""Values by address, such as B3; a cell that is not there is empty."""

HEADINGS: Final = (
    *("Reference", "Name", "Description", "Type", "Phase"),
    *("Start date", "End date", "Respond by", "Address"),
    *("Latitude", "Longitude", "Easting", "Northing", "Coordinate system", "Iwi"),
    *("Organisation", "Organisation address"),
    *("Organisation latitude", "Organisation longitude"),
    *("Contact name", "Contact role", "Contact phone", "Contact email"),
    *("Files", "Send", "Message", "Recipient team ID", "Priority order"),
)
_ROWS: Final = (
    {
        "Reference": "B-101",
        "Name": "Stopbank repair, Ōtaki",
        "Description": "Rock is placed on 80 m of the bank that the flood undercut.",
        "Type": "Earthworks",
        "Address": "Riverbank Road, Ōtaki",
        "Latitude": -40.75841,
        "Longitude": 175.15012,
        "Send": "Yes",
        "Message": "Kia ora koutou, please tell us what matters to you here.",
    },
    {
        "Reference": "B-102",
        "Name": "Culvert renewal, Nelson",
        "Description": "A perched culvert is replaced so that fish can pass.",
        "Type": "Coastal or stream consent",
        "Address": "Trafalgar Street, Nelson",
        "Latitude": -41.27061,
        "Longitude": 173.28404,
        "Send": "Yes",
    },
    {
        "Reference": "B-103",
        "Name": "Footbridge, Gisborne",
        "Description": "A footbridge of 32 m on piles outside the river bed.",
        "Type": "Land use consent",
        "Phase": "Pre-lodgement",
        "Address": "Grey Street, Gisborne",
        "Latitude": -38.66242,
        "Longitude": 178.01765,
        "Send": "No",
    },
    {
        "Reference": "B-104",
        "Name": "Jetty lights, Waitangi, Chatham Islands",
        "Description": "Six solar lights on the jetty.",
        "Type": "Infrastructure development",
        "Address": "Waitangi, Chatham Islands",
        "Latitude": -43.95184,
        "Longitude": -176.56127,
        "Send": "No",
    },
)
ON_EACH: Final = {
    "Start date": date(2030, 3, 1),
    "End date": date(2030, 7, 31),
    "Respond by": date(2030, 5, 1),
    "Contact name": "Hēmi Tūhoro",
    "Contact role": "Consents planner",
    "Contact phone": "021 555 0142",
    "Contact email": "hemi.tuhoro@example.org",
}
_PEOPLE_HEADINGS: Final = ("Name", "Email", "Role", "Org department", "Org role")
_PEOPLE: Final = (
    ("Hine Māhaki", "hine@example.org", "Member", "Policy", "Planner"),
    ("Mere Tīpene", "mere@example.org", "Member", "Roading", "Engineer"),
    ("Liam Smith", "liam@example.org", "Member", "Parks", "Ranger"),
    ("Tama Ngārimu", "tama@example.org", "Member", "Three waters", "Engineer"),
    ("Tāmati Keen", "tamati@example.org", "Member", "Policy", "Adviser"),
)
LONG_TEXT: Final = "Rock is placed on the bank that the flood undercut.".ljust(
    EXCEL_TEXT_LIMIT, "-"
)
"""As much as an Excel cell holds."""
_WIDE: Final = frozenset({"Name", "Description", "Address", "Message", "Email"})


def projects(count: int = 3) -> Cells:
    """Give the headings in row 1 and so many good projects below them."""
    rows = [{**ON_EACH, **row} for row in _ROWS[:count]]
    return placed(HEADINGS, [[row.get(each) for each in HEADINGS] for row in rows])


def people() -> Cells:
    """Give the headings in row 1 and five good people below them."""
    return placed(_PEOPLE_HEADINGS, _PEOPLE)


def placed(headings: Sequence[str], rows: Iterable[Sequence[Any]]) -> Cells:
    """Put headings into row 1 and rows below them; None is an empty cell."""
    return {
        f"{get_column_letter(column)}{number}": value
        for number, row in enumerate((headings, *rows), start=1)
        for column, value in enumerate(row, start=1)
        if value is not None
    }


def book_of(cells: Mapping[str, Any], *, title: str) -> tuple[Workbook, Worksheet]:
    """Make a plain workbook of one sheet, dates as Excel dates."""
    book = Workbook()
    sheet = book.worksheets[0]
    sheet.title = title
    fill(sheet, cells)
    return book, sheet


def fill(sheet: Worksheet, cells: Mapping[str, Any]) -> None:
    """Put cells on a sheet, row 1 as its headings."""
    for address, value in cells.items():
        cell = sheet[address]
        cell.value = value
        if isinstance(value, datetime):
            cell.number_format = "d/mm/yyyy h:mm"
        elif isinstance(value, date):
            cell.number_format = "d/mm/yyyy"
        elif isinstance(value, str) and not value.startswith(("=", "#")):
            cell.number_format = "@"
        if cell.row == 1:
            cell.font = Font(name="Calibri", bold=True)
            wide = 36 if value in _WIDE else 16
            sheet.column_dimensions[cell.column_letter].width = wide
    sheet.freeze_panes = "A2"
