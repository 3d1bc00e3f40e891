"""Answering on a thread, and what an answer costs (interface, Token rules).

A project carries a free reply from the moment it is sent. An organisation's
answer uses it; the next one spends a token and restores it. Iwi never spend.
"""

from __future__ import annotations

from collections.abc import Iterable
from sqlite3 import Connection, Row
from typing import Final

from kawe.contract.enums import LogAction, ProjectStatus
from kawe.twin.call import Call, Rule
from kawe.twin.rules.project_view import find_project, shown_project
from kawe.twin.rules.tokens import spend
from kawe.twin.rules.uploads import attach_files, file_problems
from kawe.twin.store.activity import note_project
from kawe.twin.store.engagements import ThreadEntry, write_entry
from kawe.twin.validation import Problem

# What an answer of each side makes of a status; any other stays as it is. The
# interface shows the order NEW, AWAITING_RESPONSE, IN_PROGRESS and no more.
_MOVES: Final = {
    ("SENDER", ProjectStatus.NEW): ProjectStatus.AWAITING_RESPONSE,
    ("RECIPIENT", ProjectStatus.NEW): ProjectStatus.IN_PROGRESS,
    ("RECIPIENT", ProjectStatus.AWAITING_RESPONSE): ProjectStatus.IN_PROGRESS,
}


def _check(call: Call, db: Connection) -> Iterable[Problem]:
    return file_problems(call, db)


def _respond(call: Call, db: Connection) -> dict[str, object]:
    """Add an entry that both sides see.

    Only being party to the project is checked (interface, `respond`), so a
    draft and a closed project take answers as well. A draft's cost nothing:
    drafts are free.
    """
    project = find_project(call, db)
    if project["status"] != ProjectStatus.DRAFT:
        _charge(call, db, project=project)
    entry = ThreadEntry(content=call.body["message"])
    entry_id = write_entry(db, call, project_id=project["id"], entry=entry)
    attach_files(
        db,
        call.body["files"],
        project_id=project["id"],
        engagement_id=entry_id,
        now=call.now,
    )
    status = _MOVES.get((project["side"], project["status"]), project["status"])
    db.execute(
        "UPDATE project SET status = ?, updated_on = ? WHERE id = ?",
        (status, call.now, project["id"]),
    )
    note_project(db, call, action=LogAction.RESPONDED, project_id=project["id"])
    return shown_project(call, db, project_id=project["id"])


def _charge(call: Call, db: Connection, *, project: Row) -> None:
    """Use the free reply, or pay and get it back.

    Raises:
        Refusal: 402, a token is due and none is left.
    """
    if not call.caller.pays:
        return
    if not project["free_reply"]:
        spend(db, call, project_id=project["id"], reason="RESPONDED")
    db.execute(
        "UPDATE project SET free_reply = ? WHERE id = ?",
        (not project["free_reply"], project["id"]),
    )


PROJECT_RESPOND = Rule(act=_respond, check=_check)
