"""Notifying people of a run: one closing message that says nothing of any row.

The text of an error may name a person or a project, so a notice names only the kind
of error, in words that stand here.

`main` makes an `ExitState`, the object of click's context. A `NotifyingCommand` puts
`RunNotices` into it, the run records results, and `run_and_exit` closes them.
"""

from __future__ import annotations

import logging
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from kawe import errors
from kawe.cli.output import printing
from kawe.cli.output.exit import ExitState, say
from kawe.cli.output.log import keep_out, redacted
from kawe.cli.output.next_command import in_commands
from kawe.domain.batch.exit_codes import ExitCode
from kawe.domain.batch.outcomes import BatchReport, Outcome
from kawe.domain.batch.runs import Coming, coming_words
from kawe.domain.text.notices import Notice, NoticeKind
from kawe.domain.text.texts import counted, one_line
from kawe.errors import KaweError, SettingsError
from kawe.machine import SystemClock
from kawe.machine.installation import page_address
from kawe.settings.notifying import load_notify

if TYPE_CHECKING:
    from kawe.cases import Notifier

_log_here = logging.getLogger(__name__)
_LOOK: Final = "Run the same command by hand: it says more."
_TRIAL: Final = (
    "Somebody tries whether messages of kawe arrive here. This one did. There is "
    "nothing to do."
)
_TYPED: Final = (
    "A typed name approves nothing any more: leave --approved-by out, and let the "
    "other person sign the plan with kawe approve plan.json."
)
_AGAIN: Final = "Run the same command again to go on; nothing is lost."
HEADLINES: Final = {
    ExitCode.DONE: "done",
    ExitCode.UNEXPECTED: "stopped by a fault of kawe's",
    ExitCode.USAGE: "did not begin",
    ExitCode.ROWS_TO_CORRECT: "finished, rows to correct",
    ExitCode.ROWS_WAIT_FOR_PERSON: "finished, rows wait for a person",
    ExitCode.WORKBOOK: "the workbook or its result could not be used",
    ExitCode.JOURNAL: "the journal could not be used",
    ExitCode.SERVICE: "the service could not be worked with",
    ExitCode.RUN_MISSING: "the expected run is missing",
    ExitCode.NOT_AS_SAVED: "found files that are not as they were saved",
    ExitCode.INTERRUPTED: "was stopped",
}
_BY_CODE: Final = {
    ExitCode.DONE: "Everything that was asked is done.",
    ExitCode.UNEXPECTED: "Something unexpected happened, and it is kawe's fault. What "
    "was done is in the journal, and running the same command again is safe. The log "
    "on the computer that ran it says more.",
    ExitCode.USAGE: f"The command cannot be used as it was typed. {_LOOK}",
    ExitCode.ROWS_TO_CORRECT: "Some rows need correcting: see the result workbook.",
    ExitCode.ROWS_WAIT_FOR_PERSON: "Some rows wait for a person. kawe status says "
    "which.",
    ExitCode.WORKBOOK: f"The workbook cannot be read. {_LOOK}",
    ExitCode.JOURNAL: f"The journal cannot be used. {_LOOK}",
    ExitCode.SERVICE: f"Some rows were not reached. {_AGAIN}",
    ExitCode.RUN_MISSING: "The expected run has not come.",
    ExitCode.NOT_AS_SAVED: "Files are not as they were saved.",
    ExitCode.INTERRUPTED: "Somebody stopped the run, or the computer did.",
}
BY_ERROR: Final[dict[type[KaweError], str]] = {
    errors.SettingsError: f"A flag or setting cannot be used. Nothing was sent. "
    f"{_LOOK}",
    errors.KeyMissing: f"No key was found. Nothing was sent. {_LOOK}",
    errors.PlanRefused: "The saved plan no longer says what would happen now, or it "
    "cannot be read. Nothing was sent. Make a new plan with kawe plan.",
    errors.GuardRefused: "A guard stopped the run, for instance because more rows were "
    f"to be sent than was agreed to. Nothing was sent. {_LOOK}",
    errors.WorkbookError: f"The workbook cannot be read. {_LOOK}",
    errors.ReadingUnclear: "The workbook could be read in several ways. Nothing was "
    "sent. Say which with --kind, --sheet or --table.",
    errors.ResultNotWritable: "The result workbook cannot be written: it may be open "
    "in another program, or the disk is full. What was sent is in the journal: kawe "
    "status tells.",
    errors.SchemaError: "kawe is not installed as it should be. Nothing was sent.",
    errors.StoreFault: f"The file of the journal cannot be read or written. {_LOOK}",
    errors.JournalError: f"The journal cannot be read or written. {_LOOK}",
    errors.JournalLocked: "Another kawe was using the journal, so this one "
    "did nothing.",
    errors.JournalNewer: "A newer kawe wrote the journal. Bring this one up to date. "
    "Nothing was sent.",
    errors.OthersAtWork: "Another computer was submitting the same rows, so they were "
    "left to it. Run the same command again when it is done; nothing is sent twice.",
    errors.JournalForeign: f"The journal belongs to another account. Nothing was sent. "
    f"{_LOOK}",
    errors.ServiceError: f"The service cannot be worked with just now. {_AGAIN}",
    errors.ServiceUnreachable: f"The service could not be reached. {_AGAIN}",
    errors.KeyRefused: "The service refused the key: it may have been revoked. Ask an "
    "owner of the team for a new one, then run the same command again; nothing is "
    "lost.",
    errors.ScopeMissing: "The key may not do what was asked. Ask an owner of the team "
    "for a key with the scopes that are missing, then run the same command again; "
    "nothing is lost.",
    errors.TooManyFailed: "More rows failed than was allowed, so the run stopped. Look "
    "at those rows before it goes on.",
    errors.PathUnknown: "The service does not know what was asked for, or does not "
    f"show it to this key. {_LOOK}",
    errors.ContractBroken: "The service answered as its interface does not allow. "
    f"{_LOOK} What was done is in the journal.",
}


