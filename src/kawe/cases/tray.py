"""Attachments that a person puts in one by one, beside those of a folder.

A browser gives a file without its folders. So the last part of a name counts, where it
means one file and one place. What rows name of the folder is copied into the tray.
"""

import os
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from itertools import islice
from pathlib import Path
from typing import Final

from kawe.domain.sheet.content import Attachment
from kawe.domain.sheet.findings import FILE_MISSING, FILE_OUTSIDE, Problems
from kawe.durable import make_folder
from kawe.files.folders import Wanted, is_hidden, is_pattern, read_name, sameness

LOOKS: Final = 3
"""Files that were put where rows look for them are looked for again."""
_MOST: Final = 5_000
"""So many files of a folder are looked at."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tray:
    """The files for rows: found, missing, and those of no row that is ready."""

    found: tuple[str, ...]
    missing: tuple[str, ...]
    unused: tuple[str, ...]


def tray_of(
    folder: Path, attached: Sequence[tuple[int, Attachment]], problems: Problems
) -> Tray:
    """Say which files of a folder belong to rows, and which names lack one."""
    used = {each.path for _, each in attached}
    return Tray(
        found=tuple(sorted({each.name for _, each in attached})),
        missing=missing_names(problems),
        unused=tuple(e.name for e in files_in(folder) if e.resolve() not in used),
    )


def missing_names(problems: Problems) -> tuple[str, ...]:
    """List the names in the sheet for which there is no file."""
    named = ((each.first.rule, name) for each in problems for name in each.values)
    return tuple(dict.fromkeys(name for rule, name in named if _is_lacking(rule, name)))


def _is_lacking(rule: str, name: str) -> bool:
    # A place elsewhere is asked for as a copy of it.
    is_away = rule == FILE_OUTSIDE and getattr(read_name(name), "away", None)
    return rule == FILE_MISSING or bool(is_away)


def gather(tray: Path, folder: Path | None, missing: Sequence[str]) -> bool:
    """Put files where rows look for them: from the tray's top, and from a folder.

    True: something moved, and the workbook is to be checked again.
    """
    tops = [each for each in files_in(tray) if each.parent == tray]
    moved = [(each, to) for each, to in _places(tops, missing, root=tray, tray=tray)]
    for file, place in moved:
        make_folder(place.parent)
        file.replace(place)
    if folder is None:
        return bool(moved)
    copied = dict(_places([*files_in(folder)], missing, root=folder, tray=tray))
    for kept in files_in(tray):
        of_folder = folder / kept.relative_to(tray)
        # A file that was changed in the folder since takes the place of its copy.
        if of_folder.is_file() and of_folder.stat().st_mtime > kept.stat().st_mtime:
            copied[of_folder] = kept
    for file, place in copied.items():
        make_folder(place.parent)
        shutil.copy2(file, place)
    return bool(moved or copied)


def _places(
    files: Sequence[Path], missing: Sequence[str], *, root: Path, tray: Path
) -> Iterator[tuple[Path, Path]]:
    """Pair each file with the one place where a name in the sheet looks for it."""
    found: dict[Path, set[Path]] = {}
    read = [each for each in map(read_name, missing) if isinstance(each, Wanted)]
    for wanted in sorted(read, key=lambda each: each.is_pattern):
        if any(map(is_pattern, wanted.parts[:-1])):
            continue
        last, home = sameness(wanted.parts[-1]), Path(*wanted.parts[:-1])
        alike = [each for each in files if fnmatchcase(sameness(each.name), last)]
        exact = [e for e in alike if e.parent.relative_to(root) == home]
        # A file that goes by its own name is meant by no pattern.
        meant = [e for e in exact or alike if not wanted.is_pattern or e not in found]
        if len(meant) == 1 or wanted.is_pattern:
            for each in meant:
                found.setdefault(each, set()).add(tray / home / each.name)
    for file, places in found.items():
        place, *others = places
        if not others and file != place:
            yield file, place


def files_in(folder: Path) -> Iterator[Path]:
    """List the ordinary files of a folder and of those in it; no link is followed."""
    found = (
        Path(place, name)
        for place, _, names in os.walk(folder)
        for name in sorted(names)
        if not is_hidden(name)
    )
    return (each for each in islice(found, _MOST) if not each.is_symlink())
