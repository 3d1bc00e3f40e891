"""Every error that stops a batch, as one tree.

Trouble with one row is never an exception: it is a finding, a verdict or an outcome.
What stands here ends the run, and each leaf is something that a person can act on.
"""

from dataclasses import dataclass


# Never frozen: contextlib assigns __traceback__ on the way out of a `with`.
@dataclass(eq=False, kw_only=True)
class KaweError(Exception):
    """Something stops the whole batch.

    `message` says what is wrong and `hint` what to do, each in plain words
    and one or two sentences.
    """

    message: str
    hint: str = ""

    def __str__(self) -> str:
        return f"{self.message} {self.hint}".strip()


class SettingsError(KaweError):
    """A flag, environment variable or settings file cannot be used."""


class KeyMissing(SettingsError):
    """No key was given where one is needed."""


class PlanRefused(SettingsError):
    """A saved plan is stale, was edited, or cannot be read."""


class GuardRefused(SettingsError):
    """A guard stopped a run before anything was sent."""


class WorkbookError(KaweError):
    """The workbook cannot be read."""


@dataclass(eq=False, kw_only=True)
class ReadingUnclear(WorkbookError):
    """A sheet could be read in several ways: a person says which is meant."""

    about: str = ""
    choices: tuple[tuple[str, str], ...] = ()  # each with what is shown of it
    lead: str = ""
    """Stands above the choices; empty: the message does."""


class ResultNotWritable(WorkbookError):
    """The result cannot be written where it should go."""


class SchemaError(KaweError):
    """A schema that came with kawe cannot be used."""


class JournalError(KaweError):
    """The journal cannot be read, or what happened could not be written."""


class JournalLocked(JournalError):
    """Another process holds the journal."""


class JournalNewer(JournalError):
    """A newer version of kawe wrote the journal."""


class StoreFault(JournalError):
    """What the journal is kept in failed: every waiting call gets it."""


class OthersAtWork(JournalError):
    """Another computer, with a journal of its own, submits the same rows now."""


class JournalForeign(JournalError):
    """The journal belongs to another account or service."""


class ServiceError(KaweError):
    """The service cannot be worked with just now."""


class ServiceUnreachable(ServiceError):
    """No connection, or no answer within the time budget."""


class KeyRefused(ServiceError):
    """The service refused the key (401)."""


class ScopeMissing(ServiceError):
    """The key lacks a scope (403)."""


class ContractBroken(ServiceError):
    """The service answered in a way that its interface does not allow."""


class PathUnknown(ContractBroken):
    """The service does not know a path, or shows nothing there to this key (404)."""


class TooManyFailed(ServiceError):
    """More rows failed than --max-errors allows."""
