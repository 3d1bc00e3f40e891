"""Which rule each operation of the contract follows, by its name."""

from __future__ import annotations

from typing import Final

from kawe.twin.call import Rule
from kawe.twin.rules.engagements import ENGAGEMENT_LIST
from kawe.twin.rules.groups import (
    GROUP_CREATE,
    GROUP_DELETE,
    GROUP_LIST,
    GROUP_UPDATE,
)
from kawe.twin.rules.invitation_care import (
    INVITATION_EXPIRE,
    INVITATION_READ,
    INVITATION_RESEND,
)
from kawe.twin.rules.invitations import USER_INVITE, USER_INVITE_BULK
from kawe.twin.rules.iwi import IWI_COUNT, IWI_SEARCH
from kawe.twin.rules.notes import NOTE_CREATE, NOTE_DELETE, NOTE_EDIT
from kawe.twin.rules.organisations import (
    ORGANISATION_DELETE,
    ORGANISATION_LIST,
    ORGANISATION_READ,
    ORGANISATION_UPDATE,
)
from kawe.twin.rules.project_assign import PROJECT_ASSIGN
from kawe.twin.rules.project_create import PROJECT_CREATE
from kawe.twin.rules.project_endings import (
    PROJECT_CLOSE,
    PROJECT_COMPLETE,
    PROJECT_REOPEN,
)
from kawe.twin.rules.project_history import PROJECT_DOCUMENTS, PROJECT_LOGS
from kawe.twin.rules.project_list import PROJECT_LIST
from kawe.twin.rules.project_send import PROJECT_SEND
from kawe.twin.rules.project_update import PROJECT_READ, PROJECT_UPDATE
from kawe.twin.rules.receipts import RECEIPT_LIST
from kawe.twin.rules.reports import PROJECT_REPORT, REPORT_LIST
from kawe.twin.rules.team_changes import TEAM_RENAME, TEAM_REVOKE, TEAM_ROLE
from kawe.twin.rules.teams import TEAM_READ
from kawe.twin.rules.threads import PROJECT_RESPOND
from kawe.twin.rules.tokens import INVOICE_LIST
from kawe.twin.rules.uploads import DOWNLOAD, UPLOAD_COMPLETE, UPLOAD_PRESIGN
from kawe.twin.rules.users import USER_READ

RULES: Final[dict[str, Rule]] = {
    "download": DOWNLOAD,
    "engagement_list": ENGAGEMENT_LIST,
    "group_create": GROUP_CREATE,
    "group_delete": GROUP_DELETE,
    "group_list": GROUP_LIST,
    "group_update": GROUP_UPDATE,
    "invitation_expire": INVITATION_EXPIRE,
    "invitation_read": INVITATION_READ,
    "invitation_resend": INVITATION_RESEND,
    "invoice_list": INVOICE_LIST,
    "iwi_count": IWI_COUNT,
    "iwi_search": IWI_SEARCH,
    "note_create": NOTE_CREATE,
    "note_delete": NOTE_DELETE,
    "note_edit": NOTE_EDIT,
    "organisation_delete": ORGANISATION_DELETE,
    "organisation_list": ORGANISATION_LIST,
    "organisation_read": ORGANISATION_READ,
    "organisation_update": ORGANISATION_UPDATE,
    "project_assign": PROJECT_ASSIGN,
    "project_close": PROJECT_CLOSE,
    "project_complete": PROJECT_COMPLETE,
    "project_create": PROJECT_CREATE,
    "project_documents": PROJECT_DOCUMENTS,
    "project_list": PROJECT_LIST,
    "project_logs": PROJECT_LOGS,
    "project_read": PROJECT_READ,
    "project_reopen": PROJECT_REOPEN,
    "project_report": PROJECT_REPORT,
    "project_respond": PROJECT_RESPOND,
    "project_send": PROJECT_SEND,
    "project_update": PROJECT_UPDATE,
    "receipt_list": RECEIPT_LIST,
    "report_list": REPORT_LIST,
    "team_read": TEAM_READ,
    "team_rename": TEAM_RENAME,
    "team_revoke": TEAM_REVOKE,
    "team_role": TEAM_ROLE,
    "upload_complete": UPLOAD_COMPLETE,
    "upload_presign": UPLOAD_PRESIGN,
    "user_invite": USER_INVITE,
    "user_invite_bulk": USER_INVITE_BULK,
    "user_read": USER_READ,
}
