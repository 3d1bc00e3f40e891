"""The reader of a column: the right kind, with a cache; numbers and addresses too."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from datetime import date, time
from typing import Final, TypeGuard
from unicodedata import is_normalized

from kawe.domain.sheet.columns import CellKind, Column
from kawe.domain.sheet.findings import Severity
from kawe.domain.text.texts import clean, one_line
from kawe.workbook.cells.choices import choice_reader, read_yes_no
from kawe.workbook.cells.dates import date_reader, is_month_first
from kawe.workbook.cells.reading import (
    EMPTY,
    CellReader,
    CellReading,
    ColumnFacts,
    quoted,
    refused,
    show,
)
from kawe.workbook.cells.words import read_list, text_reader, words
from kawe_xlsx.cells import RawValue

_PLAIN: Final = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)", re.ASCII)
_GROUPED: Final = re.compile(
    r"[-+]?\d{1,3}(?:([, ’'])\d{3})(?:\1\d{3})*(?:\.\d+)?", re.ASCII
)
_MINUS: Final = str.maketrans({"−": "-", "–": "-"})


_NAMED: Final = re.compile(r"[^<>]*<\s*([^<>\s]+)\s*>")
_SEVERAL: Final = re.compile(r"@[^@]*[;,\s/]+[^@]*@")
_AROUND: Final = " ;,.\"'‘’“”<>()"


_PADDED: Final = re.compile(r"0[0-9]+")
_SHORTENED: Final = re.compile(r"[0-9][Ee]\+")
_MISREAD: Final = re.compile(r"[ÂÃÄÅâ\ufffd]")
_CUT_WORDS: Final = "cut by kawe"
_LONG_TEXT: Final = 32_000
"""A text of so many characters is never plain."""
_REMEMBERED: Final = 5_000
_WORDS: Final = frozenset(
    {CellKind.TEXT, CellKind.LONG_TEXT, CellKind.IDENTIFIER, CellKind.PHONE}
)

# Cells of which a person may not know the right value.
_LEFT_OUT: Final = frozenset(
    {CellKind.CHOICE, CellKind.DATE, CellKind.EMAIL, CellKind.NUMBER, CellKind.YES_NO}
)


def facts_of(
    column: Column, cells: Iterable[RawValue], *, known: ColumnFacts
) -> ColumnFacts:
    """Find the facts of a column in some cells, after `known` from earlier ones."""
    if column.kind is CellKind.DATE:
        first = known.month_comes_first or any(map(is_month_first, set(cells)))
        return replace(known, month_comes_first=first)
    if column.kind in _WORDS:
        padded = (
            len(cell) for cell in cells if isinstance(cell, str) and _is_padded(cell)
        )
        return replace(known, padded_digits=max(known.padded_digits, *padded, 0))
    return known


class ColumnReader:
    """Reads the cells of one column; equal cells are read once."""

    def __init__(self, column: Column, facts: ColumnFacts) -> None:
        self.column = column
        self._read = _MAKERS[column.kind](column, facts)
        self._known: dict[tuple[type, RawValue], CellReading] = {}
        self._takes_plain = column.kind in _WORDS

    def is_plain(self, raw: RawValue) -> TypeGuard[str]:
        return (
            self._takes_plain
            and isinstance(raw, str)
            and raw.isprintable()
            and raw[:1] not in {" ", ""}
            and raw[-1] != " "
            and len(raw) < _LONG_TEXT
            and _is_normal(raw)
            and not _is_notable(raw)
        )

    def read(self, raw: RawValue) -> CellReading:
        """Read one cell; a blank one is an empty one."""
        if self.column.kind is CellKind.LIST:
            # A list is never shared.
            return EMPTY if is_blank(raw) else self._read(raw)
        key = (raw.__class__, raw)
        reading = self._known.get(key)
        if reading is None:
            if len(self._known) >= _REMEMBERED:
                self._known.clear()
            reading = EMPTY if is_blank(raw) else self._read(raw)
            if self.column.kind in _LEFT_OUT:
                reading = self._or_empty(reading)
            self._known[key] = reading
        return reading

    def _or_empty(self, reading: CellReading) -> CellReading:
        remarks = (
            replace(remark, advice=self.column.or_empty(remark.advice))
            if remark.severity is Severity.ERROR
            else remark
            for remark in reading.remarks
        )
        return replace(reading, remarks=tuple(remarks))


def _is_padded(text: str) -> bool:
    return text[:1] == "0" and _PADDED.fullmatch(text) is not None


def _is_normal(text: str) -> bool:
    return text.isascii() or is_normalized("NFC", text)


def _is_notable(text: str) -> bool:
    """Check that a reader of words may remark on a text, or on a line of it."""
    # Plain searches are many times quicker than patterns.
    return (
        "?" in text
        or "  " in text
        or _CUT_WORDS in text
        or ("+" in text and _SHORTENED.search(text) is not None)
        or (not text.isascii() and _MISREAD.search(text) is not None)
    )


def is_blank(raw: RawValue) -> bool:
    """Check that a cell shows nothing."""
    if not isinstance(raw, str):
        return raw is None
    if raw.isprintable():
        return not raw or raw.isspace()
    return not clean(raw)


_MAKERS: Final[Mapping[CellKind, Callable[[Column, ColumnFacts], CellReader]]] = {
    CellKind.TEXT: text_reader,
    CellKind.LONG_TEXT: text_reader,
    CellKind.IDENTIFIER: text_reader,
    CellKind.PHONE: text_reader,
    CellKind.DATE: lambda _, facts: date_reader(facts),
    CellKind.CHOICE: lambda column, _: choice_reader(column),
    CellKind.YES_NO: lambda *_: read_yes_no,
    CellKind.NUMBER: lambda *_: read_number,
    CellKind.EMAIL: lambda *_: read_email,
    CellKind.LIST: lambda *_: read_list,
    CellKind.PLACE: lambda *_: read_place,
}


def read_email(raw: RawValue) -> CellReading:
    """Read an email address: also `Name <a@b>` and `mailto:`; no network is used."""
    # 15 ms, and most commands read no cell.
    from email_validator import (  # noqa: PLC0415 - start-up
        EmailNotValidError,
        validate_email,
    )

    shown = words(show(raw))
    address = _unwrapped(shown)
    if _SEVERAL.search(address):
        return refused(
            "email-several",
            message=f"{quoted(shown)} holds more than one email address.",
            advice="Keep one; give each person a row of their own.",
        )
    try:
        found = validate_email(address, check_deliverability=False)
    except EmailNotValidError as why:
        return refused(
            "email-unreadable",
            message=f"{quoted(shown)} is not an email address.",
            advice=f"Correct it. {one_line(str(why))}",
        )
    return CellReading(value=found.normalized)


def _unwrapped(text: str) -> str:
    named = _NAMED.fullmatch(text)
    address = (named[1] if named else text).strip(_AROUND)
    if address[:7].lower() == "mailto:":
        address = address[7:].partition("?")[0]
    return address


def read_number(raw: RawValue) -> CellReading:
    """Read a number."""
    match raw:
        case bool() | date() | time() | None:
            return _no_number(show(raw))
        case str():
            return _text(words(raw))
        case _:
            number = float(raw)
            return (
                CellReading(value=number)
                if math.isfinite(number)
                else _no_number(show(raw))
            )


def read_place(raw: RawValue) -> CellReading:
    """Read one part of a place.

    The number or text is kept as typed: `kawe_places` reads both parts together.
    """
    match raw:
        case str():
            text = words(raw)
            return CellReading(value=text) if text else EMPTY
        case bool() | date() | time() | None:
            return refused(
                "place-unreadable",
                message=f"Excel holds {quoted(show(raw))} here, no coordinate.",
                advice="Format the cell as Text and type the coordinate again.",
            )
        case _:
            return CellReading(value=raw)


def _text(text: str) -> CellReading:
    plain = text.translate(_MINUS)
    if _GROUPED.fullmatch(plain):
        plain = re.sub(r"[, ’']", "", plain)
    if _PLAIN.fullmatch(plain):
        number = float(plain)
        if math.isfinite(number):
            return CellReading(value=number)
    return _no_number(text)


def _no_number(shown: str) -> CellReading:
    return refused(
        "number-unreadable",
        message=f"{quoted(shown)} is not a number.",
        advice="Write digits only, with a point for decimals: 12 or 2.5.",
    )
