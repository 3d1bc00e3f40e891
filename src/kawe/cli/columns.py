"""`kawe columns`: how the columns of a sheet are read, and what is kept of that."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from kawe.cases import check_is_file
from kawe.cases import columns as case_columns
from kawe.cases.kinds import KINDS
from kawe.cli.output.next_command import suggested
from kawe.cli.shared.agreeing import is_at_terminal
from kawe.cli.shared.declaring import ChoiceOf, argument, command, option, options_class
from kawe.cli.shared.options import (
    CommandContext,
    OutputOptions,
    SheetOptions,
    open_context,
)
from kawe.cli.shared.read_words import agree_on_columns, kept_where, table_lines
from kawe.cli.shared.sheets import asked_about
from kawe.domain.batch.readings import Reading
from kawe.domain.sheet.columns import SheetKind
from kawe.domain.sheet.tables import ColumnMemory, ReadAs, Table
from kawe.domain.text.texts import fold, one_line
from kawe.errors import SettingsError
from kawe.settings import headings


@options_class
class _ColumnsOptions(SheetOptions):
    workbook: Path | None = argument()
    said: tuple[str, ...] = option(
        "--set",
        metavar="HEADING=COLUMN",
        help="Read the heading as this column in sheets with the same headings as "
        "WORKBOOK; without a column, do not read it.",
    )
    accepts: bool = option("--accept", help="Take every guess for WORKBOOK.")
    forgets: bool = option(
        "--forget", help="Forget what is kept for sheets like WORKBOOK."
    )
    always: tuple[str, ...] = option(
        "--always",
        metavar="HEADING=COLUMN",
        help="Read the heading so in every sheet that you have, or never read it.",
    )
    never: tuple[str, ...] = option(
        "--no-longer",
        metavar="HEADING|N",
        help="Forget what --always said of the heading, or number N of the list.",
    )
    kind: str | None = option("--kind", type=ChoiceOf(KINDS), help="What the rows are.")
    never_asks: bool = option("--no-input", help="Never ask anything.")
    output: OutputOptions

    @property
    def of_kind(self) -> SheetKind | None:
        return None if self.kind is None else SheetKind.named(self.kind)


@command(
    "kawe columns · kawe columns monthly.xlsx · kawe columns monthly.xlsx --set "
    '"Works begin=Start date" · kawe columns --always "Lodged="'
)
def columns(options: _ColumnsOptions) -> int:
    """Show how the columns of WORKBOOK are read, and change it; or list what is kept.

    What you say is kept for sheets with the same headings, and for no others.
    """
    context = open_context(None, options.output)
    _refuse_contradictions(options)
    if options.workbook is not None:
        return _of_workbook(options.workbook, options, context=context)
    memory = headings.column_memory(context.settings.headings)
    lines = [*_ruled(options), *_forgotten(options.never, memory)]
    memory = headings.column_memory(context.settings.headings) if lines else memory
    return context.answer(
        "columns",
        lambda: _kept_document(memory),
        lines=lines or list(_kept_lines(memory)),
    )


def _of_workbook(
    workbook: Path, options: _ColumnsOptions, *, context: CommandContext
) -> int:
    check_is_file(workbook)
    reading = Reading(
        workbook=workbook,
        kind=options.of_kind,
        sheet=options.sheet,
        table=options.table,
        # Headings stand above whatever is hidden or struck through.
        include_hidden=True,
        takes_struck=True,
    )
    never = options.never_asks or context.as_json or not is_at_terminal()
    reading, head = asked_about(reading, context.toolkit.head, never=never)
    lines: list[str] = []
    if options.forgets:
        was = headings.forget_columns(head.read_as.shape)
        lines = ["Forgotten." if was else "Nothing was kept for these headings."]
        head = context.toolkit.afresh().head(reading)
    if (wanted := _wanted(head, options, never=never)) is not None:
        toolkit = case_columns.keep_reading(
            context.toolkit,
            wanted,
            kind=head.kind,
            workbook=workbook.name,
            takes_guesses=options.accepts or not options.said,
        )
        head = toolkit.head(reading)
        lines = [kept_where()]
    asked = wanted is not None and not (options.said or options.accepts)
    return context.answer(
        "columns-of-sheet",
        lambda: {
            "sheet": head.sheet,
            "kind": head.kind.value,
            **head.read_as.as_json(),
        },
        lines=lines if asked else _shown(head, workbook, lines),
    )


def _wanted(head: Table, options: _ColumnsOptions, *, never: bool) -> ReadAs | None:
    """Give how a person wants the sheet read; None: nothing is to be kept."""
    read_as = head.read_as
    for words in options.said:
        read_as = case_columns.said_of(read_as, words, kind=head.kind)
    if not options.said and not options.accepts:
        if never or options.forgets:
            return None
        return agree_on_columns(head, every=True)
    names = ", ".join(each.shown for each in read_as.every if each.needs_answer)
    if names and not options.accepts:
        raise SettingsError(
            message=f"It is still open what {names} is. Nothing was kept.",
            hint="Say that as well with --set, or take the guesses with --accept.",
        )
    return read_as


def _shown(head: Table, workbook: Path, said: Sequence[str]) -> Iterator[str]:
    yield f"Sheet {one_line(head.sheet)}, read as a list of {head.kind}:"
    yield from table_lines(head.read_as, every=True)
    yield from said
    if head.read_as.needs_answer:
        one = suggested("columns", workbook, also='--set "HEADING=COLUMN"')
        yield f"To take every guess: {suggested('columns', workbook, also='--accept')}"
        yield f"To say what one is: {one}"


def _forgotten(words: Sequence[str], memory: ColumnMemory) -> Iterator[str]:
    kept = {str(number): each for number, each in enumerate(memory.kept.items(), 1)}
    for word in words:
        kinds = [each for each in KINDS if headings.forget_rule(each, word)]
        shown = one_line(word)
        if kinds:
            yield f"“{shown}” is forgotten for lists of {' and of '.join(kinds)}."
        elif word in kept:
            shape, said = kept[word]
            headings.forget_columns(shape)
            yield f"Forgotten: what was kept for sheets like {one_line(said.workbook)}."
        else:
            raise SettingsError(
                message=f"Nothing is kept of “{shown}”.",
                hint="To see what is kept: kawe columns. What stands in a settings "
                "file is taken out there.",
            )


def _ruled(options: _ColumnsOptions) -> Iterator[str]:
    for words in options.always:
        heading, is_said, meant = words.rpartition("=")
        heading = " ".join(heading.split())
        if not is_said or not fold(heading):
            raise SettingsError(
                message=f"--always {one_line(words, limit=60)} names no heading.",
                hint='Write HEADING=COLUMN: --always "Lodged=Reference". Nothing was '
                "kept.",
            )
        yield from _rule(heading, meant, options.of_kind)


def _rule(heading: str, meant: str, kind: SheetKind | None) -> Iterator[str]:
    kinds, field, reaches = [*KINDS] if kind is None else [kind], None, False
    if fold(meant):
        one, column = case_columns.kind_with(meant, kind=kind)
        kinds, field, reaches = [one], column.field, column.reaches
    for each in kinds:
        known = case_columns.known_already(each, heading)
        if known is not None and known.field != field:
            raise SettingsError(
                message=f"kawe reads “{one_line(heading)}” as {known.title} in every "
                f"list of {each}. Nothing was kept.",
                hint="Say it of one workbook instead: kawe columns WORKBOOK --set "
                f'"{one_line(heading)}={one_line(meant)}"',
            )
    for each in kinds:
        headings.keep_rule(each, heading, field)
        is_read = (
            f"is {'read as ' if field else ''}{case_columns.title_of(each, field)}"
        )
        yield f"“{one_line(heading)}” {is_read} in every list of {each}."
    if reaches:
        yield "Warning: it decides what reaches people, and nobody is asked again."
    yield f"To undo it: {suggested('columns', only=(), also='--no-longer')} {heading!r}"


def _kept_lines(memory: ColumnMemory) -> Iterator[str]:
    for number, said in enumerate(memory.kept.values(), start=1):
        about, lines = case_columns.kept_words(said)
        yield f"{number}  {about}:"
        yield from (f"     {line}" for line in lines)
    yield from map(case_columns.rule_words, memory.rules.values())
    if not memory.kept and not memory.rules:
        yield "Nothing is kept yet. To see how a sheet is read: kawe columns WORKBOOK"


def _kept_document(memory: ColumnMemory) -> dict[str, Any]:
    return {
        "file": str(headings.columns_file()),
        "kept": [said.as_json() for said in memory.kept.values()],
        "rules": [
            {name: getattr(each, name) for name in ("kind", "heading", "field", "by")}
            for each in memory.rules.values()
        ],
    }


def _refuse_contradictions(options: _ColumnsOptions) -> None:
    keeps: dict[str, object] = {"--set": options.said, "--accept": options.accepts}
    given, said = keeps | {"--forget": options.forgets}, "needs a workbook"
    if options.workbook is not None:
        given = {"--always": options.always, "--no-longer": options.never}
        said = "speaks of every sheet: leave the workbook out"
    flag = next((name for name, value in given.items() if value), None)
    if options.forgets and any(keeps.values()):
        flag, said = "--forget", "and what is to be kept contradict each other"
    if flag is not None:
        raise SettingsError(message=f"{flag} {said}.", hint="Nothing was changed.")
