"""What stands above and below the rows of a sheet's XML."""

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import chain
from typing import Final

from kawe_xlsx.cells import column_letters
from kawe_xlsx.patching.xml_edits import (
    Edits,
    Element,
    Unpatchable,
    elements,
    values_of,
    with_attribute,
    within,
)
from kawe_xlsx.scan.tally import area_of
from kawe_xlsx.writing.page import RELATIONS, print_set_up

_DATA: Final = re.compile(rb"<([\w.-]+:)?sheetData(?=[\s/>])[^<>]*>")
_MOST_FROZEN: Final = 10
"""So many heading rows leave room on a screen."""
_ORDER: Final = (
    *("sheetCalcPr", "sheetProtection", "protectedRanges", "scenarios", "autoFilter"),
    *("sortState", "dataConsolidate", "customSheetViews", "mergeCells", "phoneticPr"),
    *("conditionalFormatting", "dataValidations", "hyperlinks", "printOptions"),
    *("pageMargins", "pageSetup", "headerFooter", "rowBreaks", "colBreaks"),
    *("customProperties", "cellWatches", "ignoredErrors", "smartTags", "drawing"),
    *("legacyDrawing", "legacyDrawingHF", "drawingHF", "picture", "oleObjects"),
    *("AlternateContent", "controls", "webPublishItems", "tableParts", "extLst"),
)
"""The order that Excel asks for (ECMA-376 part 1, 18.3.1.99)."""
_MOST_COLUMNS: Final = 16_384
_MOST_BYTES: Final = 2**24


@dataclass(frozen=True, slots=True, kw_only=True)
class Added:
    """The columns that kawe adds at the right, and the rows of the table there."""

    widths: Mapping[int, float]
    """By column, in characters."""
    heading_row: int
    last_column: int
    """Of all that the sheet has then."""
    last_row: int

    def grown(self, reference: str) -> str | None:
        """Give the area of a table that takes in the columns; None: it stays."""
        area = area_of(reference)
        if area is None or not self.widths or area.first_row != self.heading_row:
            return None
        is_beside = area.last_column == min(self.widths) - 1
        return str(replace(area, last_column=max(self.widths))) if is_beside else None


class SheetHead:
    """The XML of a sheet up to its first row."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        text, data = b"", None
        while data is None and len(text) < _MOST_BYTES:
            piece = next(pieces, b"")
            text += piece
            data = _DATA.search(text)
            if not piece:
                break
        if data is None or data[0].endswith(b"/>"):
            raise Unpatchable("its XML is not as Excel writes it")
        self.rows = chain((text[data.end() :],), pieces)
        """The XML from the first row on."""
        self._text, self._data = text[: data.end()], data.start()
        start = re.search(rb"<(?:[\w.-]+:)?worksheet\b[^<>]*>", self._text)
        if start is None or b"purl.oclc.org" in start[0]:
            raise Unpatchable("it is saved as “Strict Open XML”")
        self._start = start.end()
        self._children = {
            each.name: each for each in elements(self._text, start.end(), self._data)
        }
        self.prefix = data[1] or b""

    def column_styles(self) -> dict[int, int]:
        """Give the style of empty cells by column; up to the last that kawe reads."""
        return {
            column: int(each.get("style") or 0)
            for each in self._columns()
            for column in range(_first(each), min(_last(each), 200) + 1)
        }

    def patched(self, added: Added, *, is_fitted: bool) -> bytes:
        """Give it with kawe's columns and frozen headings, and not selected.

        With `is_fitted` it is printed as wide as the paper.
        """
        edits = Edits(self._text, prefix=self.prefix)
        if (dimension := self._children.get("dimension")) is not None:
            last = f"{column_letters(added.last_column)}{added.last_row}"
            edits.set(dimension, ref=f"A1:{last}")
        if is_fitted:
            self._fit(edits)
        self._freeze(edits, added)
        self._widen(edits, added)
        return edits.done()

    def _fit(self, edits: Edits) -> None:
        fit = b'<pageSetUpPr fitToPage="1"/>'
        if (there := self._children.get("sheetPr")) is None:
            edits.insert(self._start, b"<sheetPr>%b</sheetPr>" % fit)
            return
        inside = within(self._text, there)
        said = next((each for each in inside if each.name == "pageSetUpPr"), None)
        if said is None:
            edits.fill(there, fit)
        else:
            edits.set(said, fitToPage="1")

    def _freeze(self, edits: Edits, added: Added) -> None:
        row = added.heading_row
        below = f"A{row + 1}"
        pane = (
            f'<pane ySplit="{row}" topLeftCell="{below}" activePane="bottomLeft" '
            'state="frozen"/>'
        )
        fits, views = row <= _MOST_FROZEN, self._children.get("sheetViews")
        for view in within(self._text, views):
            if view.name != "sheetView":
                continue
            has_pane = any(each.name == "pane" for each in within(self._text, view))
            is_page = view.get("view") not in {None, "normal"}
            freezes = fits and not has_pane and not is_page
            gone = ("tabSelected", "topLeftCell") if freezes else ("tabSelected",)
            edits.set(view, **dict.fromkeys(gone))
            if freezes and view.is_empty:
                edits.fill(view, pane.encode())
            elif freezes:
                edits.insert(view.inner, pane.encode())
        if views is None and fits:
            view_of_all = f'<sheetView workbookViewId="0">{pane}</sheetView>'
            new = f"<sheetViews>{view_of_all}</sheetViews>"
            edits.insert(self._before("sheetFormatPr", "cols"), new.encode())

    def _widen(self, edits: Edits, added: Added) -> None:
        """Give kawe's new columns their widths, and take them out of wider runs."""
        if not added.widths:
            return
        first, last = min(added.widths), max(added.widths)
        own = "".join(
            f'<col min="{at}" max="{at}" width="{width:g}" customWidth="1"/>'
            for at, width in added.widths.items()
        ).encode()
        before = b"".join(self._runs(first=1, last=first - 1))
        behind = b"".join(self._runs(first=last + 1, last=_MOST_COLUMNS))
        edits.insert(self._data, b"<cols>%b</cols>" % (before + own + behind))
        if "cols" in self._children:
            edits.drop(self._children["cols"])

    def _runs(self, *, first: int, last: int) -> Iterator[bytes]:
        """Give the widths of the columns from `first` to `last`."""
        for each in self._columns():
            begin, end = max(_first(each), first), min(_last(each), last)
            if begin <= end:
                attributes = with_attribute(each.attributes, "min", str(begin))
                yield b"<col%b/>" % with_attribute(attributes, "max", str(end))

    def _before(self, *names: str) -> int:
        there = (self._children[name].start for name in names if name in self._children)
        return min(there, default=self._data)

    def _columns(self) -> list[Element]:
        return within(self._text, self._children.get("cols"))


