"""Uploads and download links (interface, Upload resources)."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from sqlite3 import Connection, Row
from typing import Any

from kawe.twin.call import Call, Rule
from kawe.twin.envelope import Refusal, not_found
from kawe.twin.grants import BUCKET, grant_fields, link_path
from kawe.twin.validation import Problem


def _presign(call: Call, db: Connection) -> dict[str, object]:
    document_id = str(uuid.uuid4())
    size_bytes = int(call.body["size"])
    db.execute(
        "INSERT INTO document (id, account_id, name, mime_type, size_bytes,"
        " category, state, created_on, updated_on)"
        " VALUES (?, ?, ?, ?, ?, ?, 'AWAITED', ?, ?)",
        (
            document_id,
            call.caller.account_id,
            call.body["fileName"],
            call.body["mimeType"],
            size_bytes,
            call.body.get("category"),
            call.now,
            call.now,
        ),
    )
    return {
        "documentId": document_id,
        "url": f"{call.setup.storage_url}/{BUCKET}",
        "fields": grant_fields(
            call.setup.signer,
            document_id=document_id,
            mime_type=call.body["mimeType"],
            size_bytes=size_bytes,
            at=call.at,
            seconds=call.setup.grant_seconds,
        ),
    }


def _complete(call: Call, db: Connection) -> dict[str, object]:
    """Finish an upload. Finishing it again gives the same answer."""
    document_id = str(call.body["documentId"]).lower()
    row = db.execute(
        "SELECT * FROM document WHERE id = ? AND account_id = ?"
        " AND state IN ('AWAITED', 'READY')",
        (document_id, call.caller.account_id),
    ).fetchone()
    if row is None:
        raise not_found()
    # The file moves before the commit: a kill between the two leaves a
    # document on the shelf, and completing again finds it there.
    size_bytes = call.setup.shelf.settle(document_id)
    if size_bytes is None:
        said = "documentId names an upload for which no file has been posted"
        raise Refusal(status_code=400, message=said)
    db.execute(
        "UPDATE document SET state = 'READY', size_bytes = ?, updated_on = ?"
        " WHERE id = ? AND state = 'AWAITED'",
        (size_bytes, call.now, document_id),
    )
    return {"id": document_id, "size": size_bytes, "mimeType": row["mime_type"]}


def file_problems(call: Call, db: Connection) -> list[Problem]:
    """Find every file of a body that cannot be attached.

    A document is a completed upload of the caller's account, and belongs to
    one project at most (interface, Document: one `project_id`).
    """
    found = []
    seen: set[str] = set()
    for place, file in enumerate(call.given("files") or ()):
        document_id = file["id"].lower()
        says = _unfit(db, call, document_id=document_id)
        if document_id in seen:
            says = "is the same file again"
        seen.add(document_id)
        if says:
            found.append(Problem(path=f"files[{place}]", says=says))
    return found


def _unfit(db: Connection, call: Call, *, document_id: str) -> str:
    row = db.execute(
        "SELECT project_id FROM document WHERE id = ? AND account_id = ?"
        " AND state = 'READY'",
        (document_id, call.caller.account_id),
    ).fetchone()
    if row is None:
        return "is not a completed upload of your team"
    return "" if row["project_id"] is None else "belongs to a project already"


def attach_files(
    db: Connection,
    files: Sequence[dict[str, Any]],
    *,
    project_id: str,
    engagement_id: str | None,
    now: str,
) -> None:
    """Give completed uploads to a project, and to an entry of its thread."""
    db.executemany(
        "UPDATE document SET project_id = ?, engagement_id = ?, updated_on = ?"
        " WHERE id = ?",
        [(project_id, engagement_id, now, file["id"].lower()) for file in files],
    )


def document_shown(row: Row) -> dict[str, object]:
    """Show a document as the interface does."""
    return {
        "id": row["id"],
        "created_on": row["created_on"],
        "updated_on": row["updated_on"],
        "name": row["name"],
        "mime_type": row["mime_type"],
        "size": row["size_bytes"],
        "project_id": row["project_id"],
        "engagement_id": row["engagement_id"],
    }


def _download(call: Call, db: Connection) -> dict[str, object]:
    row = _visible_document(call, db)
    path = link_path(
        call.setup.signer,
        document_id=row["id"],
        at=call.at,
        seconds=call.setup.link_seconds,
    )
    return {"url": call.setup.storage_url + path}


def _visible_document(call: Call, db: Connection) -> Row:
    """Find a finished document of the caller, or of a project sent to it.

    Receipts and reports are for the account they were made for, and files of
    a note for its author's team.
    """
    row: Row | None = db.execute(
        "SELECT document.* FROM document WHERE document.id = :id"
        " AND state IN ('READY', 'PAPER') AND (account_id = :account"
        " OR (state = 'READY' AND EXISTS ("
        "  SELECT 1 FROM party JOIN project ON project.number = party.project_number"
        "  WHERE project.id = document.project_id AND party.account_id = :account)"
        " AND NOT EXISTS (SELECT 1 FROM engagement"
        "  WHERE engagement.id = document.engagement_id AND is_internal = 1)))",
        {"id": call.ids["id"], "account": call.caller.account_id},
    ).fetchone()
    if row is None:
        raise not_found()
    return row


UPLOAD_PRESIGN = Rule(act=_presign)
UPLOAD_COMPLETE = Rule(act=_complete)
DOWNLOAD = Rule(act=_download)
