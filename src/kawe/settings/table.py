"""Every setting, said once, and where a value is from: all others read this table.

A folder's `kawe.toml` may come from somebody else; all other places are the person's.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any, Final, TypeAlias

from kawe.domain.service.states import DEFAULT_SETTLE_SECONDS
from kawe.domain.text.texts import one_line
from kawe.errors import SettingsError


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """One setting; its name in a file is the key of the table."""

    kind: type | tuple[type, ...] = str
    default: Any = None
    variable: str = ""
    """The environment variable that gives it too."""
    field: str = ""
    """The field of `Settings`; empty: the setting's own name."""
    words: tuple[str, ...] = ()
    """The words that it may be, the least strict first."""
    bounds: tuple[float, float] | None = None
    is_stricter_if_less: bool = False
    own: str = ""
    """What it says that a folder's file may not say; empty: that file may have it."""
    title: str = ""
    """Its name for people, where that is a section."""
    is_apart: bool = False
    """It is shown in a way of its own, or not at all: it may be a secret."""

    def checked(self, name: str, value: Any) -> Any:  # noqa: ANN401 - any setting's
        """Give the value, if it is one of the words, or within the bounds."""
        if self.words and value not in (*self.words, self.default):
            said = f"{' or '.join(self.words)}, not {one_line(str(value))}"
            raise SettingsError(message=f"{name} is {said}.")
        # In this form NaN is refused too.
        if (
            self.bounds
            and value is not None
            and not self.bounds[0] <= value <= self.bounds[1]
        ):
            said = f"between {self.bounds[0]} and {self.bounds[1]}, not {value}"
            raise SettingsError(message=f"{name} is {said}.")
        return value


SETTINGS: Final[Mapping[str, Setting]] = {
    "base_url": Setting(variable="KAWE_BASE_URL"),
    "key_file": Setting(own="which key is used", is_apart=True),
    "key_command": Setting(own="which key is used", is_apart=True),
    "key_store": Setting(
        words=("keyring", "file"), own="which key is used", is_apart=True
    ),
    "journal": Setting(variable="KAWE_JOURNAL", own="what was done already"),
    "bucket": Setting(default="", own="where files come from"),
    "team": Setting(own="whose tokens are shown"),
    "mode": Setting(words=("live", "sandbox"), own="whether a live key is meant"),
    "workers": Setting(kind=int, default=8, bounds=(1, 64), is_stricter_if_less=True),
    "settle": Setting(
        kind=(int, float),
        default=DEFAULT_SETTLE_SECONDS,
        field="settle_seconds",
        bounds=(0.1, 86_400),
    ),
    "keep_reserve": Setting(kind=int, default=0, bounds=(0, 10**9)),
    "per_iwi_month": Setting(kind=int, bounds=(1, 10**9), is_stricter_if_less=True),
    "machines": Setting(words=("one", "several"), default="one"),
    "approval": Setting(words=("none", "second_person"), default="none"),
    "exports": Setting(words=("whole", "masked"), default="whole"),
    "author": Setting(default="", own="who you are"),
    "project_link": Setting(default="", own="where links lead"),
    "owner": Setting(default=""),
    "columns": Setting(kind=dict, is_apart=True),
    "checks": Setting(kind=dict),
    "service": Setting(
        kind=dict, own="where requests go", title="[service.paths]", is_apart=True
    ),
    "retention": Setting(kind=dict, own="how long rows are kept", title="[retention]"),
    "notify": Setting(kind=dict, own="who is told of a run", title="[notify]"),
    "work": Setting(kind=dict, own="what leaves without a person", title="[work]"),
    "log": Setting(
        kind=dict,
        variable="KAWE_LOG",
        own="where the log goes",
        title="[log]",
        is_apart=True,
    ),
    "approvers": Setting(kind=dict, own="whose approval counts", title="[approvers]"),
}
LIMITS: Final = tuple(name for name, each in SETTINGS.items() if each.kind is int)
"""What may stand in `[limits]` as well."""


def refuse_unknown(section: str, said: Iterable[str], *, names: Iterable[str]) -> None:
    """Check that a section says only what it may hold."""
    names = tuple(names)
    for name in said:
        if name not in names:
            alone = " alone" if len(names) == 1 else ""
            raise SettingsError(
                message=f"[{section}] cannot hold {one_line(str(name))!r}.",
                hint=f"It holds {', '.join(names)}{alone}.",
            )


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
