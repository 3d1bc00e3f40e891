"""The writer of results: a workbook, and the same as CSV and JSON beside it.

A result is a new workbook, never the person's: saving theirs again would lose
drop-downs, pictures and whatever else the library does not know of. It can be
corrected and fed straight back.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import IO, Final

from kawe.domain.batch.outcomes import BatchReport, RowReport
from kawe.workbook.own_words import PROBLEMS, SUMMARY, WAITING, free_name
from kawe.workbook.replacing import check_place, csv_before, write_together
from kawe.workbook.result_csv import CsvRows
from kawe.workbook.result_json import JsonRows
from kawe.workbook.result_lists import SheetAt, write_problems, write_waiting
from kawe.workbook.result_overview import Overview
from kawe.workbook.result_rows import (
    LOOKED_AT,
    RowsLayout,
    layout_of,
    local_time,
    rows_sheet,
)
from kawe.workbook.result_styles import style_sheet
from kawe.workbook.result_summary import (
    summary_shape,
    write_next_steps,
    write_summary,
)
from kawe.workbook.sheet_book import WorkbookWriter, new_book
from kawe.workbook.sheet_text import plain_text

_TITLE_CHARACTERS: Final = 31
_NOT_IN_TITLES: Final = re.compile(r"[\[\]:*?/\\]")


class StreamedResultWriter:
    """Writes results; the person's own paths in `protect` are never written to."""

    def __init__(self, *, protect: Iterable[Path] = ()) -> None:
        self._protect = frozenset(protect)

    def check_writable(self, path: Path) -> None:
        """Make sure that a result can be written to `path`, before any request.

        Raises:
            ResultNotWritable: It cannot.
        """
        check_place(path, protect=self._protect)

    def write(self, report: BatchReport, path: Path) -> Path:
        """Write `report` and say where its workbook is.

        Beside it, the result is under the same name as `.csv` and as `.json`.
        Each file appears at once or not at all. When one of them is held open
        by another program, was edited by a person since kawe wrote it, or is
        any other file, all go beside it under `… (2)`.

        Raises:
            ResultNotWritable: Neither could be written.
        """
        before = csv_before(path, protect=self._protect)

        def save(files: Sequence[IO[bytes]]) -> None:
            write_result(report, files, csv_before=before)

        return write_together(
            path, save, protect=self._protect, beside=(".csv", ".json")
        )


def write_result(
    report: BatchReport, files: Sequence[IO[bytes]], *, csv_before: str | None = None
) -> None:
    """Write a report as a workbook, as CSV and as JSON; its rows are asked for once.

    `csv_before` is the sha256 of the CSV file that will be replaced.
    """
    workbook, csv_file, json_file = files
    rows = iter(_in_order(report.rows))
    first_rows = tuple(islice(rows, LOOKED_AT))
    title = sheet_title(report.sheet)
    layout = layout_of(report, title=title, first_rows=first_rows)
    table = CsvRows(csv_file, headings=layout.headings)
    theirs = layout.headings[: layout.theirs]
    document = JsonRows(json_file, report, headings=theirs)
    overview = Overview()
    styles, name = style_sheet(), f"Result for {report.workbook}"
    with new_book(workbook, styles=styles, title=name) as book:
        with rows_sheet(book, layout, number=2) as write_row:
            for row in chain(first_rows, rows):
                write_row(row)
                table.write(row)
                document.write(row)
                overview.add(row)
        _write_own_sheets(book, report, overview, layout=layout)
    document.finish(overview, csv_sha256=table.finish(), csv_before=csv_before)


def _write_own_sheets(
    book: WorkbookWriter, report: BatchReport, overview: Overview, *, layout: RowsLayout
) -> None:
    """Write the sheets that are kawe's: Summary, Problems, Waiting."""
    summary, problems, waiting = (
        free_name(name, taken=[layout.title]) for name in (SUMMARY, PROBLEMS, WAITING)
    )
    with book.page(summary_shape(summary), number=1) as page:
        write_summary(page, report, overview)
        write_next_steps(
            page, overview, rows=layout.title, problems=problems, waiting=waiting
        )
    write_problems(
        book, overview.findings, layout=layout, as_=SheetAt(title=problems, number=3)
    )
    write_waiting(
        book,
        overview.waiting,
        layout=layout,
        as_=SheetAt(title=waiting, number=4),
        today=local_time(report.written_at).date(),
    )


def _in_order(rows: Sequence[RowReport]) -> Iterable[RowReport]:
    """Give rows by their numbers; rows that are made anew come so by themselves."""
    if isinstance(rows, tuple):
        return sorted(rows, key=lambda row: row.where.row)
    return rows


def sheet_title(name: str) -> str:
    """Make a name that Excel allows for a sheet."""
    title = _NOT_IN_TITLES.sub("-", plain_text(name).replace("\n", " "))
    return title[:_TITLE_CHARACTERS].strip().strip("'") or "Rows"
