"""Bugs that kawe must never have, kept as patches, and the tests that catch them.

A patch is a unified diff below one sentence: which promise it breaks, and how.
It is found in the code by its words and not by its line numbers, so that it
goes on fitting while the code around it changes.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[3]
HERE: Final = Path(__file__).resolve().parent
_FIRST_LINE: Final = re.compile(r"Breaks promise ([1-4]): (.+\.)")


class Misfit(Exception):
    """A patch does not fit the code of today."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bug:
    """One known-bad patch."""

    name: str
    promise: int
    words: str
    """What it does wrong, in one sentence."""
    patch: str
    caught_by: tuple[str, ...]
    """Tests, as pytest names them, of which at least one must fail."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hunk:
    """One place of one file, as it was and as the bug would have it."""

    path: str
    before: str
    after: str


def bugs() -> tuple[Bug, ...]:
    """Read all patches; each needs its line in the list of who catches it.

    Raises:
        Misfit: A patch has no first line, or patches and list differ.
    """
    listed = tomllib.loads((HERE / "caught_by.toml").read_text("utf-8"))
    patches = {path.stem: path for path in sorted(HERE.glob("*.patch"))}
    if listed.keys() != patches.keys():
        raise Misfit(f"listed or kept alone: {listed.keys() ^ patches.keys()}")
    return tuple(
        bug_of(name, path.read_text("utf-8"), caught_by=tuple(listed[name]))
        for name, path in patches.items()
    )


def bug_of(name: str, patch: str, *, caught_by: tuple[str, ...]) -> Bug:
    """Make a bug of the text of its patch.

    Raises:
        Misfit: Its first line does not say which promise it breaks.
    """
    said = _FIRST_LINE.fullmatch(patch.partition("\n")[0])
    if said is None:
        raise Misfit(f"{name} does not say which promise it breaks")
    return Bug(
        name=name, promise=int(said[1]), words=said[2], patch=patch, caught_by=caught_by
    )


def spoilt(bug: Bug, *, root: Path) -> dict[str, str]:
    """Give the files that the bug changes, below `root`, as they are with it.

    Raises:
        Misfit: What it changes does not stand there, or stands there twice.
    """
    texts: dict[str, str] = {}
    for hunk in hunks(bug.patch):
        path = root / hunk.path
        if not path.is_file():
            raise Misfit(f"{bug.name}: there is no {hunk.path}")
        text = texts.setdefault(hunk.path, path.read_text("utf-8"))
        if (times := text.count(hunk.before)) != 1:
            raise Misfit(
                f"{bug.name}: what it changes in {hunk.path} stands there {times} times"
            )
        texts[hunk.path] = text.replace(hunk.before, hunk.after)
    if not texts:
        raise Misfit(f"{bug.name} changes nothing")
    return texts


def hunks(patch: str) -> Iterator[Hunk]:
    """Take a unified diff apart."""
    path, before, after = "", "", ""
    for line in patch.splitlines(keepends=True):
        if line.startswith(("--- ", "+++ ", "@@")):
            if before:
                yield Hunk(path=path, before=before, after=after)
            before = after = ""
            if line.startswith("+++ "):
                path = line.removeprefix("+++ b/").strip()
        elif path and line[0] in " -+":
            before += line[1:] if line[0] in " -" else ""
            after += line[1:] if line[0] in " +" else ""
    if before:
        yield Hunk(path=path, before=before, after=after)
