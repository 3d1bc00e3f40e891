"""The table of acts, one entry for each kind of sheet."""

from dataclasses import dataclass
from enum import Enum, auto
from typing import Any, Final, TypeAlias


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
    columns: str
    """Fields in their order, of which the first names the target. `*` ends a required
    one, and `+` one that has a column *Was*."""
    whole: tuple[str, ...] = ()
    """Fields that a request must have, though only others are changed."""
    clears: tuple[str, ...] = ()
    """Fields that an emptied cell takes away."""
    reads: tuple[str, ...] = ("project",)
    """The parts of the service that tell what is so."""
    proof: Proven = Proven.READING
    is_for_iwi: bool = False
    """An iwi can do it as well as a team, or alone."""
    costs: str = ""
    """What it may take of the tokens, in a sentence."""
    adds: bool = False
    """Each row adds something; else it says how its target is to be."""
    is_counted: bool = True
    """A person types the number of acts before they are done."""
    lists: str = ""
    """How the projects stand that a fetched sheet has; empty: any."""
    undone_as: str = ""
    """The word of the kind whose rows put it back; empty: nothing does."""

    @property
    def one(self) -> str:
        """Name one row of it: "closure"."""
        return self.word.removesuffix("s")

    @property
    def needs(self) -> str:
        """Say what a key must be allowed to do: "close projects"."""
        return f"{self.verb} {self.targets[1]}"

    def marked(self, sign: str) -> tuple[str, ...]:
        return tuple(e.rstrip("*+") for e in self.columns.split() if sign in e)

    @property
    def fields(self) -> tuple[str, ...]:
        return self.marked("")

    @property
    def guarded(self) -> tuple[str, ...]:
        """Give the fields that have a column *Was*."""
        return self.marked("+")

    @property
    def target(self) -> str:
        return self.fields[0]


TABLE: Final = (
    ActLine(
        word="closures",
        verb="close",
        done="closed",
        columns="project*+ do all message",
        lists="open",
        undone_as="reopenings",
    ),
    ActLine(
        word="reopenings",
        verb="reopen",
        done="reopened",
        columns="project*+ do",
        lists="closed",
        undone_as="closures",
    ),
    ActLine(
        word="changes",
        verb="change",
        done="changed",
        columns="project*+ name+ description+ new_reference+ type+ phase+ "
        "start_date+ end_date+ respond_by_date+",
        undone_as="changes",
    ),
    ActLine(
        word="members",
        verb="change or remove",
        done="changed or removed",
        targets=("member", "members"),
        columns="person* role+ org_department+ org_department_other+ org_role+ "
        "org_role_other+ remove",
        reads=("team",),
        undone_as="members",
    ),
    ActLine(
        word="resends",
        verb="resend or end",
        done="resent or ended",
        targets=("invitation", "invitations"),
        columns="person*+ do",
        reads=("team",),
        proof=Proven.ONLY_SEEN,
    ),
    ActLine(
        word="assignments",
        verb="assign",
        done="assigned",
        columns="project*+ assignee+ group+ side",
        whole=("assignee",),
        clears=("assignee", "group"),
        reads=("project", "team", "groups"),
        is_counted=False,
        undone_as="assignments",
        is_for_iwi=True,
    ),
    ActLine(
        word="groups",
        verb="change or delete",
        done="changed or deleted",
        targets=("group", "groups"),
        columns="group* colour+ group_description+ members+ new_name+ delete",
        reads=("groups", "team"),
        is_counted=False,
        undone_as="groups",
        is_for_iwi=True,
    ),
    ActLine(
        word="organisations",
        verb="change or delete",
        done="changed or deleted",
        targets=("organisation", "organisations"),
        columns="organisation* new_name+ address+ city+ country+ postcode+ email+ "
        "phone+ mobile+ delete",
        reads=("organisations",),
        undone_as="organisations",
    ),
    ActLine(
        word="notes",
        verb="write or delete",
        done="written or deleted",
        targets=("note", "notes"),
        columns="project* note+ meeting_type+ note_id delete",
        whole=("note", "meeting_type"),
        reads=("project", "thread"),
        adds=True,
        is_counted=False,
        undone_as="notes",
        is_for_iwi=True,
    ),
    ActLine(
        word="team",
        verb="rename",
        done="renamed",
        targets=("team", "teams"),
        columns="new_name*+",
        whole=("new_name",),
        reads=("team",),
        undone_as="team",
    ),
    ActLine(
        word="reports",
        verb="report on",
        done="asked for",
        columns="project*+ do all",
        lists="open closed complete",
        reads=("project", "reports"),
        costs="A report may use a token. One that somebody asked for just now may not "
        "be listed yet, and is asked for again.",
        adds=True,
        proof=Proven.ONLY_SEEN,
    ),
    ActLine(
        word="completions",
        verb="complete",
        done="completed",
        columns="project*+ do message",
        lists="open",
        is_for_iwi=True,
    ),
    ActLine(
        word="responses",
        verb="send",
        done="sent",
        targets=("response", "responses"),
        columns="project* message* files",
        costs="Your team's first response to a project is free, the second uses a "
        "token, and so on in turn.",
        reads=("project", "thread"),
        adds=True,
        proof=Proven.ENTRY,
        is_for_iwi=True,
    ),
)
LINES: Final = {each.word: each for each in TABLE}
More: TypeAlias = tuple[tuple[str, Any], ...]
"""What a row says beside its cells."""
WAS: Final = "was_"
"""The beginning of a field that guards another one."""
OCCASION: Final = "occasion"
"""Every sheet has it: what was done before may be done once more."""
AGAIN: Final = "To do it once more, type a word such as the month under Occasion."
BEHIND_FAILED: Final = (
    "A row before it, about the same, was held or refused. Decide about that one first."
)
CALLED: Final = "called"
"""What the target of a fetched row is called; nothing goes by it."""
FETCHED: Final = "fetched"
"""When a row was fetched; its guards, empty ones too, say what was so then."""
TARGETS: Final = frozenset({"project", "person"})
"""What names a target, and is not changed itself: its guard is how that stood."""
WHICH: Final = ("note_id", "side")
"""Fields that say of which of several things of a target a row speaks."""
