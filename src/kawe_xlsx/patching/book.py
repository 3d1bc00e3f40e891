"""Writes the person's workbook again: a few parts anew, every other one as packed.

What is written anew: the sheet that was read, the styles, the lists of sheets, of
types and of relations, and a table that kawe's columns belong to. Some workbooks are
left alone: `refuse` says which.
"""

import re
import struct
import zipfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import IO, Final, TypeAlias

from kawe_xlsx.cells import BookError
from kawe_xlsx.limits import MAX_COLUMNS
from kawe_xlsx.patching.notes import Notes
from kawe_xlsx.patching.original import Original
from kawe_xlsx.patching.parts import Parts
from kawe_xlsx.patching.sheet_frame import Added, SheetHead, SheetTail
from kawe_xlsx.patching.sheet_rows import RowEdit, SheetRows
from kawe_xlsx.patching.tinting import TintedStyles
from kawe_xlsx.patching.workbook_part import WorkbookPart
from kawe_xlsx.patching.xml_edits import Part, Unpatchable
from kawe_xlsx.scan.package import Manifest, Package, SheetEntry, read_manifest
from kawe_xlsx.scan.scanning import tally_sheet
from kawe_xlsx.scan.tally import area_of
from kawe_xlsx.scan.xml_scan import plainly
from kawe_xlsx.writing.book import (
    BOXES_TYPE,
    SHEET_PARTS,
    STYLES_TYPE,
    WorkbookWriter,
    new_zip,
    override,
    print_names,
    relation,
    types_of,
)
from kawe_xlsx.writing.page import CellLink, Comment, Printed, hyperlinks, text_cell
from kawe_xlsx.writing.styles import CellStyle, StyleSheet
from kawe_xlsx.writing.text import attribute

_WORKBOOK: Final = "xl/workbook.xml"
_TYPES: Final = "[Content_Types].xml"
_RELATION: Final = "kawe"
_BUFFERED_ROWS: Final = 64
_LINK: Final = "kaweLink"
_STYLES: Final = "xl/styles.xml"
_FREE: Final = 9
"""Numbers after the taken ones: kawe's sheets have the first of them."""
_NUMBER: Final = re.compile(r"(?:sheet|table|comments|drawing|chart)([0-9]{1,6})\.")
_TABLE: Final = re.compile(r"xl/tables/[^/]+\.xml")
IsOwn: TypeAlias = Callable[[str, list[str]], bool]
"""Tells by its name, and all names, a sheet that an earlier run added."""
_ANCHOR: Final = re.compile(rb"<(?:\w+:)?col>([0-9]{1,5})</")
_MALFORMED: Final = (
    *(LookupError, ValueError, ArithmeticError, StopIteration, RecursionError),
    *(BookError, zipfile.BadZipFile, zipfile.LargeZipFile, struct.error),
)
"""What parts bring about that are missing, doubled, cut or full of other things."""
_ODD: Final = "its parts are not as Excel writes them"
_SELECTED: Final = re.compile(rb"""\stabSelected=["'](?:1|true)["']""")


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """How kawe's own cells look, and the fills, as RRGGBB, that it gives to others."""

    cells: tuple[CellStyle, ...]
    tints: frozenset[str]
    heading: str
    """The style of kawe's headings."""


class SheetPatch:
    """The person's sheet, open to be written row by row."""

    def __init__(self, out: IO[bytes], rows: SheetRows) -> None:
        self.links: list[CellLink] = []
        self.comments: list[Comment] = []
        self._out, self._rows = out, rows
        self._waiting: list[bytes] = []

    def write(self, number: int, edit: RowEdit) -> None:
        """Write all rows up to `number`, and edit that one."""
        self._waiting.extend(self._rows.copy_to(number, edit))
        if len(self._waiting) >= _BUFFERED_ROWS:
            self.flush()

    def flush(self) -> None:
        """Write what was held back, for fewer and larger pieces."""
        self._out.write(b"".join(self._waiting))
        self._waiting.clear()


