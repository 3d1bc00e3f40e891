"""Projects of the service that a row is held for, named within the reason.

The journal keeps the ids in the reason, because a person who adopts one must name it.
Sentences for people leave them out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from kawe.domain.service.service_words import Project, ProjectId
from kawe.domain.text.texts import one_line

_NAMED: Final = re.compile(
    "(“[^“”]*”, (?:a draft|sent|perhaps sent)) [(]([0-9A-Za-z-]{1,64})[)]"
)


def standing(project: Project) -> str:
    """Say whether a project is with iwi."""
    if project.is_sent:
        return "sent"
    return "a draft" if project.is_draft else "perhaps sent"


def with_projects(said: str, projects: Iterable[Project]) -> str:
    """End a reason with the projects that it is about."""
    named = "; ".join(
        f"“{_name(each)}”, {standing(each)} ({each.id})" for each in projects
    )
    return f"{said}: {named}."


def without_ids(reason: str) -> str:
    return _NAMED.sub(r"\1", reason)


def without_projects(reason: str) -> str:
    return re.sub(r":[; ]*\.$", ".", _NAMED.sub("", reason))


def projects_in(reason: str) -> tuple[tuple[str, ProjectId], ...]:
    return tuple((words, ProjectId(each)) for words, each in _NAMED.findall(reason))


def _name(project: Project) -> str:
    # Whoever named it must not be able to name others with it.
    return one_line(project.name, limit=80).translate({ord(c): "'" for c in "“”"})
