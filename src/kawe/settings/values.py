"""The settings of one command, decided and frozen."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final
from urllib.parse import SplitResult, urlsplit

import platformdirs

from kawe.contract.headers import LIVE_MARK, SANDBOX_MARK
from kawe.domain.hosts import is_loopback
from kawe.domain.settling import DEFAULT_SETTLE_SECONDS
from kawe.domain.texts import one_line
from kawe.errors import GuardRefused, KeyMissing, SettingsError
from kawe.settings.headings import Taught

FILE_NAME: Final = "kawe.toml"


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Everything a command may need to know, decided."""

    base_url: str | None
    key: str | None = field(repr=False)
    profile: str = "default"
    journal: Path | None = None
    """None: in the user's state folder, one for each service and mode."""
    team: str | None = None
    """Which team the key belongs to, where the person behind it is in several."""
    mode: str | None = None
    """live or sandbox when the settings insist on one."""
    workers: int = 8
    settle_seconds: float = DEFAULT_SETTLE_SECONDS
    keep_reserve: int = 0
    machines: str = "one"
    """several: other computers may submit the same rows from their own journals."""
    project_link: str = ""
    columns: Taught = field(default_factory=dict)
    """Headings of the person's own, and which columns they mean."""
    paths: Mapping[str, tuple[str, str]] = field(default_factory=dict)

    def service_url(self) -> str:
        """Give the base address.

        Raises:
            SettingsError: None is set.
        """
        if self.base_url is None:
            raise SettingsError(
                message="No address of the service is set.",
                hint="Give --base-url, set KAWE_BASE_URL, or write base_url in "
                f"{FILE_NAME}. To try kawe without a service, run: kawe serve",
            )
        return self.base_url

    def service_key(self) -> str:
        """Give the key.

        Raises:
            KeyMissing: None was given.
        """
        if self.key is None:
            raise KeyMissing(
                message="No key was given.",
                hint="Set KAWE_API_KEY, or put the key in a file that only you can "
                "read and name it with --key-file.",
            )
        return self.key

    @property
    def key_mode(self) -> str | None:
        """Say what the key is for: live, sandbox, or None when it does not tell."""
        if self.key is None:
            return None
        if LIVE_MARK in self.key:
            return "live"
        return "sandbox" if SANDBOX_MARK in self.key else None

    def journal_path(self) -> Path:
        """Say where the journal lies."""
        if self.journal is not None:
            return self.journal
        folder = state_folder() / self.profile
        host = urlsplit(self.base_url or "").netloc or "service"
        safe = re.sub(r"[^A-Za-z0-9.-]+", "-", host)
        return folder / f"{safe}-{self.key_mode or 'any'}.journal"


def state_folder() -> Path:
    """Say where kawe keeps what it must remember for this user."""
    return platformdirs.user_state_path("kawe", appauthor=False)


def checked_url(text: str) -> str:
    """Check the base address: https, or http on this machine alone.

    Raises:
        GuardRefused: A key would travel in the open, or the address hides one.
        SettingsError: It is no address.
    """
    text = text.strip()
    parts = _parts(text)
    if "@" in text or parts.username is not None or parts.password is not None:
        raise GuardRefused(
            message="The base address has a user name or password in it.",
            hint="Take it out; the key goes into KAWE_API_KEY or a key file.",
        )
    if not _is_address(text, parts):
        raise SettingsError(
            message=f"The base address {one_line(text)!r} is no web address.",
            hint="It begins with https:// and a name, and has no ? and no #.",
        )
    if parts.scheme == "http" and not is_loopback(text):
        raise GuardRefused(
            message=f"The base address {one_line(text)} is not encrypted.",
            hint="Use https://; plain http is for the twin on this machine alone.",
        )
    return text.rstrip("/")


def _parts(text: str) -> SplitResult:
    try:
        return urlsplit(text)
    except ValueError:
        return urlsplit("")


def _is_address(text: str, parts: SplitResult) -> bool:
    # Whatever two readers of addresses could understand differently is none.
    if not text.isprintable() or any(each in text for each in " ?#\\"):
        return False
    try:
        (parts.hostname or "").encode("idna")
        return (
            parts.scheme in {"http", "https"}
            and bool(parts.hostname)
            and parts.port != 0
        )
    except (ValueError, UnicodeError):
        return False
