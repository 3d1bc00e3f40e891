"""Every check, in the order of a run; those of settings: files, address, key.

The way to the service is checked too: proxy, certificates, storage of files. A proxy
file (PAC) of this computer is looked for and named; kawe does not read it.
"""

from __future__ import annotations

import importlib
import os
import re
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from kawe.cases.choices import agreed_mode
from kawe.cases.doctor import service_checks
from kawe.cases.doctor.checks import (
    DoctorCheck,
    Grade,
    Said,
    check_of,
    journal_checks,
    looked,
    seen,
)
from kawe.cases.kit import Toolkit
from kawe.domain.service.service_words import Account
from kawe.domain.text.hosts import is_loopback
from kawe.domain.text.new_zealand import day_words
from kawe.domain.text.next_steps import Next
from kawe.domain.text.texts import counted, one_line
from kawe.errors import ContractBroken, KaweError, KeyMissing, SettingsError
from kawe.settings.keeping import FoundKey, same_since
from kawe.settings.values import Settings
from kawe.system import is_macos, is_windows
from kawe_contract.operations import OPERATIONS

if TYPE_CHECKING:
    from kawe.service.probing import Probe

_OLD_DAYS: Final = 365
"""So old may a key be, before somebody should look at it."""


async def examine(
    toolkit: Toolkit, *, environment: Mapping[str, str]
) -> list[DoctorCheck]:
    """Check settings, service and journal; change nothing."""
    settings, account, mode = toolkit.settings, None, None
    checks = [looked("settings", _files, settings)]
    checks.append(looked("address", _address, settings))
    checks += _key(settings, today=toolkit.today)
    checks.append(looked("assumed paths", _assumed, settings))
    if settings.base_url is not None:
        checks += await _reaching(toolkit, environment=environment)
        if all(check.grade is not Grade.TROUBLE for check in checks):
            asked, account, mode = await _asking(toolkit)
            checks += asked
    return checks + await journal_checks(settings, account=account, mode=mode)


async def _reaching(
    toolkit: Toolkit, *, environment: Mapping[str, str]
) -> list[DoctorCheck]:
    from kawe.service.probing import greet  # noqa: PLC0415 (start-up)

    url = toolkit.settings.service_url()
    proxy = looked("proxy", proxy_check, url, environment)
    checks = [proxy, looked("certificates", certificates_check, environment)]
    if proxy.grade is not Grade.TROUBLE:
        checks += service_checks.greeting_checks(
            await greet(url, clock=toolkit.clock), url=url
        )
    return checks


async def _asking(
    toolkit: Toolkit,
) -> tuple[list[DoctorCheck], Account | None, str | None]:
    try:
        async with toolkit.open_service() as service:
            probe = service.probe
            account = await probe.account(team_name=toolkit.settings.team)
            mode = agreed_mode(toolkit.settings, account)
            checks = [*service_checks.account_checks(account, mode=mode)]
            checks += await service_checks.scope_checks(probe, account=account)
            checks.append(await storage_check(probe, team_id=account.team_id))
    except KaweError as trouble:
        about = "team and mode" if isinstance(trouble, SettingsError) else "account"
        return [check_of(about, trouble)], None, None
    return checks, account, mode


def _files(settings: Settings) -> Said:
    read = [str(path) for path, is_there in settings.files() if is_there]
    files = " and then ".join(read) or "none"
    log = "; the log goes to standard error" if settings.log_to == "stderr" else ""
    return (
        f"profile {settings.profile}; files read: {files}. The later wins, then "
        f"variables, then flags; see {Next.CONFIG}{log}"
    )


def _address(settings: Settings) -> Said:
    url = settings.service_url()
    twin = "; this machine itself, so a twin" if is_loopback(url) else ""
    return f"{url} from {settings.origin('base_url')}{twin}"


