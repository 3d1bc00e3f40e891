"""Cells that hold a number, and parts of a place, which are read elsewhere."""

from __future__ import annotations

import math
import re
from datetime import date, time
from typing import Final

from kawe.domain.sheet.tables import RawValue
from kawe.workbook.cells.reading import (
    EMPTY,
    CellReader,
    CellReading,
    quoted,
    refused,
    show,
)
from kawe.workbook.cells.words import words

_PLAIN: Final = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)", re.ASCII)
_GROUPED: Final = re.compile(
    r"[-+]?\d{1,3}(?:([, ’'])\d{3})(?:\1\d{3})*(?:\.\d+)?", re.ASCII
)
_MINUS: Final = str.maketrans({"−": "-", "–": "-"})


def number_reader() -> CellReader:
    """Make the reader of a column of numbers."""

    def read(raw: RawValue) -> CellReading:
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

    return read


def place_reader() -> CellReader:
    """Make the reader of one part of a place.

    It keeps the number or text as typed: `kawe.geo` reads both parts together.
    """

    def read(raw: RawValue) -> CellReading:
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

    return read


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
