"""`kawe journal`: whether the journal is as kawe left it."""

from __future__ import annotations

from typing import Any

import click

from kawe.cli import _words
from kawe.cli._exit import ExitCode
from kawe.cli._options import journal_options, open_surroundings, output_options
from kawe.domain.counts import counted
from kawe.domain.texts import one_line


@click.group()
def journal() -> None:
    """Look after the journal, kawe's durable memory."""


@journal.command(epilog="Example: kawe journal verify")
@journal_options
@output_options
def verify(**options: Any) -> int:  # noqa: ANN401 - click passes options by name
    """Say whether the journal's history is whole, and what is wrong first.

    Each event carries the hash of the one before it, so that an altered or
    removed event shows. A history that was rewritten whole does not.
    """
    around = open_surroundings(options)
    found = around.toolkit.verify_journal()
    fault = found.fault
    code = ExitCode.DONE if fault is None else ExitCode.JOURNAL
    if around.as_json:
        _words.print_json(
            {
                "schema": "kawe.journal-verify/1",
                "exit_code": code,
                "events": found.events,
                "rows": found.rows,
                "fault": None if fault is None else fault.what,
            }
        )
    elif fault is None:
        events, rows = counted(found.events, "event"), counted(found.rows, "row")
        click.echo(f"The journal is whole: {events} of {rows}.")
    else:
        click.echo(f"The journal is not as kawe left it. {one_line(fault.what)}")
        click.echo("Keep a copy of it, and do not submit before you know why.")
    return code
