"""What a disk may hold when the power goes, of what a process asked of it.

The rules are the strict ones of POSIX, stricter than any common disk: bytes
are kept for certain once their file was synced, names once their folder was.
Until then each write, each sector of a write and each name may be there or
not, whatever was asked later.
"""

from __future__ import annotations

import random
import shutil
import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from itertools import product
from pathlib import Path, PurePosixPath
from typing import Final, TypeAlias

_HEAD: Final = struct.Struct("=4IQ")
_SECTORS: Final = (512, 4096)
EMPTIED: Final = 2
"""The flag of a file that was there and was opened to be written anew."""


class Kind(IntEnum):
    """What a process asks of its disk and the world, by the numbers of io_shim.c."""

    WRITE = 0
    FSYNC = 1
    OPEN = 2
    RENAME = 3
    FTRUNCATE = 4
    UNLINK = 5
    MKDIR = 6
    SEND = 8
    """A request that changes something has left; of faults, only to die at."""
    SAY = 9
    """Only in a log."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """One thing that a process asked for, in the order of the asking."""

    asked: Kind
    path: str
    offset: int
    flags: int
    data: bytes


def read_log(path: Path) -> list[Record]:
    """Read what the shim wrote."""
    raw, at, records = path.read_bytes(), 0, []
    while at < len(raw):
        kind, path_bytes, data_bytes, flags, offset = _HEAD.unpack_from(raw, at)
        at += _HEAD.size
        name = raw[at : at + path_bytes].decode()
        data = raw[at + path_bytes : at + path_bytes + data_bytes]
        at += path_bytes + data_bytes
        records.append(
            Record(asked=Kind(kind), path=name, offset=offset, flags=flags, data=data)
        )
    return records


@dataclass(frozen=True, slots=True)
class _Bytes:
    """A write that was not synced, or a change of length where `data` is None."""

    offset: int
    data: bytes | None

    def parts(self, sector: int) -> list[_Bytes]:
        """Cut at the sectors that a disk writes whole."""
        if self.data is None:
            return [self]
        cuts, at = [self.offset], self.offset
        end = self.offset + len(self.data)
        while (at := (at // sector + 1) * sector) < end:
            cuts.append(at)
        return [
            _Bytes(cut, self.data[cut - self.offset : after - self.offset])
            for cut, after in zip(cuts, [*cuts[1:], end], strict=True)
        ]


@dataclass(frozen=True, slots=True)
class _Name:
    """A name that was given, or taken away where `file` is None."""

    path: str
    file: int | None
    before: str | None = None
    """Where the file was renamed: the name that it loses with this."""


@dataclass(slots=True)
class _File:
    is_folder: bool = False
    kept: bytes = b""
    loose: list[_Bytes] = field(default_factory=list)


State: TypeAlias = dict[str, bytes | None]
"""Every path and its bytes; None for a folder."""


class Disk:
    """A disk, as far as one folder goes."""

    def __init__(self, folder: Path) -> None:
        """Take what is below `folder` now for what is kept."""
        self._root = str(folder)
        self._files: list[_File] = []
        self._kept: dict[str, int] = {}
        self._seen: dict[str, int] = {}
        self._loose: list[_Name] = []
        for path in (folder, *sorted(folder.rglob("*"))):
            data = None if path.is_dir() else path.read_bytes()
            self._kept[str(path)] = self._new(data)
        self._seen = dict(self._kept)

    def _new(self, data: bytes | None) -> int:
        self._files.append(_File(is_folder=data is None, kept=data or b""))
        return len(self._files) - 1

    def take(self, record: Record) -> None:
        """Let the process ask for one thing more."""
        path = record.path
        match record.asked:
            case Kind.OPEN | Kind.MKDIR if record.flags != EMPTIED:
                is_folder = record.asked is Kind.MKDIR
                self._name(path, self._new(None if is_folder else b""))
            case Kind.UNLINK:
                self._name(path, None)
            case Kind.RENAME:
                self._name(record.data.decode(), self._seen[path], path)
            # A file that was unlinked while it was open can hold nothing for
            # anyone.
            case Kind.FSYNC if path in self._seen:
                self._sync(path)
            case Kind.WRITE if path in self._seen:
                self._change(path, _Bytes(record.offset, record.data))
            case Kind.OPEN | Kind.FTRUNCATE if path in self._seen:
                self._change(path, _Bytes(record.offset, None))
            case _:
                pass

    def _change(self, path: str, change: _Bytes) -> None:
        self._files[self._seen[path]].loose.append(change)

    def _name(self, path: str, file: int | None, before: str | None = None) -> None:
        name = _Name(path, file, before)
        self._loose.append(name)
        _give(self._seen, name)

    def _sync(self, path: str) -> None:
        file = self._files[self._seen[path]]
        if not file.is_folder:
            file.kept = _written(file.kept, file.loose)
            file.loose = []
            return
        later = []
        for name in self._loose:
            if str(PurePosixPath(name.path).parent) == path:
                _give(self._kept, name)
            else:
                later.append(name)
        self._loose = later

    def states(self, chance: random.Random, *, most: int) -> Iterator[State]:
        """Give the states that a power loss just now may leave.

        All of them where these are at most `most`; else those with nothing of
        what is unsynced, all of it, all but one thing, and chosen by chance.
        """
        sector = chance.choice(_SECTORS)
        files = [n for n, each in enumerate(self._files) if each.loose]
        parts: list[tuple[int, _Bytes] | _Name] = [*self._loose]
        parts += [
            (number, part)
            for number in files
            for change in self._files[number].loose
            for part in change.parts(sector)
        ]
        for chosen in _choices(len(parts), chance, most=most):
            yield self._state(
                [p for p, is_in in zip(parts, chosen, strict=True) if is_in]
            )

    def whole(self) -> State:
        """Give the state with everything that was asked for."""
        files: list[tuple[int, _Bytes] | _Name] = [
            (number, change)
            for number, each in enumerate(self._files)
            for change in each.loose
        ]
        return self._state([*self._loose, *files])

    def bare(self) -> State:
        """Give the state with nothing but what was synced."""
        return self._state([])

    def _state(self, parts: Sequence[tuple[int, _Bytes] | _Name]) -> State:
        names = dict(self._kept)
        changes: dict[int, list[_Bytes]] = {}
        for part in parts:
            if isinstance(part, _Name):
                _give(names, part)
            else:
                changes.setdefault(part[0], []).append(part[1])
        state: State = {}
        for path in sorted(names):
            file = self._files[names[path]]
            parent = str(PurePosixPath(path).parent)
            if path != self._root and parent not in state:
                # Its folder did not last, and nobody finds it any more.
                continue
            data = _written(file.kept, changes.get(names[path], ()))
            state[path] = None if file.is_folder else data
        return state


def _give(names: dict[str, int], name: _Name) -> None:
    if name.before is not None:
        names.pop(name.before, None)
    if name.file is None:
        names.pop(name.path, None)
    else:
        names[name.path] = name.file


def _written(kept: bytes, changes: Sequence[_Bytes]) -> bytes:
    data = bytearray(kept)
    for change in changes:
        if change.data is None:
            del data[change.offset :]
        data.extend(bytes(max(0, change.offset - len(data))))
        if change.data is not None:
            data[change.offset : change.offset + len(change.data)] = change.data
    return bytes(data)


def _choices(
    number: int, chance: random.Random, *, most: int
) -> Iterator[Sequence[bool]]:
    if 2**number <= most:
        yield from product((False, True), repeat=number)
        return
    yield [False] * number
    yield [True] * number
    lost = chance.randrange(number)
    yield [each != lost for each in range(number)]
    for _ in range(most - 3):
        reach, share = chance.randrange(1, number + 1), chance.choice((0.2, 0.5, 1.0))
        yield [each < reach and chance.random() < share for each in range(number)]


def put(state: State, *, into: Path, of: Path) -> None:
    """Write a state of the folder `of` to the disk, in place of all at `into`."""
    shutil.rmtree(into, ignore_errors=True)
    for name, data in sorted(state.items()):
        path = into / Path(name).relative_to(of)
        if data is None:
            path.mkdir(mode=0o700, parents=True)
        else:
            path.write_bytes(data)
            path.chmod(0o600)
