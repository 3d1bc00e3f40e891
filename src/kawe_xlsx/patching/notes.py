"""The comments of the person's sheet, and those of kawe beside them.

A sheet has one part of comments and one of boxes. kawe writes both anew where nobody
else has a comment, adds to both where they are as Excel writes them, and else writes
none. Others' comments stay, byte for byte; a cell that has one gets none of kawe's.
"""

import html
import re
from collections.abc import Iterator, Sequence
from typing import Final
from xml.etree.ElementTree import Element

from kawe_xlsx.patching.original import Original
from kawe_xlsx.patching.parts import Parts
from kawe_xlsx.patching.xml_edits import Part, Unpatchable
from kawe_xlsx.scan.package import Package, local_name, read_manifest, relations
from kawe_xlsx.scan.tally import position_of
from kawe_xlsx.writing.book import COMMENTS_TYPE, override, relation
from kawe_xlsx.writing.comments import (
    AUTHOR,
    BOX_SHAPE,
    SPACES,
    box,
    boxes_part,
    comment_of,
    comments_part,
)
from kawe_xlsx.writing.page import Comment

BOXES: Final = "kaweBoxes"
_COMMENTS: Final = "kaweComments"
_AUTHORS: Final = re.compile(rb"<(?:[\w.-]+:)?author>([^<]*)<")
_OBJECTS: Final = re.compile(rb"""ObjectType=["'](\w+)["']""")


class Notes:
    """The comments of the sheet with the part `sheet`; `number` is free for parts."""

    def __init__(self, parts: Parts, sheet: str, *, number: int) -> None:
        self._parts, self._sheet, self._number = parts, sheet, number
        comments = parts.of_kind(sheet, "comments")
        self._old = comments | parts.of_kind(sheet, "vmlDrawing")
        has_threads = bool(parts.of_kind(sheet, "threadedComment"))
        self.are_kawes = bool(comments) and not has_threads and self._all_are_kawes()
        """kawe wrote all of them: they go."""
        self.are_theirs = bool(comments or has_threads) and not self.are_kawes
        """The person has some."""
        self._among = self._read() if self.are_theirs else None
        self.are_closed = self.are_theirs and self._among is None
        """kawe writes none beside those of the person."""
        self.types = ""

    def write(self, comments: Sequence[Comment], *, has_boxes: bool) -> str:
        """Write kawe's comments; give the relation to their boxes, or nothing.

        `has_boxes`: the sheet has other ones, such as buttons.
        """
        gone = self._old if self.are_kawes else {}
        for part in gone.values():
            self._parts.put(part, None)
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

    def _read(self) -> "Among | None":
        """Read the parts that kawe adds to; None where it cannot."""
        # The relations of one kind stand first.
        parts = [self._parts.text(part) for part in self._old.values()]
        try:
            return Among(*parts) if len(parts) == 2 else None
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
    every = _comments(package, sheet)
    return ["".join(each.itertext()) for author, each in every if author == AUTHOR]


def commented_rows(package: Package, sheet: str) -> frozenset[int]:
    """Find the rows of a sheet with a comment that is not kawe's."""
    every = _comments(package, sheet)
    cells = (position_of(e.get("ref", "")) for author, e in every if author != AUTHOR)
    return frozenset(at[0] for at in cells if at)


def _comments(package: Package, sheet: str) -> Iterator[tuple[str, Element]]:
    """Give each comment of a sheet, and before it who wrote it."""
    for kind, target in relations(package, sheet).values():
        root = package.parse(target) if kind == "comments" else None
        authors: dict[str, str] = {}
        for each in () if root is None else root.iter():
            if local_name(each.tag) == "author":
                authors[str(len(authors))] = each.text or ""
            elif local_name(each.tag) == "comment":
                yield authors.get(each.get("authorId", ""), ""), each


_ROW: Final = re.compile(rb"<x:Row>\s*([0-9]{1,7})\s*</x:Row>")
_COLUMN: Final = re.compile(rb"<x:Column>\s*([0-9]{1,5})\s*</x:Column>")
_NUMBER: Final = re.compile(rb"_s([0-9]{1,9})\b")
_FIRST_BOX: Final = 1_024


class Among:
    """The parts of a sheet's comments and of its boxes, as Excel writes them."""

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
