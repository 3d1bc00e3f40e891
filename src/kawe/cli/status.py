"""`kawe status`: the runs, and where rows stand, from the journal alone."""

import asyncio
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from datetime import date
from pathlib import Path
from typing import Any

import click

from kawe.cases.batches.ending import Closing, code_of_counts, code_of_report
from kawe.cases.batches.handing_out import agreed_runs
from kawe.cases.records import reporting
from kawe.cli.output import printing
from kawe.cli.shared import running
from kawe.cli.shared.accounts import HELP, OF_ALL, OfAccount, answer_of_all
from kawe.cli.shared.declaring import argument, command, option, options_class
from kawe.cli.shared.detaching import agreed_lines
from kawe.cli.shared.notifying import missed_notice, send_apart
from kawe.cli.shared.options import CommandContext, DayOptions, LookOptions, batches
from kawe.domain.batch.exit_codes import ExitCode
from kawe.domain.batch.explaining import left_of, not_done
from kawe.domain.batch.outcomes import NEEDS_PERSON, BatchReport, Outcome
from kawe.domain.batch.periods import PeriodReport
from kawe.domain.batch.runs import Every, RunRecord, Turn, coming_words, turn_due
from kawe.domain.service.states import State
from kawe.domain.service.watching import News, owed_by_iwi
from kawe.domain.text.texts import counted, fold, one_line
from kawe.errors import SettingsError
from kawe.flows.watch.telling import line_of

_RUNS, _RUNS_OF_ONE, _BATCHES, _FOUND = 12, 4, 6, 12


@options_class
class _WriteOptions:
    """Which files are made again from the journal."""

    writes: bool = option(
        "--write",
        help="Write the result files of BATCH again; without BATCH, of the latest.",
    )
    result: Path | None = option(
        "--result", help="With --write: where to write the result."
    )
    days: DayOptions
    extracts: running.ExtractOptions
    opening: running.OpenOptions

    @property
    def is_by_month(self) -> bool:
        return self.days != DayOptions(since=None, until=None)

    @property
    def asks_for_files(self) -> bool:
        """Check whether a file is asked for, with --write or by its name."""
        named = self.result, self.extracts.failed, self.extracts.geojson
        return self.writes or any(each is not None for each in named)


@options_class
class _StatusOptions:
    what: str | None = argument(shell_complete=batches)
    expect: str | None = option(
        "--expect",
        type=click.Choice([every.value for every in Every]),
        help="Say whether the submit of this month, week or day has come: code 0 if it "
        "has and is finished, 4 if rows wait, 8 if it is missing.",
    )
    by: int | None = option(
        "--by",
        type=click.IntRange(1, 31),
        metavar="DAY",
        help="Last day of the month, or of the week (1 is Monday), on which it may "
        "come.",
    )
    tell: bool = option(
        "--tell", help="Send a notification when the expected submit is missing."
    )
    runs: int | None = option(
        "--runs",
        type=click.IntRange(1),
        metavar="N",
        help="List the newest N runs (12; 4 of one batch).",
    )
    of_all: bool = option(OF_ALL, help=HELP)
    write: _WriteOptions
    look: LookOptions


