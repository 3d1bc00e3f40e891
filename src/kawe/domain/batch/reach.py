"""What a run would do that reaches people, and a person's agreement to it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from kawe.domain.rows.entries import Entry
from kawe.domain.sheet.columns import SheetKind
from kawe.domain.text.counts import counted
from kawe.domain.text.next_steps import Given
from kawe.domain.text.texts import one_line
from kawe.errors import GuardRefused

_SHOWN: Final = 3
"""How many rows a question names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """The acts to which a person must agree: sends, invitations, decisions."""

    acts: int
    does: str
    """Follows "would" and "to" in a sentence."""
    undone: str
    beside: str = ""
    """What else the run does, to follow `does` in the question."""
    otherwise: str = ""
    """Another choice for a person who does not agree."""
    look: str = "the plan"
    """What a person reads before they agree."""
    over: str = ""
    """Message when a person agreed to fewer; empty: the usual one."""
    alone: str = ""
    """Message when nobody can be asked; empty: the usual one."""
    account: str = ""
    """Live or sandbox, and the team; empty: nobody else hears of it."""
    rows: Sequence[Entry] = ()
    """The rows that may go, the first first: the first `acts` go now."""

    @property
    def request(self) -> str:
        return f"Type {self.acts} to {self.does}{self.beside}"

    def lines(self) -> Iterator[str]:
        """Name the account and the first rows, so that a wrong file is noticed."""
        if not self.rows:
            return
        yield f"{self.account}{'. ' if self.account else ''}The first to go:"
        for row in self.rows[: min(_SHOWN, self.acts)]:
            name = one_line(row.content.name, limit=60)
            yield f"        {one_line(row.marker, limit=40)} ({name})"
        more = self.acts - _SHOWN
        if more > 0:
            yield f"        and {more:,} more"

    def check_covered(self, agreed: int) -> None:
        """Check that so many acts are enough, for whom nothing was asked.

        Raises:
            GuardRefused: They are not.
        """
        if self.acts > agreed:
            raise GuardRefused(
                message=f"{self.over or f'This run would {self.does}'}, and "
                f"{agreed:,} were agreed to.",
                hint=f"{self.undone} Look at {self.look}, then agree to the number.",
            )

    def agreed_to(self, typed: str) -> int:
        """Give the number of acts, if just that was typed, or there is none.

        Raises:
            GuardRefused: It was not.
        """
        if self.acts and typed.strip() != str(self.acts):
            said = "Stopped: another number was typed."
            raise GuardRefused(message=said, hint=self.undone)
        return self.acts


def reach_of(
    kind: SheetKind, count: int, *, account: str = "", rows: Sequence[Entry] = ()
) -> Reach:
    """Describe the acts of a run for `count` rows of a kind."""
    words, one, many = kind.does
    return Reach(
        acts=count,
        does=words.format(count=counted(count, one, many)),
        undone=kind.undone,
        otherwise=f", or use {Given.DRAFTS_ONLY}" if kind.has_drafts else "",
        account=account,
        rows=rows,
    )
