"""Cells that hold one email address."""

import pytest

from kawe.workbook.cells.readers import read_email
from kawe.workbook.cells.reading import CellReading

READ = read_email


@pytest.mark.parametrize(
    ("cell", "address"),
    [
        ("mere@council.govt.nz", "mere@council.govt.nz"),
        (" mere@council.govt.nz; ", "mere@council.govt.nz"),
        ("mere@Council.Govt.NZ", "mere@council.govt.nz"),
        ("Mere Tamihana <mere@council.govt.nz>", "mere@council.govt.nz"),
        ("'Mere, T' <mere@council.govt.nz>", "mere@council.govt.nz"),
        ("<mere@council.govt.nz>", "mere@council.govt.nz"),
        ("mailto:mere@council.govt.nz?subject=x", "mere@council.govt.nz"),
        ("mere@ngāti.iwi.nz", "mere@ngāti.iwi.nz"),
    ],
)
def test_an_address_is_unwrapped(cell, address):
    assert READ(cell) == CellReading(value=address)


@pytest.mark.parametrize(
    "cell", ["mere", "mere@", "mere@council", "me re@council.govt.nz", 12.0, "n/a"]
)
def test_what_is_no_address_is_refused_with_the_reason(cell):
    reading = READ(cell)

    assert reading.value is None
    assert reading.remarks[0].rule == "email-unreadable"
    assert reading.remarks[0].advice.startswith("Correct it. ")


@pytest.mark.parametrize(
    "cell", ["a@x.co.nz; b@x.co.nz", "a@x.co.nz, b@x.co.nz", "a@x.co.nz b@x.co.nz"]
)
def test_several_addresses_in_one_cell_are_refused(cell):
    assert READ(cell).remarks[0].rule == "email-several"
