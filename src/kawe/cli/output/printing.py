"""What commands print: findings, counts, rows and reports, safe for a terminal."""

import json
import os
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any, Final

import click

from kawe.cases.sheets import why_new
from kawe.cli.output.exit import current_state
from kawe.cli.output.next_command import PLACE, in_commands, suggested
from kawe.cli.output.wrapping import terminal_width, wrapped
from kawe.domain.batch.agreements import packs_words
from kawe.domain.batch.exit_codes import ExitCode
from kawe.domain.batch.outcomes import NEEDS_PERSON, BatchReport, Outcome, RowReport
from kawe.domain.service.papers import FileFinding, FileTrouble
from kawe.domain.sheet.columns import SheetKind
from kawe.domain.sheet.findings import (
    SHOWN_FIRST,
    FindingGroup,
    Problems,
    Severity,
    warned_json,
    warnings_of,
    without_likes,
)
from kawe.domain.text.next_steps import said_in
from kawe.domain.text.texts import counted, json_value, one_line, some_of, visible_json
from kawe.system import is_windows

_RELEASED_WITH: Final = PLACE | {"keep_reserve"}


@cache
def _notes() -> Mapping[Outcome, str]:
    """Give what follows the word of an outcome: the word itself is always the same."""
    return {
        Outcome.READY: " to submit",
        Outcome.SENT: " to iwi",
        Outcome.DRAFTED: ", not sent to iwi",
        Outcome.INVITED: "",
        Outcome.RESENT: ": the invitation of before had expired",
        Outcome.DONE: "",
        Outcome.ALREADY_THERE: f": {SheetKind.there[0]}",
        Outcome.NOT_AS_ASKED: ": in another role, or not in the team",
        Outcome.INVALID: "",
        Outcome.DEFERRED: ": waiting to be sent",
        Outcome.HELD: " for a person to look at",
        Outcome.IN_DOUBT: ": run again and kawe asks the service",
        Outcome.WITHDRAWN: "",
        Outcome.ABANDONED: " by a person",
        Outcome.UNFINISHED: ": still to be done",
    }


def _said(report: BatchReport, outcome: Outcome) -> str:
    if outcome is Outcome.READY and report.sending is not None:
        return f"ready: {report.sending.words()}"
    if outcome is Outcome.ALREADY_THERE:
        return f"{outcome.value}: {SheetKind.named(report.kind).there[0]}"
    return f"{outcome.value}{_notes()[outcome]}"


def print_json(document: dict[str, Any]) -> None:
    """Print one JSON document and what its run took, safe for a terminal."""
    document = said_in(document | current_state().run.as_json(), in_commands)
    # PowerShell 5.1 reads a pipe in the code page of the terminal.
    text = json.dumps(document, ensure_ascii=is_windows(), indent=2, default=json_value)
    click.echo(visible_json(text))


def answer(
    schema: str,
    document: Callable[[], Mapping[str, Any]],
    *,
    lines: Iterable[str],
    as_json: bool,
    code: ExitCode = ExitCode.DONE,
) -> ExitCode:
    """Print the result as one JSON document or in lines; give the exit code."""
    if as_json:
        print_json(titled(schema, code, document()))
    else:
        print_lines(lines)
    return code


def titled(schema: str, code: int, document: Mapping[str, Any]) -> dict[str, Any]:
    return {"schema": f"kawe.{schema}/1", "exit_code": code, **document}


def print_lines(lines: Iterable[str]) -> None:
    """Print some lines, none wider than the terminal."""
    width = terminal_width()
    for line in lines:
        for part in line.split("\n"):
            click.echo("\n".join(wrapped(part, width=width)))


