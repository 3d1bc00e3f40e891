"""A service that says the same to everybody, and keeps what it was asked."""

from __future__ import annotations

import json
import ssl
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(slots=True, kw_only=True)
class Answering:
    """What is answered, and what was asked."""

    http_status: int = 200
    body: object = None
    headers: Mapping[str, str] = field(default_factory=dict)
    asked: list[tuple[str, str, str]] = field(default_factory=list)
    """Method, path and the key that came with it, for each question."""
    base_url: str = ""

    def raw(self) -> bytes:
        """Give the body as it is sent."""
        if isinstance(self.body, str):
            return self.body.encode()
        return json.dumps(
            {
                "success": self.http_status < 400,
                "message": "",
                "status_code": self.http_status,
                "response_object": self.body,
            }
        ).encode()


def user_in(*teams: str, sandbox: bool = False) -> dict[str, Any]:
    """Make the answer to who the key is, for a person in these teams."""
    return {
        "id": "11111111-1111-4111-8111-111111111111",
        "teams": [
            {
                "id": f"2222222{number}-2222-4222-8222-222222222222",
                "name": name,
                "current_credit_balance": 5,
                "role": "OWNER",
                "account": {"sandbox": sandbox},
            }
            for number, name in enumerate(teams)
        ],
        "iwi": [],
    }


@contextmanager
def answering(
    said: Answering, *, context: ssl.SSLContext | None = None
) -> Iterator[Answering]:
    """Answer on this machine until the end."""

    class Handler(BaseHTTPRequestHandler):
        def _answer(self) -> None:
            length = int(self.headers.get("Content-Length") or 0)
            self.rfile.read(length)
            key = self.headers.get("Authorization", "")
            said.asked.append((self.command, self.path, key))
            body = said.raw()
            self.send_response_only(said.http_status)
            for name, value in said.headers.items():
                self.send_header(name, value)
            if "Date" not in said.headers:
                self.send_header("Date", self.date_time_string())
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        do_CONNECT = do_GET = do_POST = do_PUT = _answer  # noqa: N815 - the library's names

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - same
            """Keep quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    if context is not None:
        server.socket = context.wrap_socket(server.socket, server_side=True)
    scheme = "http" if context is None else "https"
    said.base_url = f"{scheme}://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield said
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