class RunNotices:
    """Implements the port `Alerts`; silent until a run has begun."""

    def __init__(self) -> None:
        self.code: int | None = None
        """The exit code, once it is known."""
        self._notifier: Notifier | None = None
        self._command = ""
        self._subject = ""
        self._reports: dict[str, BatchReport] = {}
        self._because: KaweError | None = None
        self._has_alerted = False
        self._clock = SystemClock()

    def begin(self, command: str, given: Mapping[str, object]) -> None:
        """Begin a run of `command` with the workbook or batch in `given`."""
        text = {name: str(value) for name, value in given.items() if value is not None}
        self._command = command
        self._subject = Path(text.get("workbook") or text.get("batch", "")).stem
        try:
            self._notifier = _open_notifier(
                profile=text.get("profile"), command=text.get("notify_cmd")
            )
        except SettingsError as trouble:
            say(f"kawe: nobody will be told of this run. {trouble}")

    def record(
        self, report: BatchReport, *, code: int, because: KaweError | None
    ) -> None:
        """Record how a batch stands; its last record counts."""
        self._reports[report.batch] = report
        self.code, self._because = code, because

    def no_tokens(self, *, sent: int) -> None:
        """Notify people of the first 402 at once."""
        if self._notifier is not None and not self._has_alerted:
            self._has_alerted = True
            self._notifier.start(
                no_tokens_notice(
                    command=self._command,
                    subject=self._subject,
                    sent=sent,
                    at=self._clock.now(),
                )
            )

    def close(self, code: int, trouble: KaweError | None) -> None:
        """Send the closing message; print whom it did not reach."""
        notifier, self._notifier = self._notifier, None
        if notifier is None:
            return
        stopped = code == ExitCode.INTERRUPTED
        notice = closing_notice(
            command=self._command,
            subject=self._subject,
            code=ExitCode(code),
            trouble=trouble or (None if stopped else self._because),
            reports=tuple(self._reports.values()),
            at=self._clock.now(),
        )
        _send(notifier, notice)


class NotifyingCommand(click.Command):
    """A command that notifies people when it ends."""

    def make_context(
        self,
        info_name: str | None,
        args: list[str],
        parent: click.Context | None = None,
        **extra: Any,  # noqa: ANN401 - click's
    ) -> click.Context:
        """Parse the command line; a run also ends when that fails."""
        try:
            return super().make_context(info_name, args, parent, **extra)
        except click.UsageError as refused:
            self._begin(parent, {})
            if getattr(refused, "option_name", None) == "--approved-by":
                raise click.UsageError(_TYPED, refused.ctx) from refused
            raise

    def invoke(self, ctx: click.Context) -> Any:  # noqa: ANN401 - click's
        """Run the command and notify people."""
        self._begin(ctx, ctx.params)
        return super().invoke(ctx)

    def _begin(self, ctx: click.Context | None, given: Mapping[str, object]) -> None:
        state = None if ctx is None else ctx.find_object(ExitState)
        if state is not None:
            state.notices = notices = RunNotices()
            notices.begin(str(self.name), given)


def send_apart(
    notice: Notice, *, profile: str | None, command: str | None, is_asked: bool = True
) -> bool:
    """Send a notice that belongs to no run; say whether it arrived.

    Raises:
        SettingsError: It `is_asked` for, and nobody is named.
    """
    notifier = _open_notifier(profile=profile, command=command)
    if notifier is None and is_asked:
        raise SettingsError(
            message="Nobody is named whom to tell.",
            hint="Set KAWE_NOTIFY, or [notify] in your own settings. How: "
            f"{page_address('how-to/be-told.md')}",
        )
    return notifier is not None and _send(notifier, notice)


