"""Finds what a sheet's XML holds and its values do not show.

The library that reads values shows error cells and uncalculated formulas as empty,
ignores hidden rows, and ends the process on one cell in the last corner. So each
sheet is scanned first: by a byte search if Excel wrote it, else by a parser.

The byte search must find all that a parser would. An unexpected shape (comments,
prefixes, other quotes, cells outside their row) raises `OddShape`, and the sheet is
parsed instead.
"""

import re
from array import array
from collections.abc import Callable, Iterable, Sequence
from enum import Enum, auto
from functools import cache, partial
from typing import Final, TypeAlias
from weakref import WeakKeyDictionary

from kawe_xlsx.cells import BookError, column_letters, one_line
from kawe_xlsx.limits import (
    HEADING_ROWS,
    MAX_AREA,
    MAX_COLUMNS,
    MAX_ROWS,
    MAX_TEXT_BYTES,
    MIB,
)
from kawe_xlsx.scan.marks import marks_of
from kawe_xlsx.scan.package import Package, SheetEntry, uncut
from kawe_xlsx.scan.tally import Scanned, SheetScan, area_of, column_number
from kawe_xlsx.scan.xml_scan import core_of, tally_of, trimmed

# A cell below row 200,019 or right of column AM.
_FAR_CELL: Final = re.compile(
    rb'<c r="(?!(?:[A-Z]|A[A-M])(?:[0-9]{1,5}|1[0-9]{5}|2000[01][0-9])")'
)
# Other ways to write a cell; other elements have letters after the c.
_OTHER_CELL: Final = re.compile(rb'<c(?:[\t\n\r/>]| (?!r="))|:c[\s/>]')
# Shared texts are counted by the mark that Excel writes.
_QUOTE: Final = b"t='"
_SHARED: Final = "xl/sharedStrings.xml"
_TEXT_END: Final = re.compile(rb"</(?:\w+:)?si>|<(?:\w+:)?si\s*/>")
_POINTER: Final = re.compile(
    rb"""<(?:\w+:)?c\b[^<>]*\bt=["']s["'][^<>]*>\s*<(?:\w+:)?v>\s*([0-9]{1,9})\s*<"""
)
_PLAIN_POINTER: Final = re.compile(rb' t="s"[^<>]*><v>([0-9]{1,9})</v>')
_STRIKE: Final = b"<strike"


def is_surely_small(package: Package, sheet: SheetEntry) -> bool:
    """Check quickly that no cell is far out and all texts fit into memory.

    Then its values may be read during the scan. False: unknown, so scan first.
    """
    return _fits_into_memory(
        package, sheet, may_hold=lambda text: not (_is_far(text) or has(text, _QUOTE))
    )


def _is_far(text: bytes) -> bool:
    # Counting is many times quicker than the pattern.
    if text.count(b"<c") != text.count(b'<c r="') or (b":" in text and b":c" in text):
        return _OTHER_CELL.search(text) is not None or bool(_FAR_CELL.search(text))
    return _FAR_CELL.search(text) is not None


def scan_sheet(
    package: Package, sheet: SheetEntry, *, is_light: bool = False
) -> Scanned:
    """Scan `sheet`; `is_light`: its texts are known to fit into memory."""
    tally = tally_sheet(package, sheet)
    named = f"Sheet “{one_line(sheet.name)}” of “{package.name}”"
    if not is_light and not _fits_into_memory(package, sheet):
        raise BookError(
            message=f"{named} holds more than {MAX_TEXT_BYTES // MIB} MB of text.",
            hint="Split it into several workbooks.",
        )
    if _fits(tally.last_row, tally.last_column):
        return Scanned(tally=tally, data=package.data)
    last_row, last_column = core_of(package.stream_xml(sheet.part), name=package.name)
    if not _fits(last_row, last_column):
        raise BookError(
            message=f"{named} reaches to row {last_row:,} and column {last_column:,}; "
            f"kawe reads up to {MAX_ROWS:,} rows and {MAX_COLUMNS} columns, and "
            f"{MAX_AREA:,} cells.",
            hint="Split it into several workbooks, or delete what is not needed.",
        )
    data, strays, count = trimmed(package, sheet, last=(last_row, last_column))
    tally = tally_sheet(Package(data, name=package.name), sheet)
    return Scanned(tally=tally, data=data, strays=strays, stray_count=count)


