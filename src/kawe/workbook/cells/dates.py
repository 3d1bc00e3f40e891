"""Cells that say a day.

Day comes before month: 1/2/2026 is the first of February. Any other order is refused
and never swapped. If one date of a column has its month first, every ambiguous date
of the column is refused. A text is read only when it can mean one day in New Zealand:
general date parsers swap 13/2 silently, or read 2026-02-01 as the second of January.
"""

import re
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from typing import Final, TypeAlias

from kawe.domain.sheet.findings import Remark
from kawe.domain.text.new_zealand import NEW_ZEALAND
from kawe.domain.text.new_zealand import short_day_words as day_text
from kawe.domain.text.next_steps import Given
from kawe.domain.text.texts import DASHES, clean, fold
from kawe.workbook.cells.reading import (
    CellReader,
    CellReading,
    ColumnFacts,
    note,
    number_text,
    quoted,
    refused,
    show,
    warning,
)
from kawe_xlsx.cells import RawValue

FIRST_SERIAL: Final = 36_526
"""1 January 2000, as Excel counts days."""
LAST_SERIAL: Final = 73_050
"""31 December 2099."""
_OURS: Final = timedelta(hours=12), timedelta(hours=13)
_EPOCH: Final = date(1899, 12, 30)
_EPOCH_1904: Final = date(1904, 1, 1)
_SERIAL_DIGITS: Final = 5
_SECONDS: Final = (946_684_800, 4_102_444_800)
"""2000 to 2099, as computers count seconds; others write milliseconds and less."""
_TIME_DIGITS: Final = range(9, 17)
_SHORTENED: Final = re.compile(r"\d\.?(?P<more>\d*)[Ee]\+(?P<zeros>\d\d)")
_ACCEPT: Final = Given.ACCEPT_MONTHS_FIRST
_HOW: Final = "Type it as day/month/year, such as 15/02/2027."


def date_reader(facts: ColumnFacts) -> CellReader:
    """Make the reader of a date column."""

    def read(raw: RawValue) -> CellReading:
        match raw:
            case datetime():
                return _real(raw.date(), facts, at=raw.time())
            case date():
                return _real(raw, facts)
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


def is_day_first(raw: RawValue) -> bool:
    """Check that a cell is a date only as day/month/year."""
    text = clean(raw).translate(DASHES) if isinstance(raw, str) else ""
    found = parse_date(text) if _NUMERIC.fullmatch(text) else None
    return isinstance(found, Day) and found.day.day > 12


def either_way(raw: RawValue) -> date | None:
    """Give the day of a text that is another with its month first; None: it is not."""
    found = parse_date(clean(raw)) if isinstance(raw, str) else None
    return found.day if isinstance(found, Day) and found.swapped else None


def taken_day_first(cells: Iterable[RawValue]) -> tuple[str, date] | None:
    """Give a text and its day, where no cell says if the day or the month is first."""
    taken = None
    for raw in dict.fromkeys(cells):
        if is_month_first(raw) or is_day_first(raw):
            return None
        if taken is None and (day := either_way(raw)):
            taken = show(raw), day
    return taken


def date_facts(cells: Collection[RawValue], *, known: ColumnFacts) -> ColumnFacts:
    """Find the facts of a column of dates; `known` are those of its sheet."""
    month, day, either = (
        any(map(says, cells)) for says in (is_month_first, is_day_first, either_way)
    )
    # Beside texts that Excel left, a program wrote what it took as 2027-08-03.
    is_split = (month or day) and not either
    taken = (_written(e) if is_split and isinstance(e, str) else e for e in cells)
    return replace(
        known,
        month_comes_first=month,
        day_comes_first=day,
        says_either=either,
        latest=max((e.day for e in taken if isinstance(e, date)), default=0),
    )


def _written(text: str) -> date | None:
    """Give the day of a text that has the year first; None: it has not."""
    found = parse_date(text) if _ISO.fullmatch(text := clean(text)) else None
    return found.day if isinstance(found, Day) else None


