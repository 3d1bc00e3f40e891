"""From the journal: results, rows, how batches stand, runs, months, who is late."""

import re
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from itertools import compress
from pathlib import Path
from typing import Any, Final

from kawe.cases.batches.ending import code_of_report
from kawe.cases.choices import batches_called, find_batch
from kawe.cases.kit import Toolkit
from kawe.cases.records.watching import owes_answer, seen_rows, without_answer
from kawe.cases.sheets import result_place_of, was_saved_since
from kawe.domain.batch.exit_codes import ExitCode, worst_of
from kawe.domain.batch.explaining import OUTCOMES
from kawe.domain.batch.outcomes import BatchReport, Outcome, RowReport, outcome_of
from kawe.domain.batch.periods import Period, PeriodReport
from kawe.domain.batch.runs import Coming, RunRecord, Turn, coming, is_meant
from kawe.domain.batch.saved_plans import SavedPlan
from kawe.domain.rows.entries import Batch, WantedRow
from kawe.domain.service.states import FINISHED, RowKey, State
from kawe.domain.service.watching import News
from kawe.domain.sheet.findings import RowRef, Severity
from kawe.domain.text.new_zealand import (
    NEW_ZEALAND,
    day_in_new_zealand,
    day_words,
    moment_words,
)
from kawe.domain.text.next_steps import Given, Next
from kawe.domain.text.table_doc import TableDoc
from kawe.domain.text.texts import fold, looked_for, one_line
from kawe.errors import JournalError, SettingsError
from kawe.flows.plan.wording import begun_words
from kawe.flows.report.months import report_period
from kawe.ports import Journal
from kawe.workbook.cells.dates import date_reader
from kawe.workbook.cells.reading import CellReading, ColumnFacts


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportedBatch:
    """What a result says, and where it goes: it is not written yet."""

    made: BatchReport
    workbook: Path
    result: Path

    def write(self, toolkit: Toolkit) -> Path:
        """Write it; say where.

        Raises:
            ResultNotWritable: It cannot be written.
        """
        return toolkit.writer(self.workbook).write(self.made, self.result)


async def reported_batch(
    toolkit: Toolkit, name: str | None, *, result: Path | None
) -> ReportedBatch:
    """Report a batch from the journal, the latest without a name; write nothing.

    Raises:
        SettingsError: No batch is called so.
        JournalError: There is no journal, or it cannot be read.
        ResultNotWritable: The result cannot be written.
    """
    async with toolkit.open_journal(read_only=True) as journal:
        batches = await journal.batches()
        found = find_batch(batches, name=name)
        made = await toolkit.report(found, journal=journal)
    workbook = Path(found.workbook)
    beside, notes = _place(found, is_latest=not found.is_replaced(batches))
    path = result_place_of(
        replace(found, workbook=str(beside)),
        among=[
            replace(each, workbook=str(beside))
            for each in batches
            if each.workbook == found.workbook
        ],
        wanted=result,
    )
    toolkit.writer(workbook).check_writable(path)
    made = replace(made, remarks=(*notes, *made.remarks))
    return ReportedBatch(made=made, workbook=workbook, result=path)


