"""Cells through whole files: what is written is what is read, and both scans agree."""

import csv
import io
from contextlib import suppress
from datetime import date
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from doubles.reports import batch_report, standing
from kawe.domain.batch.outcomes import Outcome
from kawe.domain.sheet.findings import RowRef
from kawe.domain.sheet.tables import Table
from kawe.kinds.projects import PROJECTS
from kawe.workbook.reading.books import CsvBook, XlsxBook
from kawe.workbook.reading.choosing import Chooser
from kawe.workbook.reading.headings import Recogniser
from kawe.workbook.reading.rows import OpenSheet
from kawe.workbook.results.result import write_result
from kawe_xlsx.scan.scanning import OddShape, scan_bytes
from kawe_xlsx.scan.tally import SheetScan
from kawe_xlsx.scan.xml_scan import tally_of
from kawe_xlsx.writing.text import safe_text
from unit.workbook.books import COLUMNS

RECOGNISER = Recogniser(COLUMNS)
HEADINGS = ("Name", "Type", "Notes")

ADDRESSES = st.builds(
    "{}{}".format,
    st.sampled_from(["A", "B", "Z", "AA", "GR", "a", "XFD"]),
    st.integers(min_value=1, max_value=6),
)
CELL_XML = st.builds(
    "<c{} {}{}>{}</c>".format,
    st.sampled_from(["", " "]),
    st.builds('r="{}"'.format, ADDRESSES),
    st.sampled_from(["", ' t="s"', ' t="e"', ' t="str"', ' s="3"']),
    st.sampled_from(
        [
            "<v>1</v>",
            "<v>46054.99999999</v>",
            "<v></v>",
            "<v/>",
            "<f>A1</f>",
            "<f>A1</f><v>2</v>",
            "<f>A1</f><v/>",
            '<f t="shared" si="0"/><v>3</v>',
            "<is><t>a &gt; b</t></is>",
            "",
        ]
    ),
) | st.builds("<c r=\"{}\" s='1'/>".format, ADDRESSES)
ROW_XML = st.builds(
    "<row{}{}>{}</row>".format,
    st.builds(' r="{}"'.format, st.integers(min_value=1, max_value=6)) | st.just(""),
    st.sampled_from(["", ' hidden="1"', ' hidden="0"', ' ht="20"']),
    st.lists(CELL_XML, max_size=4).map("".join),
)
SHEET_XML = st.builds(
    "<worksheet>{}<sheetData>{}</sheetData>{}</worksheet>".format,
    st.sampled_from(["", '<cols><col min="2" max="3" hidden="1"/></cols>']),
    st.lists(ROW_XML, max_size=5).map("".join),
    st.sampled_from(
        ["", '<mergeCells><mergeCell ref="A1:B2"/></mergeCells>', "<!-- -->"]
    ),
).map(str.encode)


@given(text=SHEET_XML, size=st.integers(min_value=1, max_value=500))
def test_the_quick_scan_sees_what_the_parser_sees_or_leaves_it_to_it(text, size):
    pieces = [text[at : at + size] for at in range(0, len(text), size)]

    exact = tally_of(pieces, SheetScan(), name="a.xlsx")

    with suppress(OddShape):
        quick = scan_bytes(pieces, SheetScan())
        # An empty cell with an end tag counts for the quick scan alone.
        assert quick.last_row >= exact.last_row
        assert quick.last_column >= exact.last_column
        quick.last_row, quick.last_column = exact.last_row, exact.last_column
        assert quick.hidden_rows >= exact.hidden_rows
        quick.hidden_rows = exact.hidden_rows
        assert quick == exact


@given(
    rows=st.lists(
        st.tuples(*[st.text(alphabet="aā,;\t\"'\n=é ", max_size=8)] * 3), max_size=6
    ),
    delimiter=st.sampled_from(",;\t"),
    encoding=st.sampled_from(["utf-8", "utf-8-sig", "utf-16"]),
)
def test_csv_is_read_as_it_was_written(rows, delimiter, encoding):
    text = io.StringIO(newline="")
    csv.writer(text, delimiter=delimiter).writerows([HEADINGS, *rows])
    data = text.getvalue().encode(encoding)

    grid = CsvBook(data, path=Path("a.csv"), recogniser=RECOGNISER).grid("a")

    expected = [
        (number, tuple(cell or None for cell in row))
        for number, row in enumerate([HEADINGS, *rows], start=1)
        if any(row)
    ]
    assert grid.rows == expected


@settings(max_examples=25)
@given(
    raw=st.tuples(
        st.text(min_size=1, max_size=30),
        st.floats(allow_nan=False, allow_infinity=False) | st.booleans(),
        st.dates(min_value=date(1900, 3, 1)) | st.none(),
    )
)
def test_a_result_is_read_back_as_it_was_given(raw):
    where = RowRef(sheet="Projects", row=7)
    held = standing(7, Outcome.HELD, raw=raw, what_to_do="Look.")
    report = batch_report(held, workbook="a.xlsx", headings=HEADINGS)

    files = [io.BytesIO() for _ in range(3)]
    write_result(report, files)
    book = XlsxBook(files[0].getvalue(), name="a.xlsx")
    chooser = Chooser(book, recogniser=RECOGNISER, include_hidden=False)
    chosen = chooser.choose(kind=PROJECTS, sheet=None)
    headings = chosen.headings.headings
    head = Table(kind=PROJECTS, sheet="", heading_row=0, headings=headings, rows=())

    assert [heading.text for heading in headings] == list(HEADINGS)
    (row,) = OpenSheet(body=chosen, head=head).table().rows
    assert row.ref == where
    assert row.raw == (safe_text(raw[0]).replace("_x005F_", "_") or None, *raw[1:])
