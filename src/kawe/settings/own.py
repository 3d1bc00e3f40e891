"""This person's own settings: one profile of them, kept by `kawe init`."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from kawe.settings.files import Kinds, read_own_file
from kawe.settings.keeping import KeptKey, KeyPlace, keep_key, key_path, user_file
from kawe.settings.writing import checked_profile, with_settings, write_file


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnProfile:
    """What a person wants to be kept under one name."""

    name: str
    base_url: str
    key: str = field(repr=False)
    place: KeyPlace
    mode: str
    team: str | None = None
    """None where the person behind the key is in one team alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """Where everything went."""

    settings_file: Path
    is_changed: bool
    """False: the file said so already."""
    key_file: Path | None
    """None: the system's keyring has it."""


def keep_profile(profile: OwnProfile, *, known: Kinds) -> Kept:
    """Keep a key and what belongs to it; the settings file keeps what it says.

    Raises:
        SettingsError: The file says otherwise, or something cannot be written;
            where it is the file, no key was kept either.
    """
    path = user_file()
    # Read as settings first: a file that kawe would refuse is not added to.
    read_own_file(path, known=known)
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
        write_file(path, after)
    in_file = profile.place is KeyPlace.FILE
    return Kept(
        settings_file=path,
        is_changed=after != text,
        key_file=key_path(profile.name) if in_file else None,
    )


def address_of(profile: str, *, known: Kinds) -> str | None:
    """Give the address that this person's own settings have for a profile."""
    values = read_own_file(user_file(), known=known)
    section = values.get("profile", {}).get(profile, {})
    found = section.get("base_url", values.get("base_url"))
    return None if found is None else str(found)
