"""What comes back from the service, read but not yet judged.

Four shapes of answer are read: the envelope, a bare `{"error": …}`,
problem+json, and text or HTML from something in between.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from kawe.domain.text.texts import one_line


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """A whole answer."""

    http_status: int
    headers: Mapping[str, str] = field(default_factory=dict)
    """Names in lower case."""
    body: bytes = b""

    @property
    def is_success(self) -> bool:
        """Say whether the status is 2xx."""
        return 200 <= self.http_status < 300

    def parsed(self) -> Any:  # noqa: ANN401 - JSON of any shape
        """Give the JSON value of the body, or None where it is no JSON."""
        try:
            return json.loads(self.body)
        except (ValueError, RecursionError):
            return None

    def envelope(self) -> dict[str, Any] | None:
        """Give the body where it is a successful envelope, else None."""
        value = self.parsed()
        if (
            isinstance(value, dict)
            and value.get("success") is True
            and "response_object" in value
        ):
            return value
        return None

    def message(self) -> str:
        """Give the service's own words on one safe line, whatever the shape."""
        value = self.parsed()
        if isinstance(value, dict):
            for name in ("message", "error", "detail", "title"):
                words = value.get(name)
                if isinstance(words, str) and words.strip():
                    return one_line(words, limit=600)
            return ""
        text = self.body[:2000].decode("utf-8", errors="replace")
        if "<html" in text.casefold() or "<!doctype" in text.casefold():
            return "a web page came back instead of an answer"
        return one_line(text)


@dataclass(frozen=True, slots=True, kw_only=True)
class Lost:
    """No whole answer came."""

    sent: bool
    """Whether any byte of the request had left this machine."""
    detail: str


Exchange: TypeAlias = Answer | Lost
