"""`kawe teach`: what the headings of a person's own sheets mean."""

from __future__ import annotations

from collections.abc import Iterator

import click

from kawe.cli.output import printing
from kawe.cli.output.exit import ExitCode
from kawe.cli.output.next_command import suggested
from kawe.cli.shared.declaring import argument, option, options_class, taking
from kawe.cli.shared.options import CommandContext, OutputOptions, open_context
from kawe.domain.sheet.columns import SheetKind
from kawe.domain.text.texts import fold, one_line
from kawe.errors import SettingsError
from kawe.settings import own_headings, user_file
from kawe.settings import teach as keep
from kawe.toolkit.kinds import KINDS
from kawe.toolkit.teaching import knows_already, lesson, title_of, unlearn


@options_class
class _TeachOptions:
    heading: str | None = argument(required=False)
    column: str | None = argument(required=False)
    kind: str | None = option(
        "--kind", type=click.Choice(KINDS), help="Of which sheets; else of any."
    )
    not_read: bool = option(
        "--not-read", help="The heading is not to be read, and not to be asked about."
    )
    undo: bool = option("--undo", help="Forget what was taught of the heading.")
    shows: bool = option("--list", help="List what was taught; without HEADING too.")
    output: OutputOptions


@click.command(
    epilog='Examples: kawe teach · kawe teach "Due" "Respond by" · '
    'kawe teach "Lodged" --not-read · kawe teach "Due" --undo'
)
@taking(_TeachOptions)
def teach(options: _TeachOptions) -> int:
    """Teach kawe that HEADING of your sheets means COLUMN; or list what it was taught.

    It is kept in your own settings. A kawe.toml beside workbooks may say otherwise
    for that folder, and comes first.
    """
    _refuse_contradictions(options)
    kind = None if options.kind is None else SheetKind.named(options.kind)
    context = open_context(None, options.output)
    lines: list[str] = []
    if options.heading is not None and options.undo:
        lines = list(_undone(options.heading, kind, context=context))
        context = open_context(None, options.output)
    elif options.heading is not None:
        lines = list(_taught(options.heading, options.column, kind, context=context))
        context = open_context(None, options.output)
    headings = list(own_headings(context.settings.columns, context.settings.layers))
    if options.heading is None:
        lines = [
            f"“{one_line(each.heading)}” → {title_of(each.kind, each.field)} "
            f"({each.kind}), in {each.origin}"
            for each in headings
        ] or ['Nothing was taught yet: kawe teach "HEADING" "COLUMN"']
    return printing.answer(
        "taught",
        ExitCode.DONE,
        as_json=context.as_json,
        document=lambda: {
            "file": str(user_file()),
            "headings": [each.as_json() for each in headings],
        },
        lines=lines,
    )


def _taught(
    heading: str, column: str | None, kind: SheetKind | None, *, context: CommandContext
) -> Iterator[str]:
    taught = lesson(heading, column, kind=kind)
    before = {each: _said(context, each, heading) for each in taught}
    path = keep(taught)
    for each, headings in taught.items():
        for text, field in headings.items():
            known = None if column is None else knows_already(each, text)
            was = before[each]
            said = was or ("" if known is None else f", and else as {known.title}")
            means = title_of(each, field)
            is_read = "is not read" if field is None else f"is read as {means}"
            yield f"“{one_line(text)}” {is_read} in sheets of {each}{said}."
    undo = suggested("teach", heading, only=(), also="--undo")
    yield f"Kept in {path}. To undo it: {undo}"


def _said(context: CommandContext, kind: SheetKind, heading: str) -> str:
    for text, field in context.settings.columns.get(kind, {}).items():
        if fold(text) == fold(heading):
            return f"; before: {title_of(kind, field)}"
    return ""


def _undone(
    heading: str, kind: SheetKind | None, *, context: CommandContext
) -> Iterator[str]:
    kinds = unlearn(heading, kind=kind)
    shown = one_line(heading, limit=60)
    if not kinds:
        others = [
            each.origin
            for each in own_headings(context.settings.columns, context.settings.layers)
            if fold(each.heading) == fold(heading)
        ]
        raise SettingsError(
            message=f"Your own settings say nothing of a heading “{shown}”.",
            hint=f"It stands in {others[0]}: take it out there."
            if others
            else "To see what was taught: kawe teach",
        )
    yield f"“{shown}” is forgotten for sheets of {' and of '.join(kinds)}."


def _refuse_contradictions(options: _TeachOptions) -> None:
    says = [options.column is not None, options.not_read, options.undo, options.shows]
    if sum(says) > 1 or (options.shows and options.heading is not None):
        raise SettingsError(
            message="Say one thing: a COLUMN, --not-read, --undo or --list.",
            hint='For example: kawe teach "Due" "Respond by". Nothing was taught.',
        )
    if options.heading is None and (options.not_read or options.undo):
        raise SettingsError(
            message="Which heading is meant?",
            hint='Write it first: kawe teach "Due" --undo. Nothing was changed.',
        )
    if options.heading is not None and not any(says):
        raise SettingsError(
            message=f"What does “{one_line(options.heading, limit=60)}” mean?",
            hint='Name the column, or say --not-read: kawe teach "Due" "Respond by". '
            "Nothing was taught.",
        )
