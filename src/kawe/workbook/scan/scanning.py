"""Finds what a sheet's XML holds and its values do not show.

The library that reads values shows error cells and uncalculated formulas as empty,
ignores hidden rows, and ends the process on one cell in the last corner. So each
sheet is scanned first: by a byte search if Excel wrote it, else by a parser.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from kawe.domain.text.texts import one_line
from kawe.errors import WorkbookError
from kawe.workbook.limits import (
    HEADING_ROWS,
    MAX_AREA,
    MAX_COLUMNS,
    MAX_ROWS,
    MAX_TEXT_BYTES,
    MIB,
)
from kawe.workbook.scan.byte_scan import OddShape, has, scan_bytes
from kawe.workbook.scan.manifest import SheetEntry
from kawe.workbook.scan.package import Package
from kawe.workbook.scan.tally import Scanned, SheetScan
from kawe.workbook.scan.xml_scan import core_of, tally_of, trimmed

# A cell below row 200,019 or right of column AM.
_FAR_CELL: Final = re.compile(
    rb'<c r="(?!(?:[A-Z]|A[A-M])(?:[0-9]{1,5}|1[0-9]{5}|2000[01][0-9])")'
)
# Other ways to write a cell; other elements have letters after the c.
_OTHER_CELL: Final = re.compile(rb'<c(?:[\t\n\r/>]| (?!r="))|:c[\s/>]')
# Shared texts are counted by the mark that Excel writes.
_OTHER_QUOTE: Final = b"t='"
_ACROSS_PIECES: Final = 64
_SHARED: Final = "xl/sharedStrings.xml"
_PLAIN_END: Final = b"</si>"
_TEXT_END: Final = re.compile(rb"</(?:\w+:)?si>|<(?:\w+:)?si\s*/>")
_POINTER: Final = re.compile(
    rb"""<(?:\w+:)?c\b[^<>]*\bt=["']s["'][^<>]*>\s*<(?:\w+:)?v>\s*([0-9]{1,9})\s*<"""
)
_PLAIN_POINTER: Final = re.compile(rb' t="s"[^<>]*><v>([0-9]{1,9})</v>')
_OVERLAP_BYTES: Final = 512


def is_surely_small(package: Package, sheet: SheetEntry) -> bool:
    """Check quickly that no cell is far out and all texts fit into memory.

    Then its values may be read during the scan. False: unknown, so scan first.
    """
    uses = 0
    for text in _uncut(package.stream_xml(sheet.part), overlap=_ACROSS_PIECES):
        if _is_far(text) or has(text, _OTHER_QUOTE):
            return False
        uses += text.count(b't="s"')
    return _fits_into_memory(package, sheet, uses=uses + 1)


def _uncut(pieces: Iterable[bytes], *, overlap: int) -> Iterator[bytes]:
    """Give `pieces` with an overlap, so that no cell is cut in two."""
    rest = b""
    for piece in pieces:
        text = rest + piece
        cut = max(text.rfind(b"<c"), len(text) - overlap)
        text, rest = text[:cut], text[cut:]
        yield text
    yield rest


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
    if not is_light and not _fits_into_memory(package, sheet, uses=tally.shared_texts):
        raise _too_much_text(package, sheet)
    if _fits(tally.last_row, tally.last_column):
        return Scanned(tally=tally, data=package.data)
    last_row, last_column = core_of(package.stream_xml(sheet.part), name=package.name)
    if not _fits(last_row, last_column):
        raise _too_large(package, sheet, last_row=last_row, last_column=last_column)
    tally.cut(last_row=last_row, last_column=last_column)
    return trimmed(package, sheet, tally=tally)


def tally_sheet(package: Package, sheet: SheetEntry) -> SheetScan:
    """Scan `sheet` to its very last cell."""
    try:
        return scan_bytes(package.stream_xml(sheet.part))
    except OddShape:
        return tally_of(package.stream_xml(sheet.part), name=package.name)


def _fits(last_row: int, last_column: int) -> bool:
    return (
        last_row <= MAX_ROWS + HEADING_ROWS
        and last_column <= MAX_COLUMNS
        and last_row * last_column <= MAX_AREA
    )


def _too_large(
    package: Package, sheet: SheetEntry, *, last_row: int, last_column: int
) -> WorkbookError:
    return WorkbookError(
        message=(
            f"Sheet “{one_line(sheet.name)}” of “{package.name}” reaches to row "
            f"{last_row:,} and column {last_column:,}; kawe reads up to "
            f"{MAX_ROWS:,} rows and {MAX_COLUMNS} columns, and {MAX_AREA:,} cells."
        ),
        hint="Split it into several workbooks, or delete what is not needed.",
    )


def _too_much_text(package: Package, sheet: SheetEntry) -> WorkbookError:
    return WorkbookError(
        message=(
            f"Sheet “{one_line(sheet.name)}” of “{package.name}” holds more than "
            f"{MAX_TEXT_BYTES // MIB} MB of text."
        ),
        hint="Split it into several workbooks.",
    )


def _fits_into_memory(package: Package, sheet: SheetEntry, *, uses: int) -> bool:
    """Check that the texts of `sheet` fit into memory, each use counted.

    A workbook stores a text once for many cells; the library copies it for each.
    """
    if _is_surely_light(package, uses=uses):
        return True
    sizes = list(_sizes(package))
    if not sizes or max(sizes) * uses <= MAX_TEXT_BYTES:
        return True
    mass = 0
    for text in _uncut(package.stream_xml(sheet.part), overlap=_OVERLAP_BYTES):
        some = list(map(int, _pointers(text)))
        try:
            mass += sum(map(sizes.__getitem__, some))
        except IndexError:
            # calamine refuses a pointer to a missing text.
            mass += sum(sizes[use] for use in some if use < len(sizes))
    return mass <= MAX_TEXT_BYTES


def _is_surely_light(package: Package, *, uses: int) -> bool:
    """Check quickly that `uses` of the longest text fit into memory."""
    if not uses or not package.has(_SHARED):
        return True
    longest = 0
    rest = b""
    for piece in package.stream_xml(_SHARED):
        # Between two ends there is at least the text.
        *texts, rest = (rest + piece).split(_PLAIN_END)
        longest = max(longest, len(rest), *map(len, texts))
        if longest * uses > MAX_TEXT_BYTES:
            return False
    return True


def _sizes(package: Package) -> Iterator[int]:
    """Give the size in bytes of each shared text in its order, markup included."""
    waiting = 0
    rest = b""
    for piece in package.stream_xml(_SHARED):
        text = rest + piece
        start = 0
        for end in _TEXT_END.finditer(text):
            yield waiting + end.start() - start
            start, waiting = end.end(), 0
        keep = max(start, len(text) - _OVERLAP_BYTES)
        waiting += keep - start
        rest = text[keep:]


def _pointers(text: bytes) -> Sequence[bytes]:
    found = _PLAIN_POINTER.findall(text)
    # Excel writes each pointer in this form.
    if len(found) == text.count(b't="s"') and b"t='s'" not in text:
        return found
    return _POINTER.findall(text)
