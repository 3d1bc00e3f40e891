"""What a sheet's XML holds that its values do not tell.

The library that reads values shows an error cell and an uncalculated formula
as empty, knows nothing of hidden rows, and ends the whole process on one
stray cell in the last corner of a sheet. So each sheet is scanned first, by a
byte search where it looks as Excel writes it, else by parsing it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from kawe.domain.text.texts import one_line
from kawe.errors import WorkbookError
from kawe.workbook.limits import HEADING_ROWS, MAX_AREA, MAX_COLUMNS, MAX_ROWS
from kawe.workbook.manifest import SheetEntry
from kawe.workbook.package import Package
from kawe.workbook.scan_bytes import OddShape, has, scan_bytes
from kawe.workbook.scan_xml import Spread, spread_of, tally_of
from kawe.workbook.tally import SheetScan
from kawe.workbook.text_mass import check_text_mass, fits_into_memory
from kawe.workbook.trim import Trimmed, trimmed

# A cell below row 200,019 or right of column AM.
_FAR_CELL: Final = re.compile(
    rb'<c r="(?!(?:[A-Z]|A[A-M])(?:[0-9]{1,5}|1[0-9]{5}|2000[01][0-9])")'
)
# What a cell may be called beside that; other elements go on after the c.
_OTHER_CELL: Final = re.compile(rb'<c(?:[\t\n\r/>]| (?!r="))|:c[\s/>]')
# Shared texts are counted where they are marked as Excel marks them.
_OTHER_QUOTE: Final = b"t='"
_ACROSS_PIECES: Final = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class Scanned:
    """A sheet that passed: what was found, and the bytes that may be read."""

    tally: SheetScan
    data: bytes
    """The workbook, or a copy of it without the stray cells."""
    strays: tuple[str, ...] = ()
    """Addresses of cells so far out that they were left out, the first few."""
    stray_count: int = 0


def is_surely_small(package: Package, sheet: SheetEntry) -> bool:
    """Say at a glance that no cell of `sheet` lies far out, and its texts fit.

    Then its values may be read while it is scanned. False means no more than
    that the scan must come first.

    Raises:
        WorkbookError: The sheet is broken.
    """
    rest, uses = b"", 0
    for piece in package.stream_xml(sheet.part):
        text = rest + piece
        # A cell may be cut in two here; then it is looked at with what follows.
        cut = max(text.rfind(b"<c"), len(text) - _ACROSS_PIECES)
        text, rest = text[:cut], text[cut:]
        if _is_far(text) or has(text, _OTHER_QUOTE):
            return False
        uses += text.count(b't="s"')
    if _is_far(rest) or has(rest, _OTHER_QUOTE):
        return False
    return fits_into_memory(package, sheet, uses=uses + 1)


def _is_far(text: bytes) -> bool:
    # Counting is many times quicker than the pattern, and as a rule suffices.
    if text.count(b"<c") != text.count(b'<c r="') or (b":" in text and b":c" in text):
        return _OTHER_CELL.search(text) is not None or bool(_FAR_CELL.search(text))
    return _FAR_CELL.search(text) is not None


def scan_sheet(
    package: Package, sheet: SheetEntry, *, is_light: bool = False
) -> Scanned:
    """Scan `sheet`, so that it can be read without surprises.

    `is_light`: its texts are known to fit into memory.

    Raises:
        WorkbookError: The sheet is broken, or larger than kawe reads.
    """
    tally = _tally(package, sheet)
    if not is_light:
        check_text_mass(package, sheet, tally)
    if _fits(tally.last_row, tally.last_column):
        return Scanned(tally=tally, data=package.data)
    spread = spread_of(package.stream_xml(sheet.part), name=package.name)
    last_row, last_column = spread.core()
    if not _fits(last_row, last_column):
        raise _too_large(package, sheet, spread)
    left: Trimmed = trimmed(package, sheet, last_row=last_row, last_column=last_column)
    tally.cut(last_row=last_row, last_column=last_column)
    return Scanned(
        tally=tally, data=left.data, strays=left.strays, stray_count=left.stray_count
    )


def _tally(package: Package, sheet: SheetEntry) -> SheetScan:
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


def _too_large(package: Package, sheet: SheetEntry, spread: Spread) -> WorkbookError:
    last_row, last_column = spread.core()
    return WorkbookError(
        message=(
            f"Sheet “{one_line(sheet.name)}” of “{package.name}” reaches to row "
            f"{last_row:,} and column {last_column:,}; kawe reads up to "
            f"{MAX_ROWS:,} rows and {MAX_COLUMNS} columns, and {MAX_AREA:,} cells."
        ),
        hint="Split it into several workbooks, or delete what is not needed.",
    )
