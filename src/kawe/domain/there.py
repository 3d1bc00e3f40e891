"""What of a row is with the service before this journal has anything of it.

A colleague's computer made it, or this one before its journal was lost. Runs and
previews judge it alike: a preview that calls a sent row ready is false.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum, auto

from kawe.domain.content import ProjectContent
from kawe.domain.identity import marker_of
from kawe.domain.likeness import differences
from kawe.domain.naming_projects import with_projects
from kawe.domain.service_words import Project


class There(Enum):
    """What the projects with a row's marker are to the row."""

    NOTHING = auto()
    """There are none: a draft is made."""
    SENT = auto()
    """The one that there is says the same, and is sent: so the row is."""
    DRAFT = auto()
    """The one that there is says the same, and is a draft: it is taken over."""
    OTHER = auto()
    """Only a person can say whether it is the row's own."""


def what_is_there(
    content: ProjectContent, found: Sequence[Project], *, strangers: Sequence[Project]
) -> tuple[There, str]:
    """Judge the projects that carry a row's marker; of `OTHER`, say why.

    `strangers` are those of them that no row of this journal owns.
    """
    if not found:
        return There.NOTHING, ""
    sent = [each for each in strangers if not each.is_draft]
    # Drafts beside the one that is sent are no row's any more.
    if len(sent) == 1 and sent[0].is_sent and not differences(content, sent[0]):
        return There.SENT, ""
    has = f"a project with the reference {marker_of(content)}"
    differs = differences(content, found[0])
    if len(found) > 1:
        has = f"{len(found)} projects with the reference {marker_of(content)}"
    elif not strangers:
        has += ", which was made for another row"
    elif differs:
        has += f" that differs from the row in {', '.join(differs)}"
    elif not found[0].is_draft:
        has += " and does not say whether it was sent"
    else:
        return There.DRAFT, ""
    return There.OTHER, with_projects(f"The service already has {has}", found)
