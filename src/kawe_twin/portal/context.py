"""The context of every page, which performs rules in an account's name.

The owner of the twin sees every account, so each page names one; the rules then decide
as for a key of that account. A form's token is a MAC over the visitor's cookie, so it
needs no memory.
"""

import hashlib
import hmac
import re
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from sqlite3 import Connection, Row
from typing import Any, Final, TypeVar
from urllib.parse import parse_qs

from starlette.requests import Request
from starlette.responses import Response

from kawe_contract.operations import OPERATIONS
from kawe_twin.api.gate import read_body
from kawe_twin.api.registry import RULES
from kawe_twin.calls.call import Call, Setup, read_query
from kawe_twin.calls.validation import body_problems
from kawe_twin.portal.pages import go_to, page
from kawe_twin.rules.project_states import PICK_UP, PROJECT_PICK_UP
from kawe_twin.store.accounts import caller_of, find_account
from kawe_twin.world.answers import Refusal, Reply
from kawe_twin.world.keys import is_same_secret

SESSION_LIFE: Final = timedelta(hours=12)

_SESSIONS_MAX: Final = 1000
_ID: Final = re.compile(r"[A-Za-z0-9_-]{43}")


@dataclass(frozen=True, slots=True, kw_only=True)
class FlashMessage:
    """A notice for the next page."""

    says: str
    key_secret: str = field(default="", repr=False)
    """A new key, shown once."""


@dataclass(slots=True, kw_only=True)
class PortalSession:
    """One person signed in."""

    visitor_id: str = field(repr=False)
    until_at: datetime
    notices: list[FlashMessage] = field(default_factory=list, repr=False)

    def take_notices(self) -> list[FlashMessage]:
        """Give the notices, and remove them."""
        taken, self.notices = self.notices, []
        return taken


@dataclass(slots=True)
class Sessions:
    """Every session. Used from one thread only."""

    _key: bytes = field(default_factory=lambda: secrets.token_bytes(32), repr=False)
    _open: dict[str, PortalSession] = field(default_factory=dict, repr=False)

    def visitor_of(self, cookie: str) -> str:
        return cookie if _ID.fullmatch(cookie) else secrets.token_urlsafe(32)

    def form_token(self, visitor_id: str) -> str:
        return hmac.new(self._key, visitor_id.encode(), hashlib.sha256).hexdigest()

    def is_form_token(self, given: str, *, visitor_id: str) -> bool:
        return is_same_secret(given, self.form_token(visitor_id))

    def find(self, visitor_id: str, *, at: datetime) -> PortalSession | None:
        """Find a session that is not over."""
        session = self._open.get(visitor_id)
        return session if session is not None and session.until_at > at else None

    def begin(self, *, at: datetime) -> PortalSession:
        """Begin a session under a new cookie; beyond a bound the oldest ends."""
        while len(self._open) >= _SESSIONS_MAX:
            del self._open[next(iter(self._open))]
        session = PortalSession(
            visitor_id=secrets.token_urlsafe(32), until_at=at + SESSION_LIFE
        )
        self._open[session.visitor_id] = session
        return session

    def end(self, visitor_id: str) -> None:
        self._open.pop(visitor_id, None)


T = TypeVar("T")

_NOTHING: Final[Mapping[str, Any]] = {}
_PAGE_ROWS: Final = "25"


@dataclass(frozen=True, slots=True, kw_only=True)
class PortalContext:
    """The store and the rules, for pages."""

    setup: Setup
    sessions: Sessions
    owner_secret: str = field(repr=False)

    async def ask(
        self,
        name: str,
        *,
        account_id: str,
        ids: Mapping[str, str] = _NOTHING,
        body: Mapping[str, Any] = _NOTHING,
        query: Mapping[str, str] = _NOTHING,
    ) -> Any:  # noqa: ANN401 - rules answer any JSON
        """Perform a rule in an account's name, as one transaction; it may refuse."""
        operation, rule = (
            (PICK_UP, PROJECT_PICK_UP)
            if name == PICK_UP.name
            else (OPERATIONS[name], RULES[name])
        )
        given = {asked_for: [value] for asked_for, value in query.items()}
        asked, problems = read_query(given, operation=operation)
        if operation.request is not None:
            problems += body_problems(dict(body), schema_name=operation.request)

        def work(db: Connection) -> Reply:
            call = Call(
                operation=operation,
                caller=caller_of(db, account_id=account_id),
                ids=ids,
                body=body,
                query=asked,
                problems=tuple(problems),
                at=self.setup.clock(),
                setup=self.setup,
            )
            return rule.perform(call, db)

        reply = await self.setup.run(work)
        if reply.status_code >= 400:
            raise Refusal(reply.status_code, reply.message)
        return reply.response_object


@dataclass(frozen=True, slots=True, kw_only=True)
class Visit:
    """One request of a person who has signed in."""

    context: PortalContext
    session: PortalSession
    ids: Mapping[str, str]
    query: Mapping[str, str]
    form: "Form"

    @property
    def setup(self) -> Setup:
        return self.context.setup

    async def account(self) -> Row:
        """Find the account of the path; 404 when there is none."""
        return await self.setup.run(find_account, account_id=self.ids["id"])

    async def listed(self, name: str, account: Row, **query: str) -> Any:  # noqa: ANN401 - as above
        return await self.context.ask(
            name,
            account_id=account["id"],
            ids={"id": account["id"]},
            query={"page": self.query.get("page", "1"), "limit": _PAGE_ROWS, **query},
        )

    def show(self, template: str, **values: Any) -> Response:  # noqa: ANN401 - templates take any value
        """Show a page with its form token; show each notice once."""
        shared = {
            "signed_in": True,
            "form_token": self.context.sessions.form_token(self.session.visitor_id),
            "notices": self.session.take_notices(),
        }
        return page(template, values={**shared, **values})

    def tell(self, says: str, *, at: str, key_secret: str = "") -> Response:
        """Redirect within the portal, and show a notice there once."""
        self.session.notices.append(FlashMessage(says=says, key_secret=key_secret))
        return go_to(f"/portal/{at}")


_FORM_MAX_BYTES: Final = 262_144
_FIELDS_MAX: Final = 200


@dataclass(frozen=True, slots=True)
class Form:
    """The fields of one form."""

    _values: Mapping[str, Sequence[str]] = field(default_factory=dict, repr=False)

    def text(self, name: str) -> str:
        """Give one field, trimmed, with LF instead of CR LF; empty if missing."""
        return (self._values.get(name) or ("",))[-1].replace("\r\n", "\n").strip()

    def texts(self, name: str) -> tuple[str, ...]:
        return tuple(self._values.get(name, ()))


async def read_form(request: Request) -> Form:
    """Read the form of a request; 400 where it is none, 413 where it is too large."""
    raw = await read_body(request, most_bytes=_FORM_MAX_BYTES)
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/x-www-form-urlencoded":
        raise Refusal(400, "This is not a form of the portal.")
    try:
        return Form(
            parse_qs(
                raw.decode("ascii"),
                keep_blank_values=True,
                max_num_fields=_FIELDS_MAX,
                errors="strict",
            )
        )
    except ValueError as wrong:
        said = "The form could not be read. Go back and send it again."
        raise Refusal(400, said) from wrong