def _real(day: date, facts: ColumnFacts, *, at: time = time.min) -> CellReading:
    """Read a date of Excel, which may have turned day and month round."""
    if not facts.may_be_turned or day.day == day.month:
        return _day(day, at=at)
    other = day_text(day.replace(month=day.day, day=day.month))
    why = "in this column it took the days up to the 12th alone for dates."
    advice = f"Compare it with your source. If it is {other}, correct it."
    if facts.month_comes_first:
        why = "another date of the sheet has the month first."
        advice = "Compare it with your source, before the others are corrected."
    said = f"Excel may have turned {other} into {day_text(day)}: {why}"
    if facts.month_comes_first:
        return refused("date-turned", message=said, advice=advice)
    remark = warning("date-turned", message=said, advice=advice)
    return _day(day, at=at, remarks=(remark,))


def _day(
    day: date, *, at: time = time.min, remarks: tuple[Remark, ...] = ()
) -> CellReading:
    if at != time.min:
        left = f"The time of day ({at:%H:%M}) is left out."
        advice = "kawe takes the day alone; nothing else to do."
        here = datetime.combine(day, at, UTC).astimezone(NEW_ZEALAND)
        if here.time() == time.min:
            says = "If it is UTC, as in tables of a GIS, the day here is"
            advice = f"{says} {day_text(here.date())}: then correct it."
        remarks = (*remarks, warning("date-with-time", message=left, advice=advice))
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
        return _said(shown, facts)
    remark = note("date-from-number", message=f"{shown} read as {day_text(day)}.")
    return CellReading(value=day.isoformat(), remarks=(remark,))


def _seconds(number: float) -> float | None:
    """Take a computer's time, in seconds or parts of them; None: it is none."""
    first, after = _SECONDS
    every = (number / parts for parts in (1, 1_000, 1_000_000))
    return next((each for each in every if first <= each < after), None)


def _shortened(text: str, match: re.Match[str], facts: ColumnFacts) -> CellReading:
    """Read a number that Excel shortened, if what is lost changes no day."""
    lost = 10 ** (int(match["zeros"]) - len(match["more"])) / 2
    number = float(text)
    least, most = (_serial(each, facts) for each in (number - lost, number + lost))
    if least.value is None or least.value == most.value:
        return _serial(number, facts)
    return refused(
        "date-shortened",
        message=f"{quoted(text)} is a number that Excel shortened: its day is lost.",
        advice="Format the column as Number without decimals, and save it again.",
    )


def _text(text: str, facts: ColumnFacts) -> CellReading:
    # Other programs write a column with an empty cell in it as 1803859200000.0.
    digits = text.removesuffix(".0")
    is_number = len(digits) == _SERIAL_DIGITS or len(digits) in _TIME_DIGITS
    if digits.isascii() and digits.isdigit() and is_number:
        return _serial(int(digits), facts)
    if shortened := _SHORTENED.fullmatch(text):
        return _shortened(text, shortened, facts)
    return _said(text, facts)


def _said(text: str, facts: ColumnFacts) -> CellReading:
    match parse_date(text):
        case Day(swapped=date() as day) | Swapped(day=day) if facts.reads_month_first:
            said = f"{quoted(text)} is read as {day_text(day)}: its month is first."
            remark = warning("date-month-first", message=said, advice="")
            return _day(day, remarks=(remark,))
        case Day(day=day, swapped=date() as swapped) if facts.month_comes_first:
            return refused(
                "date-ambiguous",
                message=f"{quoted(text)} could be {day_text(day)} or "
                f"{day_text(swapped)}: another date of the sheet has the month first.",
                advice=f"Type {day_text(day)} or {day_text(swapped)}, the month as a "
                f"word; or, if all have the month first: {_ACCEPT}.",
            )
        case Day(day=day, at=at) if _ISO.fullmatch(text) and not facts.says_either:
            return _real(day, facts, at=at)
        case Day(day=day, at=at, remark=said):
            remarks = (note("date-read-as", message=f"{quoted(text)} {said}."),)
            return _day(day, at=at, remarks=remarks if said else ())
        case Swapped(day=day):
            return refused(
                "date-month-first",
                message=f"{quoted(text)} looks like {day_text(day)} with the month "
                "first.",
                advice=f"If so, type {day:%d/%m/%Y}: the day comes before the month. "
                f"If all have the month first: {_ACCEPT}.",
            )
        case NoDate() as found:
            return _no_date(text, found)


