"""Reads the body of a form."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import parse_qs

from starlette.requests import Request

from kawe.twin.api.gate import read_body
from kawe.twin.world.answers import Refusal

_FORM_MAX_BYTES: Final = 262_144
_FIELDS_MAX: Final = 200


@dataclass(frozen=True, slots=True)
class Form:
    """The fields of one form."""

    _values: Mapping[str, Sequence[str]] = field(default_factory=dict, repr=False)

    def text(self, name: str) -> str:
        """Give one field, trimmed, with LF instead of CR LF; empty if missing."""
        values = self._values.get(name) or ("",)
        return values[-1].replace("\r\n", "\n").strip()

    def texts(self, name: str) -> tuple[str, ...]:
        return tuple(self._values.get(name, ()))


async def read_form(request: Request) -> Form:
    """Read the form of a request.

    Raises:
        Refusal: 400, it is no form; 413, it is too large.
    """
    raw = await read_body(request, most_bytes=_FORM_MAX_BYTES)
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/x-www-form-urlencoded":
        raise Refusal(status_code=400, message="This is not a form of the portal.")
    try:
        return Form(
            parse_qs(
                raw.decode("ascii"),
                keep_blank_values=True,
                max_num_fields=_FIELDS_MAX,
                errors="strict",
            )
        )
    except ValueError as wrong:
        said = "The form could not be read. Go back and send it again."
        raise Refusal(status_code=400, message=said) from wrong
