"""Answers that come packed although none were asked for.

kawe asks for `identity`, but something between may compress all the same.
What is packed is unpacked in pieces of bounded size, so that whoever reads
can stop at a limit: a few bytes may stand for gigabytes.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from typing import Final

PIECE_BYTES: Final = 64 * 1024
# gzip and zlib, told apart by their first bytes.
_EITHER: Final = zlib.MAX_WBITS | 32
_KNOWN: Final = frozenset({"gzip", "x-gzip", "deflate"})


class Packed(Exception):
    """What came cannot be unpacked."""


class Unpacker:
    """Turns the bytes of one answer into what they stand for, piece by piece.

    Raises:
        Packed: The answer is packed in a way that is not known.
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
        """Say whether nothing is missing at the end."""
        return self._stream is None or self._stream.eof

    def feed(self, packed: bytes) -> Iterator[bytes]:
        """Give what `packed` stands for, in pieces of at most 64 KiB.

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
