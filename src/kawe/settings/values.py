"""The settings of one command, frozen."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path
from typing import Final
from urllib.parse import SplitResult, parse_qs, urlsplit

import platformdirs

from kawe.domain.batch.approvals import Approvers
from kawe.domain.batch.journal_servers import (
    INTO_PGPASS,
    SERVER_SCHEMES,
    JournalPlace,
    JournalServer,
)
from kawe.domain.sheet.columns import OwnCheck
from kawe.domain.text.hosts import is_loopback
from kawe.domain.text.next_steps import Next
from kawe.domain.text.texts import one_line
from kawe.errors import GuardRefused, KeyMissing, SettingsError
from kawe.settings.files import typed_path
from kawe.settings.headings import OwnHeading
from kawe.settings.keeping import FILE_NAME, FoundKey, user_file
from kawe.settings.table import DEFAULT, SETTINGS, Layer, Origin, nearest
from kawe_contract.headers import LIVE_MARK, SANDBOX_MARK

_ADDRESS: Final = re.compile(r"\W?\w[^/]+:(\d*|.+@.+)/|postgres\w*(:|//)|\w+ *=.*\w *=")


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """All settings of a command."""

    base_url: str | None
    key: str | None = field(repr=False)
    profile: str = "default"
    journal: Path | None = None
    """None: in the user's state folder, one for each service and mode."""
    journal_server: str | None = None
    """The database that keeps the journal instead, without a password."""
    bucket: str = ""
    """An S3-compatible bucket that has the files of rows; empty: a folder has them."""
    team: str | None = None
    """Needed when the person of the key is in several teams."""
    mode: str | None = None
    """live or sandbox; None: either."""
    workers: int = SETTINGS["workers"].default
    settle_seconds: float = SETTINGS["settle"].default
    keep_reserve: int = SETTINGS["keep_reserve"].default
    per_iwi_month: int | None = None
    """How many projects one iwi may get in a month; None: any number."""
    machines: str = SETTINGS["machines"].default
    """several: other computers may submit the same rows from their own journals."""
    approval: str = SETTINGS["approval"].default
    """second_person: a live send needs a plan that somebody else signed."""
    approvers: Approvers | None = None
    """Whose signed approval a live send needs; None: it needs none."""
    exports: str = SETTINGS["exports"].default
    """masked: the lists that are exported name no people."""
    retention: Mapping[str | None, timedelta] = field(default_factory=dict)
    """By kind of sheet, how long the journal keeps what its done rows said."""
    author: str = ""
    """Who makes plans; empty: the name of the account on this computer."""
    project_link: str = ""
    owner: str = ""
    """Who is responsible for the submission: a name or a mailbox."""
    log_to: str = "file"
    """stderr: the log goes there, and what people read to standard output."""
    headings: tuple[OwnHeading, ...] = ()
    """What the settings say of headings in every sheet."""
    own_checks: tuple[OwnCheck, ...] = ()
    """What every sheet is checked for besides."""
    paths: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    found_key: FoundKey | None = field(default=None, compare=False)
    """Where the key was found."""
    address_is_own: bool = True
    """False: the folder's kawe.toml alone names the address."""
    layers: tuple[Layer, ...] = field(default=(), repr=False, compare=False)
    """All layers, the nearest last."""

    def service_url(self) -> str:
        """Give the base address, which must be set."""
        if self.base_url is None:
            raise SettingsError(
                message="No address of the service is set.", hint=str(Next.GIVE_ADDRESS)
            )
        return self.base_url

    def service_key(self) -> str:
        """Give the key, if it may go to the address.

        Raises:
            KeyMissing: None was given.
            GuardRefused: It is for another address or mode.
        """
        if self.key is None:
            raise KeyMissing(message="No key was given.", hint=str(Next.GIVE_KEY))
        self._check_address()
        self._check_mode()
        return self.key

    def _check_address(self) -> None:
        kept_for = None if self.found_key is None else self.found_key.kept_for
        if kept_for is not None and kept_for != self.service_url():
            raise GuardRefused(
                message=f"The key is kept for {kept_for}, and this run would go to "
                f"{self.base_url}.",
                hint="Nothing was sent. Correct the address, or keep a key for that "
                f"one in a profile of its own: {Next.OWN_PROFILE('NAME')}",
            )
        if kept_for is None and not self.address_is_own:
            # The folder may come from anybody.
            raise GuardRefused(
                message=f"The address {self.base_url} stands in this folder's "
                f"{FILE_NAME} alone, and your key does not go to an address that you "
                "have not named yourself.",
                hint="Nothing was sent. If it is the right one, "
                f"{Next.OWN_ADDRESS(user_file())}",
            )

    def _check_mode(self) -> None:
        if self.mode is not None and self.key_mode not in {None, self.mode}:
            raise GuardRefused(
                message=f"The key is a {self.key_mode} key, and the settings say mode "
                f"is {self.mode}.",
                hint="Nothing was sent. Use the key that you mean, or correct mode in "
                "the settings.",
            )

    def refusal(self) -> SettingsError | None:
        """Say why no run could use the service; None: it could."""
        try:
            self.service_url()
            self.service_key()
        except SettingsError as refused:
            return refused
        return None

    def files(self) -> list[tuple[Path, bool]]:
        """Name the settings files, the nearest last, and which exist."""
        paths = dict.fromkeys(
            each.origin.file for each in self.layers if each.origin.file is not None
        )
        return [(path, path.is_file()) for path in paths]

    def origin(self, name: str) -> Origin:
        """Give the origin of a setting."""
        found = nearest(self.layers, name)
        return DEFAULT if found is None else found[1].origin

    @property
    def key_mode(self) -> str | None:
        """Give the mode of the key: live, sandbox, or None: unknown."""
        if self.key is None:
            return None
        if LIVE_MARK in self.key:
            return "live"
        return "sandbox" if SANDBOX_MARK in self.key else None

    def journal_place(self) -> JournalPlace:
        return self.place_at(self.journal_server or self.journal_path())

    def place_at(self, said: str | Path) -> JournalPlace:
        """Say where the journal of this account is kept: at a path or an address."""
        if isinstance(said, Path) or not _is_server(address := said.strip()):
            return typed_path(said)
        (url, _, whose), account = address.partition("#"), self._default_path().stem
        whose = whose or self.profile
        return JournalServer.of_account(url, profile=whose, account=account)

    def keeping(self, place: JournalPlace) -> "Settings":
        """Give the same settings with the journal at `place`."""
        if isinstance(place, Path):
            return replace(self, journal=place, journal_server=None)
        return replace(self, journal=None, journal_server=place.address)

    def journal_path(self) -> Path:
        """Give the path of the journal's file, and of what lies beside it.

        What kawe keeps beside a journal on a server is of this machine alone.
        """
        return self._default_path() if self.journal is None else self.journal

    @property
    def bucket_folder(self) -> Path:
        """Give the folder in which files of the bucket are kept."""
        journal = self.journal_path()
        return journal.parent / f"{journal.name}.files"

    def _default_path(self) -> Path:
        folder = state_folder() / self.profile
        host = urlsplit(self.base_url or "").netloc or "service"
        safe = re.sub(r"[^A-Za-z0-9.-]+", "-", host)
        return folder / f"{safe}-{self.key_mode or 'any'}.journal"


