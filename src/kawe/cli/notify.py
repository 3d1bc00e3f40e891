"""`kawe notify`: try whether messages arrive."""

from __future__ import annotations

from typing import Any

import click

from kawe.cli._exit import ExitCode
from kawe.cli._notices import trial_notice
from kawe.cli._telling import tell_apart
from kawe.machine import SystemClock


@click.command(epilog="Example: kawe notify")
@click.option("--profile", help="Profile of the settings to use.")
@click.option("--notify-cmd", metavar="CMD", help="Try this program too.")
def notify(**options: Any) -> int:  # noqa: ANN401 - click passes options by name
    """Send a message to everybody whom the settings name, to try it.

    A run tells the same targets when it has ended. The exit code is 2 when one
    of them was not reached.
    """
    if not tell_apart(trial_notice(at=SystemClock().now()), options):
        return ExitCode.USAGE
    click.echo("Every target took the message. Look whether it arrived.")
    return ExitCode.DONE
