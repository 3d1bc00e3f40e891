"""Projects of the team as a look saw them, to and from the store.

Only what a comparison needs is kept, and what says whether to read one again.
"""

from __future__ import annotations

import json

from kawe.domain.service.places import Place
from kawe.domain.service.service_words import Project, ProjectId
from kawe.journal.records import instant
from kawe.journal.store import Record
from kawe.journal.words import instant_to_text, storable


def team_project_to_record(project: Project) -> Record:
    """Write what a look saw of a project."""
    times = project.start_at, project.end_at, project.respond_by_at
    said = {
        "name": project.name,
        "reference": project.reference,
        "status": project.status,
        "description": project.description,
        "created_at": instant_to_text(project.created_at),
        "times": [None if at is None else instant_to_text(at) for at in times],
        "place": None if project.place is None else project.place.key(),
        "address": project.address,
    }
    updated_at = instant_to_text(project.updated_at or project.created_at)
    return project.id, updated_at, storable(json.dumps(said))


def team_project_from_record(record: Record) -> Project:
    """Read what a look saw of a project."""
    project, updated_at, text = record
    said = json.loads(text)
    start, end, respond = (None if at is None else instant(at) for at in said["times"])
    place = said["place"]
    return Project(
        id=ProjectId(project),
        name=str(said["name"]),
        reference=said["reference"],
        status=said["status"],
        description=str(said["description"]),
        created_at=instant(said["created_at"]),
        updated_at=instant(updated_at),
        start_at=start,
        end_at=end,
        respond_by_at=respond,
        place=None if place is None else Place(latitude=place[0], longitude=place[1]),
        address=str(said["address"]),
    )
