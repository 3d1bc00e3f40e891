"""A workbook of projects and people that has every payload in every place."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from typing import Final

from openpyxl import Workbook
from openpyxl.worksheet.worksheet import Worksheet

from doubles.command import HEADINGS, csv_row
from doubles.payloads import MARK, PAYLOADS

# It means harm to a terminal, a page, a sheet, a format and a shell at once.
NAME: Final = (
    f"={MARK}\x1b[31m<img src=x onerror={MARK}()>\u202e{{{{1337*7}}}}\x07%s&'\""
)
_N: Final = len(PAYLOADS)
_MORE: Final = ("Contact name", "Contact role", "Contact phone", "Contact email")
_TEXTS: Final = ("Address", "Organisation", "Phase", "Iwi", "Files", "Message")
_PEOPLE: Final = ("Name", "Email", "Role", "Org department", "Org role")
_NO_XML: Final = re.compile("[\x00-\x08\x0b-\x1f\ud800-\udfff\ufffe\uffff]")


def poisoned_book() -> bytes:
    """Make it: rows of payloads alone, then right rows with payloads as texts.

    Half of the right projects are to be sent. Each payload is a heading too, and in
    the name of a sheet.
    """
    book = Workbook()
    book.remove(book.worksheets[0])
    _put(_sheet(book, f"=1+{MARK}<b>&%s{{{{1}}}}"), _projects())
    _put(_sheet(book, f"{MARK} @people'\"<i>"), _people())
    for at in range(0, _N, 2):
        _put(_sheet(book, f"{at} {PAYLOADS[at]}"), [["Notes"]])
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def _projects() -> list[Sequence[str]]:
    headings = (*HEADINGS, *_MORE, *_TEXTS)
    rows: list[Sequence[str]] = [(*headings, *_turned(0, _N))]
    rows += [_turned(at, len(headings) + 2) for at in range(_N)]
    for at, text in enumerate(PAYLOADS):
        right = csv_row(
            at,
            Reference=f"R-{at} {text[:20]}" if at % 3 == 0 else f"R-{at}",
            Name=text,
            Description=f"A {text}",
            Latitude=f"-36.{8000 + at}",
            Send="yes" if at % 2 else "no",
        )
        contact = (*_turned(at + 1, 2), _turned(at, 1)[0], "a@example.org")
        rows.append((*right, *contact, *_turned(at + 3, 1)))
    return rows


def _people() -> list[Sequence[str]]:
    rows: list[Sequence[str]] = [(*_PEOPLE, *_turned(7, 2))]
    rows += [_turned(at, len(_PEOPLE) + 2) for at in range(_N)]
    for at, text in enumerate(PAYLOADS):
        rows.append((text, f"p{at}@example.org", "Member", "", "", *_turned(at, 2)))
    return rows


def _turned(at: int, width: int) -> tuple[str, ...]:
    return tuple(PAYLOADS[(at + n) % _N] for n in range(width))


def _sheet(book: Workbook, name: str) -> Worksheet:
    plain = re.sub(r"[\[\]:*?/\\]", "-", "".join(filter(str.isprintable, name)))
    made: Worksheet = book.create_sheet(plain[:31].strip("'"))
    return made


def _put(sheet: Worksheet, rows: Sequence[Sequence[str]]) -> None:
    for at, row in enumerate(rows, start=1):
        for column, text in enumerate(row, start=1):
            cell = sheet.cell(at, column)
            # What XML cannot hold stands in a workbook as an escape.
            escaped = text.replace("_x", "_x005F_x")
            cell.value = _NO_XML.sub(lambda it: f"_x{ord(it[0]):04X}_", escaped)
            if text:
                cell.data_type = "s"
