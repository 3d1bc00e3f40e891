"""`kawe journal`: whether it is as kawe left it, and what need not stay in it."""

from __future__ import annotations

from dataclasses import asdict
from datetime import timedelta

import click

from kawe.cli.output.exit import ExitCode
from kawe.cli.shared import claims
from kawe.cli.shared.declaring import option, options_class, taking
from kawe.cli.shared.options import LookOptions
from kawe.domain.text.counts import counted
from kawe.domain.text.texts import one_line
from kawe.toolkit import purge_journal, verify_journal


@options_class
class _PurgeOptions:
    days: int = option(
        "--older-than",
        type=click.IntRange(0, 36_500),
        required=True,
        metavar="DAYS",
        help="Rows that were done more than so many days ago.",
    )
    look: LookOptions


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
    context = options.open()
    found = verify_journal(context.settings.journal_path())
    fault = None if found.fault is None else found.fault.what
    events, rows = counted(found.events, "event"), counted(found.rows, "row")
    lines = [f"The journal is whole: {events} of {rows}."]
    if fault is not None:
        lines = [
            f"The journal is not as kawe left it. {one_line(fault)}",
            "Keep a copy of it, and do not submit before you know why.",
        ]
    return claims.answer(
        context,
        "journal-verify",
        ExitCode.DONE if fault is None else ExitCode.JOURNAL,
        document=lambda: {"events": found.events, "rows": found.rows, "fault": fault},
        lines=lines,
    )


@journal.command(epilog="Example: kawe journal purge --older-than 365")
@taking(_PurgeOptions)
def purge(options: _PurgeOptions) -> int:
    """Take out of the journal what rows said that were done long ago.

    Their texts, places, people and files' names go for good; workbooks,
    results and the service keep theirs. That a row is done stays known, so
    that it is never sent twice. Where the journal has no receipt number,
    save the receipts first, with kawe export receipts.
    """
    context = options.look.open(is_strict=True)
    now = context.toolkit.clock.now()
    purged = purge_journal(
        context.settings.journal_path(),
        finished_before=now - timedelta(days=options.days),
        at=now,
    )
    context.toolkit.forget_answers()
    stays = "that they are done stays known"
    lines = [f"The journal forgot what {counted(purged.rows, 'row')} said; {stays}."]
    if purged.without_receipt:
        lines.append(
            f"No receipt number is known of {counted(purged.without_receipt, 'row')} "
            "of these; kawe export receipts saves it without naming the row."
        )
    return claims.answer(
        context,
        "journal-purge",
        ExitCode.DONE,
        document=lambda: asdict(purged),
        lines=lines,
    )
