"""Ways to spoil a CSV file, for `mutations`."""

from __future__ import annotations

import codecs
from random import Random
from typing import Final

from faults.fuzzing.spoilt_bytes import spoil_bytes
from faults.fuzzing.values import VALUES

_ENCODINGS: Final = (
    *("utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"),
    *("cp1252", "cp850", "mac_roman", "shift_jis", "utf-7"),
)
_BOMS: Final = (codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_MARKS: Final = ('"', '""', '"""', ",", ";", "\t", "\r", "\n", "\x00", "\x1a", "\\")
_ENDS: Final = ("\n", "\r", "\r\n", "\n\r", "\x0b", "\u2028", "\x85", "")


def spoil_csv(chance: Random, data: bytes) -> tuple[bytes, str]:
    """Change the text of a CSV file, how it is stored, or its bytes."""
    match chance.randrange(4):
        case 0:
            return spoil_bytes(chance, data)
        case 1:
            return _stored(chance, data)
        case 2:
            return _cells(chance, data)
        case _:
            return _marks(chance, data)


def _text(data: bytes) -> str:
    return data.decode("utf-8-sig", "surrogateescape")


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape") or b"\n"


def _stored(chance: Random, data: bytes) -> tuple[bytes, str]:
    """Store it in another encoding, or with another's mark."""
    if chance.random() < 0.3:
        mark = chance.choice(_BOMS)
        return mark * chance.choice((1, 2)) + data, f"begins with {mark.hex()}"
    encoding = chance.choice(_ENCODINGS)
    text = _text(data).encode("utf-8", "replace").decode("utf-8", "replace")
    return text.encode(encoding, "replace") or b"\n", f"stored as {encoding}"


def _cells(chance: Random, data: bytes) -> tuple[bytes, str]:
    """Put a value, many cells, or many rows somewhere."""
    text = _text(data)
    at = chance.randrange(len(text) + 1)
    match chance.randrange(4):
        case 0:
            new = chance.choice(VALUES).replace("\udcff", "\ufffd")
        case 1:
            new = chance.choice(",;\t") * chance.choice((10, 201, 100_000))
        case 2:
            # All of them wrong: what more of them take is a matter of speed.
            new = chance.choice(("\n", ",\n", "a\n", "a,b\r\n")) * 1_000
        case _:
            new = "x" * chance.choice((32_767, 131_072, 200_000, 5_000_000))
    words = f"{len(new)} characters {new[:10]!r} put in at {at}"
    return _bytes(text[:at] + new + text[at:]), words


def _marks(chance: Random, data: bytes) -> tuple[bytes, str]:
    """Put in or change quotation marks, delimiters and ends of lines."""
    text = _text(data)
    match chance.randrange(4):
        case 0:
            old, new = chance.choice(',;\t"'), chance.choice(_MARKS)
            return _bytes(text.replace(old, new)), f"every {old!r} now {new!r}"
        case 1:
            end = chance.choice(_ENDS)
            lines = text.splitlines()
            return _bytes(end.join(lines)), f"lines end with {end!r}"
        case 2:
            mark = chance.choice((",", ";", "|", "x", "", "\t"))
            said = f"sep={mark}\r\n"
            return _bytes(said + text), f"begins with {said!r}"
        case _:
            at = chance.randrange(len(text) + 1)
            mark = chance.choice(_MARKS)
            return _bytes(text[:at] + mark + text[at:]), f"{mark!r} put in at {at}"
