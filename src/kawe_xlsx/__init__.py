"""An .xlsx that nobody has to trust: scanned, written as a stream, and patched.

It knows nothing of kawe, and stands on defusedxml alone:

- `scan`: `Package` opens the zip within `limits`, `read_manifest` names the sheets,
  `scan_sheet` finds what a reader of values does not show: strays, errors, merges,
  hidden rows; `struck_rows` those that are crossed out.
- `writing`: `new_book` writes sheets row by row, the same bytes for the same rows.
- `patching`: `patched_book` gives a workbook back with columns and sheets more, and
  every other byte as it was; `Unpatchable` says why it cannot.
- `cells`: raw values, addresses and texts that are safe; `BookError`.

Names are loaded when they are asked for, so that `cells` costs nothing more::

    package = Package(path.read_bytes(), name=path.name)
    for sheet in read_manifest(package).sheets:
        print(sheet.name, scan_sheet(package, sheet).tally.last_row)
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from kawe_xlsx.cells import BookError as BookError
    from kawe_xlsx.patching.book import Look as Look
    from kawe_xlsx.patching.book import patched_book as patched_book
    from kawe_xlsx.patching.original import Original as Original
    from kawe_xlsx.patching.sheet_rows import RowEdit as RowEdit
    from kawe_xlsx.patching.xml_edits import Unpatchable as Unpatchable
    from kawe_xlsx.scan.manifest import read_manifest as read_manifest
    from kawe_xlsx.scan.package import Package as Package
    from kawe_xlsx.scan.scanning import scan_sheet as scan_sheet
    from kawe_xlsx.scan.strike import struck_rows as struck_rows
    from kawe_xlsx.writing.book import new_book as new_book
    from kawe_xlsx.writing.page import Shape as Shape
    from kawe_xlsx.writing.page import text_cell as text_cell
    from kawe_xlsx.writing.styles import CellStyle as CellStyle
    from kawe_xlsx.writing.styles import StyleSheet as StyleSheet

_PLACES: Final = {
    "cells": ["BookError"],
    "patching.book": ["Look", "patched_book"],
    "patching.original": ["Original"],
    "patching.sheet_rows": ["RowEdit"],
    "patching.xml_edits": ["Unpatchable"],
    "scan.manifest": ["read_manifest"],
    "scan.package": ["Package"],
    "scan.scanning": ["scan_sheet"],
    "scan.strike": ["struck_rows"],
    "writing.book": ["new_book"],
    "writing.page": ["Shape", "text_cell"],
    "writing.styles": ["CellStyle", "StyleSheet"],
}


def __getattr__(name: str) -> object:
    for place, names in _PLACES.items():
        if name in names:
            return getattr(import_module(f"{__name__}.{place}"), name)
    raise AttributeError(name)
