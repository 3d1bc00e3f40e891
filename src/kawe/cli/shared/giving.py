"""Asking once for what a column of the sheet would say."""

from __future__ import annotations

from dataclasses import replace

import click

from kawe.cli.shared.asking import is_at_terminal, typed
from kawe.domain.sheet.columns import Column
from kawe.domain.text.texts import fold, one_line
from kawe.toolkit import Reading, Toolkit


def ask_for_lacking(toolkit: Toolkit, reading: Reading, *, no_input: bool) -> Reading:
    """Ask for the values of columns that the sheet lacks; without answers, none.

    Raises:
        WorkbookError: The workbook cannot be read.
    """
    if no_input or not is_at_terminal():
        return reading
    answers = {
        column.field: answer
        for column in toolkit.lacking(reading)
        if (answer := _answer(column))
    }
    return replace(reading, given={**reading.given, **answers})


def _answer(column: Column) -> str:
    """Ask until a number or a name of a choice, or nothing, is typed."""
    by_name = column.by_name()
    click.echo(f"The sheet has no column “{column.title}”. For every row, it can be:")
    for number, choice in enumerate(column.choices, start=1):
        by_name[str(number)] = choice.value
        click.echo(f"  {number}  {choice.label}")
    while word := typed("Type a number or a word; nothing leaves it open"):
        if fold(word) in by_name:
            return by_name[fold(word)]
        click.echo(f"“{one_line(word, limit=40)}” is none of these.")
    return ""
