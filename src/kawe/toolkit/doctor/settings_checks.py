"""Checks of the settings: files, address, key."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from kawe.contract.operations import OPERATIONS
from kawe.domain.text.hosts import is_loopback
from kawe.domain.text.texts import one_line
from kawe.errors import KeyMissing, SettingsError
from kawe.settings import Settings
from kawe.system import is_windows
from kawe.toolkit.doctor.checks import DoctorCheck, check_of, doubtful, fine
from kawe.toolkit.doctor.service_checks import assumed_operations


def settings_checks(settings: Settings) -> Iterator[DoctorCheck]:
    """Check the settings and their origins."""
    yield _files(settings)
    yield from _address(settings)
    yield from _key(settings)
    yield _assumed(settings)


def _files(settings: Settings) -> DoctorCheck:
    read = [str(path) for path, is_there in settings.files() if is_there]
    files = " and then ".join(read) or "none"
    log = "; the log goes to standard error" * (settings.log_to == "stderr")
    return fine(
        "settings",
        f"profile {settings.profile}; files read: {files}. The later wins, then "
        f"variables, then flags; see kawe config show --origin{log}",
    )


def _address(settings: Settings) -> Iterator[DoctorCheck]:
    try:
        url = settings.service_url()
    except SettingsError as trouble:
        yield check_of("address", trouble)
        return
    words = f"{url} from {settings.origin('base_url')}"
    if is_loopback(url):
        words += "; this machine itself, so a twin"
    yield fine("address", words)


def _key(settings: Settings) -> Iterator[DoctorCheck]:
    try:
        settings.service_key()
    except KeyMissing as trouble:
        yield check_of("key", trouble)
        return
    except SettingsError as trouble:
        yield check_of("key", trouble)
    if settings.found_key is None:
        return
    mode = settings.key_mode
    words = f"from {settings.found_key}"
    file = settings.found_key.file
    if file is not None and may_be_read_by_others(file):
        yield doubtful(
            "key file",
            f"on Windows kawe cannot see who else can read {one_line(str(file))}",
            advice="Move it into your own user folder, which nobody else can read.",
        )
    elif file is not None:
        words += "; nobody else can read it"
    if mode is None:
        yield doubtful(
            "key",
            f"{words}; it does not say whether it is live or sandbox",
            advice="Write mode in the settings, so that a mistaken key is refused.",
        )
    else:
        yield fine("key", f"{words}; a {mode} key")


def may_be_read_by_others(file: Path) -> bool:
    """Check that a key file may be open to others, where the system tells nobody.

    Where there are modes, an open one was refused before. On Windows the folder of a
    person is closed to other people, but for administrators.
    """
    return is_windows() and not file.resolve().is_relative_to(Path.home().resolve())


def _assumed(settings: Settings) -> DoctorCheck:
    names = list(assumed_operations())
    changed = [name for name in names if name in settings.paths]
    lines = [
        f"{name} {' '.join(settings.paths.get(name, _own(name)))}" for name in names
    ]
    words = (
        "a run could use some that the interface does not show: "
        f"{'; '.join(lines)}. [service.paths] changes them by these names"
    )
    if changed:
        words += f", and has changed {', '.join(changed)}"
    return fine("assumed paths", words)


def _own(name: str) -> tuple[str, str]:
    return OPERATIONS[name].method, OPERATIONS[name].path
