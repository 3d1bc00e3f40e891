"""What a `kawe.toml` in the folder of the work may say.

It came with the folder, perhaps from somebody else. It may describe the work that
lies there and make a run stricter; it says nothing about the person, their key or
their journal, and loosens nothing. docs/settings.md has the table.
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
    "notify": ("[notify]", "who is told of a run"),
    "service": ("[service.paths]", "where requests go"),
}
# What counts where the person says nothing.
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
    """Make sure that what a folder's file says only makes a run stricter.

    `own` is what this person's own settings say.

    Raises:
        GuardRefused: It says what is the person's alone to say, or loosens it.
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
        # Said this way round, what is not a number is refused too.
        is_stricter = value <= yours if name in _FEWER else value >= yours
        return not is_stricter
    # What is no word for it is refused by whoever reads the setting.
    return value != yours and value in _STRICTER_LAST.get(name, ())[:1]
