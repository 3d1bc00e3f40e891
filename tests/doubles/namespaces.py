"""Hosts in network namespaces of their own, each behind a link that can be cut.

A host reaches the server of the journals over its link. A twin answers on 127.0.0.1
alone, so there is a relay at both ends of the link for what goes to one. All of it
needs root, the program `ip` and a kernel that allows it.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from typing import Final

_NET: Final = "10.213.77"
OUTSIDE: Final = f"{_NET}.1"
"""The address of this machine, as hosts see it."""
HOSTS: Final = f"{_NET}.0/24"
_BRIDGE: Final = "kawe-hosts"


def why_none() -> str:
    """Say why this machine has no such namespaces; empty: it has."""
    if os.geteuid() != 0 or shutil.which("ip") is None:
        return "network namespaces need root and the program ip"
    try:
        with _bridge(), _namespace(0):
            return ""
    except subprocess.CalledProcessError as refused:
        return f"network namespaces are not allowed: {refused.stderr.strip()}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Network:
    """Some hosts, and what is on this machine."""

    hosts: int

    def within(self, host: int) -> tuple[str, ...]:
        """Give the words before a command that is to run on a host."""
        return ("ip", "netns", "exec", _name(host))

    def cut(self, host: int, *, is_cut: bool) -> None:
        """Cut the link of a host, or join it again."""
        _ip("link", "set", _name(host), "down" if is_cut else "up")


@contextmanager
def network(hosts: int) -> Iterator[Network]:
    """Make the namespaces of so many hosts, and take them away again."""
    with ExitStack() as made:
        made.enter_context(_bridge())
        for host in range(hosts):
            made.enter_context(_namespace(host))
        yield Network(hosts=hosts)


@contextmanager
def relays(made: Network, ports: Sequence[int]) -> Iterator[None]:
    """Let each host reach ports of 127.0.0.1 on this machine as its own."""
    module = (sys.executable, __file__)
    said = [str(each) for each in ports]
    running = [subprocess.Popen([*module, OUTSIDE, "127.0.0.1", *said])]
    for host in range(made.hosts):
        inside = [*made.within(host), *module, "127.0.0.1", OUTSIDE, *said]
        running.append(subprocess.Popen(inside))
    try:
        yield
    finally:
        for each in running:
            each.kill()
            each.wait()


@contextmanager
def _bridge() -> Iterator[None]:
    with suppress(subprocess.CalledProcessError):
        _ip("link", "del", _BRIDGE)
    _ip("link", "add", _BRIDGE, "type", "bridge")
    try:
        _ip("addr", "add", f"{OUTSIDE}/24", "dev", _BRIDGE)
        _ip("link", "set", _BRIDGE, "up")
        yield
    finally:
        _ip("link", "del", _BRIDGE)


@contextmanager
def _namespace(host: int) -> Iterator[None]:
    name = _name(host)
    with suppress(subprocess.CalledProcessError):
        _ip("netns", "del", name)
    _ip("netns", "add", name)
    try:
        _ip("link", "add", name, "type", "veth", "peer", "eth0", "netns", name)
        _ip("link", "set", name, "master", _BRIDGE, "up")
        _ip("-n", name, "link", "set", "lo", "up")
        _ip("-n", name, "addr", "add", f"{_NET}.{host + 2}/24", "dev", "eth0")
        _ip("-n", name, "link", "set", "eth0", "up")
        yield
    finally:
        _ip("netns", "del", name)


def _name(host: int) -> str:
    return f"kawe-host-{host}"


def _ip(*words: str) -> None:
    subprocess.run(("ip", *words), check=True, capture_output=True, text=True)


async def _relay(here: str, there: str, ports: Sequence[int]) -> None:
    """Carry what comes to ports here to the same ports there."""
    at_work = set[object]()

    async def carry(
        reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, port: int
    ) -> None:
        at_work.add(asyncio.current_task())
        with suppress(OSError):
            far_reader, far_writer = await asyncio.open_connection(there, port)
            both = _carry(reader, far_writer), _carry(far_reader, writer)
            await asyncio.gather(*both)
            far_writer.close()
        writer.close()
        at_work.discard(asyncio.current_task())

    for port in ports:
        await asyncio.start_server(partial(carry, port=port), here, port)
    await asyncio.Event().wait()


async def _carry(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
        writer.write_eof()


if __name__ == "__main__":
    asyncio.run(_relay(sys.argv[1], sys.argv[2], [int(each) for each in sys.argv[3:]]))
