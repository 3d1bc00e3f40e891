"""This machine: its extras, its disk, and what a scheduler would find here."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import re
import shutil
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from kawe import __version__
from kawe.domain.text.texts import one_line
from kawe.errors import JournalError
from kawe.machine import account_name
from kawe.settings import state_folder
from kawe.toolkit.doctor.signs import Sign, doubtful, fine, sign_of

_LITTLE_BYTES: Final = 200_000_000
_NOTHING_BYTES: Final = 5_000_000
_OF_EXTRA: Final = re.compile(
    r"""^([A-Za-z0-9._-]+).*;\s*extra\s*==\s*["']([a-z]+)["']$"""
)


def machine_signs(environment: Mapping[str, str]) -> Iterator[Sign]:
    """Look at what needs no settings."""
    yield fine(
        "kawe",
        f"version {__version__}, Python {platform.python_version()}, "
        f"{platform.system() or 'an unknown system'}",
    )
    yield from _surroundings(environment)
    yield _extras()
    yield from _disk()


def _surroundings(environment: Mapping[str, str]) -> Iterator[Sign]:
    if sys.stdin is not None and sys.stdin.isatty():
        yield fine("terminal", "there is one, so that a person can be asked")
    else:
        yield fine(
            "terminal",
            "there is none, as under a scheduler: nobody can be asked, and a live "
            "send needs --yes N",
        )
    home = environment.get("HOME") or environment.get("USERPROFILE")
    if home is None or not Path(home).is_dir():
        yield doubtful(
            "home",
            "no home folder is set for this user",
            advice="Set HOME, or kawe looks for settings and journal elsewhere.",
        )
    else:
        yield fine("home", f"{_user()} at home in {one_line(home)}")
    yield _path(environment)
    yield fine("time zone", f"{_zone()}; what counts as today is the day in Auckland")


def _path(environment: Mapping[str, str]) -> Sign:
    found = shutil.which("kawe", path=environment.get("PATH", ""))
    if found is not None:
        return fine("path", f"kawe is found as {found}")
    return doubtful(
        "path",
        "kawe is not found by its name alone here",
        advice="In a schedule, write the whole path: "
        f"{Path(sys.executable).with_name('kawe')}",
    )


def _user() -> str:
    return one_line(account_name()) or "a user without a name"


def _zone() -> str:
    from datetime import datetime  # noqa: PLC0415 - for this line alone

    now = datetime.now().astimezone()
    return f"{now.tzname()} ({now:%z})"


def _extras() -> Sign:
    found = {
        extra: all(map(_is_installed, libraries))
        for extra, libraries in sorted(_libraries_of_extras().items())
    }
    there = [extra for extra, is_there in found.items() if is_there]
    missing = [extra for extra in found if extra not in there]
    words = f"installed: {', '.join(there) or 'none'}"
    if missing:
        words += f"; not installed: {', '.join(missing)}"
    return fine("extras", words)


def _libraries_of_extras() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for line in importlib.metadata.requires("kawe") or ():
        match = _OF_EXTRA.match(line)
        if match is not None and match[1].lower() != "kawe":
            found.setdefault(match[2], []).append(match[1])
    return found


def _is_installed(library: str) -> bool:
    try:
        importlib.metadata.version(library)
    except importlib.metadata.PackageNotFoundError:
        return False
    return True


def _disk() -> Iterator[Sign]:
    for about, folder in (
        ("disk of the journal", nearest_folder(state_folder())),
        ("disk of this folder", Path.cwd()),
    ):
        try:
            free = shutil.disk_usage(folder).free
        except OSError:
            yield doubtful(
                about,
                f"how much room is left in {folder} cannot be told",
                advice="Look for yourself, where workbooks are large.",
            )
            continue
        yield _room(about, free=free, folder=folder)


def _room(about: str, *, free: int, folder: Path) -> Sign:
    words = f"{free / 1e9:.1f} GB free in {folder}"
    if free < _NOTHING_BYTES:
        return sign_of(
            about,
            JournalError(message=f"{words}.", hint="Make room before you submit."),
        )
    if free < _LITTLE_BYTES:
        return doubtful(about, words, advice="Make room before you submit.")
    if not os.access(folder, os.W_OK):
        return doubtful(
            about,
            f"{words}, and you may not write there",
            advice="Work in a folder of your own.",
        )
    return fine(about, words)


def nearest_folder(path: Path) -> Path:
    """Give the folder at `path`, or the nearest one above it that is there."""
    return next((each for each in (path, *path.parents) if each.is_dir()), Path("/"))
