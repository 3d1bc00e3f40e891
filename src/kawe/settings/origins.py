"""Who gave a setting: what `kawe config show --origin` says, and whom to trust.

A `kawe.toml` in the folder of the work comes with the folder, perhaps from
somebody else. Everything else is this person's own word.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any, Final, TypeAlias

Values: TypeAlias = Mapping[str, Any]


class Giver(StrEnum):
    """Where a setting can come from, the farthest first."""

    DEFAULT = "default"
    USER_FILE = "user-file"
    FOLDER_FILE = "folder-file"
    CHOSEN_FILE = "chosen-file"
    VARIABLE = "variable"
    FLAG = "flag"


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """Where one setting came from."""

    giver: Giver
    name: str = ""
    """The flag, variable, or file with its section."""
    file: Path | None = None

    def __str__(self) -> str:
        """Say it in words."""
        return self.name or "kawe's own value"


DEFAULT: Final = Origin(giver=Giver.DEFAULT)


@dataclass(frozen=True, slots=True, kw_only=True)
class Layer:
    """Settings that came from one place."""

    origin: Origin
    values: Values = field(repr=False)
    profile: str = "default"
    """The profile that the section belongs to; a key is kept under it."""


def nearest(layers: Sequence[Layer], *names: str) -> tuple[str, Layer] | None:
    """Find the last layer that has one of `names`, and which of them."""
    for layer in reversed(layers):
        for name in names:
            if name in layer.values:
                return name, layer
    return None


def merged(layers: Sequence[Layer]) -> dict[str, Any]:
    """Lay layers over each other."""
    return {name: value for layer in layers for name, value in layer.values.items()}
