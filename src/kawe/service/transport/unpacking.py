"""Unpacks compressed answers in bounded pieces.

kawe asks for `identity`, but a proxy may compress. The reader can stop at a limit: a
few bytes may unpack to gigabytes.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from typing import Final

PIECE_BYTES: Final = 64 * 1024
# Accepts gzip and zlib.
_EITHER: Final = zlib.MAX_WBITS | 32
_KNOWN: Final = frozenset({"gzip", "x-gzip", "deflate"})


class Packed(Exception):
    """An answer cannot be unpacked."""


class Unpacker:
    """Unpacks one answer piece by piece.

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
        """Unpack into pieces of at most 64 KiB.

        Raises:
            Packed: The bytes are broken.
        """
        if self._stream is None:
            yield packed
            return
        try:
            while packed and not self._stream.eof:
                yield self._stream.decompress(packed, PIECE_BYTES)
                packed = self._stream.unconsumed_tail
        except zlib.error as trouble:
            raise Packed("the answer is packed and broken") from trouble
