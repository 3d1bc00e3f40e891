"""`kawe held`: rows that wait for a person, with what is known of them."""

from __future__ import annotations

import asyncio
from typing import Any

import click

from kawe.cli import _words
from kawe.cli._exit import ExitCode
from kawe.cli._options import (
    Surroundings,
    journal_options,
    open_surroundings,
    output_options,
)
from kawe.domain.entries import Entry
from kawe.domain.texts import one_line
from kawe.domain.verdicts import Attempt


@click.command(epilog="Example: kawe held")
@journal_options
@output_options
def held(**options: Any) -> int:  # noqa: ANN401 - click passes options by name
    """List the rows that are held, why, and how to decide.

    Asks the service nothing.
    """
    around = open_surroundings(options)
    rows = asyncio.run(_held(around))
    code = ExitCode.ROWS_WAIT_FOR_PERSON if rows else ExitCode.DONE
    if around.as_json:
        _words.print_json(
            {
                "schema": "kawe.held/1",
                "exit_code": code,
                "rows": [_document(entry, attempts) for entry, attempts in rows],
            }
        )
        return code
    for entry, attempts in rows:
        _print(entry, attempts)
    if not rows:
        click.echo("No row is held.")
    return code


async def _held(around: Surroundings) -> list[tuple[Entry, tuple[Attempt, ...]]]:
    if not around.toolkit.has_journal:
        return []
    async with around.toolkit.open_journal(read_only=True) as journal:
        entries = await around.toolkit.held(journal)
        return [(entry, await journal.attempts(entry.key)) for entry in entries]


def _print(entry: Entry, attempts: tuple[Attempt, ...]) -> None:
    marker = one_line(entry.marker)
    click.echo(f"{marker} ({one_line(entry.content.name)}), batch {entry.batch}")
    click.echo(f"  Why: {one_line(entry.reason, limit=500)}")
    if entry.project_id is not None:
        click.echo(f"  Project: {entry.project_id}")
    for attempt in attempts:
        begun = f"{attempt.intent.begun_at:%Y-%m-%d %H:%M:%S} UTC"
        words = attempt.verdict or "no answer came before kawe stopped"
        detail = f" ({one_line(attempt.detail)})" if attempt.detail else ""
        click.echo(f"  {begun} {attempt.intent.step}: {words}{detail}")
    click.echo(f"  Search for {marker} in the portal, then one of:")
    click.echo(f"    kawe resolve {marker} --adopt PROJECT-ID   it is this project")
    click.echo(f"    kawe resolve {marker} --retry              let it go on")
    click.echo(f"    kawe resolve {marker} --abandon            do nothing more")


def _document(entry: Entry, attempts: tuple[Attempt, ...]) -> dict[str, Any]:
    return {
        "reference": entry.marker,
        "name": entry.content.name,
        "batch": entry.batch,
        "why": entry.reason,
        "project_id": entry.project_id,
        "attempts": [
            {
                "step": each.intent.step.value,
                "begun_at": each.intent.begun_at.isoformat(),
                "verdict": each.verdict,
                "detail": each.detail,
            }
            for each in attempts
        ],
    }
