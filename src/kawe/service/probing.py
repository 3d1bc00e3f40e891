"""Finds whether a service answers, and the scopes of a key; changes nothing.

Without a key, a service answers 401, which proves that its name resolves, its
certificate is trusted and it uses the interface's form. Its `Date` header shows this
machine's clock error.

The service refuses a missing scope with 403 before anything runs. If only acts need a
scope, the question names a thing that does not exist. The scopes to create a project
and to ask for an upload have no such question.
"""

import socket
import ssl
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from email.utils import parsedate_to_datetime
from enum import StrEnum
from typing import Any, Final, TypeAlias
from urllib.parse import urlsplit

import httpx

from kawe.domain.service.service_words import Account
from kawe.domain.text.hosts import is_loopback
from kawe.domain.text.texts import one_line
from kawe.ports import Clock
from kawe.service.downloads import link_of
from kawe.service.lookups import HttpLookups, envelope_of
from kawe.service.storage import origin_of
from kawe.service.transport.addresses import NearnessGuard, proxy_for
from kawe.service.transport.answers import Answer
from kawe.service.transport.wire import (
    BROKEN,
    TIMEOUTS,
    Wire,
    causes,
    quiet_libraries,
    tls,
)
from kawe_contract.enums import Scope
from kawe_contract.operations import OPERATIONS

_NOBODY: Final = "00000000-0000-4000-8000-000000000000"
_ONE: Final = {"page": 1, "limit": 1}
_WELLINGTON: Final = {"lat": -41.2889, "lon": 174.7772}
# The service looked for the thing, so the key has the scope.
_NOTHING_THERE: Final = frozenset({400, 402, 404, 409, 422})


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A request without effect that needs one scope."""

    scope: Scope
    operation: str
    path: Mapping[str, str] | None = None
    """None: the team's own id, or a path without ids."""
    query: Mapping[str, str | int] | None = None
    body: Mapping[str, object] | None = None


