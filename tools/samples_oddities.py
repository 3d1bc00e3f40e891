"""Samples that changing a few cells cannot make.

CHANGES alter a sheet of a workbook, FILES make a whole file of their own. Each
is named by a case in samples_cases.toml.
"""

from __future__ import annotations

import codecs
import csv
import io
import re
import unicodedata
import zipfile
from collections.abc import Callable, Mapping
from datetime import date
from typing import Final

from openpyxl.utils.cell import column_index_from_string, coordinate_from_string
from openpyxl.utils.datetime import CALENDAR_MAC_1904
from openpyxl.worksheet.table import Table, TableColumn
from openpyxl.worksheet.worksheet import Worksheet

from samples_files import workbook_bytes, zip_bytes
from samples_rows import Cells, book_of, fill, projects

_SHEET: Final = "xl/worksheets/sheet1.xml"
_OLE: Final = bytes.fromhex("d0cf11e0a1b11ae1") + bytes(504)
_CONTENT: Final = b'<?xml version="1.0" encoding="UTF-8"?>\n'


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


CHANGES: Final[Mapping[str, Callable[[Worksheet], None]]] = {
    "merged_types": _merged_types,
    "hidden_row": _hidden_row,
    "two_months": _two_months,
    "hidden_sheet": _hidden_sheet,
    "from_1904": _from_1904,
    "far_cell": _far_cell,
    "totals": _totals,
    "further_down": _further_down,
}


# ------------------------------------------------- other rows to begin with


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
    "one_place": _one_place,
    "three_grids": _three_grids,
}


# ------------------------------------------------------------- whole files


def _good(edit: Mapping[str, Callable[[bytes], bytes]] | None = None) -> bytes:
    book, _ = book_of(projects(), title="Projects")
    return workbook_bytes(book, edit=edit)


def _cut_off() -> bytes:
    book, _ = book_of(projects(), title="Projects")
    # Unpacked: where the middle lies must not hang on a version of zlib.
    whole = workbook_bytes(book, method=zipfile.ZIP_STORED)
    return whole[: len(whole) // 2]


def _web_page() -> bytes:
    cells = "".join(f"<td>{value}</td>" for value in projects().values())
    return f"<html><body><table><tr>{cells}</tr></table></body></html>".encode()


def _password() -> bytes:
    return _OLE + "EncryptedPackage".encode("utf-16-le") + bytes(480)


def _excel_97() -> bytes:
    return _OLE + "Workbook".encode("utf-16-le") + bytes(496)


def _excel_binary() -> bytes:
    return zip_bytes({"[Content_Types].xml": _CONTENT, "xl/workbook.bin": bytes(64)})


def _open_document() -> bytes:
    kind = b"application/vnd.oasis.opendocument.spreadsheet"
    return zip_bytes({"mimetype": kind, "content.xml": _CONTENT})


def _lock_note() -> bytes:
    return b"\x05Hemi".ljust(165, b" ")


def _bomb() -> bytes:
    book, _ = book_of(projects(), title="Projects")
    return workbook_bytes(book, add={"xl/media/image1.bin": bytes(4 * 2**20)})


def _with_dtd() -> bytes:
    def declared(part: bytes) -> bytes:
        return b'<!DOCTYPE workbook [<!ENTITY a "b">]>' + part

    return _good(edit={"xl/workbook.xml": declared})


def _calculated() -> bytes:
    cells = projects()
    for number in range(2, 5):
        cells[f"G{number}"] = f"=F{number}+152"
    book, sheet = book_of(cells, title="Projects")
    for number in range(2, 5):
        sheet[f"G{number}"].number_format = "d/mm/yyyy"
    value = f"<v>{(date(2030, 7, 31) - date(1899, 12, 30)).days}</v>".encode()

    def valued(part: bytes) -> bytes:
        return re.sub(rb"(</f>)<v\s*(?:/>|></v>)", rb"\1" + value, part)

    return workbook_bytes(book, edit={_SHEET: valued})


def _wrong_dimension() -> bytes:
    def lying(part: bytes) -> bytes:
        return re.sub(rb'<dimension ref="[^"]*"', b'<dimension ref="A1:AB1"', part)

    return _good(edit={_SHEET: lying})


def _csv_text(cells: Cells, *, delimiter: str) -> str:
    places = {address: coordinate_from_string(address) for address in cells}
    width = max(column_index_from_string(letters) for letters, _ in places.values())
    rows = [[""] * width for _ in range(max(row for _, row in places.values()))]
    for address, (letters, row) in places.items():
        value = cells[address]
        shown = f"{value:%d/%m/%Y}" if isinstance(value, date) else str(value)
        rows[row - 1][column_index_from_string(letters) - 1] = shown
    text = io.StringIO()
    csv.writer(text, delimiter=delimiter, lineterminator="\r\n").writerows(rows)
    return text.getvalue()


def _csv_named_xlsx() -> bytes:
    return _csv_text(projects(), delimiter=",").encode("utf-8")


def _csv_open_quote() -> bytes:
    text = _csv_text(projects(), delimiter=",")
    return text.replace("A perched culvert", '"A perched culvert').encode("utf-8")


def _csv_cp1252() -> bytes:
    cells = {
        address: "".join(c for c in unicodedata.normalize("NFD", v) if c.isascii())
        if isinstance(v, str)
        else v
        for address, v in projects().items()
    }
    cells |= {"B3": "Culvert renewal – Nelson", "I4": "Café corner, Grey Street"}
    return _csv_text(cells, delimiter=",").encode("cp1252")


def _csv_utf16() -> bytes:
    text = _csv_text(projects(), delimiter="\t")
    return codecs.BOM_UTF16_LE + text.encode("utf-16-le")


FILES: Final[Mapping[str, Callable[[], bytes]]] = {
    "cut_off": _cut_off,
    "nothing": bytes,
    "web_page": _web_page,
    "password": _password,
    "excel_97": _excel_97,
    "excel_binary": _excel_binary,
    "open_document": _open_document,
    "lock_note": _lock_note,
    "bomb": _bomb,
    "with_dtd": _with_dtd,
    "calculated": _calculated,
    "wrong_dimension": _wrong_dimension,
    "csv_named_xlsx": _csv_named_xlsx,
    "csv_open_quote": _csv_open_quote,
    "csv_cp1252": _csv_cp1252,
    "csv_utf16": _csv_utf16,
}
