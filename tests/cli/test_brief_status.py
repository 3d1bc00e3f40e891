"""A status in few words says what the whole report says."""

import asyncio

import pytest

from doubles.command import csv_row, write_csv
from doubles.journal_homes import SqliteHome
from doubles.journal_values import entry, line
from doubles.planned import in_the_portal
from kawe.cases.kit import NoProgress, Toolkit
from kawe.cases.records.reporting import (
    COUNTED_STATES,
    DONE_STATES,
    in_full,
    rows_in_order,
    standing_of,
)
from kawe.domain.batch.explaining import left_of, not_done
from kawe.domain.batch.outcomes import Outcome, RowReport
from kawe.settings.loading import load_settings

AGREES = ("--yes", "99", "--no-input", "--journal", "one.journal")


class NoHalt:
    """Implements the port `Halt`."""

    asked = False


@pytest.fixture
def person(person_with):
    return person_with(tokens=6)


def kit_of(folder):
    flags = {"journal": str(folder / "one.journal"), "base_url": "https://x.nz"}
    settings = load_settings(flags, environment={}, folder=folder)
    return Toolkit(settings=settings, progress=NoProgress(), halt=NoHalt())


def said(folder, quiet):
    """Give all that a status says of every batch, but for the rows themselves."""
    stand = asyncio.run(standing_of(kit_of(folder), None, quiet=quiet))
    return [
        (
            stand.code,
            report.counts(),
            left_of(report),
            report.remarks,
            report.changed_too_late,
            report.missing,
            [(row.where, row.outcome, row.what_to_do) for row in not_done(report.rows)],
        )
        for report in stand.reports
    ]


def submit(person, rows, name="monthly.csv"):
    write_csv(person.folder / name, rows)
    person.run("submit", name, *AGREES)


def test_in_few_words_it_counts_and_says_the_same_and_reads_less(person):
    rows = [csv_row(n) for n in range(9)]
    rows[2] = csv_row(2, Latitude="95.0")
    submit(person, rows)
    rows[1] = csv_row(1, Description="Something else.")
    submit(person, rows[:-1])
    submit(person, [csv_row(n, Name=f"Bridge {n}") for n in range(20, 24)], "other.csv")
    whole = said(person.folder, frozenset())
    assert said(person.folder, DONE_STATES) == whole
    assert [each[1].total() for each in whole] == [9, 4]
    kit = kit_of(person.folder)
    for (of, report), (_, brief) in zip(
        asyncio.run(standing_of(kit, None)).known,
        asyncio.run(standing_of(kit, None, quiet=COUNTED_STATES)).known,
        strict=True,
    ):
        order = asyncio.run(rows_in_order(kit, of, brief))
        assert [outcome for outcome, _ in order.values()] == [
            row.outcome for row in report.rows
        ]
        shown = [row for _, row in order.values()][1:4]
        assert asyncio.run(in_full(kit, of, shown)) == list(report.rows[1:4])
        is_read = [isinstance(row, RowReport) for _, row in order.values()]
        assert is_read.count(False) == brief.quiet.total()


def test_what_no_run_has_reached_is_counted_and_left(tmp_path):
    home = SqliteHome(tmp_path / "one.journal")
    rows = [entry(n) for n in range(1, 5)], [line(n) for n in range(1, 5)]
    home.begin(*rows[0], lines=rows[1])
    whole = said(tmp_path, frozenset())
    ((*brief, named),) = said(tmp_path, COUNTED_STATES)
    assert brief == list(whole[0][:-1])
    assert (len(named), whole[0][2]) == (1, {Outcome.UNFINISHED: 4})


def test_of_a_row_that_was_sent_in_the_portal_nothing_is_left_to_do(person):
    rows = [csv_row(n) for n in range(2)]
    write_csv(person.folder / "monthly.csv", rows)
    person.run("submit", "monthly.csv", "--drafts-only", *AGREES)
    in_the_portal(person, "R-1", message="Tēnā koutou.")
    person.run("submit", "monthly.csv", "--settle", "1", *AGREES)
    status = person.run("status", "--journal", "one.journal")
    assert (status.returncode, said(person.folder, frozenset())[0][2]) == (0, {})
    assert "Nothing is left to do about any row." in status.stdout