class PatchedBook(WorkbookWriter):
    """The person's workbook, open to be written; `widths` are of kawe's columns."""

    def __init__(
        self,
        archive: zipfile.ZipFile,
        original: Original,
        *,
        look: Look,
        widths: Mapping[str, float],
        is_own: IsOwn,
    ) -> None:
        self._package = package = Package(original.data, name=original.name)
        manifest = read_manifest(package)
        self._original, self._look = original, look
        self._parts = Parts(package)
        self._gone = own_sheets(manifest, is_own=is_own)
        refuse(package, manifest, original=original, gone=self._gone)
        names = {each.name for each in self._gone}
        staying = {e.part.casefold() for e in manifest.sheets if e.name not in names}
        self._staying = staying | {_WORKBOOK, _TYPES.casefold()}
        self._workbook = WorkbookPart(self._parts.text(_WORKBOOK), gone=names)
        self.titles = self._workbook.titles
        """Of the sheets that stay."""
        self._sheet = next(e for e in manifest.sheets if e.name == original.sheet).part
        self._has_styles = bool(self._styles_part())
        text = StyleSheet(()).xml().encode()
        if self._has_styles:
            text = self._parts.text(self._styles_part())
        self.tinted = TintedStyles(text, looks=look.cells, tints=look.tints)
        self._pieces = plain_pieces(package, self._sheet)
        self._head = SheetHead(self._pieces)
        self.columns, self.added = self._columns(widths)
        self.is_first = self._shows_first(manifest)
        """The sheet Results is shown when the workbook is opened."""
        before, self._tables_taken = self._taken()
        self._printed: Mapping[str, str] = {}
        self.notes = Notes(self._parts, self._sheet, number=before + _FREE)
        super().__init__(archive, styles=self.tinted.own, before=before)

    @contextmanager
    def rows(
        self, names: Mapping[str, str], *, printed: Printed | None
    ) -> Iterator[SheetPatch]:
        """Write the sheet of rows; `names` are what kawe's columns are called there.

        `printed` is what of it is printed, unless the person said it.
        """
        if printed is not None and not self._is_set_up():
            self._printed = print_names(
                self._original.sheet, printed, row=self._original.heading_row
            )
        is_printed = bool(self._printed)
        head, style = self._head, self.tinted.own.of_texts[self._look.heading]
        added = self.added.widths
        new = {at: names[name] for name, at in self.columns.items() if at in added}
        rows = SheetRows(
            head.rows,
            styles=self.tinted,
            own=self._original.own.values(),
            heading_row=self._original.heading_row,
            column_styles=head.column_styles(),
            prefix=head.prefix,
        )
        with self._archive.open(self._package.name_of(self._sheet), "w") as out:
            out.write(head.patched(self.added, is_fitted=is_printed))
            sheet = SheetPatch(out, rows)
            cells = {at: text_cell(name, style) for at, name in new.items()}
            sheet.write(self._original.heading_row, RowEdit(cells=cells))
            yield sheet
            sheet.flush()
            out.writelines(rows.rest())
            own = frozenset(self.columns.values())
            tail = SheetTail(rows.tail, prefix=head.prefix, own=own)
            has_boxes = tail.has("legacyDrawing")
            below = tail.patched(
                self.added,
                links="".join(hyperlinks(sheet.links, relation=_LINK)),
                drawing=self.notes.write(sheet.comments, has_boxes=has_boxes),
                drops_boxes=self.notes.are_kawes,
                is_printed=is_printed,
            )
            out.write(below)
        links = [
            relation(f"{_LINK}{number}", "hyperlink", link.url)
            for number, link in enumerate(sheet.links, start=1)
        ]
        self._parts.relate(self._sheet, more=links, gone=tail.relations_of_links())
        self._grow_tables(new)

    def finish(self) -> None:
        """Write every other part."""
        parts, sheets = self._parts, self.in_order()
        listed = self._workbook.patched(
            sheets,
            rows=self._original.sheet,
            relation=_RELATION,
            is_first=self.is_first,
            grown=self._grown,
            printed=self._printed,
        )
        parts.put(_WORKBOOK, listed)
        parts.put(self._styles_part() or _STYLES, self.tinted.xml())
        gone = set(self._workbook.gone_relations)
        for each in self._gone:
            parts.drop_with(each.part)
        if self._gone or self._original.own:
            # It may name formulas in cells that are gone; a program makes it anew.
            for name, part in parts.of_kind(_WORKBOOK, "calcChain").items():
                parts.put(part, None)
                gone.add(name)
        numbers = [each.number for each in sheets]
        more = [
            relation(f"{_RELATION}{at}", "worksheet", f"/{SHEET_PARTS}{at}.xml")
            for at in numbers
        ]
        if not self._has_styles:
            more.append(relation(f"{_RELATION}Styles", "styles", f"/{_STYLES}"))
        parts.relate(_WORKBOOK, more=more, gone=gone)
        self._say_types()
        if parts.dropped() & self._staying:
            raise Unpatchable(_ODD)
        parts.write(self._archive)

    def free_table(self, name: str) -> str:
        """Give a name that no table has."""
        wanted, number = name, 1
        while wanted in self._tables_taken:
            number += 1
            wanted = f"{name}_{number}"
        return wanted

    def _taken(self) -> tuple[int, frozenset[str]]:
        """Give the highest number of a part or a table, and the names of tables."""
        names = self._package.names
        numbers = [int(n) for name in names for n in _NUMBER.findall(name)]
        gone = {
            part
            for each in self._gone
            for part in self._parts.of_kind(each.part, "table").values()
        }
        stay = filter(_TABLE.fullmatch, names - {part.casefold() for part in gone})
        tables = [Part(self._parts.text(name)).root for name in stay]
        numbers += [int(each.get("id") or 0) for each in tables]
        taken = {(each.get("displayName") or "").casefold() for each in tables}
        return max(numbers, default=0), frozenset(taken)

    def _say_types(self) -> None:
        types = Part(self._parts.text(_TYPES))
        gone = self._parts.dropped()
        said = set()
        for each in types.children:
            name = (each.get("PartName") or "").lstrip("/").casefold()
            said.add(name or (each.get("Extension") or "").casefold())
            if name in gone:
                types.drop(each)
        if self.notes.types and "vml" not in said:
            first = f'<Default Extension="vml" ContentType="{BOXES_TYPE}"/>'
            types.insert(types.root.inner, first.encode())
        more = self.notes.types + "".join(map(types_of, self.sheets))
        if not self._has_styles:
            more += override(f"/{_STYLES}", STYLES_TYPE)
        types.fill(types.root, more.encode())
        self._parts.put(_TYPES, types.done())

    def _styles_part(self) -> str:
        return next(iter(self._parts.of_kind(_WORKBOOK, "styles").values()), "")

    def _columns(self, widths: Mapping[str, float]) -> tuple[dict[str, int], Added]:
        """Say where kawe's columns stand: where they stood, else right of all."""
        own = self._original.own
        merges, reach = self._original.merges, self._original.reach
        if reach is None:
            scan = tally_sheet(self._package, SheetEntry(name="", part=self._sheet))
            merges, reach = scan.merges, (scan.last_row, scan.last_column)
        areas = [area_of(ref) for _, ref in self._tables()]
        last = max(
            reach[1],
            *self._original.columns,
            *own.values(),
            *(area.last_column for area in merges),
            *(area.last_column for area in areas if area is not None),
            *self._pictures(),
        )
        new = [name for name in widths if name not in own]
        if last + len(new) > MAX_COLUMNS:
            raise Unpatchable(
                f"it has no room for kawe's columns among the first {MAX_COLUMNS}"
            )
        places = {name: last + at for at, name in enumerate(new, start=1)}
        columns = {name: own.get(name) or places[name] for name in widths}
        added = Added(
            widths={places[name]: widths[name] for name in new},
            heading_row=self._original.heading_row,
            last_column=last + len(new),
            last_row=reach[0],
        )
        return columns, added

    def _is_set_up(self) -> bool:
        return self._workbook.names_print(self._original.sheet) or any(
            b"pageSetup" in piece for piece in self._package.stream_xml(self._sheet)
        )

    def _tables(self) -> Iterator[tuple[str, str]]:
        """Give the part and the area of each table of the sheet."""
        for part in self._parts.of_kind(self._sheet, "table").values():
            yield part, Part(self._parts.text(part)).root.get("ref") or ""

    def _pictures(self) -> Iterator[int]:
        """Give the columns that pictures and charts reach."""
        for part in self._parts.of_kind(self._sheet, "drawing").values():
            for column in _ANCHOR.findall(self._parts.text(part)):
                if int(column) < MAX_COLUMNS // 2:
                    yield int(column) + 1

    def _grow_tables(self, new: Mapping[int, str]) -> None:
        """Take kawe's columns into the table beside them, so that they sort with it."""
        for part, ref in self._tables():
            table = Part(self._parts.text(part))
            grown = self.added.grown(ref)
            columns = table.child("tableColumns")
            is_headed = table.root.get("headerRowCount") in {None, "1"}
            is_plain = table.root.get("tableType") in {None, "worksheet"}
            if grown is None or columns is None or not is_headed or not is_plain:
                continue
            there = table.within(columns)
            first = max(int(each.get("id") or 0) for each in there) + 1
            more = "".join(
                f'<tableColumn id="{number}" name="{attribute(name)}"/>'
                for number, (_, name) in enumerate(sorted(new.items()), start=first)
            )
            table.set(table.root, ref=grown)
            if (filtered := table.child("autoFilter")) is not None:
                wider = self.added.grown(filtered.get("ref") or "")
                table.set(filtered, ref=wider or filtered.get("ref"))
            table.fill(columns, more.encode(), count=len(there) + len(new))
            self._parts.put(part, table.done())

    def _grown(self, sheet: str, area: str) -> str | None:
        return self.added.grown(area) if sheet == self._original.sheet else None

    def _shows_first(self, manifest: Manifest) -> bool:
        """Say whether no other sheet is shown first: two would be changed together."""
        gone = {each.part for each in self._gone}
        return not any(
            _SELECTED.search(next(self._package.stream_xml(each.part)))
            for each in manifest.sheets
            if each.part and each.part != self._sheet and each.part not in gone
        )


