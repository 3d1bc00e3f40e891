"""What the service shows of the target of an act, as it was just read.

A project is found by the journal, by id, or by exact name.
"""

import asyncio
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Final, TypeAlias

from kawe.domain.rows.entries import Entry
from kawe.domain.rows.identity import REFERENCE
from kawe.domain.service.service_words import Account, Project, ProjectId, full_name
from kawe.domain.service.states import RowKey
from kawe.domain.text.new_zealand import day_in_new_zealand
from kawe.domain.text.next_steps import Next
from kawe.domain.text.texts import fold_name, one_line, some_of
from kawe.errors import PathUnknown
from kawe.flows.kinds import Inquiry
from kawe.flows.scanning import make_sure, scan_list, scan_projects
from kawe.ports import Lookups

Raw: TypeAlias = Mapping[str, Any]

OF_PROJECT: Final = {"project": "project_read", "thread": "engagement_list"}
_OF_TEAM: Final = {"team": "team_read", "reports": "report_list"}
_OF_ALL: Final = {
    "groups": "group_list",
    "organisations": "organisation_list",
    "projects": "project_list",
}
_OPERATIONS: Final = OF_PROJECT | _OF_TEAM | _OF_ALL
_ALONE: Final = frozenset({"project", "team"})
_ID: Final = re.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)


@dataclass(eq=False, kw_only=True)
class Unfit(Exception):
    """The row cannot be done as it stands."""

    message: str
    advice: str = "Take the row out."
    field: str = ""
    """Where it is wrong; empty: at what names the target."""
    among: Sequence[str] = ()
    """The names one of which may have been meant."""
    rule: str = "act-unfit"

    def __str__(self) -> str:
        return f"{self.message} {self.advice}"


