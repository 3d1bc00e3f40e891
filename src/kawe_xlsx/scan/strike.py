"""Rows that somebody struck through.

Only the styles say so. Most workbooks have no such style, and then their sheets are
not looked at.
"""

import re
from collections import defaultdict
from collections.abc import Iterator
from typing import Final
from xml.etree.ElementTree import Element

from kawe_xlsx.scan.package import Package, SheetEntry, local_name, uncut

_STYLES: Final = "xl/styles.xml"
_MOST_OF_A_ROW: Final = 2**23
_FALSE: Final = frozenset({"0", "false"})
_CELL: Final = re.compile(rb"<(?:\w+:)?c\s([^<>]*[^<>/])>")
_ROW: Final = re.compile(rb"""(?:^|\s)r=["'][A-Z]{1,3}([0-9]{1,7})["']""")
_STYLE: Final = re.compile(rb"""(?:^|\s)s=["']([0-9]{1,6})["']""")


def struck_rows(package: Package, sheet: SheetEntry) -> frozenset[int]:
    """Find rows of which half the cells with a value, or the first two, are struck."""
    if not (styles := _struck_styles(package)):
        return frozenset()
    cells: defaultdict[int, list[bool]] = defaultdict(list)
    marks = [b"s=%b%b%b" % (q, each, q) for each in styles for q in (b'"', b"'")]
    pieces = package.stream_xml(sheet.part)
    for block in uncut(pieces, mark=b"<row", most=_MOST_OF_A_ROW):
        if not any(mark in block for mark in marks):
            continue
        for cell in _CELL.findall(block):
            row, style = _ROW.search(cell), _STYLE.search(cell)
            if row is not None:
                cells[int(row[1])].append(bool(style and style[1] in styles))
    return frozenset(n for n, e in cells.items() if 2 * sum(e) >= len(e) or all(e[:2]))


def _struck_styles(package: Package) -> frozenset[bytes]:
    """Give the numbers of the cell styles whose font is struck through."""
    pieces = package.stream_xml(_STYLES) if package.has(_STYLES) else ()
    root = package.parse(_STYLES) if b"strike" in b"".join(pieces) else None
    if root is None:
        return frozenset()
    fonts = {
        str(number)
        for number, font in enumerate(_children(root, "fonts"))
        if any(
            local_name(part.tag) == "strike" and part.get("val", "1") not in _FALSE
            for part in font
        )
    }
    return frozenset(
        b"%d" % number
        for number, style in enumerate(_children(root, "cellXfs"))
        if style.get("fontId", "0") in fonts
    )


def _children(root: Element, name: str) -> Iterator[Element]:
    return (child for part in root if local_name(part.tag) == name for child in part)
