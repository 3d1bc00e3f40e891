"""Picking up, completing, closing and reopening a project (interface, States).

The interface shows no operation for picking up: people do it in the portal.
"""

from collections.abc import Iterable
from sqlite3 import Connection, Row
from typing import Final

from kawe_contract.enums import LogAction, ProjectStatus
from kawe_contract.operations import Operation
from kawe_twin.calls.call import Call, Rule
from kawe_twin.calls.validation import Problem
from kawe_twin.rules.project_view import find_project, shown_project
from kawe_twin.store.database import update
from kawe_twin.store.projects import note_change, note_project, write_entry
from kawe_twin.world.answers import Refusal

PICK_UP: Final = Operation(
    name="project_pick_up",
    method="POST",
    path="/portal/projects/{id}/pick-up",
    shown=False,
    summary="Pick a new project up; iwi only, in the portal",
)


def _iwi_only(call: Call, db: Connection) -> Iterable[Problem]:  # noqa: ARG001 - the shape of every check
    if call.caller.kind != "IWI":
        raise Refusal(403, "Only an iwi may complete a project.")
    return ()


def _complete(call: Call, db: Connection) -> dict[str, object]:
    project = _sent(call, db)
    if project["status"] in (ProjectStatus.COMPLETE, ProjectStatus.CLOSED):
        raise Refusal(409, "The project is over already.")
    _set(call, db, project, status=ProjectStatus.COMPLETE)
    _say(call, db, project=project, is_internal=False)
    return _noted(call, db, project, action=LogAction.COMPLETED)


def _close(call: Call, db: Connection) -> dict[str, object]:
    """Close for everybody; `all` says who reads the message.

    The interface does not show what `all` does. Here true tells the message to
    all, and false keeps it with the account that closes.
    """
    project = _sent(call, db)
    if project["status"] == ProjectStatus.CLOSED:
        raise Refusal(409, "The project is closed already.")
    _set(call, db, project, status=ProjectStatus.CLOSED, closed_on=call.now)
    _say(call, db, project=project, is_internal=not call.body["all"])
    return _noted(call, db, project, action=LogAction.CLOSED)


def _reopen(call: Call, db: Connection) -> dict[str, object]:
    """Take a closed project up again, free of charge (Token rules 3)."""
    project = find_project(call, db)
    if project["status"] != ProjectStatus.CLOSED:
        raise Refusal(409, "The project is not closed.")
    _set(call, db, project, status=ProjectStatus.IN_PROGRESS, closed_on=None)
    return _noted(call, db, project, action=LogAction.REOPENED)


def _sent(call: Call, db: Connection) -> Row:
    project = find_project(call, db)
    if project["status"] == ProjectStatus.DRAFT:
        raise Refusal(409, "The project has not been sent.")
    return project


def _say(call: Call, db: Connection, *, project: Row, is_internal: bool) -> None:
    if message := call.body.get("message"):
        write_entry(
            db, call, project_id=project["id"], content=message, is_internal=is_internal
        )


def _set(call: Call, db: Connection, project: Row, /, **values: object) -> None:
    update(db, "project", project["id"], **values, updated_on=call.now)


def _noted(
    call: Call, db: Connection, project: Row, /, *, action: LogAction
) -> dict[str, object]:
    note_project(db, call, action=action, project_id=project["id"])
    return shown_project(call, db, project_id=project["id"])


def _pick_up(call: Call, db: Connection) -> dict[str, object]:
    project = find_project(call, db)
    if call.caller.kind != "IWI" or project["side"] != "RECIPIENT":
        raise Refusal(403, "Only an iwi that the project was sent to may pick it up.")
    if project["status"] != ProjectStatus.NEW:
        raise Refusal(409, "The project has been picked up already.")
    take_up(call, db, project)
    return shown_project(call, db, project_id=project["id"])


def take_up(call: Call, db: Connection, project: Row) -> None:
    """Let a new project wait for the iwi's response, and log that."""
    before, after = ProjectStatus.NEW, ProjectStatus.AWAITING_RESPONSE
    _set(call, db, project, status=after)
    note_change(db, call, ("status", before, after), project=project)


PROJECT_PICK_UP: Final = Rule(act=_pick_up)
RULES: Final = {
    "project_complete": Rule(act=_complete, check=_iwi_only),
    "project_close": Rule(act=_close),
    "project_reopen": Rule(act=_reopen),
}
