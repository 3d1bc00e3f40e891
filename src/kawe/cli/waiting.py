"""`kawe waiting`: all rows that wait, in their order, and what to do about them."""

import asyncio
import os
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from datetime import datetime
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Final

import click

from kawe.cases.batches.handing_out import agreed_runs, take_back
from kawe.cases.waiting import rows as waiting_rows
from kawe.cases.waiting.rows import HeldRow, QueueChange, WaitingRows, change_queue
from kawe.cli.output.next_command import suggested
from kawe.cli.shared.accounts import HELP, OF_ALL, OfAccount, answer_of_all
from kawe.cli.shared.declaring import argument, command, option, options_class, output
from kawe.cli.shared.detaching import agreed_lines
from kawe.cli.shared.options import CommandContext, LookOptions, batches
from kawe.domain.batch.agreements import packs_words
from kawe.domain.batch.exit_codes import ExitCode
from kawe.domain.batch.outcomes import Outcome
from kawe.domain.batch.runs import ListedRun
from kawe.domain.batch.waiting import WaitingRow
from kawe.domain.rows.entries import Entry
from kawe.domain.text.new_zealand import moment_words, weekday_words
from kawe.domain.text.texts import counted, one_line, some_of
from kawe.flows.wait.queueing import SEND_IN_DOUBT, Queue

_SHOWN: Final = 15
"""How many rows that wait for tokens are printed when nobody asks for all."""
_MOST_LINES, _NAMED = 24, 12
_ADOPT: Final = "--adopt PROJECT-ID"
_DECISIONS: Final = {
    _ADOPT: "it is this project",
    "--retry           ": "ask again, then go on",
    "--abandon         ": "do nothing more",
}


@options_class
class _WaitingOptions:
    batch: str | None = argument(shell_complete=batches)
    shows_all: bool = option("--all", help="Show every row.")
    first: tuple[str, ...] = option(
        "--first",
        metavar="ROW",
        help="Let this row go before all others when tokens come; of several, the one "
        "named first. Every later submit and release keeps to it.",
    )
    usual: tuple[str, ...] = option(
        "--usual", metavar="ROW", help="Let this row go in the usual order again."
    )
    drop: tuple[str, ...] = option(
        "--drop",
        metavar="ROW",
        help="Take this row out of the queue for good; a draft stays with the service. "
        "Or take back an agreed run that no host has begun, by its name.",
    )
    path: Path | None = output(
        "Write the rows that wait for tokens as a workbook, for whoever buys.",
        is_folder=False,
    )
    of_all: bool = option(OF_ALL, help=HELP)
    look: LookOptions


@command("kawe waiting · kawe waiting --first R-17 · kawe waiting -o waiting.xlsx")
def waiting(options: _WaitingOptions) -> int:
    """List the rows that wait: for tokens, in their order; for a person; in doubt.

    All of them, or those of BATCH. ROW is a reference, or a place such as
    Projects!7. Asks the service nothing. The exit code is 4 when rows wait.
    """
    changes = {
        QueueChange.FIRST: options.first,
        QueueChange.USUAL: options.usual,
        QueueChange.DROP: options.drop,
    }
    chosen = [(change, rows) for change, rows in changes.items() if rows]
    if len(chosen) + (options.path is not None) > 1:
        raise click.UsageError(
            "--first, --usual, --drop and -o are each for a command of their own."
        )
    if options.of_all:
        if chosen or options.path is not None or options.batch is not None:
            raise click.UsageError(f"{OF_ALL} lists the accounts, and nothing else.")
        return answer_of_all("waiting-of-all", options.look, _of_account)
    context = options.look.open(is_strict=bool(chosen))
    kawe, batch = context.toolkit, options.batch
    taken = partial(take_back, context.settings, environment=os.environ)
    for change, named in chosen:
        drops = change is QueueChange.DROP
        rows = [e for e in named if not (drops and asyncio.run(taken(e)))]
        if not rows:
            return context.answer(
                "waiting-taken-back",
                lambda: {"runs": options.drop},
                lines=["Taken back: no host begins it."],
            )
        done = asyncio.run(change_queue(kawe, rows, change, batch=batch))
        schema = f"waiting-{'dropped' if drops else 'order'}"
        return context.answer(schema, done.as_json, lines=done.lines())
    found = asyncio.run(waiting_rows.look_at_waiting(kawe, batch=batch))
    if (path := options.path) is not None:
        path = waiting_rows.write_queue(found.queue, path)
        waits = len(found.queue.rows) + len(found.queue.missing)
        return context.answer(
            "waiting-written",
            lambda: {"rows": waits, "workbook": path},
            waits=(Outcome.DEFERRED,),
            lines=[f"{counted(waits, 'row')} written to {path}"],
        )
    on_hosts = asyncio.run(agreed_runs(context.settings, batch, is_open=True))
    return context.answer(
        "waiting",
        lambda: found.as_json() | {"agreed_runs": [asdict(each) for each in on_hosts]},
        code=found.code,
        waits=(Outcome.DEFERRED, Outcome.HELD, Outcome.IN_DOUBT),
        lines=_lines(
            found,
            on_hosts,
            now=context.toolkit.clock.now(),
            shown=None if options.shows_all else _SHOWN,
            is_long=options.shows_all or context.verbose,
        ),
    )


