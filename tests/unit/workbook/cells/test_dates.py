"""Cells that say a day."""

from datetime import date, datetime, time

import pytest

from kawe.domain.sheet.findings import Severity
from kawe.domain.text.next_steps import Given
from kawe.workbook.cells.dates import (
    Day,
    NoDate,
    Swapped,
    date_facts,
    date_reader,
    is_month_first,
    parse_date,
)
from kawe.workbook.cells.reading import CellReading, ColumnFacts

READ = date_reader(ColumnFacts())
MIXED = date_reader(ColumnFacts(month_comes_first=True))
OLD_MAC = date_reader(ColumnFacts(counts_from_1904=True))


def only(reading: CellReading) -> tuple[Severity, str, str]:
    (remark,) = reading.remarks
    return (remark.severity, remark.rule, remark.message)


@pytest.mark.parametrize(
    "cell",
    [
        date(2026, 2, 1),
        datetime(2026, 2, 1),  # noqa: DTZ001 (a cell has no zone)
        "1/2/2026",
        "01/02/2026",
        " 1/2/2026\u200b",
        "1/2/2026.",
        "“1/2/2026”\u200e",
        "1 / 2 / 2026",
        "1–2‐2026",
        "1.2.2026",
        "2026-02-01",
        "2026/2/1",
        "2026-02-01T00:00:00",
        "1/02/2026 12:00:00 AM",
        "1 Feb 2026",
        "1 February 2026",
        "1st of February, 2026",
        "1Feb2026",
        "February 1, 2026",
        "Sunday 1 Feb 2026",
        "1 Feb 2026 (Sun)",
        "Rātapu 1 Huitanguru 2026",
        "te 1 o Huitanguru 2026",
        "1 Hui-tanguru 2026",
        "1 Pēpuere 2026",
        "1 Peepuere 2026",
    ],
)
def test_a_day_is_read_without_a_word(cell):
    assert READ(cell) == CellReading(value="2026-02-01")


@pytest.mark.parametrize(
    ("cell", "day", "message"),
    [
        ("1.80144E+12", "2027-02-01", "1801440000000 read as 1 Feb 2027."),
        ("1.80386E+09", "2027-03-01", "1803860000 read as 1 Mar 2027."),
        (
            "1.8E+12",
            None,
            "“1.8E+12” is a number that Excel shortened: its day is lost.",
        ),
        ("1.80386E+99", None, "“1.80386E+99” is not a date."),
    ],
)
def test_a_shortened_time_is_a_day_if_that_is_sure(cell, day, message):
    reading = READ(cell)
    assert (reading.value, [e.message for e in reading.remarks]) == (day, [message])


@pytest.mark.parametrize(
    ("cell", "message"),
    [
        (46054.0, "46054 read as 1 Feb 2026."),
        ("46054", "46054 read as 1 Feb 2026."),
        (1769857200000.0, "1769857200000 read as 1 Feb 2026."),
        ("1769900000000", "1769900000000 read as 1 Feb 2026."),
        ("1769900000000.0", "1769900000000 read as 1 Feb 2026."),
        ("1769857200.0", "1769857200 read as 1 Feb 2026."),
        ("46054.0", "46054 read as 1 Feb 2026."),
        (1769857200000000, "1769857200000000 read as 1 Feb 2026."),
        ("1769857200000000", "1769857200000000 read as 1 Feb 2026."),
        ("1769857200", "1769857200 read as 1 Feb 2026."),
        (1769943599, "1769943599 read as 1 Feb 2026."),
        ("20260201", "“20260201” read as 1 Feb 2026."),
        (20260201.0, "“20260201” read as 1 Feb 2026."),
        ("1/2/26", "“1/2/26” read as 1 Feb 2026."),
        ("1-Feb-26", "“1-Feb-26” read as 1 Feb 2026."),
        ("1 Feb '26", "“1 Feb '26” read as 1 Feb 2026."),
        (
            "2026-01-31T11:00:00.000Z",
            (
                "“2026-01-31T11:00:00.000Z” read as 1 Feb 2026, the day it is then in "
                "New Zealand."
            ),
        ),
        (
            "2026/01/31 11:00:00+00",
            (
                "“2026/01/31 11:00:00+00” read as 1 Feb 2026, the day it is then in "
                "New Zealand."
            ),
        ),
        (
            "2026-02-01T23:30:00+13:00",
            (
                "“2026-02-01T23:30:00+13:00” read as 1 Feb 2026, the day it is then in "
                "New Zealand."
            ),
        ),
    ],
)
def test_a_day_written_unusually_is_read_with_a_note(cell, message):
    reading = READ(cell)

    assert reading.value == "2026-02-01"
    assert only(reading)[0] is Severity.NOTE
    assert only(reading)[2] == message


