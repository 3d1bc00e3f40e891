"""What a sheet's XML holds that its values do not tell."""

import pytest
from openpyxl import Workbook

from kawe_xlsx.cells import BookError
from kawe_xlsx.scan.package import Package, read_manifest
from kawe_xlsx.scan.scanning import OddShape, is_surely_small, scan_bytes, scan_sheet
from kawe_xlsx.scan.tally import Area, SheetScan
from kawe_xlsx.scan.xml_scan import tally_of
from unit.workbook.books import SHEET, book, patched, with_part, xlsx

ROWS = (["Name", "Type"], ["Bridge", "Other"])


def whole(data: bytes) -> bytes:
    return b"".join(Package(data, name="a.xlsx").stream(SHEET))


def both(data: bytes) -> SheetScan:
    """Scan in both ways, which must agree."""
    text = whole(data)
    quick = scan_bytes([text], SheetScan())
    assert quick == tally_of([text], SheetScan(), name="a.xlsx")
    return quick


def changed(old: bytes, new: bytes) -> bytes:
    return patched(xlsx(*ROWS), SHEET, lambda text: text.replace(old, new))


def scanned(data: bytes):
    package = Package(data, name="a.xlsx")
    return scan_sheet(package, read_manifest(package).sheets[0])


def hidden(made: Workbook) -> None:
    sheet = made.worksheets[0]
    sheet.row_dimensions[2].hidden = True
    sheet.column_dimensions["B"].hidden = True
    sheet.merge_cells("A2:B2")


def odd_cells(made: Workbook) -> None:
    sheet = made.worksheets[0]
    sheet["C2"] = "#REF!"
    sheet["D2"] = "=A2"
    sheet["E2"] = 46054.99999999


def formatted(made: Workbook) -> None:
    made.worksheets[0]["Z900"].number_format = "0.00"


def test_both_scans_see_hidden_rows_and_columns_and_merges():
    tally = both(book({"Projects": ROWS}, change=hidden))

    assert tally.hidden_rows == {2}
    assert tally.hidden_columns == [(2, 2)]
    assert tally.merges == {
        Area(first_row=2, first_column=1, last_row=2, last_column=2)
    }


def test_both_scans_see_errors_formulas_and_late_times():
    tally = both(book({"Projects": ROWS}, change=odd_cells))

    assert tally.errors == {(2, 3): "#REF!"}
    assert tally.uncalculated == {(2, 4)}
    assert tally.before_midnight == {(2, 5)}


@pytest.mark.parametrize(
    ("cell", "uncalculated"),
    [
        (b'<c r="C2"><f>A1</f><v>7</v></c>', False),
        (b'<c r="C2" t="str"><f>A1</f><v></v></c>', False),
        (b'<c r="C2"><f t="shared" si="0"/><v>7</v></c>', False),
        (b'<c r="C2"><f>A1</f></c>', True),
        (b'<c r="C2"><f>A1</f><v/></c>', True),
        (b'<c r="C2"><f t="shared" si="0"/></c>', True),
    ],
)
def test_a_formula_counts_as_calculated_when_it_has_a_value(cell, uncalculated):
    tally = both(changed(b"</row></sheet", cell + b"</row></sheet"))

    assert (2, 3) in (tally.uncalculated if uncalculated else {tally.formulas[3]})
    assert bool(tally.uncalculated) is uncalculated


def test_formatted_empty_cells_do_not_count():
    tally = both(book({"Projects": ROWS}, change=formatted))

    assert (tally.last_row, tally.last_column) == (2, 2)


def test_pieces_may_part_the_xml_anywhere():
    text = whole(book({"Projects": [*ROWS] * 20}, change=hidden))
    expected = scan_bytes([text], SheetScan())

    for size in (1, 7, 100):
        pieces = [text[at : at + size] for at in range(0, len(text), size)]
        assert scan_bytes(pieces, SheetScan()) == expected


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"<sheetData>", b"<sheetData><!-- a -->"),
        (b'r="A2"', b"r='A2'"),
        (b'r="A2"', b"r=\"A2\" t='s'"),
        (b'r="A2"', b"r=\"A2\" s='1'"),
        (b'r="A2"', b'r="a2"'),
        (b'r="A2"', b'r="A7"'),
        (b'<c r="A2"', b'<c  r="A2"'),
        (b'<row r="2">', b"<row>"),
        (b"</sheetData>", b""),
        (b"<c ", b"<x:c "),
    ],
)
def test_a_sheet_in_another_shape_is_left_to_the_parser(old, new):
    text = whole(xlsx(*ROWS))
    assert old in text

    with pytest.raises(OddShape):
        scan_bytes([text.replace(old, new)], SheetScan())


