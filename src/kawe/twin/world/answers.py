"""What a rule answers: a reply, or a refusal that undoes what it wrote."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What one operation answers; a status of 400 or more is a failure.

    Returning a failure keeps what the rule wrote; raising a `Refusal` does
    not.
    """

    response_object: object
    message: str = "OK"
    status_code: int = 200


@dataclass(eq=False, kw_only=True)
class Refusal(Exception):
    """A rule does not allow the call; nothing it wrote stays."""

    status_code: int
    message: str

    def __str__(self) -> str:
        return self.message


def not_found() -> Refusal:
    """Refuse what is not there or not visible: the two look identical."""
    return Refusal(status_code=404, message="Not found.")
