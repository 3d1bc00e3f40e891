"""Surgery on the zip that a workbook is, for `mutations`."""

from __future__ import annotations

import io
import re
import struct
import warnings
import zipfile
from collections.abc import Callable
from random import Random
from typing import Final, TypeAlias

Parts: TypeAlias = list[tuple[str, bytes]]

_CENTRAL: Final = b"PK\x01\x02"
_LOCAL: Final = b"PK\x03\x04"
_END: Final = b"PK\x05\x06"
_RELATION: Final = re.compile(rb'<Relationship\b[^>]*Target="([^"]*)"[^>]*/>')
_NUMBERS: Final = (0, 1, 2**15, 2**16 - 1, 2**31 - 1, 2**32 - 1)


def spoil_zip(chance: Random, data: bytes) -> tuple[bytes, str]:
    """Lie in a header, or remove, swap, double, rename, fill or add parts."""
    drawn = chance.random()
    if drawn < 0.4:
        return _lie(chance, data)
    if drawn < 0.55:
        return _lie_of_64_bits(chance, data)
    # Spoilt twice, it may have no part left.
    parts = unzip(data) or [("xl/workbook.xml", b"")]
    words = chance.choice(_SURGERIES)(chance, parts, data)
    return zipped(parts), words


def _gone(chance: Random, parts: Parts, _: bytes) -> str:
    name, _ = parts.pop(chance.randrange(len(parts)))
    return f"{name} removed"


def _twice(chance: Random, parts: Parts, _: bytes) -> str:
    name, content = chance.choice(parts)[0], chance.choice(parts)[1]
    parts.append((name, content))
    return f"{name} there twice"


def _swapped(chance: Random, parts: Parts, _: bytes) -> str:
    first, second = chance.randrange(len(parts)), chance.randrange(len(parts))
    (one, content), (other, others) = parts[first], parts[second]
    parts[first], parts[second] = (one, others), (other, content)
    return f"{one} and {other} swapped"


def _empty(chance: Random, parts: Parts, _: bytes) -> str:
    at = chance.randrange(len(parts))
    parts[at] = (parts[at][0], b"")
    return f"{parts[at][0]} empty"


def _renamed(chance: Random, parts: Parts, _: bytes) -> str:
    at = chance.randrange(len(parts))
    name, content = parts[at]
    other = chance.choice((name.upper(), f"../{name}", f"/{name}", name + " "))
    parts[at] = (other.replace("/", chance.choice("/\\")), content)
    return f"{name} called {other}"


def _nested(chance: Random, parts: Parts, data: bytes) -> str:
    """Put the whole workbook into itself: as one more part, or as one of them."""
    at = chance.randrange(len(parts))
    name = chance.choice((parts[at][0], "xl/inner.zip"))
    parts[at : at + chance.randrange(2)] = [(name, data)]
    return f"the whole workbook as {name}"


def _many(chance: Random, parts: Parts, _: bytes) -> str:
    parts += [(f"xl/media/{n}.bin", b"") for n in range(chance.choice((9, 2500)))]
    return "many parts"


def _filled(chance: Random, parts: Parts, _: bytes) -> str:
    at, size = chance.randrange(len(parts)), chance.choice((10**5, 10**7, 3 * 10**7))
    name, content = parts[at]
    parts[at] = (name, content + b" " * size)
    return f"{size} spaces after {name}"


def _related(chance: Random, parts: Parts, _: bytes) -> str:
    """Lead one relation elsewhere: to nothing, outside, to itself, or twice."""
    places = [n for n, each in enumerate(parts) if each[0].endswith(".rels")]
    if not places:
        raise ValueError
    at = chance.choice(places)
    name, content = parts[at]
    relations = list(_RELATION.finditer(content))
    if not relations:
        raise ValueError
    found = chance.choice(relations)
    target = chance.choice((b"/xl/none.xml", b"../../../etc/passwd", found[1], b""))
    new = found[0].replace(found[1], target) if found[1] else found[0]
    new = chance.choice((new, new * 2, new + found[0], b""))
    parts[at] = (name, content[: found.start()] + new + content[found.end() :])
    return f"{name}: {found[0]!r} is {new!r}"