def _no_date(shown: str, found: "NoDate | None" = None) -> CellReading:
    found = found or NoDate()
    return refused(
        "date-unreadable", message=f"{quoted(shown)} {found.why}.", advice=found.how
    )


_TIME: Final = (
    r"(?:(?:[Tt]| |, ?|,? at )"
    r"(?P<at>\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?|\d{1,2}(?:\.\d{2})?(?= ?[AaPp]\.?[Mm]))"
    r"(?: ?(?P<half>[AaPp])\.?[Mm]\.?)?)?"
)
_ISO: Final = re.compile(
    r"(?P<y>\d{4})(?P<s>[-/.])(?P<m>\d{1,2})(?P=s)(?P<d>\d{1,2})" + _TIME
)
_INSTANT: Final = re.compile(
    r"\d{4}([-/])\d{2}\1\d{2}[Tt ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?"
    r" ?(?:[Zz]|UTC|[+-]\d{2}(?::?\d{2})?)"
)
_NUMERIC: Final = re.compile(
    r"(?P<d>\d{1,2}) ?(?P<s>[-/.]) ?(?P<m>\d{1,2}) ?(?P=s) ?(?P<y>\d{4}|\d{2})" + _TIME
)
_DAY_MONTH: Final = re.compile(
    r"(?:te )?(?P<d>\d{1,2})(?:st|nd|rd|th)?(?: of | o |[-/., ]{0,2})"
    r"(?P<name>[^\W\d_][^\d]*?)[-/., ]{0,2}(?P<y>\d{4}|['’]?\d{2})" + _TIME,
    re.IGNORECASE,
)
_MONTH_DAY: Final = re.compile(
    r"(?P<name>[^\W\d_][^\d]*?)[-. ]{1,2}(?P<d>\d{1,2})(?:st|nd|rd|th)?,? "
    r"(?P<y>\d{4})" + _TIME,
    re.IGNORECASE,
)
_WEEKDAYS: Final = (
    re.compile(r"(?P<name>[^\W\d_]+)\.?,? (?P<rest>\d.*|te .*)"),
    re.compile(r"(?P<rest>\d.*\d),? \(?(?P<name>[^\W\d_]+)\)?"),
)
_COMPACT: Final = re.compile(r"\d{7,8}")
_NO_YEAR: Final = re.compile(r"\d{1,2} ?[-/.] ?\d{1,2}|\d{1,2}\w{,2}\W?([^\W\d_]{3,})")
_NO_DAY: Final = re.compile(
    r"(?i)[^\W\d_]\D*?[-/. ]{1,2}['’]?(?:\d\d){1,2}|(?:\d{1,2}[-/])?\d{4}"
    r"|.*\b(?:[qh][1-4]|w/?[ce]|week|term|quarter|half|early|mid|late)\b.*"
)
_LONGEST: Final = 120
_FIRST_YEAR: Final = 1900
_LAST_YEAR: Final = 2199
_OLDEST: Final = date(2020, 1, 1)
"""In two digits, an earlier year may as well be the day: 27-03-01."""
_DOUBLED: Final = re.compile(r"([aeiou])\1")