@command(
    "kawe status · kawe status monthly · kawe status RD-103 · kawe status monthly "
    "--write · kawe status --expect monthly --by 3"
)
def status(options: _StatusOptions) -> int:
    """List the runs, the newest first, or say what became of WHAT.

    WHAT is a batch, and its rows that are not done are named; a workbook with several
    batches; or, over all of them, a reference, a name, a receipt number or a row, as
    "row 17"; or "late". Asks the service nothing. The exit code is that of the rows,
    so that a scheduler can tell whether somebody is needed. With --expect, WHAT may be
    the beginning of a batch or a pattern such as monthly-*. --write makes the result
    files again. From --since on, every batch is reported by month, as a page and a
    workbook.
    """
    batch = options.what
    expects = options.expect is not None
    if options.of_all:
        return _of_all(options)
    if options.write.asks_for_files or options.write.is_by_month:
        if expects:
            raise click.UsageError(
                "--expect writes no files: leave out one of the two."
            )
        context = options.look.open()
        return _write_again(context, options.write, batch=batch)
    # The run of another key or address is not the one that is expected.
    context = options.look.open(is_strict=expects, may_be_missing=expects)
    turn = _turn(options, today=context.toolkit.today)
    is_late = turn is None and fold(str(batch)) == "late"
    toolkit, is_one = context.toolkit, batch is not None and turn is None
    on_hosts = asyncio.run(agreed_runs(toolkit.settings, batch if is_one else None))
    quiet, waits = _quiet(context, is_one=is_one), is_late or any(on_hosts)
    stand = asyncio.run(
        reporting.standing_of(toolkit, batch, quiet=quiet, may_lack=waits)
        if turn is None
        else reporting.expected_run(toolkit, turn, name=batch)
    )
    if is_late and not (stand and stand.known):
        return _late(context)
    if stand is None:
        return _found(context, str(batch))
    agreed = {"agreed_runs": [asdict(each) for each in on_hosts]} if on_hosts else {}
    code = context.answer(
        "statuses",
        lambda: {**_document(stand), **agreed},
        code=stand.code,
        waits=() if turn is not None else (*NEEDS_PERSON, Outcome.UNFINISHED),
        lines=(
            *(
                _lines_of_one(stand, runs=options.runs or _RUNS_OF_ONE)
                if is_one and len(stand.known) == 1
                else _lines(stand, runs=options.runs or _RUNS, is_put=any(on_hosts))
            ),
            *agreed_lines(on_hosts),
        ),
    )
    if options.tell and stand.found is not None and stand.found.is_missed:
        notice = missed_notice(stand.found, at=context.toolkit.clock.now())
        send_apart(notice, profile=options.look.journal.profile, command=None)
    return code


def _of_all(options: _StatusOptions) -> int:
    if options.what or options.expect or options.write.asks_for_files:
        raise click.UsageError(f"{OF_ALL} goes with --since and --until alone.")
    if options.write.is_by_month:
        return _months_of_all(options)
    return answer_of_all("statuses-of-all", options.look, _of_account)


def _of_account(context: CommandContext) -> OfAccount:
    """Say in a line or two how all batches of one account stand."""
    stand = asyncio.run(reporting.standing_now(context.toolkit))
    on_hosts = asyncio.run(agreed_runs(context.settings))
    reports = stand.reports
    counts = sum((each.counts() for each in reports), Counter[Outcome]())
    left = sum(map(left_of, reports), Counter[Outcome]())
    team = f"{one_line(reports[-1].team)}, {reports[-1].mode}" if reports else ""
    counts = Counter({each: counts[each] for each in Outcome if counts[each]})
    said = f"{_in_words(counts)} in {counted(len(reports), 'batch', 'batches')}"
    more = (f"Not done: {_in_words(left)}.", *[*_late_lines(stand.late)][:1])
    return OfAccount(
        code=stand.code,
        document={
            "team": reports[-1].team if reports else "",
            "mode": reports[-1].mode if reports else "",
            "number_of_batches": len(reports),
            "counts": counts,
            "not_done": {"counts": left},
            "last_runs": [each.as_json() for each in stand.runs[:1]],
            "without_answer": [each.as_json() for each in stand.late],
            "agreed_runs": [asdict(each) for each in on_hosts],
        },
        lines=[
            f"{team}: {said}." if reports else "No batch yet.",
            *(more if left else more[1:]),
            *agreed_lines(on_hosts, profile=context.settings.profile),
        ],
    )


def _in_words(counts: Counter[Outcome]) -> str:
    return ", ".join(f"{number:,} {each}" for each, number in counts.items())


def _months_of_all(options: _StatusOptions) -> int:
    """Report the months of each account, with a page and a workbook of its own."""

    def tell(context: CommandContext) -> OfAccount:
        if not context.toolkit.has_journal:
            return replace(_of_account(context), document={"counts": {}})
        profile = one_line(context.settings.profile)
        made, files = _reported_months(context, options.write, of=f" {profile}")
        return OfAccount(
            code=ExitCode.DONE,
            document=made.as_json() | files,
            lines=(*made.lines(), f"The page is {files['result_html']}"),
        )

    return answer_of_all("report-of-all", options.look, tell)