@dataclass(frozen=True, slots=True)
class Projects:
    """The projects that the rows of one sheet may mean."""

    found: Mapping[str, ProjectId] = field(default_factory=dict)
    listed: Sequence[Project] = ()

    def has(self, reference: str) -> bool:
        """Say whether a project has it to the letter; an ID is no reference."""
        listed = (each.reference for each in self.listed)
        return not _ID.fullmatch(reference) and reference in {*self.found, *listed}

    def others(self, reference: str, *, but: str) -> set[str]:
        """Give the IDs of the projects but one that have a reference."""
        listed = {e.id for e in self.listed if e.reference == reference}
        return {*listed, self.found.get(reference, but)} - {but}

    def find(self, typed: str) -> ProjectId:
        """Give the one project that is meant.

        Raises:
            Unfit: There is none, or there are several.
        """
        if typed in self.found:
            return self.found[typed]
        name = fold_name(typed)
        same = {
            each.id: each
            for each in self.listed
            if each.reference == typed or fold_name(each.name) == name
        }
        if len(same) == 1:
            return next(iter(same))
        shown = one_line(typed, limit=60)
        if not same:
            names = {n for e in self.listed for n in (e.reference, e.name) if n}
            raise Unfit(
                message=f"The service shows no project called “{shown}”.",
                advice="Type its reference, its project ID or its exact name.",
                among=sorted(names),
                rule="project-unknown",
            )
        made = ((e, day_in_new_zealand(e.created_at)) for e in same.values())
        named = [f"{each.reference or each.id}, made {day}" for each, day in made]
        raise Unfit(
            message=f"“{shown}” may be any of {len(same)} projects: "
            f"{some_names(named)}.",
            advice="Type the reference or the project ID of the one that is meant.",
            rule="project-ambiguous",
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """Parts of what the service shows, each read in one moment."""

    account: Account
    parts: Mapping[str, Any] = field(default_factory=dict)
    earlier: Mapping[str, Sequence[Entry]] = field(default_factory=dict)
    """The rows of this journal that others may repeat, by target."""
    new: frozenset[str] = frozenset()
    """What new rows of the sheet say."""
    projects: Projects = Projects()

    @property
    def project(self) -> Raw:
        """Give the project of the row, as the service showed it."""
        return {**self.parts["project"]}

    @property
    def members(self) -> list[Raw]:
        return list(self.parts["team"]["users"])

    def called(self, typed: str, target: str) -> str:
        """Give the name of a row's project or person; else what was typed."""
        if target == "project":
            return str(self.project["name"])
        people = having(self.members, typed) if target == "person" else ()
        return full_name(people[0]) if people else typed

    def listed(self, part: str) -> list[Raw]:
        return list(self.parts[part])

    def member(self, email: object, *, column: str = "") -> Raw:
        """Find a member by the address.

        Raises:
            Unfit: Nobody in the team has it.
        """
        if found := having(self.members, email):
            return found[0]
        raise self.no_member(email, column=column)

    def no_member(self, email: object, *, column: str = "") -> Unfit:
        return Unfit(
            field=column,
            message=f"Nobody in the team has the address “{one_line(str(email))}”.",
            advice=f"Correct the address; {Next.EXPORT_TEAM} lists everybody.",
            among=[str(each["email"]) for each in self.members],
        )

    def named(self, part: str, *names: object, column: str = "") -> Raw | None:
        """Find the one of a list that has the first of `names` that any has.

        Raises:
            Unfit: Several have it.
        """
        for name in filter(None, names):
            wanted = fold_name(str(name))
            same = [e for e in self.listed(part) if fold_name(e["name"]) == wanted]
            if len(same) > 1:
                raise Unfit(
                    field=column,
                    message=f"{len(same)} {part} are called “{one_line(str(name))}”.",
                    advice="Give them names of their own in the portal first.",
                )
            if same:
                return same[0]
        return None

    def unknown(self, part: str, name: object, *, column: str = "") -> Unfit:
        return Unfit(
            field=column,
            message=f"The team has none called “{one_line(str(name))}”.",
            advice="Write the name as it is in the service.",
            among=[str(each["name"]) for each in self.parts[part]],
        )


async def read_world(
    lookups: Lookups, world: World, parts: Sequence[str], *, project: str
) -> World:
    """Read those of `parts` that `world` has not.

    Raises:
        Unfit: The project is not visible to the key.
    """
    wanted = [each for each in parts if each not in world.parts]
    of = {**dict.fromkeys(_OF_TEAM, world.account.team_id)}
    of |= dict.fromkeys(OF_PROJECT, project)
    read = await asyncio.gather(*(_part(lookups, e, of=of.get(e)) for e in wanted))
    return replace(world, parts={**world.parts, **dict(zip(wanted, read, strict=True))})


async def read_threads(lookups: Lookups, world: World) -> World:
    """Read the thread of every project that was listed."""
    ids = [each["id"] for each in world.listed("projects")]
    threads = {each: await _part(lookups, "thread", of=each) for each in ids}
    return replace(world, parts={**world.parts, "threads": threads})


async def _part(lookups: Lookups, part: str, *, of: str | None) -> object:
    operation = _OPERATIONS[part]
    if part in _ALONE:
        try:
            page = await lookups.listed(operation, path={"id": str(of)}, page=1)
        except PathUnknown as trouble:
            if part == "team":
                raise
            raise Unfit(
                message="The service does not show this project to your team.",
                advice="Check which project is meant.",
            ) from trouble
        return page.items[0]
    found = await scan_list(lookups, operation, of=of)
    make_sure(found)
    return found.items


def having(people: Sequence[Raw], email: object) -> list[Raw]:
    """Give those who have an address; case does not count."""
    wanted = str(email).casefold()
    return [each for each in people if str(each["email"]).casefold() == wanted]


def day_of(at: object) -> str:
    return day_in_new_zealand(datetime.fromisoformat(str(at))).isoformat()


def some_names(names: Sequence[str]) -> str:
    """Quote the first of some names, and say how many there are besides."""
    quoted = [f"“{one_line(each, limit=60)}”" for each in names]
    return some_of(quoted, shown=5, between="; ")


_SEARCHES: Final = 20
"""So many names are searched for one by one; more: the whole list is read."""


async def find_projects(typed: Iterable[str], inquiry: Inquiry) -> Projects:
    """Ask the journal, then the service, which projects the rows mean."""
    names = set(typed)
    found = {each: ProjectId(each.lower()) for each in names if _ID.fullmatch(each)}
    if inquiry.journal is not None:
        keys = {RowKey(f"{REFERENCE}{each}"): each for each in names}
        known = await inquiry.journal.known(keys)
        found |= {keys[k]: row.project_id for k, row in known.items() if row.project_id}
    left = names - found.keys()
    tools = inquiry.asker.tools
    listed: list[Project] = []
    for search in sorted(left) if len(left) <= _SEARCHES else [None]:
        scan = await scan_projects(tools.lookups, search=search, stop=tools.stop)
        listed += scan.items
    if left and len(left) <= _SEARCHES:
        # A search need not find all: the newest are looked at as well.
        listed += (await tools.lookups.projects(page=1)).items
    return Projects(found, listed)
