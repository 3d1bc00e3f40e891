"""Which row a row is, what it said, and the bodies that kawe sends of it.

A row's key never depends on where the row stands. It is the reference where there is
one; else name, place and dates together, so that a corrected description is still the
same row.

`quantity` and `draft: false` are in no body: kawe never buys, and never sends what it
has not read back.
"""

import hashlib
import json
import re
from collections.abc import Hashable, Iterable, Mapping, Sequence
from sys import intern
from typing import Any, Final

from kawe.domain.service.states import Fingerprint, RowKey
from kawe.domain.sheet.content import Attachment, ProjectContent, ProjectSaid, values_of
from kawe.domain.text.texts import fold_name

_MARKER_LETTERS: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_MARKER_LENGTH: Final = 12
REFERENCE: Final = "ref:"
ADDRESS: Final = "mail:"
"""A key that begins so names a person, and is forgotten with the row."""
_CANONICAL: Final = json.JSONEncoder(
    ensure_ascii=False, sort_keys=True, separators=(",", ":")
)


def canonical(value: object) -> bytes:
    """Write a JSON value in the one form that is hashed and sent."""
    return _CANONICAL.encode(value).encode()


def sha256_of(value: object) -> str:
    """Hash a JSON value in its canonical form, as 64 hex digits."""
    return hashlib.sha256(canonical(value)).hexdigest()


def project_key(said: ProjectSaid) -> RowKey | None:
    """Give the key of a projects row; None where its cells do not say which it is."""
    if said.reference is not None:
        return RowKey(intern(f"{REFERENCE}{said.reference}"))
    parts = None if "reference" in said.unclear else whole_duplicate_key(said)
    return None if parts is None else RowKey(f"row:{sha256_of(parts)}")


def reference_in(key: RowKey) -> str | None:
    return key.removeprefix(REFERENCE) if key.startswith(REFERENCE) else None


def duplicate_key(said: ProjectSaid) -> tuple[Hashable, ...]:
    """Give what two rows share when they are the same row written twice.

    What cannot be read of it is None.
    """
    place = None if said.place is None else said.place.key()
    days = (said.start_on, said.end_on, said.respond_by_on)
    return (
        None if said.name is None else fold_name(said.name),
        place,
        fold_name(said.address or "") if place is None else "",
        *[None if day is None else day.isoformat() for day in days],
    )


def whole_duplicate_key(said: ProjectSaid) -> tuple[Hashable, ...] | None:
    """Give the `duplicate_key` of a row, or None where a part cannot be read."""
    parts = duplicate_key(said)
    name, _, _, *days = parts
    is_whole = is_place_clear(said) and name is not None and None not in days
    return parts if is_whole else None


def is_place_clear(said: ProjectSaid) -> bool:
    """Say whether it can be read where a row is, or that it does not say so."""
    return said.place is not None or said.unclear.isdisjoint({"place", "address"})


def marker_of(content: ProjectContent) -> str:
    """Give the reference that the service will know a project by.

    One without a reference gets one that follows from its key alone, so that a lost
    journal makes the same one again: `KW` and twelve letters and digits without I, L, O
    and U.
    """
    if content.reference is not None:
        return content.reference
    digest = int(sha256_of(duplicate_key(content)), 16)
    letters = []
    for _ in range(_MARKER_LENGTH):
        digest, rest = divmod(digest, len(_MARKER_LETTERS))
        letters.append(_MARKER_LETTERS[rest])
    return "KW" + "".join(letters)


def of_both(draft: Fingerprint, row: Fingerprint) -> Fingerprint:
    return Fingerprint(f"{draft}/{row.rpartition('/')[2]}")


def is_unedited(known: str, now: Fingerprint | None) -> bool:
    return known.rpartition("/")[2] == now


def is_made_marker(reference: str) -> bool:
    """Say whether a reference is one that kawe makes."""
    letters = f"[{_MARKER_LETTERS}]{{{_MARKER_LENGTH}}}"
    return re.fullmatch(f"KW{letters}", reference) is not None


def fingerprint_of(
    body: Mapping[str, Any], *, files: Iterable[Attachment] = ()
) -> Fingerprint:
    """Hash what a row says: the body it asks for, and the bytes of its files."""
    hashes = sorted(f"{each.name}:{each.sha256}" for each in files)
    return Fingerprint(sha256_of({"body": dict(body), "files": hashes}))


def draft_body(
    content: ProjectContent,
    *,
    files: Sequence[Mapping[str, str]] = (),
    organisation_id: str | None = None,
) -> dict[str, Any]:
    """Make the body that creates a row's draft (CreateProjectBody).

    `files` have an id and a name. Without an `organisation_id` the body has the whole
    organisation, and the service creates a new one.
    """
    body = update_body(content) | {
        "reference": marker_of(content),
        "files": [*files],
        "draft": True,
    }
    body |= _without_none(
        address=content.address, recipient_team_id=content.recipient_team_id
    )
    if content.place is not None:
        body["latitude"] = content.place.latitude
        body["longitude"] = content.place.longitude
    if content.iwi:
        body["iwi"] = list(content.iwi)
    if organisation_id is not None:
        body["organisation_id"] = organisation_id
    elif content.organisation is not None:
        said = values_of(content.organisation)
        at = said.pop("place")
        place = {} if at is None else values_of(at)
        body["organisation"] = _without_none(**said, **place)
    if content.contact is not None:
        body["contact"] = _without_none(**values_of(content.contact))
    return body


def update_body(content: ProjectContent) -> dict[str, Any]:
    """Make the body that updates a row's draft (UpdateProjectBody)."""
    return {
        "name": content.name,
        "description": content.description,
        "type": content.type,
        "start_date": content.start_on.isoformat(),
        "end_date": content.end_on.isoformat(),
        "respond_by_date": content.respond_by_on.isoformat(),
    } | _without_none(phase=content.phase)


def project_fingerprint(content: ProjectContent) -> Fingerprint:
    """Hash what a row's draft says, files by their bytes and not their ids."""
    return fingerprint_of(draft_body(content), files=content.files)


def _without_none(**said: str | float | None) -> dict[str, Any]:
    return {name: value for name, value in said.items() if value is not None}
