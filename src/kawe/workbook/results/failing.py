"""The rows that need correcting, alone, as a result that goes straight back in."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Final

from kawe.domain.batch.iwi_load import NO_LOAD
from kawe.domain.batch.outcomes import BatchReport, Outcome, RowReport
from kawe.domain.sheet.findings import Finding, Severity
from kawe.domain.sheet.refs import CellRef, RowRef
from kawe.domain.text.texts import one_line
from kawe.workbook.replacing import check_place
from kawe.workbook.results.result import StreamedResultWriter
from kawe.workbook.results.rows import words_of

_FIRST_ROW: Final = 2
_ENDINGS: Final = (".xlsx", ".csv")


def failing(report: BatchReport) -> BatchReport:
    """Give the rows of `report` that need correcting, one below the other.

    What to do says the row's number in the person's workbook, and all that is wrong.
    """
    wrong = (row for row in report.rows if row.outcome is Outcome.INVALID)
    name = one_line(report.workbook, limit=80)
    remark = (
        f"These rows of {name} need correcting. Correct them here, and submit this "
        "workbook; the others are left alone."
    )
    return replace(
        report,
        rows=tuple(
            _moved(row, to=at, workbook=name)
            for at, row in enumerate(wrong, start=_FIRST_ROW)
        ),
        remarks=(remark,),
        sending=None,
        iwi_load=NO_LOAD,
        orphans=(),
        missing=(),
        changed_too_late=0,
    )


def _moved(row: RowReport, *, to: int, workbook: str) -> RowReport:
    where = RowRef(sheet=row.where.sheet, row=to)
    errors = [each for each in row.findings if each.severity is Severity.ERROR]
    said = " ".join(words_of(errors)) or row.what_to_do
    return replace(
        row,
        where=where,
        what_to_do=f"Row {row.where.row} of {workbook}: {said}",
        findings=tuple(_at(each, where) for each in row.findings),
    )


def _at(finding: Finding, row: RowRef) -> Finding:
    where = finding.where
    to = row.cell(where.column) if isinstance(where, CellRef) else row
    return replace(finding, where=to)


def failing_files(path: Path) -> list[Path]:
    """Give the files of the rows to correct where `path` is asked for."""
    return [path.with_suffix(each) for each in (".xlsx", ".csv", ".json")]


def check_failing(path: Path, *, protect: frozenset[Path]) -> None:
    """Check, before any request, that the rows to correct can be written at `path`.

    Raises:
        ResultNotWritable: They cannot.
    """
    check_place(path, protect=protect, endings=_ENDINGS)


def write_failing(
    report: BatchReport, path: Path, *, protect: frozenset[Path], run: str
) -> Path:
    """Write the rows to correct as a workbook, with `.csv` and `.json`; say where.

    Raises:
        ResultNotWritable: They cannot be written under any name.
    """
    writer = StreamedResultWriter(protect=protect, run=run)
    written = writer.write(failing(report), path.with_suffix(".xlsx"))
    return written.with_suffix(path.suffix)
