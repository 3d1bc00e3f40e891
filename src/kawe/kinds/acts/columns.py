"""The columns that sheets of acts have, by field; a kind of acts names some of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from kawe.kinds.acts.content import OCCASION
from kawe_contract.requests import ORGANISATION_TEXTS

_SHAPES: Final[Mapping[str, Mapping[str, Any]]] = {
    "date": {"$ref": "urn:kawe:contract#/$defs/UpdateProjectBody/properties/end_date"},
    "yes-no": {"type": "boolean"},
    "list": {"type": "array", "items": {"type": "string", "minLength": 1}},
}
_TEXT: Final[Mapping[str, Any]] = {"type": "string", "minLength": 1}
WAS: Final = "was_"
"""The beginning of a field that guards another one."""


def _column(
    title: str,
    hint: str,
    example: str,
    *synonyms: str,
    kind: str = "text",
    of: str = "",
    width: int = 24,
) -> dict[str, Any]:
    """Make the schema of a column; `of` is a part of the contract that it cites."""
    shape = _SHAPES.get(kind, _TEXT)
    if of:
        shape = {"$ref": f"urn:kawe:contract#/$defs/{of}"}
    seen = {"title": title, "kind": kind, "hint": hint, "example": example}
    return {
        **shape,
        "x-kawe": {**seen, "synonyms": [*synonyms], "width": width},
    }


def _guard(title: str, example: str) -> dict[str, Any]:
    return _column(
        f"Was {title}",
        f"Leave it empty, or type {title} as you last saw it: where it has changed "
        "since, the row is held.",
        example,
        f"{title} before",
        f"Old {title}",
    )


def _day(title: str, example: str) -> dict[str, Any]:
    return _column(title, f"Type the {title} that it is to have.", example, kind="date")


def _detail(name: str) -> dict[str, Any]:
    hint = f"Type the {name} of the organisation."
    return _column(name.capitalize(), hint, _EXAMPLES[name])


_EXAMPLES: Final = {
    "address": "1 Queen Street",
    "city": "Thames",
    "country": "New Zealand",
    "postcode": "3500",
    "email": "office@example.org.nz",
    "phone": "07 868 0000",
    "mobile": "021 000 000",
}
COLUMNS: Final[Mapping[str, dict[str, Any]]] = {
    "project": _column(
        "Project",
        "Type the reference, the project ID or the exact name of one project.",
        "RC-2030-001",
        *("Reference", "Project reference", "Project ID", "Project name"),
    ),
    "person": _column(
        "Person",
        "Type the email address of the person.",
        "hemi.tuhoro@example.org.nz",
        *("Email", "E-mail", "Email address", "Member"),
        kind="email",
        width=34,
    ),
    OCCASION: _column(
        "Occasion",
        "Leave it empty. Type a word, such as the month, where the same was done "
        "before and is to be done once more.",
        "March 2030",
        "Round",
    ),
    "all": _column(
        "All",
        "Choose Yes to close it for all sides of the project; empty means No.",
        "No",
        "For all",
        kind="yes-no",
        width=10,
    ),
    "message": _column(
        "Message",
        "Type what the other side is to read.",
        "The works are finished. Thank you for your guidance.",
        *("Response", "Reply", "Closing message"),
        kind="long-text",
        width=60,
    ),
    "remove": _column(
        "Remove",
        "Choose Yes to take the person out of the team.",
        "No",
        "Revoke",
        kind="yes-no",
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
    "type": _column(
        "Type",
        "Choose the type that it is to have.",
        "Earthworks",
        kind="choice",
        of="UpdateProjectBody/properties/type",
    ),
    "phase": _column(
        "Phase",
        "Choose the phase that it is to have.",
        "Works underway",
        kind="choice",
        of="UpdateProjectBody/properties/phase",
    ),
    "start_date": _day("Start date", "01/03/2030"),
    "end_date": _day("End date", "30/09/2030"),
    "respond_by_date": _day("Respond by", "01/04/2030"),
    "was_name": _guard("Name", "Kōpū culvert"),
    "role": _column(
        "Role",
        "Choose what the person may do in the team.",
        "Member",
        kind="choice",
        of="TeamRoleBody/properties/role",
        width=12,
    ),
    "org_department": _column(
        "Org department", "Type the department of the person.", "Resource consents"
    ),
    "org_department_other": _column(
        "Org department other", "Type a department that no list has.", "Catchments"
    ),
    "org_role": _column("Org role", "Type the job of the person.", "Planner"),
    "org_role_other": _column(
        "Org role other", "Type a job that no list has.", "Stream restoration lead"
    ),
    "was_role": _guard("Role", "MEMBER"),
    "do": _column(
        "Do",
        "Type resend to send the invitation again, or expire to end it.",
        "resend",
        "Action",
        width=12,
    ),
    "assignee": _column(
        "Person",
        "Type the email address of the member; empty assigns it to nobody.",
        "hemi.tuhoro@example.org.nz",
        *("Assigned to", "Email"),
        kind="email",
        width=34,
    ),
    "group": _column(
        "Group", "Type the name of the group, as the service has it.", "Consents"
    ),
    "side": _column(
        "Side",
        "Leave it empty for your own side of the project.",
        "Sender",
        kind="choice",
        of="AssignProjectBody/properties/side",
        width=12,
    ),
    "colour": _column(
        "Colour", "Type the colour in hex form.", "#1b5e20", "Color", width=12
    ),
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
    "was_members": _guard("Members", "hemi.tuhoro@example.org.nz"),
    "new_name": _column("New name", "Type the name that it is to have.", "Consents"),
    "was_new_name": _guard("New name", "Consents"),
    "organisation": _column(
        "Organisation",
        "Type the name of the organisation, as the service has it.",
        "Kōpū Roading Ltd",
        width=32,
    ),
    **{each: _detail(each) for each in ORGANISATION_TEXTS if each != "name"},
    "note": _column(
        "Note",
        "Type what your team is to remember; the other side never sees it.",
        "Ring Aroha before the site visit.",
        kind="long-text",
        width=60,
    ),
    "meeting_type": _column(
        "Meeting type",
        "Choose how you met.",
        "Phone call",
        kind="choice",
        of="NoteBody/properties/meeting_type",
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


def schema_of(word: str, wanted: Iterable[str]) -> dict[str, Any]:
    """Make the row schema of a kind; `*` ends the field of a required column."""
    fields = list(wanted)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:kawe:row:{word}",
        "title": f"One row of a sheet of {word}, as read",
        "x-kawe": {"sources": {}},
        "type": "object",
        "required": [each[:-1] for each in fields if each.endswith("*")],
        "properties": {each: COLUMNS[each] for each in (f.rstrip("*") for f in fields)},
    }
