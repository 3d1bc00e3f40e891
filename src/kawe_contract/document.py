"""The whole contract as one JSON Schema document, with what the service answers.

Other rooms refer to a body or an enum as `urn:kawe:contract#/$defs/NAME`.
"""

from functools import cache
from typing import Any, Final

from kawe_contract import enums
from kawe_contract.requests import ORGANISATION_TEXTS, PERSON_DETAILS, REQUESTS
from kawe_contract.shapes import (
    BOOLEAN,
    INSTANT,
    UUID,
    Schema,
    array,
    choice,
    each,
    integer,
    nullable,
    number,
    page_of,
    record,
    ref,
    text,
)

CONTRACT_URI: Final = "urn:kawe:contract"

_NULLABLE: Final = (
    enums.ProjectPhase,
    enums.ProjectStatus,
    enums.ProjectPriority,
    enums.MeetingType,
)
ENUMS: Final[dict[str, Schema]] = {
    kind.__name__: nullable(choice(kind)) if kind in _NULLABLE else choice(kind)
    for kind in (
        enums.UserRole,
        enums.InvitationStatus,
        enums.BulkInviteStatus,
        enums.ProjectType,
        *_NULLABLE,
        enums.LogAction,
        enums.LogResource,
        enums.UploadCategory,
        enums.ActiveStatus,
    )
}


