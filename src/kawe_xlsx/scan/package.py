"""The zip of an .xlsx, opened as untrusted, and the list of its sheets.

Sizes are checked while each part is unpacked, because the library that reads the
values checks nothing (promises: 50 MiB, 2,000 parts, 300 MiB unpacked, ratio 200, no
DTD).
"""

import io
import posixpath
import re
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final
from xml.etree.ElementTree import Element, ParseError

import defusedxml.ElementTree
from defusedxml import DefusedXmlException

from kawe_xlsx import limits
from kawe_xlsx.cells import OWN_SHEET, ROWS_SHEET, BookError, one_line
from kawe_xlsx.scan.tally import area_of

_CENTRAL_ENTRY: Final = b"PK\x01\x02"
_LOCAL_ENTRY: Final = b"PK\x03\x04"
_LOCAL_HEADER_BYTES: Final = 30
_CHUNK_BYTES: Final = 2**18
_OVERLAP_BYTES: Final = 512
_SMALL_PART_BYTES: Final = 16 * limits.MIB
_ENCRYPTED: Final = 0x1
_METHODS: Final = frozenset({zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED})
_WIDE_XML: Final = (b"\xff\xfe", b"\xfe\xff", b"<\x00", b"\x00<")
_PROLOG: Final = re.compile(rb"\s+|<\?.*?\?>|<!--.*?-->", re.DOTALL)
_PROLOG_BYTES: Final = 2**16


def damaged(name: str) -> BookError:
    return BookError(
        message=f"“{name}” is damaged or was not copied to its end.",
        hint="Open it in Excel; if Excel can repair it, save it under a new name "
        "and use that. Otherwise fetch the file again.",
    )


def local_name(name: str) -> str:
    """Give the name of an element or attribute without its namespace."""
    return name.rpartition("}")[2]


def uncut(pieces: Iterable[bytes], *, mark: bytes) -> Iterator[bytes]:
    """Give `pieces`, none of which cuts in two what begins with `mark` and is short."""
    rest = b""
    for piece in pieces:
        text = rest + piece
        cut = max(text.rfind(mark), len(text) - _OVERLAP_BYTES)
        text, rest = text[:cut], text[cut:]
        yield text
    yield rest


