"""Which row a row is, and what it said.

A row's key never depends on where the row stands. It is the reference where there is
one; else name, place and dates together, so that a corrected description is still the
same row.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any, Final

from kawe.domain.service.verdicts import Fingerprint, RowKey
from kawe.domain.sheet.content import ProjectContent
from kawe.domain.text.texts import fold_name

_MARKER_LETTERS: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_MARKER_LENGTH: Final = 12
_REFERENCE: Final = "ref:"
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


def project_key(content: ProjectContent) -> RowKey:
    """Give the key of a projects row."""
    if content.reference is not None:
        return reference_key(content.reference)
    return RowKey(f"row:{sha256_of(duplicate_key(content))}")


def reference_key(reference: str) -> RowKey:
    """Give the key of a projects row that has a reference."""
    return RowKey(f"{_REFERENCE}{reference}")


def reference_in(key: RowKey) -> str | None:
    """Give the reference that a key was made of, if any."""
    return key.removeprefix(_REFERENCE) if key.startswith(_REFERENCE) else None


def duplicate_key(content: ProjectContent) -> list[object]:
    """Give what two rows share when they are the same row written twice."""
    place = None if content.place is None else list(content.place.key())
    return [
        fold_name(content.name),
        place,
        fold_name(content.address or "") if place is None else "",
        content.start_on.isoformat(),
        content.end_on.isoformat(),
        content.respond_by_on.isoformat(),
    ]


def marker_of(content: ProjectContent) -> str:
    """Give the reference that the service will know a project by.

    One without a reference gets one that follows from its key alone, so that a lost
    journal makes the same one again: `KW` and twelve letters and digits without I, L, O
    and U.
    """
    reference = content.reference
    return _made_marker(content) if reference is None else reference


def _made_marker(content: ProjectContent) -> str:
    digest = int(sha256_of(duplicate_key(content)), 16)
    letters = []
    for _ in range(_MARKER_LENGTH):
        digest, rest = divmod(digest, len(_MARKER_LETTERS))
        letters.append(_MARKER_LETTERS[rest])
    return "KW" + "".join(letters)


def fingerprint_of(
    body: Mapping[str, Any], *, file_hashes: tuple[str, ...] = ()
) -> Fingerprint:
    """Hash what a row says: the body it asks for and the files it carries."""
    return Fingerprint(sha256_of({"body": dict(body), "files": sorted(file_hashes)}))
