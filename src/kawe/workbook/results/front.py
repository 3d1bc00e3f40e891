"""The sheet Results: every row on one screen, with a link to it in their sheet."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import Final

from kawe.domain.batch.explaining import OUTCOMES
from kawe.domain.batch.outcomes import BatchReport, Outcome, RowReport
from kawe.domain.sheet.columns import SheetKind
from kawe.domain.text.texts import one_line
from kawe.workbook.own_words import (
    EXPIRES,
    HEADINGS,
    IWI,
    OUTCOME,
    STATUS,
    WHAT_TO_DO,
    machine_name,
)
from kawe.workbook.results import styles
from kawe.workbook.results.cells import Jump, write_headings, write_jump, write_value
from kawe.workbook.results.csv_json import iso_time
from kawe.workbook.results.naming import names_of
from kawe.workbook.results.rows import local_time, own_columns, own_values
from kawe.workbook.results.summary import Titles
from kawe_xlsx.writing.book import WorkbookWriter
from kawe_xlsx.writing.page import Printed, Shape, SheetWriter

TABLE: Final = "kawe_results"
_REFERENCE: Final = "Reference"
"""For programs, also where people have another word for it."""
_WIDTHS: Final = {
    "Row": 8.0,
    _REFERENCE: 18.0,
    "Name": 34.0,
    OUTCOME: 14.0,
    WHAT_TO_DO: 56.0,
    IWI: 26.0,
    STATUS: 12.0,
    EXPIRES: 18.0,
}
_FOLDED_WIDTH: Final = 120.0
_MACHINE_POINTS: Final = 12.0
_LONGEST: Final = 300
"""A longer text would fill the screen alone; it stands whole in their sheet."""
_PLAIN: Final = styles.body()


def front_columns(report: BatchReport) -> tuple[str, ...]:
    """Name the columns of the sheet; those behind what people read are folded."""
    own = own_columns(report)
    shown = [each for each in _WIDTHS if each not in HEADINGS or each in own]
    return (*shown, *(each for each in own if each not in _WIDTHS))


@contextmanager
def results_sheet(
    book: WorkbookWriter, report: BatchReport, *, titles: Titles, is_first: bool
) -> Iterator[Callable[[RowReport], None]]:
    """Write the sheet; give the function that writes the next row.

    Its first row has the headings for people, the second the names for programs.
    """
    columns = front_columns(report)
    widths = dict(_WIDTHS)
    if IWI not in columns:
        # An address is longer than most references, and than the name of a person.
        widths |= {_REFERENCE: 32.0, "Name": 22.0, WHAT_TO_DO: 50.0}
    shown = sum(each in _WIDTHS for each in columns)
    shape = Shape(
        title=titles.results,
        widths=tuple(widths.get(each, _FOLDED_WIDTH) for each in columns),
        heading_row=1,
        table_row=2,
        folded_from=shown + 1,
        printed=Printed(columns=(1, shown)),
        is_first=is_first,
        is_own=True,
        is_aside=True,
    )
    names = tuple(map(machine_name, columns))
    with book.page(shape, number=1) as page:
        words = {_REFERENCE: SheetKind.named(report.kind).marker}
        write_headings(page, tuple(words.get(each, each) for each in columns))
        page.line(*((each, styles.MACHINE) for each in names), points=_MACHINE_POINTS)
        yield _Writer(page, report, rows=titles.rows, columns=columns).write
        page.table(book.free_table(TABLE), names, first_row=shape.table_row)


class _Writer:
    def __init__(
        self,
        page: SheetWriter,
        report: BatchReport,
        *,
        rows: str,
        columns: Sequence[str],
    ) -> None:
        self._page, self._rows = page, rows
        self._names = names_of(report)
        shown = (IWI, STATUS, EXPIRES)
        own = [each for each in columns if each in HEADINGS]
        self._shown = [HEADINGS.index(each) for each in shown if each in own]
        folded = (each for each in own if each not in _WIDTHS)
        self._folded = [HEADINGS.index(each) for each in folded]

    def write(self, row: RowReport) -> None:
        """Write one row."""
        page, number = self._page, row.where.row
        todo = row.what_to_do
        if row.outcome is Outcome.READY and not todo:
            todo = OUTCOMES[Outcome.READY].next_step
        page.begin_row()
        write_jump(page, Jump(str(number), self._rows, f"A{number}"))
        for each in self._names(row):
            page.text(each, _PLAIN)
        style = styles.outcome_style(row.outcome)
        page.text(row.outcome.value.capitalize(), style)
        page.text(one_line(todo, limit=_LONGEST), _PLAIN)
        values = own_values(row)
        for at in self._shown:
            value = values[at]
            shown = local_time(value) if isinstance(value, datetime) else value
            write_value(page, shown)
        folded = [values[at] for at in self._folded]
        if any(folded):
            # Whole and on one line: nobody looks at them here.
            for value in folded:
                text = iso_time(value) if isinstance(value, datetime) else value
                page.text(text or "", styles.FACT)
        page.end_row()
