"""The channel through a program of the person's own."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from kawe.domain.text.notices import Notice
from kawe.domain.text.texts import one_line
from kawe.notices.child_process import ChildProcess
from kawe.system import is_windows

_SAID_MOST: Final = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgramChannel:
    """Implements `Channel` for a command line, without a shell."""

    command: str = field(repr=False)
    """It may hold a password: no message repeats it."""
    environment: Mapping[str, str] = field(repr=False)
    within_seconds: float

    def begin(self, notice: Notice) -> ChildProcess:
        """Start the program with the notice on its standard input, as JSON."""
        code = notice.exit_code
        return ChildProcess.begin(
            words_of(self.command),
            given=json.dumps(notice.as_json()).encode(),
            environment={
                **self.environment,
                "KAWE_NOTICE_KIND": notice.kind.value,
                "KAWE_NOTICE_TITLE": notice.title,
                "KAWE_NOTICE_BATCH": notice.batch,
                "KAWE_NOTICE_EXIT_CODE": "" if code is None else str(code),
            },
            within=self.within_seconds,
        )

    def judge(self, code: int | None, said: str) -> list[str]:
        """Check the exit code; if not 0, give the output."""
        if code == 0:
            return []
        if code is None:
            late = f"it took longer than {self.within_seconds:g} seconds"
            return [f"The program of the notify command was ended: {late}."]
        words = one_line(said, limit=_SAID_MOST)
        because = f", and said: {words}" if words else "."
        return [f"The program of the notify command ended with code {code}{because}"]

    def could_not_begin(self, fault: OSError | ValueError) -> str:
        """Say that it is missing, or cannot be parsed."""
        if isinstance(fault, FileNotFoundError):
            why = "there is no such program"
        elif isinstance(fault, OSError):
            why = fault.strerror or "it cannot be started"
        else:
            why = "a quotation mark is open in it, or it is empty"
        return f"The program of the notify command was not run: {why}."


def words_of(command: str) -> list[str] | str:
    """Split a command line as a shell does.

    Raises:
        ValueError: A quotation mark is open, or nothing is there.
    """
    if not command.strip() or "\0" in command:
        raise ValueError("no command")
    # Windows programs split their command line, and use backslashes in paths.
    return command if is_windows() else shlex.split(command)
