"""The sheets that a command takes, one or every list, and its answer for each."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

import click

from kawe.cases import check_is_file
from kawe.cases.batches.ending import Extracts
from kawe.cases.columns import keep_addresses
from kawe.cases.companions import at_files
from kawe.cases.kit import Toolkit
from kawe.cases.sheets import SheetsToRead, SheetToRead, result_place
from kawe.cli.output import printing
from kawe.cli.output.next_command import in_commands, typed_flag
from kawe.cli.shared.agreeing import is_at_terminal, is_yes, typed
from kawe.cli.shared.options import CommandContext, ReadingOptions
from kawe.cli.shared.read_words import ask_columns, kept_where, table_lines
from kawe.cli.shared.running import ExtractOptions, labelled
from kawe.domain.batch.exit_codes import ExitCode, worst_of
from kawe.domain.batch.readings import Reading
from kawe.domain.sheet.aside import is_aside
from kawe.domain.sheet.columns import Column
from kawe.domain.sheet.findings import COLUMNS_OPEN
from kawe.domain.sheet.tables import Table
from kawe.domain.text.row_choice import read_row_choice
from kawe.domain.text.texts import counted, fold, one_line, some_of
from kawe.errors import ReadingUnclear, SettingsError, WorkbookError

_Found = TypeVar("_Found")
_Places: TypeAlias = dict[Path, Extracts]
"""By the place of each result."""
_ASIDE = "earlier works, a copy or a draft"


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetAnswer:
    """What a command answers for one sheet."""

    sheet: SheetToRead
    code: ExitCode
    document: Callable[[], Mapping[str, Any]]
    show: Callable[[], None] = lambda: None
    """Prints it for a person; a submit has done so before."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TakenSheets:
    """The sheets that a command takes, one or every list."""

    context: CommandContext
    options: ReadingOptions
    sheets: SheetsToRead
    is_alone: bool
    """Nobody can be asked."""

    @property
    def readings(self) -> list[Reading]:
        return [each.reading for each in self.sheets.lists]

    def places(self, result: Path | None, extracts: ExtractOptions) -> _Places:
        """Give the place of the result of each sheet, and the files beside it.

        A place that was given for several sheets gets the name of each.
        """
        places: dict[Path, Extracts] = {}
        toolkit = self.context.toolkit
        for each in self.sheets.lists:
            workbook = each.reading.workbook
            label = each.label if self.options.all_sheets else ""
            wanted = labelled(result, label)
            path = result_place(workbook, wanted=wanted, label=each.label)
            toolkit.writer(workbook).check_writable(path)
            places[path] = extracts.of_batch(
                toolkit, workbook, result=path, label=label
            )
        return places

    def asked(self, *, acts: bool = False) -> "TakenSheets":
        """Ask how columns are read, and for columns that are not there.

        Raises:
            WorkbookError: The workbook cannot be read; or, of a command that `acts`, it
                is still open what a column is that decides what reaches people.
        """
        context, lists = self.context, []
        _note_idle(context, self.sheets)
        for reading in self.readings:
            context = context if self.is_alone else ask_columns(context, reading)
            if acts:
                _refuse_open(context.toolkit.head(reading), is_shown=not self.is_alone)
        for each in () if self.is_alone else self.sheets.lists:
            reading = ask_for_lacking(context.toolkit, each.reading)
            lists.append(replace(each, reading=reading))
            if not reading.accepts_addresses:
                context = _ask_about_addresses(context, reading)
        sheets = replace(self.sheets, lists=tuple(lists) or self.sheets.lists)
        return replace(self, context=context, sheets=sheets)

    def head(self, each: SheetToRead) -> Iterator[str]:
        """Say which sheet the next lines are about, where every list is taken."""
        if self.options.all_sheets:
            yield head_line(each)

    def rest_lines(self, answers: Sequence[SheetAnswer]) -> Iterator[str]:
        """Name the sheets that were not reached, or are not read."""
        for each in self.sheets.lists[len(answers) :]:
            name = one_line(each.sheet)
            yield f"Sheet {name} was not begun. Run the same command again to go on."
        for sheet, why in self.sheets.left.items():
            because = one_line(why, limit=400).removesuffix(".")
            yield f"Sheet {one_line(sheet)} is not read: {because}."

    def answer(
        self,
        schema: str,
        answers: Sequence[SheetAnswer],
        *,
        more: Mapping[str, Any] | None = None,
    ) -> ExitCode:
        """Print what a command answers for its sheets; give its exit code.

        `more` is said in the document of the whole workbook.
        """
        code = worst_of(each.code for each in answers)
        if self.context.as_json:
            several = "_sheets" if self.options.all_sheets else ""
            document = {**self._document(answers), **(more or {})}
            printing.print_json(printing.titled(f"{schema}{several}", code, document))
            return code
        for each in answers:
            each.show()
        printing.print_lines(self.rest_lines(answers))
        return code

    def _document(self, answers: Sequence[SheetAnswer]) -> Mapping[str, Any]:
        """Give the document of the sheet, or one of every sheet."""
        if not self.options.all_sheets:
            return answers[0].document()
        begun = {each.sheet.sheet for each in answers}
        every, left = self.sheets.lists, self.sheets.left
        return {
            "sheets": [
                {"sheet": each.sheet.sheet, "exit_code": each.code, **each.document()}
                for each in answers
            ],
            "sheets_not_begun": [e.sheet for e in every if e.sheet not in begun],
            "sheets_not_read": [{"sheet": e, "why": why} for e, why in left.items()],
        }


