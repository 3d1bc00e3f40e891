"""`kawe deferred`: the rows that wait for tokens, and what to do about them."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, Final

import click
from click.core import ParameterSource

from kawe.cli.output.exit import ExitCode
from kawe.cli.output.next_command import suggested
from kawe.cli.shared import claims
from kawe.cli.shared.declaring import argument, option, options_class, taking
from kawe.cli.shared.options import LookOptions
from kawe.domain.batch.outcomes import Outcome
from kawe.domain.batch.tokens import packs_covering, packs_words
from kawe.domain.batch.waiting import WaitingRow, deadlines_words
from kawe.domain.text.counts import counted
from kawe.domain.text.new_zealand import weekday_words
from kawe.domain.text.texts import one_line
from kawe.flows.wait.queueing import Queue
from kawe.toolkit.waiting.queue import (
    drop_rows,
    dropped_lines,
    look_at_queue,
    put_first,
    write_queue,
)

_SHOWN: Final = 15
"""How many rows are printed when nobody asks for all."""


@options_class
class _QueueOptions:
    batch: str | None = option("--batch", help="Only the rows of this batch.")
    look: LookOptions


@options_class
class _DeferredOptions:
    batch: str | None = option("--batch", help="Only the rows of this batch.")
    shows_all: bool = option("--all", help="Show every row.")
    look: LookOptions


@options_class
class _ExportOptions:
    path: Path = option(
        "-o",
        "--output",
        type=click.Path(path_type=Path, dir_okay=False),
        required=True,
        help="Workbook to write.",
    )
    queue: _QueueOptions


@options_class
class _DropOptions:
    rows: tuple[str, ...] = argument(nargs=-1, required=True, metavar="ROW...")
    queue: _QueueOptions


@options_class
class _FirstOptions:
    rows: tuple[str, ...] = argument(nargs=-1, required=True, metavar="ROW...")
    undo: bool = option("--undo", help="Let them go in the usual order again.")
    queue: _QueueOptions


@click.group(
    invoke_without_command=True,
    epilog="Examples: kawe deferred · kawe deferred first R-17 · "
    "kawe deferred export -o waiting.xlsx",
)
@taking(_DeferredOptions)
def deferred(options: _DeferredOptions) -> int:
    """List the rows that wait for tokens, in the order in which they go.

    Asks the service nothing. The exit code is 4 when rows wait.
    """
    ctx = click.get_current_context()
    if ctx.invoked_subcommand is not None:
        _refuse_stray_options(ctx)
        return ExitCode.DONE
    context = options.look.open()
    queue = asyncio.run(look_at_queue(context.toolkit, batch=options.batch))
    is_any = queue.rows or queue.missing
    now = context.toolkit.clock.now()
    shown = None if options.shows_all else _SHOWN
    return claims.answer(
        context,
        "deferred",
        ExitCode.ROWS_WAIT_FOR_PERSON if is_any else ExitCode.DONE,
        waits=(Outcome.DEFERRED,),
        document=lambda: _queue_document(queue),
        lines=_queue_lines(queue, now=now, shown=shown),
    )


@deferred.command(
    short_help="Write them as a workbook.",
    epilog="Example: kawe deferred export -o waiting.xlsx",
)
@taking(_ExportOptions)
def export(options: _ExportOptions) -> int:
    """Write the rows that wait for tokens as a workbook, for whoever buys them."""
    context = options.queue.look.open()
    queue = asyncio.run(look_at_queue(context.toolkit, batch=options.queue.batch))
    write_queue(queue, options.path)
    rows = len(queue.rows) + len(queue.missing)
    return claims.answer(
        context,
        "deferred-export",
        ExitCode.DONE,
        waits=(Outcome.DEFERRED,),
        document=lambda: {"rows": rows, "workbook": str(options.path)},
        lines=[f"{counted(rows, 'row')} written to {options.path}"],
    )


@deferred.command(
    short_help="Let rows go before all others.",
    epilog="Examples: kawe deferred first R-17 · kawe deferred first R-17 --undo",
)
@taking(_FirstOptions)
def first(options: _FirstOptions) -> int:
    """Let ROW go before all others when tokens come.

    ROW is a reference, or a place such as Projects!7. Of several, the one
    named first goes first. Every later submit and release keeps to it. Asks
    the service nothing.
    """
    context = options.queue.look.open(is_strict=True)
    chosen, queue = asyncio.run(
        put_first(
            context.toolkit,
            options.rows,
            batch=options.queue.batch,
            undo=options.undo,
        )
    )
    how = "in the usual order again" if options.undo else "before all others"
    rows = counted(len(chosen), "row goes", "rows go")
    return claims.answer(
        context,
        "deferred-first",
        ExitCode.DONE,
        document=lambda: _queue_document(queue),
        lines=(f"{rows} {how}. The next ones are:", *map(_title_line, queue.rows[:5])),
    )


@deferred.command(
    "drop",
    short_help="Take rows out of the queue for good.",
    epilog="Example: kawe deferred drop R-17",
)
@taking(_DropOptions)
def drop_command(options: _DropOptions) -> int:
    """Take ROW out of the queue for good: kawe does not send it any more.

    ROW is a reference, or a place such as Projects!7. Its draft stays with
    the service, where a person can send it or remove it. kawe cannot take
    this back. Asks the service nothing.
    """
    context = options.queue.look.open(is_strict=True)
    chosen, queue = asyncio.run(
        drop_rows(context.toolkit, options.rows, batch=options.queue.batch)
    )
    return claims.answer(
        context,
        "deferred-drop",
        ExitCode.DONE,
        document=lambda: {
            "dropped": [row.entry.marker for row in chosen],
            "still_waiting": len(queue.rows),
        },
        lines=dropped_lines(chosen, still=len(queue.rows)),
    )


def _refuse_stray_options(ctx: click.Context) -> None:
    stray = [
        parameter.opts[0]
        for parameter in ctx.command.params
        if ctx.get_parameter_source(parameter.name or "") is ParameterSource.COMMANDLINE
    ]
    if stray:
        raise click.UsageError(
            f"Write {stray[0]} behind {ctx.invoked_subcommand}, not before it."
        )


def _queue_lines(queue: Queue, *, now: datetime, shown: int | None) -> Iterator[str]:
    """Say which rows wait, in their order, and what would let them go."""
    if queue.rows:
        yield from _order_lines(queue.rows, now=now, shown=shown)
        yield from _owner_lines(queue.rows)
        yield from _token_lines(queue.rows)
    else:
        yield "No row waits for tokens."
    yield from _missing_lines(queue, shown=shown)
    if queue.in_doubt:
        rows = counted(queue.in_doubt, "row is", "rows are")
        release = _release()
        yield f"{rows} in doubt besides: {release} asks the service about them."


def _order_lines(
    rows: Sequence[WaitingRow], *, now: datetime, shown: int | None
) -> Iterator[str]:
    wait = counted(len(rows), "row waits", "rows wait")
    yield f"{wait} for tokens. When tokens come, this is the order:"
    for row in rows[:shown]:
        yield _title_line(row)
        respond_by = weekday_words(row.respond_by_on)
        yield f"        respond by {respond_by}: {row.left()}"
        yield f"        {_waiting(row, now=now)}"
        if row.deadline():
            yield f"        {row.deadline()}"
    left = len(rows) - (shown or len(rows))
    if left > 0:
        yield f"  … and {left:,} more: {_all_rows()} shows them."


def _missing_lines(queue: Queue, *, shown: int | None) -> Iterator[str]:
    """Name the rows that no workbook has any more, and say what to do."""
    if not queue.missing:
        return
    rows = counted(len(queue.missing), "row that waits is", "rows that wait are")
    they = "it is" if len(queue.missing) == 1 else "they are"
    yield f"{rows} no longer in the workbook, and not sent until {they} there:"
    for row in queue.missing[:shown]:
        words = (
            f"{row.entry.marker} ({row.entry.content.name}), batch {row.entry.batch}"
        )
        yield f"        {one_line(words)}"
    left = len(queue.missing) - (shown or len(queue.missing))
    if left > 0:
        yield f"        … and {left:,} more: {_all_rows()} shows them."
    yield "Put them back and submit the workbook, or take them out of the queue:"
    yield f"{suggested('deferred drop', also='ROW')}. All leave when the workbook is"
    yield "submitted with --accept missing."


def _release() -> str:
    """Suggest a release, of the batch alone if one was named."""
    batch = click.get_current_context().params.get("batch")
    return suggested("release", *filter(None, [batch]))


def _all_rows() -> str:
    return suggested("deferred", also="--all")


def _title_line(row: WaitingRow) -> str:
    """Name a row and its turn."""
    name = one_line(row.entry.content.name, limit=50)
    return f"{row.turn:>5}.  {one_line(row.entry.marker, limit=40)} ({name})"


def _queue_document(queue: Queue) -> dict[str, Any]:
    """Make the JSON document of a queue; its schema is stable."""
    needed = len(queue.rows)
    return {
        "tokens_needed": needed,
        "packs": list(packs_covering(needed)),
        "in_doubt": queue.in_doubt,
        "warning": _warning(queue.rows),
        "rows": [_row_document(row) for row in queue.rows],
        "no_longer_in_workbook": [_row_document(row) for row in queue.missing],
    }


def _waiting(row: WaitingRow, *, now: datetime) -> str:
    age = row.age(now)
    words = f"waits {age}, {row.why()}" if age else row.why()
    first = "; put first by a person" if row.is_put_first else ""
    return f"{words}; {one_line(f'{row.where} of {row.entry.batch}')}{first}"


def _owner_lines(rows: Sequence[WaitingRow]) -> Iterator[str]:
    owners = {row.entry.batch: row.owner for row in rows if row.owner}
    for batch, owner in owners.items():
        yield f"Who answers for {one_line(batch)}: {one_line(owner)}"


def _token_lines(rows: Sequence[WaitingRow]) -> Iterator[str]:
    warning = _warning(rows)
    if warning:
        yield warning
    needed = len(rows)
    yield (
        f"{counted(needed, 'token is', 'tokens are')} needed; where the team has none, "
        f"{packs_words(needed)}."
    )
    release = _release()
    yield "kawe never buys: an owner of the team does, in the portal. When they are"
    yield f"there, run {release}; {release} --wait looks for them by itself."


def _warning(rows: Sequence[WaitingRow]) -> str:
    if not rows:
        return ""
    days = (row.respond_by_on for row in rows)
    return deadlines_words(days, today=rows[0].today)


def _row_document(row: WaitingRow) -> dict[str, Any]:
    wait = row.wait
    refused_at = None if wait is None else wait.refused_at
    return {
        "turn": None if row.where is None else row.turn,
        "sheet": None if row.where is None else row.where.sheet,
        "row": None if row.where is None else row.where.row,
        "reference": row.entry.marker,
        "name": row.entry.content.name,
        "batch": row.entry.batch,
        "owner": row.owner,
        "respond_by": row.respond_by_on.isoformat(),
        "days_left": row.days_left,
        "working_days_left": row.working_days_left,
        "warning": row.deadline(),
        "waits_since": None if wait is None else wait.since_at.isoformat(),
        "refused_at": None if refused_at is None else refused_at.isoformat(),
        "why": row.why(),
        "put_first": row.is_put_first,
        "project_id": row.entry.project_id,
    }
