"""Finding the projects that rows mean: by the journal, by id, or by exact name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final
from uuid import UUID

from kawe.domain.rows.identity import REFERENCE
from kawe.domain.service.service_words import Project, ProjectId
from kawe.domain.service.verdicts import RowKey
from kawe.domain.text.new_zealand import day_in_new_zealand
from kawe.domain.text.texts import fold_name, one_line
from kawe.flows.kinds import Inquiry
from kawe.flows.scanning import scan_projects
from kawe.kinds.acts.world import Unfit, some_names

_SEARCHES: Final = 20
"""So many names are searched for one by one; more: the whole list is read."""


class Projects:
    """The projects that the rows of one sheet may mean."""

    def __init__(self, found: dict[str, ProjectId], listed: Sequence[Project]) -> None:
        self._found = found
        self._listed = listed

    def find(self, typed: str, *, column: str) -> ProjectId:
        """Give the one project that is meant.

        Raises:
            Unfit: There is none, or there are several.
        """
        if typed in self._found:
            return self._found[typed]
        name = fold_name(typed)
        same = {
            each.id: each
            for each in self._listed
            if each.reference == typed or fold_name(each.name) == name
        }
        if len(same) == 1:
            return next(iter(same))
        shown = one_line(typed, limit=60)
        if not same:
            raise Unfit(
                field=column,
                message=f"The service shows no project called “{shown}”.",
                advice="Type its reference, its project ID or its exact name.",
                among=sorted({each.name for each in self._listed}),
                rule="project-unknown",
            )
        raise Unfit(
            field=column,
            message=f"“{shown}” may be any of {len(same)} projects: "
            f"{some_names([_told(each) for each in same.values()])}.",
            advice="Type the reference or the project ID of the one that is meant.",
            rule="project-ambiguous",
        )


async def find_projects(typed: Iterable[str], inquiry: Inquiry) -> Projects:
    """Ask the journal, then the service, which projects the rows mean."""
    names = set(typed)
    found = {each: ProjectId(each.lower()) for each in names if _is_id(each)}
    if inquiry.journal is not None:
        keys = {RowKey(f"{REFERENCE}{each}"): each for each in names}
        known = await inquiry.journal.known(keys)
        found |= {
            keys[key]: row.project_id
            for key, row in known.items()
            if row.project_id is not None
        }
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


def _told(project: Project) -> str:
    day = day_in_new_zealand(project.created_at).isoformat()
    return f"{project.reference or project.id}, made {day}"


def _is_id(typed: str) -> bool:
    try:
        return str(UUID(typed)) == typed.lower()
    except ValueError:
        return False