def _is_server(said: str) -> bool:
    # A path loses the second slash, a drive has one letter, a quotation mark may begin.
    if not _ADDRESS.match(said):
        return False
    scheme, parts = re.split("[:=]", said)[0], _parts(said)
    # A / or # that stands for itself in a password hides it from who reads addresses.
    who = said.partition("://")[2].rpartition("@")[0]
    if scheme not in SERVER_SCHEMES or "://" not in said or not parts.scheme:
        raise SettingsError(
            message=f"The journal cannot be at {one_line(scheme)}: kawe keeps it in a "
            "file of this machine, or on a PostgreSQL server.",
            hint="Name a file, such as ~/kawe/council.journal, or a database, such as "
            "postgresql://kawe@db.example.nz/kawe.",
        )
    if ":" in who or "password" in " ".join(parse_qs(parts.query)):
        raise SettingsError(
            message="The address of the journal has a password in it.",
            hint=f"Take it out, and {INTO_PGPASS}.",
        )
    return True


def state_folder() -> Path:
    return platformdirs.user_state_path("kawe", appauthor=False)


def checked_url(text: str) -> str:
    """Check the base address: https, or http on this machine alone.

    Raises:
        GuardRefused: A key would be sent unencrypted, or is in the address.
        SettingsError: It is no address.
    """
    text = text.strip()
    parts = _parts(text)
    if "@" in text or parts.username is not None or parts.password is not None:
        raise GuardRefused(
            message="The base address has a user name or password in it.",
            hint=f"Take it out. For the key, {Next.GIVE_KEY}",
        )
    if "://" not in text and (LIVE_MARK in text or SANDBOX_MARK in text):
        # The address may hold the key, so the message omits it.
        raise GuardRefused(
            message="The base address looks like a key.",
            hint=f"The address begins with https://. For the key, {Next.GIVE_KEY}",
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
    # Parsers could disagree on such addresses.
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
