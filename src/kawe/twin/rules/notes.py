"""Notes on a project: for the author's team alone, telling nobody.

Only the author may edit or remove one, and the log keeps both. What was said
to the other side can never be changed (interface, Not shown).
"""

from __future__ import annotations

from sqlite3 import Connection, Row

from kawe.contract.enums import LogAction
from kawe.twin.call import Call, Rule
from kawe.twin.envelope import Refusal, not_found
from kawe.twin.rules.engagements import shown_entry
from kawe.twin.rules.project_view import find_project
from kawe.twin.store.activity import note_change
from kawe.twin.store.engagements import ThreadEntry, write_entry


def _create(call: Call, db: Connection) -> dict[str, object]:
    project = find_project(call, db)
    entry = ThreadEntry(
        content=call.body["content"],
        is_internal=True,
        meeting_type=call.body["meeting_type"],
    )
    entry_id = write_entry(db, call, project_id=project["id"], entry=entry)
    _log(call, db, LogAction.CREATED, before=None, after=entry.content)
    return shown_entry(db, entry_id)


def _edit(call: Call, db: Connection) -> dict[str, object]:
    note = _own_note(call, db)
    db.execute(
        "UPDATE engagement SET content = ?, meeting_type = ?, updated_on = ?"
        " WHERE id = ?",
        (call.body["content"], call.body["meeting_type"], call.now, note["id"]),
    )
    after = call.body["content"]
    _log(call, db, LogAction.UPDATED, before=note["content"], after=after)
    return shown_entry(db, note["id"])


def _delete(call: Call, db: Connection) -> bool:
    note = _own_note(call, db)
    db.execute(
        "UPDATE engagement SET deleted_on = ? WHERE id = ?", (call.now, note["id"])
    )
    _log(call, db, LogAction.DELETED, before=note["content"], after=None)
    return True


def _own_note(call: Call, db: Connection) -> Row:
    """Find the note of the path, when the caller wrote it.

    Raises:
        Refusal: 404, it is not there or not for this key; 403, a colleague
            wrote it, or it is a response.
    """
    project = find_project(call, db)
    row: Row | None = db.execute(
        "SELECT * FROM engagement WHERE id = ? AND project_id = ?"
        " AND deleted_on IS NULL AND (is_internal = 0 OR account_id = ?)",
        (call.ids["note_id"], project["id"], call.caller.account_id),
    ).fetchone()
    if row is None:
        raise not_found()
    if not row["is_internal"]:
        said = "A response can never be changed or removed."
        raise Refusal(status_code=403, message=said)
    if row["person_id"] != call.caller.person_id:
        raise Refusal(status_code=403, message="Only its author may change a note.")
    return row


def _log(
    call: Call,
    db: Connection,
    action: LogAction,
    *,
    before: str | None,
    after: str | None,
) -> None:
    note_change(
        db,
        call,
        action=action,
        project_id=call.ids["id"],
        change=("note", before, after),
        is_internal=True,
    )


NOTE_CREATE = Rule(act=_create)
NOTE_EDIT = Rule(act=_edit)
NOTE_DELETE = Rule(act=_delete)
