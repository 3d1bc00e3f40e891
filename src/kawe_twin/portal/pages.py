"""Renders templates safely, with words for codes, cents and instants.

Control characters are removed, jinja2 escapes all, and the policy of a page allows only
our own style sheet.
"""

import re
import unicodedata
from collections.abc import Mapping
from datetime import date, datetime
from importlib.resources import files
from typing import Any, Final

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

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


HOME: Final = "/portal/"

_POLICY: Final = (
    "default-src 'none'; style-src 'self'; form-action 'self';"
    " base-uri 'none'; frame-ancestors 'none'"
)
_HEADERS: Final = {
    "Cache-Control": "no-store",
    "Content-Language": "en-NZ",
    "Content-Security-Policy": _POLICY,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


# Plain characters alone: no double slash (a host), backslash, dots or percent signs.
_PAGE: Final = re.compile(r"/portal/(?:[A-Za-z0-9_-]+/?)*(?:\?[A-Za-z0-9=&_-]*)?")


def _environment() -> Environment:
    made = Environment(
        loader=PackageLoader("kawe_twin.portal"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=plain,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    shown = (code_words, day, dollars, moment, status_words, tokens)
    made.filters.update({each.__name__: each for each in shown})
    return made


_ENVIRONMENT: Final = _environment()


def page(
    template: str, *, values: Mapping[str, Any], status_code: int = 200
) -> Response:
    """Make a page from a template."""
    content = _ENVIRONMENT.get_template(template).render(values)
    return HTMLResponse(content, status_code=status_code, headers=_HEADERS)


def go_to(path: str) -> Response:
    """Send the browser to a page with a GET (RFC 9110, 303)."""
    return RedirectResponse(path, status_code=303, headers=_HEADERS)


def safe_page(path: str) -> str:
    """Give a path of the portal, or the first page for any other."""
    return path if len(path) <= 300 and _PAGE.fullmatch(path) is not None else HOME


def style_sheet(_: Request) -> Response:
    """Give the one style sheet."""
    sheet = files("kawe_twin.portal").joinpath("static", "portal.css")
    headers = {**_HEADERS, "Cache-Control": "no-cache"}
    return Response(sheet.read_text("utf-8"), media_type="text/css", headers=headers)
