"""Two ways onto the network of a world.

Most worlds end at `Wire.ask`, so that everything above it is real: acts,
lookups, verdicts, retries, uploads and pacing. A few go below it, through the
HTTP client itself.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from json import dumps, loads
from typing import Any, Final
from urllib.parse import unquote

import httpx

from doubles.machine import AskedToStop, Quiet
from faults.simulation.network import Cut, Network, Question, Ready
from faults.simulation.passing_time import SimulatedClock
from faults.simulation.service import STORAGE_URL
from kawe.domain.sheet.content import Attachment
from kawe.ports import Clock, QueryValue
from kawe.service.opening import Service, ServiceSetup, open_service, stacked
from kawe.service.retrying import RetryPolicy
from kawe.service.storage import Grant, HashedFile, Storage
from kawe.service.transport.addresses import Addresses
from kawe.service.transport.answers import Answer, Exchange
from kawe.service.transport.pacing import Pacer
from kawe.service.transport.wire import Wire
from kawe_contract.operations import OPERATIONS

BASE_URL: Final = "https://api.example.nz"
_KEY: Final = "kw_live_simulated"
_USED: Final = (
    "user_read",
    "iwi_count",
    "organisation_list",
    "upload_presign",
    "upload_complete",
    "project_list",
    "project_create",
    "project_send",
    "project_read",
)


class SimulatedWire(Wire):
    """A wire without a client."""

    def __init__(self, *, network: Network, pacer: Pacer) -> None:
        self.addresses = Addresses(base_url=BASE_URL)
        self._network = network
        self._pacer = pacer

    async def ask(
        self,
        operation: str,
        *,
        path: Mapping[str, str] | None = None,
        query: Mapping[str, QueryValue] | None = None,
        body: Mapping[str, object] | None = None,
        total_seconds: float = 0,  # noqa: ARG002 - the network never takes longer
    ) -> Exchange:
        """Make one request."""
        start = self._pacer.leaves()
        exchange = await self._network.carry(
            Question(
                operation=operation, path=path or {}, query=query or {}, body=body or {}
            )
        )
        match exchange:
            case Answer(http_status=status):
                self._pacer.learn(exchange.headers, http_status=status, start=start)
            case _:
                self._pacer.lost()
        return exchange


class SimulatedStorage(Storage):
    """A storage without a client."""

    def __init__(self, *, network: Network) -> None:
        self._network = network

    async def post(
        self,
        grant: Grant,
        *,
        attachment: Attachment,  # noqa: ARG002 - the service knows its size
        file: HashedFile,
    ) -> Exchange:
        """Post one file."""
        while file.read(65536):
            pass
        return await self._network.carry(
            Question(operation="storage_post", body={"key": grant.document_id})
        )


class _Body(httpx.AsyncByteStream):
    """The bytes of an answer, or some of them."""

    def __init__(self, body: bytes, *, is_cut: bool = False) -> None:
        self._body = body
        self._is_cut = is_cut

    async def __aiter__(self) -> AsyncIterator[bytes]:
        """Give the bytes.

        Raises:
            httpx.ReadError: The connection broke.
        """
        yield self._body
        if self._is_cut:
            raise httpx.ReadError("cut")


class SimulatedTransport(httpx.AsyncBaseTransport):
    """The bottom of an HTTP client."""

    def __init__(self, network: Network) -> None:
        self._network = network

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Carry one request.

        Raises:
            httpx.TransportError: The network does.
        """
        question = _question(request, await request.aread())
        trace = request.extensions.get("trace")

        async def leaves() -> None:
            if trace is not None:
                await trace("http11.send_request_headers.started", {"request": request})

        begun = asyncio.get_running_loop().time()
        exchange = await self._network.carry(question, leaves=leaves)
        match exchange:
            case Ready(http_status=status, headers=headers, value=value):
                body = dumps(value).encode()
                return httpx.Response(status, headers=headers, stream=_Body(body))
            case Answer(http_status=status, headers=headers, body=body):
                return httpx.Response(status, headers=headers, stream=_Body(body))
            case Cut(part=part):
                return httpx.Response(200, stream=_Body(part, is_cut=True))
            case lost if not lost.sent:
                raise httpx.ConnectError(lost.detail)
            case lost if asyncio.get_running_loop().time() - begun >= 60:
                raise httpx.ReadTimeout(lost.detail)
            case lost:
                raise httpx.ReadError(lost.detail)


def _question(request: httpx.Request, content: bytes) -> Question:
    if str(request.url) == STORAGE_URL:
        found = re.search(rb'name="key"\r\n\r\n(.*?)\r\n', content)
        key = b"" if found is None else found[1]
        return Question(operation="storage_post", body={"key": key.decode()})
    for name in _USED:
        operation = OPERATIONS[name]
        pattern = re.sub(r"\{(\w+)\}", r"(?P<\1>[^/]+)", operation.path)
        match = re.fullmatch(pattern, request.url.path)
        if match is not None and request.method == operation.method:
            body: dict[str, Any] = loads(content) if content else {}
            return Question(
                operation=name,
                path={part: unquote(each) for part, each in match.groupdict().items()},
                query=dict(request.url.params),
                body=body,
            )
    raise AssertionError(f"no world knows {request.method} {request.url.path}")


@asynccontextmanager
async def open_simulated(
    network: Network,
    *,
    halt: AskedToStop,
    through_http: bool,
    clock: Clock | None = None,
) -> AsyncIterator[Service]:
    """Open the service of a world for one process."""
    clock, quiet, chance = clock or SimulatedClock(), Quiet(), network.chance
    options = ServiceSetup(
        base_url=BASE_URL, key=_KEY, policy=RetryPolicy(chance=chance)
    )
    if through_http:
        async with open_service(
            options,
            clock=clock,
            progress=quiet,
            halt=halt,
            chance=chance,
            transport=SimulatedTransport(network),
        ) as service:
            yield service
        return
    pacer = Pacer(clock=clock, progress=quiet, halt=halt, chance=chance)
    yield stacked(
        wire=SimulatedWire(network=network, pacer=pacer),
        storage=SimulatedStorage(network=network),
        pacer=pacer,
        options=options,
    )
