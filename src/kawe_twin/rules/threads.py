"""The thread of a project, its notes and its log (interface, Engagement and Log).

A sent project has a free reply. An organisation's answer uses it; the next one spends a
token and restores it. Iwi never spend. Notes are for the author's team; only the author
may edit or remove one, and the log keeps both. Responses never change (interface, Not
shown).
"""

from functools import partial
from sqlite3 import Connection, Row
from typing import Final

from kawe_contract.enums import LogAction, ProjectStatus
from kawe_twin.calls.call import Call, Rule
from kawe_twin.rules.project_view import find_project, paged_of_project, shown_project
from kawe_twin.rules.tokens import spend
from kawe_twin.rules.uploads import attach_files, document_shown, file_problems
from kawe_twin.store.database import found, picked, update
from kawe_twin.store.projects import done_by, note_project, write_entry
from kawe_twin.world.answers import Refusal

# What an answer of each side makes of a status; any other stays as it is. The
# interface shows the order NEW, AWAITING_RESPONSE, IN_PROGRESS and no more.
_MOVES: Final = {
    ("SENDER", ProjectStatus.NEW): ProjectStatus.AWAITING_RESPONSE,
    ("RECIPIENT", ProjectStatus.NEW): ProjectStatus.IN_PROGRESS,
    ("RECIPIENT", ProjectStatus.AWAITING_RESPONSE): ProjectStatus.IN_PROGRESS,
}

_ENTRIES: Final = (
    "SELECT engagement.*, first_name, last_name, profile_picture_url"
    " FROM engagement LEFT JOIN person ON person.id = engagement.person_id"
)
_LOGGED: Final = (
    "SELECT activity.*, first_name, last_name, profile_picture_url"
    " FROM activity LEFT JOIN person ON person.id = activity.person_id"
    " WHERE project_id = :project AND (is_internal = 0 OR account_id = :account)"
)


def _list(call: Call, db: Connection) -> dict[str, object]:
    """List newest first; notes only to their author's team."""
    entries = (
        f"{_ENTRIES} WHERE project_id = :project AND deleted_on IS NULL"
        " AND (is_internal = 0 OR account_id = :account)"
    )
    return paged_of_project(call, db, entries, shown=partial(_shown_entry, db))


def _shown_again(db: Connection, entry_id: str) -> dict[str, object]:
    row = found(db, f"{_ENTRIES} WHERE engagement.id = ?", (entry_id,))
    return _shown_entry(db, row)


def _shown_entry(db: Connection, row: Row) -> dict[str, object]:
    documents = db.execute(
        "SELECT * FROM document WHERE engagement_id = ? ORDER BY number", (row["id"],)
    )
    as_is = ("id", "project_id", "content", "meeting_type", "created_on", "updated_on")
    return {
        **picked(row, *as_is),
        "is_internal": row["is_internal"] > 0,
        "created_by": _person(row),
        "documents": [document_shown(document) for document in documents],
    }


def _person(row: Row) -> dict[str, object] | None:
    if row["first_name"] is None:
        return None
    return picked(row, "first_name", "last_name", "profile_picture_url")


def _logged(row: Row) -> dict[str, object]:
    as_is = ("id", "action", "resource", "property", "project_id", "created_on")
    return {
        **picked(row, *as_is),
        "from": row["before"],
        "to": row["after"],
        "created_by": _person(row),
    }


def _respond(call: Call, db: Connection) -> dict[str, object]:
    """Add an entry that both sides see.

    Any party may respond (interface, `respond`), also to a draft, for free, and to a
    closed project.
    """
    project = find_project(call, db)
    if project["status"] != ProjectStatus.DRAFT:
        _charge(call, db, project=project)
    message = call.body["message"]
    entry_id = write_entry(db, call, project_id=project["id"], content=message)
    attach_files(
        db,
        call.body["files"],
        project_id=project["id"],
        engagement_id=entry_id,
        now=call.now,
    )
    status = _MOVES.get((project["side"], project["status"]), project["status"])
    update(db, "project", project["id"], status=status, updated_on=call.now)
    note_project(db, call, action=LogAction.RESPONDED, project_id=project["id"])
    return shown_project(call, db, project_id=project["id"])


def _charge(call: Call, db: Connection, *, project: Row) -> None:
    """Use the free reply, or pay and get it back; 402 when no token is left."""
    if not call.caller.pays:
        return
    if not project["free_reply"]:
        spend(db, call, project_id=project["id"], reason="RESPONDED")
    update(db, "project", project["id"], free_reply=not project["free_reply"])


def _note(call: Call, db: Connection) -> dict[str, object]:
    project = find_project(call, db)
    content = call.body["content"]
    entry_id = write_entry(
        db,
        call,
        project_id=project["id"],
        content=content,
        is_internal=True,
        meeting_type=call.body["meeting_type"],
    )
    _log(call, db, before=None, after=content)
    return _shown_again(db, entry_id)


def _edit(call: Call, db: Connection) -> dict[str, object]:
    note = _own_note(call, db)
    content, meeting_type = call.body["content"], call.body["meeting_type"]
    update(
        db,
        "engagement",
        note["id"],
        content=content,
        meeting_type=meeting_type,
        updated_on=call.now,
    )
    _log(call, db, before=note["content"], after=content)
    return _shown_again(db, note["id"])


def _delete(call: Call, db: Connection) -> bool:
    note = _own_note(call, db)
    update(db, "engagement", note["id"], deleted_on=call.now)
    _log(call, db, before=note["content"], after=None)
    return True


def _own_note(call: Call, db: Connection) -> Row:
    """Find the caller's note; 404 when it is not shown, 403 when it is no such note."""
    project = find_project(call, db)
    row = found(
        db,
        "SELECT * FROM engagement WHERE id = ? AND project_id = ?"
        " AND deleted_on IS NULL AND (is_internal = 0 OR account_id = ?)",
        (call.ids["note_id"], project["id"], call.caller.account_id),
    )
    if not row["is_internal"]:
        raise Refusal(403, "A response can never be changed or removed.")
    if row["person_id"] != call.caller.person_id:
        raise Refusal(403, "Only its author may change a note.")
    return row


def _log(call: Call, db: Connection, *, before: str | None, after: str | None) -> None:
    change = ("note", before, after)
    note_project(
        db,
        call,
        action=done_by(change),
        project_id=call.ids["id"],
        change=change,
        is_internal=True,
    )


RULES: Final = {
    "engagement_list": Rule(act=_list),
    "project_respond": Rule(act=_respond, check=file_problems),
    "project_logs": Rule(
        act=lambda call, db: paged_of_project(call, db, _LOGGED, shown=_logged)
    ),
    "note_create": Rule(act=_note),
    "note_edit": Rule(act=_edit),
    "note_delete": Rule(act=_delete),
}
