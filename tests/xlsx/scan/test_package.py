"""The zip that an .xlsx is, opened so that nothing in it has to be believed."""

import io
import struct
import zipfile

import pytest

from kawe_xlsx.cells import BookError
from kawe_xlsx.scan.package import Package
from unit.workbook.books import SHEET, patched, xlsx

DATA = xlsx(["Name"], ["Bridge"])


def test_a_part_is_unpacked_whole():
    package = Package(DATA, name="a.xlsx")

    with zipfile.ZipFile(io.BytesIO(DATA)) as archive:
        assert b"".join(package.stream(SHEET)) == archive.read(SHEET)


def test_a_file_with_its_end_cut_off_is_called_damaged():
    with pytest.raises(BookError, match=r"“a\.xlsx” is damaged"):
        Package(DATA[: len(DATA) // 2], name="a.xlsx")


def test_a_part_that_is_larger_than_it_claims_is_refused():
    data = bytearray(DATA)
    with zipfile.ZipFile(io.BytesIO(DATA)) as archive:
        info = archive.getinfo(SHEET)
    entry = data.index(b"PK\x01\x02", archive.start_dir)
    while not data[entry + 46 :].startswith(SHEET.encode()):
        entry = data.index(b"PK\x01\x02", entry + 1)
    data[entry + 24 : entry + 28] = struct.pack("<L", info.file_size - 1)
    package = Package(bytes(data), name="a.xlsx")

    with pytest.raises(BookError, match="damaged"):
        list(package.stream(SHEET))


def test_a_part_with_other_bytes_than_promised_is_refused():
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr("xl/workbook.xml", b"<workbook/>")
    data = file.getvalue().replace(b"<workbook/>", b"<workbooK/>", 1)

    with pytest.raises(BookError, match="damaged"):
        Package(data, name="a.xlsx").verify("xl/workbook.xml")


def test_a_part_that_unpacks_to_far_more_than_its_size_is_refused():
    data = patched(DATA, SHEET, lambda text: text + b" " * 3_000_000)

    with pytest.raises(BookError, match="larger inside than kawe opens"):
        Package(data, name="a.xlsx")


def test_a_file_with_very_many_parts_is_refused():
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for number in range(2_001):
            archive.writestr(f"{number}", b"")

    with pytest.raises(BookError, match="more than 2,000 parts"):
        Package(file.getvalue(), name="a.xlsx")


def test_two_parts_of_one_name_are_refused():
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("xl/workbook.xml", b"<a/>")
        archive.writestr("xl/Workbook.xml", b"<b/>")

    with pytest.raises(BookError, match="damaged"):
        Package(file.getvalue(), name="a.xlsx")


@pytest.mark.parametrize(
    "prolog",
    [
        b"<!DOCTYPE worksheet>",
        b'<?xml version="1.0"?>\n<!DOCTYPE w [<!ENTITY a "b">]>',
        b"\xef\xbb\xbf<!-- harmless --> <!DOCTYPE w>",
    ],
)
def test_a_document_type_is_refused(prolog):
    data = patched(DATA, SHEET, lambda text: prolog + text)

    with pytest.raises(BookError, match="document type definition"):
        Package(data, name="a.xlsx").verify(SHEET)


@pytest.mark.parametrize("text", [b"", b"junk", "<a/>".encode("utf-16")])
def test_a_part_that_is_no_plain_xml_is_refused(text):
    data = patched(DATA, SHEET, lambda _: text)

    with pytest.raises(BookError, match="damaged"):
        Package(data, name="a.xlsx").verify(SHEET)


def test_a_name_from_outside_is_safe_to_show():
    with pytest.raises(BookError) as stopped:
        Package(b"PK\x03\x04", name="a\x1b[31m\u202e.xlsx")

    assert stopped.value.message.startswith("“a[31m.xlsx” is damaged")
