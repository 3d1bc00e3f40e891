"""Creating, reading and changing a project (interface, CreateProjectBody).

A new project is first a draft; `draft` false sends it in the same transaction, and
without tokens the draft stays.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator
from sqlite3 import Connection
from typing import Final

from kawe_contract.enums import LogAction, ProjectStatus
from kawe_twin.calls.call import Call, Rule
from kawe_twin.calls.queries import folded
from kawe_twin.calls.validation import Problem
from kawe_twin.rules.organisations import create_organisation, find_organisation
from kawe_twin.rules.project_send import open_checkout, submit
from kawe_twin.rules.project_view import find_own_project, find_project, shown_project
from kawe_twin.rules.uploads import attach_files, file_problems
from kawe_twin.store.projects import add_parties, note_project
from kawe_twin.store.rows import create, first, insert, update
from kawe_twin.world.answers import Refusal, Reply
from kawe_twin.world.flags import priority_of

_FIELDS: Final = (
    "name",
    "description",
    "reference",
    "type",
    "phase",
    "start_date",
    "end_date",
    "respond_by_date",
)


def _check(call: Call, db: Connection) -> Iterator[Problem]:
    yield from _day_problems(call)
    yield from _place_problems(call)
    yield from _account_problems(call, db)
    yield from file_problems(call, db)


def _day_problems(call: Call) -> Iterator[Problem]:
    """Find days out of order: answers are due on or before the end."""
    due, end = call.given("respond_by_date"), call.given("end_date")
    if due is not None and end is not None and due > end:
        yield Problem("respond_by_date", "must be on or before end_date")


def _place_problems(call: Call) -> Iterator[Problem]:
    latitude, longitude = call.given("latitude"), call.given("longitude")
    if call.body.get("latitude") is None and call.body.get("longitude") is not None:
        yield Problem("latitude", "must be given with longitude")
    if call.body.get("longitude") is None and call.body.get("latitude") is not None:
        yield Problem("longitude", "must be given with latitude")
    if latitude is not None and not -90 <= latitude <= 90:
        yield Problem("latitude", "must be between -90 and 90")
    if longitude is not None and not -180 <= longitude <= 180:
        yield Problem("longitude", "must be between -180 and 180")


def _account_problems(call: Call, db: Connection) -> Iterator[Problem]:
    organisation_id = call.given_id("organisation_id")
    if organisation_id is not None and not find_organisation(
        db, call, organisation_id=organisation_id
    ):
        yield Problem("organisation_id", "must be an organisation of your team")
    team_id = call.given_id("recipient_team_id")
    team = "SELECT 1 FROM account WHERE id = ? AND kind = 'TEAM' AND sandbox_of IS NULL"
    if team_id is not None and first(db, team, (team_id,)) is None:
        yield Problem("recipient_team_id", "must be a team")


def _create(call: Call, db: Connection) -> object:
    project_id = _write_draft(call, db)
    attach_files(
        db, call.body["files"], project_id=project_id, engagement_id=None, now=call.now
    )
    note_project(db, call, action=LogAction.CREATED, project_id=project_id)
    if call.body.get("quantity") is not None and call.caller.kind == "TEAM":
        url = open_checkout(call, db, project_id=project_id)
        project = shown_project(call, db, project_id=project_id)
        return {**project, "checkout_url": url}
    if not call.body["draft"]:
        try:
            submit(call, db, project_id=project_id, wanted=call.body.get("iwi", []))
        except Refusal as refusal:
            if refusal.status_code != 402:
                raise
            # The draft stays; the answer has no id (interface, Errors 402).
            return Reply(response_object=None, message=refusal.message, status_code=402)
    return shown_project(call, db, project_id=project_id)


def _write_draft(call: Call, db: Connection) -> str:
    body, project_id = call.body, str(uuid.uuid4())
    organisation_id = _organisation_of(call, db)
    number = insert(
        db,
        "project",
        id=project_id,
        account_id=call.caller.account_id,
        **{name: body.get(name) for name in _FIELDS},
        status=ProjectStatus.DRAFT,
        priority=priority_of(body["type"]),
        address=body.get("address") or "",
        latitude=body.get("latitude"),
        longitude=body.get("longitude"),
        iwi_wanted=json.dumps(body.get("iwi", [])),
        organisation_id=organisation_id,
        recipient_team_id=call.given_id("recipient_team_id"),
        search_text=search_text(
            name=body["name"],
            reference=body.get("reference"),
            address=body.get("address") or "",
        ),
        created_on=call.now,
        updated_on=call.now,
    )
    add_parties(db, [call.caller.account_id], project_number=number, side="SENDER")
    _write_contact(call, db, project_id=project_id, organisation_id=organisation_id)
    return project_id


def search_text(*, name: str, reference: str | None, address: str) -> str:
    return folded("\n".join((name, reference or "", address)))


def _organisation_of(call: Call, db: Connection) -> str | None:
    given = call.body.get("organisation")
    if given is not None:
        return create_organisation(db, call, given=given)
    return call.given_id("organisation_id")


def _write_contact(
    call: Call, db: Connection, *, project_id: str, organisation_id: str | None
) -> None:
    contact = call.body.get("contact")
    if contact is None:
        return
    create(
        db,
        "contact",
        project_id=project_id,
        organisation_id=organisation_id,
        name=contact["name"],
        role=contact["role"],
        phone=contact["phone"],
        email=contact.get("email"),
        created_on=call.now,
    )


def _read(call: Call, db: Connection) -> dict[str, object]:
    return shown_project(call, db, project_id=find_project(call, db)["id"])


def _day_check(call: Call, db: Connection) -> Iterator[Problem]:  # noqa: ARG001 - the shape of every check
    return _day_problems(call)


def _update(call: Call, db: Connection) -> dict[str, object]:
    """Change what the body names, and log each property that differs.

    A sent project can be changed as well: `can_edit` is advice (interface,
    Authentication 8).
    """
    project = find_own_project(call, db)
    new = {name: call.body.get(name, project[name]) for name in _FIELDS}
    for name in _FIELDS:
        if new[name] != project[name]:
            note_project(
                db,
                call,
                action=LogAction.UPDATED,
                project_id=project["id"],
                change=(name, project[name], new[name]),
                is_internal=project["status"] == ProjectStatus.DRAFT,
            )
    update(
        db,
        "project",
        project["id"],
        **new,
        priority=priority_of(new["type"]),
        search_text=search_text(
            name=new["name"], reference=new["reference"], address=project["address"]
        ),
        updated_on=call.now,
    )
    return shown_project(call, db, project_id=project["id"])


RULES: Final = {
    "project_create": Rule(act=_create, check=_check),
    "project_read": Rule(act=_read),
    "project_update": Rule(act=_update, check=_day_check),
}
