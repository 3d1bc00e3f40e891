"""`kawe release`: rows that waited for tokens go on."""

from __future__ import annotations

import asyncio
from typing import Any

import click

from kawe.cli import _running, _words
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
from kawe.toolkit import Session, find_batch, open_session


@click.command(cls=ToldCommand, epilog="Example: kawe release")
@click.argument("batch", required=False)
@run_options
@service_options
@output_options
def release(batch: str | None, **options: Any) -> int:  # noqa: ANN401 - by name
    """Send the rows of BATCH that wait for tokens, the most urgent first.

    Without BATCH, the latest one that has such rows. Each row is checked once
    more before it leaves.
    """
    around = open_surroundings(options)
    return asyncio.run(_release(around, batch, options=options))


async def _release(
    around: Surroundings, name: str | None, *, options: dict[str, Any]
) -> int:
    async with open_session(around.toolkit) as session:
        batch = await _pick(session, name)
        waits = await session.waiting((batch.name,))
        budget = session.budget(max_tokens=options["max_tokens"], agreed=None)
        sends = budget.sends(waits)
        if not around.as_json:
            # A row in doubt may need no token: it is asked about first.
            if waits and not sends and not await session.needs_asking((batch.name,)):
                words = _words.waiting_words(waits, balance=session.account.balance)
                click.echo(f"Batch {batch.name}: {words}")
                return ExitCode.ROWS_WAIT_FOR_PERSON
            click.echo(
                f"Batch {batch.name}: {counted(waits, 'row waits', 'rows wait')} for "
                f"tokens, {sends} of them can be sent now."
            )
        budget = _running.ask_agreement(
            sends,
            budget=budget,
            is_live=session.is_live,
            agreed=options["agreed"],
            no_input=options["no_input"] or options["as_json"],
        )
        run = session.start()
        with around.stopping.on_signals():
            await session.release((batch.name,), run=run, budget=budget)
        around.progress.close()
        ending = _running.Ending(
            around=around, session=session, run=run, command="release", result=None
        )
        return await ending.tell(batch, workbook=None)


async def _pick(session: Session, name: str | None) -> Batch:
    batches = await session.journal.batches()
    if name is None:
        for batch in reversed(batches):
            if await session.waiting((batch.name,)):
                return batch
    return find_batch(batches, name=name)
