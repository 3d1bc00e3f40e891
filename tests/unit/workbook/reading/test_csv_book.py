"""CSV files in the encodings and with the delimiters that Excel writes."""

from pathlib import Path

import pytest

from kawe.errors import WorkbookError
from kawe.workbook.reading.books import CsvBook
from kawe.workbook.reading.headings import Grid, Recogniser
from unit.workbook.books import COLUMNS

RECOGNISER = Recogniser(COLUMNS)
TEXT = "Name,Type\nPā road,Other\n"
ROWS = [(1, ("Name", "Type")), (2, ("Pā road", "Other"))]


def read(data: bytes) -> Grid:
    book = CsvBook(data, path=Path("Projects.csv"), recogniser=RECOGNISER)
    return book.grid("Projects")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le"])
def test_unicode_is_read_in_every_dress_that_excel_gives_it(encoding):
    mark = "\ufeff" * encoding.startswith("utf-8")
    grid = read(TEXT.replace("\n", f"\n{mark}", 1).encode(encoding))

    assert grid.rows == ROWS
    assert grid.findings == ()


def test_windows_text_is_read_and_the_cells_concerned_are_known():
    grid = read("Name,Type\nCafé,Other\nRoad,Other\n".encode("cp1252"))

    assert grid.rows[1] == (2, ("Café", "Other"))
    assert grid.uncertain == {(2, 1)}


def test_a_file_that_is_not_what_it_says_is_refused():
    with pytest.raises(WorkbookError, match="not the utf-8-sig it says"):
        read(b"\xef\xbb\xbfName,Type\nCaf\xe9,Other\n")


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_the_delimiter_is_the_one_that_makes_headings_appear(delimiter):
    text = f'Name{delimiter}Type\n"a,b;c\td"{delimiter}Other\n'

    assert read(text.encode()).rows == [
        (1, ("Name", "Type")),
        (2, ("a,b;c\td", "Other")),
    ]


def test_a_line_that_says_the_delimiter_is_no_row():
    assert read(b"sep=|\r\nName|Type\r\na|Other\r\n").rows == [
        (1, ("Name", "Type")),
        (2, ("a", "Other")),
    ]


def test_rows_are_numbered_as_excel_numbers_them():
    text = 'Name,Type\n\n"two\nlines",Other\n,\nb,Other\n'

    assert [number for number, _ in read(text.encode()).rows] == [1, 3, 5]


def test_an_open_quotation_mark_stops_instead_of_swallowing_rows():
    with pytest.raises(WorkbookError, match="quotation mark"):
        read(b'Name,Type\n"a,Other\nb,Other\n')


def test_too_many_columns_are_an_error():
    with pytest.raises(WorkbookError, match="more than 200,000 rows or 200 columns"):
        read(("Name,Type" + ",x" * 200).encode())
