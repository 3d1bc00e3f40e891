"""What a `kawe.toml` in the working directory may set.

It may come from somebody else, so it may only describe the work or make a run stricter.
docs/settings.md has the table.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from kawe.domain.service.settling import DEFAULT_SETTLE_SECONDS
from kawe.errors import GuardRefused
from kawe.settings.keeping import user_file
from kawe.settings.origins import Layer, Values

_OWN_ALONE: Final[Mapping[str, tuple[str, str]]] = {
    "key_file": ("key_file", "which key is used"),
    "key_store": ("key_store", "which key is used"),
    "mode": ("mode", "whether a live key is meant"),
    "team": ("team", "whose tokens are shown"),
    "journal": ("journal", "what was done already"),
    "author": ("author", "who you are"),
    "project_link": ("project_link", "where links lead"),
    "log": ("[log]", "where the log goes"),
    "approvers": ("[approvers]", "whose approval counts"),
    "notify": ("[notify]", "who is told of a run"),
    "service": ("[service.paths]", "where requests go"),
}
# The values without a setting of the person.
_MORE: Final[Values] = {"settle": DEFAULT_SETTLE_SECONDS, "keep_reserve": 0}
_FEWER: Final[Values] = {"workers": 8}
_STRICTER_LAST: Final[Mapping[str, tuple[str, str]]] = {
    "approval": ("none", "second_person"),
    "machines": ("one", "several"),
}
_WITHOUT: Final[Values] = {
    **_MORE,
    **_FEWER,
    **{name: words[0] for name, words in _STRICTER_LAST.items()},
}


def refuse_loosening(layer: Layer, *, own: Values) -> None:
    """Check that a folder's file only makes a run stricter than `own`.

    Raises:
        GuardRefused: It has a setting of the person alone, or loosens one.
    """
    for name, (title, says) in _OWN_ALONE.items():
        if name in layer.values:
            raise GuardRefused(
                message=f"{layer.origin} says {says} ({title}), and it lies beside "
                "workbooks.",
                hint=f"Nothing was sent. Move {title} to your own settings, "
                f"{user_file()}, or name the file with KAWE_CONFIG.",
            )
    for name, value in layer.values.items():
        yours = own.get(name, _WITHOUT.get(name))
        if _loosens(name, value, yours=yours):
            shown = f"{yours:g}" if isinstance(yours, float) else yours
            raise GuardRefused(
                message=f"{layer.origin} sets {name} to {value}, and it lies beside "
                f"workbooks: there it may only be stricter than yours, {shown}.",
                hint=f"Nothing was sent. Take {name} out there; if you want it so, "
                f"write it into your own settings, {user_file()}.",
            )


def _loosens(name: str, value: object, *, yours: object) -> bool:
    if isinstance(value, int | float) and isinstance(yours, int | float):
        # In this form NaN is refused too.
        is_stricter = value <= yours if name in _FEWER else value >= yours
        return not is_stricter
    # The reader of the setting refuses unknown words.
    return value != yours and value in _STRICTER_LAST.get(name, ())[:1]
