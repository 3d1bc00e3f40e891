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
    Act(
        word="reopenings",
        one="reopening",
        verb="reopen",
        done="reopened",
        targets=("project", "projects"),
        columns=("project*", "occasion"),
        reads=("project",),
        needs="reopen projects",
        undone_by="a sheet of closures",
    ),
    Act(
        word="changes",
        one="change",
        verb="change",
        done="changed",
        targets=("project", "projects"),
        columns=(
            "project*",
            "name",
            "description",
            "new_reference",
            "type",
            "phase",
            "start_date",
            "end_date",
            "respond_by_date",
            "was_name",
            "occasion",
        ),
        reads=("project",),
        needs="change projects",
        undone_by="a sheet of changes with the values of before",
    ),
    Act(
        word="members",
        one="change",
        verb="change",
        done="changed",
        targets=("member", "members"),
        columns=(
            "person*",
            "role",
            "org_department",
            "org_department_other",
            "org_role",
            "org_role_other",
            "remove",
            "was_role",
            "occasion",
        ),
        reads=("team",),
        needs="change the team",
        undone_by="a sheet of members with the roles of before, but for removals",
    ),
    Act(
        word="resends",
        one="resend",
        verb="resend",
        done="resent",
        targets=("invitation", "invitations"),
        columns=("person*", "do*", "occasion"),
        reads=("team",),
        needs="resend invitations",
        proof=Proof.ONLY_SEEN,
    ),
    Act(
        word="assignments",
        one="assignment",
        verb="assign",
        done="assigned",
        targets=("project", "projects"),
        columns=("project*", "assignee", "group", "side", "occasion"),
        reads=("project", "team", "groups"),
        needs="assign projects",
        is_counted=False,
        undone_by="a sheet of assignments with those of before",
    ),
    Act(
        word="groups",
        one="group",
        verb="change",
        done="changed",
        targets=("group", "groups"),
        columns=(
            "group*",
            "colour",
            "group_description",
            "members",
            "new_name",
            "was_members",
            "delete",
            "occasion",
        ),
        reads=("groups", "team"),
        needs="change groups",
        is_counted=False,
        undone_by="a sheet of groups, but for deletions",
    ),
    Act(
        word="organisations",
        one="organisation",
        verb="change",
        done="changed",
        targets=("organisation", "organisations"),
        columns=(
            "organisation*",
            "new_name",
            "address",
            "city",
            "country",
            "postcode",
            "email",
            "phone",
            "mobile",
            "delete",
            "occasion",
        ),
        reads=("organisations",),
        needs="change organisations",
        undone_by="a sheet of organisations as they were, but for deletions",
    ),
    Act(
        word="notes",
        one="note",
        verb="write",
        done="written",
        targets=("note", "notes"),
        columns=("project*", "note", "meeting_type", "note_id", "delete", "occasion"),
        reads=("project", "thread"),
        needs="write notes",
        is_counted=False,
        undone_by="a sheet of notes with the words of before, but for deletions",
    ),
    Act(
        word="team",
        one="name",
        verb="rename",
        done="renamed",
        targets=("team", "teams"),
        columns=("new_name*", "was_new_name", "occasion"),
        reads=("team",),
        needs="rename the team",
        undone_by="a sheet with the name of before",
    ),
    Act(
        word="reports",
        one="report",
        verb="report on",
        done="asked for",
        targets=("project", "projects"),
        columns=("project*", "all", "occasion"),
        reads=("project", "reports"),
        needs="ask for reports",
        proof=Proof.ONLY_SEEN,
    ),
    Act(
        word="completions",
        one="completion",
        verb="complete",
        done="completed",
        targets=("project", "projects"),
        columns=("project*", "message", "occasion"),
        reads=("project",),
        needs="complete projects",
    ),
    Act(
        word="responses",
        one="response",
        verb="send",
        done="sent",
        targets=("response", "responses"),
        columns=("project*", "message*", "occasion"),
        reads=("project", "thread"),
        needs="respond on projects",
        proof=Proof.ENTRY,
    ),
)
