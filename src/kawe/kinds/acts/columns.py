"""The columns that sheets of acts have, by field; a kind of acts names some of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

_SHAPES: Final[Mapping[str, Mapping[str, Any]]] = {
    "date": {"$ref": "urn:kawe:contract#/$defs/UpdateProjectBody/properties/end_date"},
    "yes-no": {"type": "boolean"},
    "list": {"type": "array", "items": {"type": "string", "minLength": 1}},
}
_TEXT: Final[Mapping[str, Any]] = {"type": "string", "minLength": 1}
WAS: Final = "was_"
"""The beginning of a field that guards another one."""


# field | title | kind of cell | hint | example | synonyms | width | cites
_LINES: Final = """
project | Project | text | Type the reference, the project ID or the exact name of one
  project. | RC-2030-001 | Reference, Project reference, Project ID, Project name | 24
  |
person | Person | email | Type the email address of the person. |
  hemi.tuhoro@example.org.nz | Email, E-mail, Email address, Member | 34 |
occasion | Occasion | text | Leave it empty. Type a word, such as the month, where the
  same was done before and is to be done once more. | March 2030 | Round | 24 |
all | All | yes-no | Choose Yes to close it for all sides of the project; empty means
  No. | No | For all | 10 |
message | Message | long-text | Type what the other side is to read. | The works are
  finished. Thank you for your guidance. | Response, Reply, Closing message | 60 |
remove | Remove | yes-no | Choose Yes to take the person out of the team. | No |
  Revoke | 10 |
delete | Delete | yes-no | Choose Yes to delete it; that cannot be undone. | No |  |
  10 |
name | Name | text | Type the new name of the project. | Kōpū culvert |  | 32 |
description | Description | long-text | Type what it is about, in whole. | A culvert
  under Kōpū Road is replaced. |  | 60 |
new_reference | New reference | text | Type the reference it is to have. | RC-2030-002
  |  | 24 |
type | Type | choice | Choose the type that it is to have. | Earthworks |  | 24 |
  UpdateProjectBody.type
phase | Phase | choice | Choose the phase that it is to have. | Works underway |  | 24
  | UpdateProjectBody.phase
start_date | Start date | date | Type the Start date that it is to have. | 01/03/2030
  |  | 24 |
end_date | End date | date | Type the End date that it is to have. | 30/09/2030 |  |
  24 |
respond_by_date | Respond by | date | Type the Respond by that it is to have. |
  01/04/2030 |  | 24 |
role | Role | choice | Choose what the person may do in the team. | Member |  | 12 |
  TeamRoleBody.role
org_department | Org department | text | Type the department of the person. | Resource
  consents |  | 24 |
org_department_other | Org department other | text | Type a department that no list
  has. | Catchments |  | 24 |
org_role | Org role | text | Type what the person does in your organisation. | Planner
  |  | 24 |
org_role_other | Org role other | text | Type it in your own words, where no list has
  it. | Stream restoration lead |  | 24 |
do | Do | text | Type resend to send the invitation again, or expire to end it. |
  resend | Action | 12 |
assignee | Person | email | Type the email address of the member; empty assigns it to
  nobody. | hemi.tuhoro@example.org.nz | Assigned to, Email | 34 |
group | Group | text | Type the name of the group, as the service has it. | Consents |
  | 24 |
side | Side | choice | Leave it empty for your own side of the project. | Sender |  |
  12 | AssignProjectBody.side
colour | Colour | text | Type the colour in hex form. | #1b5e20 |  | 12 |
group_description | Description | text | Type what the group is for. | Who looks after
  consents |  | 24 |
members | Members | list | Type the email addresses of all members, with ; between
  them. | hemi.tuhoro@example.org.nz; aroha.pene@example.org.nz |  | 60 |
new_name | New name | text | Type the name that it is to have. | Consents |  | 24 |
organisation | Organisation | text | Type the name of the organisation, as the service
  has it. | Kōpū Roading Ltd |  | 32 |
address | Address | text | Type the address of the organisation. | 1 Queen Street |  |
  24 |
city | City | text | Type the city of the organisation. | Thames |  | 24 |
country | Country | text | Type the country of the organisation. | New Zealand |  | 24
  |
postcode | Postcode | text | Type the postcode of the organisation. | 3500 |  | 24 |
email | Email | text | Type the email of the organisation. | office@example.org.nz |
  | 24 |
phone | Phone | text | Type the phone of the organisation. | 07 868 0000 |  | 24 |
mobile | Mobile | text | Type the mobile of the organisation. | 021 000 000 |  | 24 |
note | Note | long-text | Type what your team is to remember; the other side never
  sees it. | Ring Aroha before the site visit. |  | 60 |
meeting_type | Meeting type | choice | Choose how you met. | Phone call |  | 24 |
  NoteBody.meeting_type
note_id | Note id | identifier | Leave it empty for a new note. To change or delete
  one of yours, give the ID that the list of notes has. |
  8f6f0f52-8f0e-4d5c-9a55-0d6f1b6f3c11 |  | 38 |
"""
_GUARDED: Final = ("name", "role", "members", "new_name")


def _column(line: str) -> tuple[str, dict[str, Any]]:
    """Read a line; what a choice cites is a part of the contract."""
    cells = [cell.strip() for cell in line.split("|")]
    field, title, kind, hint, example, synonyms, width, *cites = cells
    shape = _SHAPES.get(kind, _TEXT)
    if any(cites):
        body, _, name = cites[0].partition(".")
        shape = {"$ref": f"urn:kawe:contract#/$defs/{body}/properties/{name}"}
    words = {
        "title": title,
        "kind": kind,
        "hint": hint,
        "example": example,
        "synonyms": [each for each in synonyms.split(", ") if each],
        "width": int(width),
    }
    return field, {**shape, "x-kawe": words}


_READ: Final = dict(map(_column, _LINES.strip().replace("\n  ", " ").splitlines()))


def _guard(of: str) -> dict[str, Any]:
    """Make the column that says what a cell was when it was last seen."""
    title, example = (_READ[of]["x-kawe"][each] for each in ("title", "example"))
    hint = (
        f"Leave it empty, or type {title} as you last saw it: where it has changed "
        "since, the row is held."
    )
    words = {"title": f"Was {title}", "kind": "text", "hint": hint, "example": example}
    names = [f"{title} before", f"Old {title}"]
    return {**_TEXT, "x-kawe": {**words, "synonyms": names, "width": 24}}


COLUMNS: Final[Mapping[str, dict[str, Any]]] = {
    **_READ,
    **{f"{WAS}{each}": _guard(each) for each in _GUARDED},
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