@pytest.mark.parametrize(
    "cell",
    [
        datetime(2026, 2, 1, 10, 30),  # noqa: DTZ001 (a cell has no zone)
        "1/2/2026 10:30",
        "1/2/2026 10:30 am",
        "1/2/2026 10.30am",
        "2026-02-01 10:30:00",
    ],
)
def test_a_time_of_day_is_left_out_with_a_warning(cell):
    reading = READ(cell)

    assert reading.value == "2026-02-01"
    assert only(reading)[:2] == (Severity.WARNING, "date-with-time")
    assert "10:30" in only(reading)[2]


@pytest.mark.parametrize(
    ("cell", "why"),
    [
        ("31/2/2026", "“31/2/2026” is a day that does not exist."),
        ("2026-02-30", "“2026-02-30” is a day that does not exist."),
        ("29/2/2027", "“29/2/2027” is a day that does not exist."),
        ("1/2", "“1/2” has no year."),
        ("1st-Feb", "“1st-Feb” has no year."),
        ("6 weeks", "“6 weeks” is not a date."),
        *(
            (each, f"“{each}” does not say which day.")
            for each in ("Feb 2026", "Feb-26", "Feb", "2026", "Q1 2026", "w/c 2 Feb")
        ),
        ("1 Feb 2026 TBC", "“1 Feb 2026 TBC” says more than a day."),
        ("02/2026", "“02/2026” does not say which day."),
        ("01022026", "“01022026” looks like 1 Feb 2026 without separators."),
        (1022026.0, "“1022026” looks like 1 Feb 2026 without separators."),
        ("20261301", "“20261301” is not a date."),
        (
            "Monday 1 Feb 2026",
            "“Monday 1 Feb 2026” does not fit: 1 Feb 2026 is a Sunday.",
        ),
        ("1/2/0206", "“1/2/0206” says the year 206."),
        ("1/2/2026 25:00", "“1/2/2026 25:00” says no time of day that there is."),
        ("next Friday", "“next Friday” is not a date."),
        ("tbc", "“tbc” is not a date."),
        ("1–5 Feb 2026", "“1–5 Feb 2026” says more than a day."),
        ("1/2/2026 to 5/2/2026", "“1/2/2026 to 5/2/2026” says more than a day."),
        ("27-03-01", "“27-03-01” could be 27 Mar 2001 or 1 Mar 2027."),
        ("1 - tbc 2026", "“1 - tbc 2026” is not a date."),
        ("1 Febtober 2026", "“1 Febtober 2026” is not a date."),
        ("٣/٢/٢٠٢٦", "“٣/٢/٢٠٢٦” is not a date."),
        (12.0, "“12” is not a date."),
        (36525.0, "“36525” is not a date."),
        (73051.0, "“73051” is not a date."),
        (946684799, "“946684799” is not a date."),
        ("4102444800000", "“4102444800000” is not a date."),
        (float("inf"), "“INF” is not a date."),
        (True, "“TRUE” is not a date."),
        (time(10, 30), "“10:30” is not a date."),
    ],
)
def test_what_is_no_day_is_refused_with_what_it_looks_like(cell, why):
    reading = READ(cell)

    assert reading.value is None
    assert only(reading) == (Severity.ERROR, "date-unreadable", why)


def test_a_date_with_its_month_first_is_refused_and_never_turned_around():
    reading = READ("2/13/2026")

    assert reading.value is None
    assert only(reading) == (
        Severity.ERROR,
        "date-month-first",
        "“2/13/2026” looks like 13 Feb 2026 with the month first.",
    )
    assert reading.remarks[0].advice == (
        "If so, type 13/02/2026: the day comes before the month. If all have the "
        f"month first: {Given.ACCEPT_MONTHS_FIRST}."
    )


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        ("2/13/2026", True),
        ("13/2/2026", False),
        ("1/2/2026", False),
        ("2026-02-13", False),
        (46054.0, False),
        (None, False),
    ],
)
def test_only_a_day_past_twelve_in_second_place_has_its_month_first(cell, expected):
    assert is_month_first(cell) is expected


