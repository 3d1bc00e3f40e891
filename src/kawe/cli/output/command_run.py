"""One command from its beginning to its end, as log and `--json` tell of it."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

import click

from kawe import __version__

if TYPE_CHECKING:
    import logging

    from kawe.domain.batch.outcomes import BatchReport, Outcome
    from kawe.errors import KaweError

_ENDS_WITH_ITS_ID: Final = frozenset(
    {"check", "plan", "submit", "release", "resolve", "export receipts"}
)

_REFUSED: Final = (1, 2)


def logger(name: str) -> logging.Logger:
    """Give a logger, and load logging no sooner: help needs none."""
    import logging  # noqa: PLC0415 (start-up)

    return logging.getLogger(name)


@contextmanager
def loading() -> Iterator[None]:
    """Let a first signal wait: half a module would break whatever imports it next."""
    heard: list[int] = []

    def hear(number: int, _frame: object) -> None:
        if heard:
            raise KeyboardInterrupt
        heard.append(number)

    before = signal.signal(signal.SIGINT, hear)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if heard:
        raise KeyboardInterrupt


class CommandRun:
    """One command; `begin` and `end` write its records."""

    def __init__(self) -> None:
        self.mode: str | None = None
        """live, sandbox or twin, once the settings are known."""
        self.team: str | None = None
        """The team, once the command learnt it."""
        self.is_quiet = True
        """Whether the screen does not name the run at its end."""
        self._command = ""
        self._began_at = datetime.now(UTC)
        self._began = time.monotonic()
        self._has_begun = False
        self._batches: dict[str, Counter[Outcome]] = {}
        self._acts: Counter[str] = Counter()

    @cached_property
    def id(self) -> str:
        """Give the id of this run: day, time in New Zealand, and a few letters."""
        import secrets  # noqa: PLC0415 (start-up)

        from kawe.domain.batch.runs import run_id  # noqa: PLC0415 (start-up)

        return run_id(self._began_at, choose=secrets.choice)

    def begin(self, ctx: click.Context | None = None) -> None:
        """Open the log and say that this begins; only the first call counts."""
        if self._has_begun:
            return
        self._has_begun = True
        # Help needs neither settings nor a log.
        with loading():
            from kawe.cli.output import log  # noqa: PLC0415 (start-up)
            from kawe.settings.notifying import (  # noqa: PLC0415 (start-up)
                logs_to_stderr,
            )

        names: list[str] = []
        while ctx is not None and ctx.parent is not None:
            names.insert(0, ctx.info_name or "")
            ctx = ctx.parent
        self._command = " ".join(names)
        given = {} if ctx is None else ctx.params
        if logs_to_stderr(profile=given.get("profile"), environment=os.environ):
            log.start_on_stderr(run_id=self.id, as_json="--json" in sys.argv)
        else:
            log.start(run_id=self.id)
        self._say_begun()

    def begin_inside(self, command: str) -> None:
        """Say that a run inside the running command begins; its log stays open."""
        self._has_begun, self._command = True, command
        self._say_begun()

    def _say_begun(self) -> None:
        from kawe.domain.batch.runs import RunBegun  # noqa: PLC0415 (start-up)

        begun = RunBegun(
            version=__version__, command=self._command, process=os.getpid()
        )
        logger(__name__).info(begun.WHAT, extra=begun.extra())
        logger("kawe").handlers[0].addFilter(self._count)

    def record(self, report: BatchReport) -> None:
        """Record how the rows of a batch stand; its last record counts."""
        self.team = report.team or self.team
        self._batches[report.batch] = report.counts()

    def as_json(self) -> dict[str, Any]:
        """Give what every `--json` answer has of its run; nothing before it began."""
        if not self._has_begun:
            return {}
        return {"run": {"id": self.id, "version": __version__, **self._numbers()}}

    def end(self, code: int, trouble: KaweError | None) -> str:
        """Write that this has ended; give the last line for the screen, or nothing."""
        if not self._has_begun:
            return ""
        from kawe.cli.output import log  # noqa: PLC0415 (start-up)
        from kawe.domain.batch.runs import RunEnded  # noqa: PLC0415 (start-up)

        ended = RunEnded(
            command=self._command,
            exit_code=code,
            trouble=None if trouble is None else type(trouble).__name__,
            batches={
                batch: {outcome.value: n for outcome, n in counts.items()}
                for batch, counts in self._batches.items()
            },
            mode=self.mode,
            team=self.team,
            acts=dict(self._acts),
            **self._numbers(),
        )
        logger(__name__).info(ended.WHAT, extra=ended.extra())
        logger("kawe").handlers[0].removeFilter(self._count)
        if log.trouble():
            return f"kawe: {log.trouble()} The command went on without it."
        # Of a refusal, its reason is the last line.
        is_refused = trouble is not None or code in _REFUSED
        if self.is_quiet or is_refused or self._command not in _ENDS_WITH_ITS_ID:
            return ""
        return f"Run {self.id} · log: {log.place()}"

    def _numbers(self) -> dict[str, Mapping[str, Any]]:
        from kawe.domain.service.windows import TRAFFIC  # noqa: PLC0415 (start-up)

        return {
            "timing": {
                "began_at": self._began_at.isoformat(),
                "seconds": round(time.monotonic() - self._began, 3),
            },
            **TRAFFIC.as_json(),
        }

    def _count(self, record: logging.LogRecord) -> bool:
        told: Mapping[str, Any] = getattr(record, "fields", {})
        if "outcome" in told:
            self._acts[f"{told['step']} {told['outcome']}"] += 1
        return True
