"""Speaking to the storage behind grants and links.

It is another origin: this client carries no key, no cookies and no netrc, and
a grant or a signed address never reaches a log, a message or the journal.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from types import TracebackType
from typing import IO, Final, Self

import httpx

from kawe.domain.content import Attachment
from kawe.service.answers import Answer, Exchange, Lost
from kawe.service.wire import (
    IDLE_SECONDS,
    SHARD_CONNECTIONS,
    TIMEOUTS,
    is_loopback,
    quiet_libraries,
    tls,
)

# A transfer may take this long and then a second for every 100 kB.
_BASE_SECONDS: Final = 60.0
_SLOWEST_BYTES_PER_SECOND: Final = 100_000
_ANSWER_MAX_BYTES: Final = 64 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Grant:
    """A presigned POST: where a file may go, for a short while."""

    document_id: str
    url: str = field(repr=False)
    fields: Mapping[str, str] = field(repr=False)


class HashedFile:
    """A file that hashes what is read from it, from the start to the end."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._digest = hashlib.sha256()
        self.size_bytes = 0

    def read(self, size: int = -1) -> bytes:
        """Read on, and hash what was read."""
        data = self._file.read(size)
        self._digest.update(data)
        self.size_bytes += len(data)
        return data

    def seek(self, offset: int, whence: int = 0) -> int:
        """Go back to the start and forget; the transport does so once."""
        self._digest = hashlib.sha256()
        self.size_bytes = 0
        return self._file.seek(offset, whence)

    def tell(self) -> int:
        """Say where reading stands."""
        return self._file.tell()

    def fileno(self) -> int:
        """Let the transport ask the system for the length."""
        return self._file.fileno()

    def is_what_was_checked(self, attachment: Attachment) -> bool:
        """Say whether the bytes that went out are those that were checked."""
        return (
            self.size_bytes == attachment.size_bytes
            and self._digest.hexdigest() == attachment.sha256
        )


class Storage:
    """A client for grants and links alone."""

    def __init__(self, *, api_url: str, workers: int) -> None:
        quiet_libraries()
        self._client = httpx.AsyncClient(
            verify=tls(),
            timeout=TIMEOUTS,
            follow_redirects=False,
            trust_env=not is_loopback(api_url),
            limits=httpx.Limits(
                max_connections=max(workers, 1),
                max_keepalive_connections=min(workers, SHARD_CONNECTIONS),
                keepalive_expiry=IDLE_SECONDS,
            ),
            headers={"Accept-Encoding": "identity"},
        )

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        trouble: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self._client.aclose()

    async def post(
        self, grant: Grant, *, attachment: Attachment, file: HashedFile
    ) -> Exchange:
        """Post one file to its grant, fields before the file."""
        try:
            async with asyncio.timeout(transfer_seconds(attachment.size_bytes)):
                response = await self._client.post(
                    grant.url,
                    data=dict(grant.fields),
                    files={"file": (attachment.name, file, attachment.mime_type)},  # type: ignore[dict-item]
                )
        except TimeoutError:
            return Lost(sent=True, detail="the upload took too long")
        except (httpx.HTTPError, httpx.InvalidURL):
            return Lost(sent=True, detail="the connection to the storage broke")
        return Answer(
            http_status=response.status_code, body=response.content[:_ANSWER_MAX_BYTES]
        )

    async def get(self, url: str) -> AsyncIterator[bytes]:
        """Stream what a link leads to; ends normally only when it is whole.

        Raises:
            CutShort: The storage refused, or the bytes ended too early.
        """
        received = 0
        try:
            async with self._client.stream("GET", url) as response:
                if response.status_code != 200:
                    raise CutShort(f"the storage answered {response.status_code}")
                expected = response.headers.get("Content-Length")
                async for chunk in response.aiter_bytes():
                    received += len(chunk)
                    yield chunk
        except (httpx.HTTPError, httpx.InvalidURL) as trouble:
            raise CutShort("the connection to the storage broke") from trouble
        if expected is not None and received != int(expected):
            raise CutShort("the document ended too early")


class CutShort(Exception):
    """A download did not come whole."""


def transfer_seconds(size_bytes: int) -> float:
    """Say how long a transfer may take in all."""
    return _BASE_SECONDS + size_bytes / _SLOWEST_BYTES_PER_SECOND