def head_line(each: SheetToRead) -> str:
    """Say which of several sheets the next lines are about."""
    kind = "" if each.reading.kind is None else f" ({each.reading.kind.value})"
    return f"Sheet {one_line(each.sheet)}{kind}:"


def take_sheets(
    context: CommandContext,
    reading: Reading,
    options: ReadingOptions,
    *,
    no_input: bool,
    of_one: Collection[str] = (),
) -> TakenSheets:
    """Find the sheets to take; `of_one` are options that speak of one sheet alone.

    A person is asked where a sheet may be of several kinds, has several tables, or may
    be of the past.

    Raises:
        SettingsError: Such an option was typed, and --all-sheets finds several.
    """
    check_is_file(reading.workbook)
    every = options.all_sheets
    never = no_input or not is_at_terminal()
    reading = at_files(context.settings, reading)
    find = partial(context.toolkit.sheets, every=every)
    reading, sheets = asked_about(reading, find, never=never)
    if every:
        today, takes = context.toolkit.today, options.takes_archives
        sheets = _without_past(sheets, takes=takes, today=today, never=never)
    flag = typed_flag({"sheet", "table", *(of_one if sheets.lists[1:] else ())})
    if every and flag is not None:
        raise SettingsError(
            message=f"{flag} speaks of one sheet, and --all-sheets takes every list.",
            hint="Leave one of them out. Nothing was done.",
        )
    head = context.toolkit.head
    lists = (
        replace(each, reading=asked_about(each.reading, head, never=never)[0])
        for each in sheets.lists
    )
    sheets = replace(sheets, lists=tuple(lists))
    return TakenSheets(context=context, options=options, sheets=sheets, is_alone=never)


def asked_about(
    reading: Reading, find: Callable[[Reading], _Found], *, never: bool
) -> tuple[Reading, _Found]:
    """Ask how a sheet is to be read until that is clear; give what is found so.

    Raises:
        ReadingUnclear: Nobody can be asked, or none of the choices was typed.
    """
    while True:
        try:
            return reading, find(reading)
        except ReadingUnclear as trouble:
            if never:
                raise
            click.echo(in_commands(trouble.lead or trouble.message))
            for number, (_, shown) in enumerate(trouble.choices, start=1):
                click.echo(f"  {number}  {shown}")
            which = f"Which {trouble.about} is to be read?"
            ask = "What are its rows?" if trouble.about == "kind" else which
            answer = typed(f"{ask} Type the number; nothing stops")
            if answer not in map(str, range(1, len(trouble.choices) + 1)):
                raise
            word, _ = trouble.choices[int(answer) - 1]
            said: dict[str, Any] = {trouble.about: word}
            reading = replace(reading, **said)


