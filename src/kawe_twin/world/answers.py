"""What a rule answers: a reply, or a refusal that undoes what it wrote."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """An answer; with 400 or more it keeps what the rule wrote, unlike `Refusal`."""

    response_object: object
    message: str = "OK"
    status_code: int = 200


@dataclass(eq=False)
class Refusal(Exception):
    """A rule does not allow the call; nothing it wrote stays."""

    status_code: int
    message: str

    def __str__(self) -> str:
        return self.message


def not_found() -> Refusal:
    """Refuse what is missing or not visible, with equal answers."""
    return Refusal(404, "Not found.")