def _send(notifier: Notifier, notice: Notice) -> bool:
    """Send a notice, wait, print failures; say whether all arrived."""
    try:
        # An alert must arrive before the closing message.
        troubles = notifier.finish()
        notifier.start(notice)
        troubles += notifier.finish()
    except KeyboardInterrupt:
        notifier.abandon()
        troubles = ("The message about this run may not have arrived: it was stopped.",)
    for trouble in troubles:
        words = redacted(trouble)
        _log_here.warning("not told: %s", words)
        say(f"kawe: {words}")
    return not troubles


def _open_notifier(*, profile: str | None, command: str | None) -> Notifier | None:
    """Open the notifier; None where nobody is named."""
    settings = load_notify(command=command, profile=profile, environment=os.environ)
    for secret in settings.secrets:
        keep_out(secret)
    if settings.is_silent:
        return None
    # Most runs notify nobody, and --help must be quick.
    from kawe.cases.reaching import open_notifier  # noqa: PLC0415 (start-up)

    return open_notifier(settings, environment=os.environ)


def closing_notice(
    *,
    command: str,
    subject: str,
    code: ExitCode,
    trouble: KaweError | None = None,
    reports: Sequence[BatchReport] = (),
    at: datetime,
) -> Notice:
    """Make the closing message.

    `subject` names the workbook or batch, without folders; `trouble` stopped the run
    early. There are no reports when it stopped before its first batch.
    """
    counts = _counts(reports)
    names = {each.batch for each in reports} or {subject}
    latest = reports[-1] if reports else None
    return Notice(
        kind=NoticeKind.CLOSING,
        command=command,
        headline=_headline(code, counts),
        sentences=tuple(_sentences(reports, code, trouble)),
        at=at,
        batch=_name(names.pop()) if len(names) == 1 else "",
        team="" if latest is None else _name(latest.team),
        mode="" if latest is None else latest.mode,
        exit_code=code,
        counts={outcome.value: n for outcome, n in counts.items()},
        tokens_left=None if latest is None else latest.tokens_left,
    )


def no_tokens_notice(*, command: str, subject: str, sent: int, at: datetime) -> Notice:
    """Make the alert of a run's first 402."""
    so_far = (
        f"The team has no tokens left. {counted(sent, 'row was', 'rows were')} sent in "
        "this run so far; the rows that are left become drafts and wait. Another "
        "message follows when the run has ended."
    )
    return Notice(
        kind=NoticeKind.ALERT,
        command=command,
        headline="the tokens have run out",
        sentences=(so_far, "When tokens are bought, run: kawe release"),
        at=at,
        batch=_name(subject),
    )


def missed_notice(found: Coming, *, at: datetime) -> Notice:
    """Make the notice that an expected run did not come, or did not finish."""
    words = "has not finished" if found.batch else "is missing"
    return Notice(
        kind=NoticeKind.MISSED,
        command="status",
        headline=f"{found.turn.words} {words}",
        sentences=(in_commands(coming_words(found)),),
        at=at,
        batch=_name(found.batch),
        exit_code=ExitCode.ROWS_WAIT_FOR_PERSON
        if found.batch
        else ExitCode.RUN_MISSING,
    )


def trial_notice(*, at: datetime) -> Notice:
    return Notice(
        kind=NoticeKind.TRIAL,
        command="doctor --notify",
        headline="this is a trial",
        sentences=(_TRIAL,),
        at=at,
    )


def _headline(code: ExitCode, counts: Counter[Outcome]) -> str:
    """Say what matters most, with numbers where there are any."""
    if code not in {ExitCode.ROWS_TO_CORRECT, ExitCode.ROWS_WAIT_FOR_PERSON}:
        return HEADLINES[code]
    first = (Outcome.DEFERRED, Outcome.HELD, Outcome.NOT_AS_ASKED)
    matter = (*first, Outcome.IN_DOUBT, Outcome.INVALID)
    said = [f"{counts[each]:,} {each.value}" for each in matter if counts[each]]
    return ", ".join(said) or HEADLINES[code]


def _sentences(
    reports: Sequence[BatchReport], code: ExitCode, trouble: KaweError | None
) -> Iterator[str]:
    if trouble is not None:
        yield next(BY_ERROR[k] for k in type(trouble).__mro__ if k in BY_ERROR)
    elif not reports or code in {ExitCode.UNEXPECTED, ExitCode.INTERRUPTED}:
        yield _BY_CODE[code]
    for report in reports:
        batch = f", batch {_name(report.batch)}" if len(reports) > 1 else ""
        counts = "\n".join(printing.count_lines(report))
        yield f"{_name(report.team)}, {report.mode}{batch}:\n{counts}"
    if reports:
        yield from printing.next_steps(_counts(reports), reports)
    elif code is ExitCode.INTERRUPTED:
        yield _AGAIN


def _counts(reports: Iterable[BatchReport]) -> Counter[Outcome]:
    return sum((each.counts() for each in reports), Counter[Outcome]())


def _name(text: str) -> str:
    return one_line(text, limit=80)
