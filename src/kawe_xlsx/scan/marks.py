"""Which cell styles strike through, and which show a date without its day."""

import re
from collections.abc import Iterator
from typing import Final
from xml.etree.ElementTree import Element

from kawe_xlsx.scan.package import Package, local_name
from kawe_xlsx.scan.tally import Marks

_STYLES: Final = "xl/styles.xml"
_FALSE: Final = frozenset({"0", "false"})
_UNREAD: Final = re.compile(r'"[^"]*"|\\.|\[[^\]]*\]|[_*].|;.*')
"""What says no part of a date in a format: quoted text, [$-1409], other sections."""
_DAYLESS: Final = re.compile(r"(?i)[^dhs]*(?:y|mmm)[^dhs]*")
_MONTH_AND_YEAR: Final = "17"  # The number of mmm-yy, which Excel has built in.


def marks_of(package: Package) -> Marks:
    """Find what the styles of a workbook say of its cells."""
    if (root := package.parse(_STYLES)) is None:
        return {}
    fonts = {
        str(number)
        for number, font in enumerate(_children(root, "fonts"))
        if any(
            local_name(part.tag) == "strike" and part.get("val", "1") not in _FALSE
            for part in font
        )
    }
    formats = {_MONTH_AND_YEAR} | {
        each.get("numFmtId", "")
        for each in _children(root, "numFmts")
        if _DAYLESS.fullmatch(_UNREAD.sub("", each.get("formatCode", "")))
    }
    styles = (
        (e.get("fontId", "0") in fonts, e.get("numFmtId", "0") in formats)
        for e in _children(root, "cellXfs")
    )
    return {str(number): each for number, each in enumerate(styles) if any(each)}


def _children(root: Element, name: str) -> Iterator[Element]:
    return (child for part in root if local_name(part.tag) == name for child in part)
