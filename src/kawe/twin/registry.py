"""Which rule each operation of the contract follows, by its name."""

from __future__ import annotations

from typing import Final

from kawe.twin.call import Rule
from kawe.twin.rules.engagements import ENGAGEMENT_LIST
from kawe.twin.rules.invitations import USER_INVITE, USER_INVITE_BULK
from kawe.twin.rules.iwi import IWI_COUNT, IWI_SEARCH
from kawe.twin.rules.organisations import (
    ORGANISATION_DELETE,
    ORGANISATION_LIST,
    ORGANISATION_READ,
    ORGANISATION_UPDATE,
)
from kawe.twin.rules.project_create import PROJECT_CREATE
from kawe.twin.rules.project_list import PROJECT_LIST
from kawe.twin.rules.project_send import PROJECT_SEND
from kawe.twin.rules.project_update import PROJECT_READ, PROJECT_UPDATE
from kawe.twin.rules.receipts import RECEIPT_LIST
from kawe.twin.rules.reports import PROJECT_REPORT, REPORT_LIST
from kawe.twin.rules.teams import TEAM_READ
from kawe.twin.rules.tokens import INVOICE_LIST
from kawe.twin.rules.uploads import DOWNLOAD, UPLOAD_COMPLETE, UPLOAD_PRESIGN
from kawe.twin.rules.users import USER_READ

RULES: Final[dict[str, Rule]] = {
    "download": DOWNLOAD,
    "engagement_list": ENGAGEMENT_LIST,
    "invoice_list": INVOICE_LIST,
    "iwi_count": IWI_COUNT,
    "iwi_search": IWI_SEARCH,
    "organisation_delete": ORGANISATION_DELETE,
    "organisation_list": ORGANISATION_LIST,
    "organisation_read": ORGANISATION_READ,
    "organisation_update": ORGANISATION_UPDATE,
    "project_create": PROJECT_CREATE,
    "project_list": PROJECT_LIST,
    "project_read": PROJECT_READ,
    "project_report": PROJECT_REPORT,
    "project_send": PROJECT_SEND,
    "project_update": PROJECT_UPDATE,
    "receipt_list": RECEIPT_LIST,
    "report_list": REPORT_LIST,
    "team_read": TEAM_READ,
    "upload_complete": UPLOAD_COMPLETE,
    "upload_presign": UPLOAD_PRESIGN,
    "user_invite": USER_INVITE,
    "user_invite_bulk": USER_INVITE_BULK,
    "user_read": USER_READ,
}
