"""Finds the media type of a file from its content.

The ending only distinguishes equal content: text and CSV, archives, old Office files.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Callable, Iterator
from pathlib import PurePath
from typing import BinaryIO, Final

UNKNOWN: Final = "application/octet-stream"
TEXT: Final = "text/plain"
ZIP: Final = "application/zip"

_OFFICE: Final = "application/vnd.openxmlformats-officedocument"
# The first bytes of each kind; the first match counts.
_MAGIC: Final[tuple[tuple[bytes, str], ...]] = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
    (b"II*\x00", "image/tiff"),
    (b"MM\x00*", "image/tiff"),
    (b"II+\x00", "image/tiff"),
    (b"MM\x00+", "image/tiff"),
    (b"{\\rtf", "application/rtf"),
)
_PDF_WITHIN: Final = 1024  # ISO 32000 readers look this far for the header.
_IN_ZIP: Final[tuple[tuple[str, str], ...]] = (
    (r"word/document\.xml", f"{_OFFICE}.wordprocessingml.document"),
    (r"xl/workbook\.xml", f"{_OFFICE}.spreadsheetml.sheet"),
    (r"ppt/presentation\.xml", f"{_OFFICE}.presentationml.presentation"),
    (r"[^/]+\.kml", "application/vnd.google-earth.kmz"),
)
_OLE: Final = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_OLE_BY_ENDING: Final = {
    ".doc": "application/msword",
    ".xls": "application/vnd.ms-excel",
    ".ppt": "application/vnd.ms-powerpoint",
    ".msg": "application/vnd.ms-outlook",
}
_GEOJSON: Final = re.compile(
    rb'"type"\s*:\s*"(?:Feature|FeatureCollection|GeometryCollection|Point|MultiPoint'
    rb'|LineString|MultiLineString|Polygon|MultiPolygon)"'
)
_KML: Final = re.compile(rb"<(?:[A-Za-z]+:)?kml[\s>]")
_TEXT_BY_ENDING: Final = {
    ".csv": "text/csv",
    ".json": "application/json",
    ".geojson": "application/geo+json",
    ".kml": "application/vnd.google-earth.kml+xml",
}
# Endings whose content is always recognised; text under such a name is damage.
_PLEDGED: Final = frozenset(
    {".pdf", ".png", ".jpg", ".jpeg", ".gif", ".tif", ".tiff", ".docx", ".xlsx"}
    | {".pptx", ".zip", ".kmz"}
)

_HEAD_BYTES: Final = 64 * 1024
_DIRECTORY_MAX_BYTES: Final = 4 * 1024 * 1024


def content_type(file: BinaryIO, *, name: str, size_bytes: int) -> str:
    """Give the media type of an open `file`; its position changes."""
    file.seek(0)
    head = file.read(_HEAD_BYTES)
    ending = PurePath(name).suffix.casefold()
    for magic, kind in _MAGIC:
        if head.startswith(magic):
            return kind
    if b"%PDF-" in head[:_PDF_WITHIN]:
        return "application/pdf"
    if head.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return _in_zip(file, size_bytes)
    if head.startswith(_OLE):
        return _OLE_BY_ENDING.get(ending, UNKNOWN)
    return _photo(head) or _written(head, ending)


def is_not_as_named(kind: str, *, name: str) -> bool:
    """Check that the content contradicts the ending."""
    ending = PurePath(name).suffix.casefold()
    return ending in _PLEDGED and (kind == UNKNOWN or kind.startswith("text/"))


def _photo(head: bytes) -> str | None:
    if head[:4] == b"RIFF" and head[8:12] == b"WEBP":
        return "image/webp"
    if head[4:12] in {b"ftypheic", b"ftypheix", b"ftypmif1"}:
        return "image/heic"
    return None


def _written(head: bytes, ending: str) -> str:
    """Distinguish text, bytes and kinds of text."""
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        return _TEXT_BY_ENDING.get(ending, TEXT)
    if any(byte < 0x20 and byte not in b"\t\n\r\x0c\x1a" for byte in head):
        return UNKNOWN
    start = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    by_look: tuple[tuple[Callable[[bytes], object], str], ...] = (
        (lambda b: b[:1] == b"{" and _GEOJSON.search(b), "application/geo+json"),
        (lambda b: b[:1] == b"<" and _KML.search(b), _TEXT_BY_ENDING[".kml"]),
    )
    for looks, kind in by_look:
        if looks(start):
            return kind
    if ending == ".kml" or (ending in {".json", ".geojson"} and start[:1] not in b"{["):
        return TEXT
    return _TEXT_BY_ENDING.get(ending, TEXT)


def _in_zip(file: BinaryIO, size_bytes: int) -> str:
    names = list(_names_in(file, size_bytes))
    for pattern, kind in _IN_ZIP:
        if any(re.fullmatch(pattern, name) for name in names):
            return kind
    return ZIP


def _names_in(file: BinaryIO, size_bytes: int) -> Iterator[str]:
    """List the names in a zip's directory, as far as it can be read in 4 MiB."""
    file.seek(max(0, size_bytes - 65_557))
    tail = file.read()
    end = tail.rfind(b"PK\x05\x06")
    if end < 0 or len(tail) - end < 22:
        return
    length, start = struct.unpack_from("<II", tail, end + 12)
    file.seek(start)
    directory = file.read(min(length, _DIRECTORY_MAX_BYTES))
    at = 0
    while directory[at : at + 4] == b"PK\x01\x02" and at + 46 <= len(directory):
        name, extra, comment = struct.unpack_from("<HHH", directory, at + 28)
        yield directory[at + 46 : at + 46 + name].decode("utf-8", "replace")
        at += 46 + name + extra + comment
