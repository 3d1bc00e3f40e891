"""Telling people of a run: one closing message, whatever happened.

`main` makes a `Course` and hands it to the commands as the context's object. A
command of the kind `ToldCommand` puts a `Telling` into it, the run fills in what it
learns, and `ending_well` closes it when the last word is on the screen.
"""

from __future__ import annotations

import logging
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kawe.cli import _log, _notices
from kawe.cli._exit import Course, ExitCode, say
from kawe.domain.notices import Notice
from kawe.domain.outcomes import BatchReport
from kawe.errors import KaweError, SettingsError
from kawe.machine import SystemClock
from kawe.settings.notifying import load_notify

if TYPE_CHECKING:
    from kawe.notices import ErrandNotifier

_log_here = logging.getLogger(__name__)


class Telling:
    """Implements the port `Alerts`; silent until a run has begun."""

    def __init__(self) -> None:
        self.code: int | None = None
        """What the run will end with, as soon as that is known."""
        self._notifier: ErrandNotifier | None = None
        self._command = ""
        self._subject = ""
        self._reports: dict[str, BatchReport] = {}
        self._because: KaweError | None = None
        self._has_alerted = False
        self._clock = SystemClock()

    def begin(self, command: str, given: dict[str, Any]) -> None:
        """Begin a run of `command` with what was given on the command line."""
        self._command = command
        named = given.get("workbook") or given.get("batch")
        self._subject = "" if named is None else Path(str(named)).stem
        try:
            self._notifier = _notifier(given)
        except SettingsError as trouble:
            say(f"kawe: nobody will be told of this run. {trouble}")

    def knows(
        self, report: BatchReport, *, code: int, because: KaweError | None
    ) -> None:
        """Take down how a batch of the run stands; the last word of each counts."""
        self._reports[report.batch] = report
        self.code, self._because = code, because

    def no_tokens(self, *, sent: int) -> None:
        """Tell of the first 402 at once."""
        if self._notifier is not None and not self._has_alerted:
            self._has_alerted = True
            self._notifier.start(
                _notices.no_tokens_notice(
                    command=self._command,
                    subject=self._subject,
                    sent=sent,
                    at=self._clock.now(),
                )
            )

    def close(self, code: int, trouble: KaweError | None) -> None:
        """Send the closing message; say on the screen whom it did not reach."""
        notifier, self._notifier = self._notifier, None
        if notifier is not None:
            stopped = code == ExitCode.INTERRUPTED
            ended = _notices.Ended(
                command=self._command,
                subject=self._subject,
                code=code,
                trouble=trouble or (None if stopped else self._because),
                reports=tuple(self._reports.values()),
                at=self._clock.now(),
            )
            tell(notifier, _notices.closing_notice(ended))


def tell_apart(notice: Notice, given: dict[str, Any]) -> bool:
    """Send a notice that is about no run of this process; say whether it arrived.

    Raises:
        SettingsError: Nobody is named whom to tell.
    """
    notifier = _notifier(given)
    if notifier is None:
        raise SettingsError(
            message="Nobody is named whom to tell.",
            hint="Set KAWE_NOTIFY, or [notify] in your own settings; the page "
            "how-to/be-told.md shows how.",
        )
    return tell(notifier, notice)


def tell(notifier: ErrandNotifier, notice: Notice) -> bool:
    """Send a notice and wait for it; say what did not arrive, and whether all did."""
    try:
        # An alert comes before the end that it was about.
        troubles = notifier.finish()
        notifier.start(notice)
        troubles += notifier.finish()
    except KeyboardInterrupt:
        notifier.abandon()
        troubles = ("The message about this run may not have arrived: it was stopped.",)
    if troubles:
        _log.start_if_needed()
    for trouble in troubles:
        words = _log.redacted(trouble)
        _log_here.warning("not told: %s", words)
        say(f"kawe: {words}")
    return not troubles


def _notifier(given: dict[str, Any]) -> ErrandNotifier | None:
    """Give who tells people, by what was given; None where nobody is named."""
    settings = load_notify(
        command=given.get("notify_cmd"),
        profile=given.get("profile"),
        environment=os.environ,
    )
    for secret in settings.secrets:
        _log.keep_out(secret)
    if settings.is_silent:
        return None
    # Most runs tell nobody, and a refused command line loads nothing else.
    from kawe.toolkit.notifying import open_notifier  # noqa: PLC0415 (start-up)

    return open_notifier(settings, environment=os.environ)


def telling_of(context: click.Context | None) -> Telling:
    """Give the run's telling; a silent one where people are not told."""
    course = None if context is None else context.find_object(Course)
    found = None if course is None else course.telling
    return found if isinstance(found, Telling) else Telling()


class ToldCommand(click.Command):
    """A command of whose end people are told who are not at the screen."""

    def __init__(self, *words: Any, **named: Any) -> None:  # noqa: ANN401 - click's
        super().__init__(*words, **named)
        self.params.append(
            click.Option(
                ["--notify-cmd"],
                metavar="CMD",
                help="Run this program with a message when the run has ended.",
            )
        )

    def make_context(
        self,
        info_name: str | None,
        args: list[str],
        parent: click.Context | None = None,
        **extra: Any,  # noqa: ANN401 - click's
    ) -> click.Context:
        """Take the command line apart; a run ends there too if it cannot be."""
        try:
            return super().make_context(info_name, args, parent, **extra)
        except click.UsageError:
            self._begin(parent, {})
            raise

    def invoke(self, ctx: click.Context) -> Any:  # noqa: ANN401 - click's
        """Run the command as something that people are told of."""
        self._begin(ctx, ctx.params)
        return super().invoke(ctx)

    def _begin(self, context: click.Context | None, given: dict[str, Any]) -> None:
        course = None if context is None else context.find_object(Course)
        if course is not None:
            course.telling = Telling()
            course.telling.begin(str(self.name), given)