class Package:
    """The parts of one workbook, by name; `name` is the file's, made safe to show."""

    def __init__(self, data: bytes, *, name: str) -> None:
        self.data = data
        self.name = one_line(name)
        # zipfile holds all entries in memory before it can count them.
        if data.count(_CENTRAL_ENTRY) > limits.MAX_PARTS:
            raise self._too_large(f"it has more than {limits.MAX_PARTS:,} parts")
        try:
            with zipfile.ZipFile(io.BytesIO(data)) as archive:
                infos = archive.infolist()
        except (zipfile.BadZipFile, NotImplementedError, ValueError, EOFError) as why:
            raise damaged(self.name) from why
        # The reading library ignores case in names too.
        self._parts = {_folded(info.filename): info for info in infos}
        self._check(infos)

    @property
    def names(self) -> frozenset[str]:
        return frozenset(self._parts)

    def has(self, part: str) -> bool:
        return _folded(part) in self._parts

    def stream(self, part: str) -> Iterator[bytes]:
        """Unpack `part` piece by piece; check size and checksum."""
        info = self._parts[_folded(part)]
        size = checksum = 0
        try:
            for piece in self._unpack(info):
                size += len(piece)
                checksum = zlib.crc32(piece, checksum)
                if size > info.file_size:
                    break
                yield piece
        except zlib.error as why:
            raise damaged(self.name) from why
        if size != info.file_size or checksum != info.CRC:
            raise damaged(self.name)

    def stream_xml(self, part: str) -> Iterator[bytes]:
        """Unpack `part` as `stream`, but first refuse a DTD."""
        pieces = self.stream(part)
        head = b""
        while len(head) < _PROLOG_BYTES and (piece := next(pieces, b"")):
            head += piece
        self._check_prolog(head)
        yield head
        yield from pieces

    def packed_parts(self) -> Iterator[tuple[zipfile.ZipInfo, memoryview]]:
        """Give every part as it is packed, unchecked."""
        for info in self._parts.values():
            yield info, self._packed(info)

    def name_of(self, part: str) -> str:
        return self._parts[_folded(part)].filename

    def verify(self, part: str) -> None:
        """Unpack `part` for the checks alone; it may be missing."""
        if self.has(part):
            for _ in self.stream_xml(part):
                pass

    def parse(self, part: str) -> Element | None:
        """Parse a small `part`; None: it is missing."""
        if (info := self._parts.get(_folded(part))) is None:
            return None
        if info.file_size > _SMALL_PART_BYTES:
            raise self._too_large(f"its part {one_line(part)} is very large")
        text = b"".join(self.stream_xml(part))
        try:
            root: Element = defusedxml.ElementTree.fromstring(text, forbid_dtd=True)
        except (ParseError, DefusedXmlException, ValueError, LookupError) as why:
            # LookupError: an unknown encoding.
            raise damaged(self.name) from why
        return root

    def _check(self, infos: list[zipfile.ZipInfo]) -> None:
        if len(self._parts) != len(infos):
            raise damaged(self.name)
        if sum(info.file_size for info in infos) > limits.MAX_UNPACKED_BYTES:
            raise self._too_large(
                f"it unpacks to more than {limits.MAX_UNPACKED_BYTES // limits.MIB} MB"
            )
        for info in infos:
            if info.flag_bits & _ENCRYPTED or info.compress_type not in _METHODS:
                raise BookError(
                    message=f"“{self.name}” is protected or packed in an unusual way.",
                    hint="Open it in Excel and save it as an Excel Workbook (.xlsx).",
                )
            if info.file_size > max(
                limits.RATIO_FREE_BYTES, info.compress_size * limits.MAX_RATIO
            ):
                raise self._too_large("a part of it unpacks to far more than its size")

    def _check_prolog(self, head: bytes) -> None:
        if head.startswith(_WIDE_XML):
            raise damaged(self.name)
        position = 3 if head.startswith(b"\xef\xbb\xbf") else 0
        while match := _PROLOG.match(head, position):
            position = match.end()
        if head[position : position + 2] == b"<!":
            raise BookError(
                message=f"“{self.name}” carries a document type definition, which no "
                "workbook needs and which can be used to do harm.",
                hint="Ask where the file comes from; save it again with Excel.",
            )
        if head[position : position + 1] != b"<":
            raise damaged(self.name)

    def _unpack(self, info: zipfile.ZipInfo) -> Iterator[bytes]:
        packed = self._packed(info)
        if info.compress_type == zipfile.ZIP_STORED:
            for start in range(0, len(packed), _CHUNK_BYTES):
                yield bytes(packed[start : start + _CHUNK_BYTES])
            return
        inflater = zlib.decompressobj(-zlib.MAX_WBITS)
        for start in range(0, len(packed), _CHUNK_BYTES):
            rest = bytes(packed[start : start + _CHUNK_BYTES])
            while rest:
                yield inflater.decompress(rest, _CHUNK_BYTES * 4)
                rest = inflater.unconsumed_tail
        yield inflater.flush()

    def _packed(self, info: zipfile.ZipInfo) -> memoryview:
        start = info.header_offset
        header = self.data[start : start + _LOCAL_HEADER_BYTES]
        if len(header) < _LOCAL_HEADER_BYTES or not header.startswith(_LOCAL_ENTRY):
            raise damaged(self.name)
        name_bytes = int.from_bytes(header[26:28], "little")
        extra_bytes = int.from_bytes(header[28:30], "little")
        start += _LOCAL_HEADER_BYTES + name_bytes + extra_bytes
        packed = memoryview(self.data)[start : start + info.compress_size]
        if len(packed) != info.compress_size:
            raise damaged(self.name)
        return packed

    def _too_large(self, because: str) -> BookError:
        return BookError(
            message=f"“{self.name}” is larger inside than kawe opens: {because}.",
            hint="Copy the rows you need into a new workbook made from the "
            "template and save that.",
        )


def _folded(name: str) -> str:
    return name.replace("\\", "/").casefold()


