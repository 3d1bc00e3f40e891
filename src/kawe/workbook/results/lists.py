"""The sheets Results, Problems, Waiting and Files.

Results has every row on one screen, with a link to it in their sheet.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from datetime import date, datetime
from typing import Final

from kawe.domain.batch.explaining import OUTCOMES
from kawe.domain.batch.outcomes import BatchReport, Outcome, RowReport
from kawe.domain.batch.waiting import is_near, may_leave
from kawe.domain.sheet.columns import SheetKind
from kawe.domain.sheet.findings import FindingGroup, Severity
from kawe.domain.text.new_zealand import local_time
from kawe.domain.text.next_steps import Says
from kawe.domain.text.table_doc import CellForm, TableDoc
from kawe.domain.text.texts import one_line
from kawe.workbook import own_words
from kawe.workbook.results import styles
from kawe.workbook.results.cells import (
    Cell,
    Jump,
    Styled,
    write_headings,
    write_jump,
    write_value,
)
from kawe.workbook.results.csv_json import iso_time
from kawe.workbook.results.rows import (
    LONGEST,
    OwnValues,
    RowsLayout,
    WriteNamedRow,
    own_columns,
)
from kawe.workbook.results.summary import ROWS, Overview, Titles
from kawe.workbook.results.tables import shape_of, table_page
from kawe_xlsx.writing.book import WorkbookWriter
from kawe_xlsx.writing.page import Printed, Shape, SheetWriter

_PROBLEMS: Final = {
    "Sheet": 16.0,
    "Cell": 9.0,
    "Rows": 18.0,
    "Heading": 20.0,
    "Value": 26.0,
    "Severity": 17.0,
    "What is wrong": 44.0,
    "What to do": 44.0,
}
_WAITING: Final = {
    "Turn": 8.0,
    "Row": 9.0,
    "Name": 34.0,
    "Reference": 18.0,
    "Respond by": 14.0,
    "Days left": 10.0,
    "Outcome": 12.0,
    "What to do": 56.0,
    "Project id": 38.0,
    "Link": 17.0,
}
_FILES: Final = {
    "Row": 9.0,
    "Reference": 18.0,
    "Name": 34.0,
    "File": 40.0,
    "Size in bytes": 14.0,
    "SHA-256": 66.0,
}
_MOST_PROBLEMS: Final = 500_000
_SEVERITIES: Final = {
    Severity.ERROR: "Must be corrected",
    Severity.WARNING: "Please look",
    Severity.NOTE: "For your information",
}


def write_lists(
    book: WorkbookWriter,
    report: BatchReport,
    overview: Overview,
    *,
    titles: Titles,
    layout: RowsLayout,
) -> None:
    """Write Problems, Waiting and Files; `layout` is of the sheet with the rows."""
    problems = overview.problems
    with _list(
        book, titles[own_words.PROBLEMS], _PROBLEMS, number=4, printed=(2, 8)
    ) as put:
        for group in problems[:_MOST_PROBLEMS]:
            put(_problem(group, layout))
        more = len(problems) - _MOST_PROBLEMS
        if not problems:
            put(_lead("No problems were found."))
        elif more > 0:
            put(_lead(f"{more:,} more: see the .json beside this."))
    today = local_time(report.written_at).date()
    with _list(
        book, titles[own_words.WAITING], _WAITING, number=5, printed=(1, 8)
    ) as put:
        # First rows for a decision, by respond by; then the queue for tokens.
        for row in sorted(overview.waiting, key=_order):
            put(_waiting(row, layout, today=today))
        if not overview.waiting:
            put(_lead("No row waits for a person."))
    if overview.files:
        with _list(
            book, titles[own_words.FILES], _FILES, number=6, printed=(1, 5)
        ) as put:
            for row, file in overview.files:
                size = Styled(file.size_bytes, styles.body("count"))
                known = (row.reference or "", row.name)
                put((_jump(row, layout), *known, file.name, size, file.sha256))


def _list(
    book: WorkbookWriter,
    title: str,
    widths: Mapping[str, float],
    *,
    number: int,
    printed: tuple[int, int],
) -> AbstractContextManager[Callable[[Sequence[Cell]], None]]:
    """Write a list; `printed` are columns wide enough for 9 points on A4."""
    table = TableDoc(
        title=title,
        headings=tuple(widths),
        widths=tuple(widths.values()),
        forms={"Link": CellForm.LINK},
    )
    paper = Printed(columns=printed)
    shape = replace(shape_of(table), printed=paper, pages_across=1, is_own=True)
    # A title is one word, and kawe's mark where a person's sheet has that word.
    name = f"kawe_{title.partition(' ')[0].lower()}"
    return table_page(book, table, shape, number=number, name=name)


def _lead(text: str) -> tuple[Cell]:
    return (Styled(text, styles.LEAD),)


def _jump(row: RowReport, layout: RowsLayout) -> Jump:
    return Jump(f"{row.where.row}", layout.title, f"A{row.where.row}")


def _problem(group: FindingGroup, layout: RowsLayout) -> tuple[Cell, ...]:
    """Give one row for all findings that say the same, linked to the first cell."""
    finding, severity = group.first, group.severity
    at = layout.address_of(finding)
    shown = at if layout.index_of(finding) is not None else f"Row {finding.row.row}"
    several = len(group.values) > 1
    return (
        layout.title,
        Jump(shown, layout.title, at),
        group.rows_words.partition(" ")[2],
        finding.heading,
        group.values_words(limit=60) if several else finding.value,
        Styled(_SEVERITIES[severity], styles.body(mark=severity)),
        finding.message,
        finding.advice,
    )


def _waiting(row: RowReport, layout: RowsLayout, *, today: date) -> tuple[Cell, ...]:
    respond_by, days_left = row.respond_by_on, None
    if respond_by is not None:
        mark = _urgency(respond_by, today=today)
        days_left = Styled((respond_by - today).days, styles.body("count", mark=mark))
    return (
        row.turn,
        _jump(row, layout),
        row.name,
        row.reference or "",
        respond_by,
        days_left,
        Styled(row.outcome.value.capitalize(), styles.outcome_style(row.outcome)),
        row.what_to_do,
        row.project_id or "",
        row.link or "",
    )


def _order(row: RowReport) -> tuple[int, date, int]:
    if row.turn is not None:
        return row.turn, date.min, 0
    return 0, row.respond_by_on or date.max, row.where.row


def _urgency(respond_by: date, *, today: date) -> Severity | None:
    if not may_leave(respond_by, today=today):
        return Severity.ERROR
    return Severity.WARNING if is_near(respond_by, today=today) else None


TABLE: Final = "kawe_results"
_REFERENCE: Final = "Reference"
"""For programs, also where people have another word for it."""
_WIDTHS: Final = {
    "Row": 8.0,
    _REFERENCE: 18.0,
    "Name": 34.0,
    own_words.OUTCOME: 14.0,
    own_words.WHAT_TO_DO: 56.0,
    own_words.IWI: 26.0,
    own_words.STATUS: 12.0,
    own_words.EXPIRES: 18.0,
}
_FOLDED_WIDTH: Final = 120.0
_MACHINE_POINTS: Final = 12.0
_PLAIN: Final = styles.body()
_READ: Final = (own_words.IWI, own_words.STATUS, own_words.EXPIRES)
"""Of kawe's columns, those that are written as they are."""


