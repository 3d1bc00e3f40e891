"""A bound on what the texts of one sheet weigh once each cell has its own.

A workbook stores a text once and lets a million cells point at it. The
library that reads values gives every cell its own copy: 100 kB of zip can
ask for more memory than the machine has.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from kawe.domain.text.texts import one_line
from kawe.errors import WorkbookError
from kawe.workbook.limits import MAX_TEXT_BYTES, MIB
from kawe.workbook.manifest import SheetEntry
from kawe.workbook.package import Package
from kawe.workbook.tally import SheetScan

_SHARED: Final = "xl/sharedStrings.xml"
_PLAIN_END: Final = b"</si>"
_TEXT_END: Final = re.compile(rb"</(?:\w+:)?si>|<(?:\w+:)?si\s*/>")
_POINTER: Final = re.compile(
    rb"""<(?:\w+:)?c\b[^<>]*\bt=["']s["'][^<>]*>\s*<(?:\w+:)?v>\s*([0-9]{1,9})\s*<"""
)
_PLAIN_POINTER: Final = re.compile(rb' t="s"[^<>]*><v>([0-9]{1,9})</v>')
_OVERLAP_BYTES: Final = 512


def check_text_mass(package: Package, sheet: SheetEntry, tally: SheetScan) -> None:
    """Make sure that the texts of `sheet` fit into memory, each use counted.

    Raises:
        WorkbookError: They do not.
    """
    if not fits_into_memory(package, sheet, uses=tally.shared_texts):
        raise WorkbookError(
            message=(
                f"Sheet “{one_line(sheet.name)}” of “{package.name}” holds more "
                f"than {MAX_TEXT_BYTES // MIB} MB of text."
            ),
            hint="Split it into several workbooks.",
        )


def fits_into_memory(package: Package, sheet: SheetEntry, *, uses: int) -> bool:
    """Say whether the texts of `sheet` fit into memory, each of its uses counted."""
    if _is_surely_light(package, uses=uses):
        return True
    sizes = list(_sizes(package))
    if not sizes or max(sizes) * uses <= MAX_TEXT_BYTES:
        return True
    mass = 0
    for some in _uses(package, sheet.part):
        try:
            mass += sum(map(sizes.__getitem__, some))
        except IndexError:
            # It points at a text that is not there; calamine will say so.
            mass += sum(sizes[use] for use in some if use < len(sizes))
    return mass <= MAX_TEXT_BYTES


def _is_surely_light(package: Package, *, uses: int) -> bool:
    """Say at a glance that `uses` of the longest text would fit into memory."""
    if not uses or not package.has(_SHARED):
        return True
    longest = 0
    rest = b""
    for piece in package.stream_xml(_SHARED):
        # What lies between two ends is never shorter than a text is.
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


def _uses(package: Package, part: str) -> Iterator[Sequence[int]]:
    """Give, many at a time, which shared text each cell points at."""
    rest = b""
    for piece in package.stream_xml(part):
        text = rest + piece
        # A cell that is cut in two is looked at with what follows.
        cut = max(text.rfind(b"<c"), len(text) - _OVERLAP_BYTES)
        text, rest = text[:cut], text[cut:]
        yield list(map(int, _pointers(text)))
    yield list(map(int, _pointers(rest)))


def _pointers(text: bytes) -> Sequence[bytes]:
    found = _PLAIN_POINTER.findall(text)
    # As Excel writes them, each mark of a shared text is such a pointer.
    if len(found) == text.count(b't="s"') and b"t='s'" not in text:
        return found
    return _POINTER.findall(text)
