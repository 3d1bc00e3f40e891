"""The rows that need correcting, alone, as a result that goes straight back in.

It is a template of their kind with the person's columns, onto which kawe writes its
own as onto any workbook.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Final

from kawe.domain.batch.outcomes import BatchReport, RowReport
from kawe.domain.batch.sending import NO_LOAD
from kawe.domain.sheet.columns import Column, SheetKind
from kawe.domain.sheet.findings import HEADING_MISSING, Finding, RowRef, Severity
from kawe.domain.text.texts import fold, one_line
from kawe.workbook.own_words import NAMING
from kawe.workbook.reading.headings import Recogniser
from kawe.workbook.results.result import StreamedResultWriter
from kawe.workbook.results.rows import RowsLayout, layout_of, sheet_title
from kawe.workbook.templates.page import LISTS_SHEET, PageColumn, heading_of
from kawe.workbook.templates.template import rows_bytes
from kawe_xlsx.cells import RawValue
from kawe_xlsx.patching.original import Original

_FIRST_ROW: Final = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptColumns:
    """The person's columns, and those that a check found their sheet to lack."""

    kind: SheetKind
    shown: tuple[PageColumn, ...]
    lacking: tuple[str, ...]
    """The headings of those that the person's sheet has not."""

    @property
    def headings(self) -> tuple[str, ...]:
        return tuple(each.heading for each in self.shown)

    @property
    def keys(self) -> tuple[int, ...]:
        """Give the places, from 1, of the columns that name a row."""
        places = {
            each.means.field: at for at, each in enumerate(self.shown, 1) if each.means
        }
        return tuple(places[field] for field in NAMING if field in places)


def kept_columns(report: BatchReport, columns: Sequence[Column]) -> KeptColumns:
    """Say which columns the rows to correct have, and what each means.

    A column that stands in parts, or twice, keeps its heading and has no rule. One of
    which a person said what it is gets the name that kawe knows: it has another shape.
    """
    kind = SheetKind.named(report.kind)
    recogniser = Recogniser({kind: columns})
    said = {each.text: each.means for each in report.read_as.read}
    layout = layout_of(report, title="", first_rows=())
    shown, there = [], set()
    for heading in islice(layout.headings, layout.theirs):
        column, part = recogniser.meaning(heading, kind) or (None, 0)
        word = said.get(heading) if column is None else None
        column = column or word
        is_whole = column is not None and not part and column.field not in there
        shown.append(
            PageColumn(
                heading=heading if word is None else heading_of(word),
                means=column if is_whole else None,
            )
        )
        there.update([column.field] if column else [])
    missed = {e.heading for e in report.findings if e.rule == HEADING_MISSING}
    lacking = [
        PageColumn(heading=heading_of(each), means=each)
        for each in columns
        if each.title in missed and each.field not in there
    ]
    return KeptColumns(
        kind=kind,
        shown=(*shown, *lacking),
        lacking=tuple(each.heading for each in lacking),
    )


def failing(report: BatchReport, kept: KeptColumns) -> BatchReport:
    """Give the rows of `report` that need correcting, one below the other.

    What to do says the row's number in the person's workbook, and all that is wrong.
    """
    name = one_line(report.workbook, limit=80)
    remark = (
        f"These rows of {name} need correcting. Correct them here, and submit this "
        "workbook; the others are left alone."
    )
    title = sheet_title(report.sheet)
    if fold(title) == fold(LISTS_SHEET):
        title = kept.kind.value.capitalize()
    layout = layout_of(report, title=title, first_rows=())
    return replace(
        report,
        sheet=title,
        headings=kept.headings,
        rows=tuple(
            _moved(row, to=at, layout=layout, workbook=name, kept=kept)
            for at, row in enumerate(report.to_correct(), start=_FIRST_ROW)
        ),
        remarks=(remark,),
        findings=tuple(
            each
            for each in report.findings
            # It has the column now, and each row says so.
            if not (kept.lacking and each.rule == HEADING_MISSING)
        ),
        sending=None,
        iwi_load=NO_LOAD,
        orphans=(),
        missing=(),
        changed_too_late=0,
    )


def _moved(
    row: RowReport, *, to: int, layout: RowsLayout, workbook: str, kept: KeptColumns
) -> RowReport:
    where = RowRef(sheet=layout.title, row=to)
    errors = [each for each in row.findings if each.severity is Severity.ERROR]
    empty = [f"Fill in “{heading}”." for heading in kept.lacking]
    wrong = dict.fromkeys(each.told for each in errors)
    said = " ".join((*wrong, *empty)) or row.what_to_do
    raw: list[RawValue] = [*row.raw[: layout.theirs]]
    return replace(
        row,
        where=where,
        raw=(*raw, *[None] * (len(kept.shown) - len(raw))),
        what_to_do=f"Row {row.where.row} of {workbook}: {said}",
        findings=tuple(_at(each, where, layout) for each in row.findings),
    )


def _at(finding: Finding, row: RowRef, layout: RowsLayout) -> Finding:
    index = layout.index_of(finding)
    return replace(finding, where=row if index is None else row.cell(index + 1))


def write_failing(
    report: BatchReport,
    path: Path,
    *,
    columns: Sequence[Column],
    protect: frozenset[Path],
    run: str,
) -> Path:
    """Write the rows to correct as a workbook, with `.csv` and `.json`; say where.

    `columns` are those of the kind of the report.
    """
    kept = kept_columns(report, columns)
    rows, path_of_book = failing(report, kept), path.with_suffix(".xlsx")
    original = _original(rows, kept, name=path_of_book.name)
    writer = StreamedResultWriter(protect=protect, run=run, original=lambda _: original)
    return writer.write(rows, path_of_book).with_suffix(path.suffix)


def _original(report: BatchReport, kept: KeptColumns, *, name: str) -> Original:
    """Make the template that the rows are corrected in, as a workbook that was read."""
    rows = [row.raw for row in report.rows]
    data = rows_bytes(kept.kind, kept.shown, title=report.sheet, rows=rows)
    return Original(
        data=data,
        name=name,
        sheet=report.sheet,
        heading_row=_FIRST_ROW - 1,
        headings=kept.headings,
        columns=tuple(range(1, len(kept.shown) + 1)),
        keys=kept.keys,
        rows=lambda: ((row.where.row, row.raw) for row in report.rows),
    )
