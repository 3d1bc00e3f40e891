"""How a command ended, as a number: for schedulers, and for the history of runs."""

from collections.abc import Iterable
from enum import IntEnum
from typing import Final

from kawe import errors


class ExitCode(IntEnum):
    """Stable codes, the worst last; docs/exit-codes.md explains them."""

    DONE = 0
    ROWS_TO_CORRECT = 3
    SERVICE = 7
    ROWS_WAIT_FOR_PERSON = 4
    RUN_MISSING = 8
    NOT_AS_SAVED = 9
    WORKBOOK = 5
    USAGE = 2
    JOURNAL = 6
    UNEXPECTED = 1
    INTERRUPTED = 130


def worst_of(codes: Iterable[ExitCode]) -> ExitCode:
    """Give the worst of some codes."""
    return max(codes, key=[*ExitCode].index, default=ExitCode.DONE)


_CODES: Final[dict[type[errors.KaweError], ExitCode]] = {
    errors.SettingsError: ExitCode.USAGE,
    errors.WorkbookError: ExitCode.WORKBOOK,
    errors.SchemaError: ExitCode.WORKBOOK,
    errors.JournalError: ExitCode.JOURNAL,
    errors.ServiceError: ExitCode.SERVICE,
}


def code_of(trouble: errors.KaweError) -> ExitCode:
    """Give the exit code of an error: that of its nearest listed ancestor."""
    for kind in type(trouble).__mro__:
        if kind in _CODES:
            return _CODES[kind]
    return ExitCode.UNEXPECTED
