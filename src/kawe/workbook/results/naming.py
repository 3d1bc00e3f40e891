"""What people know a row by, also where it is wrong; and what a sheet is called."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from kawe.domain.batch.outcomes import BatchReport, RowReport
from kawe.domain.text.texts import one_line
from kawe.workbook.cells.reading import show
from kawe.workbook.results.rows import naming_columns
from kawe_xlsx.writing.text import plain_text

_TITLE_CHARACTERS: Final = 31
_NOT_IN_TITLES: Final = re.compile(r"[\[\]:*?/\\]")
_LONGEST: Final = 300
"""A longer text would fill the screen alone; it stands whole in their sheet."""


def names_of(report: BatchReport) -> Callable[[RowReport], tuple[str, str]]:
    """Give the function that says a row's reference and name; empty where unknown."""
    named = naming_columns(report)

    def said(row: RowReport, field: str) -> str:
        at = named.get(field)
        typed = show(row.raw[at]) if at is not None and at < len(row.raw) else ""
        return one_line(typed, limit=_LONGEST)

    def names(row: RowReport) -> tuple[str, str]:
        reference = row.reference or said(row, "reference")
        return reference, row.name or said(row, "name")

    return names


def sheet_title(name: str) -> str:
    """Make a name that Excel allows for a sheet."""
    title = _NOT_IN_TITLES.sub("-", plain_text(name).replace("\n", " "))
    return title[:_TITLE_CHARACTERS].strip().strip("'") or "Rows"
