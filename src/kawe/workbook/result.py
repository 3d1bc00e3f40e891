"""The writer of result workbooks.

A result is a new workbook, never the person's: saving theirs again would lose
drop-downs, pictures and whatever else the library does not know of. It can be
corrected and fed straight back.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import IO, Final

from openpyxl import Workbook

from kawe.domain.outcomes import BatchReport
from kawe.workbook.own_words import PROBLEMS, SUMMARY, WAITING, free_name
from kawe.workbook.replacing import check_place, save_untouched, write_whole
from kawe.workbook.result_cells import safe_text
from kawe.workbook.result_lists import write_problems, write_waiting
from kawe.workbook.result_rows import layout_of, write_rows
from kawe.workbook.result_styles import add_styles
from kawe.workbook.result_summary import write_summary

_TITLE_CHARACTERS: Final = 31
_NOT_IN_TITLES: Final = re.compile(r"[\[\]:*?/\\]")


class OpenpyxlResultWriter:
    """A ResultWriter; the paths in `protect` are never written to."""

    def __init__(self, *, protect: Iterable[Path] = ()) -> None:
        self._protect = frozenset(protect)

    def check_writable(self, path: Path) -> None:
        """Make sure that a result can be written to `path`, before any request."""
        check_place(path, protect=self._protect)

    def write(self, report: BatchReport, path: Path) -> Path:
        """Write `report` and say where it is.

        A result that a person has edited since kawe wrote it, or any other
        file, is not replaced: the new result goes beside it.
        """

        def save(file: IO[bytes]) -> None:
            title = safe_text(f"Result for {report.workbook}")
            save_untouched(result_book(report), file, title=title)

        return write_whole(path, save, protect=self._protect)


def result_book(report: BatchReport) -> Workbook:
    """Make the whole workbook of a report: Summary, rows, Problems, Waiting."""
    book = Workbook(write_only=True)
    add_styles(book)
    rows = sheet_title(report.sheet)
    summary, problems, waiting = (
        free_name(name, taken=[rows]) for name in (SUMMARY, PROBLEMS, WAITING)
    )
    layout = layout_of(report, title=rows)
    write_summary(
        book, report, layout, title=summary, problems=problems, waiting=waiting
    )
    write_rows(book, report, layout)
    write_problems(book, report, layout, title=problems)
    write_waiting(book, report, layout, title=waiting)
    return book


def sheet_title(name: str) -> str:
    """Make a name that Excel allows for a sheet."""
    title = _NOT_IN_TITLES.sub("-", safe_text(name).replace("\n", " "))
    return title[:_TITLE_CHARACTERS].strip().strip("'") or "Rows"