@contextmanager
def patched_book(
    file: IO[bytes],
    original: Original,
    *,
    look: Look,
    widths: Mapping[str, float],
    is_own: IsOwn = lambda *_: False,
) -> Iterator[PatchedBook]:
    """Write the person's workbook to `file`, complete after a block with sheets."""
    try:
        with new_zip(file) as archive:
            book = PatchedBook(
                archive, original, look=look, widths=widths, is_own=is_own
            )
            yield book
            if book.sheets:
                book.finish()
    except _MALFORMED as why:
        raise Unpatchable(_ODD) from why


_SIGNED: Final = "_xmlsignatures/"


def refuse(
    package: Package, manifest: Manifest, *, original: Original, gone: list[SheetEntry]
) -> None:
    """Refuse a workbook that must not be changed."""
    if any(name.startswith(_SIGNED) for name in package.names):
        raise Unpatchable("it is signed, and any change would break the signature")
    if manifest.counts_from_1904:
        raise Unpatchable("it counts days from 1904")
    if original.sheet in {each.name for each in gone}:
        raise Unpatchable("its rows stand on a sheet of kawe's")


def own_sheets(manifest: Manifest, *, is_own: IsOwn) -> list[SheetEntry]:
    """Give kawe's sheets of an earlier result, if it is one."""
    if not any(each.is_own for each in manifest.sheets):
        return []
    names = [each.name for each in manifest.sheets]
    return [e for e in manifest.sheets if e.is_own or is_own(e.name, names)]


def plain_pieces(package: Package, part: str) -> Iterator[bytes]:
    """Give the XML of a sheet without what hides tags from a search."""
    opened = closed = 0
    before = b""
    for piece in package.stream_xml(part):
        if b"<!" in before[-1:] + piece:
            return plainly(package, part)
        # Quicker than to count what is there so often.
        opened += len(piece) - len(piece.translate(None, b"<"))
        closed += len(piece) - len(piece.translate(None, b">"))
        before = piece
    return package.stream_xml(part) if opened == closed else plainly(package, part)
