"""Row contents as JSON, for the journal, and back."""

from __future__ import annotations

import json
from dataclasses import fields
from datetime import date
from pathlib import Path
from typing import Any, Final, assert_never

from kawe.domain.rows.content import (
    Attachment,
    Contact,
    Content,
    InvitationContent,
    OrganisationContent,
    ProjectContent,
)
from kawe.domain.service.places import Place
from kawe.domain.sheet.columns import SheetKind

_PARTS: Final[dict[type, tuple[str, ...]]] = {
    part: tuple(field.name for field in fields(part))
    for part in (
        Attachment,
        Contact,
        InvitationContent,
        OrganisationContent,
        Place,
        ProjectContent,
    )
}


def content_to_json(content: Content) -> str:
    """Write a row's content as JSON that `content_from_json` reads back.

    ASCII only, so that a path with undecodable bytes survives too.
    """
    return json.dumps(content, default=_plain, sort_keys=True)


def content_from_json(text: str, *, kind: SheetKind) -> Content:
    """Read a row's content back.

    Raises:
        ValueError: `text` is not what `content_to_json` wrote for `kind`.
    """
    try:
        values: dict[str, Any] = json.loads(text)
        match kind:
            case SheetKind.PROJECTS:
                return _project(values)
            case SheetKind.INVITATIONS:
                return InvitationContent(**values)
            case _:
                assert_never(kind)
    except (KeyError, TypeError, AttributeError) as trouble:
        raise ValueError("not the content of a row") from trouble


def _project(values: dict[str, Any]) -> ProjectContent:
    organisation = values["organisation"]
    contact = values["contact"]
    return ProjectContent(
        **{
            **values,
            "start_on": date.fromisoformat(values["start_on"]),
            "end_on": date.fromisoformat(values["end_on"]),
            "respond_by_on": date.fromisoformat(values["respond_by_on"]),
            "place": _place(values["place"]),
            "iwi": tuple(values["iwi"]),
            "organisation": None
            if organisation is None
            else OrganisationContent(
                **{**organisation, "place": _place(organisation["place"])}
            ),
            "contact": None if contact is None else Contact(**contact),
            "files": tuple(
                Attachment(**{**each, "path": Path(each["path"])})
                for each in values["files"]
            ),
        }
    )


def _place(values: dict[str, float] | None) -> Place | None:
    return None if values is None else Place(**values)


def _plain(value: object) -> str | dict[str, object]:
    # Not dataclasses.asdict: it copies every value deeply and takes four times
    # as long, which 100,000 rows would feel.
    names = _PARTS.get(type(value))
    if names is not None:
        return {name: getattr(value, name) for name in names}
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Path):
        return str(value)
    raise TypeError(f"{type(value).__name__} is no part of a row's content")
