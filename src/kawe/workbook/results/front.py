"""The sheet Results: every row on one screen, with a link to it in their sheet."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from kawe.domain.batch.iwi_load import iwi_words
from kawe.domain.batch.outcomes import BatchReport, RowReport
from kawe.domain.text.texts import one_line
from kawe.workbook.own_words import IWI, OUTCOME, WHAT_TO_DO
from kawe.workbook.results import styles
from kawe.workbook.results.cells import table_sheet, write_jump
from kawe.workbook.results.naming import names_of
from kawe.workbook.results.summary import Titles
from kawe.workbook.xlsx.book import WorkbookWriter
from kawe.workbook.xlsx.page import Shape

TABLE: Final = "kawe_results"
_WIDTHS: Final = {
    "Row": 8.0,
    "Reference": 18.0,
    "Name": 34.0,
    OUTCOME: 14.0,
    WHAT_TO_DO: 56.0,
    IWI: 26.0,
}
_LONGEST: Final = 300
"""A longer text would fill the screen alone; it stands whole in their sheet."""
_PLAIN: Final = styles.body()


@contextmanager
def results_sheet(
    book: WorkbookWriter, report: BatchReport, *, titles: Titles, is_first: bool
) -> Iterator[Callable[[RowReport], None]]:
    """Write the sheet; give the function that writes the next row."""
    widths = {k: each for k, each in _WIDTHS.items() if k != IWI or report.has_iwi}
    shape = Shape(
        title=titles.results,
        widths=tuple(widths.values()),
        heading_row=1,
        is_first=is_first,
        is_own=True,
        is_aside=True,
    )
    with table_sheet(book, shape, number=1, name=TABLE, headings=tuple(widths)) as page:
        names = names_of(report)

        def write(row: RowReport) -> None:
            number = row.where.row
            reference, name = names(row)
            page.begin_row()
            write_jump(page, str(number), sheet=titles.rows, address=f"A{number}")
            page.text(reference, _PLAIN)
            page.text(name, _PLAIN)
            style = styles.outcome_style(row.outcome)
            page.text(row.outcome.value.capitalize(), style)
            page.text(one_line(row.what_to_do, limit=_LONGEST), _PLAIN)
            if report.has_iwi:
                page.text(iwi_words(row.iwi), _PLAIN)
            page.end_row()

        yield write