def tally_sheet(package: Package, sheet: SheetEntry) -> SheetScan:
    """Scan `sheet` to its very last cell."""
    marks, (_, struck) = marks_of(package), _texts(package)
    empty = partial(SheetScan, marks=marks, texts=struck)
    try:
        return scan_bytes(package.stream_xml(sheet.part), empty())
    except OddShape:
        return tally_of(package.stream_xml(sheet.part), empty(), name=package.name)


def _fits(last_row: int, last_column: int) -> bool:
    return (
        last_row <= MAX_ROWS + HEADING_ROWS
        and last_column <= MAX_COLUMNS
        and last_row * last_column <= MAX_AREA
    )


def _fits_into_memory(
    package: Package,
    sheet: SheetEntry,
    *,
    may_hold: Callable[[bytes], bool] = lambda _: True,
) -> bool:
    """Check that the texts of `sheet` fit into memory, each use counted.

    A workbook stores a text once for many cells; the library copies it for each.
    `may_hold` says of each part of the sheet whether it is as expected.
    """
    sizes, _ = _texts(package)
    mass = 0
    for text in uncut(package.stream_xml(sheet.part), mark=b"<c"):
        if not may_hold(text):
            return False
        some = list(map(int, _pointers(text)))
        try:
            mass += sum(map(sizes.__getitem__, some))
        except IndexError:
            # calamine refuses a pointer to a missing text.
            mass += sum(sizes[use] for use in some if use < len(sizes))
    return mass <= MAX_TEXT_BYTES


_Texts: TypeAlias = "tuple[array[int], frozenset[str]]"
_KNOWN: Final = WeakKeyDictionary[Package, _Texts]()
"""The shared texts of a workbook, to which all of its sheets point."""


def _texts(package: Package) -> _Texts:
    """Give the bytes of each shared text, markup included; which are partly struck."""
    if package in _KNOWN:
        return _KNOWN[package]
    sizes = array("L")
    struck: set[str] = set()
    waiting = 0
    pieces = package.stream_xml(_SHARED) if package.has(_SHARED) else ()
    for text in uncut(pieces, mark=b"<"):
        # Excel writes each end in one form, which is found much quicker.
        is_plain = b":si" not in text and text.count(b"<si") == text.count(b"<si>")
        *texts, last = text.split(b"</si>") if is_plain else _TEXT_END.split(text)
        if has(text, _STRIKE):
            every = enumerate((*texts, last), len(sizes))
            struck.update(f"{number}" for number, each in every if _STRIKE in each)
        if texts:
            sizes.extend([waiting + len(texts[0]), *map(len, texts[1:])])
            waiting = 0
        waiting += len(last)
    _KNOWN[package] = sizes, frozenset(struck)
    return _KNOWN[package]


def _pointers(text: bytes) -> Sequence[bytes]:
    found = _PLAIN_POINTER.findall(text)
    # Excel writes each pointer in this form.
    if len(found) == text.count(b't="s"') and b"t='s'" not in text:
        return found
    return _POINTER.findall(text)


