"""The result of one check of `kawe doctor`; and the checks of this machine."""

import os
import platform
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import aclosing
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import Final, TypeAlias

from kawe import __version__
from kawe.domain.batch.journal_servers import JournalPlace
from kawe.domain.service.service_words import Account
from kawe.domain.text.next_steps import Given
from kawe.domain.text.texts import counted, one_line
from kawe.errors import JournalError, JournalForeign, KaweError
from kawe.journal.journal import StoreJournal
from kawe.journal.store.faults import in_use
from kawe.journal.store.location import check_location, lent_as
from kawe.journal.store.places import is_there, writer_at
from kawe.machine import account_name
from kawe.machine.installation import Installation
from kawe.settings.values import Settings


class Grade(StrEnum):
    """How a check ended."""

    OK = "ok"
    WARNING = "warning"
    TROUBLE = "trouble"


@dataclass(frozen=True, slots=True, kw_only=True)
class DoctorCheck:
    """What was checked, its grade, and what to do."""

    about: str
    grade: Grade
    words: str
    advice: str = ""
    trouble: KaweError | None = None
    """The error that a run would end with."""

    def as_json(self) -> dict[str, str]:
        return {
            name: str(getattr(self, name))
            for name in ("about", "grade", "words", "advice")
        }


def seen(about: str, words: str, advice: str = "") -> DoctorCheck:
    """Make a check that is fine, or with advice one that a person should read."""
    grade = Grade.WARNING if advice else Grade.OK
    return DoctorCheck(about=about, grade=grade, words=words, advice=advice)


Said: TypeAlias = str | tuple[str, str]
"""What a check says: words, or words and an advice."""


def looked(about: str, look: Callable[..., Said], *given: object) -> DoctorCheck:
    """Make a check of what a function says, or of the error that it raises."""
    try:
        said = look(*given)
    except KaweError as trouble:
        return check_of(about, trouble)
    return seen(about, said) if isinstance(said, str) else seen(about, *said)


def check_of(about: str, trouble: KaweError) -> DoctorCheck:
    return DoctorCheck(
        about=about,
        grade=Grade.TROUBLE,
        words=trouble.message,
        advice=trouble.hint,
        trouble=trouble,
    )


_LITTLE_BYTES: Final = 200_000_000
_NOTHING_BYTES: Final = 5_000_000
_MAKE_ROOM: Final = "Make room before you submit."


def machine_checks(environment: Mapping[str, str]) -> Iterator[DoctorCheck]:
    """Check what needs no settings."""
    for about, look in _CHECKS.items():
        yield looked(about, look, environment)


def _version(_: Mapping[str, str]) -> Said:
    system = platform.system() or "an unknown system"
    return f"version {__version__}, Python {platform.python_version()}, {system}"


def _terminal(_: Mapping[str, str]) -> Said:
    if sys.stdin is not None and sys.stdin.isatty():
        return "there is one, so that a person can be asked"
    words = "there is none, as under a scheduler: nobody can be asked, and a live "
    return f"{words}send needs {Given.YES} N"


def _home(environment: Mapping[str, str]) -> Said:
    home = environment.get("HOME") or environment.get("USERPROFILE")
    if home is None or not Path(home).is_dir():
        advice = "Set HOME, or kawe looks for settings and journal elsewhere."
        return "no home folder is set for this user", advice
    user = one_line(account_name()) or "a user without a name"
    return f"{user} at home in {one_line(home)}"


def _zone(_: Mapping[str, str]) -> Said:
    now = datetime.now().astimezone()
    zone = f"{now.tzname()} ({now:%z})"
    return f"{zone}; what counts as today is the day in Auckland"


def _path(environment: Mapping[str, str]) -> Said:
    path = environment.get("PATH", "")
    found = shutil.which("kawe", path=path)
    here = replace(Installation.here(), search_path=path)
    if found is not None and here.is_own(found):
        return f"kawe is found as {found}"
    words = "kawe is not found by its name alone here"
    if found is not None:
        words = f"the name kawe means another one here, {one_line(found)}"
    return words, f"Type the whole path, also in a schedule: {here.command()}"


