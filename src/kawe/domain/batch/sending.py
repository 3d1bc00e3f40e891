"""How many rows are sent, to which iwi, how many stay drafts, and why none is sent."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from kawe.domain.service.service_words import IwiChoice
from kawe.domain.text.next_steps import Given
from kawe.domain.text.texts import counted, one_line, some_of

_SHOWN: Final = 20
_ADD: Final = f"Add a column Send, or use {Given.SEND}."


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
        return (
            f"{self.ready_to_send:,} to be sent, {self.ready_to_draft:,} to be kept as "
            "drafts"
        )

    def lines(self) -> Iterator[str]:
        """Say both counts, where a row is ready, and what must be said loudly."""
        if ready := self.asked + self.quiet:
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
            named = some_of([*map(one_line, self.says_no)], shown=_SHOWN)
            one, many = (
                "cell says no, and its row is",
                "cells say no, and their rows are",
            )
            yield f"{counted(len(self.says_no), one, many)} not sent: {named}."

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
            return f"{Given.DRAFTS_ONLY} was given. Leave it out to send."
        if not self.heading:
            return f"no column says so. {_ADD}"
        unsent = self.quiet + self.kept
        if len(self.says_no) == unsent:
            say = "row says no" if unsent == 1 else "rows say no"
            return f"in {self._column} the {say}. Write Yes to send."
        say = "row says nothing" if unsent == 1 else "rows say no, or nothing"
        return (
            f"in {self._column} the {say}. Write Yes to send, or use {Given.SEND} for "
            "every row whose cell is empty."
        )


def ready_json(sending: Sending | None) -> dict[str, int | None]:
    """Give both counts for JSON documents; None where they are not known."""
    return {
        "ready_to_send": None if sending is None else sending.ready_to_send,
        "ready_to_draft": None if sending is None else sending.ready_to_draft,
    }


_LISTED: Final = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class IwiShare(IwiChoice):
    """What one iwi is asked to answer."""

    projects: int


@dataclass(frozen=True, slots=True, kw_only=True)
class IwiLoad:
    """What every iwi is asked to answer, the most burdened first."""

    shares: tuple[IwiShare, ...] = ()
    projects: int = 0
    """The projects that are sent, each counted once; one may go to several iwi."""
    finished_before: int = 0
    """Rows that are not counted: nothing was asked for their sake."""
    above: str = ""
    """Which iwi would get more than the settings allow in this month, in sentences."""

    def words(self) -> str:
        """Say it in a sentence; empty where nothing is sent."""
        if not self.shares:
            return ""
        first, *rest = self.shares
        parts = [f"{counted(first.projects, 'project')} to {_name(first)}"]
        parts += [f"{each.projects:,} to {_name(each)}" for each in rest[: _LISTED - 1]]
        if (more := len(self.shares) - _LISTED) > 0:
            parts.append(f"others to {more:,} more iwi")
        whole = f"This batch sends {', '.join(parts)}."
        if (in_all := sum(each.projects for each in self.shares)) > self.projects:
            whole += (
                f" A project can go to several iwi: {in_all:,} in all, for "
                f"{counted(self.projects, 'project')}."
            )
        if self.finished_before:
            whole += " Rows that were finished before are not counted."
        return whole

    def as_json(self) -> list[dict[str, str | int]]:
        return [
            {"iwi": each.slug, "name": each.name, "projects": each.projects}
            for each in self.shares
        ]

    def over(self, most: int, *, sent: Mapping[str, int]) -> Iterator[str]:
        """Name each iwi that would get more than `most`, with what it was `sent`."""
        for each in self.shares:
            before = sent.get(each.name, 0)
            if before + each.projects > most:
                yield (
                    f"{_name(each)} would get {before + each.projects:,} projects this "
                    f"month, {before:,} of them sent already, and per_iwi_month is "
                    f"{most:,}."
                )

    def with_more(self, other: "IwiLoad") -> "IwiLoad":
        """Add what another sheet sends."""
        counts = Counter({(e.slug, e.name): e.projects for e in other.shares})
        counts.update({(e.slug, e.name): e.projects for e in self.shares})
        shares = (IwiShare(slug=s, name=n, projects=p) for (s, n), p in counts.items())
        return replace(self, shares=tuple(shares))


NO_LOAD: Final = IwiLoad()
"""What is known when the service was not asked."""


def load_of(
    sends: Iterable[tuple[IwiChoice, ...]], *, finished_before: int = 0
) -> IwiLoad:
    """Add up the iwi of each project that is to be sent."""
    counts: Counter[IwiChoice] = Counter()
    going = list(filter(None, sends))
    for choices in going:
        counts.update(choices)
    shares = [
        IwiShare(slug=iwi.slug, name=iwi.name, projects=projects)
        for iwi, projects in counts.items()
    ]
    shares.sort(key=lambda each: (-each.projects, each.name))
    return IwiLoad(
        shares=tuple(shares), projects=len(going), finished_before=finished_before
    )


def iwi_words(names: Sequence[str], *, shown: int = 8) -> str:
    """Name the iwi of one row, the first of a long list."""
    said = [one_line(each, limit=80) for each in names]
    return some_of(said, shown=shown, between="; ")


def _name(share: IwiShare) -> str:
    return one_line(share.name, limit=80)