_ROW: Final = re.compile(rb"<row\b([^<>]*)>")
_PLAIN_ROW: Final = re.compile(rb'<row r="([0-9]{1,7})"[^<>]*>')
_NUMBER: Final = re.compile(rb' r="([0-9]{1,7})"')
_HIDDEN: Final = re.compile(rb' hidden="(?:1|true)"')
_FULL: Final = re.compile(rb'<c r="([A-Z]{1,3})([0-9]{1,7})"[^>]*(?<!/)>')
_ROW_OF_CELL: Final = re.compile(rb'<c r="[A-Z]{1,3}([0-9]{1,7})"')
_DETAIL: Final = re.compile(
    rb'<c r="([A-Z]{1,3})([0-9]{1,7})"((?:[^<>]*[^<>/])?)>(.*?)</c>', re.DOTALL
)
_SAID: Final = re.compile(rb' ([st])="(\w+)"')
_PREFIXED: Final = re.compile(rb":(?:c|row|sheetData)[\s/>]")
_COLUMN: Final = re.compile(rb"<col\b([^<>]*)>")
_SPAN: Final = re.compile(rb' (min|max)="([0-9]{1,5})"')
_MERGE: Final = re.compile(rb'<mergeCell ref="([A-Z0-9$:]{1,21})"')
_FORMULA: Final = re.compile(rb"<f[\s/>]")
_VALUE: Final = re.compile(rb"<v(?:/>|[^<>]*>([^<]*))")
_MARKS: Final = (b"<f", b't="e"', b".9999999")
_ODD_MARKS: Final = (b"<!", b"t='", b"s='")

# A block that widens the sheet this often is parsed.
_MOST_STEPS: Final = 60
_HEAD_BYTES: Final = 2**20
_ROW_BYTES: Final = 2**23
_OVERLAP_OF_BYTES: Final = 200


def has(text: bytes, mark: bytes) -> bool:
    """Check for `mark`, its last byte first: one byte is found much quicker."""
    return mark[-1:] in text and mark in text


class OddShape(Exception):
    """The sheet is not as Excel writes it; parse it."""


class _Where(Enum):
    HEAD = auto()
    ROWS = auto()
    TAIL = auto()


def scan_bytes(pieces: Iterable[bytes], tally: SheetScan) -> SheetScan:
    """Scan the XML of one sheet; `OddShape`: it is not as Excel writes it."""
    scan = _ByteScan(tally)
    for piece in pieces:
        scan.feed(piece)
    return scan.finish()


