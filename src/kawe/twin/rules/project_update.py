"""Reading a project and changing it (interface, UpdateProjectBody)."""

from __future__ import annotations

from collections.abc import Iterator
from sqlite3 import Connection
from typing import Final

from kawe.contract.enums import LogAction, ProjectStatus
from kawe.twin.call import Call, Rule
from kawe.twin.flags import priority_of
from kawe.twin.rules.project_create import day_problems, search_text
from kawe.twin.rules.project_view import (
    find_own_project,
    find_project,
    shown_project,
)
from kawe.twin.store.activity import note_change
from kawe.twin.validation import Problem

_FIELDS: Final = (
    "name",
    "description",
    "reference",
    "type",
    "phase",
    "start_date",
    "end_date",
    "respond_by_date",
)


def _read(call: Call, db: Connection) -> dict[str, object]:
    return shown_project(call, db, project_id=find_project(call, db)["id"])


def _check(call: Call, db: Connection) -> Iterator[Problem]:  # noqa: ARG001 - the shape of every check
    yield from day_problems(call)


def _update(call: Call, db: Connection) -> dict[str, object]:
    """Change what the body names, and log each property that differs.

    A sent project can be changed as well: `can_edit` is advice (interface,
    Authentication 8).
    """
    project = find_own_project(call, db)
    new = {name: call.body.get(name, project[name]) for name in _FIELDS}
    for name in _FIELDS:
        if new[name] != project[name]:
            note_change(
                db,
                call,
                action=LogAction.UPDATED,
                project_id=project["id"],
                change=(name, project[name], new[name]),
                is_internal=project["status"] == ProjectStatus.DRAFT,
            )
    db.execute(
        "UPDATE project SET name = :name, description = :description,"
        " reference = :reference, type = :type, phase = :phase,"
        " start_date = :start_date, end_date = :end_date,"
        " respond_by_date = :respond_by_date, priority = :priority,"
        " search_text = :search_text, updated_on = :now WHERE id = :id",
        {
            **new,
            "priority": priority_of(new["type"]),
            "search_text": search_text(
                name=new["name"],
                reference=new["reference"],
                address=project["address"],
            ),
            "now": call.now,
            "id": project["id"],
        },
    )
    return shown_project(call, db, project_id=project["id"])


PROJECT_READ = Rule(act=_read)
PROJECT_UPDATE = Rule(act=_update, check=_check)
