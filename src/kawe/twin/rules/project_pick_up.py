"""An iwi picks a project up (interface, States: NEW, then AWAITING_RESPONSE).

The interface shows no operation for this: people do it in the portal.
"""

from __future__ import annotations

from sqlite3 import Connection
from typing import Final

from kawe.contract.enums import LogAction, ProjectStatus
from kawe.contract.operation import Operation
from kawe.twin.call import Call, Rule
from kawe.twin.envelope import Refusal
from kawe.twin.rules.project_view import find_project, shown_project
from kawe.twin.store.activity import note_change

PICK_UP: Final = Operation(
    name="project_pick_up",
    method="POST",
    path="/portal/projects/{id}/pick-up",
    shown=False,
    summary="Pick a new project up; iwi only, in the portal",
)


def _pick_up(call: Call, db: Connection) -> dict[str, object]:
    project = find_project(call, db)
    if call.caller.kind != "IWI" or project["side"] != "RECIPIENT":
        said = "Only an iwi that the project was sent to may pick it up."
        raise Refusal(status_code=403, message=said)
    if project["status"] != ProjectStatus.NEW:
        said = "The project has been picked up already."
        raise Refusal(status_code=409, message=said)
    db.execute(
        "UPDATE project SET status = ?, updated_on = ? WHERE id = ?",
        (ProjectStatus.AWAITING_RESPONSE, call.now, project["id"]),
    )
    note_change(
        db,
        call,
        action=LogAction.UPDATED,
        project_id=project["id"],
        change=("status", ProjectStatus.NEW, ProjectStatus.AWAITING_RESPONSE),
    )
    return shown_project(call, db, project_id=project["id"])


PROJECT_PICK_UP: Final = Rule(act=_pick_up)
