"""Creating a project (interface, CreateProjectBody).

A new project is always written as a draft first; `draft` false then sends it
in the same transaction, and lack of tokens leaves the draft.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator
from sqlite3 import Connection

from kawe.contract.enums import LogAction, ProjectStatus
from kawe.twin.call import Call, Rule
from kawe.twin.envelope import Refusal, Reply
from kawe.twin.flags import priority_of
from kawe.twin.folding import folded
from kawe.twin.rules.checkouts import open_checkout
from kawe.twin.rules.organisations import create_organisation, find_organisation
from kawe.twin.rules.project_send import submit
from kawe.twin.rules.project_view import shown_project
from kawe.twin.rules.uploads import attach_files, file_problems
from kawe.twin.store.activity import note_project
from kawe.twin.store.parties import add_parties
from kawe.twin.validation import Problem


def _check(call: Call, db: Connection) -> Iterator[Problem]:
    yield from day_problems(call)
    yield from _place_problems(call)
    yield from _account_problems(call, db)
    yield from file_problems(call, db)


def day_problems(call: Call) -> Iterator[Problem]:
    """Find days out of order: answers are due on or before the end."""
    due, end = call.given("respond_by_date"), call.given("end_date")
    if due is not None and end is not None and due > end:
        says = "must be on or before end_date"
        yield Problem(path="respond_by_date", says=says)


def _place_problems(call: Call) -> Iterator[Problem]:
    latitude, longitude = call.given("latitude"), call.given("longitude")
    if call.body.get("latitude") is None and call.body.get("longitude") is not None:
        yield Problem(path="latitude", says="must be given with longitude")
    if call.body.get("longitude") is None and call.body.get("latitude") is not None:
        yield Problem(path="longitude", says="must be given with latitude")
    if latitude is not None and not -90 <= latitude <= 90:
        yield Problem(path="latitude", says="must be between -90 and 90")
    if longitude is not None and not -180 <= longitude <= 180:
        yield Problem(path="longitude", says="must be between -180 and 180")


def _account_problems(call: Call, db: Connection) -> Iterator[Problem]:
    organisation_id = call.given("organisation_id")
    if organisation_id is not None and not find_organisation(
        db, call, organisation_id=organisation_id.lower()
    ):
        says = "must be an organisation of your team"
        yield Problem(path="organisation_id", says=says)
    team_id = call.given("recipient_team_id")
    if (
        team_id is not None
        and not db.execute(
            "SELECT 1 FROM account WHERE id = ? AND kind = 'TEAM'"
            " AND sandbox_of IS NULL",
            (team_id.lower(),),
        ).fetchone()
    ):
        yield Problem(path="recipient_team_id", says="must be a team")


def _create(call: Call, db: Connection) -> object:
    project_id = _write_draft(call, db)
    attach_files(
        db,
        call.body["files"],
        project_id=project_id,
        engagement_id=None,
        now=call.now,
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
            # The draft stays, and its id is not told (interface, Errors 402).
            return Reply(response_object=None, message=refusal.message, status_code=402)
    return shown_project(call, db, project_id=project_id)


def _write_draft(call: Call, db: Connection) -> str:
    body, project_id = call.body, str(uuid.uuid4())
    organisation_id = _organisation_of(call, db)
    cursor = db.execute(
        "INSERT INTO project (id, account_id, name, description, reference, type,"
        " phase, status, priority, address, latitude, longitude, iwi_wanted,"
        " organisation_id, recipient_team_id, start_date, end_date,"
        " respond_by_date, search_text, created_on, updated_on)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            project_id,
            call.caller.account_id,
            body["name"],
            body["description"],
            body.get("reference"),
            body["type"],
            body.get("phase"),
            ProjectStatus.DRAFT,
            priority_of(body["type"]),
            body.get("address") or "",
            _degrees(body.get("latitude")),
            _degrees(body.get("longitude")),
            json.dumps(body.get("iwi", [])),
            organisation_id,
            _lower(body.get("recipient_team_id")),
            body["start_date"],
            body["end_date"],
            body["respond_by_date"],
            search_text(
                name=body["name"],
                reference=body.get("reference"),
                address=body.get("address") or "",
            ),
            call.now,
            call.now,
        ),
    )
    number = cursor.lastrowid or 0
    add_parties(db, [call.caller.account_id], project_number=number, side="SENDER")
    _write_contact(call, db, project_id=project_id, organisation_id=organisation_id)
    return project_id


def search_text(*, name: str, reference: str | None, address: str) -> str:
    """Put together what a search looks through (interface, `search`)."""
    return folded("\n".join((name, reference or "", address)))


def _organisation_of(call: Call, db: Connection) -> str | None:
    given = call.body.get("organisation")
    if given is not None:
        return create_organisation(db, call, given=given)
    return _lower(call.body.get("organisation_id"))


def _write_contact(
    call: Call, db: Connection, *, project_id: str, organisation_id: str | None
) -> None:
    contact = call.body.get("contact")
    if contact is None:
        return
    db.execute(
        "INSERT INTO contact (id, project_id, organisation_id, name, role, phone,"
        " email, created_on) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (
            str(uuid.uuid4()),
            project_id,
            organisation_id,
            contact["name"],
            contact["role"],
            contact["phone"],
            contact.get("email"),
            call.now,
        ),
    )


def _degrees(value: float | None) -> float | None:
    return None if value is None else float(value)


def _lower(identifier: str | None) -> str | None:
    return None if identifier is None else identifier.lower()


PROJECT_CREATE = Rule(act=_create, check=_check)
