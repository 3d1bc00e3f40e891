"""One profile in this person's own settings, as `kawe init` stores it."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from kawe.settings.files import read_own_file
from kawe.settings.keeping import KeptKey, KeyPlace, keep_key, key_path, user_file
from kawe.settings.private import write_whole
from kawe.settings.writing import checked_profile, with_settings


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


def keep_own(profile: OwnProfile) -> Kept:
    """Store a profile and its key; keep all other text of the settings file.

    Raises:
        SettingsError: The file has other values, so nothing was stored; or a write
            failed.
    """
    path = user_file()
    # Check first that kawe accepts the file.
    read_own_file(path)
    text = path.read_bytes().decode() if path.exists() else ""
    wanted = {
        "base_url": profile.base_url,
        "mode": profile.mode,
        "key_store": profile.place.value,
        **({} if profile.team is None else {"team": profile.team}),
    }
    after = with_settings(text, wanted, profile=checked_profile(profile.name))
    keep_key(
        KeptKey(base_url=profile.base_url, key=profile.key),
        profile=profile.name,
        place=profile.place,
    )
    if after != text:
        write_whole(path, after, keeps_rights=True)
    in_file = profile.place is KeyPlace.FILE
    return Kept(
        settings_file=path,
        is_changed=after != text,
        key_file=key_path(profile.name) if in_file else None,
    )


def own_address(profile: str) -> str | None:
    """Give the address of a profile in this person's own settings.

    Raises:
        SettingsError: The settings file cannot be used.
    """
    values = read_own_file(user_file())
    section = values.get("profile", {}).get(profile, {})
    found = section.get("base_url", values.get("base_url"))
    return None if found is None else str(found)
