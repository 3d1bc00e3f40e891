"""`kawe deferred`: the rows that wait for tokens, and what to do about them."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from kawe.cli import _queue_words, _words
from kawe.cli._exit import ExitCode
from kawe.cli._options import (
    Surroundings,
    journal_options,
    open_surroundings,
    output_options,
)
from kawe.domain.counts import counted
from kawe.domain.texts import one_line
from kawe.flows.queueing import Queue, drop
from kawe.toolkit.queue import chosen_rows, look_at_queue, write_queue

_BATCH = click.option("--batch", help="Only the rows of this batch.")
_ROWS = click.argument("rows", nargs=-1, required=True, metavar="ROW...")


@click.group(
    invoke_without_command=True,
    epilog="Examples: kawe deferred · kawe deferred first R-17 · "
    "kawe deferred export -o waiting.xlsx",
)
@_BATCH
@click.option("--all", "shows_all", is_flag=True, help="Show every row.")
@journal_options
@output_options
@click.pass_context
def deferred(context: click.Context, /, **options: Any) -> int:  # noqa: ANN401 - by name
    """List the rows that wait for tokens, in the order in which they go.

    Asks the service nothing. The exit code is 4 when rows wait.
    """
    if context.invoked_subcommand is not None:
        _refuse_stray_options(context)
        return ExitCode.DONE
    around = open_surroundings(options)
    queue = asyncio.run(_look(around, options["batch"]))
    is_any = queue.rows or queue.missing
    code = ExitCode.ROWS_WAIT_FOR_PERSON if is_any else ExitCode.DONE
    if around.as_json:
        _words.print_json(_queue_words.queue_document(queue, exit_code=code))
        return code
    now = around.toolkit.clock.now()
    shown = None if options["shows_all"] else _queue_words.SHOWN
    for line in _queue_words.queue_lines(queue, now=now, shown=shown):
        click.echo(line)
    return code


@deferred.command(
    short_help="Write them as a workbook.",
    epilog="Example: kawe deferred export -o waiting.xlsx",
)
@click.option(
    "-o",
    "--output",
    "path",
    type=click.Path(path_type=Path, dir_okay=False),
    required=True,
    help="Workbook to write.",
)
@_BATCH
@journal_options
@output_options
def export(path: Path, batch: str | None, **options: Any) -> int:  # noqa: ANN401 - by name
    """Write the rows that wait for tokens as a workbook, for whoever buys them."""
    around = open_surroundings(options)
    queue = asyncio.run(_look(around, batch))
    write_queue(queue, path)
    rows = len(queue.rows) + len(queue.missing)
    if around.as_json:
        _words.print_json(
            {
                "schema": "kawe.deferred-export/1",
                "exit_code": ExitCode.DONE,
                "rows": rows,
                "workbook": str(path),
            }
        )
    else:
        click.echo(f"{counted(rows, 'row')} written to {path}")
    return ExitCode.DONE


@deferred.command(
    short_help="Let rows go before all others.",
    epilog="Examples: kawe deferred first R-17 · kawe deferred first R-17 --undo",
)
@_ROWS
@click.option("--undo", is_flag=True, help="Let them go in the usual order again.")
@_BATCH
@journal_options
@output_options
def first(undo: bool, **options: Any) -> int:  # noqa: ANN401, FBT001 - by name
    """Let ROW go before all others when tokens come.

    ROW is a reference, or a place such as Projects!7. Of several, the one
    named first goes first. Every later submit and release keeps to it. Asks
    the service nothing.
    """
    around = open_surroundings(options)
    return asyncio.run(
        _first(around, options["rows"], undo=undo, batch=options["batch"])
    )


@deferred.command(
    "drop",
    short_help="Take rows out of the queue for good.",
    epilog="Example: kawe deferred drop R-17",
)
@_ROWS
@_BATCH
@journal_options
@output_options
def drop_rows(**options: Any) -> int:  # noqa: ANN401 - by name
    """Take ROW out of the queue for good: kawe does not send it any more.

    ROW is a reference, or a place such as Projects!7. Its draft stays with
    the service, where a person can send it or remove it. kawe cannot take
    this back. Asks the service nothing.
    """
    around = open_surroundings(options)
    return asyncio.run(_drop(around, options["rows"], batch=options["batch"]))


async def _look(around: Surroundings, batch: str | None) -> Queue:
    if batch is None and not around.toolkit.has_journal:
        return Queue()
    async with around.toolkit.open_journal(read_only=True) as journal:
        return await look_at_queue(around.toolkit, journal, batch=batch)


async def _first(
    around: Surroundings, names: tuple[str, ...], *, undo: bool, batch: str | None
) -> int:
    toolkit = around.toolkit
    async with toolkit.open_journal(read_only=False) as journal:
        queue = await look_at_queue(toolkit, journal, batch=batch)
        chosen = [row.entry.key for row in chosen_rows(queue.rows, names)]
        await (journal.put_back(chosen) if undo else journal.put_first(chosen))
        queue = await look_at_queue(toolkit, journal)
    if around.as_json:
        _words.print_json(
            _queue_words.queue_document(queue, exit_code=ExitCode.DONE, what="first")
        )
        return ExitCode.DONE
    how = "in the usual order again" if undo else "before all others"
    rows = counted(len(chosen), "row goes", "rows go")
    click.echo(f"{rows} {how}. The next ones are:")
    for row in queue.rows[:5]:
        click.echo(_queue_words.title_line(row))
    return ExitCode.DONE


async def _drop(
    around: Surroundings, names: tuple[str, ...], *, batch: str | None
) -> int:
    toolkit = around.toolkit
    async with toolkit.open_journal(read_only=False) as journal:
        queue = await look_at_queue(toolkit, journal, batch=batch)
        chosen = chosen_rows((*queue.rows, *queue.missing), names)
        await drop(chosen, journal=journal, clock=toolkit.clock)
        queue = await look_at_queue(toolkit, journal)
    if around.as_json:
        _words.print_json(
            {
                "schema": "kawe.deferred-drop/1",
                "exit_code": ExitCode.DONE,
                "dropped": [row.entry.marker for row in chosen],
                "still_waiting": len(queue.rows),
            }
        )
        return ExitCode.DONE
    for row in chosen:
        words = f"{row.entry.marker} ({row.content.name}) waits no more"
        click.echo(f"{one_line(words)}: kawe does not send it.")
    its, it = ("Its draft stays", "it") if len(chosen) == 1 else ("Drafts stay", "them")
    click.echo(
        f"{its} with the service; in the portal a person can send {it} or remove {it}."
    )
    click.echo(f"{counted(len(queue.rows), 'row still waits', 'rows still wait')}.")
    return ExitCode.DONE


def _refuse_stray_options(context: click.Context) -> None:
    stray = [
        parameter.opts[0]
        for parameter in context.command.params
        if context.get_parameter_source(parameter.name or "")
        is ParameterSource.COMMANDLINE
    ]
    if stray:
        raise click.UsageError(
            f"Write {stray[0]} behind {context.invoked_subcommand}, not before it."
        )
