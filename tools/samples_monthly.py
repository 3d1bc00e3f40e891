"""The monthly sample: 45 projects in a workbook as a person makes one.

What the rows say stands in samples_monthly.toml; here it is put on a sheet
with a title above, headings that are partly synonyms, and the mixed ways of
writing dates, places and choices that people have.
"""

from __future__ import annotations

import csv
import io
import math
import tomllib
from collections.abc import Iterator
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any, Final

from openpyxl import Workbook
from openpyxl.styles import Alignment, Border, Font, PatternFill, Side
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.worksheet import Worksheet
from pyproj import Transformer

from samples_attachments import attachments
from samples_files import finding, workbook_bytes, write, write_json

_SOURCE: Final = Path(__file__).with_name("samples_monthly.toml")
_HEADING_ROW: Final = 3
# What the TOML calls it, the heading on the sheet, and its width.
_COLUMNS: Final = (
    ("ref", "Our ref", 14),
    ("name", "Project name", 36),
    ("description", "Description of works", 60),
    ("type", "Project type", 24),
    ("stage", "Stage", 22),
    ("start", "Start", 12),
    ("finish", "Finish", 12),
    ("respond", "Response due", 13),
    ("address", "Site address", 36),
    ("lat", "Lat", 12),
    ("long", "Long", 12),
    ("easting", "Easting", 11),
    ("northing", "Northing", 11),
    ("system", "Coordinate system", 11),
    ("iwi", "Iwi to notify", 30),
    ("org.name", "Applicant", 28),
    ("org.address", "Applicant address", 26),
    ("org.city", "Applicant city", 14),
    ("org.postcode", "Applicant postcode", 11),
    ("org.lat", "Applicant latitude", 11),
    ("org.long", "Applicant longitude", 11),
    ("contact.name", "Contact", 22),
    ("contact.role", "Contact position", 22),
    ("contact.phone", "Phone", 15),
    ("contact.email", "Email", 28),
    ("files", "Attachments", 34),
    ("send", "Send to iwi?", 10),
    ("note", "Cover note", 44),
    ("order", "Priority order", 9),
    ("ward", "Ward", 18),
)
_HEADINGS: Final = [heading for _, heading, _ in _COLUMNS]
_DATES: Final = frozenset({"start", "finish", "respond"})
_CSV_ROWS: Final = 5
_HEADING_COLOUR: Final = "1F4E5F"
_FACE: Final = "Calibri"
_LINE_POINTS: Final = 15
_WRAPPED: Final = 24
_README: Final = (
    "Iwi engagement register",
    "One row for each project. Send the file to the iwi liaison team by the 28th.",
    "Yes in “Send to iwi?” sends it; anything else keeps it as a draft.",
    "Put plans and photos into the attachments folder and write their names here.",
)


def write_monthly(folder: Path) -> None:
    """Write the workbook, its attachments and what checking it should find."""
    rows = [_cells(project) for project in _projects()]
    write(folder / "monthly.xlsx", workbook_bytes(_book(rows)))
    for name, data in attachments().items():
        write(folder / "attachments" / name, data)
    write_json(
        folder / "expected.json",
        {
            "story": "A month of projects from all over New Zealand.",
            "workbook": "monthly.xlsx",
            "service": True,
            "exit_code": 0,
            "rows": 45,
            "sends": 42,
            "drafts": 3,
            "files": 12,
            "findings": list(_findings()),
        },
    )


def write_csv(folder: Path) -> None:
    """Write the first projects as Excel in Europe saves CSV."""
    rows = [_cells(project) for project in _projects()[:_CSV_ROWS]]
    text = io.StringIO()
    writer = csv.writer(text, delimiter=";", lineterminator="\r\n")
    empty = [""] * (len(_HEADINGS) - 1)
    writer.writerow([_title(), *empty])
    writer.writerow([_subtitle(), *empty])
    writer.writerow(_HEADINGS)
    for row in rows:
        writer.writerow([_shown(row.get(key)) for key, _, _ in _COLUMNS])
    write(folder / "first-five.csv", text.getvalue().encode("utf-8-sig"))
    for name, data in attachments().items():
        if name.startswith("photos/"):
            write(folder / "attachments" / name, data)
    write_json(
        folder / "expected.json",
        {
            "story": "The first five projects of the month, as CSV UTF-8 with ; "
            "between the cells.",
            "workbook": "first-five.csv",
            "service": True,
            "exit_code": 0,
            "rows": 5,
            "sends": 5,
            "drafts": 0,
            "files": 2,
            "findings": [],
        },
    )


@cache
def _source() -> dict[str, Any]:
    return tomllib.loads(_SOURCE.read_text(encoding="utf-8"))