def _without_past(
    sheets: SheetsToRead, *, takes: bool | None, today: date, never: bool
) -> SheetsToRead:
    """Leave out sheets that are set aside, unless a person wants them read too.

    Raises:
        WorkbookError: Nobody said it, and nobody can be asked.
    """
    past = [each for each in sheets.lists if is_aside(each.sheet, today=today)]
    if takes or not past:
        return sheets
    names = ", ".join(f"“{one_line(each.sheet)}”" for each in past)
    look = f"{names} {'looks' if len(past) == 1 else 'look'} like {_ASIDE}."
    if takes is None and never:
        raise WorkbookError(
            message=look,
            hint="Say --skip-archives to leave such sheets out, or --include-archives "
            "to read them too. Nothing was sent.",
        )
    if takes is None:
        click.echo(look)
        if is_yes(typed("Type yes to read them too; anything else leaves them out")):
            return sheets
    left = {each.sheet: f"its name is that of {_ASIDE}" for each in past}
    if not (lists := tuple(each for each in sheets.lists if each not in past)):
        raise WorkbookError(
            message=look, hint="No other sheet is a list. Nothing was sent."
        )
    return SheetsToRead(lists=lists, left={**sheets.left, **left})


def _ask_about_addresses(context: CommandContext, reading: Reading) -> CommandContext:
    """Ask about addresses that are near others of a table of places; keep them."""
    toolkit = context.toolkit
    if not (taken := _near_chosen(toolkit.near_addresses(reading))):
        return context
    toolkit = keep_addresses(toolkit, reading, taken)
    click.echo(f"{counted(len(taken), 'address', 'addresses')}: {kept_where()}")
    return replace(context, toolkit=toolkit)


def _near_chosen(near: Mapping[tuple[str, str], str]) -> dict[str, str]:
    """Ask which addresses are those beside them; every one is shown."""
    if not near:
        return {}
    click.echo(f"{counted(len(near), 'address', 'addresses')} may be meant so:")
    for number, line in enumerate(near.values(), start=1):
        click.echo(f"  {number}  {line}")
    answer = typed(
        "Type yes if each is the same place, or the numbers of those that are (1,3-4); "
        "anything else takes none of them"
    )
    if is_yes(answer):
        return dict(near.keys())
    try:
        chosen = read_row_choice(answer)
    except SettingsError:
        return {}
    taken = {n: each for n, each in enumerate(near, start=1) if chosen.has(n, None)}
    return {} if chosen.references else dict(taken.values())


def _refuse_open(head: Table, *, is_shown: bool) -> None:
    found = next((e for e in head.findings if e.rule == COLUMNS_OPEN), None)
    if found is None:
        return
    # Who was asked has the table before them.
    for line in () if is_shown else table_lines(head.read_as):
        click.echo(line, err=True)
    raise WorkbookError(message=found.message, hint=found.advice)


def _note_idle(context: CommandContext, sheets: SheetsToRead) -> None:
    """Name the options, and the headings of settings, that mean nothing here."""
    if idle := [each.heading for each in context.settings.headings if each.is_idle]:
        names = some_of([f"“{one_line(each, limit=60)}”" for each in idle], shown=3)
        click.echo(
            f"Note: The kawe.toml of this folder cannot leave {names} unread; you can: "
            "kawe columns",
            err=True,
        )
    first, *others = map(
        context.toolkit.idle_options, (e.reading for e in sheets.lists)
    )
    for name, kind in first.items():
        if all(name in each for each in others):
            note = f"--{name} changes nothing for a sheet of {kind.value}."
            click.echo(f"Note: {note}", err=True)


def ask_for_lacking(toolkit: Toolkit, reading: Reading) -> Reading:
    """Ask for the values of columns that the sheet lacks; without answers, none."""
    answers = {
        column.field: answer
        for column in toolkit.lacking(reading)
        if (answer := _answer(column))
    }
    return replace(reading, given={**reading.given, **answers})


def _answer(column: Column) -> str:
    """Ask until a number or a name of a choice, or nothing, is typed."""
    by_name = column.by_name()
    click.echo(f"No row says its {column.title}. For every row, it can be:")
    for number, choice in enumerate(column.choices, start=1):
        by_name[str(number)] = choice.value
        click.echo(f"  {number}  {choice.label}")
    while word := typed("Type a number or a word; nothing leaves it open"):
        if fold(word) in by_name:
            return by_name[fold(word)]
        click.echo(f"“{one_line(word, limit=40)}” is none of these.")
    return ""