class _ByteScan:
    """Scans head, rows and tail; `_rest` holds the unfinished part."""

    def __init__(self, tally: SheetScan) -> None:
        self._tally = tally
        said = [f's="{each}"' for each in tally.marks]
        said += ['t="s"'] if tally.texts else []
        self._marks = (*_MARKS, *(f" {each}".encode() for each in said))
        self._where = _Where.HEAD
        self._rest = b""

    def feed(self, piece: bytes) -> None:
        """Scan what `piece` completes."""
        text = self._rest + piece
        if any(has(text, mark) for mark in _ODD_MARKS) or (
            b":" in text and _PREFIXED.search(text)
        ):
            raise OddShape
        if self._where is _Where.HEAD:
            text = self._head(text)
        if self._where is _Where.ROWS:
            text = self._rows(text)
        if self._where is _Where.TAIL:
            text = self._tail(text)
        self._rest = text

    def finish(self) -> SheetScan:
        """Give the result; the sheet must be complete."""
        if self._where is not _Where.TAIL:
            raise OddShape
        return self._tally

    def _head(self, text: bytes) -> bytes:
        start = text.find(b"<sheetData")
        if start < 0:
            if len(text) > _HEAD_BYTES:
                raise OddShape
            return text
        for attributes in _COLUMN.findall(text[:start]):
            span = dict(_SPAN.findall(attributes))
            if _HIDDEN.search(attributes) and len(span) == 2:
                run = int(span[b"min"]), int(span[b"max"])
                self._tally.hidden_columns.append(run)
        empty = text.startswith((b"<sheetData/>", b"<sheetData />"), start)
        self._where = _Where.TAIL if empty else _Where.ROWS
        return text[start:]

    def _rows(self, text: bytes) -> bytes:
        if (end := text.find(b"</sheetData>")) >= 0:
            self._block(text[:end])
            self._where = _Where.TAIL
            return text[end:]
        cut = text.rfind(b"<row")
        if cut <= 0:
            if len(text) > _ROW_BYTES:
                raise OddShape
            return text
        self._block(text[:cut])
        return text[cut:]

    def _tail(self, text: bytes) -> bytes:
        for reference in _MERGE.findall(text):
            if (area := area_of(reference.decode("ascii"))) is None:
                raise OddShape
            self._tally.merges.add(area)
        return text[-_OVERLAP_OF_BYTES:]

    def _block(self, block: bytes) -> None:
        """Scan whole rows."""
        tagged = block.count(b'<c r="')
        if block.count(b"<c") != tagged:
            raise OddShape
        if not (full := block.count(b"</c>")):
            return
        if full == tagged and self._widen(block):
            each = _ROW_OF_CELL.findall(block)
            if len(each) != full:
                raise OddShape
            numbers = set(each)
        else:
            numbers = self._each_cell(block, full)
        self._row_tags(block, numbers)
        self._tally.reach(row=max(map(int, numbers)), column=0)
        if any(has(block, mark) for mark in self._marks):
            self._details(block)

    def _widen(self, block: bytes) -> bool:
        """Find cells right of all before; False: too many."""
        start = 0
        for _ in range(_MOST_STEPS):
            if (found := _beyond(self._tally.last_column).search(block, start)) is None:
                return True
            start = found.start()
            self._tally.reach(row=0, column=column_number(found[1].decode("ascii")))
        return False

    def _each_cell(self, block: bytes, full: int) -> set[bytes]:
        """Scan every cell with a value; give their row numbers."""
        cells = _FULL.findall(block)
        if len(cells) != full:
            raise OddShape
        letters = {letters.decode("ascii") for letters, _ in cells}
        self._tally.reach(row=0, column=max(map(column_number, letters)))
        return {number for _, number in cells}

    def _row_tags(self, block: bytes, filled: set[bytes]) -> None:
        """Record which `filled` rows are hidden; each must have its tag."""
        plain = _PLAIN_ROW.findall(block)
        if len(plain) == block.count(b"<row") and b"hidden=" not in block:
            if not filled.issubset(plain):
                raise OddShape
            return
        tags = _ROW.findall(block)
        if len(tags) != block.count(b"<row"):
            raise OddShape
        may_hide = b"hidden=" in block
        missing = set(filled)
        for attributes in tags:
            if (number := _NUMBER.search(attributes)) is None:
                raise OddShape
            missing.discard(number[1])
            if may_hide and number[1] in filled and _HIDDEN.search(attributes):
                self._tally.hidden_rows.add(int(number[1]))
        if missing:
            raise OddShape

    def _details(self, block: bytes) -> None:
        for letters, number, attributes, body in _DETAIL.findall(block):
            value = _VALUE.search(body)
            shown = (value[1] or b"").strip() if value else b""
            position = (int(number), column_number(letters.decode("ascii")))
            said = dict(_SAID.findall(attributes))
            self._tally.styled(position, said.get(b"s", b"").decode("ascii"))
            self._tally.cell(
                position=position,
                kind=said.get(b"t", b"n").decode("ascii"),
                has_formula=_FORMULA.search(body) is not None,
                value=shown.decode("utf-8", "replace") if value else None,
            )


@cache
def _beyond(column: int) -> re.Pattern[bytes]:
    """Match a cell right of `column`, counted from 1; its letters are group 1."""
    letters = column_letters(column) if column else ""
    right = [f"[A-Z]{{{len(letters) + 1},3}}"] if len(letters) < 3 else []
    for at, letter in enumerate(letters):
        if letter < "Z":
            rest = f"[A-Z]{{{len(letters) - at - 1}}}"
            right.append(f"{letters[:at]}[{chr(ord(letter) + 1)}-Z]{rest}")
    return re.compile(f'<c r="({"|".join(right) or "(?!)"})[0-9]'.encode())