def _quiet(context: CommandContext, *, is_one: bool) -> frozenset[State]:
    """Say which rows are only counted: a document and one batch name more of them."""
    if context.as_json:
        return reporting.NO_STATES
    return reporting.DONE_STATES if is_one else reporting.COUNTED_STATES


def _late(context: CommandContext) -> int:
    late = asyncio.run(reporting.standing_now(context.toolkit)).late
    nobody = "kawe watch saw no project sent from here that is late or soon will be."
    own = "What waits for your own answer, with an iwi's key: kawe watch --once"
    others = "Projects that were not sent from here as well: kawe export projects"
    return context.answer(
        "late",
        lambda: {
            "without_answer": [each.as_json() for each in late],
            "by_iwi": [
                {"iwi": iwi, "projects": [each.project for each in some]}
                for iwi, some in owed_by_iwi(late).items()
            ],
        },
        lines=[*(_late_lines(late, by_iwi=True) if late else (nobody, own)), others],
    )


def _found(context: CommandContext, words: str) -> int:
    """Say what became of the rows that a person named."""
    rows = asyncio.run(reporting.find_rows(context.toolkit, words))
    shown = rows if context.verbose else rows[:_FOUND]
    more = counted(len(rows) - len(shown), "more row")
    return context.answer(
        "found",
        lambda: {"rows": [each.as_json() for each in rows]},
        code=code_of_counts(Counter(each.row.outcome for each in rows)),
        lines=(
            *(line for each in shown for line in each.lines()),
            *([f"… and {more}: --verbose lists them."] if shown != rows else []),
        ),
    )


def _turn(options: _StatusOptions, *, today: date) -> Turn | None:
    by = options.by
    if options.expect is None:
        if by is not None or options.tell:
            raise click.UsageError("--by and --tell belong to --expect.")
        return None
    every = Every(options.expect)
    days = {Every.MONTHLY: 31, Every.WEEKLY: 7, Every.DAILY: 0}[every]
    if by is not None and not days:
        raise click.UsageError("--by goes with --expect monthly and weekly.")
    if by is not None and by > days:
        raise click.UsageError(f"--by is between 1 and {days}.")
    return turn_due(every, by=by, today=today)


def _document(stand: "reporting.Standing") -> dict[str, Any]:
    found = stand.found
    expected: dict[str, Any] = {}
    if found is not None:
        expected["expected"] = {
            "every": found.turn.every.value,
            "missed": found.is_missed,
            "since": found.turn.begins_on,
            "due": found.turn.due_on,
            "batch": found.batch or None,
            "rows_left": found.left,
            "words": coming_words(found),
        }
    return {
        **expected,
        "runs": [run.as_json() for run in stand.runs],
        "without_answer": [each.as_json() for each in stand.late],
        "batches": [
            printing.titled(
                "status",
                code_of_report(made),
                printing.report_document(made, result=None, more={"sheet": each.sheet}),
            )
            for each, made in stand.known
        ],
    }


def _lines_of_one(stand: "reporting.Standing", *, runs: int) -> Iterator[str]:
    """Say how one batch stands, and name its rows that are not done."""
    (report,) = stand.reports
    yield from printing.report_lines(report, result=None, names_held=False)
    yield from _run_lines(stand.runs, shown=runs)
    yield from _late_lines(stand.late)
    if not (rows := not_done(report.rows)):
        yield "Nothing is left to do about any row."
        return
    yield f"Not done: {counted(len(rows), 'row')}."
    rest = f": kawe status {report.batch} --write writes all of them into its result."
    yield from printing.row_lines(rows, rest=rest)


def _lines(stand: "reporting.Standing", *, runs: int, is_put: bool) -> Iterator[str]:
    """List the runs, and the batches in which something is left to do."""
    yield from _run_lines(stand.runs, shown=runs)
    open_ones = [each for each in stand.reports if left_of(each)]
    for report in open_ones[:_BATCHES]:
        yield f"Not done in batch {report.batch}: {_in_words(left_of(report))}."
        yield f"    kawe status {report.batch}"
        yield from printing.remark_lines(report)
    if more := [each.batch for each in open_ones[_BATCHES:]]:
        yield f"Not done in {counted(len(more), 'more batch', 'more batches')} too:"
        yield f"    {', '.join(more)}"
    yield from _answering(open_ones)
    yield from _late_lines(stand.late)
    if stand.found is not None:
        yield coming_words(stand.found)
    elif not stand.reports and not is_put:
        yield "No batch yet. Submit a workbook first: kawe submit WORKBOOK"
    elif not open_ones and stand.reports:
        yield "Nothing is left to do about any row."


