"""A service in memory that has projects, threads and a team, for rounds of a watch.

Pages hold three, so that few projects have several. `before_page` is called before
each page of the list of projects, and may change what there is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from kawe.domain.service.service_words import Page, TeamInvitation, TeamRoll
from kawe.errors import PathUnknown, ScopeMissing
from kawe.ports import NO_QUERY, QueryValue

_PAGE: Final = 3
BEGAN_AT: Final = datetime(2026, 11, 2, 3, 0, tzinfo=UTC)
_OVER: Final = frozenset({"CLOSED", "COMPLETE"})


@dataclass(slots=True)
class Threads:
    """What the service holds; counts what is asked, by operation."""

    projects: dict[str, dict[str, Any]] = field(default_factory=dict)
    threads: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    members: set[str] = field(default_factory=lambda: {"aroha tauira"})
    invited: list[TeamInvitation] = field(default_factory=list)
    may_read_team: bool = True
    asked: Counter[str] = field(default_factory=Counter)
    before_page: Callable[[int], None] = lambda _: None
    at: datetime = BEGAN_AT

    def later(self) -> str:
        """Let a minute pass at the service; give the time."""
        self.at += timedelta(minutes=1)
        return self.at.isoformat()

    def add(self, name: str, *, status: str = "NEW", **changes: Any) -> str:
        """Add a project; its name is its id."""
        self.projects[name] = {
            "id": name,
            "name": name,
            "status": status,
            "updated_on": self.later(),
            "closed_on": None,
            "respond_by_date": "2030-04-01T00:00:00Z",
            **changes,
        }
        self.threads[name] = []
        return name

    def set(self, name: str, **changes: Any) -> None:
        self.projects[name].update(updated_on=self.later(), **changes)

    def respond(self, name: str, words: str, *, by: str = "Hone Iwi") -> None:
        """Add a response, and nothing else that would show it."""
        first, _, last = by.partition(" ")
        self.threads[name].insert(
            0,
            self._entry(words)
            | {"created_by": {"first_name": first, "last_name": last}},
        )
        self.projects[name]["updated_on"] = self.at.isoformat()

    def note(self, name: str) -> None:
        """Add a note."""
        self.threads[name].insert(0, self._entry("Rang.") | {"is_internal": True})
        self.projects[name]["updated_on"] = self.at.isoformat()

    async def listed(
        self,
        operation: str,
        *,
        path: Mapping[str, str],
        page: int,
        query: Mapping[str, QueryValue] = NO_QUERY,
    ) -> Page[Mapping[str, object]]:
        """Read a page of projects, the newest first, or of a thread."""
        self.asked[operation] += 1
        if operation == "engagement_list":
            return _page(self.threads[path["id"]], page=page)
        if operation == "project_read":
            return self._alone(path["id"])
        self.before_page(page)
        every = query["active_status"] == "all"
        shown = [
            each
            for each in reversed(self.projects.values())
            if every or each["status"] not in _OVER
        ]
        return _page(shown, page=page)

    async def team(self, team_id: str) -> TeamRoll:
        """Read the team."""
        del team_id
        self.asked["team_read"] += 1
        if not self.may_read_team:
            raise ScopeMissing(message="The key may not do this (403).")
        return TeamRoll(
            members={},
            invitations=tuple(self.invited),
            member_names=frozenset(self.members),
        )

    def _alone(self, name: str) -> Page[Mapping[str, object]]:
        if name not in self.projects:
            raise PathUnknown(message="Not found (404).")
        return Page(items=(self.projects[name],), total=1, page=1)

    def _entry(self, words: str) -> dict[str, Any]:
        return {
            "id": f"entry {sum(map(len, self.threads.values()))}",
            "is_internal": False,
            "created_on": self.later(),
            "content": words,
            "documents": [],
        }


def _page(items: list[Any], *, page: int) -> Page[Any]:
    shown = items[_PAGE * (page - 1) : _PAGE * page]
    return Page(items=tuple(shown), total=len(items), page=page)
