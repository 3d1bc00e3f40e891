"""What each act asks of the service, and what was so before: pure functions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

from kawe.kinds.acts.world import Raw, Unfit, World
from kawe_contract.enums import ProjectStatus

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
        return self.before == self.after

    @property
    def changed(self) -> dict[str, tuple[str, str]]:
        """Give what is changed by field, from what to what."""
        was = {name: self.before.get(name, "") for name in self.after}
        return {n: (was[n], to) for n, to in self.after.items() if was[n] != to}


Deeds: TypeAlias = Callable[[Said, World], Deed]


def _id_of(raw: Raw) -> dict[str, str]:
    return {"id": str(raw["id"])}


def _given(said: Said, *names: str) -> dict[str, Any]:
    return {name: said[name] for name in names if said.get(name) is not None}


def _standing(project: Raw) -> str:
    """Say whether a project is open, closed or complete.

    Raises:
        Unfit: It is a draft.
    """
    status = project.get("status")
    if status == ProjectStatus.DRAFT:
        raise Unfit(
            field="project",
            message="The project is a draft: it was never sent.",
            advice="Take the row out, or send the project first.",
        )
    if status == ProjectStatus.COMPLETE:
        return "complete"
    is_closed = status == ProjectStatus.CLOSED or project.get("closed_on")
    return "closed" if is_closed else "open"


def _standing_deed(
    world: World, operation: str, *, to: str, body: Said | None = None
) -> Deed:
    project = world.project
    return Deed(
        before={"project": _standing(project)},
        after={"project": to},
        operation=operation,
        path=_id_of(project),
        body=body or {},
    )


def _close(said: Said, world: World) -> Deed:
    body = {"all": said.get("all") is True, **_given(said, "message")}
    return _standing_deed(world, "project_close", to="closed", body=body)


DEEDS: Final[Mapping[str, Deeds]] = {"closures": _close}
