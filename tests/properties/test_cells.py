"""Cell readers: for whatever a cell can hold, a value or a reason, never a guess."""

import calendar
import unicodedata
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kawe.domain.sheet.columns import CellKind, Column
from kawe.domain.sheet.findings import Severity
from kawe.domain.text.texts import clean
from kawe.workbook.cells.dates import date_reader, is_month_first
from kawe.workbook.cells.readers import ColumnReader, are_plain, is_blank
from kawe.workbook.cells.reading import EMPTY, CellReading, ColumnFacts, number_text
from kawe_xlsx.limits import CUT_MARK, EXCEL_TEXT_LIMIT
from kawe_xlsx.writing.text import safe_text
from unit.workbook.books import TYPES, column

TEXTS = st.text(max_size=40) | st.text(
    alphabet="0123456789/-.: TZapm,;?@āōMÄÅ\x81\u200b\n\t\ufffdFebEe+'=", max_size=25
)
CELLS = st.one_of(
    TEXTS,
    st.floats(),
    st.integers(),
    st.booleans(),
    st.dates(),
    st.datetimes(),
    st.times(),
)
DAYS = st.dates(min_value=date(2000, 1, 1), max_value=date(2099, 12, 31))
FACTS = [
    ColumnFacts(),
    ColumnFacts(counts_from_1904=True, month_comes_first=True, padded_digits=6),
]
MONTHS = calendar.month_name


def reader(kind: CellKind, facts: ColumnFacts = FACTS[0]) -> ColumnReader:
    made: Column = column(kind, choices=TYPES if kind is CellKind.CHOICE else ())
    return ColumnReader(made, facts)


def is_json(value: object) -> bool:
    if isinstance(value, list):
        return all(isinstance(each, str) and each for each in value)
    return isinstance(value, str | float | int | bool)


@pytest.mark.parametrize("kind", list(CellKind))
@pytest.mark.parametrize("facts", FACTS)
@given(cell=CELLS)
def test_every_cell_gives_a_value_or_an_error_with_advice(kind, facts, cell):
    reading = reader(kind, facts).read(cell)

    refusals = [each for each in reading.remarks if each.severity is Severity.ERROR]
    if reading.value is None:
        assert refusals or reading == EMPTY
        assert all(each.message and each.advice for each in refusals)
    else:
        assert is_json(reading.value)
        assert not refusals


@pytest.mark.parametrize("kind", list(CellKind))
@given(cell=CELLS)
def test_what_is_said_is_one_safe_line(kind, cell):
    for remark in reader(kind).read(cell).remarks:
        for text in (remark.message, remark.advice):
            assert all(unicodedata.category(each) not in {"Cc", "Cs"} for each in text)
            assert not any(
                unicodedata.bidirectional(each) in {"RLO", "LRO"} for each in text
            )


@pytest.mark.parametrize("kind", list(CellKind))
@given(text=TEXTS)
def test_a_glance_agrees_with_a_full_reading(kind, text):
    made = reader(kind)

    if made.is_plain(text):
        assert made.read(text) == CellReading(value=text)


@given(texts=st.lists(TEXTS | st.none() | st.sampled_from(["a", "|", "b |", "", " "])))
def test_a_glance_at_a_row_agrees_with_a_full_reading_of_each_cell(texts):
    made = reader(CellKind.TEXT)

    if are_plain(texts):
        given_texts = [text for text in texts if text is not None]
        assert [made.read(text) for text in given_texts] == [
            CellReading(value=text) for text in given_texts
        ]


def test_a_glance_takes_words_and_empty_cells_alone():
    assert are_plain(["RC-1", None, "Papa tākaro"])
    assert not are_plain(["RC-1", 7.0])
    assert not are_plain(["RC-1", ""])
    assert not are_plain(["RC-1 ", "Papa tākaro"])


@given(text=TEXTS)
def test_a_cell_is_blank_when_nothing_of_it_is_left_after_cleaning(text):
    assert is_blank(text) is (clean(text) == "")


@given(day=DAYS)
def test_a_day_is_read_back_however_it_is_written(day):
    read = date_reader(ColumnFacts())

    for text in (
        f"{day.day}/{day.month}/{day.year}",
        f"{day:%d/%m/%Y}",
        # Of an older day, two digits may be the year of either end.
        *([f"{day:%d.%m.%y}"] if day.year >= 2020 else []),
        f"{day.day} {MONTHS[day.month]} {day.year}",
        f"{day:%d-%b-%y}",
        f"{day:%A} {day.day} {day:%B} {day.year}",
        f"{MONTHS[day.month]} {day.day}, {day.year}",
        day.isoformat(),
    ):
        assert read(text).value == day.isoformat()


@given(day=DAYS, part=st.floats(min_value=0, max_value=0.9999))
def test_a_day_number_is_floored_to_its_day(day, part):
    serial = (day - date(1899, 12, 30)).days

    assert date_reader(ColumnFacts())(serial + part).value == day.isoformat()


@given(day=DAYS)
def test_a_date_with_its_month_first_is_never_read_as_another_day(day):
    text = f"{day.month}/{day.day}/{day.year}"

    alone = date_reader(ColumnFacts())(text)
    doubtful = date_reader(ColumnFacts(month_comes_first=True))(text)

    if day.day > 12:
        assert is_month_first(text)
        assert alone.value is doubtful.value is None
    elif day.day == day.month:
        assert alone.value == doubtful.value == day.isoformat()
    else:
        assert alone.value == date(day.year, day.day, day.month).isoformat()
        assert doubtful.value is None


@given(number=st.integers(min_value=-(10**14), max_value=10**14))
def test_a_whole_number_is_shown_without_a_fraction(number):
    assert number_text(float(number)) == str(number)


@given(text=st.text())
def test_a_text_for_a_cell_has_nothing_active_and_is_not_too_long(text):
    safe = safe_text(text)

    assert len(safe) <= 32_767
    assert all(
        each == "\n" or unicodedata.category(each) not in {"Cc", "Cs"} for each in safe
    )


@given(extra=st.integers(min_value=1, max_value=50), letter=st.sampled_from("xā_\n"))
def test_a_text_too_long_for_a_cell_is_cut(extra, letter):

    assert safe_text(letter * (EXCEL_TEXT_LIMIT + extra)) == letter * 1_000 + CUT_MARK


@given(day=DAYS)
def test_an_instant_is_the_day_that_it_is_in_new_zealand(day):
    read = date_reader(ColumnFacts())

    # Half past midnight in Greenwich is afternoon in New Zealand; half past
    # noon there is the next day here, summer and winter.
    assert read(f"{day.isoformat()}T00:30:00Z").value == day.isoformat()
    after = day + timedelta(days=1)
    assert read(f"{day.isoformat()}T12:30:00.000Z").value == after.isoformat()
