"""Who is let in, and what every answer carries.

Other programs and pages on this computer can reach a port of loopback too. So the
address that opens the desk works once and becomes a cookie; a request must name our
host (DNS rebinding), and a form must come from our own page. Cookies ignore ports: the
pages lie below a path that no other server knows, and the cookie is for that path.
"""

import hmac
import secrets
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from kawe.desk.rendering import go_to, page, sorry
from kawe.html.rendering import hash_of

OPEN: Final = "/open/"
_ASKS: Final = frozenset({"GET", "HEAD"})
_STYLE: Final = "/desk.css"
_LIFE_SECONDS: Final = 12 * 3600
_POLICY: Final = (
    "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; "
    f"frame-ancestors 'none'; connect-src 'self'; script-src {hash_of('desk.js')}"
)
_HEADERS: Final = {
    "Cache-Control": "no-store",
    "Content-Language": "en-NZ",
    "Content-Security-Policy": _POLICY,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    # With no-referrer, a browser would hide the origin of our own forms too.
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
MOST_BYTES: Final = 300 * 2**20
"""The longest body: a workbook, or some attachments."""


_random: Final = partial(secrets.token_urlsafe, 32)


@dataclass(slots=True, kw_only=True)
class Visitor:
    """The one browser that may use the desk."""

    port: int
    door: str = field(default_factory=lambda: f"/{_random()}", init=False, repr=False)
    """The path before that of every page."""
    token: str = field(default_factory=_random, init=False, repr=False)
    """Opens the desk, once."""
    form_token: str = field(default_factory=_random, init=False, repr=False)
    """Every form of our pages carries it."""
    _secret: str = field(default_factory=_random, init=False, repr=False)

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.port}"

    @property
    def address(self) -> str:
        return f"http://{self.host}{self.door}{OPEN}{self.token}"

    def knows(self, request: Request) -> bool:
        """Check that a request comes from the browser that was let in."""
        given = request.cookies.get(_COOKIE, "")
        return hmac.compare_digest(given.encode(), self._secret.encode())

    def is_own_form(self, given: str) -> bool:
        return hmac.compare_digest(given.encode(), self.form_token.encode())

    def let_in(self) -> Response:
        """Give the answer that lets a browser in; no other is let in afterwards."""
        self.token = _random()
        answer = go_to("/")
        # Not Secure: the desk uses plain HTTP on this machine.
        answer.set_cookie(
            _COOKIE,
            self._secret,
            max_age=_LIFE_SECONDS,
            path=self.door,
            httponly=True,
            samesite="strict",
        )
        return answer


@dataclass(frozen=True, slots=True, kw_only=True)
class DeskGate:
    """Stands before every page."""

    app: ASGIApp
    visitor: Visitor

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or refuse it; add what every answer carries."""
        assert scope["type"] == "http"
        request, door = Request(scope), self.visitor.door
        answer, is_known = self._answer(request), self.visitor.knows(request)
        # A connection of a stranger ends with its answer.
        ours = _RAW | ({} if is_known else {b"connection": b"close"})

        async def send_all(message: Message) -> None:
            if message["type"] == "http.response.start":
                kept = {**dict(message["headers"]), **ours}
                if kept.get(b"content-disposition", b"").startswith(b"inline"):
                    kept[b"content-security-policy"] = _OF_PAPERS
                if kept.get(b"location", b"").startswith(b"/"):
                    kept[b"location"] = door.encode() + kept[b"location"]
                message = {**message, "headers": [*kept.items()]}
            await send(message)

        if answer is not None:
            await answer(scope, receive, send_all)
        else:
            is_style = request.url.path == _STYLE
            inside = scope if is_style else {**scope, "root_path": door}
            await self.app(inside, _bounded(receive), send_all)

    def _answer(self, request: Request) -> Response | None:
        """Give the answer to a request that no page gets; None: a page may."""
        visitor, path = self.visitor, request.url.path
        if request.headers.get("host") != visitor.host:
            return sorry(421, f"The desk answers at http://{visitor.host}/ alone.")
        if path == _STYLE:
            return None
        is_known, opens = visitor.knows(request), visitor.door + OPEN
        if path.startswith(opens) and not is_known:
            return self._opened(request, path.removeprefix(opens))
        is_ours = path.startswith(f"{visitor.door}/")
        if not is_known or not is_ours:
            return sorry(403, _ENDED if is_ours else _UNKNOWN)
        if path.startswith(opens):
            return go_to("/")
        return None if request.method in _ASKS else self._refused(request.headers)

    def _opened(self, request: Request, token: str) -> Response:
        """Show the button that opens the desk; let in whoever presses it.

        A program that only looks at addresses does not use this one up.
        """
        visitor, way = self.visitor, request.method
        if not hmac.compare_digest(token.encode(), visitor.token.encode()):
            return sorry(403, _USED)
        if way == "POST":
            return self._refused(request.headers) or visitor.let_in()
        return page("open.html", {"address": visitor.address})

    def _refused(self, headers: Headers) -> Response | None:
        """Refuse a form that is not ours, or too large."""
        door, own = self.visitor.door, f"http://{self.visitor.host}"
        is_same = headers.get("sec-fetch-site", "same-origin") == "same-origin"
        if not is_same or headers.get("origin") != own:
            return sorry(403, _FOREIGN, door=door)
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length) > MOST_BYTES:
            return sorry(413, _TOO_LARGE, door=door)
        return None


_COOKIE: Final = "kawe_desk"
# A result page has a policy of its own within; here it gets an origin of its own.
_OF_PAPERS: Final = b"sandbox allow-scripts; frame-ancestors 'none'"
_RAW: Final = dict(Headers(_HEADERS).raw)
_USED: Final = (
    "This address does not open the desk: it works once, and only for the desk that "
    "printed it. If you did not open it yourself, stop the desk. To go on, start the "
    "desk again."
)
_UNKNOWN: Final = (
    "This browser has not opened the desk. Use the address that kawe desk opens or "
    "prints; it works once. To get another, stop the desk and start it again: nothing "
    "is lost."
)
_ENDED: Final = (
    "Nothing was done: this browser may not use the desk any more. It opened the desk "
    f"more than {_LIFE_SECONDS // 3600} hours ago, or another browser did. To go on, "
    "stop the desk and start it again: nothing is lost."
)
_FOREIGN: Final = (
    "This form did not come from a page of the desk. Nothing was done. Go back, load "
    "the page again, and send it from there."
)
_TOO_LARGE: Final = (
    f"This is larger than {MOST_BYTES // 2**20} MB, and was not taken. Put large "
    "attachments into a folder, and name the folder."
)


def _bounded(receive: Receive) -> Receive:
    taken = 0

    async def bounded() -> Message:
        nonlocal taken
        message = await receive()
        taken += len(message.get("body", b""))
        if taken > MOST_BYTES:
            raise HTTPException(413, _TOO_LARGE)
        return message

    return bounded
