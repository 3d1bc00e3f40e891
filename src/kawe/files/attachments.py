"""Finds the files that rows name; measures, hashes and identifies them.

The upload must send this size and hash, so a later change is noticed. An error is a
finding on the cell that names the file. The content tells the media type; the ending
only distinguishes equal content: text and CSV, archives, old Office files.
"""

import hashlib
import os
import re
import stat
import struct
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from io import BufferedReader
from pathlib import Path, PurePath
from typing import BinaryIO, Final, TypeAlias

from kawe.domain.sheet.content import Attachment
from kawe.domain.sheet.findings import FILE_MISSING, CellRef, Finding, Remark, Severity
from kawe.domain.text.texts import BETWEEN_FILES, one_line, parts_of
from kawe.files import folders
from kawe.files.saving import open_plainly, safe_name
from kawe.files.troubles import (
    MOST_FILES,
    MOST_UNASKED,
    ambiguous,
    gathered,
    listed,
    shown_name,
    too_large,
    trouble,
    unlisted,
    wide,
)
from kawe.ports import Suggester
from kawe_contract.limits import UPLOAD_MAX_BYTES

_SEVERAL: Final = 2
"""So many files are said to lie together."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Found:
    """One file that can be sent, and its remarks."""

    attachment: Attachment
    trouble: Remark | None = None


_Result: TypeAlias = _Found | Remark


class FolderAttachments:
    """An Attachments over one folder.

    A pattern never matches `excluding`, such as the workbook, which would show all rows
    to every iwi, or other tables. A file that looks like a key is never attached. A
    pattern for many files needs a person's agreement. `bring` fetches a file that lies
    elsewhere, or raises OSError.
    """

    def __init__(
        self,
        root: Path,
        *,
        suggester: Suggester,
        excluding: Collection[Path] = (),
        accepts_patterns: bool = False,
        bring: Callable[[Path], None] | None = None,
    ) -> None:
        self._bring = bring
        self._folders = folders.Folders(root, suggester=suggester)
        self._accepts_patterns = accepts_patterns
        self._excluded = frozenset(os.path.realpath(path) for path in excluding)
        self._known: dict[tuple[Path, int, int], _Result] = {}
        self._missed: dict[folders.Wanted, None] = {}
        self._met: set[Path] = set()

    def find(
        self, names: Sequence[str], *, where: CellRef, heading: str
    ) -> tuple[tuple[Attachment, ...], tuple[Finding, ...]]:
        """Find, measure and hash the files of one cell, each once."""
        attachments: dict[Path, Attachment] = {}
        findings: dict[Finding, None] = {}
        for name in names:
            for result in self._find_one(name):
                wrong = result.trouble if isinstance(result, _Found) else result
                if isinstance(result, _Found):
                    attachments.setdefault(result.attachment.path, result.attachment)
                if wrong is not None:
                    value = one_line(name, limit=1_000)
                    findings[wrong.at(where, heading=heading, value=value)] = None
        return tuple(attachments.values()), tuple(findings)

    def lie_together(self) -> tuple[str, str] | None:
        """Say of all missing files in which one folder they lie; None: in none."""
        if len(self._missed) < _SEVERAL:
            return None
        if (folder := self._folders.one_with([*self._missed])) is None:
            return None
        shown = folder.relative_to(self._folders.root).as_posix()
        is_whole = all(path.is_relative_to(folder) for path in self._met)
        return gathered(len(self._missed), shown, folder=folder if is_whole else None)

    def _find_one(self, name: str) -> Iterable[_Result]:
        wanted = folders.read_name(name)
        if isinstance(wanted, Remark):
            return [wanted]
        try:
            paths = self._folders.find(wanted)
        except folders.TooManyFiles:
            return [trouble("file-too-many", name)]
        if wanted.is_pattern:
            paths = tuple(path for path in paths if self._is_meant(path))
        self._met.update(paths)
        if not paths:
            listed = self._listed(name)
            if not listed:
                self._missed[wanted] = None
            return listed or [self._missing(wanted, name)]
        if wanted.is_pattern:
            return self._many(wanted, name, paths)
        if len(paths) > 1:
            return [ambiguous(name, paths)]
        return [self._examine(paths[0])]

    def _many(
        self, wanted: folders.Wanted, name: str, paths: Sequence[Path]
    ) -> Iterable[_Result]:
        if len(paths) > MOST_FILES:
            return [trouble("file-too-many", name)]
        if folders.ANY_DEPTH not in wanted.parts and len(paths) <= MOST_UNASKED:
            return map(self._examine, paths)
        shown = [path.relative_to(self._folders.root).as_posix() for path in paths]
        told = wide(name, shown, accepted=self._accepts_patterns)
        return [told, *(map(self._examine, paths) if self._accepts_patterns else ())]

    def _is_meant(self, path: Path) -> bool:
        real = Path(os.path.realpath(path))
        return (
            not path.is_dir()
            and str(real) not in self._excluded
            and folders.a_pattern_may_mean(path.name)
            and folders.a_pattern_may_mean(real.name)
        )

    def _examine(self, path: Path) -> _Result:
        try:
            real = path.resolve(strict=True)
            mode = real.stat().st_mode
        except (OSError, RuntimeError):
            return trouble("file-unreadable", path.name)
        if not self._folders.is_inside(real):
            return trouble("file-outside", path.name)
        # A link may have another name than its target.
        if folders.is_secret(path.name) or self._folders.is_kept_back(real):
            return trouble("file-secret", path.name)
        # To open a pipe or device can have an effect.
        if not stat.S_ISREG(mode):
            what = "file-is-folder" if stat.S_ISDIR(mode) else "file-not-a-file"
            return trouble(what, path.name)
        try:
            if self._bring is not None:
                self._bring(real)
            with open_plainly(real, most_bytes=sys.maxsize) as file:
                status = os.fstat(file.fileno())
                key = (path, status.st_mtime_ns, status.st_size)
                if key not in self._known:
                    self._known[key] = _read(file, path=real, name=path.name)
                return self._known[key]
        except OSError:
            return trouble("file-unreadable", path.name)

    def _listed(self, name: str) -> list[_Result]:
        """Find the files of a list without ;, if each is there."""
        parts = self._parts(name)
        if len(parts) < 2 or not all(is_known for _, is_known in parts):
            return []
        return [
            listed([part for part, _ in parts]),
            *(result for part, _ in parts for result in self._find_one(part)),
        ]

    def _is_there(self, name: str) -> bool:
        wanted = folders.read_name(name)
        try:
            return isinstance(wanted, folders.Wanted) and any(
                path.is_file() for path in self._folders.find(wanted)
            )
        except folders.TooManyFiles:
            return False

    def _missing(self, wanted: folders.Wanted, name: str) -> Remark:
        if wanted.away:
            return wanted.away
        shown, root = shown_name(name), one_line(str(self._folders.root), limit=120)
        if wanted.is_pattern:
            return Remark(
                rule=FILE_MISSING,
                message=f"No file in {root} is called like {shown}.",
                advice="Check the pattern, or put the files there. Workbooks, tables "
                "and JSON files go by their own names alone.",
            )
        parts = self._parts(name)
        if len(parts) > 1:
            return unlisted(shown, root, parts)
        near = [shown_name(each) for each in self._folders.near(wanted)]
        return Remark(
            rule=FILE_MISSING,
            message=f"There is no file {shown} in {root}.",
            advice=f"Did you mean {' or '.join(near)}?"
            if near
            else "Check the name, or put the file there.",
        )

    def _parts(self, name: str) -> tuple[tuple[str, bool], ...]:
        return parts_of(name, between=BETWEEN_FILES, is_known=self._is_there)


def _read(file: BufferedReader, *, path: Path, name: str) -> _Result:
    """Measure, hash and identify an open file, or raise OSError."""
    before = os.fstat(file.fileno())
    if before.st_size == 0:
        return trouble("file-empty", name)
    if before.st_size > UPLOAD_MAX_BYTES:
        return too_large(name, before.st_size)
    sha256 = hashlib.file_digest(file, "sha256").hexdigest()
    size_bytes = file.tell()
    kind = content_type(file, name=name, size_bytes=size_bytes)
    after = os.fstat(file.fileno())
    if (before.st_size, before.st_mtime_ns) != (size_bytes, after.st_mtime_ns):
        return trouble("file-changing", name)
    attachment = Attachment(
        path=path,
        name=safe_name(name, "attachment"),
        mime_type=kind,
        size_bytes=size_bytes,
        sha256=sha256,
    )
    if not is_not_as_named(kind, name=name):
        return _Found(attachment=attachment)
    warning = trouble("file-not-as-named", name, severity=Severity.WARNING)
    return _Found(attachment=attachment, trouble=warning)


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
    if start[:1] == b"{" and _GEOJSON.search(start):
        return _TEXT_BY_ENDING[".geojson"]
    if start[:1] == b"<" and _KML.search(start):
        return _TEXT_BY_ENDING[".kml"]
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
