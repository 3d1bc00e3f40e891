"""A service that puts payloads into what it says, before a twin that does the work."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import cycle
from typing import Any, Final

import httpx

from doubles.payloads import PAYLOADS, replaced

# Without these no answer could be read, or no row found again.
NEEDED: Final = frozenset(
    {"id", "reference", "status", "slug", "url", "fields", "email", "type", "phase"}
    | {"created_on", "updated_on", "start_date", "end_date", "respond_by_date"}
    | {"project_id", "document_id", "documentId", "organisation_id", "team_id"}
    | {"receipt_number", "submission_number"}
)
_HOP: Final = frozenset(
    {"content-length", "content-encoding", "transfer-encoding", "connection", "host"}
)


class PoisonedService:
    """What is said, by field; a name that begins with `refused` gets a 422."""

    def __init__(self, twin_url: str) -> None:
        self.keeping = NEEDED | {"name", "description"}
        self.refused = "\0"
        self._twin = httpx.Client(base_url=twin_url, timeout=30, verify=False)
        self._texts = cycle(PAYLOADS)
        self._lock = threading.Lock()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def close(self) -> None:
        """End it."""
        self._server.shutdown()
        self._server.server_close()
        self._twin.close()

    def answer(self, handler: BaseHTTPRequestHandler) -> None:
        """Do what was asked, and say payloads about it."""
        size = int(handler.headers.get("Content-Length", 0))
        body = handler.rfile.read(size)
        headers = {k: v for k, v in handler.headers.items() if k.lower() not in _HOP}
        if self.refused.encode() in body:
            status, said = 422, self._poisoned({"success": False, "message": ""})
            kept: dict[str, str] = {"Content-Type": "application/json"}
        else:
            answered = self._twin.request(
                handler.command, handler.path, content=body, headers=headers
            )
            status = answered.status_code
            kept = {k: v for k, v in answered.headers.items() if k.lower() not in _HOP}
            said = self._said(answered)
        handler.send_response(status, "Words")
        for name, value in kept.items():
            handler.send_header(name, value)
        handler.send_header("Content-Length", str(len(said)))
        handler.end_headers()
        handler.wfile.write(said)

    def _said(self, answered: httpx.Response) -> bytes:
        try:
            return self._poisoned(answered.json())
        except ValueError:
            return answered.content

    def _poisoned(self, value: Any) -> bytes:
        with self._lock:
            changed = replaced(value, by=self._texts, keeping=self.keeping)
        return json.dumps(changed).encode()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        service = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name that the library gives it
                """Print nothing."""

            def handle_one(self) -> None:
                service.answer(self)

        for method in ("GET", "POST", "PUT", "DELETE", "PATCH"):
            setattr(Handler, f"do_{method}", Handler.handle_one)
        return Handler


@contextmanager
def poisoned_service(twin_url: str) -> Iterator[PoisonedService]:
    """Put payloads into the answers of a twin for as long as the block runs."""
    with closing(PoisonedService(twin_url)) as service:
        yield service
