"""What hears notices over a real socket: a web page, a mail server, a program."""

from __future__ import annotations

import email
import email.policy
import json
import socketserver
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

PASSWORD = "gl0wworm-c4ve"


@dataclass(slots=True, kw_only=True)
class Heard:
    """Titles and texts, in the order in which they came."""

    messages: list[tuple[str, str]] = field(default_factory=list)

    @property
    def titles(self) -> list[str]:
        return [title for title, _ in self.messages]


@contextmanager
def webhook(*, status: int = 200) -> Iterator[tuple[str, Heard]]:
    """Listen for apprise's JSON; give the address, with a password, and the heard."""
    heard = Heard()

    class Page(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            said: dict[str, Any] = json.loads(body)
            heard.messages.append((said["title"], said["message"]))
            self.send_response(status)
            self.end_headers()

        def log_message(self, *_args: object) -> None:
            """Say nothing."""

    with _serving(ThreadingHTTPServer(("127.0.0.1", 0), Page)) as port:
        yield f"json://kawe:{PASSWORD}@127.0.0.1:{port}", heard


@contextmanager
def mail_server() -> Iterator[tuple[str, Heard]]:
    """Listen for mail; give the address for apprise, and the heard."""
    heard = Heard()

    class Postbox(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            self._say("220 ready")
            for line in self.rfile:
                word = line[:4].upper()
                if word == b"DATA":
                    self._say("354 go on")
                    self._take()
                self._say(_ANSWERS.get(word, "250 well"))

        def _take(self) -> None:
            lines: list[bytes] = []
            for line in self.rfile:
                if line == b".\r\n":
                    break
                lines.append(line)
            mail = email.message_from_bytes(
                b"".join(lines), policy=email.policy.default
            )
            body = mail.get_body(("plain",))
            assert body is not None
            heard.messages.append((str(mail["Subject"]), body.get_content()))

        def _say(self, words: str) -> None:
            self.wfile.write(f"{words}\r\n".encode())

    server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Postbox)
    server.daemon_threads = True
    with _serving(server) as port:
        people = "from=kawe@example.nz&to=planning@example.nz"
        how = "mode=insecure&format=text"
        yield f"mailto://kawe:{PASSWORD}@127.0.0.1:{port}?{people}&{how}", heard


_ANSWERS = {
    b"EHLO": "250-here\r\n250 AUTH PLAIN",
    b"AUTH": "235 well",
    b"QUIT": "221 bye",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """A program that keeps what it was given."""

    folder: Path

    @property
    def command(self) -> str:
        """Give its command line."""
        path = self.folder / "keep notices.py"
        path.write_text(
            "import json, os, sys\n"
            "seen = {n: v for n, v in os.environ.items() if n.startswith('KAWE')}\n"
            "line = json.dumps([json.load(sys.stdin), seen])\n"
            f"open({str(self._kept)!r}, 'a').write(line + '\\n')\n"
        )
        return f"{sys.executable} '{path}'"

    @property
    def documents(self) -> list[dict[str, Any]]:
        """Give the notices that it was given."""
        return [notice for notice, _ in self._lines()]

    @property
    def environments(self) -> list[dict[str, str]]:
        """Give the variables of kawe's that it saw."""
        return [seen for _, seen in self._lines()]

    def heard(self) -> Heard:
        """Give titles and texts."""
        return Heard(messages=[(d["title"], d["text"]) for d in self.documents])

    @property
    def _kept(self) -> Path:
        return self.folder / "notices.jsonl"

    def _lines(self) -> list[Any]:
        if not self._kept.exists():
            return []
        return [json.loads(line) for line in self._kept.read_text().splitlines()]


@contextmanager
def _serving(server: socketserver.TCPServer) -> Iterator[int]:
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield server.server_address[1]
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
