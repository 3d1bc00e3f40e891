"""The exact scan: a sheet in any shape, read by an XML parser.

It is much slower than the byte search, and right for every XML. It also measures how
values are spread, to tell a stray cell in a far corner from a large sheet.
"""

import io
import zipfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import IO, Final
from xml.sax import SAXException
from xml.sax.handler import ContentHandler
from xml.sax.saxutils import XMLGenerator
from xml.sax.xmlreader import AttributesImpl

from defusedxml import DefusedXmlException
from defusedxml.expatreader import DefusedExpatParser

from kawe_xlsx.cells import address
from kawe_xlsx.limits import MAX_STRAYS
from kawe_xlsx.scan.package import Package, SheetEntry, damaged
from kawe_xlsx.scan.tally import Position, SheetScan, area_of, position_of

_TRUE: Final = frozenset({"1", "true"})
_CELL: Final = "c"
_PLACES: Final = frozenset({"row", _CELL})
_ROW_GAP: Final = 1_000
_COLUMN_GAP: Final = 20
_KEPT: Final = (
    "[Content_Types].xml",
    "_rels/.rels",
    "xl/workbook.xml",
    "xl/_rels/workbook.xml.rels",
    "xl/styles.xml",
    "xl/sharedStrings.xml",
)
_SHOWN_STRAYS: Final = 5
_NO_END: Final = 10**9


def tally_of(pieces: Iterable[bytes], tally: SheetScan, *, name: str) -> SheetScan:
    """Scan the XML of one sheet; `name` is the workbook's, for the message."""
    _feed_xml(pieces, handler=_TallyHandler(tally), name=name)
    return tally


def core_of(pieces: Iterable[bytes], *, name: str) -> Position:
    """Give the last row and column of one sheet without its stray cells.

    A few values behind a long gap are strays.
    """
    handler = _TallyHandler(SheetScan())
    _feed_xml(pieces, handler=handler, name=name)
    return _core(handler.rows, gap=_ROW_GAP), _core(handler.columns, gap=_COLUMN_GAP)


def plainly(package: Package, part: str) -> Iterator[bytes]:
    """Write the XML of a sheet anew: no comments, no sections, no `>` in a value."""
    copy = io.BytesIO()
    writer = _Trimmer(copy, last=(_NO_END, _NO_END))
    for _ in _fed(package.stream_xml(part), handler=writer, name=package.name):
        yield copy.getvalue()
        copy.seek(0)
        copy.truncate()


def _feed_xml(pieces: Iterable[bytes], *, handler: ContentHandler, name: str) -> None:
    for _ in _fed(pieces, handler=handler, name=name):
        pass


def _fed(
    pieces: Iterable[bytes], *, handler: ContentHandler, name: str
) -> Iterator[None]:
    """Parse `pieces` into `handler` one by one; forbid DTDs and entities."""
    parser = DefusedExpatParser(forbid_dtd=True)
    parser.setContentHandler(handler)
    try:
        for piece in pieces:
            parser.feed(piece)
            yield
        parser.close()
        yield
    except (SAXException, DefusedXmlException, ValueError, LookupError) as why:
        # LookupError: an unknown encoding.
        raise damaged(name) from why


class _CellWalk(ContentHandler):
    """Tracks the parser's cell, also without addresses.

    Rows and cells without an address follow the one before (ECMA-376 part 1,
    18.3.1.4 and 18.3.1.73).
    """

    def __init__(self) -> None:
        super().__init__()
        self.row = 0
        self.position: Position = (0, 0)
        self._inside: list[str] = []

    def enter(self, tag: str, attributes: AttributesImpl) -> None:
        """Enter an element; `tag` has no prefix."""
        if tag in _PLACES:
            if tag in self._inside or _CELL in self._inside:
                # Readers disagree on which of the two has the value.
                raise SAXException("a row or a cell inside another")
            self._inside.append(tag)
        address = attributes.get("r", "")
        if tag == "row":
            fits = address.isascii() and address.isdigit() and len(address) < 8
            if address and not fits:
                raise SAXException("a row without a place")
            self.row = int(address) if fits else self.row + 1
            self.position = (self.row, 0)
        elif tag == "c":
            given = position_of(address)
            if address and given is None:
                # The reading library would place it far out.
                raise SAXException("a cell without a place")
            self.position = given or (self.row, self.position[1] + 1)

    def leave(self, tag: str) -> None:
        """Leave an element; `tag` has no prefix."""
        if tag in _PLACES:
            self._inside.remove(tag)

    def endElement(self, name: str) -> None:  # noqa: N802 (the name is SAX\'s, and so is the promise)
        self.leave(_local(name))


