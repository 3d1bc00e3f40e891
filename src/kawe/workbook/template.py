"""Empty workbooks for people to fill in.

Everything on them comes from the columns: what a hint says, what a drop-down
offers and what a cell accepts cannot differ from what is checked. The same
columns give the same bytes wherever and whenever they are written, so that
the workbooks in `templates/` can be held in step by a test.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import IO, Final

from openpyxl import Workbook
from openpyxl.packaging.core import DocumentProperties
from openpyxl.writer.excel import ExcelWriter

from kawe.contract.limits import INTERFACE_VERSION
from kawe.domain.sheet.columns import Column, SheetKind
from kawe.workbook.replacing import write_whole
from kawe.workbook.template_guide import add_guide
from kawe.workbook.template_lists import add_lists
from kawe.workbook.template_page import add_page
from kawe.workbook.template_rows import CarriedRow, fill_page

TEMPLATE_VERSION: Final = 1
"""Counts up when a workbook made before should be made again."""
STAMP_SHEET: Final = "kawe"

# Any fixed day would do; ZIP cannot say one before 1980.
_MADE_AT: Final = datetime(2026, 11, 1)  # noqa: DTZ001 (openpyxl writes naive UTC)
_ZIPPED_AT: Final = (2026, 11, 1, 0, 0, 0)


def write_template(
    kind: SheetKind,
    columns: Sequence[Column],
    path: Path,
    *,
    rows: Sequence[CarriedRow] = (),
) -> Path:
    """Write a workbook for `kind` at `path`, and say where it is.

    It is empty but for `rows`, which a person had filled in before.

    A workbook that is there already is left alone: the new one goes beside
    it under `… (2).xlsx`.

    Raises:
        ResultNotWritable: It cannot be written.
    """
    content = template_bytes(kind, columns, rows=rows)

    def write(file: IO[bytes]) -> None:
        file.write(content)

    return write_whole(path, write, protect=frozenset())


def template_bytes(
    kind: SheetKind, columns: Sequence[Column], *, rows: Sequence[CarriedRow] = ()
) -> bytes:
    """Make a workbook for `kind`; the same columns and rows give the same bytes."""
    book = Workbook()
    book.remove(book.worksheets[0])
    page = add_page(book, kind, columns, filled_rows=len(rows))
    fill_page(page, columns, rows)
    add_guide(book, kind, columns)
    add_lists(book, columns)
    _add_stamp(book, kind)
    book.properties = DocumentProperties(
        title=f"kawe: {kind.value}",
        # Not the name that results bear: a filled-in template is the person's.
        creator="kawe template",
        created=_MADE_AT,
        modified=_MADE_AT,
    )
    return _packed(book)


def _add_stamp(book: Workbook, kind: SheetKind) -> None:
    """Say, on a hidden sheet, which template this was."""
    sheet = book.create_sheet(STAMP_SHEET)
    sheet.append(["kind", kind.value])
    sheet.append(["template version", TEMPLATE_VERSION])
    sheet.append(["interface version", INTERFACE_VERSION])
    sheet.sheet_state = "hidden"


def _packed(book: Workbook) -> bytes:
    """Zip `book` with neither the clock nor temporary files showing."""
    fresh, even = io.BytesIO(), io.BytesIO()
    # openpyxl's own save would put the present into the properties.
    ExcelWriter(book, zipfile.ZipFile(fresh, "w")).save()
    with zipfile.ZipFile(fresh) as parts, zipfile.ZipFile(even, "w") as out:
        for name in parts.namelist():
            entry = zipfile.ZipInfo(name, date_time=_ZIPPED_AT)
            entry.compress_type = zipfile.ZIP_DEFLATED
            out.writestr(entry, parts.read(name))
    return even.getvalue()
