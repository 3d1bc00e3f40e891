"""Parses request bodies."""

from __future__ import annotations

import json
from typing import Any, Final, NoReturn

from kawe.contract.requests import AMERICAN_SPELLINGS
from kawe.twin.world.answers import Refusal

BODY_MAX_BYTES: Final = 1_048_576
"""Largest JSON body; the interface states no figure. Files go elsewhere."""

_NEW_ZEALAND: Final = {american: ours for ours, american in AMERICAN_SPELLINGS.items()}


def decoded(raw: bytes) -> Any:  # noqa: ANN401 - JSON is whatever the caller sent
    """Read JSON in UTF-8, with American field names put the New Zealand way.

    Raises:
        Refusal: 400, the bytes are not JSON.
    """
    try:
        return new_zealand(json.loads(raw.decode(), parse_constant=_no_constant))
    except (ValueError, RecursionError) as wrong:
        raise Refusal(status_code=400, message="body must be JSON in UTF-8") from wrong


def new_zealand(value: Any) -> Any:  # noqa: ANN401 - walks any JSON
    """Rename American field names at every depth; ours override."""
    if isinstance(value, list):
        return [new_zealand(item) for item in value]
    if not isinstance(value, dict):
        return value
    out = {}
    for name, part in value.items():
        ours = _NEW_ZEALAND.get(name, name)
        if ours == name or ours not in value:
            out[ours] = new_zealand(part)
    return out


def _no_constant(name: str) -> NoReturn:
    # NaN and Infinity are Python's, not JSON's (RFC 8259, 6).
    raise ValueError(name)