def _of_account(context: CommandContext) -> OfAccount:
    """Count the rows of one account that wait."""
    found = asyncio.run(waiting_rows.look_at_waiting(context.toolkit))
    on_hosts = asyncio.run(agreed_runs(context.settings, is_open=True))
    queue = found.queue
    waits = {
        "for tokens": len(queue.for_tokens),
        "left by a run that stopped": len(queue.rows) - len(queue.for_tokens),
        "no longer in the workbook": len(queue.missing),
        "in doubt": len(queue.in_doubt),
        "held": len(found.held),
    }
    said = [f"{number:,} {what}" for what, number in waits.items() if number]
    line = f"{'; '.join(said)}." if said else "No row waits."
    document = found.as_json() | {"agreed_runs": [asdict(each) for each in on_hosts]}
    lines = [line, *agreed_lines(on_hosts, profile=context.settings.profile)]
    return OfAccount(code=found.code, document=document, lines=lines)


def _lines(
    found: WaitingRows,
    on_hosts: Sequence[ListedRun],
    *,
    now: datetime,
    shown: int | None,
    is_long: bool,
) -> Iterator[str]:
    if found.code is ExitCode.DONE:
        yield "No row waits: none for tokens, none for a person, none in doubt."
    yield from agreed_lines(on_hosts)
    yield from _queue_lines(found.queue, now=now, shown=shown)
    if found.held:
        yield from _held_lines(found.held, verbose=is_long)


def _queue_lines(queue: Queue, *, now: datetime, shown: int | None) -> Iterator[str]:
    """Say which rows wait, in their order, and what would let them go."""
    if queue.left_words:
        yield f"{queue.left_words} {_release()} sends what is left."
    if queue.rows:
        yield from _order_lines(queue, now=now, shown=shown)
        owners = {row.entry.batch: row.owner for row in queue.rows if row.owner}
        for batch, owner in owners.items():
            yield f"Who answers for {one_line(batch)}: {one_line(owner)}"
    if queue.for_tokens:
        yield from _token_lines(queue)
    yield from _missing_lines(queue, shown=shown)
    if queue.in_doubt:
        yield from _doubt_lines(queue.in_doubt, shown=shown)


def _doubt_lines(rows: Sequence[Entry], *, shown: int | None) -> Iterator[str]:
    """Name the rows in doubt; both commands ask the service about them."""
    yield (
        f"{counted(len(rows), 'row is', 'rows are')} in doubt: the service may have "
        "done what it was asked, and no answer says so:"
    )
    yield from _named(rows, shown=shown)
    sends = sum(row.state in SEND_IN_DOUBT for row in rows)
    if sends:
        yield f"{_release()} asks the service about the sends."
    if sends < len(rows):
        yield "Submit the workbook again: it asks about what is in doubt."


def _order_lines(queue: Queue, *, now: datetime, shown: int | None) -> Iterator[str]:
    rows, waiting = queue.rows, len(queue.for_tokens)
    wait = f"{counted(waiting, 'row waits', 'rows wait')} for tokens. When tokens come"
    yield f"{wait}, this is the order:" if waiting else "This is the order:"
    for row in rows[:shown]:
        yield row.title
        if row.respond_by_on is not None:
            respond_by = weekday_words(row.respond_by_on)
            yield f"        respond by {respond_by}: {row.left()}"
        yield f"        {_waiting(row, now=now)}"
        if row.deadline():
            yield f"        {row.deadline()}"
    yield from _rest(len(rows), shown=shown, indent=2)


def _missing_lines(queue: Queue, *, shown: int | None) -> Iterator[str]:
    """Name the rows that no workbook has any more, and say what to do."""
    if not queue.missing:
        return
    rows = counted(len(queue.missing), "row that waits is", "rows that wait are")
    they = "it is" if len(queue.missing) == 1 else "they are"
    yield f"{rows} no longer in the workbook, and not sent until {they} there:"
    yield from _named([row.entry for row in queue.missing], shown=shown)
    yield "Put them back and submit the workbook, or take them out of the queue:"
    yield f"{suggested('waiting', also='--drop ROW')}. All leave when the workbook is"
    yield "submitted with --accept missing."


def _release() -> str:
    """Suggest a release, of the batch alone if one was named."""
    batch = click.get_current_context().params.get("batch")
    return suggested("release", *filter(None, [batch]))


