"""Looking for a key in whatever was written, in any form that it could take.

A piece of ten characters is enough, so that a key which was cut is found too.
Workbooks are unpacked first.
"""

from __future__ import annotations

import base64
import gzip
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from typing import Final

PIECE: Final = 10
_STEP: Final = 4
"""Whatever holds two pieces in a row holds one that begins at such a step."""
_MOST_NESTED: Final = 3


def needles(key: str) -> frozenset[bytes]:
    """Give every run of bytes that shows a piece of a key."""
    # What stands before the mark is the same in every key.
    secret = key.rpartition("_")[2]
    pieces = [secret[at : at + PIECE] for at in range(len(secret) - PIECE + 1)]
    found = {piece.encode() for piece in pieces}
    for piece in pieces[::_STEP]:
        found |= set(_spellings(piece))
    return frozenset(found)


def _spellings(piece: str) -> Iterator[bytes]:
    raw = piece.encode()
    yield raw[::-1]
    for encoding in ("utf-16-le", "utf-16-be", "utf-32-le"):
        yield piece.encode(encoding)
    for digits in ("x", "X"):
        yield "".join(f"%{each:02{digits}}" for each in raw).encode()
        yield "".join(f"\\u{each:04{digits}}" for each in raw).encode()
        yield "".join(f"\\x{each:02{digits}}" for each in raw).encode()
        yield "".join(f"{each:02{digits}}" for each in raw).encode()
        yield "".join(f"&#x{each:{digits}};" for each in raw).encode()
    yield "".join(f"&#{each};" for each in raw).encode()
    for offset in range(3):
        packed = base64.b64encode(b"\0" * offset + raw)
        first, end = -(-offset * 8 // 6), (offset + len(raw)) * 8 // 6
        yield packed[first:end]
        yield packed[first:end].replace(b"+", b"-").replace(b"/", b"_")


@dataclass(slots=True, kw_only=True)
class Hunt:
    """What was looked through for some keys, and where one was found."""

    keys: list[str] = field(default_factory=list)
    bytes_read: int = 0
    places: int = 0
    found: list[str] = field(default_factory=list)
    _needles: frozenset[bytes] = frozenset()

    def watch(self, key: str) -> None:
        """Look for one more key from now on."""
        self.keys.append(key)
        self._needles |= needles(key)

    def look(self, where: str, data: bytes) -> None:
        """Look through what was written somewhere."""
        self.places += 1
        for layer in _layers(data, depth=0):
            self.bytes_read += len(layer)
            if any(needle in layer for needle in self._needles):
                self.found.append(where)
                return

    def look_below(self, folder: Path, *, sparing: Iterable[Path] = ()) -> None:
        """Look through every file below a folder, and its name."""
        spared = {path.resolve() for path in sparing}
        for path in sorted(folder.rglob("*")):
            self.look(f"the name of {path}", str(path).encode())
            if path.is_file() and path.resolve() not in spared:
                self.look(str(path), path.read_bytes())


def _layers(data: bytes, *, depth: int) -> Iterator[bytes]:
    yield data
    if depth == _MOST_NESTED:
        return
    if data[:4] == b"PK\x03\x04":
        with suppress(zipfile.BadZipFile), zipfile.ZipFile(BytesIO(data)) as archive:
            for name in archive.namelist():
                yield from _layers(archive.read(name), depth=depth + 1)
    if data[:2] == b"\x1f\x8b":
        with suppress(OSError, EOFError, zlib.error):
            yield from _layers(gzip.decompress(data), depth=depth + 1)
