"""Which answer leads to which request: the links of the published document.

A link carries an id out of an answer into the path or body of the next
request, so that a reader, or a tool, finds its way through the service.
"""

from __future__ import annotations

from typing import Any, Final

_OBJECT: Final = "$response.body#/response_object"

# Operations of one project, by what they need: its id, and nothing else.
_OF_PROJECT: Final = (
    "project_read",
    "project_update",
    "project_send",
    "project_respond",
    "project_complete",
    "project_report",
    "project_assign",
    "project_close",
    "project_reopen",
    "engagement_list",
    "note_create",
    "project_logs",
    "project_documents",
)
_OF_TEAM: Final = (
    "team_read",
    "team_rename",
    "receipt_list",
    "report_list",
    "invoice_list",
)
_OF_INVITATION: Final = ("invitation_read", "invitation_resend", "invitation_expire")
_OF_ORGANISATION: Final = (
    "organisation_read",
    "organisation_update",
    "organisation_delete",
)


def _by_id(names: tuple[str, ...], *, where: str) -> dict[str, Any]:
    return {
        name: {"operationId": name, "parameters": {"id": f"{_OBJECT}/{where}"}}
        for name in names
    }


def _note_link(name: str) -> dict[str, Any]:
    return {
        "operationId": name,
        "parameters": {
            "id": f"{_OBJECT}/project_id",
            "note_id": f"{_OBJECT}/id",
        },
    }


LINKS: Final[dict[str, dict[str, Any]]] = {
    "project_create": {
        **_by_id(_OF_PROJECT, where="id"),
        **_by_id(_OF_ORGANISATION, where="organisation_id"),
    },
    "project_list": _by_id(_OF_PROJECT, where="data/0/id"),
    "note_create": {name: _note_link(name) for name in ("note_edit", "note_delete")},
    "user_read": _by_id(_OF_TEAM, where="teams/0/id"),
    "team_read": {
        **_by_id(_OF_INVITATION, where="invitations/0/id"),
        "team_role": {
            "operationId": "team_role",
            "parameters": {"id": f"{_OBJECT}/id"},
        },
    },
    "organisation_list": _by_id(_OF_ORGANISATION, where="data/0/id"),
    "group_create": _by_id(("group_update", "group_delete"), where="id"),
    "upload_presign": {
        "upload_complete": {
            "operationId": "upload_complete",
            "requestBody": {"documentId": f"{_OBJECT}/documentId"},
        }
    },
    "receipt_list": _by_id(("download",), where="data/0/document_id"),
    "report_list": _by_id(("download",), where="data/0/document_id"),
    "project_documents": _by_id(("download",), where="data/0/id"),
}
