"""What kawe tells people who are not at the screen: counts, never contents."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any, Final

SCHEMA: Final = "kawe.notice/1"


class NoticeKind(StrEnum):
    """Why a notice goes out."""

    CLOSING = "closing"
    """A run has ended; one for each run."""
    ALERT = "alert"
    """Tokens ran out while a run goes on; at most one for each run."""
    MISSED = "missed"
    """A run that was expected did not come."""
    NEWS = "news"
    """A watch found something new; at most one for each round."""
    TRIAL = "trial"
    """Somebody tries whether notices arrive."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """One message about a run.

    It travels over other people's servers: it never has a key or a word of a row.
    """

    kind: NoticeKind
    command: str
    """What was run, such as submit."""
    headline: str
    """How it stands, in a few words."""
    sentences: tuple[str, ...]
    """What happened and what to do, a paragraph each."""
    at: datetime
    batch: str = ""
    """The batch, which is named after the workbook; empty where none is meant."""
    team: str = ""
    mode: str = ""
    exit_code: int | None = None
    """None while the run goes on."""
    counts: Mapping[str, int] = field(default_factory=dict)
    """Rows by outcome, of a watch news by kind; empty where nothing was counted."""
    tokens_left: int | None = None

    @property
    def title(self) -> str:
        """Say everything in one line, as for the subject of a mail."""
        what = f"kawe {self.command} {self.batch}".strip()
        return f"{what}: {self.headline}"

    @property
    def text(self) -> str:
        return "\n\n".join(self.sentences) + "\n"

    def as_json(self) -> dict[str, Any]:
        return {
            "schema": SCHEMA,
            "kind": self.kind.value,
            "title": self.title,
            "text": self.text,
            "command": self.command,
            "batch": self.batch or None,
            "team": self.team or None,
            "mode": self.mode or None,
            "exit_code": self.exit_code,
            "counts": dict(self.counts),
            "tokens_left": self.tokens_left,
            "at": self.at.isoformat(timespec="seconds"),
        }