def _place(batch: Batch, *, is_latest: bool) -> tuple[Path, list[str]]:
    """Say beside which workbook the result goes, and what became of the workbook."""
    workbook, notes = Path(batch.workbook), []
    name = one_line(workbook.name, limit=80)
    read = f"it was read at {moment_words(batch.read_at)}"
    as_read = "This result shows what it said then."
    if batch.workbook == batch.name:
        # A purge leaves the batch's name in the place of the path.
        notes.append(
            "The journal has forgotten which workbook this was and what its rows said "
            f"({Next.JOURNAL_PURGE}). This result shows how they stand."
        )
    elif (is_changed := was_saved_since(batch)) is None:
        notes.append(f"The workbook {name} is no longer where {read}. {as_read}")
    elif not is_latest:
        notes.append(f"Another batch was read from {name} since {read}. {as_read}")
    elif is_changed:
        notes.append(f"The workbook {name} was saved again since {read}. {as_read}")
    if not is_latest:
        # The name without a day belongs to the result of the later batch.
        day = day_in_new_zealand(batch.read_at).isoformat()
        workbook = workbook.with_name(f"{workbook.stem} {day}.xlsx")
    if not workbook.parent.is_dir():
        workbook = Path.cwd() / workbook.name
    return workbook, notes


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """Some batches, their runs, and the expected run, if any."""

    known: tuple[tuple[Batch, BatchReport], ...] = field(default=(), repr=False)
    runs: tuple[RunRecord, ...] = ()
    """The newest first."""
    found: Coming | None = None
    """None where no run is expected."""
    late: tuple[News, ...] = ()
    """Projects without an answer that are late, or soon will be."""

    @property
    def reports(self) -> list[BatchReport]:
        return [report for _, report in self.known]

    @property
    def code(self) -> ExitCode:
        """Give the code of all batches; 3 and 7 of an expected run alone."""
        worst = worst_of(map(code_of_report, self.reports))
        if (found := self.found) is None:
            return worst
        if not found.batch:
            return ExitCode.RUN_MISSING
        if worst is ExitCode.ROWS_WAIT_FOR_PERSON or found.is_missed:
            return ExitCode.ROWS_WAIT_FOR_PERSON
        ours = (each for each in self.reports if each.batch == found.batch)
        return worst_of(map(code_of_report, ours))


NO_STATES: Final = frozenset[State]()
DONE_STATES: Final = FINISHED - {State.UNCONFIRMED, State.ABANDONED}
"""Nothing is left to do about rows that stand so."""
COUNTED_STATES: Final = DONE_STATES | {State.VALID, State.FILES_READY}
"""Those, and what a run has not reached: for whoever wants no row by name."""


async def standing_of(
    toolkit: Toolkit,
    name: str | None,
    *,
    quiet: frozenset[State] = NO_STATES,
    may_lack: bool = False,
) -> Standing | None:
    """Report all batches, or those called `name`; None: another thing is.

    Without a name, or if it `may_lack` a batch, the journal may be missing. Rows in the
    states of `quiet` are only counted where nothing is to be told of them.

    Raises:
        SettingsError: There is no batch at all.
        JournalError: The journal cannot be read.
    """
    if (name is None or may_lack) and not toolkit.has_journal:
        return Standing()
    async with toolkit.open_journal(read_only=True) as journal:
        batches = tuple(await journal.batches())
        if name is not None:
            meant = tuple(batches_called(batches, name))
            if batches and not (meant or may_lack):
                return None
            batches = meant if meant or may_lack else (find_batch(batches, name=name),)
        stand = await standing_in(toolkit, journal, batches=batches, quiet=quiet)
        seen = await seen_rows(toolkit, journal, batches=batches, wanted=owes_answer)
        late = await without_answer(toolkit, journal, seen)
    return replace(stand, late=tuple(late))


async def standing_now(toolkit: Toolkit) -> Standing:
    """Report all batches, as `standing_of`; rows that are done are only counted."""
    return await standing_of(toolkit, None, quiet=COUNTED_STATES) or Standing()


async def how_far(toolkit: Toolkit, saved: SavedPlan) -> str:
    """Say how far a plan was carried out here; empty: it was not, or nobody knows."""
    told, stand = "", Standing()
    with suppress(JournalError):
        stand = await standing_now(toolkit)
    for batch, report in stand.known:
        if batch.workbook == str(saved.reading.workbook):
            runs = [run for run in stand.runs if run.batch == batch.name]
            rows = await rows_in_order(toolkit, batch, report)
            told = begun_words(saved, runs, rows) or told
    return told


async def expected_run(toolkit: Toolkit, turn: Turn, *, name: str | None) -> Standing:
    """Report the batches that `name` may mean, and whether one is that of `turn`.

    Raises:
        JournalError: The journal cannot be read; it may be missing.
    """
    stand = Standing()
    if toolkit.has_journal:
        async with toolkit.open_journal(read_only=True) as journal:
            meant = [each for each in await journal.batches() if is_meant(each, name)]
            stand = await standing_in(toolkit, journal, batches=meant)
    return replace(stand, found=coming(turn, zone=NEW_ZEALAND, known=stand.known))