_SURGERIES: Final[tuple[Callable[[Random, Parts, bytes], str], ...]] = (
    _gone,
    _twice,
    _swapped,
    _empty,
    _renamed,
    _nested,
    _many,
    _filled,
    _related,
    _related,
)


def _lie(chance: Random, data: bytes) -> tuple[bytes, str]:
    """Change one field of one header: flags, method, checksum, sizes, offsets."""
    mark, fields = chance.choice(
        (
            (_CENTRAL, ((8, 2), (10, 2), (16, 4), (20, 4), (24, 4), (28, 2), (42, 4))),
            (_LOCAL, ((6, 2), (8, 2), (14, 4), (18, 4), (22, 4), (26, 2), (28, 2))),
        )
    )
    places = [found.start() for found in re.finditer(re.escape(mark), data)]
    if not places:
        raise ValueError
    start = chance.choice(places)
    offset, size = chance.choice(fields)
    number = chance.choice((*_NUMBERS, chance.randrange(2**32))) % 2 ** (8 * size)
    at = start + offset
    lie = struct.pack("<H" if size == 2 else "<I", number)
    return data[:at] + lie + data[at + size :], f"header at {start}: +{offset} {number}"


def _lie_of_64_bits(chance: Random, data: bytes) -> tuple[bytes, str]:
    """Claim sizes of 64 bits: for one part, or for the whole directory."""
    end, start = data.rfind(_END), data.find(_CENTRAL)
    if not 0 <= start < end or len(data) < end + 22:
        raise ValueError
    number = chance.choice((0, 1, 2**32, 2**40, 2**63 - 1, 2**63, 2**64 - 1))
    if chance.random() < 0.5:
        return _wide_directory(chance, data, number), f"a wide directory, {number}"
    return _wide_part(data, start, number), f"a part with wide sizes, {number}"


def _wide_directory(chance: Random, data: bytes, number: int) -> bytes:
    end = data.rfind(_END)
    counts = (chance.choice((1, number)), number, number, chance.choice((0, number)))
    record = struct.pack("<4sQHHII", b"PK\x06\x06", 44, 45, 45, 0, 0)
    record += struct.pack("<QQQQ", *counts)
    where = chance.choice((end, number))
    locator = struct.pack("<4sIQI", b"PK\x06\x07", 0, where, 1)
    wide_end = data[end : end + 8] + b"\xff" * 12 + data[end + 20 :]
    return data[:end] + record + locator + wide_end


def _wide_part(data: bytes, start: int, number: int) -> bytes:
    """Claim sizes of 64 bits for the part that the directory lists at `start`."""
    name_bytes, extra_bytes = struct.unpack_from("<HH", data, start + 28)
    extra = struct.pack("<HHQQQ", 1, 24, number, number, 0)
    head = bytearray(data[start : start + 46])
    struct.pack_into("<II", head, 20, 2**32 - 1, 2**32 - 1)
    struct.pack_into("<H", head, 30, (extra_bytes + len(extra)) % 2**16)
    rest = start + 46 + name_bytes
    tail = bytearray(data[rest:])
    end = tail.rfind(_END)
    (size,) = struct.unpack_from("<I", tail, end + 12)
    struct.pack_into("<I", tail, end + 12, (size + len(extra)) % 2**32)
    return data[:start] + head + data[start + 46 : rest] + extra + tail


def unzip(data: bytes) -> Parts:
    """Give name and content of each part.

    Raises:
        ValueError: The zip is too broken.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return [(each.filename, archive.read(each)) for each in archive.infolist()]
    except Exception as why:
        raise ValueError from why


def zipped(parts: Parts) -> bytes:
    """Make a zip of `parts`, names there twice among them."""
    out = io.BytesIO()
    with warnings.catch_warnings():
        # zipfile warns of names that are there twice.
        warnings.simplefilter("ignore")
        with zipfile.ZipFile(
            out, "w", zipfile.ZIP_DEFLATED, compresslevel=1
        ) as archive:
            for name, content in parts:
                archive.writestr(name, content)
    return out.getvalue()
