"""The styles of the person's workbook, and copies of them with a fill of kawe's.

A copy keeps all that its style says but the fill. The fill keeps the colour that was
there as its second colour, which nothing shows: so the next result can give it back.
"""

import re
from collections.abc import Collection
from typing import Final

from kawe_xlsx.patching import xml_edits
from kawe_xlsx.writing.styles import CellStyle, StyleSheet

_ORIGIN: Final = re.compile(
    rb"""patternType=["']solid["'].*?<(?:[\w.-]+:)?fgColor([^<>]*?)/?>""", re.DOTALL
)
_SECOND: Final = re.compile(rb"<(?:[\w.-]+:)?bgColor([^<>]*?)/?>")
_COLOUR: Final = re.compile(rb"""fgColor\s+rgb=["']FF([0-9A-Fa-f]{6})["']""")
_NO_COLOUR: Final = b' indexed="64"'
_SECTIONS: Final = ("fonts", "fills", "borders", "cellXfs")


class TintedStyles:
    """The part with the styles; `tints` are the fills that are kawe's, as RRGGBB."""

    def __init__(
        self, text: bytes, *, looks: Collection[CellStyle], tints: Collection[str]
    ) -> None:
        self._part = part = xml_edits.Part(text)
        lists = {each.name: each for each in part.children}
        if any(name not in lists for name in _SECTIONS):
            raise xml_edits.Unpatchable("its styles are not as Excel writes them")
        self._lists = lists
        there = {name: part.within(lists[name]) for name in _SECTIONS}
        self._fills = [part.text[e.start : e.end] for e in there["fills"]]
        self._cells = there["cellXfs"]
        formats = part.within(lists.get("numFmts"))
        numbers = [int(each.get("numFmtId") or 0) for each in formats]
        self._counts = {name: len(each) for name, each in there.items()}
        self.own = StyleSheet(
            tuple(looks), after={**self._counts, "numFmts": max([163, *numbers]) + 1}
        )
        self._added = {
            name: [each.encode() for each in items]
            for name, items in self.own.lists().items()
            if name != "cellStyleXfs"
        }
        self._counts["numFmts"] = len(formats)
        known = {tint.encode() for tint in tints}
        self._tinted_fills = {
            number
            for number, fill in enumerate(self._fills)
            if (colour := _COLOUR.search(fill)) and colour[1].upper() in known
        }
        self.tinted = frozenset(
            number
            for number, cell in enumerate(self._cells)
            if _fill_of(cell) in self._tinted_fills
        )
        """Styles with a fill of kawe's."""
        self._made: dict[tuple[int, str | None], int] = {}
        self._made_fills: dict[bytes, int] = {}

    def of(self, style: int, tint: str | None) -> int:
        """Give the number of a style with a fill, or with its own again."""
        if style >= len(self._cells):
            style = 0
        if tint is None and style not in self.tinted:
            return style
        key = style, tint
        if key not in self._made:
            self._made[key] = self._copy(style, tint)
        return self._made[key]

    def xml(self) -> bytes:
        """Give the part with all styles."""
        part, added = self._part, self._added
        for name, items in added.items():
            if (section := self._lists.get(name)) is None:
                if items:
                    inner = b"".join(items)
                    part.insert(
                        part.root.inner,
                        b'<numFmts count="%d">%b</numFmts>' % (len(items), inner),
                    )
                continue
            part.fill(section, b"".join(items), count=self._counts[name] + len(items))
        return part.done()

    def _copy(self, style: int, tint: str | None) -> int:
        cell, text = self._cells[style], self._part.text
        origin = self._origin(_fill_of(cell))
        if tint is not None:
            fill = self._fill(b' rgb="FF%b"' % tint.encode(), origin)
        elif origin == _NO_COLOUR:
            fill = 0
        else:
            fill = self._fill(origin, _NO_COLOUR)
        new = xml_edits.with_attribute(cell.attributes.rstrip(), "fillId", str(fill))
        new = xml_edits.with_attribute(new, "applyFill", "1")
        after = cell.at + len(cell.attributes)
        whole = text[cell.start : cell.at] + new + text[after : cell.end]
        self._added["cellXfs"].append(xml_edits.unprefixed(whole, self._part.prefix))
        return self._counts["cellXfs"] + len(self._added["cellXfs"]) - 1

    def _origin(self, number: int) -> bytes:
        """Give the colour that a cell has without kawe's fill."""
        if number >= len(self._fills):
            return _NO_COLOUR
        if number in self._tinted_fills:
            second = _SECOND.search(self._fills[number])
            colour = second[1] if second else _NO_COLOUR
            return _NO_COLOUR if b"indexed" in colour else colour.rstrip()
        found = _ORIGIN.search(self._fills[number])
        return found[1].rstrip() if found else _NO_COLOUR

    def _fill(self, colour: bytes, second: bytes) -> int:
        made = (
            b'<fill><patternFill patternType="solid"><fgColor%b/><bgColor%b/>'
            b"</patternFill></fill>" % (colour, second)
        )
        if made not in self._made_fills:
            self._added["fills"].append(made)
            number = self._counts["fills"] + len(self._added["fills"]) - 1
            self._made_fills[made] = number
        return self._made_fills[made]


def _fill_of(cell: xml_edits.Element) -> int:
    found = cell.get("fillId") or ""
    return int(found) if found.isdigit() and len(found) < 7 else 0
