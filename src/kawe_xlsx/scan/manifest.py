"""The list of sheets of an .xlsx: their parts, and which are hidden."""

import posixpath
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final
from xml.etree.ElementTree import Element

from kawe_xlsx.cells import OWN_SHEET, ROWS_SHEET, BookError
from kawe_xlsx.limits import MAX_SHEETS
from kawe_xlsx.scan.package import Package, damaged, local_name
from kawe_xlsx.scan.tally import area_of

_WORKBOOK: Final = "xl/workbook.xml"
_TRUE: Final = frozenset({"1", "true"})


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetEntry:
    """One sheet as the workbook lists it."""

    name: str
    part: str = ""
    """The part with its XML; empty without one, as for a chart."""
    is_hidden: bool = False
    is_own: bool = False
    """kawe wrote it into a result."""
    is_read: bool = False
    """It is the one of several lists that this result is of."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """The sheets of one workbook in their order."""

    sheets: tuple[SheetEntry, ...]
    counts_from_1904: bool
    """Days count from 1904, as in old Excel for Mac."""


def read_manifest(package: Package) -> Manifest:
    """Read which sheets `package` has."""
    if (root := package.parse(_WORKBOOK)) is None:
        raise damaged(package.name)
    targets = relations(package, _WORKBOOK)
    own, rows = {*_named(root, OWN_SHEET)}, next(_named(root, ROWS_SHEET), None)
    sheets = tuple(
        SheetEntry(
            name=(name := element.get("name", "")),
            part=_sheet_part(package, targets, element),
            is_hidden=element.get("state", "visible") != "visible",
            is_own=name in own,
            is_read=name == rows,
        )
        for element in root.iter()
        if local_name(element.tag) == "sheet"
    )
    if len(sheets) > MAX_SHEETS:
        raise BookError(
            message=f"“{package.name}” has more than {MAX_SHEETS} sheets.",
            hint="Copy the sheet with the rows into a new workbook and save that.",
        )
    # Excel gives no two sheets one name or part: a small file could otherwise name one
    # large sheet a thousand times.
    names = {sheet.name.casefold() for sheet in sheets}
    parts = [sheet.part.casefold() for sheet in sheets if sheet.part]
    if not sheets or len(names) < len(sheets) or len(set(parts)) < len(parts):
        raise damaged(package.name)
    return Manifest(
        sheets=sheets,
        counts_from_1904=any(
            element.get("date1904", "").casefold() in _TRUE
            for element in root
            if local_name(element.tag) == "workbookPr"
        ),
    )


def _named(root: Element, beginning: str) -> Iterator[str]:
    """Give the sheets that names with this beginning point at."""
    for element in root.iter():
        is_name = local_name(element.tag) == "definedName"
        if is_name and element.get("name", "").startswith(beginning):
            yield _sheet_named(element.text or "")


def _sheet_named(reference: str) -> str:
    """Give the sheet of a reference such as 'Results'!$A$1."""
    name = reference.rpartition("!")[0]
    return name[1:-1].replace("''", "'") if name.startswith("'") else name


def totals_rows(package: Package, sheet: SheetEntry) -> frozenset[int]:
    """Find the rows of `sheet` that are the totals of an Excel table."""
    rows: set[int] = set()
    for kind, target in relations(package, sheet.part).values():
        table = package.parse(target) if kind == "table" else None
        if table is not None and table.get("totalsRowCount", "0") != "0":
            area = area_of(table.get("ref", ""))
            rows.update([area.last_row] if area is not None else [])
    return frozenset(rows)


def _sheet_part(
    package: Package, targets: dict[str, tuple[str, str]], element: Element
) -> str:
    """Find the XML of a listed sheet; empty for charts and dialogs."""
    wanted = next(
        (value for key, value in element.items() if local_name(key) == "id"), ""
    )
    kind, part = targets.get(wanted, ("", ""))
    if kind != "worksheet":
        return ""
    if not package.has(part):
        raise damaged(package.name)
    return part


def relations(package: Package, part: str) -> dict[str, tuple[str, str]]:
    """Give the kind and the target of each relation of `part`, by its id."""
    folder, file = posixpath.split(part)
    if (root := package.parse(f"{folder}/_rels/{file}.rels")) is None:
        return {}
    return {
        element.get("Id", ""): (
            element.get("Type", "").rpartition("/")[2],
            posixpath.normpath(
                posixpath.join("/", folder, element.get("Target", ""))
            ).lstrip("/"),
        )
        for element in root
        if element.get("TargetMode", "Internal") != "External"
    }
