"""Cells that say a day.

Day comes before month: 1/2/2026 is the first of February. Any other order is refused
and never swapped. If one date of a column has its month first, every ambiguous date
of the column is refused.
"""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from typing import Final

from kawe.domain.sheet.tables import RawValue
from kawe.domain.text.new_zealand import NEW_ZEALAND
from kawe.domain.text.texts import clean
from kawe.workbook.cells.date_texts import (
    Ambiguous,
    DateText,
    Day,
    NoDate,
    Swapped,
    parse_date,
)
from kawe.workbook.cells.reading import (
    CellReader,
    CellReading,
    ColumnFacts,
    Remark,
    day_text,
    note,
    number_text,
    quoted,
    refused,
    show,
    warning,
)

FIRST_SERIAL: Final = 36_526
"""1 January 2000, as Excel counts days."""
LAST_SERIAL: Final = 73_050
"""31 December 2099."""
_EPOCH: Final = date(1899, 12, 30)
_EPOCH_1904: Final = date(1904, 1, 1)
_SERIAL_DIGITS: Final = 5
_SECONDS: Final = (946_684_800, 4_102_444_800)
"""2000 to 2099, as computers count seconds; map servers write milliseconds."""
_TIME_DIGITS: Final = range(9, 14)
_HOW: Final = "Type it as day/month/year, such as 15/02/2027."


def date_reader(facts: ColumnFacts) -> CellReader:
    """Make the reader of a date column."""

    def read(raw: RawValue) -> CellReading:
        match raw:
            case datetime():
                return _day(raw.date(), at=raw.time())
            case date():
                return _day(raw)
            case str():
                return _text(clean(raw), facts)
            case bool() | time() | None:
                return _no_date(show(raw))
            case _:
                return _serial(raw, facts)

    return read


def is_month_first(raw: RawValue) -> bool:
    """Check that a cell is a date only as month/day/year."""
    return isinstance(raw, str) and isinstance(parse_date(clean(raw)), Swapped)


def _day(
    day: date, *, at: time = time.min, remarks: tuple[Remark, ...] = ()
) -> CellReading:
    if at != time.min:
        remarks = (
            *remarks,
            warning(
                "date-with-time",
                message=f"The time of day ({at:%H:%M}) is left out.",
                advice=f"kawe takes the day, {day_text(day)}; nothing else to do.",
            ),
        )
    return CellReading(value=day.isoformat(), remarks=remarks)


def _serial(number: float, facts: ColumnFacts) -> CellReading:
    epoch = _EPOCH_1904 if facts.counts_from_1904 else _EPOCH
    shift = (_EPOCH_1904 - _EPOCH).days if facts.counts_from_1904 else 0
    shown, seconds = number_text(number), _seconds(number)
    if seconds is not None:
        day = datetime.fromtimestamp(seconds, NEW_ZEALAND).date()
    elif FIRST_SERIAL - shift <= number < LAST_SERIAL - shift + 1:
        day = epoch + timedelta(days=int(number))
    else:
        return _no_date(shown, parse_date(shown))
    remark = note("date-from-number", message=f"{shown} read as {day_text(day)}.")
    return CellReading(value=day.isoformat(), remarks=(remark,))


def _seconds(number: float) -> float | None:
    """Take a computer's time, in seconds or milliseconds; None: it is none."""
    first, after = _SECONDS
    both = (number, number / 1000)
    return next((each for each in both if first <= each < after), None)


def _text(text: str, facts: ColumnFacts) -> CellReading:
    is_number = len(text) == _SERIAL_DIGITS or len(text) in _TIME_DIGITS
    if text.isascii() and text.isdigit() and is_number:
        return _serial(int(text), facts)
    match parse_date(text):
        case Ambiguous(day=day, swapped=swapped) if facts.month_comes_first:
            return _either(text, day, swapped)
        case Day(day=day, at=at, remark=said) | Ambiguous(day=day, at=at, remark=said):
            remarks = (note("date-read-as", message=f"{quoted(text)} {said}."),)
            return _day(day, at=at, remarks=remarks if said else ())
        case Swapped(day=day):
            return refused(
                "date-month-first",
                message=(
                    f"{quoted(text)} looks like {day_text(day)} with the month first."
                ),
                advice=f"If so, type {day:%d/%m/%Y}: the day comes before the month.",
            )
        case NoDate() as found:
            return _no_date(text, found)


def _either(text: str, day: date, swapped: date) -> CellReading:
    return refused(
        "date-ambiguous",
        message=(
            f"{quoted(text)} could be {day_text(day)} or {day_text(swapped)}: another "
            "date in this column has the month first."
        ),
        advice=(
            f"Type {day:%d/%m/%Y} or {swapped:%d/%m/%Y} after you have corrected the "
            "dates with the month first."
        ),
    )


def _no_date(shown: str, found: DateText | None = None) -> CellReading:
    why = found.why if isinstance(found, NoDate) else "is not a date"
    return refused("date-unreadable", message=f"{quoted(shown)} {why}.", advice=_HOW)
