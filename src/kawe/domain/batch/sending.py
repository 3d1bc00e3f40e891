"""How many rows are to be sent, how many stay drafts, and why none is sent."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from kawe.domain.text.counts import counted
from kawe.domain.text.texts import one_line

_SHOWN: Final = 20
_ADD: Final = "Add a column Send, or use --send."


@dataclass(frozen=True, slots=True, kw_only=True)
class Sending:
    """The rows that are not sent yet, by whether they are to be sent."""

    heading: str = ""
    """What the sheet calls its column Send; empty where it has none."""
    sends_all: bool = False
    """--send: every row goes, but for those whose own cell says no."""
    drafts_only: bool = False
    asked: int = 0
    """Ready rows that ask for a send: by their cell, or by `sends_all`."""
    quiet: int = 0
    """Ready rows that do not."""
    kept: int = 0
    """Drafts that are there, and that stay drafts."""
    sent: int = 0
    """Rows that were sent before."""
    says_no: tuple[str, ...] = ()
    """The cells of these rows that say no, and are not empty."""

    @property
    def ready_to_send(self) -> int:
        return 0 if self.drafts_only else self.asked

    @property
    def ready_to_draft(self) -> int:
        return self.asked + self.quiet - self.ready_to_send

    def words(self) -> str:
        """Give both counts, to follow their sum."""
        return (
            f"{self.ready_to_send:,} to be sent, {self.ready_to_draft:,} to be kept as "
            "drafts"
        )

    def lines(self) -> Iterator[str]:
        """Say both counts, where a row is ready, and what must be said loudly."""
        ready = self.asked + self.quiet
        if ready:
            yield f"{ready:,} ready: {self.words()}."
        yield from self.remarks()

    def remarks(self, *, is_over: bool = False) -> Iterator[str]:
        """Say that nothing is sent, and why; and which cells say no to --send.

        `is_over`: the run has ended.
        """
        unsent = self.asked + self.quiet + self.kept
        is_news = self.asked + self.quiet or not self.sent
        if unsent and is_news and not self.ready_to_send:
            loud, be = ("WAS", "were") if is_over else ("WILL BE", "will be")
            yield (
                f"NOTHING {loud} SENT. 0 of {unsent:,} {be} sent to iwi: {self._why()}"
            )
        if self.says_no and self.sends_all:
            more = len(self.says_no) - _SHOWN
            named = ", ".join(map(one_line, self.says_no[:_SHOWN]))
            rest = f" and {more:,} more" if more > 0 else ""
            one, many = (
                "cell says no, and its row is",
                "cells say no, and their rows are",
            )
            yield f"{counted(len(self.says_no), one, many)} not sent: {named}{rest}."

    def way(self) -> str:
        """Say how a draft of this sheet is sent."""
        if not self.heading:
            return f"Nothing; to send it, {_ADD[0].lower()}{_ADD[1:]}"
        return f"Nothing; to send it, write Yes in {self._column}, and submit again."

    @property
    def _column(self) -> str:
        return f"the column “{one_line(self.heading, limit=60)}”"

    def _why(self) -> str:
        if self.asked:
            return "--drafts-only was given. Leave it out to send."
        if not self.heading:
            return f"no column says so. {_ADD}"
        unsent = self.quiet + self.kept
        if len(self.says_no) == unsent:
            say = "row says no" if unsent == 1 else "rows say no"
            return f"in {self._column} the {say}. Write Yes to send."
        say = "row says nothing" if unsent == 1 else "rows say no, or nothing"
        return (
            f"in {self._column} the {say}. Write Yes to send, or use --send for every "
            "row whose cell is empty."
        )


def ready_json(sending: Sending | None) -> dict[str, int | None]:
    """Give both counts for JSON documents; None where they are not known."""
    return {
        "ready_to_send": None if sending is None else sending.ready_to_send,
        "ready_to_draft": None if sending is None else sending.ready_to_draft,
    }