SENDING: Final = Question(
    scope=Scope.PROJECTS_SEND, operation="project_send", path={"id": _NOBODY}, body={}
)
"""A send without a message of a project that does not exist."""
QUESTIONS: Final = (
    Question(scope=Scope.PROJECTS_READ, operation="project_list", query=_ONE),
    # Deletes a note that does not exist.
    Question(
        scope=Scope.PROJECTS_WRITE,
        operation="note_delete",
        path={"id": _NOBODY, "note_id": _NOBODY},
    ),
    SENDING,
    # A POST that changes nothing.
    Question(scope=Scope.IWI_READ, operation="iwi_count", body=_WELLINGTON),
    Question(scope=Scope.TEAM_READ, operation="team_read"),
    # Finishes the upload of no document.
    Question(scope=Scope.FILES_WRITE, operation="upload_complete", body={}),
    Question(scope=Scope.FILES_READ, operation="download", path={"id": _NOBODY}),
    Question(
        scope=Scope.USERS_INVITE, operation="invitation_read", path={"id": _NOBODY}
    ),
    Question(scope=Scope.BILLING_READ, operation="invoice_list", query=_ONE),
    Question(scope=Scope.GROUPS_READ, operation="group_list"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Probe:
    """Asks each question once."""

    wire: Wire = field(repr=False)

    async def teams(self) -> tuple[str, ...]:
        """Name the teams of the person behind the key; none for an iwi's."""
        exchange = await self.wire.ask("user_read")
        user = envelope_of(self.wire, "user_read", exchange)["response_object"]
        teams = user.get("teams") if isinstance(user, dict) else None
        names = (
            each.get("name")
            for each in (teams if isinstance(teams, list) else [])
            if isinstance(each, dict)
        )
        return tuple(one_line(name) for name in names if isinstance(name, str))

    async def account(self, *, team_name: str | None) -> Account:
        return await HttpLookups(wire=self.wire, team_name=team_name).account()

    async def storage(self, *, team_id: str) -> str | None:
        """Give the address of the storage, without a path; None: no receipt tells it.

        Nothing of a signed link is kept.
        """
        page = await HttpLookups(wire=self.wire).receipts(team_id, page=1)
        for receipt in page.items[:1]:
            return origin_of((await link_of(receipt.document_id, wire=self.wire)).url)
        return None

    async def has(self, question: Question, *, team_id: str) -> bool | None:
        """Check for a scope; None: the answer does not tell."""
        exchange = await self.wire.ask(
            question.operation,
            path=question.path or {"id": team_id},
            query=question.query,
            body=question.body,
        )
        if not isinstance(exchange, Answer):
            return None
        status = exchange.http_status
        if status == 403:
            return False
        if status == 404 and not OPERATIONS[question.operation].shown:
            # The path may be wrong.
            return None
        is_about_nothing = question.path is not None or question.body == {}
        is_missing = is_about_nothing and status in _NOTHING_THERE
        return True if exchange.is_success or is_missing else None


_MOST_BYTES: Final = 64 * 1024
_LOGINS: Final = ("Basic", "Digest", "NTLM", "Negotiate", "Kerberos")
# The header has whole seconds.
_HALF_A_SECOND: Final = timedelta(seconds=0.5)


class Obstacle(StrEnum):
    """Why a service does not answer."""

    NAME = "name"
    CERTIFICATE = "certificate"
    ENCRYPTION = "encryption"
    REFUSED = "refused"
    PROXY = "proxy"
    LOGIN = "login"
    """A proxy wants a name and a password."""
    SYSTEM_LOGIN = "system_login"
    """A proxy wants a login by what only the system can do."""
    SILENCE = "silence"
    BROKEN = "broken"


# The nearest to the cause comes first.
_OBSTACLES: Final[dict[type[BaseException], Obstacle]] = {
    httpx.ProxyError: Obstacle.PROXY,
    httpx.TimeoutException: Obstacle.SILENCE,
    ssl.SSLCertVerificationError: Obstacle.CERTIFICATE,
    ssl.SSLError: Obstacle.ENCRYPTION,
    socket.gaierror: Obstacle.NAME,
    ConnectionRefusedError: Obstacle.REFUSED,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Greeting:
    """An answer."""

    http_status: int
    speaks_the_interface: bool
    leads_to: str
    """Target of a redirect; empty: none."""
    clock_off: timedelta | None
    """How far this machine's clock is ahead; None: unknown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NoGreeting:
    """No answer."""

    obstacle: Obstacle
    detail: str = ""


Greeted: TypeAlias = Greeting | NoGreeting


class _Watch:
    """A trace hook of the HTTP library: notes how a proxy wants to be logged in to."""

    def __init__(self, guard: NearnessGuard | None = None) -> None:
        self._guard = guard
        self.logins: tuple[str, ...] = ()

    async def __call__(self, event: str, info: Mapping[str, Any]) -> None:
        """Look at one event of the request."""
        if self._guard is not None:
            await self._guard(event, info)
        if event.endswith("receive_response_headers.complete"):
            _, status, _, headers = info["return_value"]
            if status == 407:
                self.logins = tuple(_logins(headers))

    def obstacle(self, trouble: Exception) -> NoGreeting:
        """Say what stood in the way."""
        if "Basic" in self.logins:
            return NoGreeting(obstacle=Obstacle.LOGIN)
        if self.logins:
            detail = " or ".join(self.logins)
            return NoGreeting(obstacle=Obstacle.SYSTEM_LOGIN, detail=detail)
        for cause in causes(trouble):
            for kind, obstacle in _OBSTACLES.items():
                if isinstance(cause, kind):
                    said = str(getattr(cause, "verify_message", ""))
                    detail = one_line(said, limit=100)
                    return NoGreeting(obstacle=obstacle, detail=detail)
        return NoGreeting(obstacle=Obstacle.BROKEN)


def _logins(headers: Iterable[tuple[bytes, bytes]]) -> Iterator[str]:
    said = b",".join(
        value for name, value in headers if name.lower() == b"proxy-authenticate"
    )
    first_words = {each.split()[0].lower() for each in said.split(b",") if each.split()}
    yield from (each for each in _LOGINS if each.lower().encode() in first_words)


def _client(
    url: str, *, transport: httpx.AsyncBaseTransport | None = None
) -> httpx.AsyncClient:
    """Open a client without a key for one address."""
    quiet_libraries()
    return httpx.AsyncClient(
        verify=tls(),
        transport=transport,
        proxy=proxy_for(url),
        trust_env=False,
        timeout=TIMEOUTS,
        follow_redirects=False,
        headers={"Accept-Encoding": "identity", "User-Agent": "kawe"},
    )


def is_twin(url: str) -> bool:
    """Ask whether kawe's twin answers: a tunnel leads from this machine elsewhere."""
    if not is_loopback(url):
        return False
    try:
        said = httpx.get(f"{url}/_twin/state", timeout=1, trust_env=False, verify=tls())
        return said.status_code == 403 and "owner secret" in said.json()["error"]
    except (httpx.HTTPError, httpx.InvalidURL, ValueError, LookupError, TypeError):
        return False


async def meet_storage(origin: str, *, api_url: str) -> NoGreeting | None:
    """Check that the storage at `origin` answers anything; None: it does."""
    hosts = [httpx.URL(each).raw_host.decode("ascii") for each in (origin, api_url)]
    watch = _Watch(NearnessGuard(*hosts))
    async with _client(origin) as client:
        try:
            request = client.stream("GET", origin, extensions={"trace": watch})
            async with request:
                return None
        except BROKEN as trouble:
            return watch.obstacle(trouble)


async def greet(
    base_url: str, *, clock: Clock, transport: httpx.AsyncBaseTransport | None = None
) -> Greeted:
    """Ask the service at `base_url` one question, without a key."""
    watch = _Watch()
    async with _client(base_url, transport=transport) as client:
        asked_at = clock.now()
        try:
            address = base_url + OPERATIONS["user_read"].path
            asking = client.stream("GET", address, extensions={"trace": watch})
            async with asking as response:
                heard_at = clock.now()
                body = await _beginning(response)
        except BROKEN as trouble:
            return watch.obstacle(trouble)
    return Greeting(
        http_status=response.status_code,
        speaks_the_interface=_speaks_it(response.status_code, body),
        leads_to=_origin(response.headers.get("Location", ""))
        if response.is_redirect
        else "",
        clock_off=_clock_off(
            response.headers.get("Date", ""), at=asked_at + (heard_at - asked_at) / 2
        ),
    )


async def _beginning(response: httpx.Response) -> bytes:
    body = bytearray()
    async for chunk in response.aiter_raw():
        body += chunk
        if len(body) > _MOST_BYTES:
            break
    return bytes(body[:_MOST_BYTES])


def _speaks_it(http_status: int, body: bytes) -> bool:
    value = Answer(http_status=http_status, body=body).parsed()
    return isinstance(value, dict) and ("success" in value or "error" in value)


def _origin(address: str) -> str:
    # The path may hold a secret.
    try:
        parts = urlsplit(address)
        host = f"{parts.scheme}://{parts.hostname}" if parts.hostname else "elsewhere"
    except ValueError:
        host = "elsewhere"
    return one_line(host, limit=100)


def _clock_off(date: str, *, at: datetime) -> timedelta | None:
    try:
        said_at = parsedate_to_datetime(date)
    except (ValueError, OverflowError):
        return None
    return None if said_at.tzinfo is None else at - said_at - _HALF_A_SECOND
