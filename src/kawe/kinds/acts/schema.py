"""The columns of sheets of acts, the row schema of each kind, and the words of *Do*."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, Final

from kawe.domain.service.lists import code_words
from kawe.domain.text.new_zealand import iso_day, short_day_words
from kawe.domain.text.texts import one_line
from kawe.kinds.acts.table import CALLED, FETCHED, LINES, OCCASION, TARGETS, WAS, More
from kawe.schemas.catalog import own_columns, schema_from
from kawe_contract.enums import MeetingType
from kawe_contract.requests import PERSON_DETAILS


def column(hint: str, example: str, **words: object) -> dict[str, Any]:
    """Say what a column is, as `columns.json` does."""
    return {"hint": hint, "example": example, **words}


def _of(kind: str, *fields: str) -> dict[str, dict[str, Any]]:
    """Take columns of another kind of sheet, as they are understood there."""
    columns = own_columns(f"kawe.kinds.{kind}")["columns"]
    return {each: _taken(columns[each]) for each in fields}


def _taken(column: Mapping[str, Any]) -> dict[str, Any]:
    """Leave out what is said of a row that is to be sent, and names of targets."""
    said = {n: each for n, each in column.items() if n not in _LEFT}
    words = [each for each in _called(column) if each not in _NAMES]
    return {**said, "synonyms": words}


def _called(column: Mapping[str, Any]) -> tuple[str, ...]:
    """Give what people call a column of another kind of sheet."""
    return (*column["synonyms"], *chain(*column.get("seen", {}).values()))


_LEFT: Final = frozenset({"option", "reaches", "before", "seen", "against"})
_REFERENCE: Final = own_columns("kawe.kinds.projects")["columns"]["reference"]
_EMAIL: Final = own_columns("kawe.kinds.invitations")["columns"]["email"]
_NAMES: Final = (
    *("Project", "Projects", "Reference", *_called(_REFERENCE)),
    *("Project ID", "Project name", "Kaupapa", "Ingoa kaupapa"),
)
"""What people call the column that names a project."""
_OF_ORGANISATION: Final = {
    "address": ("1 Queen Street", "Street address"),
    "city": ("Thames", "Town"),
    "country": ("New Zealand",),
    "postcode": ("3500", "Post code", "Postal code"),
    "email": ("office@example.org.nz", "E-mail", "Email address"),
    "phone": ("07 868 0000", "Phone number", "Telephone"),
    "mobile": ("021 000 000", "Mobile number", "Mobile phone"),
}
"""What is known of one in a text, an example, and what people call it."""
COLUMNS: Final[Mapping[str, dict[str, Any]]] = {
    **_of("projects", "name", "description", "type", "phase"),
    **_of("projects", "start_date", "end_date", "respond_by_date", "files"),
    **_of("invitations", "role", *PERSON_DETAILS),
    "project": column(
        "Type the reference, the project ID or the exact name of one project.",
        "RC-2030-001",
        synonyms=list(_NAMES[1:]),
    ),
    "person": column(
        "Type the email address of the person.",
        "hemi.tuhoro@example.org.nz",
        kind="email",
        is_needed=True,
        synonyms=["Member", "Mema", "Email", *_called(_EMAIL)],
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
        synonyms=["For all", "All sides"],
    ),
    "message": column(
        "Type what the other side is to read.",
        "The works are finished. Thank you for your guidance.",
        kind="long-text",
        synonyms=["Response", "Our response", "Reply", "Our reply", "Karere", "Kupu"],
        words=["message", "response", "reply", "answer", "comment", "words", "karere"],
        reaches=True,
    ),
    "remove": column(
        "Choose Yes to take the person out of the team.",
        "No",
        kind="yes-no",
        synonyms=["Revoke", "Remove from team"],
    ),
    "delete": column(
        "Choose Yes to delete it; that cannot be undone.", "No", kind="yes-no"
    ),
    "new_reference": column(
        "Type the reference it is to have.", "RC-2030-002", synonyms=["New ref"]
    ),
    "do": column(
        "Choose what is to be done.",
        "resend",
        synonyms=["What to do", "Action", "Mahi"],
    ),
    "assignee": column(
        "Type the email address of the member; empty assigns it to nobody.",
        "hemi.tuhoro@example.org.nz",
        kind="email",
        title="Person",
        synonyms=["Assigned to", "Assignee", "Email", *_called(_EMAIL)],
    ),
    "group": column(
        "Type the name of the group, as the service has it.",
        "Consents",
        of="GroupBody/properties/name",
        synonyms=["Group name", "Rōpū"],
    ),
    "side": column(
        "Leave it empty for your own side of the project.",
        "Sender",
        kind="choice",
        of="AssignProjectBody/properties/side",
    ),
    "colour": column("Type the colour in hex form.", "#1b5e20", synonyms=["Color"]),
    "group_description": column(
        "Type what the group is for.",
        "Who looks after consents",
        title="Description",
        of="GroupBody/properties/description",
    ),
    "members": column(
        "Type the email addresses of all members, with ; between them.",
        "hemi.tuhoro@example.org.nz; aroha.pene@example.org.nz",
        kind="list",
        synonyms=["Group members", "People"],
    ),
    "new_name": column(
        "Type the name that it is to have.", "Consents", synonyms=["Rename to"]
    ),
    "organisation": column(
        "Type the name of the organisation, as the service has it.",
        "Kōpū Roading Ltd",
        synonyms=["Organization", "Organisation name", "Whakahaere"],
    ),
    **{
        each: column(
            f"Type its {each}.",
            said,
            kind="email" if each == "email" else "text",
            synonyms=others,
        )
        for each, (said, *others) in _OF_ORGANISATION.items()
    },
    "organisation_email": column("Type its email.", "office@example.nz", kind="email"),
    "note": column(
        "Type what your team is to remember; the other side never sees it.",
        "Ring Aroha before the site visit.",
        kind="long-text",
        synonyms=["Notes", "Tuhipoka"],
    ),
    "meeting_type": column(
        "Choose how you met.",
        "Phone call",
        kind="choice",
        is_needed=True,
        synonyms=["Type of meeting", "How we met"],
        aliases={
            MeetingType.PHONE_CALL: ["Phone", "Call", "Waea"],
            MeetingType.VIDEO_CALL: ["Video", "Online"],
            MeetingType.IN_PERSON: ["Face to face", "Meeting", "Hui", "Site visit"],
            MeetingType.EMAIL: ["E-mail", "Īmēra"],
            MeetingType.OTHER: ["Letter", "Text message"],
        },
        of="NoteBody/properties/meeting_type",
    ),
    "note_id": column(
        "Leave it empty for a new note; a fetched sheet has the IDs of yours.",
        "8f6f0f52-8f0e-4d5c-9a55-0d6f1b6f3c11",
        kind="identifier",
    ),
}


_GROUP_NAME: Final = {**COLUMNS["new_name"], "of": COLUMNS["group"]["of"]}


def quoted(field: str, value: str) -> str:
    """Quote a value in the words that people choose from; nothing is empty."""
    said, kind = COLUMNS[field], COLUMNS[field].get("kind")
    word = code_words(value) if kind == "choice" else value
    word = short_day_words(iso_day(value)) if kind == "date" and value else word
    word = said.get("labels", {}).get(value) or word
    return f"“{one_line(word, limit=80)}”" if value else "empty"


def moved(field: str, was: str, to: str) -> str:
    """Say from what to what an act changes a field."""
    return f"{quoted(field, was)} → {quoted(field, to)}."


def title_of(field: str) -> str:
    return str(COLUMNS[field].get("title") or code_words(field))


@dataclass(frozen=True, slots=True, kw_only=True)
class Word:
    """What one word under *Do* means."""

    kind: str
    more: More
    """What it says beside the cells."""
    others: tuple[str, ...]
    """What people call the same."""


def _words_of(table: str) -> Iterator[tuple[str, Word]]:
    """Read lines of word | kind | what it says besides | what people call it."""
    for line in table.strip().splitlines():
        word, kind, more, others = (each.strip() for each in line.split("|"))
        field, _, value = more.partition(" ")
        said = ((field, value or True),) if field else ()
        yield word, Word(kind=kind, more=said, others=tuple(others.split("; ")))


WORDS: Final[Mapping[str, Word]] = dict(
    _words_of("""
