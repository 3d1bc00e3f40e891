"""A workbook under way: a zip that is filled sheet by sheet, never held whole.

kawe writes it itself. The library that it uses for templates takes seven times
as long, most of it on things that a list of rows does not have; what Excel
needs of such a workbook is little, and its order is held by tests.
"""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import IO, Final

from kawe.workbook.sheet_page import Shape, SheetWriter
from kawe.workbook.sheet_parts import SheetParts, first_files, last_files, sheet_parts
from kawe.workbook.sheet_styles import StyleSheet
from kawe.workbook.sheet_text import plain_text

_LEVEL: Final = 3
"""How hard to pack: more takes twice the time and saves a tenth of the bytes."""


class WorkbookWriter:
    """A workbook under way; its sheets are written one after the other."""

    def __init__(self, archive: zipfile.ZipFile, *, styles: StyleSheet) -> None:
        self.sheets: list[SheetParts] = []
        self._archive = archive
        self._styles = styles

    @contextmanager
    def page(self, shape: Shape, *, number: int) -> Iterator[SheetWriter]:
        """Write sheet `number`, counted from 1; it is whole when the block ends.

        The sheets may be written in any order.
        """
        shape = replace(shape, is_first=number == 1)
        with self._archive.open(f"xl/worksheets/sheet{number}.xml", "w") as out:
            page = SheetWriter(out, shape, styles=self._styles)
            yield page
            page.close()
        parts = sheet_parts(page, number=number)
        for name, text in parts.files():
            self._archive.writestr(name, text)
        self.sheets.append(parts)


@contextmanager
def new_book(
    file: IO[bytes], *, styles: StyleSheet, title: str
) -> Iterator[WorkbookWriter]:
    """Write a workbook called `title` to `file`; it is whole when the block ends."""
    with zipfile.ZipFile(
        file, "w", zipfile.ZIP_DEFLATED, compresslevel=_LEVEL
    ) as archive:
        book = WorkbookWriter(archive, styles=styles)
        for name, text in first_files(plain_text(title)):
            archive.writestr(name, text)
        archive.writestr("xl/styles.xml", styles.xml())
        yield book
        in_order = sorted(book.sheets, key=lambda sheet: sheet.number)
        for name, text in last_files(in_order):
            archive.writestr(name, text)