@contextmanager
def results_sheet(
    book: WorkbookWriter, report: BatchReport, *, titles: Titles, is_first: bool
) -> Iterator[WriteNamedRow]:
    """Write the sheet; give the function that writes the next row.

    Its first row has the headings for people, the second the names for programs.
    """
    own = own_columns(report)
    read = [each for each in _WIDTHS if each not in own_words.HEADINGS or each in own]
    # Those behind what people read are folded.
    columns = (*read, *(each for each in own if each not in _WIDTHS))
    widths = dict(_WIDTHS)
    if own_words.IWI not in columns:
        # An address is longer than most references, and than the name of a person.
        widths |= {_REFERENCE: 32.0, "Name": 22.0, own_words.WHAT_TO_DO: 50.0}
    shape = Shape(
        title=titles[own_words.RESULTS],
        widths=tuple(widths.get(each, _FOLDED_WIDTH) for each in columns),
        heading_row=1,
        table_row=2,
        folded_from=len(read) + 1,
        printed=Printed(columns=(1, len(read))),
        is_first=is_first,
        is_own=True,
        is_aside=True,
    )
    names = tuple(map(own_words.machine_name, columns))
    with book.page(shape, number=1) as page:
        words = {_REFERENCE: SheetKind.named(report.kind).marker}
        write_headings(page, tuple(words.get(each, each) for each in columns))
        page.line(*((each, styles.MACHINE) for each in names), points=_MACHINE_POINTS)
        yield _writer(page, report.says, rows=titles[ROWS], columns=columns)
        page.table(book.free_table(TABLE), names, first_row=shape.table_row)


def _writer(
    page: SheetWriter, says: Says, *, rows: str, columns: Sequence[str]
) -> WriteNamedRow:
    """Give the function that writes the next row; `rows` is the sheet of rows."""
    ready = one_line(says(OUTCOMES[Outcome.READY].next_step), limit=LONGEST)
    shown = [each for each in _READ if each in columns]
    folded = [each for each in columns if each not in _WIDTHS]

    def write(row: RowReport, values: OwnValues, names: tuple[str, str]) -> None:
        number = row.where.row
        is_ready = row.outcome is Outcome.READY and not row.what_to_do
        todo = ready if is_ready else one_line(row.what_to_do, limit=LONGEST)
        page.begin_row()
        write_jump(page, Jump(str(number), rows, f"A{number}"))
        for each in names:
            page.text(each, _PLAIN)
        page.text(row.outcome.value.capitalize(), styles.outcome_style(row.outcome))
        page.text(todo, _PLAIN)
        for value in (values[each] for each in shown):
            cell = local_time(value) if isinstance(value, datetime) else value
            write_value(page, cell)
        whole = [values[each] for each in folded]
        if any(whole):
            # Whole and on one line: nobody looks at them here.
            for value in whole:
                text = iso_time(value) if isinstance(value, datetime) else value
                page.text(text or "", styles.FACT)
        page.end_row()

    return write
