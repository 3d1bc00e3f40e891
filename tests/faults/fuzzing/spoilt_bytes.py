"""Changes to the bytes of any file, for `mutations`."""

from __future__ import annotations

from random import Random


def spoil_bytes(chance: Random, data: bytes) -> tuple[bytes, str]:
    return chance.choice((_flip, _truncate, _cut, _repeat, _insert))(chance, data)


def _flip(chance: Random, data: bytes) -> tuple[bytes, str]:
    spoiled = bytearray(data)
    places = [chance.randrange(len(data)) for _ in range(chance.choice((1, 3, 30)))]
    for at in places:
        spoiled[at] = chance.randrange(256)
    return bytes(spoiled), f"bytes changed at {places[:5]}"


def _truncate(chance: Random, data: bytes) -> tuple[bytes, str]:
    at = chance.randrange(len(data))
    return data[: at + 1], f"cut off after {at + 1} bytes"


def _cut(chance: Random, data: bytes) -> tuple[bytes, str]:
    at, size = chance.randrange(len(data)), chance.randrange(1, 500)
    return data[:at] + data[at + size :] or b"P", f"{size} bytes removed at {at}"


def _repeat(chance: Random, data: bytes) -> tuple[bytes, str]:
    at, size = chance.randrange(len(data)), chance.randrange(1, 2_000)
    return data[: at + size] + data[at:], f"{size} bytes repeated at {at}"


def _insert(chance: Random, data: bytes) -> tuple[bytes, str]:
    at, size = chance.randrange(len(data) + 1), chance.randrange(1, 100)
    put_in = chance.randbytes(size)
    return data[:at] + put_in + data[at:], f"{size} bytes put in at {at}"
