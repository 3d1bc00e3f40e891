"""The table of acts, one entry for each kind of sheet, and the columns they have."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, auto
from importlib import resources
from itertools import chain
from typing import Any, Final, TypeAlias

from kawe.schemas.catalog import label_of
from kawe_contract.requests import PERSON_DETAILS


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

    @property
    def fields(self) -> tuple[str, ...]:
        return tuple(each.rstrip("*+") for each in self.columns.split())

    @property
    def required(self) -> tuple[str, ...]:
        return tuple(each.rstrip("*+") for each in self.columns.split() if "*" in each)

    @property
    def guarded(self) -> tuple[str, ...]:
        """Give the fields that have a column *Was*."""
        columns = self.columns.split()
        return tuple(each.rstrip("*+") for each in columns if each.endswith("+"))

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
        verb="change",
        done="changed",
        targets=("member", "members"),
        columns="person* role+ org_department+ org_department_other+ org_role+ "
        "org_role_other+ remove",
        reads=("team",),
        undone_as="members",
    ),
    ActLine(
        word="resends",
        verb="resend",
        done="resent",
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
        verb="change",
        done="changed",
        targets=("group", "groups"),
        columns="group* colour+ group_description+ members+ new_name+ delete",
        reads=("groups", "team"),
        is_counted=False,
        undone_as="groups",
        is_for_iwi=True,
    ),
    ActLine(
        word="organisations",
        verb="change",
        done="changed",
        targets=("organisation", "organisations"),
        columns="organisation* new_name+ address+ city+ country+ postcode+ email+ "
        "phone+ mobile+ delete",
        reads=("organisations",),
        undone_as="organisations",
    ),
    ActLine(
        word="notes",
        verb="write",
        done="written",
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
        costs="A report may use a token.",
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


_TEXT: Final[Mapping[str, Any]] = {"type": "string", "minLength": 1}
_SHAPES: Final[Mapping[str, Mapping[str, Any]]] = {
    "yes-no": {"type": "boolean"},
    "list": {"type": "array", "items": {"type": "string", "minLength": 1}},
}
WAS: Final = "was_"
"""The beginning of a field that guards another one."""
OCCASION: Final = "occasion"
"""Every sheet has it: what was done before may be done once more."""
CALLED: Final = "called"
"""What the target of a fetched row is called; nothing goes by it."""
FETCHED: Final = "fetched"
"""When a row was fetched; its guards, empty ones too, say what was so then."""
TARGETS: Final = frozenset({"project", "person"})
"""What names a target, and is not changed itself: its guard is how that stood."""
WHICH: Final = ("note_id", "side")
"""Fields that say of which of several things of a target a row speaks."""


def column(
    hint: str, example: str, *, kind: str = "text", of: str = "", **words: object
) -> dict[str, Any]:
    """Say what a column is, as a row schema does, with the rules of its cells.

    `of` is the part of the contract that has them.
    """
    cited = {"$ref": f"urn:kawe:contract#/$defs/{of}"} if of else None
    rules = cited or _SHAPES.get(kind, _TEXT)
    return {"rules": rules, "kind": kind, "hint": hint, "example": example, **words}


def _of(kind: str, *fields: str) -> dict[str, dict[str, Any]]:
    """Take columns of another kind of sheet, as they are understood there."""
    place = resources.files("kawe.kinds").joinpath(kind, "row.schema.json")
    schema = json.loads(place.read_text(encoding="utf-8"))
    rules, columns = schema["properties"], schema["x-kawe"]["columns"]
    return {each: {"rules": rules[each], **_taken(columns[each])} for each in fields}


def _taken(column: Mapping[str, Any]) -> dict[str, Any]:
    """Leave out what is said of a row that is to be sent, and names of targets."""
    said = {n: each for n, each in column.items() if n not in _LEFT}
    words = (*said["synonyms"], *chain(*column.get("seen", {}).values()))
    return {**said, "synonyms": [each for each in words if each not in _NAMES]}


_LEFT: Final = frozenset({"option", "reaches", "before", "seen", "against"})
_NAMES: Final = (
    "Project",
    "Reference",
    "Project reference",
    "Project ID",
    "Project name",
    "Kaupapa",
    "Ingoa kaupapa",
)
"""What people call the column that names a project."""
_OF_ORGANISATION: Final = {
    "address": "1 Queen Street",
    "city": "Thames",
    "country": "New Zealand",
    "postcode": "3500",
    "email": "office@example.org.nz",
    "phone": "07 868 0000",
    "mobile": "021 000 000",
}
"""What is known of one in a text, and an example."""
COLUMNS: Final[Mapping[str, dict[str, Any]]] = {
    **_of("projects", "name", "description", "type", "phase"),
    **_of("projects", "start_date", "end_date", "respond_by_date", "files"),
    **_of("invitations", "role", *PERSON_DETAILS),
    "project": column(
        "Type the reference, the project ID or the exact name of one project.",
        "RC-2030-001",
        synonyms=[*_NAMES[1:], "Tohutoro"],
    ),
    "person": column(
        "Type the email address of the person.",
        "hemi.tuhoro@example.org.nz",
        kind="email",
        synonyms=["Email", "E-mail", "Email address", "Member", "Īmēra", "Mema"],
    ),
    "occasion": column(
        "Leave it empty. Type a word, such as the month, where the same was done "
        "before and is to be done once more.",
        "March 2030",
        synonyms=["Round"],
    ),
    CALLED: column(
        "Leave it as it is: it says what the row is about, and kawe does not go by it.",
        "Kōpū culvert",
        is_fetched=True,
    ),
    FETCHED: column(
        "Leave it as it is: it says when kawe fetched the row.",
        "2030-03-01 09:30",
        is_fetched=True,
    ),
    "all": column(
        "Choose Yes to close it for all sides of the project; empty means No.",
        "No",
        kind="yes-no",
        synonyms=["For all"],
    ),
    "message": column(
        "Type what the other side is to read.",
        "The works are finished. Thank you for your guidance.",
        kind="long-text",
        synonyms=["Response", "Reply", "Closing message", "Karere", "Kupu"],
    ),
    "remove": column(
        "Choose Yes to take the person out of the team.",
        "No",
        kind="yes-no",
        synonyms=["Revoke"],
    ),
    "delete": column(
        "Choose Yes to delete it; that cannot be undone.", "No", kind="yes-no"
    ),
    "new_reference": column("Type the reference it is to have.", "RC-2030-002"),
    "do": column("Choose what is to be done.", "resend", synonyms=["Action", "Mahi"]),
    "assignee": column(
        "Type the email address of the member; empty assigns it to nobody.",
        "hemi.tuhoro@example.org.nz",
        kind="email",
        title="Person",
        synonyms=["Assigned to", "Email"],
    ),
    "group": column(
        "Type the name of the group, as the service has it.",
        "Consents",
        synonyms=["Rōpū"],
    ),
    "side": column(
        "Leave it empty for your own side of the project.",
        "Sender",
        kind="choice",
        of="AssignProjectBody/properties/side",
    ),
    "colour": column("Type the colour in hex form.", "#1b5e20"),
    "group_description": column(
        "Type what the group is for.", "Who looks after consents", title="Description"
    ),
    "members": column(
        "Type the email addresses of all members, with ; between them.",
        "hemi.tuhoro@example.org.nz; aroha.pene@example.org.nz",
        kind="list",
    ),
    "new_name": column("Type the name that it is to have.", "Consents"),
    "organisation": column(
        "Type the name of the organisation, as the service has it.",
        "Kōpū Roading Ltd",
        synonyms=["Whakahaere"],
    ),
    **{
        each: column(
            f"Type its {each}.", said, kind="email" if each == "email" else "text"
        )
        for each, said in _OF_ORGANISATION.items()
    },
    "organisation_email": column("Type its email.", "office@example.nz", kind="email"),
    "note": column(
        "Type what your team is to remember; the other side never sees it.",
        "Ring Aroha before the site visit.",
        kind="long-text",
        synonyms=["Tuhipoka"],
    ),
    "meeting_type": column(
        "Choose how you met.",
        "Phone call",
        kind="choice",
        of="NoteBody/properties/meeting_type",
    ),
    "note_id": column(
        "Leave it empty for a new note; a fetched sheet has the IDs of yours.",
        "8f6f0f52-8f0e-4d5c-9a55-0d6f1b6f3c11",
        kind="identifier",
    ),
}


def word_of(field: str, value: str) -> str:
    """Give a value in the words that people choose from."""
    said = COLUMNS[field]
    is_chosen = said.get("kind") == "choice" and value
    return said.get("labels", {}).get(value) or (
        label_of(value) if is_chosen else value
    )


def title_of(field: str) -> str:
    return str(COLUMNS[field].get("title") or label_of(field))
