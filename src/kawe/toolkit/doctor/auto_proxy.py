"""Finds the proxy file (PAC) of this computer, which kawe does not read."""

from __future__ import annotations

import importlib
import os
import re
import subprocess
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Final
from urllib.parse import urlsplit

from kawe.domain.text.texts import one_line
from kawe.system import is_macos, is_windows

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