close               | closures      |           | Close project; Kati; Whakakapi
reopen              | reopenings    |           | Re-open; Open again; Whakatuwhera anō
change              | changes       |           | Change project; Update; Edit; Panoni
assign              | assignments   |           | Assign to; Allocate; Tautapa
note                | notes         |           | Write note; Add note; Tuhipoka
delete note         | notes         | delete    | Remove note
report              | reports       |           | Ask for report; Get report; Pūrongo
complete            | completions   |           | Complete project; Whakaoti
respond             | responses     |           | Answer; Reply; Send response; Whakautu
change role         | members       |           | Role
remove member       | members       | remove    | Remove; Revoke; Tango mema
resend              | resends       | do resend | Invite again; Send again; Tuku anō
expire              | resends       | do expire | Cancel invitation
change group        | groups        |           | Make group; New group; Update group
delete group        | groups        | delete    | Remove group
change organisation | organisations |           | Update organisation; Edit organisation
delete organisation | organisations | delete    | Remove organisation
rename team         | team          |           | Rename the team; Change team name
""")
)


def words_of(kind: str) -> Mapping[str, Word]:
    """Give what may stand under *Do* in a sheet of one kind, or of all."""
    return {n: each for n, each in WORDS.items() if kind in {"acts", each.kind}}


def _do(kind: str) -> dict[str, Any]:
    """Make the column *Do*: one chooses from its words."""
    words = words_of(kind)
    aliases = {word: each.others for word, each in words.items()}
    first = next(iter(words))
    is_needed = len(words) > 1
    if not is_needed and (verb := LINES[kind].verb) not in words:
        aliases[first] = (*aliases[first], verb)
    choice = {"kind": "choice", "choices": [*words], "aliases": aliases}
    return {**COLUMNS["do"], **choice, "example": first, "is_needed": is_needed}


def _guard(of: str) -> dict[str, Any]:
    """Make the column that says what a cell was when it was last seen."""
    title = title_of(of)
    hint = (
        f"Leave it as it is, or type what {title} was when you last saw it: "
        "where it has changed since, the row is held."
    )
    if of in TARGETS:
        return column(hint, "open", title="Was", is_fetched=True)
    gone, said = {"words", "parts", "like"}, COLUMNS[of].items()
    kept = {name: each for name, each in said if name not in gone}
    words = {"title": f"Was {title}", "hint": hint, "is_fetched": True}
    return {**kept, **words, "synonyms": [f"{title} before", f"Old {title}"]}


def schema_of(
    word: str, fields: Iterable[str], *, required: Sequence[str], guarded: Iterable[str]
) -> dict[str, Any]:
    """Make the row schema of a kind; what only a fetched sheet has comes last."""
    names = (*fields, OCCASION, CALLED)
    columns = {
        **{each: COLUMNS[each] for each in names},
        **({"do": _do(word)} if "do" in names else {}),
        **({"new_name": _GROUP_NAME} if word == "groups" else {}),
        **{f"{WAS}{each}": _guard(each) for each in guarded},
        FETCHED: COLUMNS[FETCHED],
    }
    return schema_from(word, {"required": required, "columns": columns})
