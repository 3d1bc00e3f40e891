"""What the service answers about projects and iwi, as JSON Schema."""

from __future__ import annotations

from typing import Final

from kawe.contract import enums
from kawe.contract.shapes import (
    Schema,
    array,
    boolean,
    instant,
    integer,
    nullable,
    number,
    page_of,
    record,
    ref,
    text,
    uuid,
)

_FLAGS: Final = (
    "can_edit",
    "can_respond",
    "can_assign",
    "can_assign_sender",
    "can_send",
    "can_close",
    "can_reopen",
    "can_download_receipt",
    "can_add_notes",
)
_PROJECT_REQUIRED: Final = {
    "id": uuid(),
    "name": text(),
    "description": text(),
    "type": ref("ProjectType"),
    "address": text(),
    "latitude": number(),
    "longitude": number(),
    "start_date": instant(),
    "end_date": instant(),
    "respond_by_date": instant(),
    "created_on": instant(),
    "updated_on": instant(),
    "closed_on": nullable(instant()),
}
_PROJECT_OPTIONAL: Final = {
    "reference": nullable(text()),
    "phase": ref("ProjectPhase"),
    "status": ref("ProjectStatus"),
    "priority": ref("ProjectPriority"),
    "organisation_id": nullable(uuid()),
    "organisation": nullable(ref("OrganisationSummary")),
    "recipient_team": nullable(ref("NamedAccount")),
    "creator_iwi": nullable(ref("NamedAccount")),
    "iwi_name": nullable(text()),
    "is_iwi_created": boolean(),
    "assigned_to": nullable(ref("Person")),
    "sender_assigned_to": nullable(ref("Person")),
    "assigned_to_group": nullable(ref("AssignmentGroup")),
    "sender_assigned_to_group": nullable(ref("AssignmentGroup")),
}

PROJECT_RESPONSES: Final[dict[str, Schema]] = {
    "NamedAccount": record({"id": uuid(), "name": text()}),
    "Person": record(
        {
            "first_name": text(),
            "last_name": text(),
            "profile_picture_url": nullable(text()),
        }
    ),
    "AssignmentGroup": record({"id": uuid(), "name": text(), "colour": text()}),
    "IwiChoice": record({"slug": text(), "name": text()}),
    "IwiCount": record({"iwi": array(ref("IwiChoice")), "can_select_iwi": boolean()}),
    "Iwi": record(
        {"id": uuid(), "name": text(), "slug": text()},
        {"logo_url": nullable(text()), "primary_colour": nullable(text())},
    ),
    "Project": record(
        _PROJECT_REQUIRED,
        {**_PROJECT_OPTIONAL, **{flag: boolean() for flag in _FLAGS}},
    ),
    "TabCounts": record({tab.value: integer(minimum=0) for tab in enums.ActiveStatus}),
    "ProjectPage": page_of(ref("Project"), {"tab_counts": ref("TabCounts")}),
    "Document": record(
        {"id": uuid(), "created_on": instant(), "updated_on": instant()},
        {
            "name": nullable(text()),
            "mime_type": nullable(text()),
            "size": nullable(number()),
            "project_id": nullable(uuid()),
            "engagement_id": nullable(uuid()),
        },
    ),
    "Engagement": record(
        {
            "id": uuid(),
            "is_internal": boolean(),
            "created_on": instant(),
            "updated_on": instant(),
        },
        {
            "project_id": nullable(uuid()),
            "content": nullable(text()),
            "meeting_type": ref("MeetingType"),
            "created_by": nullable(ref("Person")),
            "documents": array(ref("Document")),
        },
    ),
    "Log": record(
        {
            "id": uuid(),
            "action": ref("LogAction"),
            "resource": ref("LogResource"),
            "created_on": instant(),
        },
        {
            "property": nullable(text()),
            "from": nullable(text()),
            "to": nullable(text()),
            "project_id": nullable(uuid()),
            "created_by": nullable(ref("Person")),
        },
    ),
    "Checkout": record({"checkout_url": text()}),
}
