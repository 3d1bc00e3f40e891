"""Checks of the settings: files, address, key."""

from __future__ import annotations

from collections.abc import Iterator

from kawe.contract.operations import OPERATIONS
from kawe.domain.text.hosts import is_loopback
from kawe.errors import KeyMissing, SettingsError
from kawe.settings import Settings
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
    if settings.found_key.file is not None:
        words += "; nobody else can read it"
    if mode is None:
        yield doubtful(
            "key",
            f"{words}; it does not say whether it is live or sandbox",
            advice="Write mode in the settings, so that a mistaken key is refused.",
        )
    else:
        yield fine("key", f"{words}; a {mode} key")


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
