"""Answers of the service, before any verdict.

Four shapes are read: the envelope, `{"error": …}`, problem+json, and text or HTML of a
gateway. A compressed one is unpacked in bounded pieces.
"""

import json
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

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


PIECE_BYTES: Final = 64 * 1024
# Accepts gzip and zlib.
_EITHER: Final = zlib.MAX_WBITS | 32
_KNOWN: Final = frozenset({"gzip", "x-gzip", "deflate"})


class Packed(Exception):
    """An answer cannot be unpacked."""


class Unpacker:
    """Unpacks one answer piece by piece: a few bytes may unpack to gigabytes.

    kawe asks for `identity`, but a proxy may compress.

    Raises:
        Packed: The compression is unknown.
    """

    def __init__(self, encoding: str) -> None:
        name = encoding.strip().lower()
        self._stream = None
        if name in _KNOWN:
            self._stream = zlib.decompressobj(_EITHER)
        elif name not in {"", "identity"}:
            raise Packed("the answer is packed in an unknown way")

    @property
    def is_whole(self) -> bool:
        return self._stream is None or self._stream.eof

    def feed(self, packed: bytes) -> Iterator[bytes]:
        """Unpack into pieces of at most 64 KiB; broken bytes are `Packed`."""
        if self._stream is None:
            yield packed
            return
        try:
            while packed and not self._stream.eof:
                yield self._stream.decompress(packed, PIECE_BYTES)
                packed = self._stream.unconsumed_tail
        except zlib.error as trouble:
            raise Packed("the answer is packed and broken") from trouble
