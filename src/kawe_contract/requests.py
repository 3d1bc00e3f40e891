"""The bodies that a caller sends, as JSON Schema."""

from typing import Final

from kawe_contract import enums, limits
from kawe_contract.shapes import (
    BOOLEAN,
    DATE,
    UUID,
    Schema,
    array,
    choice,
    each,
    integer,
    nullable,
    number,
    record,
    ref,
    text,
)

PERSON_DETAILS: Final = (
    "org_department",
    "org_department_other",
    "org_role",
    "org_role_other",
)
_PERSON_DETAILS: Final = each(text(), *PERSON_DETAILS)

ORGANISATION_TEXTS: Final = each(
    text(),
    *("name", "address", "city", "country"),
    *("postcode", "email", "phone", "mobile"),
)

REQUESTS: Final[dict[str, Schema]] = {
    "FileReference": record({"id": UUID}, {"name": text()}),
    "InviteUserBody": record(
        {"name": text(), "email": text(), "role": ref("UserRole")}, _PERSON_DETAILS
    ),
    "BulkInviteBody": record(
        {
            "invitations": array(
                ref("InviteUserBody"), minItems=1, maxItems=limits.BULK_INVITE_MAX
            )
        }
    ),
    "IwiCountBody": record({"lat": number(), "lon": number()}),
    "OrganisationSummary": record(
        {
            **each(text(), "name", "address"),
            **each(number(), "latitude", "longitude"),
        },
        each(nullable(text()), "city", "country", "postcode"),
    ),
    "ProjectContact": record(
        {"name": text(), "role": text(), "phone": text()}, {"email": text()}
    ),
    "CreateProjectBody": record(
        {
            **each(text(), "name", "description"),
            "type": ref("ProjectType"),
            **each(DATE, "start_date", "end_date", "respond_by_date"),
            "files": array(ref("FileReference")),
            "draft": BOOLEAN,
        },
        {
            "phase": ref("ProjectPhase"),
            "reference": text(),
            "address": nullable(text()),
            **each(nullable(number()), "latitude", "longitude"),
            "iwi": array(text()),
            "organisation_id": nullable(UUID),
            "organisation": ref("OrganisationSummary"),
            "contact": ref("ProjectContact"),
            "quantity": choice(limits.TOKEN_PACKS),
            "recipient_team_id": UUID,
        },
    ),
    "UpdateProjectBody": record(
        each(DATE, "start_date", "end_date", "respond_by_date"),
        {
            **each(text(), "name", "description", "reference"),
            "type": ref("ProjectType"),
            "phase": ref("ProjectPhase"),
        },
    ),
    "SendProjectBody": record({"message": text(minLength=1)}, {"iwi": array(text())}),
    "RespondBody": record({"message": text(), "files": array(ref("FileReference"))}),
    "CompleteProjectBody": record({}, {"message": text()}),
    "ReportBody": record({}, {"all": BOOLEAN}),
    "AssignProjectBody": record(
        {"user_id": nullable(UUID)},
        {"group_id": nullable(UUID), "side": choice(enums.AssignSide)},
    ),
    "CloseProjectBody": record({"all": BOOLEAN}, {"message": text()}),
    "NoteBody": record(
        {"content": text(minLength=1), "meeting_type": ref("MeetingType")}
    ),
    "TeamNameBody": record({"name": text()}),
    "TeamRoleBody": record({"user_id": UUID, "role": ref("UserRole")}, _PERSON_DETAILS),
    "TeamRevokeBody": record({"user_id": UUID}),
    "UpdateOrganisationBody": record({}, ORGANISATION_TEXTS),
    "GroupBody": record(
        {
            "name": text(minLength=1, maxLength=limits.GROUP_NAME_MAX),
            "colour": text(),
            "memberIds": array(UUID),
        },
        {"description": nullable(text(maxLength=limits.GROUP_DESCRIPTION_MAX))},
    ),
    "PresignUploadBody": record(
        {
            "fileName": text(minLength=1),
            "mimeType": text(),
            "size": integer(exclusiveMinimum=0, maximum=limits.UPLOAD_MAX_BYTES),
        },
        {"category": choice(enums.UploadCategory)},
    ),
    "CompleteUploadBody": record({"documentId": UUID}),
}

# The American spelling of fields in bodies and queries (interface, What the service
# does), by the interface's spelling.
AMERICAN_SPELLINGS: Final = {
    "organisation": "organization",
    "organisation_id": "organization_id",
    "colour": "color",
}
