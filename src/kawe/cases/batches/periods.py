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
from kawe.domain.text.table_doc import TableDoc
from kawe.errors import SettingsError
from kawe.flows.report.months import report_period
from kawe.workbook.cells.dates import date_reader
from kawe.workbook.cells.reading import ColumnFacts

_NOTHING: Final = "Nothing was read or written."


def period_of(toolkit: Toolkit, *, since: str | None, until: str | None) -> Period:
    """Read the days of a period as people type them; without an end, up to today.

    Raises:
        SettingsError: One is not a day, the end comes first, or it begins after today.
    """
    today = day_in_new_zealand(toolkit.clock.now())
    last = today if until is None else _day(until, "--until")
    # Without a beginning, a year.
    first = last - timedelta(days=365) if since is None else _day(since, "--since")
    if first > today:
        raise SettingsError(
            message=f"--since ({day_words(first)}) is after today "
            f"({day_words(today)}).",
            hint=f"Give a day that has come. {_NOTHING}",
        )
    if last < first:
        raise SettingsError(
            message=f"--until ({day_words(last)}) is before --since "
            f"({day_words(first)}).",
            hint=f"Give the earlier day to --since. {_NOTHING}",
        )
    return Period(since_on=first, until_on=last)


def _day(word: str, flag: str) -> date:
    reading = date_reader(ColumnFacts())(word)
    for remark in reading.remarks:
        if remark.severity is Severity.ERROR:
            raise SettingsError(
                message=f"{flag}: {remark.message}", hint=f"{remark.advice} {_NOTHING}"
            )
    if reading.value is None:
        raise SettingsError(
            message=f"{flag} is empty.", hint=f"Give a day, as 1/7/2026. {_NOTHING}"
        )
    return date.fromisoformat(str(reading.value))


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
