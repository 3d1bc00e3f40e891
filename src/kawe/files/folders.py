"""Finds files below one root, and never outside.

Only listed names are opened, and only in folders whose real path is inside the root.
Listings are cached for a run.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, TypeAlias

from kawe.files.wanted import (
    ANY_DEPTH,
    Wanted,
    is_exact,
    is_hidden,
    is_pattern,
    is_secret,
    matches,
    sameness,
)
from kawe.ports import Suggester

_MOST_VISITED: Final = 20_000
_MOST_REMEMBERED: Final = 2_000
_MOST_QUESTIONS: Final = 300
# Files of the system, which * does not match.
_LITTER: Final = ("thumbs.db", "desktop.ini")


class TooManyFiles(Exception):
    """A pattern matches too many folders."""


# The entries of a folder, by folded name.
_Listing: TypeAlias = Mapping[str, Sequence[Path]]


class Folders:
    """The tree below one root, with a cache."""

    def __init__(self, root: Path, *, suggester: Suggester) -> None:
        self.root = root
        self._suggester = suggester
        self._real_root = Path(os.path.realpath(root))
        self._listings: dict[Path, _Listing] = {}
        self._names: tuple[str, ...] | None = None
        self._questions = 0

    def is_inside(self, path: Path) -> bool:
        """Check that the real path is below the root."""
        try:
            real = path.resolve(strict=True)
        except (OSError, RuntimeError):
            return False
        return real.is_relative_to(self._real_root)

    def is_kept_back(self, real: Path) -> bool:
        """Check for a hidden file, or one that looks like a key."""
        parts = real.relative_to(self._real_root).parts
        return any(map(is_hidden, parts)) or is_secret(real.name)

    def find(self, wanted: Wanted) -> tuple[Path, ...]:
        """Find the files of a name or pattern, sorted by path.

        A name gives the exact file, else all that differ in case or normalisation.

        Raises:
            TooManyFiles: A pattern matches too many folders.
        """
        found = [self.root]
        for at, part in enumerate(wanted.parts):
            is_last = at == len(wanted.parts) - 1
            found = [
                path
                for folder in found
                for path in self._step(folder, part, is_last=is_last)
            ]
            if len(found) > _MOST_VISITED:
                raise TooManyFiles
        return tuple(sorted(set(found)))

    def near(self, wanted: Wanted) -> tuple[str, ...]:
        """Suggest up to three similar names below the root."""
        self._questions += 1
        if self._questions > _MOST_QUESTIONS:
            return ()
        last = sameness(wanted.parts[-1])
        by_name: dict[str, list[str]] = {}
        for name in self._remembered():
            by_name.setdefault(sameness(name.rpartition("/")[2]), []).append(name)
        close = self._suggester.misspelt(last, among=tuple(by_name))
        return tuple(name for each in close for name in by_name[each])[:3]

    def one_with(self, wanted: Sequence[Wanted]) -> Path | None:
        """Find the one folder below the root that has all of `wanted`, if there is."""
        names = [each for each in wanted if not each.is_pattern]
        if not names:
            return None
        parts = [sameness(part) for part in names[0].parts]
        holding = []
        for name in self._remembered():
            above = name.split("/")
            inside, last = above[: -len(parts)], above[-len(parts) :]
            if inside and [sameness(part) for part in last] == parts:
                holding.append(self.root.joinpath(*inside))
        for each in wanted:
            holding = [folder for folder in holding if self._has(folder, each)]
        return holding[0] if len(set(holding)) == 1 else None

    def _has(self, folder: Path, wanted: Wanted) -> bool:
        inner = (*folder.relative_to(self.root).parts, *wanted.parts)
        try:
            return bool(self.find(Wanted(parts=inner)))
        except TooManyFiles:
            return False

    def _step(self, folder: Path, part: str, *, is_last: bool) -> Iterator[Path]:
        if part == ANY_DEPTH:
            yield from self._all_below(folder, files=is_last)
        elif is_pattern(part):
            for path in self._entries(folder):
                if not _is_litter(path.name) and matches(part, path.name):
                    yield path
        else:
            same = self._list(folder).get(sameness(part), ())
            exact = [path for path in same if is_exact(path.name, part)]
            yield from exact if len(exact) == 1 else same

    def _all_below(self, folder: Path, *, files: bool) -> Iterator[Path]:
        """Walk all folders below `folder`, itself first, without links."""
        waiting, visited = [folder], 0
        while waiting:
            here = waiting.pop()
            if not files:
                yield here
            for path in self._entries(here):
                visited += 1
                if visited > _MOST_VISITED:
                    raise TooManyFiles
                if _is_litter(path.name):
                    continue
                if path.is_dir() and not path.is_symlink():
                    waiting.append(path)
                elif files:
                    yield path

    def _entries(self, folder: Path) -> Iterator[Path]:
        for paths in self._list(folder).values():
            yield from paths

    def _list(self, folder: Path) -> _Listing:
        if folder not in self._listings:
            self._listings[folder] = self._listed(folder)
        return self._listings[folder]

    def _listed(self, folder: Path) -> _Listing:
        if not self.is_inside(folder):
            return {}
        listing: dict[str, list[Path]] = {}
        try:
            with os.scandir(folder) as entries:
                for entry in entries:
                    same = listing.setdefault(sameness(entry.name), [])
                    same.append(folder / entry.name)
        except OSError:
            return {}
        return listing

    def _remembered(self) -> Sequence[str]:
        if self._names is None:
            names: list[str] = []
            try:
                for path in self._all_below(self.root, files=True):
                    names.append(path.relative_to(self.root).as_posix())
                    if len(names) >= _MOST_REMEMBERED:
                        break
            except TooManyFiles:
                pass
            self._names = tuple(sorted(names))
        return self._names


def _is_litter(name: str) -> bool:
    return is_hidden(name) or name.startswith("~$") or name.casefold() in _LITTER
