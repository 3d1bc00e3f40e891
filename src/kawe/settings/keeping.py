"""Stores a person's keys in the system's keyring or a private file; finds a run's key.

Each key is stored with its address, so that kawe refuses it for any other.

`kawe init` stores one profile in the person's own settings, with its key.
"""

import importlib.util
import json
import secrets
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date, datetime
from enum import StrEnum
from functools import lru_cache
from hashlib import scrypt
from pathlib import Path
from typing import Final
from urllib.parse import quote

import platformdirs

from kawe.domain.text.new_zealand import NEW_ZEALAND
from kawe.domain.text.next_steps import Next
from kawe.errors import KeyMissing, SettingsError
from kawe.machine.installation import Installation
from kawe.notices.notifier import ChildProcess, words_of
from kawe.settings import files
from kawe.settings.table import SETTINGS, Giver, Layer, Origin, nearest

FILE_NAME: Final = "kawe.toml"
_SERVICE: Final = "kawe"
_COMMAND_SECONDS: Final = 30.0
"""So long may the program take that gives the key."""
_LEAST_PRIORITY: Final = 1
"""Keyrings with a lower priority are not safe."""


class KeyPlace(StrEnum):
    """Where a key is kept."""

    KEYRING = "keyring"
    FILE = "file"


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptKey:
    """A key, and the one address that it may go to."""

    base_url: str
    key: str = field(repr=False)
    kept_on: date | None = field(default=None, compare=False)
    """None: an earlier kawe kept it, which did not say."""


def user_folder() -> Path:
    return platformdirs.user_config_path("kawe", appauthor=False)


def user_file() -> Path:
    return user_folder() / FILE_NAME


def own_files(environment: Mapping[str, str]) -> list[Path]:
    """Name the files of settings that count as the person's own."""
    config = environment.get("KAWE_CONFIG")
    return [user_file(), *([Path(config)] if config else [])]


def key_path(profile: str) -> Path:
    return user_folder() / "keys" / f"{quote(profile, safe='')}.json"


def keyring_name() -> str | None:
    """Name the system's keyring, if it can be used."""
    if importlib.util.find_spec("keyring") is None:
        return None
    import keyring  # noqa: PLC0415 - an extra, and slow to load

    backend = keyring.get_keyring()
    return str(backend.name) if backend.priority >= _LEAST_PRIORITY else None


def keep_key(kept: KeptKey, *, profile: str, place: KeyPlace) -> None:
    """Store the key of a profile; replace an earlier one."""
    said = {"base_url": kept.base_url, "key": kept.key}
    text = json.dumps({**said, "kept_on": f"{datetime.now(NEW_ZEALAND):%Y-%m-%d}"})
    match place:
        case KeyPlace.FILE:
            files.write_whole(key_path(profile), text, keeps_rights=False)
        case KeyPlace.KEYRING:
            _into_keyring(profile, text)


def kept_key(profile: str, *, place: KeyPlace) -> KeptKey:
    """Give the stored key of a profile."""
    match place:
        case KeyPlace.FILE:
            text = files.private_text(key_path(profile))
        case KeyPlace.KEYRING:
            text = _from_keyring(profile)
    try:
        found = json.loads(text)
        address, key = str(found["base_url"]), str(found["key"])
        on = found.get("kept_on")
        day = None if on is None else date.fromisoformat(on)
        return KeptKey(base_url=address, key=key, kept_on=day)
    except (ValueError, LookupError, TypeError):
        # The parser's error could show the key.
        raise KeyMissing(
            message="What is kept as the key is not what kawe kept.",
            hint=f"Keep the key again: {Next.INIT}",
        ) from None


