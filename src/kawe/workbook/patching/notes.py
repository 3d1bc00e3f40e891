"""The comments of the person's sheet, and those of kawe beside them.

A sheet has one part of comments and one of boxes. kawe writes both anew where nobody
else has a comment, adds to both where they are as Excel writes them, and else writes
none.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence
from typing import Final
from xml.etree.ElementTree import Element

from kawe.workbook.patching.among import Among
from kawe.workbook.patching.original import Original
from kawe.workbook.patching.parts import Parts
from kawe.workbook.patching.xml_edits import Unpatchable
from kawe.workbook.scan.manifest import read_manifest
from kawe.workbook.scan.package import Package
from kawe.workbook.xlsx.book import COMMENTS_TYPE, override, relation
from kawe.workbook.xlsx.comments import AUTHOR, boxes_part, comments_part
from kawe.workbook.xlsx.page import Comment

BOXES: Final = "kaweBoxes"
_COMMENTS: Final = "kaweComments"
_TWO: Final = 2
_AUTHORS: Final = re.compile(rb"<(?:[\w.-]+:)?author>([^<]*)<")
_OBJECTS: Final = re.compile(rb"""ObjectType=["'](\w+)["']""")


class Notes:
    """The comments of the sheet with the part `sheet`; `number` is free for parts."""

    def __init__(self, parts: Parts, sheet: str, *, number: int) -> None:
        self._parts, self._sheet, self._number = parts, sheet, number
        self._old = {
            **parts.of_kind(sheet, "comments"),
            **parts.of_kind(sheet, "vmlDrawing"),
        }
        has_threads = bool(parts.of_kind(sheet, "threadedComment"))
        has_comments = bool(parts.of_kind(sheet, "comments"))
        self.are_kawes = has_comments and not has_threads and self._all_are_kawes()
        """kawe wrote all of them: they go."""
        self.are_theirs = (has_comments or has_threads) and not self.are_kawes
        """The person has some."""
        self._among = self._read() if self.are_theirs else None
        self.are_closed = self.are_theirs and self._among is None
        """kawe writes none beside those of the person."""
        self.types = ""

    def write(self, comments: Sequence[Comment], *, has_boxes: bool) -> str:
        """Write kawe's comments; give the relation to their boxes, or nothing.

        `has_boxes`: the sheet has other ones, such as buttons.
        """
        gone: set[str] = set()
        if self.are_kawes:
            for part in self._old.values():
                self._parts.put(part, None)
            gone.update(self._old)
        if self._among is not None:
            new = self._among.with_own(comments)
            for part, text in zip(self._old.values(), new, strict=True):
                self._parts.put(part, text)
            return ""
        if not comments or self.are_theirs or (has_boxes and not self.are_kawes):
            self._parts.relate(self._sheet, gone=gone)
            return ""
        texts = f"xl/comments{self._number}.xml"
        boxes = f"xl/drawings/vmlDrawing{self._number}.vml"
        self._parts.put(texts, comments_part(comments).encode())
        self._parts.put(boxes, boxes_part(comments).encode())
        more = (
            relation(_COMMENTS, "comments", f"/{texts}"),
            relation(BOXES, "vmlDrawing", f"/{boxes}"),
        )
        self._parts.relate(self._sheet, more=more, gone=gone)
        self.types = override(f"/{texts}", COMMENTS_TYPE)
        return BOXES

    def _read(self) -> Among | None:
        """Read the parts that kawe adds to; None where it cannot."""
        # The relations of one kind stand first.
        parts = [self._parts.text(part) for part in self._old.values()]
        try:
            return Among(*parts) if len(parts) == _TWO else None
        except Unpatchable:
            return None

    def _all_are_kawes(self) -> bool:
        texts = [self._parts.text(part) for part in self._old.values()]
        authors = {name for text in texts for name in _AUTHORS.findall(text)}
        objects = {kind for text in texts for kind in _OBJECTS.findall(text)}
        names = {html.unescape(name.decode()) for name in authors}
        return names <= {AUTHOR} and bool(names) and objects <= {b"Note"}


def kawes_texts(original: Original) -> list[str]:
    """Give the texts of kawe's comments in a sheet, as they are now."""
    package = Package(original.data, name=original.name)
    sheets = read_manifest(package).sheets
    sheet = next(each.part for each in sheets if each.name == original.sheet)
    parts = Parts(package)
    if Notes(parts, sheet, number=0).are_closed:
        return []
    roots = map(package.parse, parts.of_kind(sheet, "comments").values())
    return [text for root in roots if root is not None for text in _own(root)]


def _own(root: Element) -> Iterator[str]:
    """Give the text of each comment that kawe wrote."""
    authors: list[str] = []
    for each in root.iter():
        name = each.tag.rpartition("}")[2]
        if name == "author":
            authors.append(each.text or "")
        if name == "comment":
            number = each.get("authorId") or ""
            is_own = AUTHOR in authors and number == str(authors.index(AUTHOR))
            if is_own:
                yield "".join(each.itertext())
