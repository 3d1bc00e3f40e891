"""Surgery on the zip that a workbook is, for `fuzz_mutations`."""

from __future__ import annotations

import io
import re
import struct
import warnings
import zipfile
from random import Random
from typing import Final, TypeAlias

Parts: TypeAlias = list[tuple[str, bytes]]

_CENTRAL: Final = b"PK\x01\x02"
_LOCAL: Final = b"PK\x03\x04"
_NUMBERS: Final = (0, 1, 2**15, 2**16 - 1, 2**31 - 1, 2**32 - 1)


def spoil_zip(chance: Random, data: bytes) -> tuple[bytes, str]:
    """Lie in a header, or remove, swap, double, rename, fill or add parts."""
    if chance.random() < 0.5:
        return _lie(chance, data)
    parts = unzip(data)
    first, second = chance.randrange(len(parts)), chance.randrange(len(parts))
    name, content = parts[first]
    match chance.randrange(7):
        case 0:
            parts.pop(first)
            words = f"{name} removed"
        case 1:
            parts.append((name, parts[second][1]))
            words = f"{name} there twice"
        case 2:
            parts[first], parts[second] = (
                (name, parts[second][1]),
                (parts[second][0], content),
            )
            words = f"{name} and {parts[second][0]} swapped"
        case 3:
            parts[first] = (name, b"")
            words = f"{name} empty"
        case 4:
            other = chance.choice((name.upper(), f"../{name}", f"/{name}", name + " "))
            parts[first] = (other.replace("/", chance.choice("/\\")), content)
            words = f"{name} called {other}"
        case 5:
            parts += [
                (f"xl/media/{n}.bin", b"") for n in range(chance.choice((9, 2500)))
            ]
            words = "many parts"
        case _:
            size = chance.choice((10**5, 10**7, 3 * 10**7))
            parts[first] = (name, content + b" " * size)
            words = f"{size} spaces after {name}"
    return zipped(parts), words


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
