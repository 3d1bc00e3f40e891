"""What the log tells: one class for each record; docs/reference/log.md shows them.

No record has what a row says. The key of a row is its reference, or a hash.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar, Final


def _told(means: str) -> Any:  # noqa: ANN401 - a field's default
    return field(metadata={"means": means})


@dataclass(frozen=True, slots=True, kw_only=True)
class LogRecord:
    """One record; a log line has its fields beside those that every line has."""

    WHAT: ClassVar[str] = ""

    def extra(self) -> dict[str, Any]:
        return {
            "fields": {each.name: getattr(self, each.name) for each in fields(self)}
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class RunBegun(LogRecord):
    """A command begins."""

    WHAT: ClassVar[str] = "run.begun"
    version: str = _told("version of kawe")
    command: str = _told("the command; empty where it is no command of kawe")
    process: int = _told("number of the process")


@dataclass(frozen=True, slots=True, kw_only=True)
class _OfRow(LogRecord):
    batch: str = _told("the batch of the row")
    row: str = _told("its key: `ref:` and the reference, or a hash")
    sheet: str | None = _told("the sheet that the row was read from; null: not known")
    sheet_row: int | None = _told("its number there, as Excel shows it")


@dataclass(frozen=True, slots=True, kw_only=True)
class RowActed(_OfRow):
    """An act for one row has ended, and the journal has it."""

    WHAT: ClassVar[str] = "row.act"
    step: str = _told("`create`, `update`, `send`, `invite`, `upload`, …")
    attempt: int | None = _told("1 for the first try of this step; null for an upload")
    outcome: str = _told(
        "`done`, `not-done`, or `unknown` where the answer was lost or unclear"
    )
    http_status: int | None = _told("the status of the answer; null: none")
    state: str = _told("[where the row stands](../journal.md#where-a-row-stands) now")


@dataclass(frozen=True, slots=True, kw_only=True)
class RowMoved(_OfRow):
    """A row moved without an act: a doubt was settled, it waits, it is held."""

    WHAT: ClassVar[str] = "row.moved"
    came_from: str = _told("where the row stood")
    state: str = _told("[where the row stands](../journal.md#where-a-row-stands) now")


@dataclass(frozen=True, slots=True, kw_only=True)
class RunEnded(LogRecord):
    """A command has ended, whatever ended it, but for a kill."""

    WHAT: ClassVar[str] = "run.ended"
    command: str = _told("as in `run.begun`")
    exit_code: int = _told("[exit code](../exit-codes.md)")
    trouble: str | None = _told("the kind of error that ended it; null: none")
    batches: Mapping[str, Mapping[str, int]] = _told(
        "rows by outcome, of each batch that it reports; a check has the batch “”"
    )
    mode: str | None = _told("`live` or `sandbox`, as the key says; null: neither")
    team: str | None = _told("the team; null: the command did not learn it")
    acts: Mapping[str, int] = _told("acts by outcome, of all rows")
    timing: Mapping[str, Any] = _told("`began_at` and `seconds`")
    requests: Mapping[str, int] = _told(
        "`made`, `lost` (no whole answer), `retries`, `sent_bytes`, `received_bytes`"
    )
    limits: Mapping[str, float] = _told(
        "`refused` (answers 429) and `waited_seconds` for the rate limit"
    )


RECORDS: Final[tuple[type[LogRecord], ...]] = (RunBegun, RowActed, RowMoved, RunEnded)
"""In the order of a run."""
