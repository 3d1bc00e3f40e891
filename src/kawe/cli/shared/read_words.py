"""How the columns of a sheet were read: said at the beginning, and asked about."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

import click

from kawe.cli.shared.asking import is_at_terminal, typed
from kawe.cli.shared.options import CommandContext
from kawe.domain.sheet.columns import Column
from kawe.domain.sheet.read_as import ReadAs, UnreadColumn
from kawe.settings import taught_over, teach
from kawe.toolkit import Reading

_SHOWN_READ, _SHOWN_UNREAD = 30, 15
_TEACH: Final = 'To have one read: rename it, or kawe teach "HEADING" "COLUMN".'

_NUMBER: Final = "Type its number, or nothing if it is none of them"


def print_read_as(read_as: ReadAs) -> None:
    """Print what was read as what, and what was not, in a few lines."""
    for line in read_as_lines(read_as):
        click.echo(line)


def read_as_lines(read_as: ReadAs) -> Iterator[str]:
    """Say how the columns were read; on a terminal no heading is broken."""
    for label, words, most in (
        ("Read as", list(read_as.read_words()), _SHOWN_READ),
        ("Not read", list(read_as.unread_words()), _SHOWN_UNREAD),
    ):
        if words:
            more = len(words) - most
            shown = words[:most] + [f"and {more} more"] * (more > 0)
            yield from _folded(f"{label}:", shown)
    if read_as.doubtful:
        yield _TEACH


def ask_headings(
    context: CommandContext, reading: Reading, *, no_input: bool
) -> CommandContext:
    """Ask about headings that kawe does not know, once each; keep the answers.

    Gives the context in which they count. Where nobody can be asked, nothing is kept,
    and each such heading is a warning.

    Raises:
        WorkbookError: The workbook cannot be read.
        SettingsError: The answers cannot be kept.
    """
    if no_input or context.as_json or not is_at_terminal():
        return context
    kept = None
    for asking in (_ask_doubtful, _ask_needed):
        head = context.toolkit.head(reading)
        answers: dict[str, str | None] = {}
        for heading, field in asking(head.read_as):
            answers[heading] = field
            # At once: who stops here is not asked again.
            kept = teach({head.kind: {heading: field}})
        columns = taught_over(context.settings.columns, {head.kind: answers})
        settings = replace(context.settings, columns=columns)
        toolkit = replace(context.toolkit, settings=settings)
        context = replace(context, toolkit=toolkit)
    if kept is not None:
        click.echo(f"Kept in {kept}. To see or undo it: kawe teach")
    return context


def _ask_doubtful(read_as: ReadAs) -> Iterator[tuple[str, str | None]]:
    """Ask what each column is that may be one of kawe's."""
    answers: dict[str, str | None] = {}
    for column in read_as.doubtful:
        taken = set(answers.values())
        near = [each for each in column.nearest if each.field not in taken]
        if near and column.heading not in answers:
            meant = _asked(column, near)
            answers[column.heading] = None if meant is None else meant.field
            yield column.heading, answers[column.heading]


def _ask_needed(read_as: ReadAs) -> Iterator[tuple[str, str | None]]:
    """Ask which column is each that the sheet needs and has not."""
    taken: set[str] = set()
    for column in read_as.needed:
        fitting = read_as.fitting(column)
        able = [each for each in fitting if each.heading not in taken][:_SHOWN_UNREAD]
        if not able:
            continue
        click.echo(f"The sheet has no column {column.title}. Which of these is it?")
        for number, each in enumerate(able, start=1):
            click.echo(f"  {number} {each.shown} (in it: {each.holds})")
        answer = typed(_NUMBER)
        if answer in map(str, range(1, len(able) + 1)):
            heading = able[int(answer) - 1].heading
            taken.add(heading)
            yield heading, column.field


def _asked(unread: UnreadColumn, near: Sequence[Column]) -> Column | None:
    """Ask which of a few columns it is; None: it is not to be read."""
    what = f"{unread.shown} (in it: {unread.holds})"
    if len(near) == 1:
        # What sends cannot be undone: there Enter is no.
        question = f"Is {what} the column {near[0].title}?"
        return near[0] if click.confirm(question, default=not unread.may_send) else None
    click.echo(f"Which column is {what}?")
    for number, column in enumerate(near, start=1):
        click.echo(f"  {number} {column.title}")
    answer = typed(_NUMBER)
    numbers = {str(number): each for number, each in enumerate(near, start=1)}
    return numbers.get(answer)


def _folded(label: str, words: Sequence[str]) -> Iterator[str]:
    """Put words behind a label, in lines as wide as the terminal."""
    is_wide = sys.stdout is None or not sys.stdout.isatty()
    width = shutil.get_terminal_size().columns
    line, last = label, len(words) - 1
    for index, each in enumerate(words):
        word = f"{each}{'.' if index == last else ';'}"
        if is_wide or line == label or len(line) + len(word) < width:
            line = f"{line} {word}"
        else:
            yield line
            line = f"  {word}"
    yield line
