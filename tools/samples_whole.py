"""Samples that are whole files of their own: broken, foreign, or written oddly.

Each is named by a case in samples_cases.toml.
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

from samples_files import workbook_bytes, zip_bytes
from samples_rows import LONG_TEXT, Cells, book_of, projects
from samples_shared import saved_by_excel

_SHEET: Final = "xl/worksheets/sheet1.xml"
_OLE: Final = bytes.fromhex("d0cf11e0a1b11ae1") + bytes(504)
_CONTENT: Final = b'<?xml version="1.0" encoding="UTF-8"?>\n'
_FORMATTED_ROWS: Final = 20_000


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


def _formatted_rows() -> bytes:
    def formatted(part: bytes) -> bytes:
        rows = b"".join(
            b'<row r="%d" ht="15" customHeight="1"/>' % number
            for number in range(5, _FORMATTED_ROWS)
        )
        return part.replace(b"</sheetData>", rows + b"</sheetData>")

    return _good(edit={_SHEET: formatted})


def _with_macros() -> bytes:
    book, _ = book_of(projects(), title="Projects")
    return workbook_bytes(book, add={"xl/vbaProject.bin": _OLE})


def _zipped() -> bytes:
    return zip_bytes({"projects.xlsx": _good()})


def _word_document() -> bytes:
    return zip_bytes({"[Content_Types].xml": _CONTENT, "word/document.xml": _CONTENT})


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


def _csv_plain() -> bytes:
    return _csv_text(projects(), delimiter=",").encode("utf-8")


def _csv_says_delimiter() -> bytes:
    text = "sep=;\r\n" + _csv_text(projects(), delimiter=";")
    return codecs.BOM_UTF8 + text.encode("utf-8")


def _csv_one_column() -> bytes:
    return "Name\r\nStopbank repair, Ōtaki\r\n".encode()


def _csv_long_text() -> bytes:
    """Hold a text that no Excel cell could."""
    cells = projects() | {"C3": LONG_TEXT + LONG_TEXT}
    return _csv_text(cells, delimiter=",").encode("utf-8")


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
    "saved_by_excel": saved_by_excel,
    "formatted_rows": _formatted_rows,
    "with_macros": _with_macros,
    "zipped": _zipped,
    "word_document": _word_document,
    "csv_plain": _csv_plain,
    "csv_says_delimiter": _csv_says_delimiter,
    "csv_one_column": _csv_one_column,
    "csv_long_text": _csv_long_text,
    "csv_named_xlsx": _csv_plain,
    "csv_open_quote": _csv_open_quote,
    "csv_cp1252": _csv_cp1252,
    "csv_utf16": _csv_utf16,
}
