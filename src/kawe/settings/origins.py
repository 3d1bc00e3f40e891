"""The origin of each setting, for `kawe config show --origin` and for trust.

A folder's `kawe.toml` may come from somebody else; all others are the person's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any, Final, TypeAlias

Values: TypeAlias = Mapping[str, Any]


class Giver(StrEnum):
    """Places of settings, the farthest first."""

    DEFAULT = "default"
    USER_FILE = "user-file"
    FOLDER_FILE = "folder-file"
    CHOSEN_FILE = "chosen-file"
    VARIABLE = "variable"
    FLAG = "flag"


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """The place of one setting."""

    giver: Giver
    name: str = ""
    """The flag, variable, or file with its section."""
    file: Path | None = None

    def __str__(self) -> str:
        return self.name or "kawe's own value"


DEFAULT: Final = Origin(giver=Giver.DEFAULT)


@dataclass(frozen=True, slots=True, kw_only=True)
class Layer:
    """The settings of one place."""

    origin: Origin
    values: Values = field(repr=False)
    profile: str = "default"
    """The profile of the section and its key."""


def nearest(layers: Sequence[Layer], *names: str) -> tuple[str, Layer] | None:
    """Find the last layer with one of `names`, and the name."""
    for layer in reversed(layers):
        for name in names:
            if name in layer.values:
                return name, layer
    return None


def merged(layers: Sequence[Layer]) -> dict[str, Any]:
    return {name: value for layer in layers for name, value in layer.values.items()}
