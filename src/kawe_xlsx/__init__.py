"""An .xlsx that nobody has to trust: scanned, written as a stream, and patched.

It knows nothing of kawe, and stands on defusedxml alone:

- `scan`: `Package` opens the zip within `limits`, `read_manifest` names the sheets,
  `scan_sheet` finds what a reader of values does not show: strays, errors, merges,
  hidden and struck-through rows.
- `writing`: `new_book` writes sheets row by row, the same bytes for the same rows.
- `patching`: `patched_book` gives a workbook back with columns and sheets more, and
  every other byte as it was; `Unpatchable` says why it cannot.
- `cells`: raw values, addresses and texts that are safe; `BookError`.

Names are loaded when they are asked for, so that `cells` costs nothing more::

    package = Package(path.read_bytes(), name=path.name)
    for sheet in read_manifest(package).sheets:
        print(sheet.name, scan_sheet(package, sheet).tally.last_row)
"""

from importlib import import_module
from typing import Any, Final

_PLACES: Final = {
    "cells": ["BookError"],
    "patching.book": ["Look", "patched_book"],
    "patching.original": ["Original"],
    "patching.sheet_rows": ["RowEdit"],
    "patching.xml_edits": ["Unpatchable"],
    "scan.package": ["Package", "read_manifest"],
    "scan.scanning": ["scan_sheet"],
    "writing.book": ["new_book"],
    "writing.page": ["Shape", "text_cell"],
    "writing.styles": ["CellStyle", "StyleSheet"],
}


def __getattr__(name: str) -> Any:  # noqa: ANN401 - whatever is offered
    for place, names in _PLACES.items():
        if name in names:
            return getattr(import_module(f"{__name__}.{place}"), name)
    raise AttributeError(name)
