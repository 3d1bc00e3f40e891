"""The address of each operation, the proxy on the way there, and how near one is.

The service names the addresses of documents. A compromised one could make kawe call
services of this machine or its network.
"""

import asyncio
import socket
import ssl
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from typing import Any, Final
from urllib.parse import quote, urlsplit
from urllib.request import getproxies, proxy_bypass

import httpx

from kawe.domain.text.hosts import is_loopback
from kawe.errors import ContractBroken, SettingsError
from kawe.service.transport.connections import IDLE_SECONDS
from kawe_contract.operations import OPERATIONS, Operation


@dataclass(frozen=True, slots=True, kw_only=True)
class Addresses:
    """Base address and the paths that the settings override."""

    base_url: str
    overrides: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    """Operation name to (method, path), from `[service.paths]`."""

    def __post_init__(self) -> None:
        """Refuse a name that no operation has."""
        if unknown := sorted(set(self.overrides) - set(OPERATIONS)):
            raise SettingsError(
                message=f"[service.paths] names {unknown[0]!r}, which is no operation.",
                hint=f"Operations are: {', '.join(sorted(OPERATIONS))}.",
            )

    def of(
        self, name: str, *, path: Mapping[str, str] | None = None
    ) -> tuple[str, str]:
        """Give method and whole address of an operation.

        Raises:
            ValueError: A part of the path would change the path.
        """
        operation = OPERATIONS[name]
        method, template = self.overrides.get(name, (operation.method, operation.path))
        filled = template
        for part, value in (path or {}).items():
            if value in {"", ".", ".."}:
                raise ValueError(f"{value!r} is no {part}")
            filled = filled.replace("{" + part + "}", quote(value, safe=""))
        return method, self.base_url.rstrip("/") + filled

    def operation(self, name: str) -> Operation:
        return OPERATIONS[name]

    def missing(self, name: str) -> str:
        """Say that the service does not know an operation."""
        method, address = self.of(name)
        words = f"The service does not know {method} {address} (404)."
        if OPERATIONS[name].shown:
            return f"{words} Is the base address right?"
        return (
            f"{words} kawe assumes this path; ask the service's support for the "
            f"right one and set it in kawe.toml under [service.paths]: {name}."
        )


_STRAIGHT: Final = ""
_NEEDS_MORE: Final = (
    "Correct HTTPS_PROXY, HTTP_PROXY or ALL_PROXY in the environment; kawe speaks to "
    "proxies at http:// and https:// addresses."
)


def proxy_for(url: str) -> httpx.Proxy | None:
    """Give the proxy for `url`, if any; loopback addresses have none."""
    parts = urlsplit(url)
    if is_loopback(url) or proxy_bypass(parts.hostname or ""):
        return None
    known = getproxies()
    if not (address := known.get(parts.scheme) or known.get("all")):
        return None
    try:
        proxy = httpx.Proxy(address if "://" in address else f"http://{address}")
        usable = proxy.url.scheme in {"http", "https"} and bool(proxy.url.host)
    except (httpx.InvalidURL, ValueError):
        usable = False
    if not usable:
        # The address may hold a password.
        raise SettingsError(
            message="The proxy that this computer names cannot be used.",
            hint=_NEEDS_MORE,
        )
    return proxy


_ALONE: Final = httpx.Limits(
    max_connections=1, max_keepalive_connections=1, keepalive_expiry=IDLE_SECONDS
)


class ByProxy(httpx.AsyncBaseTransport):
    """Takes for each address the proxy that leads there, over one connection.

    A shared pool would examine all connections for each request.
    """

    def __init__(self, *, verify: ssl.SSLContext) -> None:
        self._verify = verify
        self._transports: dict[str, httpx.AsyncHTTPTransport] = {}

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Make one request."""
        proxy = proxy_for(str(request.url))
        way = _STRAIGHT if proxy is None else str(proxy.url)
        if way not in self._transports:
            self._transports[way] = httpx.AsyncHTTPTransport(
                verify=self._verify, trust_env=False, proxy=proxy, limits=_ALONE
            )
        try:
            return await self._transports[way].handle_async_request(request)
        except asyncio.CancelledError:
            # The library forgets a connection whose request was cancelled before it
            # left, and no other request gets its place (httpcore, issue 1093).
            await self.aclose()
            raise

    async def aclose(self) -> None:
        """Close every connection."""
        for each in self._transports.values():
            await each.aclose()


_ADDRESS_BITS: Final = 0xFFFFFFFF
# IPv6 networks with an IPv4 address in the last four bytes.
_IPV4_INSIDE: Final = (IPv6Network("::ffff:0:0/96"), IPv6Network("64:ff9b::/96"))


class Nearness(IntEnum):
    """Who can reach an address; a higher value: fewer."""

    ANYBODY = 0
    NETWORK = 1
    MACHINE = 2


def nearness_of(host: str) -> Nearness:
    """Give the nearness of a literal address; a name counts as public.

    It knows every form that a resolver accepts: 127.1, 0x7f000001 and 2130706433.
    """
    name = host.rstrip(".").lower()
    if name == "localhost" or name.endswith(".localhost"):
        return Nearness.MACHINE
    try:
        address = ip_address(name)
    except ValueError:
        try:
            address = IPv4Address(socket.inet_aton(name))
        except OSError:
            return Nearness.ANYBODY
    return _nearness_of(address)


def _nearness_of(address: IPv4Address | IPv6Address) -> Nearness:
    if isinstance(address, IPv6Address):
        if any(address in network for network in _IPV4_INSIDE):
            return _nearness_of(IPv4Address(int(address) & _ADDRESS_BITS))
        if address.sixtofour is not None:
            return _nearness_of(address.sixtofour)
    if address.is_loopback or address.is_unspecified:
        return Nearness.MACHINE
    if not address.is_global or address.is_multicast or address.is_reserved:
        return Nearness.NETWORK
    return Nearness.ANYBODY


def too_near() -> ContractBroken:
    return ContractBroken(
        message="The service named a place for documents inside this computer or its "
        "network.",
        hint="Nothing was sent there. Tell the service's support.",
    )


class NearnessGuard:
    """Closes a connection to a private address before a byte is sent.

    It is a trace hook of the HTTP library. Behind a proxy only the proxy knows the
    address.
    """

    def __init__(self, host: str, api_host: str) -> None:
        self._host = host
        self._api_host = api_host
        self._is_straight = True

    async def __call__(self, event: str, info: Mapping[str, Any]) -> None:
        """Check one event of the request."""
        if event == "connection.connect_tcp.started":
            self._is_straight = info["host"] == self._host
        elif event == "connection.connect_tcp.complete" and self._is_straight:
            stream = info["return_value"]
            near = nearness_of(stream.get_extra_info("server_addr")[0])
            if near > Nearness.ANYBODY and near > await _resolved(self._api_host):
                await stream.aclose()
                raise too_near()


async def _resolved(host: str) -> Nearness:
    try:
        found = await asyncio.get_running_loop().getaddrinfo(host, None)
    except OSError:
        return nearness_of(host)
    return min(nearness_of(str(each[4][0])) for each in found)
