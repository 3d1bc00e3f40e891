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
    "team_role",
    "team_revoke",
)
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


# Only answers that always hold the id: a link out of an empty list, or out of
# a null, would lead nowhere.
LINKS: Final[dict[str, dict[str, Any]]] = {
    "project_create": _by_id(_OF_PROJECT, where="id"),
    "project_read": _by_id(_OF_PROJECT, where="id"),
    "note_create": {name: _note_link(name) for name in ("note_edit", "note_delete")},
    "user_read": _by_id(_OF_TEAM, where="teams/0/id"),
    "group_create": _by_id(("group_update", "group_delete"), where="id"),
    "organisation_read": _by_id(_OF_ORGANISATION, where="id"),
    "upload_presign": {
        "upload_complete": {
            "operationId": "upload_complete",
            "requestBody": {"documentId": f"{_OBJECT}/documentId"},
        }
    },
}
