"""A project as the interface shows it, and finding one that a key may see.

Like the service, the rules mostly do not enforce its flags (interface, Authentication
8).
"""

from collections.abc import Callable
from sqlite3 import Connection, Row
from typing import Final

from kawe_contract.enums import ProjectPriority, ProjectStatus, ProjectType, Scope
from kawe_twin.calls.call import Call, paged
from kawe_twin.store.database import found, picked
from kawe_twin.world.answers import Refusal
from kawe_twin.world.clock import day_text

_AS_IS: Final = (
    *("id", "name", "description", "reference", "type", "phase", "status", "priority"),
    *("address", "organisation_id", "iwi_name", "created_on", "updated_on"),
    "closed_on",
)
_DAYS: Final = ("start_date", "end_date", "respond_by_date")


def find_project(call: Call, db: Connection) -> Row:
    """Find the project of the path; one that the caller is no party to is a 404."""
    return _visible(call, db, project_id=call.ids["id"])


def _visible(call: Call, db: Connection, *, project_id: str) -> Row:
    return found(
        db,
        "SELECT project_shown.*, party.side FROM project_shown"
        " JOIN party ON party.project_number = project_shown.number"
        " WHERE project_shown.id = ? AND party.account_id = ?",
        (project_id, call.caller.account_id),
    )


def paged_of_project(
    call: Call, db: Connection, statement: str, *, shown: Callable[[Row], object]
) -> dict[str, object]:
    """Give a page of what belongs to the project of the path, for the caller."""
    project_id, account_id = find_project(call, db)["id"], call.caller.account_id
    values = {"project": project_id, "account": account_id}
    return paged(db, statement, call.query, shown=shown, **values)


def find_own_project(call: Call, db: Connection) -> Row:
    """Find the project of the path as its sender; 403 for a recipient."""
    row = find_project(call, db)
    if row["side"] != "SENDER":
        raise Refusal(403, "Only the account that created the project may do this.")
    return row


def shown_project(call: Call, db: Connection, *, project_id: str) -> dict[str, object]:
    """Show a single project, with the flags of the caller's side."""
    row = _visible(call, db, project_id=project_id)
    flags = flags_of(
        status=row["status"],
        is_sender=row["side"] == "SENDER",
        scopes=call.caller.scopes,
    )
    return {**listed_project(row), **flags}


def listed_project(row: Row) -> dict[str, object]:
    """Show a project as one entry of a list, without flags."""
    made_by_iwi = row["sender_kind"] == "IWI"
    return {
        **picked(row, *_AS_IS),
        # Both are required numbers; a project without a place gets 0, 0.
        "latitude": row["latitude"] or 0.0,
        "longitude": row["longitude"] or 0.0,
        **{name: day_text(row[name]) for name in _DAYS},
        "organisation": _organisation(row),
        "recipient_team": _named(row["recipient_team_id"], row["recipient_name"]),
        "creator_iwi": (
            _named(row["account_id"], row["sender_name"]) if made_by_iwi else None
        ),
        "is_iwi_created": made_by_iwi,
        "assigned_to": _person(row, before="assignee"),
        "sender_assigned_to": _person(row, before="sender_assignee"),
        "assigned_to_group": _group(row, before="assignee_group"),
        "sender_assigned_to_group": _group(row, before="sender_group"),
    }


def _named(account_id: str | None, name: str | None) -> dict[str, str | None] | None:
    return None if account_id is None else {"id": account_id, "name": name}


def _organisation(row: Row) -> dict[str, object] | None:
    parts = ("name", "address", "latitude", "longitude", "city", "country", "postcode")
    is_there = row["organisation_id"] is not None
    return {part: row[f"organisation_{part}"] for part in parts} if is_there else None


def _person(row: Row, *, before: str) -> dict[str, object] | None:
    if row[f"{before}_first_name"] is None:
        return None
    return {
        "first_name": row[f"{before}_first_name"],
        "last_name": row[f"{before}_last_name"],
        "profile_picture_url": row[f"{before}_picture"],
    }


def _group(row: Row, *, before: str) -> dict[str, object] | None:
    if row[f"{before}_id"] is None:
        return None
    return {name: row[f"{before}_{name}"] for name in ("id", "name", "colour")}


OVER: Final = frozenset({ProjectStatus.CLOSED, ProjectStatus.COMPLETE})

_URGENT: Final = frozenset(
    {
        ProjectType.EMERGENCY_WORKS,
        ProjectType.ENVIRONMENTAL_SPILL_HEALTH_INCIDENT,
        ProjectType.ACCIDENTAL_DISCOVERY,
    }
)
_PATIENT: Final = frozenset(
    {
        ProjectType.BUILDING_OPENING,
        ProjectType.SCHEDULED_MAINTENANCE,
        ProjectType.TREE_CONSENT,
        ProjectType.OTHER,
    }
)

# The scope of a flag; all others need projects:write.
_SCOPES: Final = {
    "can_send": Scope.PROJECTS_SEND,
    "can_download_receipt": Scope.FILES_READ,
}


def priority_of(kind: str) -> ProjectPriority:
    """Derive the priority from the type; the interface does not show how."""
    if kind in _URGENT:
        return ProjectPriority.HIGH
    return ProjectPriority.LOW if kind in _PATIENT else ProjectPriority.MEDIUM


def flags_of(
    *, status: str, is_sender: bool, scopes: frozenset[Scope] = frozenset(Scope)
) -> dict[str, bool]:
    """Compute every can_* flag: what the state, the side and the key allow."""
    draft = status == ProjectStatus.DRAFT
    running = not draft and status not in OVER
    allowed = {
        "can_edit": is_sender and draft,
        "can_respond": running,
        "can_assign": not is_sender and running,
        "can_assign_sender": is_sender and status not in OVER,
        "can_send": is_sender and draft,
        "can_close": running,
        "can_reopen": status == ProjectStatus.CLOSED,
        "can_download_receipt": is_sender and not draft,
        "can_add_notes": True,
    }
    return {
        flag: on and _SCOPES.get(flag, Scope.PROJECTS_WRITE) in scopes
        for flag, on in allowed.items()
    }
