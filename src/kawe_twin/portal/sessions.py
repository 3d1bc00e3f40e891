"""Sessions, in memory, and the tokens of forms.

A form's token is a MAC over the visitor's cookie, so it needs no memory.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

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
