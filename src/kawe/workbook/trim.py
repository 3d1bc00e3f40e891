"""A copy of a workbook without the stray cells in the far corners of a sheet.

The library that reads values lays out the whole rectangle from the first to
the last value: one forgotten letter in XFD1048576 would end the process.
"""

from __future__ import annotations

import io
import zipfile
from dataclasses import dataclass
from typing import IO, Final
from xml.sax.saxutils import XMLGenerator
from xml.sax.xmlreader import AttributesImpl

from kawe.domain.sheet.refs import CellRef
from kawe.workbook.manifest import SheetEntry
from kawe.workbook.package import Package
from kawe.workbook.scan_xml import CellWalk, feed_xml, local

_KEPT: Final = (
    "[Content_Types].xml",
    "_rels/.rels",
    "xl/workbook.xml",
    "xl/_rels/workbook.xml.rels",
    "xl/styles.xml",
    "xl/sharedStrings.xml",
)
_SHOWN_STRAYS: Final = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Trimmed:
    """The copy, and what is not in it."""

    data: bytes
    strays: tuple[str, ...]
    """The addresses of the first few cells left out."""
    stray_count: int


def trimmed(
    package: Package, sheet: SheetEntry, *, last_row: int, last_column: int
) -> Trimmed:
    """Copy `package` with this one sheet, up to a last row and column.

    Raises:
        WorkbookError: The workbook is broken.
    """
    copy = io.BytesIO()
    with zipfile.ZipFile(copy, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for part in _KEPT:
            if package.has(part):
                archive.writestr(part, b"".join(package.stream_xml(part)))
        with archive.open(sheet.part, "w", force_zip64=False) as out:
            trimmer = _Trimmer(out, last_row=last_row, last_column=last_column)
            feed_xml(package.stream_xml(sheet.part), handler=trimmer, name=package.name)
    return Trimmed(
        data=copy.getvalue(),
        strays=tuple(trimmer.strays),
        stray_count=trimmer.stray_count,
    )


class _Trimmer(CellWalk):
    """Writes down again what the parser reads, without the far cells."""

    def __init__(self, out: IO[bytes], *, last_row: int, last_column: int) -> None:
        super().__init__()
        self._write = XMLGenerator(
            io.TextIOWrapper(out, encoding="utf-8", write_through=True),
            encoding="utf-8",
        )
        self._last_row = last_row
        self._last_column = last_column
        self._depth_left_out = 0
        self.strays: list[str] = []
        self.stray_count = 0

    def startDocument(self) -> None:  # noqa: N802 (the name is SAX\'s)
        self._write.startDocument()

    def startElement(self, name: str, attrs: AttributesImpl) -> None:  # noqa: N802 (the name is SAX\'s)
        tag = local(name)
        self.enter(tag, attrs)
        if self._depth_left_out or (tag == "c" and self._is_far()):
            self._depth_left_out += 1
            if tag in {"v", "is"}:
                self._note()
            return
        self._write.startElement(name, attrs)

    def characters(self, content: str) -> None:
        if not self._depth_left_out:
            self._write.characters(content)

    def endElement(self, name: str) -> None:  # noqa: N802 (the name is SAX\'s)
        self.leave(local(name))
        if self._depth_left_out:
            self._depth_left_out -= 1
            return
        self._write.endElement(name)

    def _is_far(self) -> bool:
        row, column = self.position
        return row > self._last_row or column > self._last_column

    def _note(self) -> None:
        self.stray_count += 1
        if len(self.strays) < _SHOWN_STRAYS:
            row, column = self.position
            self.strays.append(CellRef(sheet="", row=row, column=column).address)
