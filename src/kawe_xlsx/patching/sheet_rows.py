"""The rows of a sheet's XML, one by one, with the cells that kawe writes or tints."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from kawe_xlsx.cells import column_letters
from kawe_xlsx.patching.tinting import TintedStyles
from kawe_xlsx.patching.xml_edits import (
    Unpatchable,
    prefixed,
    values_of,
    with_attribute,
)
from kawe_xlsx.scan.tally import column_number

_MOST_BYTES: Final = 2**24
"""Of a row, and of what stands above the rows."""
_ODD: Final = "its XML is not as Excel writes it"
_NUMBER: Final = re.compile(rb"""\sr=["']([0-9]{1,7})["']""")
_LETTERS: Final = re.compile(rb"""\sr=["']([A-Z]{1,3})[0-9]{1,7}["']""")
_LAST: Final = re.compile(rb'<c r="([A-Z]{1,3})')
_PLAIN_STYLE: Final = re.compile(rb'(?:s="([0-9]{1,6})" ?)?(?=[t>/])')
_SPANS: Final = re.compile(rb"""\sspans=["'][^"']*["']""")
_MOST_COLUMNS: Final = 16_384
_STYLE: Final = re.compile(rb"""\ss=["']([0-9]{1,7})["']""")


class RowEdit(NamedTuple):
    """What kawe writes into one row; columns count from 1."""

    cells: Mapping[int, str] = MappingProxyType({})
    """By column: what follows the address of a cell."""
    tints: Mapping[int, str] = MappingProxyType({})
    """By column: the fill that a cell gets, as RRGGBB."""


NO_EDIT: Final = RowEdit()


class _Row(NamedTuple):
    before: bytes
    """What stands between the row before and this one."""
    number: int
    attributes: bytes
    body: bytes


class SheetRows:
    """Copies the rows of one sheet and edits those that it is told to."""

    def __init__(
        self,
        pieces: Iterable[bytes],
        *,
        styles: TintedStyles,
        own: Collection[int],
        heading_row: int,
        column_styles: Mapping[int, int],
        prefix: bytes = b"",
    ) -> None:
        self._prefix = prefix
        self._styles = styles
        self._own = frozenset(own)
        self._heading_row = heading_row
        self._column_styles = column_styles
        self._letters: dict[bytes, int] = {}
        self._rows = self._read(iter(pieces))
        self.tail = b""
        """What follows the rows, when all of them were copied."""
        self._cell = re.compile(
            rb"<%bc(?=[\s/>])([^<>]*?)(?:/>|>(.*?)</%bc\s*>)" % (prefix, prefix),
            re.DOTALL,
        )

    def copy_to(self, number: int, edit: RowEdit) -> Iterator[bytes]:
        """Give the XML of all rows up to `number`, which is there and is edited."""
        for row in self._rows:
            if row.number < number:
                yield self._edited(row, NO_EDIT)
                continue
            if row.number == number:
                yield self._edited(row, edit)
                return
            break
        raise Unpatchable("its rows are not those that kawe read")

    def rest(self) -> Iterator[bytes]:
        """Give the XML of all other rows."""
        for row in self._rows:
            yield self._edited(row, NO_EDIT)

    def _read(self, pieces: Iterator[bytes]) -> Iterator[_Row]:
        """Read rows until the end of the rows; keep what follows."""
        begin, ending = b"<%brow" % self._prefix, b"</%bsheetData" % self._prefix
        tag = re.compile(re.escape(begin) + rb"(?=[\s/>])([^<>]*)>")
        end_tag = re.compile(rb"</%brow\s*>" % re.escape(self._prefix))
        text, number, is_end = b"", 0, False
        while not is_end:
            piece = next(pieces, b"")
            text += piece
            cut = text.find(ending)
            is_end = cut >= 0
            if not is_end:
                cut = text.rfind(begin)
                if not piece or len(text) > _MOST_BYTES:
                    raise Unpatchable(_ODD)
            at = 0
            while start := tag.search(text, at, max(cut, 0)):
                attributes, inner = start[1], start.end()
                before, end, body = text[at : start.start()], inner, b""
                if attributes.endswith(b"/"):
                    attributes = attributes[:-1]
                elif ended := end_tag.search(text, inner, cut):
                    body, end = text[inner : ended.start()], ended.end()
                else:
                    raise Unpatchable(_ODD)
                said = _NUMBER.search(attributes)
                following = int(said[1]) if said else number + 1
                if following <= number:
                    raise Unpatchable(_ODD)
                number, at = following, end
                yield _Row(before, number, attributes, body)
            text = text[at:]
        self.tail = text + b"".join(pieces)

    def _edited(self, row: _Row, edit: RowEdit) -> bytes:
        """Give the XML of one row."""
        if edit is NO_EDIT and not self._own and not self._styles.tinted:
            return self._tagged(row, row.attributes, row.body)
        if (quick := self._quickly(row, edit)) is not None:
            return quick
        cells, tail, is_sorted = self._cells(row, edit)
        for column, rest in edit.cells.items():
            address = f'<c r="{column_letters(column)}{row.number}{rest}'
            is_sorted = is_sorted and (not cells or cells[-1][0] < column)
            cells.append((column, prefixed(address.encode(), self._prefix)))
        if not is_sorted:
            cells.sort(key=lambda cell: cell[0])
        attributes = _SPANS.sub(b"", row.attributes)
        body = b"".join([xml for _, xml in cells]) + tail
        return self._tagged(row, attributes, body)

    def _quickly(self, row: _Row, edit: RowEdit) -> bytes | None:
        """Edit a row as Excel writes it: kawe's cells are new and stand behind it."""
        body, number = row.body, b"%d" % row.number
        last = _LAST.search(body, max(body.rfind(b"<c "), 0))
        if self._own or self._styles.tinted or self._prefix or last is None:
            return None
        if self._column(last[1]) >= min(edit.cells, default=_MOST_COLUMNS):
            return None
        pieces, at = [row.before, b"<row", _SPANS.sub(b"", row.attributes), b">"], 0
        for column, tint in sorted(edit.tints.items()):
            tag = b'<c r="%b%b" ' % (column_letters(column).encode(), number)
            start = body.find(tag, at)
            found = _PLAIN_STYLE.match(body, start + len(tag)) if start >= 0 else None
            if found is None:
                return None
            style = b's="%d" ' % self._styles.of(int(found[1] or 0), tint)
            pieces += [body[at : found.start()], style]
            at = found.end()
        pieces.append(body[at:])
        added = [
            f'<c r="{column_letters(column)}{row.number}{rest}'
            for column, rest in edit.cells.items()
        ]
        pieces += ["".join(added).encode(), b"</row>"]
        return b"".join(pieces)

    def _column(self, letters: bytes) -> int:
        known = self._letters.get(letters)
        if known is None:
            known = self._letters[letters] = column_number(letters.decode())
        return known

    def _cells(
        self, row: _Row, edit: RowEdit
    ) -> tuple[list[tuple[int, bytes]], bytes, bool]:
        """Give the cells that stay, what follows, and whether they are in order."""
        own, tinted = self._own, self._styles.tinted
        waiting = dict(edit.tints)
        cells: list[tuple[int, bytes]] = []
        column = end = 0
        for found in self._cell.finditer(row.body):
            said, end = _LETTERS.search(found[1]), found.end()
            before = column
            column = self._column(said[1]) if said else column + 1
            if column <= before:
                raise Unpatchable(_ODD)
            if column in own and row.number > self._heading_row:
                continue
            xml = found[0]
            if column in waiting or tinted:
                xml = self._tinted(found, waiting.pop(column, None))
            cells.append((column, xml))
        absent = [each for each in waiting if each not in own]
        for each in absent:
            style = self._styles.of(self._empty_style(row, each), waiting[each])
            empty = f'<c r="{column_letters(each)}{row.number}" s="{style}"/>'
            cells.append((each, prefixed(empty.encode(), self._prefix)))
        return cells, row.body[end:], not absent

    def _tinted(self, cell: re.Match[bytes], tint: str | None) -> bytes:
        said = _STYLE.search(cell[1])
        style = int(said[1]) if said else 0
        new = self._styles.of(style, tint)
        if new == style:
            return cell[0]
        attributes = with_attribute(cell[1], "s", str(new))
        at = cell.start(1) - cell.start()
        return cell[0][:at] + attributes + cell[0][at + len(cell[1]) :]

    def _empty_style(self, row: _Row, column: int) -> int:
        """Give the style of a cell that does not stand in its row."""
        said = values_of(row.attributes)
        if said.get("customFormat") in {"1", "true"}:
            return int(said.get("s") or 0)
        return self._column_styles.get(column, 0)

    def _tagged(self, row: _Row, attributes: bytes, body: bytes) -> bytes:
        tag = b"%brow" % self._prefix
        if not body:
            return b"%b<%b%b/>" % (row.before, tag, attributes)
        return b"%b<%b%b>%b</%b>" % (row.before, tag, attributes, body, tag)
