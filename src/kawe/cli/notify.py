"""`kawe notify`: try whether messages arrive."""

from __future__ import annotations

import click

from kawe.cli.output.exit import ExitCode
from kawe.cli.shared.declaring import option, options_class, taking
from kawe.cli.shared.notifying import send_apart, trial_notice
from kawe.machine import SystemClock


@options_class
class _NotifyOptions:
    profile: str | None = option("--profile", help="Profile of the settings to use.")
    command: str | None = option(
        "--notify-cmd", metavar="CMD", help="Try this program too."
    )


@click.command(epilog="Example: kawe notify")
@taking(_NotifyOptions)
def notify(options: _NotifyOptions) -> int:
    """Send a message to everybody whom the settings name, to try it.

    A run tells the same targets when it has ended. The exit code is 2 when one
    of them was not reached.
    """
    notice = trial_notice(at=SystemClock().now())
    if not send_apart(notice, profile=options.profile, command=options.command):
        return ExitCode.USAGE
    click.echo("Every target took the message. Look whether it arrived.")
    return ExitCode.DONE
