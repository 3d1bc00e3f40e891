"""`kawe journal`: whether it is as kawe left it, and what need not stay in it."""

from __future__ import annotations

import click

from kawe.cli import _words
from kawe.cli._declaring import option, options_class, taking
from kawe.cli._exit import ExitCode
from kawe.cli._options import (
    JournalOptions,
    LookOptions,
    OutputOptions,
    open_surroundings,
)
from kawe.domain.text.counts import counted
from kawe.domain.text.texts import one_line


@options_class
class _PurgeOptions:
    days: int = option(
        "--older-than",
        type=click.IntRange(0, 36_500),
        required=True,
        metavar="DAYS",
        help="Rows that were done more than so many days ago.",
    )
    journal: JournalOptions
    output: OutputOptions


@click.group()
def journal() -> None:
    """Look after the journal, kawe's durable memory."""


@journal.command(epilog="Example: kawe journal verify")
@taking(LookOptions)
def verify(options: LookOptions) -> int:
    """Say whether the journal's history is whole, and what is wrong first.

    Each event carries the hash of the one before it, so that an altered or
    removed event shows. A history that was rewritten whole does not.
    """
    around = open_surroundings(options.journal, options.output)
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


@journal.command(epilog="Example: kawe journal purge --older-than 365")
@taking(_PurgeOptions)
def purge(options: _PurgeOptions) -> int:
    """Take out of the journal what rows said that were done long ago.

    Their texts, places, people and files' names go for good; workbooks,
    results and the service keep theirs. That a row is done stays known, so
    that it is never sent twice. Save receipts first, with kawe export
    receipts: they are matched to rows by name.
    """
    around = open_surroundings(options.journal, options.output)
    purged = around.toolkit.purge_journal(older_than_days=options.days)
    if around.as_json:
        _words.print_json(
            {
                "schema": "kawe.journal-purge/1",
                "exit_code": ExitCode.DONE,
                "rows": purged.rows,
                "without_receipt": purged.without_receipt,
            }
        )
        return ExitCode.DONE
    click.echo(f"The journal forgot what {counted(purged.rows, 'row')} said; {_STAYS}")
    if purged.without_receipt:
        click.echo(
            f"No receipt was saved of {counted(purged.without_receipt, 'row')} of "
            "these; kawe export receipts still saves them, without naming the row."
        )
    return ExitCode.DONE


_STAYS = "that they are done stays known."
