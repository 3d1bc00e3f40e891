"""The part that lists the sheets of a workbook and its names."""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Final

from kawe_xlsx.cells import OWN_SHEET, ROWS_SHEET
from kawe_xlsx.patching.xml_edits import Element, Part, Unpatchable, values_of
from kawe_xlsx.writing.book import local_name, names_of, quoted_sheet
from kawe_xlsx.writing.page import RELATIONS, SheetWriter
from kawe_xlsx.writing.text import attribute, escaped

_CORNER: Final = re.compile("([A-Z]+)([0-9]+)")
_BEFORE_NAMES: Final = ("sheets", "functionGroups", "externalReferences")


class WorkbookPart:
    """The part, and the sheets that stay; `gone` are kawe's earlier sheets."""

    def __init__(self, text: bytes, *, gone: Collection[str]) -> None:
        self._part = Part(text)
        sheets = self._part.child("sheets")
        if sheets is None or b"purl.oclc.org" in self._part.root.attributes:
            raise Unpatchable("it is saved as “Strict Open XML”")
        self._sheets = sheets
        self._listed = self._part.within(sheets)
        self._gone = [each for each in self._listed if each.get("name") in gone]
        self.gone_relations = frozenset(_relation_of(each) for each in self._gone)
        stay = [at for at, each in enumerate(self._listed) if each not in self._gone]
        # The sheet Results stands in front of theirs.
        self._new_places = {at: place for place, at in enumerate(stay, start=1)}
        self.titles = tuple(self._listed[at].get("name") or "" for at in stay)

    def patched(
        self,
        sheets: Sequence[SheetWriter],
        *,
        rows: str,
        relation: str,
        is_first: bool,
        grown: Callable[[str, str], str | None],
        printed: Mapping[str, str],
    ) -> bytes:
        """Give it with kawe's sheets: the first in front, the others behind.

        `rows` is the sheet that was read; `grown` gives the wider area of a filter on a
        sheet, by both names; `printed` are the names that say how `rows` is printed.
        """
        part, listed = self._part, self._listed
        ids = [int(each.get("sheetId") or 0) for each in listed]
        new = [
            f'<sheet name="{attribute(sheet.shape.title)}" sheetId="{number}" '
            f'xmlns:r="{RELATIONS}" r:id="{relation}{sheet.number}"/>'
            for number, sheet in enumerate(sheets, start=max(ids, default=0) + 1)
        ]
        for each in self._gone:
            part.drop(each)
        part.insert(self._sheets.inner, new[0].encode())
        part.fill(self._sheets, "".join(new[1:]).encode())
        self._show(is_first=is_first)
        at = self.titles.index(rows) + 1
        more = "".join(local_name(name, area, at=at) for name, area in printed.items())
        self._name(sheets, rows=rows, grown=grown, more=more)
        return part.done()

    def names_print(self, sheet: str) -> bool:
        """Say whether a name says what of `sheet` is printed."""
        names = self._part.within(self._part.child("definedNames"))
        at = [each.get("name") for each in self._listed].index(sheet)
        return any(
            each.get("localSheetId") == str(at)
            and (each.get("name") or "").startswith("_xlnm.Print_")
            for each in names
        )

    def _show(self, *, is_first: bool) -> None:
        """Keep the sheet that a program shows first, or show Results."""
        for view in self._part.within(self._part.child("bookViews")):
            place = self._new_places.get(int(view.get("activeTab") or "0"), 0)
            shown = None if is_first else str(place)
            self._part.set(view, activeTab=shown, firstSheet=None)

    def _name(
        self,
        sheets: Sequence[SheetWriter],
        *,
        rows: str,
        grown: Callable[[str, str], str | None],
        more: str,
    ) -> None:
        part = self._part
        names = part.child("definedNames")
        last = len(self.titles) + 1
        places = [0, *range(last, last + len(sheets) - 1)]
        new = "".join(
            name
            for at, sheet in zip(places, sheets, strict=True)
            for name in names_of(sheet, at=at)
        )
        new += more + (
            f'<definedName name="{ROWS_SHEET}" hidden="1">'
            f"{escaped(quoted_sheet(rows))}!$A$1</definedName>"
        )
        for each in part.within(names):
            self._rename(each, grown=grown)
        if names is not None:
            part.fill(names, new.encode())
            return
        there = [part.child(name) for name in _BEFORE_NAMES]
        end = max(each.end for each in there if each is not None)
        part.insert(end, b"<definedNames>%b</definedNames>" % new.encode())

    def _rename(
        self, name: Element, *, grown: Callable[[str, str], str | None]
    ) -> None:
        """Move a name with its sheet, and drop those of sheets that are gone."""
        part = self._part
        said = name.get("name") or ""
        place = name.get("localSheetId")
        if said.startswith((OWN_SHEET, ROWS_SHEET)):
            part.drop(name)
            return
        if place is None:
            return
        if int(place) not in self._new_places:
            part.drop(name)
            return
        part.set(name, localSheetId=str(self._new_places[int(place)]))
        if said == "_xlnm._FilterDatabase":
            sheet = self._listed[int(place)].get("name") or ""
            text = part.text[name.inner : name.inner_end].decode()
            title, _, area = text.rpartition("!")
            if (wider := grown(sheet, area.replace("$", ""))) is not None:
                fixed = _CORNER.sub(r"$\1$\2", wider)
                # The title is escaped there already.
                part.rewrite(name, f"{title}!{fixed}".encode())


def _relation_of(sheet: Element) -> str:
    values = values_of(sheet.attributes).items()
    return next((value for key, value in values if key.rpartition(":")[2] == "id"), "")