def test_where_excel_may_have_turned_dates_each_has_a_warning():
    cells = [date(2027, 1, 3), date(2027, 3, 3), "28/03/2027", None, "tbc"]
    reading = date_reader(ColumnFacts(may_be_turned=True))
    assert [only(reading(each)) for each in cells[:1]] == [
        (
            Severity.WARNING,
            "date-turned",
            (
                "Excel may have turned 1 Mar 2027 into 3 Jan 2027: in this column it "
                "took the days up to the 12th alone for dates."
            ),
        )
    ]
    assert [reading(each).remarks for each in cells[1:3]] == [(), ()]
    columns = cells, [*cells, date(2027, 1, 13)], cells[2:]
    facts = [date_facts(each, known=ColumnFacts()) for each in columns]
    assert [each.latest for each in facts] == [3, 13, 0]


def test_beside_a_date_with_its_month_first_no_date_that_excel_turned_is_believed():
    reading = date_reader(ColumnFacts(may_be_turned=True, month_comes_first=True))
    assert only(reading(date(2027, 1, 3))) == (
        Severity.ERROR,
        "date-turned",
        (
            "Excel may have turned 1 Mar 2027 into 3 Jan 2027: another date of the "
            "sheet has the month first."
        ),
    )
    assert reading(date(2027, 3, 3)).remarks == ()


def test_what_a_program_wrote_of_dates_that_excel_turned_is_not_believed_either():
    texts = ["2027-08-03 00:00:00", "3/14/2027"]
    facts = date_facts(texts, known=ColumnFacts())
    assert (facts.month_comes_first, facts.latest) == (True, 3)
    # Beside a text that may be two days nobody turned them, and 14 is no month.
    for more in ("1/2/2027", "2027-03-14"):
        latest = date_facts([*texts, more], known=ColumnFacts()).latest
        assert latest == (0 if "/" in more else 14)
    reading = date_reader(ColumnFacts(may_be_turned=True, month_comes_first=True))
    assert only(reading(texts[0]))[1] == "date-turned"
    assert MIXED(texts[0]).value == "2027-08-03"


@pytest.mark.parametrize("zone", ["+12:00", "+13:00"])
@pytest.mark.parametrize("day", ["2027-07-03", "2027-01-03"])
def test_a_time_of_our_zone_is_of_the_day_that_it_writes(day, zone):
    assert READ(f"{day}T00:00:00{zone}").value == day


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Tue 2/3/2027", Day(day=date(2027, 3, 2))),
        ("Tue 3/2/2027", Swapped(day=date(2027, 3, 2))),
        ("Mon 2/3/2027", NoDate(why="does not fit: 2 Mar 2027 is a Tuesday")),
        # 10 November is a Wednesday, and so is 11 October; here both are.
        ("Wed 10/11/2027", Day(day=date(2027, 11, 10))),
        pytest.param("1 Mar 2027, " + "x" * 200_000, NoDate(), id="long"),
    ],
)
def test_of_two_days_the_weekday_says_which_is_meant(text, found):
    assert parse_date(text) == found


def test_beside_a_date_with_its_month_first_no_ambiguous_date_is_believed():
    reading = MIXED("1/2/2026")

    assert reading.value is None
    assert only(reading)[:2] == (Severity.ERROR, "date-ambiguous")
    assert "1 Feb 2026 or 2 Jan 2026" in only(reading)[2]


@pytest.mark.parametrize("cell", ["13/2/2026", "2/2/2026", "2026-02-13", "13 Feb 2026"])
def test_beside_a_date_with_its_month_first_a_clear_date_still_counts(cell):
    assert MIXED(cell).remarks == ()


def test_a_day_number_counts_from_1904_where_the_workbook_does():
    assert OLD_MAC(44592.0).value == "2026-02-01"


@pytest.mark.parametrize(
    ("cell", "day"),
    [
        ("2027-02-28T11:00", "1 Mar 2027"),
        ("2027-05-31T12:00:00", "1 Jun 2027"),
        ("2027-02-28T12:00", ""),
    ],
)
def test_a_time_that_is_midnight_here_in_utc_may_be_another_day(cell, day):
    (remark,) = READ(cell).remarks
    said = f"If it is UTC, as in tables of a GIS, the day here is {day}: then correct "
    assert (remark.advice == f"{said}it.") is bool(day)
