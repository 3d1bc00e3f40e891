"""How every answer of the service is wrapped, for the published document.

The envelope of four fields, the bare rejection, the RateLimit headers, and
the failures by their status code (interface, Response envelope and Errors).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from kawe.contract.headers import (
    RATE_LIMIT,
    RATE_REMAINING,
    RATE_RESET,
    RETRY_AFTER,
)
from kawe.contract.shapes import Schema, ref

MEANINGS: Final = {
    400: ("Invalid", "The body or query failed validation; every problem is listed."),
    401: ("Unknown", "The key is missing, malformed or revoked."),
    402: (
        "NoTokens",
        "No tokens are available; tokens must be purchased to submit the project.",
    ),
    403: ("Forbidden", "The key, the role or the kind of account does not allow this."),
    404: ("NotFound", "Not found, or not visible to this key."),
    408: ("TooSlow", "The body did not arrive in time."),
    409: ("Conflict", "In conflict with the current state."),
    413: (
        "TooLarge",
        "The payload is too large; files go through the presigned upload.",
    ),
    429: ("TooMany", "Too many requests in the rolling window; back off."),
    500: ("Fault", "A fault of the service."),
}
# A rejected permission: a bare object (interface, Errors). A 403 can come from a
# handler too.
_BARE: Final = frozenset({401})

ENVELOPES: Final = {
    "Failure": {
        "type": "object",
        "properties": {
            "success": {"const": False},
            "message": {"type": "string"},
            "status_code": {"type": "integer", "minimum": 400, "maximum": 599},
            "response_object": {"type": "null"},
        },
        "required": ["success", "message", "status_code", "response_object"],
    },
    "Rejection": {
        "type": "object",
        "properties": {"error": {"type": "string"}},
        "required": ["error"],
        "additionalProperties": False,
    },
}
_COUNT: Final = {"type": "integer", "minimum": 0}
HEADERS: Final = {
    RATE_LIMIT: {
        "description": "Requests that the key has in one rolling window.",
        "required": True,
        "schema": _COUNT,
    },
    RATE_REMAINING: {
        "description": "Requests that are left in it.",
        "required": True,
        "schema": _COUNT,
    },
    RATE_RESET: {
        "description": "Seconds until the window lets one more request in.",
        "required": True,
        "schema": _COUNT,
    },
    RETRY_AFTER: {
        "description": "Seconds to wait.",
        "required": True,
        "schema": _COUNT,
    },
}


def success(shown: Schema) -> dict[str, Any]:
    """Give the envelope of a success around `response_object`."""
    return {
        "type": "object",
        "properties": {
            "success": {"const": True},
            "message": {"type": "string"},
            "status_code": {"const": 200},
            "response_object": shown,
        },
        "required": ["success", "message", "status_code", "response_object"],
    }


def failure(code: int) -> dict[str, Any]:
    """Give the answer of one status code."""
    schema: Mapping[str, Any] = ref("Rejection" if code in _BARE else "Failure")
    if code == 403:
        schema = {"anyOf": [ref("Rejection"), ref("Failure")]}
    headers = limit_headers()
    if code == 429:
        headers[RETRY_AFTER] = {"$ref": f"#/components/headers/{RETRY_AFTER}"}
    return {
        "description": MEANINGS[code][1],
        "headers": headers,
        "content": {"application/json": {"schema": schema}},
    }


def limit_headers() -> dict[str, Any]:
    """Refer to the headers that every answer has (interface, Limits)."""
    names = (RATE_LIMIT, RATE_REMAINING, RATE_RESET)
    return {name: {"$ref": f"#/components/headers/{name}"} for name in names}