class SheetTail:
    """The XML of a sheet below its last row; `own` are kawe's columns."""

    def __init__(self, text: bytes, *, prefix: bytes, own: Collection[int]) -> None:
        end = text.rfind(b"</%bworksheet" % prefix)
        begin = text.find(b">") + 1
        if end < 0 or not begin:
            raise Unpatchable("its XML is not as Excel writes it")
        self._text, self._prefix, self._end, self._own = text, prefix, end, own
        self._children = list(elements(text, begin, end))

    def patched(
        self,
        added: Added,
        *,
        links: str,
        drawing: str,
        drops_boxes: bool,
        is_printed: bool,
    ) -> bytes:
        """Give it with links, boxes of comments and a wider filter.

        `drawing` is the relation to the boxes, if any; `drops_boxes`: those that the
        sheet has are kawe's, and gone. `is_printed`: kawe says how, since nobody did.
        """
        edits = Edits(self._text, prefix=self._prefix)
        for each in self._children:
            grown = added.grown(each.get("ref") or "")
            if each.name == "autoFilter" and grown is not None:
                edits.set(each, ref=grown)
        self._link(edits, links.encode())
        for name, element in print_set_up().items() if is_printed else ():
            if not self.has(name):
                edits.insert(self._place(name), element.encode())
        old = self._child("legacyDrawing")
        if old is not None and drops_boxes:
            edits.drop(old)
        if drawing:
            box = f'<legacyDrawing xmlns:r="{RELATIONS}" r:id="{drawing}"/>'
            edits.insert(self._place("legacyDrawing"), box.encode())
        return edits.done()

    def has(self, name: str) -> bool:
        return self._child(name) is not None

    def relations_of_links(self) -> frozenset[str]:
        """Name the relations that links in kawe's columns use, which are gone."""
        return frozenset(
            value
            for each in self._of_own(self._child("hyperlinks"))
            for key, value in values_of(each.attributes).items()
            if key.endswith(":id")
        )

    def _link(self, edits: Edits, links: bytes) -> None:
        if (there := self._child("hyperlinks")) is None:
            if links:
                whole = b"<hyperlinks>%b</hyperlinks>" % links
                edits.insert(self._place("hyperlinks"), whole)
            return
        gone = self._of_own(there)
        if len(gone) == len(within(self._text, there)) and not links:
            edits.drop(there)
            return
        for each in gone:
            edits.drop(each)
        edits.fill(there, links)

    def _of_own(self, links: Element | None) -> list[Element]:
        return [
            each
            for each in within(self._text, links)
            if (area := area_of(each.get("ref") or ""))
            and area.first_column in self._own
        ]

    def _child(self, name: str) -> Element | None:
        return next((each for each in self._children if each.name == name), None)

    def _place(self, name: str) -> int:
        later = _ORDER[_ORDER.index(name) + 1 :]
        starts = (each.start for each in self._children if each.name in later)
        return next(starts, self._end)


def _first(column: Element) -> int:
    return int(column.get("min") or 0)


def _last(column: Element) -> int:
    return int(column.get("max") or 0)
