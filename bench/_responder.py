"""A service that costs next to nothing: create, read, send, after a fixed time.

    python bench/_responder.py LATENCY_MS     prints its address, serves until killed

It speaks just enough of the contract for a submit. The twin keeps the rules
and pays for them with a millisecond of processor time for each answer, which a
bench of the client must not count. It keeps no rule at all, so nothing that it
lets pass proves anything. `GET /_bench` tells what it has seen, a `POST` there
begins to count anew, and a `DELETE` forgets its projects too.
"""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from uuid import UUID

KEY = "kawe_live_" + "b" * 32
TEAM = "00000000-0000-4000-8000-0000000000aa"
NOW = "2030-01-01T00:00:00.000Z"
NOBODY = "00000000-0000-4000-8000-000000000000"
"""The project of a question about the key's scopes, which is about no row."""
_LENGTH = re.compile(rb"content-length: *(\d+)", re.IGNORECASE)


class Seen:
    """What the service was asked, and what it holds."""

    def __init__(self) -> None:
        self.made = 0
        self.projects: dict[str, dict[str, Any]] = {}
        self.count_anew()

    def count_anew(self) -> None:
        self.connections = self.requests = self.creates = self.sends = 0
        self.first_at: float | None = None
        self.first_row_at: float | None = None
        self.first_row = ""

    def take(self, method: str, path: str) -> None:
        now = time.monotonic()
        self.requests += 1
        if self.first_at is None:
            self.first_at = now
        if self.first_row_at is None and path != "/user" and NOBODY not in path:
            self.first_row_at, self.first_row = now, f"{method} {path[:16]}"

    def told(self) -> dict[str, object]:
        shown = {name: value for name, value in vars(self).items() if name[0] != "_"}
        return {**shown, "projects": len(self.projects)}


def answer(seen: Seen, line: str, *, body: bytes) -> object:
    """Give what the service answers to a request line; None: there is no such."""
    method, target, _ = line.split(" ")
    path, _, query = target.partition("?")
    match (method, path.split("/")[1:]):
        case ("GET", ["user"]):
            return _account()
        case ("POST", ["iwi", "count"]):
            iwi = [{"slug": "tauira", "name": "Tauira"}]
            return {"iwi": iwi, "can_select_iwi": False}
        case ("GET", ["projects"]):
            return _list(seen, query)
        case ("POST", ["projects"]):
            seen.creates += 1
            return _create(seen, json.loads(body))
        # There are no receipts: their numbers are left to the next run.
        case ("GET", ["projects", project] | ["team", project, "receipts"]):
            return seen.projects.get(project)
        case ("PUT", ["projects", project, "send"]):
            if project in seen.projects:
                seen.sends += 1
                seen.projects[project]["status"] = "NEW"
            return seen.projects.get(project)
        case _:
            raise LookupError(line)


def _account() -> object:
    team = {
        "id": TEAM,
        "name": "Bench",
        "current_credit_balance": 1_000_000,
        "account": {"sandbox": False},
    }
    return {"teams": [team]}


def _create(seen: Seen, asked: dict[str, Any]) -> dict[str, Any]:
    seen.made += 1
    project = {
        **{name: value for name, value in asked.items() if name != "draft"},
        "id": str(UUID(int=seen.made | 0x4000_8000_0000_0000_0000)),
        "status": "DRAFT",
        "created_on": NOW,
    }
    seen.projects[project["id"]] = project
    return project


def _list(seen: Seen, query: str) -> object:
    wanted = dict(part.split("=", 1) for part in query.split("&") if part)
    items = [
        each
        for each in seen.projects.values()
        if wanted.get("search", each["reference"]) == each["reference"]
        and wanted.get("status", each["status"]) == each["status"]
    ]
    page, limit = int(wanted.get("page", 1)), int(wanted.get("limit", 20))
    shown = items[::-1][(page - 1) * limit : page * limit]
    return {"data": shown, "total": len(items), "page": page, "limit": limit}


class Line(asyncio.Protocol):
    """One connection; its requests come one after the other."""

    def __init__(self, seen: Seen, *, latency_seconds: float) -> None:
        self.seen = seen
        self.latency_seconds = latency_seconds
        self.held = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport
        self.seen.connections += 1

    def data_received(self, data: bytes) -> None:
        self.held += data
        head, found, rest = self.held.partition(b"\r\n\r\n")
        length = _LENGTH.search(head)
        wanted = int(length[1]) if length else 0
        if not found or len(rest) < wanted:
            return
        self.held = rest[wanted:]
        line = head.split(b"\r\n", 1)[0].decode()
        method, path, _ = line.split(" ")
        if path == "/_bench":
            self.seen.connections -= 1
            self._reply(self.seen.told())
            if method != "GET":
                self.seen.count_anew()
            if method == "DELETE":
                self.seen.projects.clear()
            return
        self.seen.take(method, path)
        said = answer(self.seen, line, body=rest[:wanted])
        found = said is not None
        whole = {"success": found, "message": "", "response_object": said}
        status = b"200 OK" if found else b"404 Not Found"
        loop = asyncio.get_running_loop()
        loop.call_later(self.latency_seconds, self._reply, whole, status)

    def _reply(self, said: object, status: bytes = b"200 OK") -> None:
        body = json.dumps(said).encode()
        self.transport.write(
            b"HTTP/1.1 %b\r\nContent-Type: application/json\r\n"
            b"Content-Length: %d\r\n\r\n%b" % (status, len(body), body)
        )


class Responder:
    """The service from outside."""

    def __init__(self, process: subprocess.Popen[str], url: str) -> None:
        self.process = process
        self.url = url

    def state(self) -> dict[str, Any]:
        with urllib.request.urlopen(f"{self.url}/_bench") as told:
            return json.load(told)

    def count_anew(self) -> None:
        self._tell("POST")

    def forget(self) -> None:
        self._tell("DELETE")

    def _tell(self, method: str) -> None:
        request = urllib.request.Request(f"{self.url}/_bench", method=method)
        urllib.request.urlopen(request).close()

    def cpu_seconds(self) -> float:
        stat = Path(f"/proc/{self.process.pid}/stat").read_text("utf-8")
        fields = stat.rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / 100


@contextmanager
def responder(latency_ms: float) -> Iterator[Responder]:
    """Serve in a process of its own."""
    command = [sys.executable, __file__, str(latency_ms)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield Responder(process, process.stdout.readline().strip())
        finally:
            process.kill()


async def _serve(latency_ms: float) -> None:
    seen = Seen()
    loop = asyncio.get_running_loop()
    server = await loop.create_server(
        lambda: Line(seen, latency_seconds=latency_ms / 1000), "127.0.0.1", 0
    )
    port = server.sockets[0].getsockname()[1]
    print(f"http://127.0.0.1:{port}", flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(_serve(float(sys.argv[1])))
