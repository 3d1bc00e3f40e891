"""Findings on a terminal: each said once with its rows, few, wrapped and coloured."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Sequence
from typing import Final

import click

from kawe.cli.output.printing import print_lines
from kawe.cli.output.wrapping import terminal_width, wrapped
from kawe.domain.sheet.findings import SHOWN_FIRST, FindingGroup, Problems, Severity
from kawe.domain.text.texts import counted, one_line

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
    printed = shown if verbose else _first_of(shown, most)
    is_plain = bool(os.environ.get("NO_COLOR")) or os.environ.get("TERM") == "dumb"
    for group in printed:
        for line in _lines(group):
            click.echo(line, color=False if is_plain else None)
    if more := len(shown) - len(printed):
        print_lines([f"… and {more:,} more {rest}."])


def _first_of(shown: Sequence[FindingGroup], most: int) -> list[FindingGroup]:
    """Choose what fits on so many lines; what must be seen keeps some of it."""
    kept = [each for each in shown if each.first.rule in SHOWN_FIRST][:_KEPT]
    if most == _BRIEF:
        kept = kept[:2]
    lines = sum(len(_lines(each)) for each in kept)
    chosen = set(map(id, kept))
    for each in (other for other in shown if id(other) not in chosen):
        lines += len(_lines(each))
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


def _lines(group: FindingGroup) -> list[str]:
    lines = wrapped(_words(group), width=terminal_width())
    return [_coloured(group, lines[0]), *lines[1:]]


def _words(group: FindingGroup) -> str:
    finding = group.first
    values = group.values_words(limit=60)
    plain = one_line(finding.value, limit=60)
    if len(group.values) == 1 and plain in finding.message:
        values = ""
    heading = one_line(finding.heading, limit=40)
    rows = f"({group.rows_words})" if len(group.rows) > 1 else ""
    about = " ".join(filter(None, (_tag(group), heading, values, rows)))
    advice = f" {finding.advice}" if finding.advice else ""
    words = one_line(f"{finding.message}{advice}", limit=400)
    return f"{about}: {words}"


def _tag(group: FindingGroup) -> str:
    return f"{one_line(str(group.first.where))} [{group.severity}]"


def _coloured(group: FindingGroup, line: str) -> str:
    """Colour the severity in a first line, where it stands there as a whole."""
    tag, mark = _tag(group), f"[{group.severity}]"
    if not line.startswith(tag):
        return line
    shown = click.style(mark, fg=_COLOURS[group.severity], bold=True)
    return f"{tag.removesuffix(mark)}{shown}{line.removeprefix(tag)}"