def _room(folder: Path) -> Said:
    try:
        free = shutil.disk_usage(folder).free
    except OSError:
        words = f"how much room is left in {folder} cannot be told"
        return words, "Look for yourself, where workbooks are large."
    words = f"{free / 1e9:.1f} GB free in {folder}"
    if free < _NOTHING_BYTES:
        raise JournalError(message=f"{words}.", hint=_MAKE_ROOM)
    if free < _LITTLE_BYTES:
        return words, _MAKE_ROOM
    if os.access(folder, os.W_OK):
        return words
    return f"{words}, and you may not write there", "Work in a folder of your own."


_CHECKS: Final[Mapping[str, Callable[[Mapping[str, str]], Said]]] = {
    "kawe": _version,
    "terminal": _terminal,
    "home": _home,
    "path": _path,
    "time zone": _zone,
    "disk of this folder": lambda _: _room(Path.cwd()),
}


async def journal_checks(
    settings: Settings, *, account: Account | None, mode: str | None
) -> list[DoctorCheck]:
    """Check the journal; `account` is the key's, where known."""
    place, checks = settings.journal_place(), []
    try:
        if isinstance(place, Path):
            check_location(place)
            folder = _may_be_written(place)
            checks = [looked("disk of the journal", _room, folder)]
        if is_there(place, to_write=True):
            words = await _whole(settings, account=account, mode=mode)
            checks += [seen("journal", words), looked("journal's lock", _lock, place)]
            return checks
    except JournalError as trouble:
        return [*checks, check_of("journal", trouble)]
    words = f"none yet; the first submit begins it at {place}"
    return [*checks, seen("journal", words)]


def _may_be_written(path: Path) -> Path:
    folder = _nearest_folder(path.absolute().parent)
    both = {folder, _nearest_folder(path)}
    if folder.is_dir() and all(os.access(each, os.W_OK) for each in both):
        return folder
    message = f"You may not write {path}: a run could not use it."
    hint = f"Give yourself the right to, or choose another with {Given.JOURNAL}."
    raise JournalError(message=message, hint=hint)


async def _whole(
    settings: Settings, *, account: Account | None, mode: str | None
) -> str:
    path = settings.journal_place()
    async with aclosing(StoreJournal.open(path, read_only=True)) as journal:
        binding, batches = await journal.binding(), await journal.batches()
    size = f", {path.stat().st_size / 1e6:.1f} MB" if isinstance(path, Path) else ""
    words = f"{path}{size}, {counted(len(batches), 'batch', 'batches')}, readable"
    if binding is None:
        return f"{words}, of no account yet"
    whose = f"{one_line(binding.team_name)}, {binding.mode}"
    if account is None or mode is None:
        return f"{words}, of {whose}"
    here = (settings.service_url(), account.team_id, mode)
    if here == (binding.base_url, binding.team_id, binding.mode):
        return f"{words}, of this same account ({whose})"
    message = f"{path} belongs to {whose} at {binding.base_url}, not to the account "
    message += "of this key."
    hint = f"Choose another one with {Given.JOURNAL}, or use that account's key."
    raise JournalForeign(message=message, hint=hint)


def _lock(place: JournalPlace) -> Said:
    if taken := writer_at(place):
        trouble = in_use(f"The journal {place}", taken)
        return trouble.message, trouble.hint
    if isinstance(place, Path) and (kind := lent_as(place.resolve())):
        words = f"free, in a folder that another system may write too ({kind})"
        return words, "Run kawe on one of the two alone: each may see its locks alone."
    return "free: no other kawe is writing"


def _nearest_folder(path: Path) -> Path:
    return next((each for each in (path, *path.parents) if each.exists()), Path("/"))
