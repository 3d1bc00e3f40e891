"""The table of acts: one entry for each kind of sheet."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from typing import Final


class Proven(Enum):
    """How a doubt about an act is settled."""

    READING = auto()
    """What is there tells whether it was done."""
    ENTRY = auto()
    """Something is there that was not before; else it was not done."""
    ONLY_SEEN = auto()
    """Something changed: it was done. Nothing did: nobody knows, and it is held."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ActLine:
    """One kind of sheet: what its rows name, and what is done with it."""

    word: str
    verb: str
    """What is done with the targets: "close"."""
    done: str
    """How a target is that it was done with: "closed"."""
    targets: tuple[str, str] = ("project", "projects")
    """The targets, one and many."""
    columns: tuple[str, ...]
    """Fields in their order, of which the first names the target. `*` ends a required
    one, and `+` one that has a column *Was*."""
    does: tuple[str, ...] = ()
    """What a row must choose from under *Do*; empty: the verb, or nothing."""
    whole: tuple[str, ...] = ()
    """Fields that a request must have, though only others are changed."""
    clears: tuple[str, ...] = ()
    """Fields that an emptied cell takes away."""
    reads: tuple[str, ...] = ("project",)
    """The parts of the service that tell what is so."""
    proof: Proven = Proven.READING
    is_for_iwi: bool = False
    """An iwi can do it as well as a team, or alone."""
    is_counted: bool = True
    """A person types the number of acts before they are done."""
    undone_by: str = ""
    """What puts it back, in words; empty: nothing does."""

    @property
    def one(self) -> str:
        """Name one row of it: "closure"."""
        return self.word.removesuffix("s")

    @property
    def needs(self) -> str:
        """Say what a key must be allowed to do: "close projects"."""
        return f"{self.verb} {self.targets[1]}"

    @property
    def fields(self) -> tuple[str, ...]:
        return tuple(each.rstrip("*+") for each in self.columns)

    @property
    def required(self) -> tuple[str, ...]:
        return tuple(each.rstrip("*+") for each in self.columns if "*" in each)

    @property
    def guarded(self) -> tuple[str, ...]:
        """Give the fields that have a column *Was*."""
        return tuple(each.rstrip("*+") for each in self.columns if each.endswith("+"))

    @property
    def target(self) -> str:
        return self.fields[0]

    @property
    def step(self) -> str:
        return self.word


TABLE: Final = (
    ActLine(
        word="closures",
        verb="close",
        done="closed",
        columns=("project*+", "do", "all", "message"),
        undone_by="a sheet of reopenings",
    ),
    ActLine(
        word="reopenings",
        verb="reopen",
        done="reopened",
        columns=("project*+", "do"),
        undone_by="a sheet of closures",
    ),
    ActLine(
        word="changes",
        verb="change",
        done="changed",
        columns=(
            *(
                "project*+",
                "name+",
                "description+",
                "new_reference+",
                "type+",
                "phase+",
            ),
            *("start_date+", "end_date+", "respond_by_date+"),
        ),
        undone_by="a sheet of changes with the values of before",
    ),
    ActLine(
        word="members",
        verb="change",
        done="changed",
        targets=("member", "members"),
        columns=(
            *("person*", "role+", "org_department+", "org_department_other+"),
            *("org_role+", "org_role_other+", "remove"),
        ),
        reads=("team",),
        undone_by="a sheet of members with the roles of before, but for removals",
    ),
    ActLine(
        word="resends",
        verb="resend",
        done="resent",
        targets=("invitation", "invitations"),
        columns=("person*+", "do"),
        does=("resend", "expire"),
        reads=("team",),
        proof=Proven.ONLY_SEEN,
    ),
    ActLine(
        word="assignments",
        verb="assign",
        done="assigned",
        columns=("project*+", "assignee+", "group+", "side"),
        whole=("assignee",),
        clears=("assignee", "group"),
        reads=("project", "team", "groups"),
        is_counted=False,
        undone_by="a sheet of assignments with those of before",
    ),
    ActLine(
        word="groups",
        verb="change",
        done="changed",
        targets=("group", "groups"),
        columns=(
            *("group*", "colour+", "group_description+", "members+", "new_name+"),
            "delete",
        ),
        reads=("groups", "team"),
        is_counted=False,
        undone_by="a sheet of groups, but for deletions",
    ),
    ActLine(
        word="organisations",
        verb="change",
        done="changed",
        targets=("organisation", "organisations"),
        columns=(
            *("organisation*", "new_name+", "address+", "city+", "country+"),
            *("postcode+", "email+", "phone+", "mobile+", "delete"),
        ),
        reads=("organisations",),
        undone_by="a sheet of organisations as they were, but for deletions",
    ),
    ActLine(
        word="notes",
        verb="write",
        done="written",
        targets=("note", "notes"),
        columns=("project*", "note", "meeting_type", "note_id", "delete"),
        reads=("project", "thread"),
        is_counted=False,
        undone_by="a sheet of notes with the words of before, but for deletions",
        is_for_iwi=True,
    ),
    ActLine(
        word="team",
        verb="rename",
        done="renamed",
        targets=("team", "teams"),
        columns=("new_name*+",),
        whole=("new_name",),
        reads=("team",),
        undone_by="a sheet with the name of before",
    ),
    ActLine(
        word="reports",
        verb="report on",
        done="asked for",
        columns=("project*+", "do", "all"),
        reads=("project", "reports"),
        proof=Proven.ONLY_SEEN,
    ),
    ActLine(
        word="completions",
        verb="complete",
        done="completed",
        columns=("project*+", "do", "message"),
        is_for_iwi=True,
    ),
    ActLine(
        word="responses",
        verb="send",
        done="sent",
        targets=("response", "responses"),
        columns=("project*", "message*", "files"),
        reads=("project", "thread"),
        proof=Proven.ENTRY,
        is_for_iwi=True,
    ),
)
