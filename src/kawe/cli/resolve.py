"""`kawe resolve`: a person decides about a held row."""

import asyncio
from collections.abc import Iterator, Sequence
from typing import Final

import click

from kawe.cases.waiting import rows as waiting_rows
from kawe.cli.output import printing
from kawe.cli.output.next_command import typed_flag
from kawe.cli.shared.agreeing import agree
from kawe.cli.shared.declaring import argument, command, option, options_class, yes
from kawe.cli.shared.options import CommandContext, PersonOptions
from kawe.domain.batch.agreements import Agreement
from kawe.domain.batch.exit_codes import ExitCode
from kawe.domain.service.service_words import ProjectId
from kawe.domain.text.texts import counted, fold, one_line
from kawe.flows.settle.resolving import Decision, PersonDecision, resolved_lines

_SHOWN: Final = 20


def _project_id(
    _context: click.Context, _option: click.Parameter, value: str | None
) -> ProjectId | None:
    """Read a project's id, or the address of its page, which ends with the id."""
    if value is None:
        return None
    if (found := waiting_rows.project_of(value)) is None:
        raise click.BadParameter(
            f"{one_line(value, limit=60)!r} is not a project's id. --adopt takes the "
            "whole id, as it stands in the address of the project's page in the "
            "portal and in kawe waiting; that address does as well."
        )
    return found


@options_class
class _ResolveOptions:
    row: str | None = argument()
    adopt: ProjectId | None = option(
        "--adopt",
        metavar="PROJECT",
        callback=_project_id,
        help="This project is the row's own.",
    )
    retry: bool = option("--retry", help="Ask again, then let the row go on.")
    abandon: bool = option("--abandon", help="Do nothing more for the row.")
    all_rows: bool = option("--all", help="Decide about all held rows.")
    adopt_named: bool = option(
        "--adopt-named",
        help="With --all: the one project that each row is held for is its own.",
    )
    held_for: str | None = option(
        "--held-for",
        metavar="WORDS",
        help="With --all: only rows that are held for a reason with these words.",
    )
    reason: str | None = option(
        "--reason", metavar="WORDS", help="With --all: why, for the journal."
    )
    agreed: int | None = yes(
        "With --all: agree to at most N rows; without it the number is asked for."
    )
    ask: PersonOptions


@command(
    'kawe resolve R-17 --retry · kawe resolve --all --retry --held-for "does not '
    'show" --reason "The service was behind on Monday."'
)
def resolve(options: _ResolveOptions) -> int:
    """Decide about ROW, the reference of a row that kawe waiting lists.

    Nothing is sent by this command: a row that may go on does so with the
    next kawe submit. PROJECT is a project's id, or the address of its page.
    With --all, the held rows are listed before one decision is taken for them.
    """
    _refuse_strays(options)
    word = PersonDecision(
        decision=_decision(options), project=options.adopt, why=options.reason or ""
    )
    context = options.ask.open()
    if options.row is None:
        return _resolve_all(context, word, options=options)
    context.own_journal()
    row = options.row
    resolved = context.at_service(
        lambda session: waiting_rows.resolve_row(session, row, word), heeds=False
    )
    return context.answer("resolve", resolved.as_json, lines=resolved_lines(resolved))


def _refuse_strays(options: _ResolveOptions) -> None:
    row = options.row
    if (row is None) != options.all_rows:
        raise click.UsageError("Name one ROW, or say --all.")
    if row is None and options.adopt is not None:
        raise click.UsageError("With --all, say --adopt-named in place of --adopt.")
    if row is None and not (options.reason or "").strip():
        raise click.UsageError('--all wants a reason: --reason "WORDS"')
    stray = typed_flag({"adopt_named", "held_for", "reason", "agreed"})
    if row is not None and stray is not None:
        raise click.UsageError(f"{stray} goes with --all.")


def _decision(options: _ResolveOptions) -> Decision:
    decisions = (
        (Decision.ADOPT, options.adopt),
        (Decision.RETRY, options.retry),
        (Decision.ABANDON, options.abandon),
        (Decision.ADOPT, options.adopt_named),
    )
    chosen = [decision for decision, is_chosen in decisions if is_chosen]
    if len(chosen) != 1:
        raise click.UsageError("Choose one of --adopt, --retry and --abandon.")
    return chosen[0]


def _resolve_all(
    context: CommandContext, word: PersonDecision, *, options: _ResolveOptions
) -> int:
    wanted = fold(options.held_for or "")
    context.own_journal()
    held = asyncio.run(waiting_rows.look_at_waiting(context.toolkit)).held
    rows = [each for each in held if wanted in fold(each.why)]
    if not context.as_json:
        printing.print_lines(_listed(rows, word.decision))
    agree(
        waiting_rows.reach_of_decision(word.decision, rows),
        agreed=options.agreed,
        no_input=options.ask.no_input,
    )
    agreed = Agreement.of(each.entry for each in rows)
    done = context.at_service(
        lambda session: waiting_rows.resolve_all(session, agreed, word), heeds=False
    )
    go_on = bool(done.done) and word.decision is not Decision.ABANDON
    return context.answer(
        "resolve_all",
        done.as_json,
        code=ExitCode.ROWS_WAIT_FOR_PERSON if done.left else ExitCode.DONE,
        lines=[
            *done.lines(),
            *(["Submit their workbooks again to let them go on."] if go_on else []),
        ],
    )


def _listed(
    rows: "Sequence[waiting_rows.HeldRow]", decision: Decision
) -> Iterator[str]:
    """List the held rows by reason, each with the project that it would get."""
    for group in waiting_rows.alike(rows).values():
        why = one_line(group[0].why_of_all, limit=300)
        yield f"{counted(len(group), 'row is', 'rows are')} held: {why}"
        for row in group[:_SHOWN]:
            name = one_line(row.entry.content.name, limit=80)
            named = row.there_now if decision is Decision.ADOPT else ()
            gets = f": project {named[0][1]}" if len(named) == 1 else ""
            yield f"  {one_line(row.entry.marker)} ({name}){gets}"
        if len(group) > _SHOWN:
            yield f"  … and {len(group) - _SHOWN:,} more, see kawe waiting"
