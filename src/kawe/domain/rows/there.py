"""What the service has of a row that this journal has nothing of.

A colleague's computer made it, or this one before its journal was lost. Runs and
previews use the same rules.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto

from kawe.domain.rows.edits import differences
from kawe.domain.rows.identity import marker_of
from kawe.domain.service.service_words import Project, with_projects
from kawe.domain.sheet.content import ProjectContent


class There(Enum):
    """What the projects with a row's marker are to the row."""

    SENT = auto()
    """One says the same and is sent, and no other is: so the row is."""
    DRAFT = auto()
    """All say the same and are drafts: the one made first is taken over."""
    OTHER = auto()
    """Only a person can say whether one is the row's own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ThereAlready:
    """How a row stands by what the service has of it."""

    what: There
    project: Project | None = None
    """The row's own; None where only a person can say."""
    why: str = ""
    """Why only a person can."""


def made_first(projects: Sequence[Project]) -> Project:
    return min(projects, key=lambda each: (each.created_at, each.id))


def sent_alike(content: ProjectContent, found: Sequence[Project]) -> Project | None:
    """Give the one project of `found` that is the row, sent already.

    Drafts beside it are no row's. If two were sent, only a person can decide.
    """
    sent = [each for each in found if not each.is_draft]
    if len(sent) != 1 or not sent[0].is_sent or differences(content, sent[0]):
        return None
    return sent[0]


def what_is_there(
    content: ProjectContent, found: Sequence[Project], *, strangers: Sequence[Project]
) -> ThereAlready:
    """Judge the projects that carry a row's marker; there is one at least.

    `strangers` are those that no row of this journal owns.
    """
    sent = sent_alike(content, strangers)
    if sent is not None:
        return ThereAlready(what=There.SENT, project=sent)
    differing = [each for each in found if differences(content, each)]
    is_plain = len(strangers) == len(found) and not differing
    if is_plain and all(each.is_draft for each in found):
        return ThereAlready(what=There.DRAFT, project=made_first(found))
    why = _why(content, found, strangers=strangers, differing=differing)
    return ThereAlready(what=There.OTHER, why=with_projects(why, found))


def _why(
    content: ProjectContent,
    found: Sequence[Project],
    *,
    strangers: Sequence[Project],
    differing: Sequence[Project],
) -> str:
    has = f"a project with the reference {marker_of(content)}"
    if len(found) > 1:
        has = f"{len(found)} projects with the reference {marker_of(content)}"
    elif not strangers:
        has += ", which was made for another row"
    elif differing:
        differs = differences(content, differing[0])
        has += f" that differs from the row in {', '.join(differs)}"
    else:
        has += " and does not say whether it was sent"
    return f"The service already has {has}"
