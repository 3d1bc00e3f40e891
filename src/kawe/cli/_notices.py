"""What notices say: the closing words of a run, without a word of any row.

What an error says may name a person, a project or a folder with somebody's name
in it. A notice says which kind of error it was, in words that stand here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from kawe import errors
from kawe.cli import _words
from kawe.cli._exit import ExitCode
from kawe.domain.counts import counted
from kawe.domain.expecting import Coming, coming_words
from kawe.domain.notices import Notice, NoticeKind
from kawe.domain.outcomes import BatchReport, Outcome
from kawe.domain.texts import one_line
from kawe.errors import KaweError

_LOOK: Final = "Run the same command by hand: it says more."
_TRIAL: Final = (
    "Somebody tries whether messages of kawe arrive here. This one did. There is "
    "nothing to do."
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
    errors.ResultNotWritable: "The result workbook cannot be written: it may be open "
    "in another program, or the disk is full. What was sent is in the journal: kawe "
    "status tells.",
    errors.SchemaError: "kawe is not installed as it should be. Nothing was sent.",
    errors.JournalError: f"The journal cannot be read or written. {_LOOK}",
    errors.JournalLocked: "Another kawe was using the journal, so this one "
    "did nothing.",
    errors.JournalNewer: "A newer kawe wrote the journal. Bring this one up to date. "
    "Nothing was sent.",
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
    errors.ContractBroken: "The service answered as its interface does not allow. "
    f"{_LOOK} What was done is in the journal.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """What is known of a run at its end."""

    command: str
    subject: str
    """The workbook or batch that the command named, without folders."""
    code: int
    trouble: KaweError | None = None
    """What stopped it early."""
    report: BatchReport | None = None
    """How the rows stand; None where the run did not get so far."""
    at: datetime


def closing_notice(ended: Ended) -> Notice:
    """Make the one message that a run ends with."""
    report = ended.report
    code = ExitCode(ended.code)
    return Notice(
        kind=NoticeKind.CLOSING,
        command=ended.command,
        headline=_headline(code, report),
        sentences=tuple(_sentences(ended, code)),
        at=ended.at,
        batch=_name(ended.subject if report is None else report.batch),
        team="" if report is None else _name(report.team),
        mode="" if report is None else report.mode,
        exit_code=ended.code,
        counts={}
        if report is None
        else {outcome.value: n for outcome, n in report.counts().items()},
        tokens_left=None if report is None else report.tokens_left,
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
        sentences=(coming_words(found),),
        at=at,
        batch=_name(found.batch),
        exit_code=ExitCode.ROWS_WAIT_FOR_PERSON,
    )


def trial_notice(*, at: datetime) -> Notice:
    """Make a notice with which a person tries whether notices arrive."""
    return Notice(
        kind=NoticeKind.TRIAL,
        command="notify",
        headline="this is a trial",
        sentences=(_TRIAL,),
        at=at,
    )


def _headline(code: ExitCode, report: BatchReport | None) -> str:
    """Say what matters most, with numbers where there are any."""
    if report is None or code not in {
        ExitCode.ROWS_TO_CORRECT,
        ExitCode.ROWS_WAIT_FOR_PERSON,
    }:
        return HEADLINES[code]
    counts = report.counts()
    said = [
        words
        for outcome, words in (
            (Outcome.DEFERRED, f"{counts[Outcome.DEFERRED]:,} waiting for tokens"),
            (Outcome.HELD, f"{counts[Outcome.HELD]:,} held"),
            (Outcome.IN_DOUBT, f"{counts[Outcome.IN_DOUBT]:,} in doubt"),
            (Outcome.INVALID, f"{counts[Outcome.INVALID]:,} to correct"),
        )
        if counts[outcome]
    ]
    return ", ".join(said) or HEADLINES[code]


def _sentences(ended: Ended, code: ExitCode) -> Iterator[str]:
    if ended.trouble is not None:
        yield next(BY_ERROR[k] for k in type(ended.trouble).__mro__ if k in BY_ERROR)
    elif ended.report is None or code in {ExitCode.UNEXPECTED, ExitCode.INTERRUPTED}:
        yield _BY_CODE[code]
    report = ended.report
    if report is not None:
        yield f"{_name(report.team)}, {report.mode}:\n" + "\n".join(
            _words.count_lines(report)
        )
        yield from _words.next_steps(report)
    elif code is ExitCode.INTERRUPTED:
        yield _AGAIN


def _name(text: str) -> str:
    return one_line(text, limit=80)
