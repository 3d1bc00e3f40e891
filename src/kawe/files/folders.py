"""Finds files below one root, and never outside.

Only listed names are opened, and only in folders whose real path is inside the root.
Listings are cached for a run.

A name in the files column is relative to the files folder and stays below it. A name
that is unsafe on one system is refused on every system: workbooks move between them.
"""

import os
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Final, TypeAlias
from urllib.parse import unquote

from pathvalidate import ErrorReason, ValidationError, validate_filename

from kawe.domain.sheet.findings import FILE_OUTSIDE, Remark
from kawe.domain.text.texts import clean
from kawe.files.troubles import shown_name
from kawe.ports import Suggester

ANY_DEPTH: Final = "**"
# Keys, password stores, and kawe's own files.
_SECRET: Final = re.compile(
    r"id_(rsa|dsa|ecdsa|ed25519).*|kawe\.toml"
    r"|.*\.(pem|key|pfx|p12|p8|ppk|kdbx?|jks|keystore|ovpn|env|journal(\.answers)?)"
)
# Tables with other people's rows.
_BY_NAME_ALONE: Final = re.compile(r".*\.(xls[xmb]?|xlt[xm]|ods|csv|tsv|json)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """A name or pattern, in NFC parts."""

    parts: tuple[str, ...]
    away: Remark | None = None
    """Of a place elsewhere: what is said where no copy of it lies here."""

    @property
    def is_pattern(self) -> bool:
        return any(is_pattern(part) for part in self.parts)


_BELOW: Final = (
    "Type the name only, or the folder below the files folder and the name, such "
    "as plans/site plan.pdf; put ; between several."
)


def read_name(text: str) -> Wanted | Remark:
    r"""Read one name; `/` and `\` both separate folders.

    A place elsewhere is read as a copy of it that lies here in the same folders.
    """
    name, away = clean(text).replace("\\", "/"), None
    if re.match(r"https?:/", name, re.IGNORECASE):
        away = f"{shown_name(text)} cannot be used: it is an address. Download the "
        away += "file into the files folder."
        name = clean(unquote(re.split("[?#]", name[6:])[0])).replace(":", "")
    elif re.match(r"/|[A-Za-z]:", name):
        # Without the name: what many rows have is said once, with their names beside.
        away = "That is a place on one computer, not in the files folder."
        name = re.sub("^[A-Za-z]:", "", name)
    read = _read_here(name, shown_name(text))
    if away is None:
        return read
    if isinstance(read, Wanted) and not read.is_pattern:
        return replace(read, away=_refused(away))
    return _refused(away)


def _read_here(name: str, shown: str) -> Wanted | Remark:
    parts = tuple(part for part in name.split("/") if part not in {"", "."})
    if ".." in parts:
        return _refused(f"{shown} leads out of the files folder.")
    if not parts or name.endswith("/"):
        return _refused(f"{shown} names no file.")
    if any(map(is_hidden, parts)):
        return _refused(
            f"{shown} is hidden: it, or its folder, begins with a full stop.",
            "If it is meant, put a copy under another name.",
        )
    for part in parts:
        if problem := _unfit(part):
            return _refused(f"{shown} cannot be used: {problem}")
    return Wanted(parts=parts)


def _refused(message: str, advice: str = _BELOW) -> Remark:
    return Remark(rule=FILE_OUTSIDE, message=message, advice=advice)


def is_pattern(part: str) -> bool:
    """Check that a part is a pattern; `[` is an ordinary letter."""
    return "*" in part or "?" in part


def is_hidden(name: str) -> bool:
    return name.startswith(".")


def is_secret(name: str) -> bool:
    """Check for the name of a file that must not leave this computer."""
    return _SECRET.fullmatch(sameness(name)) is not None


def a_pattern_may_mean(name: str) -> bool:
    return not (is_secret(name) or _BY_NAME_ALONE.fullmatch(sameness(name)))


def matches(part: str, name: str) -> bool:
    """Match `name` with one part of a pattern, without case and normalisation.

    What the library makes of a pattern goes back over its last `*` alone: none is slow.
    """
    pattern = sameness(part).replace("[", "[[]")
    return fnmatchcase(sameness(name), pattern)


def is_exact(name: str, part: str) -> bool:
    return clean(name) == part


def sameness(name: str) -> str:
    """Fold a name as cells are cleaned and a person compares."""
    return unicodedata.normalize("NFC", clean(name).casefold())


def _unfit(part: str) -> str:
    if part == ANY_DEPTH:
        return ""
    try:
        validate_filename(
            re.sub(r"[*?]", "x", part), platform="universal", fs_encoding="utf-8"
        )
    except ValidationError as problem:
        if problem.reason is ErrorReason.RESERVED_NAME:
            return f"{part} is a device on Windows, not a file."
        if problem.reason is ErrorReason.INVALID_LENGTH:
            return "it is too long for a file name."
        return 'no file name holds one of : < > | " or ends in a space or full stop.'
    return ""


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
        """Suggest up to three names below the root: with it in them, else similar."""
        self._questions += 1
        if self._questions > _MOST_QUESTIONS:
            return ()
        last = sameness(wanted.parts[-1])
        by_name: dict[str, list[str]] = {}
        for name in self._remembered():
            by_name.setdefault(sameness(name.rpartition("/")[2]), []).append(name)
        within = [each for each in by_name if len(last) > 2 and last in each]
        close = within or self._suggester.misspelt(last, among=tuple(by_name))
        return tuple(name for each in close for name in by_name[each])[:3]

    def one_with(self, wanted: Sequence[Wanted]) -> Path | None:
        """Find the one folder below the root that has all of `wanted`, if there is."""
        if not (names := [each for each in wanted if not each.is_pattern]):
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
