"""Cells that hold a number, and parts of a place."""

import math
from datetime import date

import pytest

from kawe.workbook.cells.readers import read_number, read_place
from kawe.workbook.cells.reading import CellReading

NUMBER = read_number
PLACE = read_place


@pytest.mark.parametrize(
    ("cell", "number"),
    [
        (3.0, 3.0),
        ("3", 3.0),
        (" 2.5 ", 2.5),
        ("-1", -1.0),
        ("−1", -1.0),
        ("1,000", 1000.0),
        ("1 000 000", 1_000_000.0),
        ("1\u00a0000", 1000.0),
    ],
)
def test_a_number_is_read(cell, number):
    assert NUMBER(cell) == CellReading(value=number)


@pytest.mark.parametrize(
    "cell",
    [
        "2,5",
        "1,00",
        "first",
        "12 m",
        "$5",
        "1e5",
        "nan",
        "∞",
        "٣",
        True,
        date(2026, 2, 1),
        math.nan,
        math.inf,
    ],
)
def test_what_is_no_number_or_could_be_two_is_refused(cell):
    reading = NUMBER(cell)

    assert reading.value is None
    assert reading.remarks[0].rule == "number-unreadable"


@pytest.mark.parametrize(
    ("cell", "kept"),
    [
        (-41.2889, -41.2889),
        (" 41°17'20\"S ", "41°17'20\"S"),
        ("174,7", "174,7"),
        ("−41.2889", "−41.2889"),
    ],
)
def test_a_part_of_a_place_is_kept_as_typed(cell, kept):
    assert PLACE(cell) == CellReading(value=kept)


@pytest.mark.parametrize("cell", [date(2026, 2, 1), True])
def test_a_date_is_no_part_of_a_place(cell):
    assert PLACE(cell).remarks[0].rule == "place-unreadable"
