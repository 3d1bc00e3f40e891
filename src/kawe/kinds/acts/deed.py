"""One request of an act, and what it changes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from kawe.kinds.acts.world import Raw, Unfit, World

Said: TypeAlias = Mapping[str, Any]
Facts: TypeAlias = Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Deed:
    """One request, and what it changes: by field, before and after."""

    before: Facts
    after: Facts
    operation: str
    path: Mapping[str, str] = field(default_factory=dict)
    body: Mapping[str, Any] = field(default_factory=dict)
    seen: tuple[str, ...] = ()
    """What tells later whether it was done, where `before` does not."""

    @property
    def is_so(self) -> bool:
        return not self.changed

    @property
    def changed(self) -> dict[str, tuple[str, str]]:
        """Give what is changed by field, from what to what."""
        was = {name: self.before.get(name, "") for name in self.after}
        return {n: (was[n], to) for n, to in self.after.items() if was[n] != to}


Deeds: TypeAlias = Callable[[Said, World], Deed]


def id_of(raw: Raw) -> dict[str, str]:
    return {"id": str(raw["id"])}


def given(said: Said, *names: str) -> dict[str, Any]:
    return {name: said[name] for name in names if said.get(name) is not None}


def nothing(column: str) -> Unfit:
    return Unfit(
        field=column,
        message="The row says nothing that is to be changed.",
        advice="Fill in what is to be changed, or take the row out.",
    )