def _key(settings: Settings, *, today: date) -> Iterator[DoctorCheck]:
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
    yield from _age(settings, settings.found_key, today=today)
    if settings.key_mode is not None:
        yield seen("key", f"{words}; a {settings.key_mode} key")
        return
    words += "; it does not say whether it is live or sandbox"
    advice = "Write mode in the settings, so that a mistaken key is refused."
    yield seen("key", words, advice)


def _age(settings: Settings, found: FoundKey, *, today: date) -> Iterator[DoctorCheck]:
    """Say how long a key lies where it is: it may be older, and nothing says so."""
    since, what = found.since, "it was put there"
    if found.is_asked:
        with suppress(SettingsError, ValueError, TypeError, AttributeError):
            since = same_since(found.key, profile=settings.profile, today=today)
        what = "the same was first given here"
    if since is None:
        return
    days = (today - since).days
    words = f"{what} {counted(days, 'day')} ago, on {day_words(since)}"
    is_old = days > _OLD_DAYS
    advice = "Let an owner make a new one in the portal, and revoke this one."
    yield seen("age of the key", words, advice if is_old else "")


def may_be_read_by_others(file: Path) -> bool:
    """Check that a key file may be open to others, where the system tells nobody.

    Where there are modes, an open one was refused before. On Windows the folder of a
    person is closed to other people, but for administrators.
    """
    return is_windows() and not file.resolve().is_relative_to(Path.home().resolve())


def _assumed(settings: Settings) -> Said:
    runs = (name for each in service_checks.NEEDS.values() for name in each)
    names = dict.fromkeys(name for name in runs if not OPERATIONS[name].shown)
    changed = [name for name in names if name in settings.paths]
    own = {name: (OPERATIONS[name].method, OPERATIONS[name].path) for name in names}
    lines = [f"{name} {' '.join(settings.paths.get(name, own[name]))}" for name in own]
    has_changed = f", and has changed {', '.join(changed)}" if changed else ""
    words = "a run could use some that the interface does not show: "
    changes = f"[service.paths] changes them by these names{has_changed}"
    return f"{words}{'; '.join(lines)}. {changes}"


_SECONDS: Final = 5
_VARIABLES: Final = ("auto_proxy", "AUTO_PROXY", "AUTOCONFIG")
_REGISTRY: Final = r"Software\Microsoft\Windows\CurrentVersion\Internet Settings"
_MACOS: Final = ("/usr/sbin/scutil", "--proxy")
_GNOME: Final = ("gsettings", "list-recursively", "org.gnome.system.proxy")
_IS_ON: Final = re.compile(
    r"ProxyAuto(ConfigEnable|DiscoveryEnable) : 1\b|^org\.gnome\.system\.proxy mode "
    r"'auto'",
    re.MULTILINE,
)
_ADDRESS: Final = re.compile(
    r"(?:ProxyAutoConfigURLString : |^org\.gnome\.system\.proxy autoconfig-url ')"
    r"([^'\s]+)",
    re.MULTILINE,
)


_PROXIES: Final = ("HTTPS_PROXY", "HTTP_PROXY", "ALL_PROXY", "NO_PROXY")
_CERTIFICATES: Final = ("SSL_CERT_FILE", "SSL_CERT_DIR")
_ASK_IT: Final = (
    "If the service cannot be reached, ask IT which proxy that file gives for it, and "
    "set HTTPS_PROXY to the proxy's address."
)


def _registry() -> str:
    """Give AutoConfigURL of this person or this machine; empty: none."""
    winreg = importlib.import_module("winreg")
    for hive in (winreg.HKEY_CURRENT_USER, winreg.HKEY_LOCAL_MACHINE):
        with suppress(OSError), winreg.OpenKey(hive, _REGISTRY) as key:
            return str(winreg.QueryValueEx(key, "AutoConfigURL")[0])
    return ""


def _output(words: Sequence[str]) -> str:
    """Give what a program of the system prints; empty where it is not there."""
    with suppress(OSError, subprocess.SubprocessError):
        done = subprocess.run(  # noqa: S603 - a program of the system, no text of others
            words,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
            timeout=_SECONDS,
        )
        return done.stdout.decode("utf-8", "replace")
    return ""


