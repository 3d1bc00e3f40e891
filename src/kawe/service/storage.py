"""Speaking to the storage behind grants and links.

It is another origin: this client carries no key, no cookies and no netrc, and
a grant or a signed address never reaches a log, a message or the journal. Who
names it may be in strange hands: it leads no nearer to this machine than the
service itself is, and every transfer has an end.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from dataclasses import dataclass, field
from http.cookiejar import CookieJar, DefaultCookiePolicy
from types import TracebackType
from typing import IO, Final, Self

import httpx

from kawe.domain.sheet.content import Attachment
from kawe.domain.text.hosts import is_loopback
from kawe.errors import ContractBroken
from kawe.service.transport.answers import Answer, Exchange, Lost
from kawe.service.transport.nearness import NearnessGuard, nearness_of, too_near
from kawe.service.transport.unpacking import Packed, Unpacker
from kawe.service.transport.wire import (
    BROKEN,
    IDLE_SECONDS,
    SHARD_CONNECTIONS,
    TIMEOUTS,
    quiet_libraries,
    tls,
)

# A transfer may take this long and then a second for every 100 kB.
_BASE_SECONDS: Final = 60.0
_SLOWEST_BYTES_PER_SECOND: Final = 100_000
_ANSWER_MAX_BYTES: Final = 64 * 1024
# No document of the service is near this; a stream without end must not fill
# the disk. It bounds what comes and what that stands for, and so the time.
_DOCUMENT_MAX_BYTES: Final = 256 * 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Grant:
    """A presigned POST: where a file may go, for a short while."""

    document_id: str
    url: str = field(repr=False)
    fields: Mapping[str, str] = field(repr=False)


class FileChanged(OSError):
    """A file is not as long any more as it was when it was checked."""


class HashedFile:
    """A file that hashes what is read from it, from the start to the end.

    It gives exactly as many bytes as were checked, or none further: a file
    that grows must not show what was never looked at.
    """

    def __init__(self, file: IO[bytes], *, expected_bytes: int) -> None:
        self._file = file
        self._expected_bytes = expected_bytes
        self._digest = hashlib.sha256()
        self.size_bytes = 0
        self.trouble: OSError | None = None
        """Why reading failed, when it did."""

    def read(self, size: int = -1) -> bytes:
        """Read on, and hash what was read.

        Raises:
            OSError: It cannot be read; FileChanged: it has another length.
        """
        try:
            data = self._file.read(size)
            self._digest.update(data)
            self.size_bytes += len(data)
            has_shrunk = not data and self.size_bytes < self._expected_bytes
            if has_shrunk or self.size_bytes > self._expected_bytes:
                raise FileChanged
        except OSError as trouble:
            self.trouble = trouble
            raise
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

    def has_its_length(self) -> bool:
        """Say whether the file is as long now as it was."""
        return os.fstat(self._file.fileno()).st_size == self._expected_bytes

    def is_what_was_checked(self, attachment: Attachment) -> bool:
        """Say whether the bytes that went out are those that were checked."""
        return (
            self.size_bytes == attachment.size_bytes
            and self._digest.hexdigest() == attachment.sha256
        )


class Storage:
    """A client for grants and links alone."""

    def __init__(
        self,
        *,
        api_url: str,
        workers: int,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        quiet_libraries()
        self._api_url = api_url
        self._client = httpx.AsyncClient(
            verify=tls(),
            transport=transport,
            timeout=TIMEOUTS,
            follow_redirects=False,
            trust_env=not is_loopback(api_url),
            limits=httpx.Limits(
                max_connections=max(workers, 1),
                max_keepalive_connections=min(workers, SHARD_CONNECTIONS),
                keepalive_expiry=IDLE_SECONDS,
            ),
            headers={"Accept-Encoding": "identity"},
            cookies=CookieJar(DefaultCookiePolicy(allowed_domains=())),
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
        """Post one file to its grant, fields before the file.

        Raises:
            OSError: The file cannot be read any more.
            ContractBroken: The grant leads inwards.
        """
        try:
            async with (
                asyncio.timeout(transfer_seconds(attachment.size_bytes)),
                self._client.stream(
                    "POST",
                    grant.url,
                    data=dict(grant.fields),
                    files={"file": (attachment.name, file, attachment.mime_type)},  # type: ignore[dict-item]
                    extensions=self._guarding(grant.url),
                ) as response,
            ):
                # Read to its end, the connection serves the next file too.
                async for _ in response.aiter_raw():
                    if response.num_bytes_downloaded > _ANSWER_MAX_BYTES:
                        break
                return Answer(http_status=response.status_code)
        except TimeoutError:
            return Lost(sent=True, detail="the upload took too long")
        except BROKEN:
            if file.trouble is not None:
                raise file.trouble from None
            return Lost(sent=True, detail="the connection to the storage broke")

    async def get(self, url: str) -> AsyncGenerator[bytes]:
        """Stream what a link leads to; ends normally only when it is whole.

        Raises:
            CutShort: The storage refused, the bytes ended too early, or they
                came too slowly.
            ContractBroken: The link leads inwards.
        """
        try:
            request = self._client.build_request(
                "GET", url, extensions=self._guarding(url)
            )
            async with asyncio.timeout(_BASE_SECONDS):
                response = await self._client.send(request, stream=True)
            async with aclosing(response):
                if response.status_code != 200:
                    raise CutShort(f"the storage answered {response.status_code}")
                async with aclosing(_unpacked(response)) as pieces:
                    async for piece in pieces:
                        yield piece
        except TimeoutError as trouble:
            raise CutShort("the storage was too slow") from trouble
        except Packed as trouble:
            raise CutShort(str(trouble)) from trouble
        except BROKEN as trouble:
            raise CutShort("the connection to the storage broke") from trouble

    def _guarding(self, url: str) -> dict[str, object]:
        hosts = (_host(httpx.URL(each)) for each in (url, self._api_url))
        return {"trace": NearnessGuard(*hosts)}


async def _unpacked(response: httpx.Response) -> AsyncGenerator[bytes]:
    begun_at = asyncio.get_running_loop().time()
    unpacker = Unpacker(response.headers.get("Content-Encoding", ""))
    chunks = response.aiter_raw()
    given_bytes = 0
    while True:
        # The whole may take as long as what was given so far; a trickle may not,
        # nor packed bytes that stand for nothing.
        async with asyncio.timeout_at(begun_at + transfer_seconds(given_bytes)):
            chunk = await anext(chunks, None)
        if chunk is None:
            break
        for piece in unpacker.feed(chunk):
            given_bytes += len(piece)
            if max(given_bytes, response.num_bytes_downloaded) > _DOCUMENT_MAX_BYTES:
                raise CutShort("the document is larger than any can be")
            if piece:
                yield piece
    if not unpacker.is_whole:
        raise CutShort("the document ended too early")


class CutShort(Exception):
    """A download did not come whole."""


def checked_address(url: str, *, api_url: str) -> str:
    """Give the address of a grant or a link, where it is one that may be used.

    Raises:
        ContractBroken: It is no address, hides a password, would carry a
            document in the open, or leads inwards further than the API.
    """
    try:
        # Read by who will use it: two readers could disagree about the host.
        read = httpx.URL(url)
    except (httpx.InvalidURL, UnicodeError) as trouble:
        raise ContractBroken(
            message="The service named a place for documents that is no address."
        ) from trouble
    is_twins = is_loopback(str(read)) and is_loopback(api_url)
    is_open = read.scheme != "https" and not (read.scheme == "http" and is_twins)
    is_odd = not url.isprintable() or " " in url or not read.host
    if is_open or is_odd or read.userinfo:
        raise ContractBroken(
            message="The service named a place for documents that is not safe to use.",
            hint="kawe uses https:// alone. Ask the service's support.",
        )
    if nearness_of(_host(read)) > nearness_of(_host(httpx.URL(api_url))):
        raise too_near()
    return url


def _host(url: httpx.URL) -> str:
    """Give the host as it is resolved."""
    return url.raw_host.decode("ascii")


def transfer_seconds(size_bytes: int) -> float:
    """Say how long a transfer may take in all."""
    return _BASE_SECONDS + size_bytes / _SLOWEST_BYTES_PER_SECOND
