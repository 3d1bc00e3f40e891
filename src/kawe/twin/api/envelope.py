"""The envelope of every answer, and the bare rejection (interface, Errors).

A 401 or 403 before any handler is a bare object with one `error`.
"""

from __future__ import annotations

from dataclasses import dataclass

from starlette.responses import JSONResponse

from kawe.twin.world.answers import Reply


@dataclass(eq=False, kw_only=True)
class Rejected(Exception):
    """The call was rejected before any handler ran."""

    status_code: int
    error: str

    def __str__(self) -> str:
        return self.error


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
    """Put a refusal in the envelope, with null for an object."""
    return enveloped(
        Reply(response_object=None, message=message, status_code=status_code)
    )


def bare(rejected: Rejected) -> JSONResponse:
    return JSONResponse({"error": rejected.error}, status_code=rejected.status_code)
