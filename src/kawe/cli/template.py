"""`kawe template`: a workbook to fill in: empty, or with rows that there are."""

import asyncio
from collections import defaultdict
from dataclasses import asdict
from pathlib import Path

import click

from kawe.cases import templates
from kawe.cases.kinds import FETCHED, KINDS
from kawe.cases.templates import Carried
from kawe.cli.output.next_command import for_everybody, suggested
from kawe.cli.output.printing import print_lines, print_problems
from kawe.cli.shared.declaring import argument, command, option, options_class, output
from kawe.cli.shared.options import AskOptions, CommandContext, RowsOptions, batches
from kawe.cli.shared.read_words import table_lines
from kawe.domain.batch.readings import Reading
from kawe.domain.sheet.columns import SheetKind
from kawe.domain.sheet.findings import Severity, grouped
from kawe.domain.text.texts import counted, one_line, some_of
from kawe.errors import ResultNotWritable

_HELP = f"""Write a workbook to fill in, empty or with rows that there are.

KIND is one of {", ".join(KINDS)}.

It has drop-downs, hints and a how-to sheet. With --from it holds what
stands in an older template or in a sheet of your own, by its headings. With
--now it holds what is so now: change what is to be changed, and leave the
columns that begin with Was; rows that you left alone, or that somebody else
has changed since, are not done. --undo puts back what a batch of acts did:
nothing takes a send back. kawe fetch KIND is short for --now, and kawe undo
BATCH for --undo. A workbook that is there is never changed.
"""


@options_class
class _TemplateOptions(RowsOptions):
    kind: str | None = argument(type=click.Choice(KINDS), metavar="[KIND]")
    path: Path | None = output(
        "Where to write it; KIND.xlsx or undo-BATCH.xlsx here otherwise.",
        is_folder=False,
    )
    source: Path | None = option(
        "--from", is_folder=False, help="Carry the rows of this workbook over."
    )
    is_of_now: bool = option("--now", help="Write the rows that the service has now.")
    undone: str | None = option(
        "--undo",
        metavar="BATCH",
        shell_complete=batches,
        help="Write what puts back what this batch of acts did.",
    )
    ask: AskOptions


@command(
    "kawe template projects -o monthly.xlsx · kawe template projects --from old.xlsx "
    "· kawe template members --now · kawe template --undo closures-2027-03",
    help=_HELP,
)
def template(options: _TemplateOptions) -> int:
    """Write a workbook for a kind of sheet, with or without rows."""
    _refuse_contradictions(options)
    kind, context = options.kind, options.ask.open()
    if kind is None:
        return _undo(context, str(options.undone), options.path)
    target = options.path or Path(f"{kind}.xlsx")
    if target.exists():
        raise ResultNotWritable(
            message=f"{target} is there already.",
            hint="Choose another name with -o; kawe never writes over a workbook.",
        )
    if options.is_of_now:
        written, rows = asyncio.run(
            templates.fetch_template(context.toolkit, kind, target)
        )
        has = f"has {counted(rows, 'row')} to change"
    else:
        written, rows = _written(context, options, target=target)
        has = "is ready to fill in"
    said = f"{written} {has}. Then: {suggested('check', written, only=())}"
    if options.is_of_now and not rows:
        said = f"{written} has no rows: there are none now."
    return context.answer(
        "fetched", lambda: {"workbook": written, "rows": rows}, lines=[said]
    )


def _refuse_contradictions(options: _TemplateOptions) -> None:
    kind, now = options.kind, options.is_of_now
    if (kind is None) == (options.undone is None):
        raise click.UsageError("Name a kind, or a batch with --undo.")
    if options.source is not None and (now or kind is None):
        raise click.UsageError("--from goes without --now and --undo.")
    if now and kind not in FETCHED:
        raise click.UsageError(f"Only these are fetched (--now): {', '.join(FETCHED)}.")


def _written(
    context: CommandContext, options: _TemplateOptions, *, target: Path
) -> tuple[Path, int]:
    """Write a template, with the rows of another workbook if one was named."""
    kind, carried = SheetKind.named(str(options.kind)), None
    if options.source is not None:
        reading = Reading(
            workbook=options.source,
            kind=kind,
            sheet=options.sheet,
            table=options.table,
            include_hidden=options.include_hidden,
            takes_struck=options.takes_struck,
        )
        carried = templates.carry(context.toolkit.read(reading))
    written = templates.make_template(kind, target, carried=carried, says=for_everybody)
    if carried is not None and not context.as_json:
        _print_carried(carried, source=reading.workbook)
    return written, 0 if carried is None else len(carried.rows)


def _print_carried(carried: Carried, *, source: Path) -> None:
    name = one_line(source.name)
    click.echo(f"{counted(len(carried.rows), 'row')} carried over from {name}.")
    print_lines(table_lines(carried.read_as))
    if carried.read_as.unread:
        otherwise = suggested("columns", source, only=())
        click.echo(f"What was not read stays in {name}. To read it too: {otherwise}")
    print_problems(
        grouped(carried.lost),
        least=Severity.ERROR,
        rest="to correct; kawe check lists them",
    )


def _undo(context: CommandContext, batch: str, path: Path | None) -> int:
    """Write what puts back what a batch did; say what stays."""
    done = asyncio.run(templates.undo_template(context.toolkit, batch, path))
    said = f"Nothing of batch {done.batch} can be put back."
    if done.workbooks:
        names, rows = " and ".join(map(str, done.workbooks)), counted(done.rows, "row")
        has = "have" if done.workbooks[1:] else "has"
        check = suggested("check", done.workbooks[0], only=())
        said = f"{names} {has} {rows} to put back. Then: {check}"
    by_reason = defaultdict[str, list[str]](list)
    for name, why in done.left:
        by_reason[why].append(f"“{name}”")
    left = [
        f"{counted(len(names), 'row is', 'rows are')} not put back "
        f"({some_of(names, shown=3)}): {why}."
        for why, names in by_reason.items()
    ]
    return context.answer("undoing", lambda: asdict(done), lines=[*left, said])
