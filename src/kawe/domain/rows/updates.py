"""What an edit of a row means for the draft that the row has already.

The service can change some of what a draft says (UpdateProjectBody). The
choice of iwi goes with the send, so it may change as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from kawe.domain.rows.content import ProjectContent
from kawe.domain.rows.identity import likeness_key
from kawe.domain.text.texts import fold_name

_PLAINLY: Final = 2


def beyond_update(before: ProjectContent, after: ProjectContent) -> tuple[str, ...]:
    """Name what was edited that the service cannot change in a draft."""
    pairs = {
        "phase": after.phase is not None or before.phase is None,
        "address": before.address == after.address,
        "place": before.place == after.place,
        "organisation": before.organisation == after.organisation,
        "contact": before.contact == after.contact,
        "files": _files(before) == _files(after),
        "recipient team": before.recipient_team_id == after.recipient_team_id,
    }
    return tuple(name for name, fits in pairs.items() if not fits)


def edited_field(before: ProjectContent, after: ProjectContent) -> str:
    """Give the field of the first column in which two readings differ."""
    pairs = {
        "name": before.name == after.name,
        "description": before.description == after.description,
        "type": before.type == after.type,
        "phase": before.phase == after.phase,
        "start_date": before.start_on == after.start_on,
        "end_date": before.end_on == after.end_on,
        "respond_by_date": before.respond_by_on == after.respond_by_on,
        "address": before.address == after.address,
        "latitude": before.place == after.place,
        "organisation": before.organisation == after.organisation,
        "contact_name": before.contact == after.contact,
        "files": _files(before) == _files(after),
        "iwi": before.iwi == after.iwi,
    }
    return next((name for name, same in pairs.items() if not same), "name")


def is_another_project(
    before: ProjectContent,
    likeness: Sequence[object],
    *,
    description: str | None,
    is_done: bool,
) -> bool:
    """Say whether a row is plainly about another project than `before`.

    Its name differs, and so does its place, or at least two of start, end and
    respond by. Of one that is done, its description is enough as well: taken for an
    edit, another project would be reported as sent. That of a draft may be corrected
    together with its name.
    `likeness` is what `likeness_key` gives of the row; what could not be read
    is None there, and differs from nothing.
    """
    was = (*likeness_key(before), fold_name(before.description))
    now = (*likeness, None if description is None else fold_name(description))
    pairs = zip(was, now, strict=True)
    name, place, address, *days, words = (bool(a and b) and a != b for a, b in pairs)
    moved = place or address or (is_done and words)
    return name and (moved or sum(days) >= _PLAINLY)


def _files(content: ProjectContent) -> list[tuple[str, str]]:
    return sorted((each.name, each.sha256) for each in content.files)
