"""The columns that sheets of acts have, by field; a kind of acts names some of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from kawe.kinds.acts.content import OCCASION

_SHAPES: Final[Mapping[str, Mapping[str, Any]]] = {
    "date": {"type": "string", "format": "date"},
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
        "Remove",
        kind="yes-no",
        width=10,
    ),
}


def schema_of(word: str, wanted: Iterable[str]) -> dict[str, Any]:
    """Make the row schema of a kind; `*` ends the field of a required column."""
    fields = list(wanted)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:kawe:row:{word}",
        "title": f"One row of a sheet of {word}, as read",
        "type": "object",
        "required": [each[:-1] for each in fields if each.endswith("*")],
        "properties": {each: COLUMNS[each] for each in (f.rstrip("*") for f in fields)},
    }
