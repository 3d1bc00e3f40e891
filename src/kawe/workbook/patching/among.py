"""kawe's comments in a sheet that has others: those stay, byte for byte.

A cell has one comment, so one that has somebody's gets none of kawe's.
"""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from typing import Final

from kawe.workbook.patching.xml_edits import Part, Unpatchable
from kawe.workbook.xlsx.comments import AUTHOR, BOX_SHAPE, SPACES, box, comment_of
from kawe.workbook.xlsx.page import Comment

_ROW: Final = re.compile(rb"<x:Row>\s*([0-9]{1,7})\s*</x:Row>")
_COLUMN: Final = re.compile(rb"<x:Column>\s*([0-9]{1,5})\s*</x:Column>")
_NUMBER: Final = re.compile(rb"_s([0-9]{1,9})\b")
_FIRST_BOX: Final = 1_024


class Among:
    """The part of the comments of a sheet and the part of its boxes.

    Raises:
        Unpatchable: One is not as Excel writes it.
    """

    def __init__(self, texts: bytes, boxes: bytes) -> None:
        self._texts, self._boxes = Part(texts), Part(boxes)
        spaces = {f"xmlns:{name}": space for name, space in SPACES.items()}
        root, authors = self._boxes.root, self._texts.child("authors")
        listed = self._texts.child("commentList")
        if any(root.get(name) != space for name, space in spaces.items()):
            raise Unpatchable("the boxes of its comments are not as Excel writes them")
        if authors is None or listed is None or not self._texts.within(authors):
            raise Unpatchable("its comments are not as Excel writes them")
        self._authors, self._listed = authors, listed

    def with_own(self, comments: Sequence[Comment]) -> tuple[bytes, bytes]:
        """Give both parts with these comments of kawe in place of earlier ones."""
        texts, boxes = self._texts, self._boxes
        names = [
            html.unescape(texts.text[each.inner : each.inner_end].decode())
            for each in texts.within(self._authors)
        ]
        if AUTHOR not in names:
            names.append(AUTHOR)
            texts.fill(self._authors, f"<author>{AUTHOR}</author>".encode())
        own = names.index(AUTHOR)
        theirs, gone = set(), set()
        for each in texts.within(self._listed):
            cell = each.get("ref") or ""
            if each.get("authorId") == str(own):
                texts.drop(each)
                gone.add(cell)
            else:
                theirs.add(cell)
        new = [each for each in comments if each.cell not in theirs]
        said = "".join(comment_of(each, author=own) for each in new)
        texts.fill(self._listed, said.encode())
        for shape in boxes.children:
            if shape.name == "shape" and self._cell_of(shape.inner, shape.end) in gone:
                boxes.drop(shape)
        last = max(map(int, _NUMBER.findall(boxes.text)), default=_FIRST_BOX)
        drawn = "".join(box(each, number=last + at) for at, each in enumerate(new, 1))
        is_known = b'id="_x0000_t202"' in boxes.text
        boxes.fill(boxes.root, f"{'' if is_known else BOX_SHAPE}{drawn}".encode())
        return texts.done(), boxes.done()

    def _cell_of(self, start: int, end: int) -> str:
        row = _ROW.search(self._boxes.text, start, end)
        column = _COLUMN.search(self._boxes.text, start, end)
        if row is None or column is None:
            return ""
        return Comment(row=int(row[1]) + 1, column=int(column[1]) + 1, text="").cell
