"""Uploads and download links (interface, Upload resources)."""

from collections.abc import Iterator, Sequence
from sqlite3 import Connection, Row
from typing import Any, Final

from kawe_twin.calls.call import Call, Rule
from kawe_twin.calls.validation import Problem
from kawe_twin.rules.project_view import paged_of_project
from kawe_twin.storage.grants import BUCKET, grant_fields, link_path
from kawe_twin.store.database import create, first, found, picked
from kawe_twin.world.answers import Refusal


def _presign(call: Call, db: Connection) -> dict[str, object]:
    size_bytes = int(call.body["size"])
    document_id = create(
        db,
        "document",
        account_id=call.caller.account_id,
        name=call.body["fileName"],
        mime_type=call.body["mimeType"],
        size_bytes=size_bytes,
        category=call.body.get("category"),
        state="AWAITED",
        created_on=call.now,
        updated_on=call.now,
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
    row = found(
        db,
        "SELECT * FROM document WHERE id = ? AND account_id = ?"
        " AND state IN ('AWAITED', 'READY')",
        (document_id, call.caller.account_id),
    )
    # The file moves before the commit: after a kill, completing again finds it.
    if (size_bytes := call.setup.document_folder.settle(document_id)) is None:
        said = "documentId names an upload for which no file has been posted"
        raise Refusal(400, said)
    db.execute(
        "UPDATE document SET state = 'READY', size_bytes = ?, updated_on = ?"
        " WHERE id = ? AND state = 'AWAITED'",
        (size_bytes, call.now, document_id),
    )
    return {"id": document_id, "size": size_bytes, "mimeType": row["mime_type"]}


def file_problems(call: Call, db: Connection) -> Iterator[Problem]:
    """Find every file of a body that cannot be attached.

    A document is a completed upload of the caller's account, and belongs to
    one project at most (interface, Document: one `project_id`).
    """
    seen: set[str] = set()
    for place, file in enumerate(call.given("files") or ()):
        document_id = file["id"].lower()
        says = _unfit(db, call, document_id=document_id)
        if document_id in seen:
            says = "is the same file again"
        seen.add(document_id)
        if says:
            yield Problem(f"files[{place}]", says)


def _unfit(db: Connection, call: Call, *, document_id: str) -> str:
    row = first(
        db,
        "SELECT project_id FROM document WHERE id = ? AND account_id = ?"
        " AND state = 'READY'",
        (document_id, call.caller.account_id),
    )
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
    as_is = ("id", "created_on", "updated_on", "name", "mime_type")
    size = {"size": row["size_bytes"]}
    return picked(row, *as_is, "project_id", "engagement_id") | size


def _list(call: Call, db: Connection) -> dict[str, object]:
    """List the documents of a project, newest first.

    Receipts and reports are for the account they were made for.
    """
    documents = (
        "SELECT * FROM document WHERE project_id = :project"
        " AND (state = 'READY' OR account_id = :account)"
    )
    return paged_of_project(call, db, documents, shown=document_shown)


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
    return found(
        db,
        "SELECT document.* FROM document WHERE document.id = :id"
        " AND state IN ('READY', 'PAPER') AND (account_id = :account"
        " OR (state = 'READY' AND EXISTS ("
        "  SELECT 1 FROM party JOIN project ON project.number = party.project_number"
        "  WHERE project.id = document.project_id AND party.account_id = :account)"
        " AND NOT EXISTS (SELECT 1 FROM engagement"
        "  WHERE engagement.id = document.engagement_id AND is_internal = 1)))",
        {"id": call.ids["id"], "account": call.caller.account_id},
    )


RULES: Final = {
    "upload_presign": Rule(act=_presign),
    "upload_complete": Rule(act=_complete),
    "project_documents": Rule(act=_list),
    "download": Rule(act=_download),
}
