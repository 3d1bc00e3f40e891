"""The flags of a project for a key, and its priority.

Like the service, the rules mostly do not enforce the flags (interface, Authentication
8).
"""

from __future__ import annotations

from typing import Final

from kawe_contract.enums import ProjectPriority, ProjectStatus, ProjectType, Scope

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
