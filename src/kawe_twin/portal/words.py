"""Words of the portal for codes, cents and instants."""

import unicodedata
from datetime import date, datetime
from typing import Final

from markupsafe import Markup

from kawe_contract.enums import Scope
from kawe_twin.storage.papers import NEW_ZEALAND

SCOPE_WORDS: Final = {
    Scope.PROJECTS_READ: "See projects, their threads, documents and activity",
    Scope.PROJECTS_WRITE: "Create and change projects, assign, write notes, close,"
    " complete and reopen",
    Scope.PROJECTS_SEND: "Send projects to iwi and ask for reports (spends tokens)",
    Scope.IWI_READ: "Look up iwi and find whose rohe a place is in",
    Scope.TEAM_READ: "See team members, invitations, receipts and reports",
    Scope.TEAM_WRITE: "Rename the team, change roles, remove members",
    Scope.USERS_INVITE: "Invite people",
    Scope.GROUPS_READ: "See assignment groups",
    Scope.GROUPS_WRITE: "Create, change and delete assignment groups",
    Scope.FILES_WRITE: "Upload files",
    Scope.FILES_READ: "Download files, receipts and reports",
    Scope.BILLING_READ: "See the token balance and invoices",
}
"""What each scope allows (interface, Authentication), in plain words."""

_STATUS_WORDS: Final = {
    "DRAFT": "Draft, not sent",
    "NEW": "New",
    "AWAITING_RESPONSE": "Waiting for a response",
    "IN_PROGRESS": "In progress",
    "UPDATED": "Updated",
    "COMPLETE": "Complete",
    "CLOSED": "Closed",
}


def plain(value: object) -> object:
    """Remove control and direction marks, which can disguise a text.

    Line breaks, macrons and the markup of our own templates stay.
    """
    if value is None:
        return ""
    if isinstance(value, Markup) or not isinstance(value, str):
        return value
    return "".join(mark for mark in value if mark == "\n" or _is_seen(mark))


def _is_seen(mark: str) -> bool:
    # Cc controls, Cf direction and other format marks, Co private use, Cs halves.
    return unicodedata.category(mark) not in {"Cc", "Cf", "Co", "Cs"}


def status_words(status: str) -> str:
    return _STATUS_WORDS.get(status, status)


def code_words(code: str | None) -> str:
    """Say an enum value as words: LAND_USE_CONSENT is Land use consent."""
    return (code or "").replace("_", " ").capitalize()


def day(instant: str) -> str:
    """Say a calendar day that the service keeps as the instant it begins."""
    return _long_day(date.fromisoformat(instant[:10]))


def moment(instant: str) -> str:
    """Say an instant as people in New Zealand read it."""
    local = datetime.fromisoformat(instant).astimezone(NEW_ZEALAND)
    return f"{_long_day(local.date())}, {local:%H:%M}"


def _long_day(held: date) -> str:
    return f"{held.day} {held:%B %Y}"


def dollars(cents: int) -> str:
    return f"${cents / 100:,.2f}"


def tokens(count: int) -> str:
    return f"{count:,} token{'' if count == 1 else 's'}"
