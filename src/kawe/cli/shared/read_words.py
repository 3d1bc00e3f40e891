"""How the columns of a sheet are read: said at the beginning, and asked about once.

One table shows every column; what is guessed there is read only once a person agreed.
Enter agrees to nothing that decides what reaches people.
"""

import shutil
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import zip_longest
from pathlib import Path
from typing import Final

import click

from kawe.cases.columns import NOT_READ, field_named, fields_of, keep_reading
from kawe.cli.output import printing
from kawe.cli.output.next_command import in_commands, suggested
from kawe.cli.shared.agreeing import is_yes, typed
from kawe.cli.shared.options import CommandContext
from kawe.domain.batch.readings import Reading
from kawe.domain.sheet.columns import Column, SheetKind
from kawe.domain.sheet.tables import OWN_NAMES, Heading, ReadAs, Table
from kawe.domain.text.texts import counted, fold, one_line
from kawe.errors import SettingsError
from kawe.settings.headings import columns_file, is_new_reading

_SHOWN: Final = 8
"""With what else a command prints before its question, one page."""
_HEADS: Final = ("", "Heading", "First values", "Read as", "How sure")
_NARROWEST: Final = 72


def print_reading(
    table: Table,
    workbook: Path,
    context: CommandContext,
    *,
    rows: int | None = None,
    is_idle: bool = False,
) -> None:
    """Print first what a sheet holds, and how its columns are read.

    What was printed of sheets with these headings before is said in one line; where a
    run `is_idle`, columns that are not open are not named.
    """
    read_as = table.read_as
    count = counted(len(table.rows) if rows is None else rows, "row")
    both = ", headings in rows {} and {}" if read_as.heading_rows[1:] else ""
    click.echo(
        f"{table.kind.listed.upper()}: {count} of “{one_line(workbook.name)}”, sheet "
        f"{one_line(table.sheet)}{both.format(*read_as.heading_rows)}"
    )
    is_new = is_new_reading(read_as.shape, [*map(str, read_as.every)])
    if read_as.shape in context.asked:
        return
    show = suggested("columns", workbook, only=())
    if read_as.needs_answer or context.verbose or (is_new and not is_idle):
        printing.print_lines(table_lines(read_as))
        if read_as.open and not read_as.needs_answer:
            click.echo(f"What is not sure is not read. To say what it is: {show}")
    elif not is_idle:
        said = f"{len(read_as.read)} read, {len(read_as.unread)} not"
        click.echo(f"Columns as last time: {said}. To see them: {show}")


def table_lines(read_as: ReadAs, *, every: bool = False) -> Iterator[str]:
    """Show each column: its number, first values, what it is read as, how sure.

    Unless `every` is to be seen, columns under their own names are only counted; so are
    others that are read, or not, beyond the first few, if nothing is open of them.
    """
    columns = () if every else read_as.every
    plain = [each.column for each in columns if each.is_plain]
    read = [each.column for each in columns if each.is_read and not each.is_plain]
    idle = [each.column for each in columns if not (each.is_read or each.may_be)]
    rest = [*read[_SHOWN:], *idle[_SHOWN:]]
    wide = max(_NARROWEST, shutil.get_terminal_size().columns) - 1
    # A number, then heading, values, column and sureness by what they need most.
    share = (wide - 3 - 8) // 10
    widths = (3, 3 * share, 3 * share, 2 * share + 2, wide - 3 - 8 - 8 * share - 2)
    shown = [each for each in read_as.every if each.column not in {*plain, *rest}]
    if shown:
        yield _row(_HEADS, widths)
    for each in shown:
        what = each.text or "(no heading)", "; ".join(each.values)
        yield _row((f"{each.column}", *what, each.read_words, each.sure_words), widths)
    if plain:
        yield f"{'And ' if shown else ''}{counted(len(plain), *OWN_NAMES)}."
    if rest:
        yield f"And {len(rest)} more; kawe columns, with the workbook, shows them."


def _row(texts: Sequence[str], widths: Sequence[int]) -> str:
    cut = (one_line(text, limit=most) for text, most in zip(texts, widths, strict=True))
    number, *others = cut
    cells = [number.rjust(widths[0]), *map(str.ljust, others, widths[1:])]
    return "  ".join(cells).rstrip()


def ask_columns(context: CommandContext, reading: Reading) -> CommandContext:
    """Ask once how the columns are read, if that is open; keep the answer.

    Gives the context in which it counts.
    """
    head = context.toolkit.head(reading)
    if not head.read_as.open and head.read_as.read:
        return context
    agreed, toolkit = agree_on_columns(head), context.toolkit
    if agreed is not None:
        name = reading.workbook.name
        toolkit = keep_reading(toolkit, agreed, kind=head.kind, workbook=name)
        click.echo(f"{kept_where()} To see or change it: kawe columns")
    return replace(context, toolkit=toolkit, asked=context.asked | {head.read_as.shape})


def kept_where() -> str:
    return f"Kept for sheets with these headings, in {columns_file()}."


def agree_on_columns(head: Table, *, every: bool = False) -> ReadAs | None:
    """Show the table, then each change, until a person agrees; None: they did not."""
    read_as = before = shown = head.read_as
    click.echo(f"This is how kawe reads {one_line(head.sheet)}, a list of {head.kind}:")
    while True:
        printing.print_lines(table_lines(shown, every=every or shown is not before))
        is_changed = read_as is not before
        change = "a number and a column to change one (3 Start date; 3 - not read)"
        question = f"Enter {'keeps' if is_changed else 'takes'} this; or type {change}"
        if read_as.needs_answer:
            question = (
                "Some are guesses that decide what reaches people. Type yes if all is "
                f"as it should be, or {change}; nothing leaves it open"
            )
        answer = typed(question)
        if is_yes(answer) or (not answer and not read_as.needs_answer):
            return read_as if read_as.open or is_changed else None
        if not answer:
            return None
        was = read_as
        for each in answer.split(";"):
            read_as = _changed(read_as, each.strip(), kind=head.kind)
        new = tuple(each for each in read_as.every if each not in was.every)
        shown = replace(read_as, every=new)


def _changed(read_as: ReadAs, answer: str, *, kind: SheetKind) -> ReadAs:
    """Take `NUMBER COLUMN`, or a number alone and then the column."""
    number, _, words = answer.partition(" ")
    column = next((e for e in read_as.every if str(e.column) == number), None)
    if column is None:
        click.echo(f"“{one_line(answer, limit=40)}” is no number of the table.")
        return read_as
    try:
        means = _meant(words.strip() or _asked(column, kind), kind)
    except SettingsError as trouble:
        click.echo(in_commands(trouble.message))
        return read_as
    return read_as.with_word(column.column, means)


def _meant(words: str, kind: SheetKind) -> Column | None:
    if words == "-" or fold(words) == fold(NOT_READ):
        return None
    by_number = {str(n): each for n, each in enumerate(fields_of(kind), 1)}
    return by_number.get(words) or field_named(words, kind=kind)


def _asked(column: Heading, kind: SheetKind) -> str:
    """Ask which of all columns it is."""
    titles = [f"{n:>3} {each.title}" for n, each in enumerate(fields_of(kind), 1)]
    third = -(-len(titles) // 3)
    columns = (titles[at : at + third] for at in (0, third, 2 * third))
    for texts in zip_longest(*columns):
        click.echo("".join((text or "").ljust(26) for text in texts).rstrip())
    return typed(f"Which is {column.shown}? Its number or name, - for {NOT_READ}")