def test_the_parser_reads_prefixes_and_cells_without_addresses():
    text = (
        b'<x:worksheet xmlns:x="m"><x:sheetData><x:row><x:c><x:v>1</x:v></x:c>'
        b'<x:c t="e"><x:v>#N/A</x:v></x:c></x:row><x:row hidden="true"><x:c>'
        b"<x:v>1</x:v></x:c></x:row></x:sheetData></x:worksheet>"
    )

    tally = tally_of([text], SheetScan(), name="a.xlsx")

    assert (tally.last_row, tally.last_column) == (2, 2)
    assert tally.errors == {(1, 2): "#N/A"}
    assert tally.hidden_rows == {2}


@pytest.mark.parametrize("far", ["XFD1048576", "XFD1", "A1048576", "GR199999"])
def test_a_stray_cell_in_a_far_corner_is_left_out_and_named(far):
    def stray(made: Workbook) -> None:
        made.worksheets[0][far] = "x"

    found = scanned(book({"Projects": ROWS}, change=stray))

    assert found.strays == (far,)
    assert (found.tally.last_row, found.tally.last_column) == (2, 2)
    assert f'r="{far}"'.encode() not in whole(found.data)
    assert whole(found.data).count(b"</c>") == 4


def test_a_sheet_that_is_too_wide_is_an_error_and_never_cut():
    with pytest.raises(BookError, match="column 201; kawe reads up to"):
        scanned(xlsx(["x"] * 201, ["x"] * 201))


def test_one_long_text_used_a_million_times_is_refused():
    shared = b"<sst><si><t>" + b"x" * 900_000 + b"</t></si></sst>"
    cells = b"".join(
        b'<row r="%d"><c r="A%d" t="s"><v>0</v></c></row>' % (row, row)
        for row in range(3, 1003)
    )
    data = changed(b"</sheetData>", cells + b"</sheetData>")
    data = with_part(data, "xl/SharedStrings.xml", shared)

    with pytest.raises(BookError, match="more than 256 MB of text"):
        scanned(data)


@pytest.mark.parametrize(
    ("there", "spoiled"),
    [
        (b'r="A1"', b'r="A99999999999999999999"'),
        (b'r="B2"', b'r="AAAAAAAAAAAA1"'),
        (b'<row r="2"', b'<row r="99999999999999999999"'),
    ],
)
def test_an_address_that_no_cell_can_have_is_damage(there, spoiled):
    with pytest.raises(BookError, match="is damaged"):
        scanned(changed(there, spoiled))


def test_two_hundred_thousand_rows_fit_below_their_headings():
    cell = b'<row r="200001"><c r="A200001"><v>1</v></c></row></sheetData>'
    data = changed(b"</sheetData>", cell)

    assert (scanned(data).tally.last_row, scanned(data).stray_count) == (200_001, 0)


@pytest.mark.parametrize(
    ("cell", "is_small"),
    [
        ('<c r="AM200019"><v>1</v></c>', True),
        ('<c r="AM200020"><v>1</v></c>', False),
        ('<c r="AN1"><v>1</v></c>', False),
        ('<c r="XFD1048576"><v>1</v></c>', False),
        ('<c s="1" r="A1"><v>1</v></c>', False),
        ("<c r='A1'><v>1</v></c>", False),
        ('<x:c r="A1"><v>1</v></x:c>', False),
        ("<c r=\"A1\" t='s'><v>0</v></c>", False),
    ],
)
def test_a_sheet_is_small_only_if_every_cell_is_seen_to_be_near(cell, is_small):
    more = cell.encode() + b"</row>"
    data = patched(xlsx(*ROWS), SHEET, lambda text: text.replace(b"</row>", more, 1))
    package = Package(data, name="a.xlsx")

    assert is_surely_small(package, read_manifest(package).sheets[0]) is is_small
