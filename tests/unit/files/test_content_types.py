import io
import zipfile

import pytest

from kawe.files.attachments import content_type, is_not_as_named

OFFICE = "application/vnd.openxmlformats-officedocument"
DOCX = f"{OFFICE}.wordprocessingml.document"
XLSX = f"{OFFICE}.spreadsheetml.sheet"
PPTX = f"{OFFICE}.presentationml.presentation"
KML = "application/vnd.google-earth.kml+xml"
GEOJSON = b'{"type": "FeatureCollection", "features": []}'


def kind_of(content: bytes, name: str) -> str:
    return content_type(io.BytesIO(content), name=name, size_bytes=len(content))


def zipped(*names: str, padding: int = 0) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name in names:
            archive.writestr(name, b"x" * padding)
    return out.getvalue()


@pytest.mark.parametrize(
    ("content", "name", "kind"),
    [
        (b"%PDF-1.7\n...", "plan.pdf", "application/pdf"),
        (b"\xef\xbb\xbf\n%PDF-1.4", "scan", "application/pdf"),
        (b"\x89PNG\r\n\x1a\n\x00", "photo.jpg", "image/png"),
        (b"\xff\xd8\xff\xe0\x00", "photo.jpg", "image/jpeg"),
        (b"GIF89a\x01", "x.gif", "image/gif"),
        (b"II*\x00\x08", "scan.tif", "image/tiff"),
        (b"MM\x00*\x08", "scan.tif", "image/tiff"),
        (b"RIFF\x00\x00\x00\x00WEBPVP8 ", "x.webp", "image/webp"),
        (b"\x00\x00\x00\x18ftypheic\x00", "IMG_1.HEIC", "image/heic"),
        (b"{\\rtf1\\ansi", "letter.rtf", "application/rtf"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "old.doc", "application/msword"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "old.xyz", "application/octet-stream"),
        (zipped("[Content_Types].xml", "word/document.xml"), "a.docx", DOCX),
        (zipped("xl/workbook.xml"), "renamed.zip", XLSX),
        (zipped("ppt/presentation.xml"), "a.pptx", PPTX),
        (zipped("doc.kml"), "a.kmz", "application/vnd.google-earth.kmz"),
        (zipped("roads.shp", "roads.dbf", "roads.shx"), "roads.zip", "application/zip"),
        (zipped("a.pdf"), "all.zip", "application/zip"),
        (zipped(), "empty.zip", "application/zip"),
        (zipped("xl/workbook.xml", padding=200_000), "a.xlsx", XLSX),
        (GEOJSON, "site.json", "application/geo+json"),
        (b'{"a": 1}', "a.json", "application/json"),
        (b"not json", "a.json", "text/plain"),
        (b"<?xml version='1.0'?><kml xmlns='x'>", "site.kml", KML),
        (b"<kml>", "site.txt", KML),
        (b"<html>", "site.kml", "text/plain"),
        ("Tēnā koe\n".encode(), "letter.txt", "text/plain"),
        ("Tēnā koe\n".encode("cp1252", "replace"), "letter.txt", "text/plain"),
        ("Tēnā koe\n".encode("utf-16"), "letter.csv", "text/csv"),
        (b"\xef\xbb\xbfa;b\r\n1;2\r\n", "a.csv", "text/csv"),
        (b"<html><script>", "page.html", "text/plain"),
        (b"\x00\x01\x02\x03", "a.bin", "application/octet-stream"),
        (b"MZ\x90\x00\x03", "setup.pdf", "application/octet-stream"),
        (b"AC1032\x00\x00", "drawing.dwg", "application/octet-stream"),
    ],
)
def test_what_a_file_holds_decides_its_type(content, name, kind):
    assert kind_of(content, name) == kind


@pytest.mark.parametrize("cut", range(1, 140, 3))
def test_a_damaged_archive_is_still_an_archive(cut):
    whole = zipped("word/document.xml")

    kind = kind_of(whole[: max(4, len(whole) - cut)], "a.docx")

    assert kind in {"application/zip", DOCX}


def test_an_archive_that_lies_about_its_directory_is_an_archive():
    end = bytearray(zipped("word/document.xml"))
    at = end.rfind(b"PK\x05\x06")
    end[at + 12 : at + 20] = b"\xff" * 8

    assert kind_of(bytes(end), "a.docx") == "application/zip"


@pytest.mark.parametrize(
    ("kind", "name", "is_wrong"),
    [
        ("text/plain", "plan.pdf", True),
        ("application/octet-stream", "photo.jpg", True),
        ("image/png", "photo.jpg", False),
        ("application/pdf", "plan.pdf", False),
        ("application/octet-stream", "drawing.dwg", False),
        ("text/plain", "notes.txt", False),
    ],
)
def test_a_file_that_cannot_be_what_it_is_called_is_noticed(kind, name, is_wrong):
    assert is_not_as_named(kind, name=name) is is_wrong