_WORKBOOK: Final = "xl/workbook.xml"
_TRUE: Final = frozenset({"1", "true"})


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetEntry:
    """One sheet as the workbook lists it."""

    name: str
    part: str = ""
    """The part with its XML; empty without one, as for a chart."""
    is_hidden: bool = False
    is_own: bool = False
    """kawe wrote it into a result."""
    is_read: bool = False
    """It is the one of several lists that this result is of."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """The sheets of one workbook in their order."""

    sheets: tuple[SheetEntry, ...]
    counts_from_1904: bool
    """Days count from 1904, as in old Excel for Mac."""


def read_manifest(package: Package) -> Manifest:
    """Read which sheets `package` has."""
    if (root := package.parse(_WORKBOOK)) is None:
        raise damaged(package.name)
    targets = relations(package, _WORKBOOK)
    own, rows = {*_named(root, OWN_SHEET)}, next(_named(root, ROWS_SHEET), None)
    sheets = tuple(
        SheetEntry(
            name=(name := element.get("name", "")),
            part=_sheet_part(package, targets, element),
            is_hidden=element.get("state", "visible") != "visible",
            is_own=name in own,
            is_read=name == rows,
        )
        for element in root.iter()
        if local_name(element.tag) == "sheet"
    )
    if len(sheets) > limits.MAX_SHEETS:
        raise BookError(
            message=f"“{package.name}” has more than {limits.MAX_SHEETS} sheets.",
            hint="Copy the sheet with the rows into a new workbook and save that.",
        )
    # Excel gives no two sheets one name or part: a small file could otherwise name one
    # large sheet a thousand times.
    names = {sheet.name.casefold() for sheet in sheets}
    parts = [sheet.part.casefold() for sheet in sheets if sheet.part]
    if not sheets or len(names) < len(sheets) or len(set(parts)) < len(parts):
        raise damaged(package.name)
    return Manifest(
        sheets=sheets,
        counts_from_1904=any(
            element.get("date1904", "").casefold() in _TRUE
            for element in root
            if local_name(element.tag) == "workbookPr"
        ),
    )


def _named(root: Element, beginning: str) -> Iterator[str]:
    """Give the sheets that names with this beginning point at."""
    for element in root.iter():
        is_name = local_name(element.tag) == "definedName"
        if is_name and element.get("name", "").startswith(beginning):
            yield _sheet_named(element.text or "")


def _sheet_named(reference: str) -> str:
    """Give the sheet of a reference such as 'Results'!$A$1."""
    name = reference.rpartition("!")[0]
    return name[1:-1].replace("''", "'") if name.startswith("'") else name


def totals_rows(package: Package, sheet: SheetEntry) -> frozenset[int]:
    """Find the rows of `sheet` that are the totals of an Excel table."""
    rows: set[int] = set()
    for kind, target in relations(package, sheet.part).values():
        table = package.parse(target) if kind == "table" else None
        if table is not None and table.get("totalsRowCount", "0") != "0":
            area = area_of(table.get("ref", ""))
            rows.update([area.last_row] if area is not None else [])
    return frozenset(rows)


def _sheet_part(
    package: Package, targets: dict[str, tuple[str, str]], element: Element
) -> str:
    """Find the XML of a listed sheet; empty for charts and dialogs."""
    wanted = next(
        (value for key, value in element.items() if local_name(key) == "id"), ""
    )
    kind, part = targets.get(wanted, ("", ""))
    if kind != "worksheet":
        return ""
    if not package.has(part):
        raise damaged(package.name)
    return part


def relations(package: Package, part: str) -> dict[str, tuple[str, str]]:
    """Give the kind and the target of each relation of `part`, by its id."""
    folder, file = posixpath.split(part)
    if (root := package.parse(f"{folder}/_rels/{file}.rels")) is None:
        return {}
    return {
        element.get("Id", ""): (
            element.get("Type", "").rpartition("/")[2],
            posixpath.normpath(
                posixpath.join("/", folder, element.get("Target", ""))
            ).lstrip("/"),
        )
        for element in root
        if element.get("TargetMode", "Internal") != "External"
    }
