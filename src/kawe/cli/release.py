"""`kawe release`: rows that waited for tokens go on."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import click

from kawe.cli import _releasing, _running, _words
from kawe.cli._exit import ExitCode
from kawe.cli._options import (
    Surroundings,
    open_surroundings,
    output_options,
    run_options,
    service_options,
)
from kawe.cli._telling import ToldCommand
from kawe.domain.counts import counted
from kawe.domain.entries import Batch
from kawe.domain.tokens import Budget
from kawe.toolkit import Session, find_batch, open_session
from kawe.toolkit.release_word import word_for_release


@click.command(
    cls=ToldCommand, epilog="Examples: kawe release · kawe release --wait --yes 40"
)
@click.argument("batch", required=False)
@click.option(
    "--wait",
    "waits_for_tokens",
    is_flag=True,
    help="Look for tokens now and then, and go on until nothing waits.",
)
@click.option(
    "--poll",
    "poll_minutes",
    type=click.FloatRange(5, 15),
    help="With --wait: minutes from one look to the next (10).",
)
@click.option(
    "--for",
    "for_hours",
    type=click.FloatRange(min=0, min_open=True, max=24 * 366),
    metavar="HOURS",
    help="With --wait: stop looking after so many hours.",
)
@click.option(
    "--approved-by", metavar="NAME", help="Who agreed to the release, beside you."
)
@run_options
@service_options
@output_options
def release(batch: str | None, **options: Any) -> int:  # noqa: ANN401 - by name
    """Send the rows that wait for tokens, the most urgent first.

    Those of BATCH, or else of all batches together. Each row is checked once
    more before it leaves. Whatever is agreed to with --yes or --max-tokens
    holds for all that one command sends, however long it waits.
    """
    if not options["waits_for_tokens"] and (
        options["poll_minutes"] or options["for_hours"]
    ):
        raise click.UsageError("--poll and --for go with --wait.")
    around = open_surroundings(options)
    if options["waits_for_tokens"]:
        return asyncio.run(_wait(around, batch, options=options))
    return asyncio.run(_release(around, batch, options=options))


async def _release(
    around: Surroundings, name: str | None, *, options: dict[str, Any]
) -> int:
    async with open_session(around.toolkit, agree=_asker(options)) as session:
        batches = await _pick(session, name)
        names = tuple(batch.name for batch in batches)
        waits = await session.waiting(names)
        budget = session.budget(max_tokens=options["max_tokens"], agreed=None)
        sends = budget.sends(waits)
        if not around.as_json:
            # A row in doubt may need no token: it is asked about first.
            if waits and not sends and not await session.needs_asking(names):
                words = _words.waiting_words(waits, balance=session.account.balance)
                click.echo(f"{_called(batches)}: {words}")
                await _releasing.know_all(around, session, batches)
                return ExitCode.ROWS_WAIT_FOR_PERSON
            click.echo(f"{_called(batches)}: {_waits(waits)}, {_can_go(sends)}.")
        agreed = await word_for_release(
            session, names, approved_by=options["approved_by"]
        )
        budget = _agreed(sends, budget=budget, session=session, options=options)
        await session.keep(agreed)
        run = session.start()
        with around.stopping.on_signals():
            await session.release(names, run=run, budget=budget)
        around.progress.close()
        told = await _releasing.write_all(around, session, run, batches=batches)
        return _releasing.say_all(around, told)


async def _wait(
    around: Surroundings, name: str | None, *, options: dict[str, Any]
) -> int:
    async with open_session(around.toolkit, agree=_asker(options)) as session:
        batches = await _pick(session, name)
        waits = await session.waiting(tuple(batch.name for batch in batches))
        # Tokens may come for all of them while nobody is at the screen.
        budget = replace(
            session.budget(max_tokens=options["max_tokens"], agreed=None),
            balance=None,
        )
        sends = budget.sends(waits)
        if not around.as_json:
            click.echo(
                f"{_called(batches)}: {_waits(waits)}; up to {sends:,} of them go as "
                "tokens come, the most urgent first."
            )
        agreed = await word_for_release(
            session,
            [batch.name for batch in batches],
            approved_by=options["approved_by"],
        )
        budget = _agreed(sends, budget=budget, session=session, options=options)
        await session.keep(agreed)
    return await _releasing.wait_and_release(
        around,
        batches,
        budget=budget,
        poll_minutes=options["poll_minutes"],
        for_hours=options["for_hours"],
    )


def _asker(options: dict[str, Any]) -> Callable[[str], bool]:
    return _running.asker(no_input=options["no_input"] or options["as_json"])


def _agreed(
    sends: int, *, budget: Budget, session: Session, options: dict[str, Any]
) -> Budget:
    return _running.ask_agreement(
        _running.sends_of(sends),
        budget=budget,
        is_live=session.is_live,
        agreed=options["agreed"],
        no_input=options["no_input"] or options["as_json"],
    )


async def _pick(session: Session, name: str | None) -> list[Batch]:
    """Find the batches to release: by name, or all in which rows wait."""
    batches = await session.journal.batches()
    waiting = [
        batch
        for batch in batches
        if name is None
        and (
            await session.waiting((batch.name,))
            or await session.has_missing((batch.name,))
        )
    ]
    return waiting or [find_batch(batches, name=name)]


def _called(batches: Sequence[Batch]) -> str:
    names = ", ".join(batch.name for batch in batches)
    return f"Batch {names}" if len(batches) == 1 else f"Batches {names}"


def _waits(rows: int) -> str:
    return f"{counted(rows, 'row waits', 'rows wait')} for tokens"


def _can_go(sends: int) -> str:
    return f"{sends:,} of them can be sent now"