def count_lines(report: BatchReport) -> Iterator[str]:
    """Say how the rows stand; the sum equals the rows read."""
    counts = report.counts()
    for outcome in Outcome:
        if counts[outcome]:
            yield f"{counts[outcome]:>7,} {_said(report, outcome)}"
    rows = "row" if counts.total() == 1 else "rows"
    yield f"{counts.total():>7,} {rows} in all"
    if late := report.changed_too_late:
        sent = SheetKind.named(report.kind).done
        are = "the change is" if late == 1 else "the changes are"
        yield f"{late:>7,} of them {sent} before, and changed since: {are} not applied"


def next_steps(counts: Counter[Outcome], of: Sequence[BatchReport]) -> Iterator[str]:
    """Say what a person is to do, without naming a row."""
    if counts[Outcome.INVALID]:
        yield (
            "Correct the marked cells in the workbook, with the result workbook "
            "beside it, and run the same command again."
        )
    yield from waiting_lines(of)
    if counts[Outcome.HELD]:
        yield (
            f"{counted(counts[Outcome.HELD], 'row is', 'rows are')} held: "
            f"{suggested('waiting')} says why, kawe resolve decides."
        )
    if counts[Outcome.IN_DOUBT] or counts[Outcome.UNFINISHED]:
        yield "Run the same command again to go on; nothing is lost."


def report_lines(
    report: BatchReport,
    *,
    result: Path | None,
    sums: str = "",
    names_held: bool = True,
    is_brief: bool = False,
) -> Iterator[str]:
    """Say how a batch stands and what to do next."""
    if not is_brief:
        yield (
            f"Batch {report.batch} ({one_line(report.workbook)}), "
            f"{one_line(report.team)}, {report.mode}:"
        )
    yield from who_answers(report)
    yield from count_lines(report)
    if sums:
        yield sums
    yield from remark_lines(report)
    yield from waiting_lines([report])
    held = (row for row in report.rows if names_held and row.outcome is Outcome.HELD)
    yield from row_lines(held, rest=": kawe waiting --verbose lists them.")
    asked = (row for row in report.rows if row.outcome is Outcome.NOT_AS_ASKED)
    yield from row_lines(asked if names_held else (), rest=": the result has them.")
    if result is not None:
        yield from [f"The result is {result}"] if is_brief else result_lines(result)


def who_answers(report: BatchReport) -> Iterator[str]:
    """Say who answers for a batch in which rows wait for a person."""
    if report.owner and any(map(report.counts().get, NEEDS_PERSON)):
        yield f"Who answers for it: {one_line(report.owner)}"


def remark_lines(report: BatchReport) -> Iterator[str]:
    return (one_line(remark, limit=600) for remark in report.remarks)


def result_lines(result: Path, *, is_wrong: bool = False) -> Iterator[str]:
    """Say where the result is, and why it is not the person's own workbook."""
    if is_wrong:
        yield f"Every problem is marked in {result}"
    else:
        yield f"The result workbook is {result}"
        yield "The same beside it: .html for a browser, .csv and .json for programs"
    if because := why_new(result):
        yield f"The result is a new workbook and not your own, because {because}."


def waiting_lines(reports: Sequence[BatchReport]) -> Iterator[str]:
    """Say how many rows wait, and which packs cover the tokens that are missing."""
    if not (waiting := sum(len(each.waits) for each in reports)):
        return
    balance, reserve = reports[-1].tokens_left, reports[-1].reserve
    tokens = sum(each.tokens_needed for each in reports)
    missing = max(0, tokens + reserve - (balance or 0))
    release = suggested("release", only=_RELEASED_WITH)
    waits = counted(waiting, "row waits", "rows wait")
    if missing == 0:
        yield f"{waits} and the tokens are there: run {release}"
        return
    kept = f", and {reserve:,} stay in reserve" if reserve else ""
    team = f"The team has {balance}{kept};"
    has = "Where the team has none," if balance is None else team
    then = f"When the tokens are there, run: {release}"
    yield f"{waits} for tokens. {has} {packs_words(missing)}. {then}"


