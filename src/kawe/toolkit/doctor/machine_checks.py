"""Checks of this machine: extras, disk, environment, journal."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import re
import shutil
import sys
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final

from kawe import __version__
from kawe.domain.service.service_words import Account
from kawe.domain.text.counts import counted
from kawe.domain.text.texts import one_line
from kawe.errors import JournalError, JournalForeign, JournalLocked
from kawe.journal.journal import StoreJournal
from kawe.journal.store.location import check_location
from kawe.journal.store.lock import WriterLock
from kawe.machine import account_name
from kawe.machine.installation import Installation
from kawe.settings import Settings, state_folder
from kawe.toolkit.doctor.checks import DoctorCheck, check_of, seen

_LITTLE_BYTES: Final = 200_000_000
_NOTHING_BYTES: Final = 5_000_000
_MAKE_ROOM: Final = "Make room before you submit."
_OF_EXTRA: Final = re.compile(
    r"""^([A-Za-z0-9._-]+).*;\s*extra\s*==\s*["']([a-z]+)["']$"""
)


def machine_checks(environment: Mapping[str, str]) -> Iterator[DoctorCheck]:
    """Check what needs no settings."""
    yield seen(
        "kawe",
        f"version {__version__}, Python {platform.python_version()}, "
        f"{platform.system() or 'an unknown system'}",
    )
    yield from _environment(environment)
    yield _extras()
    yield from _disk()


def _environment(environment: Mapping[str, str]) -> Iterator[DoctorCheck]:
    from datetime import datetime  # noqa: PLC0415 - for one line alone

    words = "there is one, so that a person can be asked"
    if sys.stdin is None or not sys.stdin.isatty():
        words = "there is none, as under a scheduler: nobody can be asked, and a live "
        words += "send needs --yes N"
    yield seen("terminal", words)
    home = environment.get("HOME") or environment.get("USERPROFILE")
    if home is None or not Path(home).is_dir():
        advice = "Set HOME, or kawe looks for settings and journal elsewhere."
        yield seen("home", "no home folder is set for this user", advice)
    else:
        user = one_line(account_name()) or "a user without a name"
        yield seen("home", f"{user} at home in {one_line(home)}")
    yield _path(environment)
    now = datetime.now().astimezone()
    zone = f"{now.tzname()} ({now:%z})"
    yield seen("time zone", f"{zone}; what counts as today is the day in Auckland")


def _path(environment: Mapping[str, str]) -> DoctorCheck:
    found = shutil.which("kawe", path=environment.get("PATH", ""))
    here = replace(Installation.here(), search_path=environment.get("PATH", ""))
    if found is not None and here.is_own(found):
        return seen("path", f"kawe is found as {found}")
    words = "kawe is not found by its name alone here"
    if found is not None:
        words = f"the name kawe means another one here, {one_line(found)}"
    advice = f"Type the whole path, also in a schedule: {here.command()}"
    return seen("path", words, advice)


def _extras() -> DoctorCheck:
    found = {
        extra: all(map(_is_installed, libraries))
        for extra, libraries in sorted(_libraries_of_extras().items())
    }
    there = ", ".join(extra for extra in found if found[extra]) or "none"
    missing = ", ".join(extra for extra in found if not found[extra])
    rest = f"; not installed: {missing}" if missing else ""
    return seen("extras", f"installed: {there}{rest}")


def _libraries_of_extras() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for line in importlib.metadata.requires("kawe") or ():
        match = _OF_EXTRA.match(line)
        # `all` is the others together.
        if match is not None and match[2] != "all":
            found.setdefault(match[2], []).append(match[1])
    return found


def _is_installed(library: str) -> bool:
    try:
        importlib.metadata.version(library)
    except importlib.metadata.PackageNotFoundError:
        return False
    return True


def _disk() -> Iterator[DoctorCheck]:
    for about, folder in (
        ("disk of the journal", _nearest_folder(state_folder())),
        ("disk of this folder", Path.cwd()),
    ):
        try:
            free = shutil.disk_usage(folder).free
        except OSError:
            words = f"how much room is left in {folder} cannot be told"
            yield seen(about, words, "Look for yourself, where workbooks are large.")
        else:
            yield _room(about, free=free, folder=folder)


def _room(about: str, *, free: int, folder: Path) -> DoctorCheck:
    words, hint = f"{free / 1e9:.1f} GB free in {folder}", _MAKE_ROOM
    if free < _NOTHING_BYTES:
        return check_of(about, JournalError(message=f"{words}.", hint=hint))
    if free < _LITTLE_BYTES:
        return seen(about, words, hint)
    if os.access(folder, os.W_OK):
        return seen(about, words)
    words += ", and you may not write there"
    return seen(about, words, "Work in a folder of your own.")


async def journal_checks(
    settings: Settings, *, account: Account | None, mode: str | None
) -> list[DoctorCheck]:
    """Check the journal; `account` is the key's, where known."""
    path = settings.journal_path()
    try:
        check_location(path)
        if path.exists():
            whole = await _whole(settings, account=account, mode=mode)
            return [whole, _lock(path)]
    except JournalError as trouble:
        return [check_of("journal", trouble)]
    folder = _nearest_folder(path.parent)
    if os.access(folder, os.W_OK):
        return [seen("journal", f"none yet; the first submit begins it at {path}")]
    message = f"There is none yet, and you may not write in {folder}."
    hint = "Choose a folder of your own with --journal."
    return [check_of("journal", JournalError(message=message, hint=hint))]


async def _whole(
    settings: Settings, *, account: Account | None, mode: str | None
) -> DoctorCheck:
    path = settings.journal_path()
    journal = StoreJournal.open(path, read_only=True)
    try:
        binding, batches = await journal.binding(), await journal.batches()
    finally:
        await journal.close()
    size = f"{path.stat().st_size / 1e6:.1f} MB"
    words = f"{path}, {size}, {counted(len(batches), 'batch', 'batches')}, readable"
    if binding is None:
        return seen("journal", f"{words}, of no account yet")
    whose = f"{one_line(binding.team_name)}, {binding.mode}"
    if account is None or mode is None:
        return seen("journal", f"{words}, of {whose}")
    here = (settings.service_url(), account.team_id, mode)
    if here == (binding.base_url, binding.team_id, binding.mode):
        return seen("journal", f"{words}, of this same account ({whose})")
    message = f"{path} belongs to {whose} at {binding.base_url}, not to the account "
    message += "of this key."
    hint = "Choose another one with --journal, or use that account's key."
    return check_of("journal", JournalForeign(message=message, hint=hint))


def _lock(path: Path) -> DoctorCheck:
    try:
        WriterLock(path).release()
    except JournalLocked as taken:
        return seen("journal's lock", taken.message, taken.hint)
    return seen("journal's lock", "free: no other kawe is writing")


def _nearest_folder(path: Path) -> Path:
    return next((each for each in (path, *path.parents) if each.is_dir()), Path("/"))