def _into_keyring(profile: str, text: str) -> None:
    if keyring_name() is None:
        raise SettingsError(
            message="There is no keyring on this system that kawe can use.",
            hint=f"Keep the key in a file with {Next.STORE_FILE}, or use "
            f"a keyring. {Installation.here().to_add('keyring')}",
        )
    import keyring  # noqa: PLC0415 - an extra, and slow to load
    import keyring.errors  # noqa: PLC0415 - same

    try:
        keyring.set_password(_SERVICE, profile, text)
        if keyring.get_password(_SERVICE, profile) == text:
            return
    except (keyring.errors.KeyringError, OSError, RuntimeError):
        # Its error could show the key.
        pass
    raise SettingsError(
        message="The system's keyring did not keep the key; it may be locked.",
        hint=f"Unlock it. {Next.AGAIN}, or keep the key in a file with "
        f"{Next.STORE_FILE}",
    )


def _from_keyring(profile: str) -> str:
    text = None
    if keyring_name() is not None:
        import keyring  # noqa: PLC0415 - an extra, and slow to load
        import keyring.errors  # noqa: PLC0415 - same

        with suppress(keyring.errors.KeyringError, OSError, RuntimeError):
            text = keyring.get_password(_SERVICE, profile)
    if text is None:
        raise KeyMissing(
            message="The system's keyring gives no key: it is locked, was not found, "
            "or keeps none.",
            hint="Where nobody is signed in, as under a scheduler, keep the key in a "
            f"file: {Next.STORE_FILE}",
        )
    return text


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnProfile:
    """The values of one profile."""

    name: str
    base_url: str
    key: str = field(repr=False)
    place: KeyPlace
    mode: str
    team: str | None = None
    """None: the person of the key is in one team."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """Where the profile is stored."""

    settings_file: Path
    is_changed: bool
    """False: the file had these values already."""
    key_file: Path | None
    """None: the key is in the keyring."""


def keep_own(profile: OwnProfile, *, replaces: bool = False) -> Kept:
    """Store a profile and its key; keep all other text of the settings file.

    `replaces`: it takes the place of another address or key.

    Raises:
        SettingsError: The file has other values, so nothing was stored; or a write
            failed.
    """
    path = user_file()
    # Check first that kawe accepts the file.
    files.read_own_file(path)
    text = path.read_bytes().decode() if path.exists() else ""
    wanted = {
        "base_url": profile.base_url,
        "mode": profile.mode,
        "key_store": profile.place.value,
        **({} if profile.team is None else {"team": profile.team}),
    }
    name = files.checked_profile(profile.name)
    bare = files.without_others(text, wanted, profile=name) if replaces else text
    after = files.with_settings(bare, wanted, profile=name)
    keep_key(
        KeptKey(base_url=profile.base_url, key=profile.key),
        profile=profile.name,
        place=profile.place,
    )
    if after != text:
        files.write_whole(path, after, keeps_rights=True)
    return Kept(
        settings_file=path,
        is_changed=after != text,
        key_file=key_path(profile.name) if profile.place is KeyPlace.FILE else None,
    )


def own_address(profile: str) -> str | None:
    """Give the address of a profile in this person's own settings."""
    values = files.read_own_file(user_file())
    section = values.get("profile", {}).get(profile, {})
    found = section.get("base_url", values.get("base_url"))
    return None if found is None else str(found)


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundKey:
    """A key and where it was found."""

    key: str = field(repr=False)
    origin: Origin
    """Who named it."""
    file: Path | None = None
    kept_for: str | None = None
    """The only address of a key that kawe stores."""
    is_asked: bool = False
    """A program gave it."""
    since: date | None = None
    """The day since which it lies there, as far as kawe can see."""

    def __str__(self) -> str:
        """Give the origin, without the key."""
        if self.kept_for is not None and self.file is None:
            return f"the system's keyring, kept by {Next.INIT} for {self.kept_for}"
        if self.kept_for is not None:
            return f"{self.file}, kept by {Next.INIT} for {self.kept_for}"
        if self.file is not None:
            return f"{self.file}, named by {self.origin}"
        if self.is_asked:
            return f"a program, which key_command names in {self.origin}"
        return str(self.origin)


