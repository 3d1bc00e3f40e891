"""How the twin answers: the envelope, and the bare rejection.

Every answer is in the envelope, whether it succeeds or refuses, but for one: whom
a key does not let in (401, 403) is told so before any handler runs, in a bare
object with one `error` (interface, Errors).
"""

from __future__ import annotations

from dataclasses import dataclass

from starlette.responses import JSONResponse

from kawe.twin.world.answers import Reply


@dataclass(eq=False, kw_only=True)
class Rejected(Exception):
    """The call was turned away before any handler ran."""

    status_code: int
    error: str

    def __str__(self) -> str:
        return self.error


def enveloped(reply: Reply) -> JSONResponse:
    """Put a reply in the envelope of four fields."""
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
    """Put a refusal in the envelope, with null for an object."""
    return enveloped(
        Reply(response_object=None, message=message, status_code=status_code)
    )


def bare(rejected: Rejected) -> JSONResponse:
    """Answer a rejection without an envelope."""
    return JSONResponse({"error": rejected.error}, status_code=rejected.status_code)
