"""Completing, closing and reopening a project (interface, States)."""

from __future__ import annotations

from collections.abc import Iterable
from sqlite3 import Connection, Row

from kawe.contract.enums import LogAction, ProjectStatus
from kawe.twin.call import Call, Rule
from kawe.twin.envelope import Refusal
from kawe.twin.rules.project_view import find_project, shown_project
from kawe.twin.store.activity import note_project
from kawe.twin.store.engagements import ThreadEntry, write_entry
from kawe.twin.validation import Problem


def _iwi_only(call: Call, db: Connection) -> Iterable[Problem]:  # noqa: ARG001 - the shape of every check
    if call.caller.kind != "IWI":
        said = "Only an iwi may complete a project."
        raise Refusal(status_code=403, message=said)
    return ()


def _complete(call: Call, db: Connection) -> dict[str, object]:
    project = _sent(call, db)
    if project["status"] in (ProjectStatus.COMPLETE, ProjectStatus.CLOSED):
        raise Refusal(status_code=409, message="The project is over already.")
    db.execute(
        "UPDATE project SET status = ?, updated_on = ? WHERE id = ?",
        (ProjectStatus.COMPLETE, call.now, project["id"]),
    )
    _say(call, db, project=project, is_internal=False)
    note_project(db, call, action=LogAction.COMPLETED, project_id=project["id"])
    return shown_project(call, db, project_id=project["id"])


def _close(call: Call, db: Connection) -> dict[str, object]:
    """Close for everybody; `all` says who reads the message.

    The interface does not show what `all` does. Here true tells the message to
    all, and false keeps it with the account that closes.
    """
    project = _sent(call, db)
    if project["status"] == ProjectStatus.CLOSED:
        raise Refusal(status_code=409, message="The project is closed already.")
    db.execute(
        "UPDATE project SET status = ?, closed_on = ?, updated_on = ? WHERE id = ?",
        (ProjectStatus.CLOSED, call.now, call.now, project["id"]),
    )
    _say(call, db, project=project, is_internal=not call.body["all"])
    note_project(db, call, action=LogAction.CLOSED, project_id=project["id"])
    return shown_project(call, db, project_id=project["id"])


def _reopen(call: Call, db: Connection) -> dict[str, object]:
    """Take a closed project up again, free of charge (Token rules 3)."""
    project = find_project(call, db)
    if project["status"] != ProjectStatus.CLOSED:
        raise Refusal(status_code=409, message="The project is not closed.")
    db.execute(
        "UPDATE project SET status = ?, closed_on = NULL, updated_on = ? WHERE id = ?",
        (ProjectStatus.IN_PROGRESS, call.now, project["id"]),
    )
    note_project(db, call, action=LogAction.REOPENED, project_id=project["id"])
    return shown_project(call, db, project_id=project["id"])


def _sent(call: Call, db: Connection) -> Row:
    project = find_project(call, db)
    if project["status"] == ProjectStatus.DRAFT:
        raise Refusal(status_code=409, message="The project has not been sent.")
    return project


def _say(call: Call, db: Connection, *, project: Row, is_internal: bool) -> None:
    message = call.body.get("message")
    if message:
        entry = ThreadEntry(content=message, is_internal=is_internal)
        write_entry(db, call, project_id=project["id"], entry=entry)


PROJECT_COMPLETE = Rule(act=_complete, check=_iwi_only)
PROJECT_CLOSE = Rule(act=_close)
PROJECT_REOPEN = Rule(act=_reopen)
