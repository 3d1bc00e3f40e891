"""What a file really is, whatever its name says."""

import io
import zipfile
from pathlib import Path

import pytest

from kawe.errors import WorkbookError
from kawe.workbook.identify import WorkbookFormat, check_package, form_of
from kawe_xlsx.scan.package import Package
from unit.workbook.books import xlsx

OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"


def zipped(part: str) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr(part, b"x")
    return file.getvalue()


@pytest.mark.parametrize(
    ("data", "name", "form"),
    [
        (xlsx(["Name"]), "a.xlsx", WorkbookFormat.XLSX),
        (xlsx(["Name"]), "a.xlsm", WorkbookFormat.XLSX),
        (xlsx(["Name"]), "a.csv", WorkbookFormat.XLSX),
        (b"Name,Type\n", "a.csv", WorkbookFormat.CSV),
        (b"Name\tType\n", "a.TXT", WorkbookFormat.CSV),
        ("Name,Type\n".encode("utf-16"), "a.csv", WorkbookFormat.CSV),
        ("Name,Type\n".encode("utf-16-be"), "a.csv", WorkbookFormat.CSV),
    ],
)
def test_the_bytes_decide_what_a_file_is(data, name, form):
    assert form_of(data, path=Path(name)) is form


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (OLE + "EncryptedPackage".encode("utf-16-le"), "is protected with a password"),
        (OLE + "Workbook".encode("utf-16-le"), "old format of Excel 97–2003 (.xls)"),
        (OLE, "old Office format"),
        (b"%PDF-1.7", "is a PDF"),
        (b"\r\n<!DOCTYPE HTML><html>", "is a web page"),
        (b"<table><tr>", "is a web page"),
        (
            b"<?xml?><W xmlns='urn:schemas-microsoft-com:office:spreadsheet'>",
            "XML Spreadsheet 2003",
        ),
        (b"<?xml version='1.0'?><a/>", "is an XML file"),
        (b"{\\rtf1", "Rich Text"),
        (b"Name,Type\n", "is a text file (CSV) with the name of a workbook"),
        (b"\x00\x01\x02", "is no workbook that kawe knows"),
    ],
)
def test_a_file_that_cannot_be_read_is_named_with_what_to_do(data, said):
    with pytest.raises(WorkbookError) as stopped:
        form_of(data, path=Path("rows.xlsx"))

    assert stopped.value.message.startswith("“rows.xlsx” is ")
    assert said in stopped.value.message
    assert stopped.value.hint


@pytest.mark.parametrize(
    ("part", "said"),
    [
        ("xl/workbook.bin", "binary Excel workbook (.xlsb)"),
        ("word/document.xml", "Word document"),
        ("content.xml", "OpenDocument"),
        ("Index/Document.iwa", "Apple Numbers"),
        ("readme.txt", "zip archive"),
    ],
)
def test_a_zip_that_is_no_workbook_is_named(part, said):
    with pytest.raises(WorkbookError) as stopped:
        check_package(Package(zipped(part), name="rows.xlsx"))

    assert said in stopped.value.message
