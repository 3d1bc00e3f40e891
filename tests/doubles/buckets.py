"""A bucket at an S3 of the tests' own: moto's server, in a process of its own."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from urllib.parse import quote
from urllib.request import Request, urlopen

_SERVE = "import sys; from moto.server import main; main(sys.argv[1:])"


@dataclass(frozen=True, slots=True, kw_only=True)
class Bucket:
    """A bucket, and how it is reached."""

    endpoint: str
    name: str

    @property
    def address(self) -> str:
        """Give its address as settings name it."""
        return f"s3://{self.name}/files?endpoint={self.endpoint}&region=us-east-1"

    @property
    def variables(self) -> dict[str, str]:
        """Give the variables by which it is opened."""
        return {"AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "not-so-secret"}

    def put(self, key: str, content: bytes) -> None:
        """Put an object where kawe looks."""
        self._ask("PUT", f"{self.name}/files/{quote(key)}", content)

    def fresh(self, name: str) -> Bucket:
        """Make another bucket on the same server."""
        made = replace(self, name=name)
        made._ask("PUT", name)
        return made

    def _ask(self, method: str, path: str, content: bytes = b"") -> None:
        # moto looks who asks, and at no signature.
        by = "AWS4-HMAC-SHA256 Credential=key/20300101/us-east-1/s3/aws4_request, "
        request = Request(
            f"{self.endpoint}/{path}",
            data=content,
            method=method,
            headers={
                "Authorization": f"{by}SignedHeaders=host, Signature=0",
                "Content-Type": "application/pdf",
            },
        )
        with urlopen(request, timeout=10) as answer:
            answer.read()


@contextmanager
def running_bucket() -> Iterator[Bucket]:
    """Start a server, and end it."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-c", _SERVE, "-H", "127.0.0.1", "-p", str(port)]
    server = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        _wait_for(port)
        yield Bucket(endpoint=f"http://127.0.0.1:{port}", name="")
    finally:
        server.kill()
        server.wait()


def _wait_for(port: int) -> None:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        try:
            socket.create_connection(("127.0.0.1", port)).close()
        except OSError:
            time.sleep(0.05)
        else:
            return
    raise TimeoutError("moto's server did not start")
