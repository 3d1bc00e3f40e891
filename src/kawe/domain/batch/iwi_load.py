"""How many projects a batch sends to each iwi, so that people see the load."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from kawe.domain.service.places import IwiChoice
from kawe.domain.text.counts import counted
from kawe.domain.text.texts import one_line

_LISTED: Final = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class IwiShare:
    """What one iwi is asked to answer."""

    slug: str
    name: str
    projects: int


@dataclass(frozen=True, slots=True, kw_only=True)
class IwiLoad:
    """What every iwi is asked to answer, the most burdened first."""

    shares: tuple[IwiShare, ...] = ()
    projects: int = 0
    """The projects that are sent, each counted once; one may go to several iwi."""
    finished_before: int = 0
    """Rows that are not counted: nothing was asked for their sake."""

    def words(self) -> str:
        """Say it in a sentence; empty where nothing is sent."""
        if not self.shares:
            return ""
        first, *rest = self.shares
        parts = [f"{counted(first.projects, 'project')} to {_name(first)}"]
        parts += [f"{each.projects:,} to {_name(each)}" for each in rest[: _LISTED - 1]]
        more = len(self.shares) - _LISTED
        if more > 0:
            parts.append(f"others to {more:,} more iwi")
        whole = f"This batch sends {', '.join(parts)}."
        in_all = sum(each.projects for each in self.shares)
        if in_all > self.projects:
            whole += (
                f" A project can go to several iwi: {in_all:,} in all, for "
                f"{counted(self.projects, 'project')}."
            )
        if self.finished_before:
            whole += " Rows that were finished before are not counted."
        return whole

    def as_json(self) -> list[dict[str, str | int]]:
        return [
            {"iwi": each.slug, "name": each.name, "projects": each.projects}
            for each in self.shares
        ]


NO_LOAD: Final = IwiLoad()
"""What is known when the service was not asked."""


def load_of(
    sends: Iterable[tuple[IwiChoice, ...]], *, finished_before: int = 0
) -> IwiLoad:
    """Add up the iwi of each project that is to be sent."""
    counts: Counter[IwiChoice] = Counter()
    going = list(filter(None, sends))
    for choices in going:
        counts.update(choices)
    shares = [
        IwiShare(slug=iwi.slug, name=iwi.name, projects=projects)
        for iwi, projects in counts.items()
    ]
    shares.sort(key=lambda each: (-each.projects, each.name))
    return IwiLoad(
        shares=tuple(shares), projects=len(going), finished_before=finished_before
    )


def iwi_words(names: Sequence[str], *, shown: int = 8) -> str:
    """Name the iwi of one row, the first of a long list."""
    if not names:
        return ""
    more = len(names) - shown
    rest = f" and {more:,} more" if more > 0 else ""
    return "; ".join(one_line(each, limit=80) for each in names[:shown]) + rest


def _name(share: IwiShare) -> str:
    return one_line(share.name, limit=80)