def proxy_file(
    environment: Mapping[str, str] = os.environ,
    *,
    registry: Callable[[], str] = _registry,
    output: Callable[[Sequence[str]], str] = _output,
) -> str | None:
    """Say which host has the proxy file of this computer; None: there is none.

    That a computer looks for one by itself (WPAD) counts except on Windows, where
    nearly every computer does.
    """
    named = next(filter(None, map(environment.get, _VARIABLES)), "")
    if not named and is_windows():
        named = registry()
    elif not named:
        said = output(_MACOS if is_macos() else _GNOME)
        if not _IS_ON.search(said):
            return None
        if (found := _ADDRESS.search(said)) is None:
            return "a place that the network tells (WPAD)"
        named = found[1]
    return _place(named) if named else None


def _place(address: str) -> str:
    # A path can hold a name or a password.
    try:
        parts = urlsplit(address)
        host = parts.hostname if parts.scheme in {"http", "https"} else None
    except ValueError:
        host = None
    return one_line(host, limit=100) if host else "a file of this computer"


def proxy_check(url: str, environment: Mapping[str, str]) -> Said:
    """Name the proxy without its password, and a proxy file, which is not read."""
    from kawe.service.transport.addresses import proxy_for  # noqa: PLC0415 (start-up)

    names = (name for each in _PROXIES for name in (each, each.lower()))
    given = ", ".join(name for name in names if environment.get(name))
    named = f"variables set: {given}" if given else "no variable names one"
    if (proxy := proxy_for(url)) is not None:
        where = f"{proxy.url.host}:{proxy.url.port or 80}"
        return f"{where} leads to the service; {named}"
    words = f"none on the way to the service; {named}"
    file = None if is_loopback(url) else proxy_file(environment)
    if file is None:
        return words
    has = f"this computer has a proxy file (PAC) from {file}, which kawe does not read"
    return f"{words}; {has}", _ASK_IT


def certificates_check(environment: Mapping[str, str]) -> Said:
    """Say whose certificates count."""
    named = {name: environment[name] for name in _CERTIFICATES if environment.get(name)}
    words = "those that this computer trusts"
    if not named:
        return words
    both = " and ".join(f"{name} ({one_line(at)})" for name, at in named.items())
    if is_windows() or is_macos():
        advice = "Put a certificate of your organisation into the computer's store."
        return f"{words}; {both} has no effect on this system", advice
    if missing := [one_line(at) for at in named.values() if not Path(at).exists()]:
        said = f"{both} is set, and {' and '.join(missing)} is not there"
        return said, "Correct the variable, or take it away."
    return f"{words}, and those of {both}"


async def storage_check(probe: Probe, *, team_id: str) -> DoctorCheck:
    """Check that the storage of files can be reached, if the service names it."""
    try:
        if (origin := await probe.storage(team_id=team_id)) is not None:
            return await reached(origin, api_url=probe.wire.addresses.base_url)
    except ContractBroken as trouble:
        return check_of("storage", trouble)
    except KaweError:
        # Why the service names none is said in another line.
        pass
    words = "its address is not known: the service names it with the first receipt"
    return seen("storage", words)


async def reached(origin: str, *, api_url: str) -> DoctorCheck:
    """Check that a storage answers.

    Raises:
        ContractBroken: It is nearer to this machine than the service.
    """
    from kawe.service.probing import meet_storage  # noqa: PLC0415 (start-up)

    if (nobody := await meet_storage(origin, api_url=api_url)) is None:
        secure = " over TLS that this computer trusts"
        is_secure = origin.startswith("https")
        return seen("storage", f"{origin} answers{secure if is_secure else ''}")
    why = service_checks.unreachable(nobody, url=origin)
    then = "rows with files stop, and receipts are not saved; other rows go on."
    return seen("storage", why.message, f"{why.hint} Until then, {then}")
