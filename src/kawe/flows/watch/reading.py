"""Projects and responses as a watch sees them.

What people wrote there is anybody's text: it leaves here clean, short and on one line.
"""

from collections.abc import Mapping
from typing import Any, Final

from kawe.domain.service.service_words import ProjectId, full_name
from kawe.domain.service.watching import Response, Watched
from kawe.domain.text.new_zealand import read_instant
from kawe.domain.text.texts import checked_text, one_line
from kawe.errors import ContractBroken

_WORDS: Final = 300
_NAMES: Final = 120
_MOST_DOCUMENTS: Final = 10
_WRONG: Final = (KeyError, TypeError, ValueError, OverflowError, AttributeError)


def project(value: Mapping[str, Any]) -> Watched:
    """Read a project.

    Raises:
        ContractBroken: It lacks what the interface requires.
    """
    closed = value.get("closed_on")
    try:
        return Watched(
            id=ProjectId(checked_text(value["id"])),
            name=one_line(checked_text(value["name"]), limit=_NAMES),
            reference=one_line(value.get("reference") or "", limit=_NAMES),
            iwi=one_line(value.get("iwi_name") or ""),
            status=one_line(value.get("status") or "", limit=40),
            updated_at=read_instant(value["updated_on"]),
            closed_at=None if closed is None else read_instant(closed),
            respond_by_at=read_instant(value["respond_by_date"]),
        )
    except _WRONG as trouble:
        raise _unknown("project") from trouble


def response(value: Mapping[str, Any]) -> Response | None:
    """Read an entry of a thread; None where it is a note.

    Raises:
        ContractBroken: It lacks what the interface requires.
    """
    try:
        if value["is_internal"]:
            return None
        return Response(
            id=checked_text(value["id"]),
            at=read_instant(value["created_on"]),
            by=one_line(full_name(value.get("created_by")), limit=_NAMES),
            words=one_line(value.get("content") or "", limit=_WORDS),
            documents=_documents(value.get("documents") or []),
        )
    except _WRONG as trouble:
        raise _unknown("thread") from trouble


def _documents(values: list[Mapping[str, Any]]) -> tuple[str, ...]:
    names = [one_line(each.get("name") or "", limit=_NAMES) for each in values]
    shown = [name or "a document without a name" for name in names[:_MOST_DOCUMENTS]]
    left = len(names) - len(shown)
    return (*shown, f"{left:,} more") if left else tuple(shown)


def _unknown(what: str) -> ContractBroken:
    return ContractBroken(
        message=f"The service showed a {what} in an unknown form.",
        hint="Nothing was changed. Is the base address right?",
    )
