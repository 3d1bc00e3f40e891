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
from kawe.domain.rows.entries import Binding
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
from kawe.toolkit.doctor.checks import DoctorCheck, check_of, doubtful, fine

_LITTLE_BYTES: Final = 200_000_000
_NOTHING_BYTES: Final = 5_000_000
_OF_EXTRA: Final = re.compile(
    r"""^([A-Za-z0-9._-]+).*;\s*extra\s*==\s*["']([a-z]+)["']$"""
)


def machine_checks(environment: Mapping[str, str]) -> Iterator[DoctorCheck]:
    """Check what needs no settings."""
    yield fine(
        "kawe",
        f"version {__version__}, Python {platform.python_version()}, "
        f"{platform.system() or 'an unknown system'}",
    )
    yield from _environment(environment)
    yield _extras()
    yield from _disk()


def _environment(environment: Mapping[str, str]) -> Iterator[DoctorCheck]:
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


def _path(environment: Mapping[str, str]) -> DoctorCheck:
    found = shutil.which("kawe", path=environment.get("PATH", ""))
    here = replace(Installation.here(), search_path=environment.get("PATH", ""))
    if found is not None and here.is_own(found):
        return fine("path", f"kawe is found as {found}")
    words = "kawe is not found by its name alone here"
    if found is not None:
        words = f"the name kawe means another one here, {one_line(found)}"
    return doubtful(
        "path",
        words,
        advice=f"Type the whole path, also in a schedule: {here.command()}",
    )


def _user() -> str:
    return one_line(account_name()) or "a user without a name"


def _zone() -> str:
    from datetime import datetime  # noqa: PLC0415 - for this line alone

    now = datetime.now().astimezone()
    return f"{now.tzname()} ({now:%z})"


def _extras() -> DoctorCheck:
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
            yield doubtful(
                about,
                f"how much room is left in {folder} cannot be told",
                advice="Look for yourself, where workbooks are large.",
            )
            continue
        yield _room(about, free=free, folder=folder)


def _room(about: str, *, free: int, folder: Path) -> DoctorCheck:
    words = f"{free / 1e9:.1f} GB free in {folder}"
    if free < _NOTHING_BYTES:
        return check_of(
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


async def journal_checks(
    settings: Settings, *, account: Account | None, mode: str | None
) -> list[DoctorCheck]:
    """Check the journal; `account` is the key's, where known."""
    path = settings.journal_path()
    try:
        check_location(path)
    except JournalError as trouble:
        return [check_of("journal", trouble)]
    if not path.exists():
        return [_not_begun(settings)]
    try:
        return [await _whole(settings, account=account, mode=mode), *_lock(settings)]
    except JournalError as trouble:
        return [check_of("journal", trouble)]


def _not_begun(settings: Settings) -> DoctorCheck:
    path = settings.journal_path()
    folder = _nearest_folder(path.parent)
    if not os.access(folder, os.W_OK):
        return check_of(
            "journal",
            JournalError(
                message=f"There is none yet, and you may not write in {folder}.",
                hint="Choose a folder of your own with --journal.",
            ),
        )
    return fine("journal", f"none yet; the first submit begins it at {path}")


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
        return fine("journal", f"{words}, of no account yet")
    whose = f"{one_line(binding.team_name)}, {binding.mode}"
    if account is None or mode is None:
        return fine("journal", f"{words}, of {whose}")
    if _is_same(binding, account=account, mode=mode, url=settings.service_url()):
        return fine("journal", f"{words}, of this same account ({whose})")
    return check_of(
        "journal",
        JournalForeign(
            message=f"{path} belongs to {whose} at {binding.base_url}, not to the "
            "account of this key.",
            hint="Choose another one with --journal, or use that account's key.",
        ),
    )


def _is_same(binding: Binding, *, account: Account, mode: str, url: str) -> bool:
    found = (binding.base_url, binding.team_id, binding.mode)
    return found == (url, account.team_id, mode)


def _lock(settings: Settings) -> Iterator[DoctorCheck]:
    try:
        WriterLock(settings.journal_path()).release()
    except JournalLocked as taken:
        yield doubtful("journal's lock", taken.message, advice=taken.hint)
    else:
        yield fine("journal's lock", "free: no other kawe is writing")


def _nearest_folder(path: Path) -> Path:
    return next((each for each in (path, *path.parents) if each.is_dir()), Path("/"))
