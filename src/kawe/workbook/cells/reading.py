"""The result of reading a cell, and the text that a person sees in it."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime, time
from typing import Final, TypeAlias

from kawe.domain.sheet.findings import Remark, Severity
from kawe.domain.text.new_zealand import short_day_words
from kawe.domain.text.texts import clean, one_line
from kawe_places.values import CellValue
from kawe_xlsx.cells import RawValue

_SHOWN_CHARACTERS: Final = 60
# Floats are exact for whole numbers up to here; Excel keeps 15 digits.
_EXACT: Final = 1e15


@dataclass(frozen=True, slots=True, kw_only=True)
class CellReading:
    """The value of a cell; None with an error remark: unreadable."""

    value: CellValue = None
    remarks: tuple[Remark, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnFacts:
    """What the whole column says about each of its cells."""

    counts_from_1904: bool = False
    month_comes_first: bool = False
    """A date of the sheet is a date only as month/day, and the column may be so."""
    reads_month_first: bool = False
    """A person agreed to read it so."""
    day_comes_first: bool = False
    """A date of the column is a date only as day/month."""
    says_either: bool = False
    """A text of the column is a date in either order."""
    latest: int = 0
    """The latest day of a month among the dates of Excel."""
    may_be_turned: bool = False
    """Excel took days up to the 12th alone for dates: in its order 2/13 is none."""
    padded_digits: int = 0
    """Number of digits of the numbers with leading zeros."""
    surnames_first: float = 0.0
    """The share of the names of people that stand as “Ngata, Hana”."""


CellReader: TypeAlias = Callable[[RawValue], CellReading]
"""Reads a cell that is not empty."""

EMPTY: Final = CellReading()


def refused(rule: str, *, message: str, advice: str) -> CellReading:
    return CellReading(remarks=(error(rule, message=message, advice=advice),))


def error(rule: str, *, message: str, advice: str) -> Remark:
    return Remark(severity=Severity.ERROR, rule=rule, message=message, advice=advice)


def warning(rule: str, *, message: str, advice: str) -> Remark:
    return Remark(severity=Severity.WARNING, rule=rule, message=message, advice=advice)


def note(rule: str, *, message: str, advice: str = "") -> Remark:
    return Remark(severity=Severity.NOTE, rule=rule, message=message, advice=advice)


def show(raw: RawValue) -> str:
    """Give the cleaned text that a person sees in a cell."""
    match raw:
        case str():
            return clean(raw)
        case date() | time():
            return _when_text(raw)
        case bool():
            return "TRUE" if raw else "FALSE"
        case None:
            return ""
        case _:
            return number_text(raw)


def _when_text(when: date | time) -> str:
    if isinstance(when, time):
        return f"{when:%H:%M}"
    if isinstance(when, datetime):
        return f"{short_day_words(when.date())} {when:%H:%M}"
    return short_day_words(when)


def quoted(text: str) -> str:
    """Quote the text of a cell for a sentence, short and safe."""
    return f"“{one_line(text, limit=_SHOWN_CHARACTERS)}”"


def number_text(number: float) -> str:
    """Write a number as Excel shows it, without the .0 of whole numbers."""
    if abs(number) < _EXACT and number == int(number):
        return str(int(number))
    return repr(number).upper()