def _projects() -> list[dict[str, Any]]:
    projects: list[dict[str, Any]] = _source()["project"]
    return projects


def _title() -> str:
    return "Kaunihera o Tauira – projects for iwi, March 2030"


def _subtitle() -> str:
    return "Filled in by the iwi liaison team; questions to extension 142"


def _cells(project: dict[str, Any]) -> dict[str, Any]:
    """Give the cells of one row by column, organisation and contact filled in."""
    cells = {key: value for key, value in project.items() if key != "find"}
    for part in ("org", "contact"):
        if part in cells:
            said = _source()[part][cells.pop(part)]
            cells |= {f"{part}.{key}": value for key, value in said.items()}
    for key, epsg in (("nztm", 2193), ("nzmg", 27200), ("both", 2193)):
        if key in cells:
            latitude, longitude = cells.pop(key)
            cells["easting"], cells["northing"] = _metres(latitude, longitude, epsg)
            cells["system"] = "NZMG" if key == "nzmg" else "NZTM"
            if key == "both":
                cells |= {"lat": latitude, "long": longitude}
    return cells


def _metres(latitude: float, longitude: float, epsg: int) -> tuple[int, int]:
    # The same 7 parameters back that the reader uses for NZMG.
    shift = Transformer.from_crs(4326, epsg, always_xy=True, accuracy=5.0)
    easting, northing = shift.transform(longitude, latitude, errcheck=True)
    return round(easting), round(northing)


def _findings() -> Iterator[dict[str, str]]:
    for number, project in enumerate(_projects(), start=_HEADING_ROW + 1):
        for told in project.get("find", ()):
            heading, severity, rule = told.rsplit(" ", 2)
            column = get_column_letter(_HEADINGS.index(heading) + 1)
            yield finding("Projects", f"{column}{number} {severity} {rule}")


def _shown(value: object) -> object:
    """Give a cell as Excel writes it into CSV."""
    match value:
        case bool():
            return str(value).upper()
        case date():
            return f"{value:%d/%m/%Y}"
        case None:
            return ""
        case _:
            return value


def _book(rows: list[dict[str, Any]]) -> Workbook:
    book = Workbook()
    sheet = book.worksheets[0]
    sheet.title = "Projects"
    sheet["A1"], sheet["A2"] = _title(), _subtitle()
    sheet["A1"].font = Font(name=_FACE, bold=True, size=16)
    sheet["A2"].font = Font(name=_FACE, italic=True, color="666666")
    sheet.row_dimensions[1].height = 24
    _write_headings(sheet)
    for number, row in enumerate(rows, start=_HEADING_ROW + 1):
        _write_row(sheet, number, row)
    sheet.freeze_panes = "C4"
    last = f"{get_column_letter(len(_COLUMNS))}{_HEADING_ROW + len(rows)}"
    sheet.auto_filter.ref = f"A{_HEADING_ROW}:{last}"
    sheet.page_setup.orientation = "landscape"
    sheet.print_title_rows = f"{_HEADING_ROW}:{_HEADING_ROW}"
    readme = book.create_sheet("Read me")
    readme.column_dimensions["A"].width = 90
    for number, line in enumerate(_README, start=1):
        readme.cell(number, 1, line)
    readme["A1"].font = Font(name=_FACE, bold=True, size=14)
    return book


def _write_headings(sheet: Worksheet) -> None:
    edge = Side(style="thin", color="999999")
    for column, (_, heading, width) in enumerate(_COLUMNS, start=1):
        cell = sheet.cell(_HEADING_ROW, column, heading)
        cell.font = Font(name=_FACE, bold=True, color="FFFFFF")
        cell.fill = PatternFill("solid", fgColor=_HEADING_COLOUR)
        cell.alignment = Alignment(wrap_text=True, vertical="center")
        cell.border = Border(bottom=edge, right=edge)
        sheet.column_dimensions[get_column_letter(column)].width = width
    sheet.row_dimensions[_HEADING_ROW].height = 32


def _write_row(sheet: Worksheet, number: int, row: dict[str, Any]) -> None:
    lines = max(
        math.ceil(len(line) / width) + str(row[key]).count("\n")
        for key, _, width in _COLUMNS
        if key in row and width > _WRAPPED
        for line in str(row[key]).split("\n")
    )
    sheet.row_dimensions[number].height = lines * _LINE_POINTS
    for column, (key, _, width) in enumerate(_COLUMNS, start=1):
        value = row.get(key)
        if value is None:
            continue
        cell = sheet.cell(number, column, value)
        cell.alignment = Alignment(wrap_text=width > _WRAPPED, vertical="top")
        if key in _DATES:
            cell.number_format = "d/mm/yyyy"
        elif isinstance(value, str):
            # A phone number or a postcode must keep its zero.
            cell.number_format = "@"