@cache
def document() -> dict[str, Any]:
    """Give every named schema of the contract under `$defs`."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": CONTRACT_URI,
        "$defs": {**ENUMS, **REQUESTS, **RESPONSES},
    }


_PERSON_DETAILS: Final = each(nullable(text()), *PERSON_DETAILS)
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
    "id": UUID,
    **each(text(), "name", "description"),
    "type": ref("ProjectType"),
    "address": text(),
    **each(number(), "latitude", "longitude"),
    **each(INSTANT, "start_date", "end_date", "respond_by_date"),
    **each(INSTANT, "created_on", "updated_on"),
    "closed_on": nullable(INSTANT),
}
_PROJECT_OPTIONAL: Final = {
    "reference": nullable(text()),
    "phase": ref("ProjectPhase"),
    "status": ref("ProjectStatus"),
    "priority": ref("ProjectPriority"),
    "organisation_id": nullable(UUID),
    "organisation": nullable(ref("OrganisationSummary")),
    **each(nullable(ref("NamedAccount")), "recipient_team", "creator_iwi"),
    "iwi_name": nullable(text()),
    "is_iwi_created": BOOLEAN,
    **each(nullable(ref("Person")), "assigned_to", "sender_assigned_to"),
    **each(
        nullable(ref("AssignmentGroup")),
        *("assigned_to_group", "sender_assigned_to_group"),
    ),
}

RESPONSES: Final[dict[str, Schema]] = {
    "NamedAccount": record({"id": UUID, "name": text()}),
    "Person": record(
        {
            **each(text(), "first_name", "last_name"),
            "profile_picture_url": nullable(text()),
        }
    ),
    "AssignmentGroup": record({"id": UUID, "name": text(), "colour": text()}),
    "IwiChoice": record({"slug": text(), "name": text()}),
    "IwiCount": record({"iwi": array(ref("IwiChoice")), "can_select_iwi": BOOLEAN}),
    "Iwi": record(
        {"id": UUID, "name": text(), "slug": text()},
        {"logo_url": nullable(text()), "primary_colour": nullable(text())},
    ),
    "Project": record(
        _PROJECT_REQUIRED, {**_PROJECT_OPTIONAL, **each(BOOLEAN, *_FLAGS)}
    ),
    "TabCounts": record({tab.value: integer(minimum=0) for tab in enums.ActiveStatus}),
    "ProjectPage": page_of(ref("Project"), {"tab_counts": ref("TabCounts")}),
    "Document": record(
        {"id": UUID, "created_on": INSTANT, "updated_on": INSTANT},
        {
            **each(nullable(text()), "name", "mime_type"),
            "size": nullable(number()),
            **each(nullable(UUID), "project_id", "engagement_id"),
        },
    ),
    "Engagement": record(
        {
            "id": UUID,
            "is_internal": BOOLEAN,
            **each(INSTANT, "created_on", "updated_on"),
        },
        {
            "project_id": nullable(UUID),
            "content": nullable(text()),
            "meeting_type": ref("MeetingType"),
            "created_by": nullable(ref("Person")),
            "documents": array(ref("Document")),
        },
    ),
    "Log": record(
        {
            "id": UUID,
            "action": ref("LogAction"),
            "resource": ref("LogResource"),
            "created_on": INSTANT,
        },
        {
            **each(nullable(text()), "property", "from", "to"),
            "project_id": nullable(UUID),
            "created_by": nullable(ref("Person")),
        },
    ),
    "Checkout": record({"checkout_url": text()}),
    "UserTeam": record(
        {
            "id": UUID,
            "name": text(),
            "current_credit_balance": number(),
            "role": ref("UserRole"),
        },
        {"account": ref("TeamAccount")},
    ),
    "TeamAccount": nullable(
        record(
            {},
            {
                **each(
                    nullable(text()), "region", "local_authority", "organisation_type"
                ),
                **each(nullable(BOOLEAN), "national", "sandbox"),
            },
        )
    ),
    "UserIwi": record(
        {"id": UUID, "name": text(), "slug": text(), "role": ref("UserRole")}
    ),
    "User": nullable(
        record(
            {"id": UUID},
            {
                **each(text(), "first_name", "last_name", "email"),
                "profile_picture_url": nullable(text()),
                "teams": array(ref("UserTeam")),
                "iwi": array(ref("UserIwi")),
            },
        )
    ),
    "Invitation": nullable(
        record(
            {"role": ref("UserRole")},
            each(nullable(ref("NamedAccount")), "team", "iwi"),
        )
    ),
    "TeamInvitation": record(
        {
            "id": UUID,
            **each(text(), "name", "email"),
            "status": ref("InvitationStatus"),
            "role": ref("UserRole"),
            **each(INSTANT, "created_on", "expired_on"),
        },
        _PERSON_DETAILS,
    ),
    "BulkInviteResult": record(
        {
            **each(text(), "name", "email"),
            "status": ref("BulkInviteStatus"),
            "message": nullable(text()),
            "invitation_id": nullable(UUID),
        }
    ),
    "BulkInviteResponse": record(
        {
            **each(number(), "invited_count", "skipped_count", "failed_count"),
            "results": array(ref("BulkInviteResult")),
        }
    ),
    "TeamMember": record(
        {
            "id": UUID,
            **each(text(), "first_name", "last_name", "email"),
            "role": ref("UserRole"),
            "created_on": INSTANT,
        },
        _PERSON_DETAILS,
    ),
    "Team": nullable(
        record(
            {
                "id": UUID,
                "name": text(),
                "users": array(ref("TeamMember")),
                "invitations": array(ref("TeamInvitation")),
            }
        )
    ),
    "Receipt": record(
        {
            "id": UUID,
            "document_id": UUID,
            **each(text(), "project_name", "receipt_number", "submission_number"),
            "created_on": INSTANT,
        }
    ),
    "Report": record(
        {
            "id": UUID,
            "document_id": nullable(UUID),
            **each(text(), "project_name", "reference"),
            "created_on": INSTANT,
        }
    ),
    "Invoice": record(
        {
            "id": text(),
            "number": nullable(text()),
            "description": text(),
            "quantity": number(),
            "amount_total": nullable(number()),
            **each(
                nullable(text()), "currency", "status", "download_url", "hosted_url"
            ),
            "created_on": INSTANT,
        }
    ),
    "Contact": record(
        {"id": UUID, "created_on": INSTANT},
        each(nullable(text()), "name", "role", "role_type", "email", "phone"),
    ),
    "Organisation": record(
        {"id": UUID, "created_on": INSTANT, "updated_on": INSTANT},
        {**ORGANISATION_TEXTS, "contacts": array(ref("Contact"))},
    ),
    "RecipientGroup": record(
        {
            "id": UUID,
            **each(text(), "name", "colour"),
            "member_ids": array(UUID),
            **each(INSTANT, "created_on", "updated_on"),
        },
        {"description": nullable(text())},
    ),
    "PresignUploadResponse": record(
        {
            "documentId": UUID,
            "url": text(),
            "fields": {"type": "object", "additionalProperties": text()},
        }
    ),
    "CompleteUploadResponse": record(
        {"id": UUID, "size": number()}, {"mimeType": text()}
    ),
    "Download": record({"url": text()}),
}
