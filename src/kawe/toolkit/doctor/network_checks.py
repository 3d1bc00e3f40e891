"""Checks of the way to the service: proxy, certificates, storage of files.

A proxy file (PAC) of this computer is looked for and named; kawe does not read it.
"""

from __future__ import annotations

import importlib
import os
import re
import subprocess
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from kawe.domain.text.hosts import is_loopback
from kawe.domain.text.texts import one_line
from kawe.errors import ContractBroken, KaweError
from kawe.settings import Settings
from kawe.system import is_macos, is_windows
from kawe.toolkit.doctor.checks import DoctorCheck, check_of, seen
from kawe.toolkit.doctor.service_checks import unreachable

if TYPE_CHECKING:
    from kawe.service.probing import Probe

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
        found = _ADDRESS.search(said)
        if found is None:
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


def proxy_check(
    settings: Settings,
    environment: Mapping[str, str],
    *,
    look: Callable[[Mapping[str, str]], str | None] = proxy_file,
) -> DoctorCheck:
    """Name the proxy without its password, and a proxy file, which is not read."""
    from kawe.service.transport.proxies import proxy_for  # noqa: PLC0415 (start-up)

    url = settings.service_url()
    given = [
        name
        for each in _PROXIES
        for name in (each, each.lower())
        if environment.get(name)
    ]
    named = f"variables set: {', '.join(given)}" if given else "no variable names one"
    try:
        proxy = proxy_for(url)
    except KaweError as trouble:
        return check_of("proxy", trouble)
    if proxy is not None:
        where = f"{proxy.url.host}:{proxy.url.port or 80}"
        return seen("proxy", f"{where} leads to the service; {named}")
    words = f"none on the way to the service; {named}"
    file = None if is_loopback(url) else look(environment)
    if file is None:
        return seen("proxy", words)
    has = f"this computer has a proxy file (PAC) from {file}, which kawe does not read"
    return seen("proxy", f"{words}; {has}", _ASK_IT)


def certificates_check(environment: Mapping[str, str]) -> DoctorCheck:
    """Say whose certificates count."""
    named = {name: environment[name] for name in _CERTIFICATES if environment.get(name)}
    words = "those that this computer trusts"
    if not named:
        return seen("certificates", words)
    both = " and ".join(f"{name} ({one_line(at)})" for name, at in named.items())
    if is_windows() or is_macos():
        advice = "Put a certificate of your organisation into the computer's store."
        said = f"{words}; {both} has no effect on this system"
        return seen("certificates", said, advice)
    missing = [one_line(at) for at in named.values() if not Path(at).exists()]
    if missing:
        said = f"{both} is set, and {' and '.join(missing)} is not there"
        return seen("certificates", said, "Correct the variable, or take it away.")
    return seen("certificates", f"{words}, and those of {both}")


async def storage_check(probe: Probe, *, team_id: str) -> DoctorCheck:
    """Check that the storage of files can be reached, if the service names it."""
    try:
        origin = await probe.storage(team_id=team_id)
        if origin is not None:
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
        SettingsError: The proxy that leads there cannot be used.
    """
    from kawe.service.greeting import meet_storage  # noqa: PLC0415 (start-up)

    nobody = await meet_storage(origin, api_url=api_url)
    if nobody is None:
        secure = " over TLS that this computer trusts"
        is_secure = origin.startswith("https")
        return seen("storage", f"{origin} answers{secure if is_secure else ''}")
    why = unreachable(nobody, url=origin)
    then = "rows with files stop, and receipts are not saved; other rows go on."
    return seen("storage", why.message, f"{why.hint} Until then, {then}")