def _named(rows: Sequence[Entry], *, shown: int | None) -> Iterator[str]:
    for row in rows[:shown]:
        words = f"{row.marker} ({row.content.name}), batch {row.batch}"
        yield f"        {one_line(words)}"
    yield from _rest(len(rows), shown=shown, indent=8)


def _rest(rows: int, *, shown: int | None, indent: int) -> Iterator[str]:
    if shown is not None and rows > shown:
        every = suggested("waiting", also="--all")
        yield f"{' ' * indent}… and {rows - shown:,} more: {every} shows them."


def _waiting(row: WaitingRow, *, now: datetime) -> str:
    age = row.age(now)
    words = f"waits {age}, {row.why()}" if age else row.why()
    first = "; put first by a person" if row.is_put_first else ""
    return f"{words}; {one_line(f'{row.where} of {row.entry.batch}')}{first}"


def _token_lines(queue: Queue) -> Iterator[str]:
    if queue.warning:
        yield queue.warning
    needed = queue.tokens_needed
    yield (
        f"{counted(needed, 'token is', 'tokens are')} needed; where the team has none, "
        f"{packs_words(needed)}."
    )
    release = _release()
    yield "kawe never buys: an owner of the team does, in the portal. When they are"
    yield f"there, run {release}; {release} --wait looks for them by itself."


def _held_lines(rows: Sequence[HeldRow], *, verbose: bool) -> Iterator[str]:
    """Say each reason once with its rows, and then what can be decided.

    Without `verbose`, what kawe did is told of the first rows alone.
    """
    left, others = _MOST_LINES * (len(rows) if verbose else 1), list[HeldRow]()
    for group in waiting_rows.alike(rows).values():
        is_one = len(group) == 1
        why = group[0].why if is_one else group[0].why_of_all
        if not is_one and left > 0:
            yield f"{len(group):,} rows are held for one reason:"
            yield f"  {one_line(why, limit=500)}"
        for row in group:
            if left <= 0:
                others.append(row)
                continue
            lines = list(_lines_of(row, why=why if is_one else ""))
            left -= len(lines)
            yield from lines
    if others:
        names = [one_line(each.entry.marker, limit=40) for each in others]
        named = some_of(names, shown=_NAMED)
        rows_left = counted(len(others), "more row")
        yield f"… and {rows_left}: {named}; --verbose tells of each."
    yield from _choice_lines(rows)


def _choice_lines(rows: Sequence[HeldRow]) -> Iterator[str]:
    """Say once how a person decides."""
    is_one = len(rows) == 1
    marker = rows[0].entry.marker if is_one else "ROW"
    its = f"for {one_line(marker)}" if is_one else "for the reference of each ROW"
    yield f"Search {its} in the portal, then one of:"
    has_drafts = any(row.entry.kind.has_drafts for row in rows)
    for decision, effect in _DECISIONS.items():
        if has_drafts or decision != _ADOPT:
            yield f"    {suggested('resolve', marker, also=decision)}   {effect}"
    if any(row.is_gone for row in rows):
        yield "A draft that is gone for good is made again: --retry, then submit."
    if edited := [row for row in rows if row.may_update]:
        yield "    kawe submit WORKBOOK --update-drafts   let the drafts say what the"
        of = f"{len(edited):,} of these rows" if len(edited) < len(rows) else "the rows"
        yield f"                                           workbook says now ({of})"
    if not is_one:
        yield "One decision about many: kawe resolve --all --retry --reason WORDS"


def _lines_of(row: HeldRow, *, why: str) -> Iterator[str]:
    entry, marker = row.entry, one_line(row.entry.marker)
    where = (
        "no longer in the workbook" if row.where is None else one_line(f"{row.where}")
    )
    yield f"{marker} ({one_line(entry.content.name)}), {where} of batch {entry.batch}"
    if why:
        yield f"  Why it is held: {one_line(why, limit=500)}"
    yield f"  Since {moment_words(entry.moved_at)} (NZ time)"
    for words, same in groupby(row.attempts, key=row.words_of):
        first, *again = same
        more = f" ({len(again) + 1:,} times)" if again else ""
        yield f"  {moment_words(first.intent.begun_at)}: {words}{more}"
    if not row.attempts:
        yield "  By this journal, kawe has asked for no draft and no send of it."
    if entry.project_id is not None:
        gone = ", which the service does not show any more" if row.is_gone else ""
        yield f"  Its project: {entry.project_id}{gone}"
    if row.there_before:
        yield f"  Projects that had its reference before: {', '.join(row.there_before)}"
    for words, project in row.there_now:
        yield f"  In the service: {one_line(words)}; its PROJECT-ID is {project}"
        if row.link:
            yield f"    {row.link.replace('{id}', project)}"
