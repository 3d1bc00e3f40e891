"""Bodies: read from a request, put into the envelope of every answer.

A 401 or 403 before any handler is a bare object with one `error` (interface, Errors).
"""

import json
from typing import Any, Final, NoReturn

from starlette.responses import JSONResponse

from kawe_contract.requests import AMERICAN_SPELLINGS
from kawe_twin.world.answers import Refusal, Reply


class Rejected(Refusal):
    """The call was rejected before any handler ran."""


def enveloped(reply: Reply) -> JSONResponse:
    return JSONResponse(
        {
            "success": reply.status_code < 400,
            "message": reply.message,
            "status_code": reply.status_code,
            "response_object": reply.response_object,
        },
        status_code=reply.status_code,
    )


def refused(*, status_code: int, message: str) -> JSONResponse:
    return enveloped(
        Reply(response_object=None, message=message, status_code=status_code)
    )


def bare(refusal: Refusal) -> JSONResponse:
    return JSONResponse({"error": refusal.message}, status_code=refusal.status_code)


BODY_MAX_BYTES: Final = 1_048_576
"""Largest JSON body; the interface states no figure. Files go elsewhere."""

_NEW_ZEALAND: Final = {american: ours for ours, american in AMERICAN_SPELLINGS.items()}


def decoded(raw: bytes) -> Any:  # noqa: ANN401 - JSON is whatever the caller sent
    """Read JSON in UTF-8 with our names for American fields, or refuse it with 400."""
    try:
        return new_zealand(json.loads(raw.decode(), parse_constant=_no_constant))
    except (ValueError, RecursionError) as wrong:
        raise Refusal(400, "body must be JSON in UTF-8") from wrong


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
