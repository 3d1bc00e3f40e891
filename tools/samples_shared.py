"""A workbook as Excel itself saves it: texts stored once and pointed at.

openpyxl writes each text into its cell. Excel keeps all texts in a part of
their own, some of them in runs of different looks, and leaves hints about its
rows that other programs do not write.
"""

from __future__ import annotations

import io
import re
import zipfile
from typing import Final

from samples_files import workbook_bytes, zip_bytes
from samples_rows import book_of, projects

_SHEET: Final = "xl/worksheets/sheet1.xml"
_TYPES: Final = "[Content_Types].xml"
_RELATIONS: Final = "xl/_rels/workbook.xml.rels"
_INLINE: Final = re.compile(
    rb't="inlineStr"><is><t(?: xml:space="preserve")?>(.*?)</t></is></c>', re.DOTALL
)
_ROW: Final = re.compile(rb'<row r="(\d+)"')
_MAIN: Final = b"http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_KIND: Final = (
    b"http://schemas.openxmlformats.org/officeDocument/2006/relationships/sharedStrings"
)
_CONTENT: Final = (
    b"application/vnd.openxmlformats-officedocument.spreadsheetml.sharedStrings+xml"
)


def saved_by_excel() -> bytes:
    """Give the good projects with their texts shared.

    Raises:
        ValueError: The texts of the workbook are not where they were.
    """
    book, _ = book_of(projects(), title="Projects")
    with zipfile.ZipFile(io.BytesIO(workbook_bytes(book))) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    texts: dict[bytes, int] = {}

    def pointed(found: re.Match[bytes]) -> bytes:
        number = texts.setdefault(found[1], len(texts))
        return b't="s"><v>%d</v></c>' % number

    parts[_SHEET] = _ROW.sub(
        rb'<row r="\1" spans="1:28"', _INLINE.sub(pointed, parts[_SHEET])
    )
    if not texts:
        raise ValueError
    parts["xl/sharedStrings.xml"] = _shared(list(texts))
    parts[_TYPES] = parts[_TYPES].replace(
        b"</Types>",
        b'<Override PartName="/xl/sharedStrings.xml" ContentType="%s"/></Types>'
        % _CONTENT,
    )
    parts[_RELATIONS] = parts[_RELATIONS].replace(
        b"</Relationships>",
        b'<Relationship Id="rId99" Type="%s" Target="sharedStrings.xml"/>'
        b"</Relationships>" % _KIND,
    )
    return zip_bytes(parts)


def _shared(texts: list[bytes]) -> bytes:
    entries = b"".join(
        _in_runs(text) if b"flood" in text else b"<si><t>%s</t></si>" % text
        for text in texts
    )
    head = b'<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
    count = b'count="%d" uniqueCount="%d"' % (len(texts), len(texts))
    return head + b'<sst xmlns="%s" %s>%s</sst>' % (_MAIN, count, entries)


def _in_runs(text: bytes) -> bytes:
    """Write a text as two runs of which one is bold."""
    first, space, rest = text.partition(b" ")
    return (
        b"<si><r><rPr><b/></rPr><t>%s</t></r>"
        b'<r><t xml:space="preserve">%s</t></r></si>' % (first, space + rest)
    )