class _TallyHandler(_CellWalk):
    def __init__(self, tally: SheetScan) -> None:
        super().__init__()
        self._tally = tally
        self.rows: Counter[int] = Counter()
        self.columns: Counter[int] = Counter()
        self._kind = self._style = ""
        self._row_is_hidden = False
        self._has_formula = False
        self._has_content = False
        self._in_value = False
        self._value: str | None = None

    def startElement(self, name: str, attrs: AttributesImpl) -> None:  # noqa: N802 (the name is SAX\'s)
        tag = _local(name)
        self.enter(tag, attrs)
        match tag:
            case "c":
                self._kind, self._style = attrs.get("t", "n"), attrs.get("s", "")
                self._has_formula = self._has_content = False
                self._value = None
            case "f":
                self._has_formula = True
            case "v":
                self._value, self._in_value = "", True
            case "row" | "col" | "mergeCell":
                self._layout(tag, attrs)
            case _:
                pass
        self._has_content = self._has_content or tag in {"f", "v", "is"}
        if tag in {"v", "is"}:
            self.rows[self.position[0]] += 1
            self.columns[self.position[1]] += 1

    def characters(self, content: str) -> None:
        if self._in_value:
            self._value = (self._value or "") + content

    def endElement(self, name: str) -> None:  # noqa: N802 (the name is SAX\'s)
        tag = _local(name)
        self.leave(tag)
        if tag == "v":
            self._in_value = False
        if tag != "c" or not self._has_content:
            return
        row, column = self.position
        self._tally.reach(row=row, column=column)
        if self._row_is_hidden:
            self._tally.hidden_rows.add(row)
        self._tally.styled(self.position, self._style)
        self._tally.cell(
            position=self.position,
            kind=self._kind,
            has_formula=self._has_formula,
            value=None if self._value is None else self._value.strip(),
        )

    def _layout(self, tag: str, attributes: AttributesImpl) -> None:
        is_hidden = attributes.get("hidden", "") in _TRUE
        if tag == "row":
            self._row_is_hidden = is_hidden
        elif tag == "col" and is_hidden:
            span = [attributes.get(end, "") for end in ("min", "max")]
            if all(end.isascii() and end.isdigit() and len(end) < 6 for end in span):
                self._tally.hidden_columns.append((int(span[0]), int(span[1])))
        elif tag == "mergeCell":
            area = area_of(attributes.get("ref", ""))
            if area is not None:
                self._tally.merges.add(area)


def _local(name: str) -> str:
    return name.rpartition(":")[2]


def _core(counts: Mapping[int, int], *, gap: int) -> int:
    lines = sorted(counts)
    end = lines[-1] if lines else 0
    left_out = 0
    for before, line in zip(reversed(lines[:-1]), reversed(lines), strict=False):
        left_out += counts[line]
        if left_out > MAX_STRAYS:
            break
        if line - before > gap:
            end = before
    return end


def trimmed(
    package: Package, sheet: SheetEntry, *, last: Position
) -> tuple[bytes, tuple[str, ...], int]:
    """Copy `package` with this one sheet, up to the row and the column `last`.

    Give the first addresses of what is left out too, and how many there are.

    The library that reads values allocates the whole rectangle: one forgotten letter
    in XFD1048576 would end the process.
    """
    copy = io.BytesIO()
    with zipfile.ZipFile(copy, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for part in _KEPT:
            if package.has(part):
                archive.writestr(part, b"".join(package.stream_xml(part)))
        with archive.open(sheet.part, "w", force_zip64=False) as out:
            trimmer = _Trimmer(out, last=last)
            pieces = package.stream_xml(sheet.part)
            _feed_xml(pieces, handler=trimmer, name=package.name)
    return copy.getvalue(), tuple(trimmer.strays), trimmer.stray_count


class _Trimmer(_CellWalk):
    """Copies what the parser reads, without the far cells."""

    def __init__(self, out: IO[bytes], *, last: Position) -> None:
        super().__init__()
        self._write = XMLGenerator(
            io.TextIOWrapper(out, encoding="utf-8", write_through=True),
            encoding="utf-8",
        )
        self._last_row, self._last_column = last
        self._depth_left_out = 0
        self.strays: list[str] = []
        self.stray_count = 0

    def startDocument(self) -> None:  # noqa: N802 (the name is SAX\'s)
        self._write.startDocument()

    def startElement(self, name: str, attrs: AttributesImpl) -> None:  # noqa: N802 (the name is SAX\'s)
        tag = _local(name)
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
        self.leave(_local(name))
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
            self.strays.append(address(row, column))
