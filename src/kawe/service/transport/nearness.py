"""Whether an address is public, of this network, or of this machine.

The service names the addresses of documents. A compromised one could make kawe call
services of this machine or its network.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Mapping
from enum import IntEnum
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from typing import Any, Final

from kawe.errors import ContractBroken

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
        """Check one event of the request.

        Raises:
            ContractBroken: The address is nearer than the API's.
        """
        if event == "connection.connect_tcp.started":
            self._is_straight = info["host"] == self._host
        elif event == "connection.connect_tcp.complete" and self._is_straight:
            stream = info["return_value"]
            address = stream.get_extra_info("server_addr")
            near = nearness_of(address[0])
            if near > Nearness.ANYBODY and near > await _resolved(self._api_host):
                await stream.aclose()
                raise too_near()


async def _resolved(host: str) -> Nearness:
    try:
        found = await asyncio.get_running_loop().getaddrinfo(host, None)
    except OSError:
        return nearness_of(host)
    return min(nearness_of(str(each[4][0])) for each in found)