async def standing_in(
    toolkit: Toolkit,
    journal: Journal,
    *,
    batches: Iterable[Batch],
    quiet: frozenset[State] = NO_STATES,
) -> Standing:
    """Report batches of an open journal; `quiet` is as for `standing_of`."""
    since = toolkit.run_beside(journal)
    frame = replace(await toolkit.frame(journal), quiet=quiet, run_began_at=since)
    known = [
        (each, await toolkit.report(each, journal=journal, frame=frame))
        for each in batches
    ]
    names = {batch.name for batch, _ in known}
    runs = [each for each in await journal.runs() if each.batch in names]
    runs.sort(key=lambda each: each.at, reverse=True)
    return Standing(known=tuple(known), runs=tuple(runs))


async def rows_in_order(
    toolkit: Toolkit, batch: Batch, counted: BatchReport
) -> dict[RowRef, tuple[Outcome, RowReport | RowKey]]:
    """Give the outcome of every row, and its report or, of those `counted`, its key."""
    async with toolkit.open_journal(read_only=True) as journal:
        quiet = await journal.quiet(batch.name, None, states=COUNTED_STATES)
    rows: dict[RowRef, tuple[Outcome, RowReport | RowKey]]
    rows = {row.where: (row.outcome, row) for row in counted.rows}
    rows |= {where: (outcome_of(state), key) for where, key, state in quiet}
    return dict(sorted(rows.items(), key=lambda each: each[0].row))


async def in_full(
    toolkit: Toolkit, batch: Batch, rows: Iterable[RowReport | RowKey]
) -> list[RowReport]:
    """Give reports of rows; of the keys, those that a report of all rows has."""
    told = [row for row in rows if isinstance(row, RowReport)]
    if keys := frozenset(row for row in rows if not isinstance(row, RowReport)):
        async with toolkit.open_journal(read_only=True) as journal:
            frame = replace(await toolkit.frame(journal), only=keys)
            told += (await toolkit.report(batch, journal=journal, frame=frame)).rows
    return sorted(told, key=lambda row: row.where.row)


_ROW: Final = re.compile(r"(?:row\s+|(?P<sheet>.+)!\s*)(?P<row>\d{1,7})", re.IGNORECASE)
_LEAST: Final = 3
_MORE: Final = f" Of a name, type {_LEAST} letters or more."


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundRow:
    """One row, the batch that has it, and the runs of which one made it stand so."""

    batch: Batch
    row: RowReport
    runs: tuple[RunRecord, ...] = field(repr=False)

    @property
    def run(self) -> RunRecord | None:
        """Give the one that was going on when the row came to stand so."""
        of, at = self.batch.name, self.row.at
        begun = [e for e in self.runs if e.batch == of and at and e.began_at <= at]
        return max(begun, key=lambda each: each.began_at, default=None)

    def lines(self) -> list[str]:
        """Say what it is, how it stands, and where that was learnt."""
        row, batch = self.row, self.batch
        called = one_line(" ".join(filter(None, (row.reference, row.name))), limit=120)
        since = f", {moment_words(row.at)} (NZ time)" if row.at else ""
        who = f", by {one_line(self.who, limit=60)}" if self.who else ""
        book = one_line(str(batch.workbook), limit=200)
        told = [
            f"{called or row.where}: {row.outcome}{since}{who}",
            f"    {one_line(str(row.where), limit=60)} of batch {batch.name}, {book}",
        ]
        told += [f"    {one_line(each, limit=300)}" for each in row.changed]
        told += [f"    to {one_line(', '.join(row.iwi), limit=300)}"] if row.iwi else []
        if row.receipt_number:
            told.append(f"    receipt {one_line(row.receipt_number, limit=60)}")
        told += [f"    {one_line(row.link, limit=300)}"] if row.link else []
        told += [f"    {one_line(row.what_to_do, limit=500)}"] if row.what_to_do else []
        return told

    def as_json(self) -> dict[str, Any]:
        return {
            **self.row.as_json(),
            "batch": self.batch.name,
            "workbook": self.batch.workbook,
            "by": self.who or None,
            "run": None if self.run is None else self.run.by.id or None,
        }

    @property
    def who(self) -> str:
        return "" if self.run is None else self.run.by.who


