"""What took place between two days: from what a person typed to the files."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path
from typing import Final

from kawe.cases.kit import Toolkit
from kawe.domain.batch.explaining import OUTCOMES
from kawe.domain.batch.periods import Period, PeriodReport
from kawe.domain.sheet.findings import Severity
from kawe.domain.text.new_zealand import day_in_new_zealand, day_words
from kawe.domain.text.next_steps import Given
from kawe.domain.text.table_doc import TableDoc
from kawe.errors import SettingsError
from kawe.flows.report.reporting import report_period
from kawe.workbook.cells.dates import date_reader
from kawe.workbook.cells.reading import CellReading, ColumnFacts

_NOTHING: Final = "Nothing was read or written."


def period_of(toolkit: Toolkit, *, since: str | None, until: str | None) -> Period:
    """Read the days of a period: up to today, and a year, where they are not given.

    Raises:
        SettingsError: One is not a day, the end comes first, or it begins after today.
    """
    today = day_in_new_zealand(toolkit.clock.now())
    first, last = days_between(since, until)
    last = last or today
    first = first or last - timedelta(days=365)
    if first > today:
        raise SettingsError(
            message=f"{Given.SINCE} ({day_words(first)}) is after today "
            f"({day_words(today)}).",
            hint=f"Give a day that has come. {_NOTHING}",
        )
    return Period(since_on=first, until_on=last)


def days_between(
    since: str | None, until: str | None
) -> tuple[date | None, date | None]:
    """Read the first day and the last as people type them; None: no such bound.

    Raises:
        SettingsError: One is no day, or the last comes before the first.
    """
    first, last = _day(since, Given.SINCE), _day(until, Given.UNTIL)
    if first and last and last < first:
        raise SettingsError(
            message=f"{Given.UNTIL} ({day_words(last)}) is before {Given.SINCE} "
            f"({day_words(first)}).",
            hint=f"Give the earlier day to {Given.SINCE}. {_NOTHING}",
        )
    return first, last


def _day(word: str | None, given: Given) -> date | None:
    if word is None:
        return None
    read = read_word(date_reader(ColumnFacts())(word), given=given)
    if read is None:
        raise SettingsError(
            message=f"{given} is empty.", hint=f"Give a day, as 1/7/2026. {_NOTHING}"
        )
    return date.fromisoformat(str(read))


def read_word(reading: CellReading, *, given: Given) -> object:
    """Give what a word means, read as in a cell.

    Raises:
        SettingsError: It cannot be read.
    """
    for remark in reading.remarks:
        if remark.severity is Severity.ERROR:
            raise SettingsError(
                message=f"{given}: {remark.message}", hint=f"{remark.advice} {_NOTHING}"
            )
    return reading.value


async def report_of_period(toolkit: Toolkit, period: Period) -> PeriodReport:
    """Count the rows of every batch in a period, from the journal alone.

    Raises:
        JournalError: There is none, or it cannot be read.
    """
    async with toolkit.open_journal(read_only=True) as journal:
        return await report_period(
            period, journal=journal, written_at=toolkit.clock.now()
        )


def write_period(report: PeriodReport, path: Path) -> Path:
    """Write the page, with a workbook beside it; say where the page is.

    Raises:
        ResultNotWritable: They cannot be written under any name.
    """
    from kawe.html.pages import months_page  # noqa: PLC0415 (start-up)
    from kawe.workbook.results.tables import write_page  # noqa: PLC0415 (start-up)

    outcomes = [each for each in OUTCOMES if report.counts[each]]
    lines = [
        *(("Month", each) for each in report.months),
        *(("Batch", each) for each in report.batches),
    ]
    return write_page(
        path,
        months_page(report),
        TableDoc(
            title="By month",
            headings=(
                *("By", "Month or batch"),
                *(each.value.capitalize() for each in outcomes),
                *("Rows", "Tokens"),
            ),
            rows=[
                (
                    by,
                    each.label,
                    *map(each.counts.get, outcomes),
                    each.rows,
                    each.tokens,
                )
                for by, each in lines
            ],
        ),
    )