def report_document(
    report: BatchReport, *, result: Path | None, more: Mapping[str, Any]
) -> dict[str, Any]:
    """Make the document of a run, without its title; `more` is said first."""
    return {
        **more,
        **report.head_json(),
        **report.sums_json(report.counts(), report.problems()),
        "rows_read": len(report.rows),
        **warned_json(warnings_of(row.findings) for row in report.rows),
        "no_longer_in_workbook": list(report.missing),
        "result": result,
        **{
            f"result_{each}": result and result.with_suffix(f".{each}")
            for each in ("html", "csv", "json")
        },
        "new_workbook": (result and why_new(result)) or None,
        "rows": [row.as_json() for row in report.rows],
    }


_MOST: Final = 15
_MOST_LINES: Final = 23
_BRIEF: Final = 6
"""On a terminal, with what else a command prints, one page."""
_KEPT: Final = 5
"""So many findings of `SHOWN_FIRST` are shown, however many errors there are."""
_COLOURS: Final = {"error": "red", "warning": "yellow", "note": "cyan"}


def print_problems(
    problems: Problems,
    *,
    least: Severity,
    also: Collection[str] = (),
    rest: str,
    verbose: bool = False,
    is_brief: bool = False,
) -> None:
    """Print how many findings there are, if several, then the first of them.

    Findings of the rules `also` and `SHOWN_FIRST` are shown, whatever they weigh; of
    the others, those that weigh as much as `least`. `rest` says where a person finds
    those that are not printed; `is_brief` leaves room for a question.
    """
    severities = list(Severity)
    shown = [
        each
        for each in problems
        if verbose
        or each.first.rule in {*SHOWN_FIRST, *also}
        or severities.index(each.severity) <= severities.index(least)
    ]
    # A single line needs no summary.
    if len(shown) > 1:
        print_lines([f"Found: {'; '.join(_counts(shown))}."])
    most = _BRIEF if is_brief else _MOST_LINES
    printed = shown if verbose else _first_of([*without_likes(shown)], most)
    is_plain = bool(os.environ.get("NO_COLOR")) or os.environ.get("TERM") == "dumb"
    for group in printed:
        for line in _finding_lines_of(group):
            click.echo(line, color=False if is_plain else None)
    if more := len(shown) - len(printed):
        print_lines([f"… and {more:,} more {rest}."])


def _first_of(shown: Sequence[FindingGroup], most: int) -> list[FindingGroup]:
    """Choose what fits on so many lines; what must be seen keeps some of it."""
    kept = [each for each in shown if each.first.rule in SHOWN_FIRST][:_KEPT]
    if most == _BRIEF:
        kept = kept[:2]
    lines = sum(len(_finding_lines_of(each)) for each in kept)
    chosen = set(map(id, kept))
    for each in (other for other in shown if id(other) not in chosen):
        lines += len(_finding_lines_of(each))
        if len(chosen) >= _MOST or (lines > most and chosen):
            break
        chosen.add(id(each))
    return [each for each in shown if id(each) in chosen]


def _counts(problems: Sequence[FindingGroup]) -> Iterator[str]:
    for severity in Severity:
        of_it = [each for each in problems if each.severity is severity]
        rows = {(each.first.row.sheet, row) for each in of_it for row in each.rows}
        if of_it:
            yield f"{counted(len(of_it), severity)} on {counted(len(rows), 'row')}"


def _finding_lines_of(group: FindingGroup) -> list[str]:
    finding = group.first
    values = group.values_words(limit=60)
    if len(group.values) == 1 and one_line(finding.value, limit=60) in finding.message:
        values = ""
    heading = one_line(finding.heading, limit=40)
    rows = f"({group.rows_words})" if len(group.rows) > 1 else ""
    like = some_of(group.likewise, shown=3)
    like = like and f"(likewise {like})"
    about = " ".join(filter(None, (_tag(group), heading, values, rows, like)))
    advice = f" {finding.advice}" if finding.advice else ""
    words = one_line(f"{finding.message}{advice}", limit=400)
    lines = wrapped(f"{about}: {words}", width=terminal_width())
    return [_coloured(group, lines[0]), *lines[1:]]


