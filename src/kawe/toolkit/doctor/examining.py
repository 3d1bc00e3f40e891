"""Every check, in the order of a run; those of settings: files, address, key."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Mapping
from pathlib import Path

from kawe.contract.operations import OPERATIONS
from kawe.domain.service.service_words import Account
from kawe.domain.text.hosts import is_loopback
from kawe.domain.text.texts import one_line
from kawe.errors import KaweError, KeyMissing, SettingsError
from kawe.settings import Settings
from kawe.system import is_windows
from kawe.toolkit.choices import agreed_mode
from kawe.toolkit.doctor.checks import DoctorCheck, Grade, check_of, seen
from kawe.toolkit.doctor.machine_checks import journal_checks
from kawe.toolkit.doctor.network_checks import (
    certificates_check,
    proxy_check,
    storage_check,
)
from kawe.toolkit.doctor.service_checks import (
    NEEDS,
    account_checks,
    greeting_checks,
    scope_checks,
)
from kawe.toolkit.kit import Toolkit
from kawe.toolkit.reaching import open_probe


async def examine(
    toolkit: Toolkit, *, environment: Mapping[str, str]
) -> AsyncIterator[DoctorCheck]:
    """Check settings, service and journal; change nothing."""
    settings = toolkit.settings
    grades, account, mode = list[Grade](), None, None
    for check in (_files(settings), *_address(settings), *_key(settings)):
        grades.append(check.grade)
        yield check
    yield _assumed(settings)
    if settings.base_url is not None:
        async for check in _reaching(toolkit, environment=environment):
            grades.append(check.grade)
            yield check
        if Grade.TROUBLE not in grades:
            checks, account, mode = await _asking(toolkit)
            for check in checks:
                yield check
    for check in await journal_checks(settings, account=account, mode=mode):
        yield check


async def _reaching(
    toolkit: Toolkit, *, environment: Mapping[str, str]
) -> AsyncIterator[DoctorCheck]:
    from kawe.service.greeting import greet  # noqa: PLC0415 (start-up)

    proxy = proxy_check(toolkit.settings, environment)
    yield proxy
    yield certificates_check(environment)
    if proxy.grade is not Grade.TROUBLE:
        url = toolkit.settings.service_url()
        for check in greeting_checks(await greet(url, clock=toolkit.clock), url=url):
            yield check


async def _asking(
    toolkit: Toolkit,
) -> tuple[list[DoctorCheck], Account | None, str | None]:
    try:
        async with open_probe(
            toolkit.settings,
            clock=toolkit.clock,
            progress=toolkit.progress,
            halt=toolkit.halt,
        ) as probe:
            account = await probe.account(team_name=toolkit.settings.team)
            mode = agreed_mode(toolkit.settings, account)
            checks = [*account_checks(account, mode=mode)]
            checks += [check async for check in scope_checks(probe, account=account)]
            checks.append(await storage_check(probe, team_id=account.team_id))
    except KaweError as trouble:
        about = "team and mode" if isinstance(trouble, SettingsError) else "account"
        return [check_of(about, trouble)], None, None
    return checks, account, mode


def _files(settings: Settings) -> DoctorCheck:
    read = [str(path) for path, is_there in settings.files() if is_there]
    files = " and then ".join(read) or "none"
    log = "; the log goes to standard error" * (settings.log_to == "stderr")
    return seen(
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
    twin = "; this machine itself, so a twin" * is_loopback(url)
    yield seen("address", f"{url} from {settings.origin('base_url')}{twin}")


def _key(settings: Settings) -> Iterator[DoctorCheck]:
    try:
        settings.service_key()
    except SettingsError as trouble:
        yield check_of("key", trouble)
        if isinstance(trouble, KeyMissing):
            return
    if settings.found_key is None:
        return
    words, file = f"from {settings.found_key}", settings.found_key.file
    if file is not None and may_be_read_by_others(file):
        yield seen(
            "key file",
            f"on Windows kawe cannot see who else can read {one_line(str(file))}",
            "Move it into your own user folder, which nobody else can read.",
        )
    elif file is not None:
        words += "; nobody else can read it"
    if settings.key_mode is not None:
        yield seen("key", f"{words}; a {settings.key_mode} key")
    else:
        yield seen(
            "key",
            f"{words}; it does not say whether it is live or sandbox",
            "Write mode in the settings, so that a mistaken key is refused.",
        )


def may_be_read_by_others(file: Path) -> bool:
    """Check that a key file may be open to others, where the system tells nobody.

    Where there are modes, an open one was refused before. On Windows the folder of a
    person is closed to other people, but for administrators.
    """
    return is_windows() and not file.resolve().is_relative_to(Path.home().resolve())


def _assumed(settings: Settings) -> DoctorCheck:
    runs = (name for each in NEEDS.values() for name in each)
    names = dict.fromkeys(name for name in runs if not OPERATIONS[name].shown)
    changed = [name for name in names if name in settings.paths]
    own = {name: (OPERATIONS[name].method, OPERATIONS[name].path) for name in names}
    lines = [f"{name} {' '.join(settings.paths.get(name, own[name]))}" for name in own]
    has_changed = f", and has changed {', '.join(changed)}" if changed else ""
    return seen(
        "assumed paths",
        "a run could use some that the interface does not show: "
        f"{'; '.join(lines)}. [service.paths] changes them by these names{has_changed}",
    )
