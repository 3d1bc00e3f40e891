"""The table of acts: one line of data for each kind of sheet."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from typing import Final


class Proof(Enum):
    """How a doubt about an act is settled."""

    READING = auto()
    """What is there tells whether it was done."""
    ENTRY = auto()
    """Something is there that was not before; else it was not done."""
    ONLY_SEEN = auto()
    """Something changed: it was done. Nothing did: nobody knows, and it is held."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """One kind of sheet: what its rows name, and what is done with it."""

    word: str
    one: str
    """One row of it: "closure"."""
    verb: str
    """What is done with the targets: "close"."""
    done: str
    """How a target is that it was done with: "closed"."""
    targets: tuple[str, str]
    """The targets, one and many: "project", "projects"."""
    columns: tuple[str, ...]
    """Fields in their order; `*` ends a required one. The first names the target."""
    reads: tuple[str, ...]
    """The parts of the service that tell what is so."""
    needs: str
    """What a key must be allowed to do: "close projects"."""
    proof: Proof = Proof.READING
    is_counted: bool = True
    """A person types the number of acts before they are done."""
    undone_by: str = ""
    """What puts it back, in words; empty: nothing does."""

    @property
    def target(self) -> str:
        return self.columns[0].rstrip("*")

    @property
    def step(self) -> str:
        return self.word


TABLE: Final = (
    Act(
        word="closures",
        one="closure",
        verb="close",
        done="closed",
        targets=("project", "projects"),
        columns=("project*", "all", "message", "occasion"),
        reads=("project",),
        needs="close projects",
        undone_by="a sheet of reopenings",
    ),
)
