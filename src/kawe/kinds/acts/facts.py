"""What the service shows of each target, by the fields of a row."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from kawe.domain.text.texts import clean
from kawe.kinds.acts.world import Raw, World, day_of, full_name
from kawe_contract.enums import AssignSide, InvitationStatus, ProjectStatus
from kawe_contract.requests import ORGANISATION_TEXTS, PERSON_DETAILS

DAYS: Final = ("start_date", "end_date", "respond_by_date")
TEXTS: Final = ("name", "description", "type", "phase")


def standing(project: Raw) -> str:
    """Say whether a project is a draft, open, closed or complete."""
    status = project.get("status")
    if status in {ProjectStatus.DRAFT, ProjectStatus.COMPLETE}:
        return str(status).lower()
    is_closed = status == ProjectStatus.CLOSED or project.get("closed_on")
    return "closed" if is_closed else "open"


def project_facts(project: Raw) -> dict[str, str]:
    return {
        "project": standing(project),
        **{name: _text(project, name) for name in TEXTS},
        "new_reference": _text(project, "reference"),
        **{name: day_of(project[name]) for name in DAYS},
    }


def member_facts(person: Raw) -> dict[str, str]:
    return {name: _text(person, name) for name in ("role", *PERSON_DETAILS)}


def own_side(project: Raw) -> str:
    """Give the side of a project that a team has."""
    is_iwis = bool(project.get("is_iwi_created"))
    return AssignSide.RECIPIENT if is_iwis else AssignSide.SENDER


def assigned_facts(project: Raw, world: World, *, side: str) -> dict[str, str]:
    """Say to whom a project is assigned: by address, where one member has the name."""
    field = "sender_assigned_to" if side == AssignSide.SENDER else "assigned_to"
    name = full_name(project.get(field))
    same = [e for e in world.members if name and full_name(e) == name]
    return {
        "project": standing(project),
        "assignee": str(same[0]["email"]) if len(same) == 1 else name,
        "group": _text(project.get(f"{field}_group") or {}, "name"),
    }


def group_facts(found: Raw | None, world: World) -> dict[str, str]:
    """Say what a group is like; all is empty where there is none."""
    raw = found or {}
    name = _text(raw, "name")
    return {
        "group": name,
        "new_name": name,
        "colour": _text(raw, "colour"),
        "group_description": _text(raw, "description"),
        "members": addresses(raw.get("member_ids") or (), world),
    }


def addresses(ids: Sequence[str], world: World) -> str:
    """Give the addresses of members, in their order."""
    wanted = set(ids)
    return "; ".join(
        sorted(str(e["email"]) for e in world.members if e["id"] in wanted)
    )


def organisation_facts(found: Raw) -> dict[str, str]:
    """Say what an organisation is like."""
    facts = {name: _text(found, name) for name in ORGANISATION_TEXTS}
    return {"new_name": facts.pop("name"), **facts}


def invitation_facts(invitation: Raw) -> dict[str, str]:
    """Say how an invitation stands, and until when it is open."""
    status = str(invitation["status"]).lower()
    is_pending = invitation["status"] == InvitationStatus.PENDING
    until = f" until {day_of(invitation['expired_on'])}" if is_pending else ""
    return {"person": f"{status}{until}"}


def latest(invitations: Sequence[Raw]) -> Raw:
    """Give the invitation of one address that counts: a pending one, else the last."""
    pending = InvitationStatus.PENDING
    order = ((e["status"] == pending, str(e["created_on"]), e) for e in invitations)
    return max(order, key=lambda each: each[:2])[2]


def _text(raw: Raw, name: str) -> str:
    return clean(str(raw.get(name) or ""))
