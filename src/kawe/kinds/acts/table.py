"""The table of acts: one line of data for each kind of sheet."""

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
    proof: Proven
    is_counted: bool
    """A person types the number of acts before they are done."""
    undone_by: str
    """What puts it back, in words; empty: nothing does."""

    @property
    def target(self) -> str:
        return self.columns[0].rstrip("*")

    @property
    def step(self) -> str:
        return self.word


# The columns of the table are the fields of `ActLine`, in their order.
_LINES: Final = """
closures | closure | close | closed | project, projects | project* all message
  occasion | project | close projects | reading | yes | a sheet of reopenings
reopenings | reopening | reopen | reopened | project, projects | project* occasion |
  project | reopen projects | reading | yes | a sheet of closures
changes | change | change | changed | project, projects | project* name description
  new_reference type phase start_date end_date respond_by_date was_name occasion |
  project | change projects | reading | yes | a sheet of changes with the values of
  before
members | change | change | changed | member, members | person* role org_department
  org_department_other org_role org_role_other remove was_role occasion | team |
  change the team | reading | yes | a sheet of members with the roles of before, but
  for removals
resends | resend | resend | resent | invitation, invitations | person* do* occasion |
  team | resend invitations | only_seen | yes |
assignments | assignment | assign | assigned | project, projects | project* assignee
  group side occasion | project team groups | assign projects | reading | no | a sheet
  of assignments with those of before
groups | group | change | changed | group, groups | group* colour group_description
  members new_name was_members delete occasion | groups team | change groups | reading
  | no | a sheet of groups, but for deletions
organisations | organisation | change | changed | organisation, organisations |
  organisation* new_name address city country postcode email phone mobile delete
  occasion | organisations | change organisations | reading | yes | a sheet of
  organisations as they were, but for deletions
notes | note | write | written | note, notes | project* note meeting_type note_id
  delete occasion | project thread | write notes | reading | no | a sheet of notes
  with the words of before, but for deletions
team | name | rename | renamed | team, teams | new_name* was_new_name occasion | team
  | rename the team | reading | yes | a sheet with the name of before
reports | report | report on | asked for | project, projects | project* all occasion |
  project reports | ask for reports | only_seen | yes |
completions | completion | complete | completed | project, projects | project* message
  occasion | project | complete projects | reading | yes |
responses | response | send | sent | response, responses | project* message* occasion
  | project thread | respond on projects | entry | yes |
"""


def _read(line: str) -> ActLine:
    cells = [cell.strip() for cell in line.split("|")]
    word, one, verb, done, targets, columns, reads, needs, proof, counted, undone = (
        cells
    )
    single, _, many = targets.partition(", ")
    return ActLine(
        word=word,
        one=one,
        verb=verb,
        done=done,
        targets=(single, many),
        columns=tuple(columns.split()),
        reads=tuple(reads.split()),
        needs=needs,
        proof=Proven[proof.upper()],
        is_counted=counted == "yes",
        undone_by=undone,
    )


TABLE: Final = tuple(map(_read, _LINES.strip().replace("\n  ", " ").splitlines()))