# Both sets of Māori months are in use: the lunar calendar (the standard of Te Taura
# Whiri i te Reo Māori) and the names taken from English.
_MONTHS: Final = (
    ("january", "jan", "kohitātea", "kohi", "hānuere"),
    ("february", "feb", "huitanguru", "hui", "pēpuere"),
    ("march", "mar", "poutūterangi", "pou", "māehe", "poutū-te-rangi"),
    ("april", "apr", "paengawhāwhā", "paenga", "āperira", "aperira"),
    ("may", "haratua", "hara", "mei"),
    ("june", "jun", "pipiri", "pipi", "hune"),
    ("july", "jul", "hōngongoi", "hōngoingoi", "hōngo", "hūrae"),
    ("august", "aug", "hereturikōkā", "here", "ākuhata"),
    ("september", "sep", "sept", "mahuru", "mahu", "hepetema"),
    ("october", "oct", "whiringa-ā-nuku", "oketopa"),
    ("november", "nov", "whiringa-ā-rangi", "nōema", "noema"),
    ("december", "dec", "hakihea", "haki", "tīhema"),
)
_DAYS: Final = (
    ("monday", "mon", "rāhina", "mane"),
    ("tuesday", "tue", "tues", "rātū", "tūrei"),
    ("wednesday", "wed", "rāapa", "wenerei"),
    ("thursday", "thu", "thur", "thurs", "rāpare", "tāite"),
    ("friday", "fri", "rāmere", "paraire"),
    ("saturday", "sat", "rāhoroi", "hātarei"),
    ("sunday", "sun", "rātapu"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Day:
    """The text means `day`, unless its month comes first: then `swapped`, if any."""

    day: date
    swapped: date | None = None
    at: time = time.min
    remark: str = ""
    """How it was read, if a person should know; part of a sentence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Swapped:
    """The text can only mean this day, with its month first."""

    day: date


@dataclass(frozen=True, slots=True, kw_only=True)
class NoDate:
    """The text means no day; `why` ends a sentence that begins with it."""

    why: str = "is not a date"
    how: str = _HOW


DateText: TypeAlias = Day | Swapped | NoDate


def parse_date(text: str) -> DateText:
    """Read a cleaned text as a day; a long one is none: to search it takes long."""
    if len(text) > _LONGEST or any(c.isdigit() and not c.isascii() for c in text):
        return NoDate()
    weekday, rest = _without_weekday(text.translate(DASHES).strip(".,;'‘’\"“” "))
    for form, parse in _FORMS:
        if (match := form.fullmatch(rest)) is not None:
            found = parse(match)
            return found if weekday is None else _checked(found, weekday)
    no_year = _NO_YEAR.fullmatch(rest)
    if no_year and (no_year[1] is None or _key(no_year[1]) in _MONTH_NUMBERS):
        return NoDate(why="has no year")
    if _NO_DAY.fullmatch(rest) or _key(rest) in _MONTH_NUMBERS:
        how = f"{_HOW} A start is its first day, an end its last. Format it as a date."
        return NoDate(why="does not say which day", how=how)
    within = ((parse, inner) for form, parse in _FORMS if (inner := form.search(rest)))
    if any(isinstance(parse(inner), Day) for parse, inner in within):
        return NoDate(why="says more than a day", how=f"{_HOW} Leave out all else.")
    return NoDate()


def _without_weekday(text: str) -> tuple[int | None, str]:
    for match in filter(None, (form.fullmatch(text) for form in _WEEKDAYS)):
        if (weekday := _DAY_NUMBERS.get(_key(match["name"]))) is not None:
            return weekday, match["rest"]
    return None, text


def _checked(found: DateText, weekday: int) -> DateText:
    """Refuse a day with the wrong weekday; of two, the weekday says which is meant."""
    if not isinstance(found, Day):
        return found
    fits = [e for e in (found.day, found.swapped) if e and e.weekday() == weekday]
    if not fits:
        day = found.day
        return NoDate(why=f"does not fit: {day_text(day)} is a {day:%A}")
    if fits[0] != found.day:
        return Swapped(day=fits[0])
    return found if fits[1:] else replace(found, swapped=None)


def _instant(match: re.Match[str]) -> DateText:
    text = match[0].upper().replace("/", "-").replace(" UTC", "Z").replace("UTC", "Z")
    text = text.replace(" ", "T", 1)
    try:
        here = datetime.fromisoformat(text.replace(" ", ""))
        # A program that writes +13:00 all year means the day that it writes.
        if here.utcoffset() not in _OURS:
            here = here.astimezone(NEW_ZEALAND)
    except (ValueError, OverflowError):
        return NoDate()
    return Day(
        day=here.date(),
        remark=f"read as {day_text(here.date())}, the day it is then in New Zealand",
    )


def _numeric(match: re.Match[str]) -> DateText:
    first, second, year = int(match["d"]), int(match["m"]), _year(match["y"])
    day, swapped = _date(year, second, first), _date(year, first, second)
    if (at := _time(match)) is None:
        return NoDate(why="says no time of day that there is")
    is_old = len(match["y"]) == 2 and day is not None and day < _OLDEST
    turned = _date(2000 + first, second, year % 100) if is_old else None
    if day and turned and turned != day:
        return NoDate(why=f"could be {day_text(day)} or {day_text(turned)}")
    if day is not None:
        other = None if swapped == day else swapped
        return Day(day=day, swapped=other, at=at, remark=_year_remark(match, day))
    if swapped is not None and second > 12:
        return Swapped(day=swapped)
    return NoDate(why=_missing_day(year, second))


def _named(match: re.Match[str]) -> DateText:
    if (month := _MONTH_NUMBERS.get(_key(match["name"]))) is None:
        return NoDate()
    return _exact(match, month=month, year=match["y"].lstrip("'’"))


def _compact(match: re.Match[str]) -> DateText:
    text = match[0]
    if day := _date(int(text[:-4]), int(text[-4:-2]), int(text[-2:])):
        return Day(day=day, remark=f"read as {day_text(day)}")
    # 01022026 may as well have its month first.
    day = _date(int(text[-4:]), int(text[-6:-4]), int(text[:-6]))
    why = f"looks like {day_text(day)} without separators" if day else "is not a date"
    return NoDate(why=why)


def _exact(match: re.Match[str], *, month: int, year: str) -> DateText:
    day, at = _date(_year(year), month, int(match["d"])), _time(match)
    if day is None:
        return NoDate(why=_missing_day(_year(year), month))
    if at is None:
        return NoDate(why="says no time of day that there is")
    return Day(day=day, at=at, remark=_year_remark(match, day))


_FORMS: Final[tuple[tuple[re.Pattern[str], Callable[..., DateText]], ...]] = (
    (_INSTANT, _instant),
    (_ISO, lambda match: _exact(match, month=int(match["m"]), year=match["y"])),
    (_NUMERIC, _numeric),
    (_DAY_MONTH, _named),
    (_MONTH_DAY, _named),
    (_COMPACT, _compact),
)


def _year(digits: str) -> int:
    return int(digits) + 2000 if len(digits) == 2 else int(digits)


def _year_remark(match: re.Match[str], day: date) -> str:
    return "" if len(match["y"]) == 4 else f"read as {day_text(day)}"


def _date(year: int, month: int, day: int) -> date | None:
    if not _FIRST_YEAR <= year <= _LAST_YEAR:
        return None
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _missing_day(year: int, month: int) -> str:
    if not _FIRST_YEAR <= year <= _LAST_YEAR:
        return f"says the year {year}"
    return "is a day that does not exist" if 1 <= month <= 12 else "is not a date"


def _time(match: re.Match[str]) -> time | None:
    """Read a time of day; None: there is no such time."""
    if match["at"] is None:
        return time.min
    hour, minute = (int(e) for e in (*re.split("[:.]", match["at"]), "0")[:2])
    half = (match["half"] or "").upper()
    if half and not 1 <= hour <= 12:
        return None
    if half:
        hour = hour % 12 + (12 if half == "P" else 0)
    return time(hour, minute) if hour < 24 and minute < 60 else None


def _key(name: str) -> str:
    """Fold macrons, doubled vowels and hyphens."""
    return _DOUBLED.sub(r"\1", fold(name).replace(" ", ""))


_MONTH_NUMBERS: Final = {
    _key(name): number for number, names in enumerate(_MONTHS, 1) for name in names
}
_DAY_NUMBERS: Final = {
    _key(name): number for number, names in enumerate(_DAYS) for name in names
}