async def find_rows(kawe: Toolkit, words: str) -> list[FoundRow]:
    """Find rows of all batches by reference, name, receipt, person, project or row.

    What is equal comes before a name that has the words in it. `row 17` and
    `Projects!17` count as Excel does.

    Raises:
        SettingsError: No row is meant.
        JournalError: The journal cannot be read.
    """
    wanted, at = fold(words).removeprefix("receipt "), _ROW.fullmatch(words.strip())
    plain, has_letters = wanted.replace(" ", ""), looked_for(wanted)
    ways: tuple[Callable[[RowReport, list[str]], bool], ...] = (
        lambda row, names: wanted in names or _is_at(row.where, at),
        # The same letters and digits.
        lambda _, names: bool(plain) and plain in (e.replace(" ", "") for e in names),
        lambda row, _: len(wanted) >= _LEAST and _is_near(row, wanted),
    )
    stand, rows = await _rows(kawe, lambda e, text: _is_at(e, at) or has_letters(text))
    own = [(batch, row, _names(row)) for batch, row in rows]
    for agrees in ways:
        hits = [agrees(row, names) for _, row, names in own]
        if any(hits):
            # An act may call its project otherwise than it was asked for.
            found = compress(own, hits)
            called = {e for _, row, names in found if row.project_id for e in names}
            return [
                FoundRow(batch=batch, row=row, runs=stand.runs)
                for (batch, row, names), is_hit in zip(own, hits, strict=True)
                if is_hit or (not row.project_id and called.intersection(names))
            ]
    names = ", ".join(batch.name for batch, _ in stand.known[-20:]) or "none"
    is_row = re.fullmatch(r"\d{1,7}", wanted) is not None
    plain_row = f"A row of the sheet is “row {wanted}”. " if is_row else ""
    more = _MORE if len(wanted) < _LEAST else ""
    raise SettingsError(
        message=f"No batch, reference, name, receipt or row of this journal is "
        f"“{one_line(words, limit=60)}”.{more}",
        hint=f"{plain_row}Batches are: {one_line(names, limit=600)}.",
    )


async def _rows(
    kawe: Toolkit, wanted: WantedRow
) -> tuple[Standing, list[tuple[Batch, RowReport]]]:
    """Give the rows that may be `wanted`, and all of acts, which may be about those."""
    rows = list[tuple[Batch, RowReport]]()
    async with kawe.open_journal(read_only=True, may_be_missing=True) as journal:
        every, states = await journal.batches(), COUNTED_STATES
        stand = await standing_in(kawe, journal, batches=every, quiet=states)
        for batch, report in stand.known:
            may_be = wanted if batch.kind.has_drafts else None
            quiet = await journal.quiet(batch.name, may_be, states=states)
            own = [row for row in report.rows if not row.of_batch]
            told = await in_full(kawe, batch, [*own, *(key for _, key, _ in quiet)])
            rows += ((batch, row) for row in told)
    return stand, rows


def _is_at(where: RowRef, at: re.Match[str] | None) -> bool:
    if at is None or int(at["row"]) != where.row:
        return False
    return fold(at["sheet"] or where.sheet) == fold(where.sheet)


def _names(row: RowReport) -> list[str]:
    names = (row.reference, row.name, row.receipt_number, row.project_id)
    return [fold(each) for each in names if each]


def _is_near(row: RowReport, wanted: str) -> bool:
    """Say whether the words stand within a name or a cell of the row."""
    texts = (row.name, *(each for each in row.raw if isinstance(each, str)))
    return any(wanted in fold(each) for each in texts)


_NOTHING: Final = "Nothing was read or written."


def period_of(toolkit: Toolkit, *, since: str | None, until: str | None) -> Period:
    """Read the days of a period: up to today, and a year, where they are not given.

    Raises:
        SettingsError: One is not a day, the end comes first, or it begins after today.
    """
    first, last = days_between(since, until)
    last = last or toolkit.today
    first = first or last - timedelta(days=365)
    if first > toolkit.today:
        raise SettingsError(
            message=f"{Given.SINCE} ({day_words(first)}) is after today "
            f"({day_words(toolkit.today)}).",
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
    if (read := read_word(date_reader(ColumnFacts())(word), given=given)) is None:
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
                *("Rows", "Tokens, at most" if report.total.is_at_most else "Tokens"),
            ),
            rows=[
                (by, e.label, *map(e.counts.get, outcomes), e.rows, e.tokens)
                for by, e in lines
            ],
        ),
    )