def _tag(group: FindingGroup) -> str:
    return f"{one_line(str(group.first.where))} [{group.severity}]"


def _coloured(group: FindingGroup, line: str) -> str:
    """Colour the severity in a first line, where it stands there as a whole."""
    tag, mark = _tag(group), f"[{group.severity}]"
    if not line.startswith(tag):
        return line
    shown = click.style(mark, fg=_COLOURS[group.severity], bold=True)
    return f"{tag.removesuffix(mark)}{shown}{line.removeprefix(tag)}"


_SHOWN: Final = 20
"""How many rows are named when nobody asks for all."""
_REASONS: Final = 6


def row_lines(rows: Iterable[RowReport], *, rest: str) -> Iterator[str]:
    """Say why rows stand as they do: each reason once, with the rows that it is about.

    At most `_SHOWN` rows are named, of few reasons; `rest` says where the others are.
    """
    alike: dict[tuple[Outcome, str], list[RowReport]] = {}
    for row in rows:
        alike.setdefault((row.outcome, _why(row)), []).append(row)
    left, more = _SHOWN, sum(map(len, alike.values()))
    shown = list(alike.items())[:_REASONS]
    for after, ((outcome, why), group) in zip(
        reversed(range(len(shown))), shown, strict=True
    ):
        # Each reason that is said has at least one of its rows.
        named = group[: left - after]
        yield f"{counted(len(group), 'row')} {outcome}: {why}".removesuffix(" ")
        yield from (f"    {called(row)}" for row in named)
        left -= len(named)
        more -= len(named)
    if more:
        yield f"… and {counted(more, 'more row')}{rest}"


def called(row: RowReport) -> str:
    """Name a row by its reference and name, and say where it stands.

    A row that could not be read is named by its first cells.
    """
    reference, name = row.reference or "", row.name
    if not (reference or name):
        cells = (str(each).strip() for each in row.raw if each is not None)
        reference, name, *_ = (*filter(None, cells), "", "")
    shown = one_line(reference, limit=40)
    if name:
        said = one_line(name, limit=80)
        shown = f"{shown} ({said})" if shown else said
    where = one_line(str(row.where), limit=60)
    return f"{shown}, {where}" if shown else where


def _why(row: RowReport) -> str:
    if row.outcome is Outcome.DEFERRED and row.turn is not None:
        # What to do about tokens is said of all of them at once.
        return ""
    words = row.what_to_do
    for name in (row.name, row.reference):
        if name:
            words = words.replace(name, "…")
    return one_line(words, limit=400)


def _head(trouble: FileTrouble) -> tuple[str, str]:
    return {
        FileTrouble.ALTERED: (
            "file ALTERED since it was saved",
            "files ALTERED since they were saved",
        ),
        FileTrouble.MISSING: ("file missing", "files missing"),
        FileTrouble.EXTRA: ("extra file", "extra files"),
        FileTrouble.REPLACED: ("file replaced", "files replaced"),
        FileTrouble.UNLISTED: ("file not listed any more", "files not listed any more"),
        FileTrouble.UNREADABLE: (
            "file that cannot be compared",
            "files that cannot be compared",
        ),
    }[trouble]


def finding_lines(
    findings: Sequence[FileFinding], *, is_verbose: bool, rest: str
) -> Iterator[str]:
    """Name files by what is wrong with them; some of many, and `rest` says how all."""
    for trouble, group in groupby(findings, key=lambda each: each.trouble):
        found = list(group)
        yield f"{counted(len(found), *_head(trouble))}:"
        shown = found if is_verbose else found[:_SHOWN]
        for each in shown:
            name, what = one_line(each.file), one_line(each.what, limit=400)
            yield f"    {name}: {what}"
        if len(shown) < len(found):
            yield f"    and {len(found) - len(shown)} more{rest}"
