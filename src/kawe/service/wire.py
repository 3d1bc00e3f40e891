"""One request, one exchange: the only place where kawe speaks HTTP to the API.

Nothing here retries. Every call has a total deadline, because the timeouts of
a socket start again with every byte. Connections that were idle for five
seconds are not used again: a server that closed one in the meantime would
leave an act in doubt for nothing. Clients are sharded by eight connections,
since the pool's cost grows with the square of its size.
"""

from __future__ import annotations

import asyncio
import logging
import ssl
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import TracebackType
from typing import Final, Self
from urllib.parse import urlsplit

import httpx
import truststore

from kawe.contract import headers
from kawe.domain.identity import canonical
from kawe.service.addresses import Addresses
from kawe.service.answers import Answer, Exchange, Lost
from kawe.service.pacing import Pacer

_log = logging.getLogger(__name__)

SHARD_CONNECTIONS: Final = 8
IDLE_SECONDS: Final = 5.0
TOTAL_SECONDS: Final = 90.0
ANSWER_MAX_BYTES: Final = 10 * 1024 * 1024
TIMEOUTS: Final = httpx.Timeout(connect=10, read=60, write=60, pool=60)
_NEVER_LEFT: Final = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)


@dataclass(frozen=True, slots=True, kw_only=True)
class Credentials:
    """The key, kept out of every printed form."""

    key: str = field(repr=False)


def tls() -> ssl.SSLContext:
    """Trust what this machine trusts: council proxies bring their own roots."""
    return truststore.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


def is_loopback(url: str) -> bool:
    """Say whether an address is this machine."""
    return (urlsplit(url).hostname or "") in {"127.0.0.1", "localhost", "::1"}


def quiet_libraries() -> None:
    """Keep the HTTP library from logging addresses: signed ones are secrets."""
    for name in ("httpx", "httpcore"):
        logging.getLogger(name).setLevel(logging.WARNING)


class _SentMark:
    """Notices the moment at which the first byte of a request leaves."""

    def __init__(self) -> None:
        self.sent = False

    async def __call__(self, event: str, _: Mapping[str, object]) -> None:
        if event.endswith("send_request_headers.started"):
            self.sent = True


class Wire:
    """A few HTTP clients behind one method."""

    def __init__(
        self,
        *,
        addresses: Addresses,
        credentials: Credentials,
        pacer: Pacer,
        workers: int,
        user_agent: str,
    ) -> None:
        quiet_libraries()
        self.addresses = addresses
        self._pacer = pacer
        shards = -(-workers // SHARD_CONNECTIONS)
        context = tls()
        self._clients = [
            httpx.AsyncClient(
                verify=context,
                timeout=TIMEOUTS,
                follow_redirects=False,
                # The loopback twin must be reached even where a proxy is set.
                trust_env=not is_loopback(addresses.base_url),
                limits=httpx.Limits(
                    max_connections=SHARD_CONNECTIONS,
                    max_keepalive_connections=SHARD_CONNECTIONS,
                    keepalive_expiry=IDLE_SECONDS,
                ),
                headers={
                    headers.AUTHORIZATION: f"{headers.BEARER} {credentials.key}",
                    "Accept": "application/json",
                    "Accept-Encoding": "identity",
                    "User-Agent": user_agent,
                },
            )
            for _ in range(max(1, shards))
        ]
        self._in_flight = [0] * len(self._clients)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        trouble: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for client in self._clients:
            await client.aclose()

    async def ask(
        self,
        operation: str,
        *,
        path: Mapping[str, str] | None = None,
        query: Mapping[str, str | int] | None = None,
        body: Mapping[str, object] | None = None,
        total_seconds: float = TOTAL_SECONDS,
    ) -> Exchange:
        """Make one request and give what came back; never raises for either."""
        method, url = self.addresses.of(operation, path=path)
        mark = _SentMark()
        request: dict[str, object] = {
            "method": method,
            "url": url,
            "params": query,
            "content": None if body is None else canonical(body),
            "headers": {} if body is None else {"Content-Type": "application/json"},
            "extensions": {"trace": mark},
        }
        exchange = await self._within(request, mark=mark, total_seconds=total_seconds)
        match exchange:
            case Answer(http_status=status):
                self._pacer.learn(exchange.headers, http_status=status)
                _log.debug("%s: %d", operation, status)
            case Lost(detail=detail):
                _log.debug("%s: %s", operation, detail)
        return exchange

    async def _within(
        self, request: dict[str, object], *, mark: _SentMark, total_seconds: float
    ) -> Exchange:
        shard = min(range(len(self._clients)), key=self._in_flight.__getitem__)
        self._in_flight[shard] += 1
        try:
            async with asyncio.timeout(total_seconds):
                return await _exchange(self._clients[shard], request)
        except TimeoutError:
            return Lost(sent=mark.sent, detail="no answer within the time allowed")
        except _NEVER_LEFT as trouble:
            return Lost(sent=False, detail=_cause(trouble))
        except httpx.HTTPError as trouble:
            return Lost(sent=mark.sent, detail=_cause(trouble))
        finally:
            self._in_flight[shard] -= 1


async def _exchange(client: httpx.AsyncClient, request: dict[str, object]) -> Exchange:
    async with client.stream(**request) as response:  # type: ignore[arg-type]
        body = bytearray()
        async for chunk in response.aiter_bytes():
            body += chunk
            if len(body) > ANSWER_MAX_BYTES:
                return Lost(sent=True, detail="the answer is larger than 10 MiB")
        names = {name.lower(): value for name, value in response.headers.items()}
        return Answer(http_status=response.status_code, headers=names, body=bytes(body))


def _cause(trouble: Exception) -> str:
    match trouble:
        case httpx.ConnectTimeout() | httpx.PoolTimeout():
            return "no connection within the time allowed"
        case httpx.ConnectError():
            return "no connection"
        case httpx.ReadTimeout() | httpx.WriteTimeout():
            return "no answer within the time allowed"
        case _:
            return "the connection broke"