def _late_lines(late: Sequence[News], *, by_iwi: bool = False) -> Iterator[str]:
    """Name the projects without an answer, those that wait longest first.

    `by_iwi`: all of them, below each iwi that owes one.
    """
    if late:
        projects = counted(len(late), "project has", "projects have")
        yield f"{projects} no answer, as kawe watch saw last:"
    if by_iwi:
        for iwi, some in owed_by_iwi(late).items():
            yield f"{one_line(iwi, limit=80)}: {counted(len(some), 'answer')}"
            yield from (f"    {line_of(one)}" for one in some)
        return
    yield from (f"    {line_of(one)}" for one in late[:_FOUND])
    if len(late) > _FOUND:
        yield f"    and {len(late) - _FOUND:,} more: --json lists them."


def _answering(reports: Sequence[BatchReport]) -> Iterator[str]:
    """Say who answers, each person once."""
    answering: dict[str, list[str]] = {}
    for report in reports:
        for words in printing.who_answers(report):
            answering.setdefault(words, []).append(report.batch)
    for words, names in answering.items():
        named = f"for {', '.join(names)}:"
        yield words if len(reports) == 1 else words.replace("for it:", named, 1)


def _run_lines(runs: Sequence[RunRecord], *, shown: int) -> Iterator[str]:
    if not runs:
        return
    total = counted(len(runs), "run")
    part = f" ({shown} shown; --runs N lists more)" if len(runs) > shown else ""
    yield f"{total}, the newest first{part}:"
    for run in runs[:shown]:
        yield from run.lines()


def _write_again(
    context: CommandContext, options: _WriteOptions, *, batch: str | None
) -> int:
    """Write the result of a batch, or the months; needs no workbook and no service.

    A batch whose workbook was read for a later batch since gets a result with the day
    in its name.
    """
    if options.is_by_month:
        return _by_month(context, options, batch=batch)
    toolkit = context.toolkit
    found = asyncio.run(reporting.reported_batch(toolkit, batch, result=options.result))
    extracts = options.extracts.of_batch(toolkit, found.workbook, result=found.result)
    made, written = found.made, found.write(toolkit)
    closing = Closing(report=made, result=written, code=ExitCode.DONE)
    closing = extracts.write(closing)
    context.state.run.record(made)
    code = context.answer(
        "report",
        lambda: running.closing_document(closing),
        code=closing.code,
        lines=running.closing_lines(closing),
    )
    options.opening.open([written], no_input=context.as_json)
    return code


def _by_month(
    context: CommandContext, options: _WriteOptions, *, batch: str | None
) -> int:
    """Report the rows of a period."""
    if any((options.extracts.failed, options.extracts.geojson, batch)):
        raise SettingsError(
            message="--since and --until are for every batch together, and BATCH, "
            "--failed and --geojson for one.",
            hint="Leave out one of the two.",
        )
    made, files = _reported_months(context, options, path=options.result)
    page = files["result_html"]
    code = context.answer(
        "report-by-month",
        lambda: made.as_json() | files,
        lines=(
            *made.lines(),
            f"The page is {page}",
            f"The same as a workbook: {files['result']}",
        ),
    )
    options.opening.open([page], no_input=context.as_json)
    return code


def _reported_months(
    context: CommandContext,
    options: _WriteOptions,
    *,
    path: Path | None = None,
    of: str = "",
) -> tuple[PeriodReport, dict[str, Path]]:
    """Report a period, and write it at `path`, or here with a name that has `of`."""
    toolkit = context.toolkit
    since, until = options.days.since, options.days.until
    period = reporting.period_of(toolkit, since=since, until=until)
    name = f"kawe status{of} {period.since_on} to {period.until_on}.html"
    made = asyncio.run(reporting.report_of_period(toolkit, period))
    page = reporting.write_period(made, path or Path.cwd() / name)
    return made, {"result_html": page, "result": page.with_suffix(".xlsx")}
