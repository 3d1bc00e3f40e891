"""What the service answers about people, teams and files, as JSON Schema."""

from __future__ import annotations

from typing import Final

from kawe.contract.shapes import (
    Schema,
    array,
    boolean,
    instant,
    nullable,
    number,
    record,
    ref,
    text,
    uuid,
)

_PERSON_DETAILS: Final = {
    "org_department": nullable(text()),
    "org_department_other": nullable(text()),
    "org_role": nullable(text()),
    "org_role_other": nullable(text()),
}
TEAM_RESPONSES: Final[dict[str, Schema]] = {
    "UserTeam": record(
        {
            "id": uuid(),
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
                "region": nullable(text()),
                "local_authority": nullable(text()),
                "organisation_type": nullable(text()),
                "national": nullable(boolean()),
                "sandbox": nullable(boolean()),
            },
        )
    ),
    "UserIwi": record(
        {"id": uuid(), "name": text(), "slug": text(), "role": ref("UserRole")}
    ),
    "User": nullable(
        record(
            {"id": uuid()},
            {
                "first_name": text(),
                "last_name": text(),
                "email": text(),
                "profile_picture_url": nullable(text()),
                "teams": array(ref("UserTeam")),
                "iwi": array(ref("UserIwi")),
            },
        )
    ),
    "Invitation": nullable(
        record(
            {"role": ref("UserRole")},
            {
                "team": nullable(ref("NamedAccount")),
                "iwi": nullable(ref("NamedAccount")),
            },
        )
    ),
    "TeamInvitation": record(
        {
            "id": uuid(),
            "name": text(),
            "email": text(),
            "status": ref("InvitationStatus"),
            "role": ref("UserRole"),
            "created_on": instant(),
            "expired_on": instant(),
        },
        _PERSON_DETAILS,
    ),
    "BulkInviteResult": record(
        {
            "name": text(),
            "email": text(),
            "status": ref("BulkInviteStatus"),
            "message": nullable(text()),
            "invitation_id": nullable(uuid()),
        }
    ),
    "BulkInviteResponse": record(
        {
            "invited_count": number(),
            "skipped_count": number(),
            "failed_count": number(),
            "results": array(ref("BulkInviteResult")),
        }
    ),
    "TeamMember": record(
        {
            "id": uuid(),
            "first_name": text(),
            "last_name": text(),
            "email": text(),
            "role": ref("UserRole"),
            "created_on": instant(),
        },
        _PERSON_DETAILS,
    ),
    "Team": nullable(
        record(
            {
                "id": uuid(),
                "name": text(),
                "users": array(ref("TeamMember")),
                "invitations": array(ref("TeamInvitation")),
            }
        )
    ),
    "Receipt": record(
        {
            "id": uuid(),
            "document_id": uuid(),
            "project_name": text(),
            "receipt_number": text(),
            "submission_number": text(),
            "created_on": instant(),
        }
    ),
    "Report": record(
        {
            "id": uuid(),
            "document_id": nullable(uuid()),
            "project_name": text(),
            "reference": text(),
            "created_on": instant(),
        }
    ),
    "Invoice": record(
        {
            "id": text(),
            "number": nullable(text()),
            "description": text(),
            "quantity": number(),
            "amount_total": nullable(number()),
            "currency": nullable(text()),
            "status": nullable(text()),
            "download_url": nullable(text()),
            "hosted_url": nullable(text()),
            "created_on": instant(),
        }
    ),
    "Contact": record(
        {"id": uuid(), "created_on": instant()},
        {
            "name": nullable(text()),
            "role": nullable(text()),
            "role_type": nullable(text()),
            "email": nullable(text()),
            "phone": nullable(text()),
        },
    ),
    "Organisation": record(
        {"id": uuid(), "created_on": instant(), "updated_on": instant()},
        {
            "name": text(),
            "address": text(),
            "city": text(),
            "country": text(),
            "postcode": text(),
            "email": text(),
            "phone": text(),
            "mobile": text(),
            "contacts": array(ref("Contact")),
        },
    ),
    "RecipientGroup": record(
        {
            "id": uuid(),
            "name": text(),
            "colour": text(),
            "member_ids": array(uuid()),
            "created_on": instant(),
            "updated_on": instant(),
        },
        {"description": nullable(text())},
    ),
    "PresignUploadResponse": record(
        {
            "documentId": uuid(),
            "url": text(),
            "fields": {"type": "object", "additionalProperties": text()},
        }
    ),
    "CompleteUploadResponse": record(
        {"id": uuid(), "size": number()}, {"mimeType": text()}
    ),
    "Download": record({"url": text()}),
}
