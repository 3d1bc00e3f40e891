"""`kawe notify`: try whether messages arrive."""

from __future__ import annotations

import click

from kawe.cli._declaring import taking
from kawe.cli._exit import ExitCode
from kawe.cli._telling import NotifyOptions, tell_apart, trial_notice
from kawe.machine import SystemClock


@click.command(epilog="Example: kawe notify")
@taking(NotifyOptions)
def notify(options: NotifyOptions) -> int:
    """Send a message to everybody whom the settings name, to try it.

    A run tells the same targets when it has ended. The exit code is 2 when one
    of them was not reached.
    """
    if not tell_apart(trial_notice(at=SystemClock().now()), options):
        return ExitCode.USAGE
    click.echo("Every target took the message. Look whether it arrived.")
    return ExitCode.DONE