def find_key(
    layers: Sequence[Layer], *, environment: Mapping[str, str]
) -> FoundKey | None:
    """Find the key: the flag's file, the environment, then the settings."""
    named = nearest(layers, "key_file", "key_command", "key_store")
    is_flag = named is not None and named[1].origin.giver is Giver.FLAG
    if (key := environment.get("KAWE_API_KEY", "").strip()) and not is_flag:
        origin = Origin(giver=Giver.VARIABLE, name="KAWE_API_KEY")
        return FoundKey(key=_checked(key, source="KAWE_API_KEY"), origin=origin)
    if named is None:
        return None
    name, layer = named
    if name == "key_store":
        return _kept(layer)
    if name == "key_command":
        key = _asked(str(layer.values[name]), environment=environment)
        return FoundKey(key=key, origin=layer.origin, is_asked=True)
    path = files.typed_path(str(layer.values[name]))
    key, written = key_in_file(path), path.stat().st_mtime
    since = datetime.fromtimestamp(written, tz=NEW_ZEALAND).date()
    return FoundKey(key=key, origin=layer.origin, file=path, since=since)


def _asked(command: str, *, environment: Mapping[str, str]) -> str:
    """Ask a program for the key, without a shell, and within a time.

    What it says is kept nowhere and shown to nobody, and neither is its command line:
    each may hold a secret.
    """
    try:
        process = ChildProcess(
            words_of(command),
            given=b"",
            environment=environment,
            within=_COMMAND_SECONDS,
            errors=subprocess.DEVNULL,
        )
    except (OSError, ValueError):
        raise _not_asked("could not be started") from None
    try:
        code, said = process.end()
    except KeyboardInterrupt:
        process.abandon()
        raise
    if code is None:
        raise _not_asked(f"took longer than {_COMMAND_SECONDS:g} seconds")
    if code:
        raise _not_asked(f"ended with code {code}")
    return _checked(said.strip(), source="What the program of key_command says")


def same_since(key: str, *, profile: str, today: date) -> date:
    """Give the day on which this was asked first while the key was the same."""
    path = user_folder() / "keys-seen.json"
    seen: dict[str, list[str]] = {}
    with suppress(OSError, ValueError):
        seen = json.loads(path.read_text("utf-8"))
    *kept, since = seen.get(profile, [""])
    if (made := marked(key, kept)) == kept:
        return date.fromisoformat(since)
    seen[profile] = [*made, today.isoformat()]
    files.write_whole(path, json.dumps(seen), keeps_rights=False)
    return today


def marked(key: str, kept: object) -> list[str]:
    """Give the random mark of a key and what it is known by: `kept`, if it is the same.

    Two bytes of a slow hash are kept: a new key shows by them, and no guess at a key
    can be proven with them.
    """
    match kept:
        case [str(mark), digest] if _slow(key, mark) == digest:
            return [mark, digest]
    new = secrets.token_hex(16)
    return [new, _slow(key, new)]


@lru_cache
def _slow(key: str, salt: str) -> str:
    return scrypt(key.encode(), salt=salt.encode(), n=2**14, r=8, p=1, dklen=2).hex()


def _not_asked(why: str) -> KeyMissing:
    return KeyMissing(
        message=f"The program of key_command {why}.",
        hint="Run its command line yourself, and look whether it prints the key alone.",
    )


def key_in_file(path: Path) -> str:
    return _checked(files.private_text(path), source=str(path))


def _kept(layer: Layer) -> FoundKey:
    word = str(layer.values["key_store"])
    place = KeyPlace(SETTINGS["key_store"].checked("key_store", word))
    kept = kept_key(layer.profile, place=place)
    return FoundKey(
        key=_checked(kept.key, source="The kept key"),
        origin=layer.origin,
        file=key_path(layer.profile) if place is KeyPlace.FILE else None,
        kept_for=kept.base_url,
        since=kept.kept_on,
    )


def _checked(key: str, *, source: str) -> str:
    # A key goes into a header.
    if not is_key(key):
        raise KeyMissing(
            message=f"{source} does not hold a key.",
            hint="Put the key there alone, on one line.",
        )
    return key


def is_key(text: str) -> bool:
    """Check that a text can be a key, which goes into a header."""
    return bool(text) and text.isascii() and text.isprintable() and " " not in text
