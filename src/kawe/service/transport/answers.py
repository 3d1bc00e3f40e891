"""Answers of the service, before any verdict.

Four shapes are read: the envelope, `{"error": …}`, problem+json, and text or HTML of a
gateway.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from kawe.domain.text.texts import clean, one_line


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """A complete answer."""

    http_status: int
    headers: Mapping[str, str] = field(default_factory=dict)
    """Names in lower case."""
    body: bytes = b""

    @property
    def is_success(self) -> bool:
        return 200 <= self.http_status < 300

    def parsed(self) -> Any:  # noqa: ANN401 - JSON of any shape
        """Parse the body as JSON; None: it is none."""
        try:
            return json.loads(self.body)
        except (ValueError, RecursionError):
            return None

    def envelope(self) -> dict[str, Any] | None:
        """Give the body if it is a successful envelope."""
        value = self.parsed()
        if (
            isinstance(value, dict)
            and value.get("success") is True
            and "response_object" in value
        ):
            return value
        return None

    def message(self) -> str:
        """Give the service's message on one safe line."""
        value = self.parsed()
        if isinstance(value, dict):
            for name in ("message", "error", "detail", "title"):
                words = value.get(name)
                if isinstance(words, str) and words.strip():
                    return one_line(clean(words), limit=600)
            return ""
        text = self.body[:2000].decode("utf-8", errors="replace")
        if "<html" in text.casefold() or "<!doctype" in text.casefold():
            return "a web page came back instead of an answer"
        return one_line(clean(text))


@dataclass(frozen=True, slots=True, kw_only=True)
class Lost:
    """No complete answer."""

    sent: bool
    """Whether a byte of the request left this machine."""
    detail: str
    nobody_listens: bool = False
    """Whether the machine is there and nothing on it takes connections."""


Exchange: TypeAlias = Answer | Lost
