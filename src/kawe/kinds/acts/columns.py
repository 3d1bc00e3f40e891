"""The columns that sheets of acts have, by field; a kind of acts names some of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

_TEXT: Final[Mapping[str, Any]] = {"type": "string", "minLength": 1}
_SHAPES: Final[Mapping[str, Mapping[str, Any]]] = {
    "date": {"$ref": "urn:kawe:contract#/$defs/UpdateProjectBody/properties/end_date"},
    "yes-no": {"type": "boolean"},
    "list": {"type": "array", "items": {"type": "string", "minLength": 1}},
}
WAS: Final = "was_"
"""The beginning of a field that guards another one."""
OCCASION: Final = "occasion"
"""Ends every sheet: what was done before may be done once more."""


def _column(
    title: str, hint: str, example: str, *, kind: str = "text", **words: object
) -> dict[str, Any]:
    """Make the rules of a column, as a row schema has them."""
    said = {"title": title, "kind": kind, "hint": hint, "example": example}
    more = {"synonyms": [], "width": 24, **words}
    return {**_SHAPES.get(kind, _TEXT), "x-kawe": {**said, **more}}


def _choice(
    title: str, hint: str, example: str, *, of: str, **words: object
) -> dict[str, Any]:
    """Make a column of choices; `of` is the part of the contract that has them."""
    body, _, name = of.partition(".")
    cited = {"$ref": f"urn:kawe:contract#/$defs/{body}/properties/{name}"}
    column = _column(title, hint, example, kind="choice", **words)
    return {**cited, "x-kawe": column["x-kawe"]}


_READ: Final[Mapping[str, dict[str, Any]]] = {
    "project": _column(
        "Project",
        "Type the reference, the project ID or the exact name of one project.",
        "RC-2030-001",
        synonyms=["Reference", "Project reference", "Project ID", "Project name"],
    ),
    "person": _column(
        "Person",
        "Type the email address of the person.",
        "hemi.tuhoro@example.org.nz",
        kind="email",
        synonyms=["Email", "E-mail", "Email address", "Member"],
        width=34,
    ),
    "occasion": _column(
        "Occasion",
        "Leave it empty. Type a word, such as the month, where the same was done "
        "before and is to be done once more.",
        "March 2030",
        synonyms=["Round"],
    ),
    "all": _column(
        "All",
        "Choose Yes to close it for all sides of the project; empty means No.",
        "No",
        kind="yes-no",
        synonyms=["For all"],
        width=10,
    ),
    "message": _column(
        "Message",
        "Type what the other side is to read.",
        "The works are finished. Thank you for your guidance.",
        kind="long-text",
        synonyms=["Response", "Reply", "Closing message"],
        width=60,
    ),
    "remove": _column(
        "Remove",
        "Choose Yes to take the person out of the team.",
        "No",
        kind="yes-no",
        synonyms=["Revoke"],
        width=10,
    ),
    "delete": _column(
        "Delete",
        "Choose Yes to delete it; that cannot be undone.",
        "No",
        kind="yes-no",
        width=10,
    ),
    "name": _column(
        "Name", "Type the new name of the project.", "Kōpū culvert", width=32
    ),
    "description": _column(
        "Description",
        "Type what it is about, in whole.",
        "A culvert under Kōpū Road is replaced.",
        kind="long-text",
        width=60,
    ),
    "new_reference": _column(
        "New reference", "Type the reference it is to have.", "RC-2030-002"
    ),
    "type": _choice(
        "Type",
        "Choose the type that it is to have.",
        "Earthworks",
        of="UpdateProjectBody.type",
    ),
    "phase": _choice(
        "Phase",
        "Choose the phase that it is to have.",
        "Works underway",
        of="UpdateProjectBody.phase",
    ),
    "start_date": _column(
        "Start date",
        "Type the day that it is to have.",
        "01/03/2030",
        kind="date",
    ),
    "end_date": _column(
        "End date", "Type the day that it is to have.", "30/09/2030", kind="date"
    ),
    "respond_by_date": _column(
        "Respond by",
        "Type the day that it is to have.",
        "01/04/2030",
        kind="date",
    ),
    "role": _choice(
        "Role",
        "Choose what the person may do in the team.",
        "Member",
        of="TeamRoleBody.role",
        width=12,
    ),
    "org_department": _column(
        "Org department", "Type the department of the person.", "Resource consents"
    ),
    "org_department_other": _column(
        "Org department other", "Type a department that no list has.", "Catchments"
    ),
    "org_role": _column(
        "Org role", "Type what the person does in your organisation.", "Planner"
    ),
    "org_role_other": _column(
        "Org role other",
        "Type it in your own words, where no list has it.",
        "Stream restoration lead",
    ),
    "do": _column(
        "Do",
        "Type resend to send the invitation again, or expire to end it.",
        "resend",
        synonyms=["Action"],
        width=12,
    ),
    "assignee": _column(
        "Person",
        "Type the email address of the member; empty assigns it to nobody.",
        "hemi.tuhoro@example.org.nz",
        kind="email",
        synonyms=["Assigned to", "Email"],
        width=34,
    ),
    "group": _column(
        "Group", "Type the name of the group, as the service has it.", "Consents"
    ),
    "side": _choice(
        "Side",
        "Leave it empty for your own side of the project.",
        "Sender",
        of="AssignProjectBody.side",
        width=12,
    ),
    "colour": _column("Colour", "Type the colour in hex form.", "#1b5e20", width=12),
    "group_description": _column(
        "Description", "Type what the group is for.", "Who looks after consents"
    ),
    "members": _column(
        "Members",
        "Type the email addresses of all members, with ; between them.",
        "hemi.tuhoro@example.org.nz; aroha.pene@example.org.nz",
        kind="list",
        width=60,
    ),
    "new_name": _column("New name", "Type the name that it is to have.", "Consents"),
    "organisation": _column(
        "Organisation",
        "Type the name of the organisation, as the service has it.",
        "Kōpū Roading Ltd",
        width=32,
    ),
    "address": _column(
        "Address", "Type the address of the organisation.", "1 Queen Street"
    ),
    "city": _column("City", "Type the city of the organisation.", "Thames"),
    "country": _column(
        "Country", "Type the country of the organisation.", "New Zealand"
    ),
    "postcode": _column("Postcode", "Type the postcode of the organisation.", "3500"),
    "email": _column(
        "Email", "Type the email of the organisation.", "office@example.org.nz"
    ),
    "phone": _column("Phone", "Type the phone of the organisation.", "07 868 0000"),
    "mobile": _column("Mobile", "Type the mobile of the organisation.", "021 000 000"),
    "note": _column(
        "Note",
        "Type what your team is to remember; the other side never sees it.",
        "Ring Aroha before the site visit.",
        kind="long-text",
        width=60,
    ),
    "meeting_type": _choice(
        "Meeting type",
        "Choose how you met.",
        "Phone call",
        of="NoteBody.meeting_type",
    ),
    "note_id": _column(
        "Note id",
        "Leave it empty for a new note. To change or delete one of yours, give the ID "
        "that the list of notes has.",
        "8f6f0f52-8f0e-4d5c-9a55-0d6f1b6f3c11",
        kind="identifier",
        width=38,
    ),
}
_GUARDED: Final = ("name", "role", "members", "new_name")


def _guard(of: str) -> dict[str, Any]:
    """Make the column that says what a cell was when it was last seen."""
    title, example = (_READ[of]["x-kawe"][each] for each in ("title", "example"))
    hint = (
        f"Leave it empty, or type {title} as you last saw it: where it has changed "
        "since, the row is held."
    )
    return _column(
        f"Was {title}", hint, example, synonyms=[f"{title} before", f"Old {title}"]
    )


COLUMNS: Final[Mapping[str, dict[str, Any]]] = {
    **_READ,
    **{f"{WAS}{each}": _guard(each) for each in _GUARDED},
}


def schema_of(word: str, wanted: Iterable[str]) -> dict[str, Any]:
    """Make the row schema of a kind; `*` ends the field of a required column."""
    fields = [*wanted, OCCASION]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:kawe:row:{word}",
        "title": f"One row of a sheet of {word}, as read",
        "x-kawe": {"sources": {}},
        "type": "object",
        "required": [each[:-1] for each in fields if each.endswith("*")],
        "properties": {each: COLUMNS[each] for each in (f.rstrip("*") for f in fields)},
    }
