"""Finds the key of a run and its origin."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from kawe.domain.text.next_steps import Next
from kawe.errors import KeyMissing
from kawe.settings.keeping import KeyPlace, kept_key, key_path
from kawe.settings.origins import Giver, Layer, Origin, nearest
from kawe.settings.private import private_text
from kawe.settings.table import SETTINGS


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundKey:
    """A key and where it was found."""

    key: str = field(repr=False)
    origin: Origin
    """Who named it."""
    file: Path | None = None
    kept_for: str | None = None
    """The only address of a key that kawe stores."""

    def __str__(self) -> str:
        """Give the origin, without the key."""
        if self.kept_for is not None and self.file is None:
            return f"the system's keyring, kept by {Next.INIT} for {self.kept_for}"
        if self.kept_for is not None:
            return f"{self.file}, kept by {Next.INIT} for {self.kept_for}"
        if self.file is not None:
            return f"{self.file}, named by {self.origin}"
        return str(self.origin)


def find_key(
    layers: Sequence[Layer], *, environment: Mapping[str, str]
) -> FoundKey | None:
    """Find the key: the flag's file, the environment, then the settings.

    Raises:
        KeyMissing: Its file or keyring cannot be read, or holds none.
        GuardRefused: Others can read it.
        SettingsError: The settings name a place that is none.
    """
    named = nearest(layers, "key_file", "key_store")
    is_flag = named is not None and named[1].origin.giver is Giver.FLAG
    key = environment.get("KAWE_API_KEY", "").strip()
    if key and not is_flag:
        origin = Origin(giver=Giver.VARIABLE, name="KAWE_API_KEY")
        return FoundKey(key=_checked(key, source="KAWE_API_KEY"), origin=origin)
    if named is None:
        return None
    name, layer = named
    if name == "key_store":
        return _kept(layer)
    path = Path(str(layer.values[name])).expanduser()
    return FoundKey(key=key_in_file(path), origin=layer.origin, file=path)


def key_in_file(path: Path) -> str:
    """Read the key that a file holds.

    Raises:
        KeyMissing: It holds none, or cannot be read.
        GuardRefused: Others can read it.
    """
    return _checked(private_text(path), source=str(path))


def _kept(layer: Layer) -> FoundKey:
    word = str(layer.values["key_store"])
    place = KeyPlace(SETTINGS["key_store"].checked("key_store", word))
    kept = kept_key(layer.profile, place=place)
    return FoundKey(
        key=_checked(kept.key, source="The kept key"),
        origin=layer.origin,
        file=key_path(layer.profile) if place is KeyPlace.FILE else None,
        kept_for=kept.base_url,
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
