"""Sheets of projects and of invitations, opened from a workbook and from CSV."""

import csv
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from openpyxl import Workbook

from kawe.domain.sheet.columns import Column, SheetKind
from kawe.kinds.invitations import INVITATIONS
from kawe.kinds.projects import PROJECTS
from kawe.schemas.catalog import load_columns
from kawe.workbook.reading.reader import CalamineReader

COLUMNS: dict[SheetKind, Sequence[Column]] = {
    kind: load_columns(kind) for kind in (PROJECTS, INVITATIONS)
}


def opener(path: Path) -> Callable[..., Any]:
    """Give what writes rows to `path`, by its ending, and opens the sheet."""

    def opening(
        *rows: Sequence[object], merges: Sequence[str] = (), **options: Any
    ) -> Any:
        if path.suffix == ".xlsx":
            made = Workbook()
            page = made.worksheets[0]
            for row in rows:
                page.append([None if cell == "" else cell for cell in row])
            for area in merges:
                page.merge_cells(area)
            made.save(path)
        else:
            with path.open("w", encoding="utf-8", newline="") as file:
                csv.writer(file).writerows(rows)
        return CalamineReader(COLUMNS, **options).open(path, kind=None, sheet=None)

    return opening
