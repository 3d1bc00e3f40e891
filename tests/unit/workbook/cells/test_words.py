"""Cells that hold words, and what words can have lost."""

from dataclasses import replace
from datetime import date

import pytest

from kawe.domain.sheet.columns import CellKind
from kawe.domain.sheet.findings import Severity
from kawe.workbook.cells.readers import ColumnReader, read_list, text_reader
from kawe.workbook.cells.reading import CellReading, ColumnFacts
from kawe_xlsx.limits import CUT_MARK
from unit.workbook.books import column

TEXT = text_reader(column(), ColumnFacts())
PROSE = text_reader(column(CellKind.LONG_TEXT), ColumnFacts())
PHONE = text_reader(column(CellKind.PHONE), ColumnFacts())
POSTCODE = text_reader(column(field="organisation_postcode"), ColumnFacts())
PADDED = text_reader(column(), ColumnFacts(padded_digits=5))
LIST = read_list


def rules(reading: CellReading) -> list[tuple[Severity, str]]:
    return [(remark.severity, remark.rule) for remark in reading.remarks]


@pytest.mark.parametrize(
    ("cell", "text"),
    [
        ("Bridge", "Bridge"),
        ("  Bridge\u00a0 renewal \u200b", "Bridge renewal"),
        ("\ufeffBridge", "Bridge"),
        ("Whanga\u0304rei", "Whangārei"),
        ("Bridge\nrenewal", "Bridge renewal"),
        ("1 Main Road\tWhangārei", "1 Main Road Whangārei"),
        ("O’Brien’s “yard”", "O’Brien’s “yard”"),
        ("=1+1", "=1+1"),
        (12.0, "12"),
        (0.5, "0.5"),
        (True, "TRUE"),
    ],
)
def test_a_text_is_cleaned_and_otherwise_left_alone(cell, text):
    assert TEXT(cell) == CellReading(value=text)


@pytest.mark.parametrize("cell", ["tbc", "TBA ", "n/a", "–", "?", "New", "none"])
def test_a_word_in_place_of_a_reference_is_none_and_it_is_said(cell):
    reader = ColumnReader(replace(column(), differs=True), ColumnFacts())
    reading = reader.read(cell)
    assert (reading.value, reader.is_plain(cell)) == (None, False)
    assert rules(reading) == [(Severity.WARNING, "reference-none")]
    assert [e for e in ("tbc-1", "New road", "N/A 2") if not reader.is_plain(e)] == []


def test_a_word_in_place_of_a_phone_number_is_refused():
    reader = ColumnReader(column(kind=CellKind.PHONE), ColumnFacts())
    assert rules(reader.read("tbc")) == [(Severity.ERROR, "phone-none")]
    assert (reader.is_plain("tbc"), reader.is_plain("021 555 0142")) == (False, True)


def test_prose_keeps_its_line_breaks():
    assert PROSE("one \r\n\r\ntwo") == CellReading(value="one\n\ntwo")


@pytest.mark.parametrize(
    "cell",
    [
        *(
            "M\u00c4\x81ori",
            "MÄori",
            "WhangÄ\u0081rei",
            "TÅ«hoe",
            "NgÄti",
            "KÄ“kerengÅ«",
        ),
        *("CafÃ©", "Oâ€™Brien", "M\ufffdori", "M?ori", "Whang?rei", "Ng?ti Hine"),
        "hap? and K?piti",
    ],
)
def test_lost_letters_are_an_error_and_never_guessed(cell):
    assert lost(TEXT(cell)) == (None, Severity.ERROR, "letters-lost")


def lost(reading):
    """Give the value, and the only remark."""
    ((severity, rule),) = rules(reading)
    return reading.value, severity, rule


@pytest.mark.parametrize(
    ("read", "cell", "value", "rule"),
    [
        # A question mark inside a word of prose, and at the start of any.
        (PROSE, "Near M?ori land.", "Near M?ori land.", "letters-lost"),
        *(
            (read, cell, cell, "letters-lost")
            for read in (TEXT, PROSE)
            for cell in ("?taki", "Bridge (?rewa)", "Near ?TAKI, north", "Ng? Rori")
        ),
        # As much as a cell can hold.
        (PROSE, "x" * 32_767, "x" * 32_767, "text-full"),
        (PHONE, 211234567.0, "211234567", "zero-lost"),
        (POSTCODE, 610.0, "610", "zero-lost"),
        (PADDED, 123.0, "123", "zero-lost"),
        # Excel shortened it.
        (TEXT, "1E+05", "1E+05", "digits-lost"),
        (TEXT, "1.2E+15", "1.2E+15", "digits-lost"),
        (TEXT, 1e21, "1E+21", "digits-lost"),
    ],
)
def test_what_may_have_lost_something_is_read_with_a_warning(
    read, cell, *, value, rule
):
    assert lost(read(cell)) == (value, Severity.WARNING, rule)


def test_a_text_that_kawe_cut_is_not_taken_for_the_whole():
    cut = PROSE("Long story" + CUT_MARK)
    assert lost(cut) == (None, Severity.ERROR, "text-cut")


@pytest.mark.parametrize(
    "cell",
    [
        "Māori",
        "Ängelholm",
        "Ready to go?",
        "Why?because",
        "https://maps.example.nz/?q=here&at=there",
        "Âu Lạc",
        "Why?",
        "Why ? Tara",
        "? Tara",
        "?because",
        "Really...?Taki",
        "Tara ?????",
        "tara (?)",
        "https://maps.example.nz/?tara",
    ],
)
def test_whole_words_are_not_called_garbled(cell):
    assert rules(TEXT(cell)) == []


@pytest.mark.parametrize(
    ("read", "cell"),
    [
        (PHONE, "021 123 4567"),
        (PHONE, 64211234567.0),
        (POSTCODE, 6011.0),
        (PADDED, "00123"),
        (PADDED, 12345.0),
        (TEXT, 123.0),
    ],
)
def test_a_number_that_lost_nothing_is_read_without_a_word(read, cell):
    assert read(cell).remarks == ()


def test_a_date_where_words_should_be_is_a_warning():
    reading = TEXT(date(2026, 3, 12))

    assert reading.value == "2026-03-12"
    assert rules(reading) == [(Severity.WARNING, "date-in-text")]


@pytest.mark.parametrize(
    ("cell", "value"),
    [
        ("Ngāti Toa; Te Āti Awa", ["Ngāti Toa", "Te Āti Awa"]),
        ("Ngāti Toa;\nTe Āti Awa;", ["Ngāti Toa", "Te Āti Awa"]),
        ("• Ngāti Toa\n• Te Āti Awa", ["Ngāti Toa", "Te Āti Awa"]),
        ("a, b", ["a, b"]),
        ("a@b.nz, c@d.nz\ne@f.nz", ["a@b.nz", "c@d.nz", "e@f.nz"]),
        ("map, a@b.pdf; c@d.pdf", ["map, a@b.pdf", "c@d.pdf"]),
        (12.0, ["12"]),
        (" ; ;", None),
    ],
)
def test_a_list_is_parted_at_semicolons_and_line_breaks(cell, value):
    assert LIST(cell) == CellReading(value=value)


def test_what_is_listed_twice_is_taken_once_with_a_note():
    reading = LIST("plan.pdf; map.pdf; plan.pdf")

    assert reading.value == ["plan.pdf", "map.pdf"]
    assert rules(reading) == [(Severity.NOTE, "listed-twice")]


def test_a_list_with_lost_letters_is_not_read():
    assert LIST("Ng?ti Toa; Te Āti Awa").value is None
