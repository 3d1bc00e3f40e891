"""Uploads to the storage and downloads from it, by grants and links.

An upload is: presign, storage, complete. All three may be repeated: a document without
a project is invisible and free. The bytes are hashed while they leave, since they must
be those of the check.

The client of the storage sends no key, cookies or netrc, and no grant or signed address
reaches a log, message or journal. A compromised service could name any address: private
ones are refused unless the API is as near, and every transfer has a time limit.
"""

import asyncio
import hashlib
import os
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass, field
from typing import IO, Final, Self, assert_never

import httpx

from kawe.domain.service.states import NotUploaded, Uploaded, UploadVerdict
from kawe.domain.service.windows import TRAFFIC
from kawe.domain.sheet.content import Attachment
from kawe.domain.text.hosts import is_loopback
from kawe.domain.text.next_steps import Next
from kawe.errors import ContractBroken
from kawe.service.lookups import envelope_of
from kawe.service.parsing import Unreadable, text_of
from kawe.service.retrying import Retries, Transient
from kawe.service.transport.addresses import (
    ByProxy,
    NearnessGuard,
    nearness_of,
    too_near,
)
from kawe.service.transport.answers import Answer, Exchange, Lost, Packed, Unpacker
from kawe.service.transport.wire import (
    BROKEN,
    TIMEOUTS,
    Wire,
    parsed,
    quiet_libraries,
    tls,
)
from kawe_contract.enums import UploadCategory

_HEADERS: Final = {"Accept": "*/*", "Accept-Encoding": "identity"}
_WAITS: Final = TIMEOUTS.as_dict()
# A transfer may take this long, plus a second for every 100 kB.
_BASE_SECONDS: Final = 60.0
_SLOWEST_BYTES_PER_SECOND: Final = 100_000
_ANSWER_MAX_BYTES: Final = 64 * 1024
# Far above any document. It bounds packed and unpacked bytes, and so the time.
_DOCUMENT_MAX_BYTES: Final = 256 * 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Grant:
    """A presigned POST: address and fields for one upload."""

    document_id: str
    url: str = field(repr=False)
    fields: Mapping[str, str] = field(repr=False)


class FileChanged(OSError):
    """A file has another length than at the check."""


class HashedFile:
    """Hashes a file while it is read; never gives more bytes than were checked."""

    def __init__(self, file: IO[bytes], *, expected_bytes: int) -> None:
        self._file = file
        self._expected_bytes = expected_bytes
        self._digest = hashlib.sha256()
        self.size_bytes = 0
        self.trouble: OSError | None = None
        """The error of a failed read."""

    def read(self, size: int = -1) -> bytes:
        """Read and hash.

        Raises:
            OSError: It cannot be read; FileChanged: it has another length.
        """
        try:
            data = self._file.read(size)
            TRAFFIC.sent_bytes += len(data)
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
        """Go back to the start, as the transport does once."""
        self._digest = hashlib.sha256()
        self.size_bytes = 0
        return self._file.seek(offset, whence)

    def tell(self) -> int:
        return self._file.tell()

    def fileno(self) -> int:
        """Give the handle, so that the transport finds the length."""
        return self._file.fileno()

    def has_its_length(self) -> bool:
        return os.fstat(self._file.fileno()).st_size == self._expected_bytes

    def is_what_was_checked(self, attachment: Attachment) -> bool:
        return (
            self.size_bytes == attachment.size_bytes
            and self._digest.hexdigest() == attachment.sha256
        )


class Storage:
    """The client for grants and links."""

    def __init__(
        self,
        *,
        api_url: str,
        workers: int,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        quiet_libraries()
        self._api_host = _host(parsed(api_url))
        # A pool of one looks at no other connection; the last used comes first.
        self._free = asyncio.LifoQueue[httpx.AsyncBaseTransport]()
        context, number = tls(), max(workers, 1)
        self._ways = [transport or ByProxy(verify=context) for _ in range(number)]
        for way in self._ways:
            self._free.put_nowait(way)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        for way in self._ways:
            await way.aclose()

    @asynccontextmanager
    async def _asking(
        self,
        method: str,
        url: str,
        *,
        seconds: float,
        fields: dict[str, str] | None = None,
        file: tuple[str, HashedFile, str] | None = None,
    ) -> AsyncIterator[httpx.Response]:
        """Make one request over a connection of its own, within some seconds.

        Of a `file` that goes with the `fields`, name, bytes and media type are given.
        Nothing is added to it: no cookie, no password of netrc, no redirect followed.
        """
        way = await self._free.get()
        try:
            place = parsed(url)
            request = httpx.Request(
                method,
                place,
                data=fields,
                files=None if file is None else {"file": file},  # type: ignore[dict-item]
                headers=_HEADERS,
                extensions={
                    "trace": NearnessGuard(_host(place), self._api_host),
                    "timeout": _WAITS,
                },
            )
            async with asyncio.timeout(seconds):
                response = await way.handle_async_request(request)
            async with aclosing(response):
                yield response
        finally:
            self._free.put_nowait(way)

    async def post(
        self, grant: Grant, *, attachment: Attachment, file: HashedFile
    ) -> Exchange:
        """Post one file to its grant, fields before the file.

        Raises:
            OSError: The file cannot be read any more.
            ContractBroken: The grant leads inwards.
        """
        TRAFFIC.requests += 1
        try:
            limit_seconds = transfer_seconds(attachment.size_bytes)
            async with (
                asyncio.timeout(limit_seconds),
                self._asking(
                    "POST",
                    grant.url,
                    seconds=limit_seconds,
                    fields=dict(grant.fields),
                    file=(attachment.name, file, attachment.mime_type),
                ) as response,
            ):
                # A response read to its end frees the connection.
                async for _ in response.aiter_raw():
                    if response.num_bytes_downloaded > _ANSWER_MAX_BYTES:
                        break
                return Answer(http_status=response.status_code)
        except TimeoutError:
            TRAFFIC.lost += 1
            return Lost(sent=True, detail="the upload took too long")
        except BROKEN:
            if file.trouble is not None:
                raise file.trouble from None
            TRAFFIC.lost += 1
            return Lost(sent=True, detail="the connection to the storage broke")

    async def get(self, url: str) -> AsyncGenerator[bytes]:
        """Stream a document; end normally only when it is complete.

        Raises:
            CutShort: The storage refused, the bytes ended too early, or they
                came too slowly.
            ContractBroken: The link leads inwards.
        """
        TRAFFIC.requests += 1
        try:
            async with self._asking("GET", url, seconds=_BASE_SECONDS) as response:
                if response.status_code != 200:
                    raise CutShort(_refusal(response.status_code))
                async with aclosing(_unpacked(response)) as pieces:
                    async for piece in pieces:
                        yield piece
        except TimeoutError as trouble:
            raise CutShort("the storage was too slow") from trouble
        except Packed as trouble:
            raise CutShort(str(trouble)) from trouble
        except BROKEN as trouble:
            raise CutShort("the connection to the storage broke") from trouble


async def _unpacked(response: httpx.Response) -> AsyncGenerator[bytes]:
    begun_at = asyncio.get_running_loop().time()
    unpacker = Unpacker(response.headers.get("Content-Encoding", ""))
    chunks = response.aiter_raw()
    given_bytes = 0
    while True:
        # Slow bytes, or packed bytes without content, end the transfer.
        async with asyncio.timeout_at(begun_at + transfer_seconds(given_bytes)):
            chunk = await anext(chunks, None)
        if chunk is None:
            break
        TRAFFIC.received_bytes += len(chunk)
        for piece in unpacker.feed(chunk):
            given_bytes += len(piece)
            if max(given_bytes, response.num_bytes_downloaded) > _DOCUMENT_MAX_BYTES:
                raise CutShort("the document is larger than any can be")
            if piece:
                yield piece
    if not unpacker.is_whole:
        raise CutShort("the document ended too early")


def _refusal(http_status: int) -> str:
    match http_status:
        case 403:
            return "the link is over, or the storage refused it (403)"
        case 404:
            return "the storage has no such document (404)"
        case _ if 300 <= http_status < 400:
            return f"the storage sends kawe to another address ({http_status})"
        case _:
            return f"the storage answered {http_status}"


class CutShort(Exception):
    """A download is incomplete."""


def checked_address(url: str, *, api_url: str) -> str:
    """Check the address of a grant or link.

    Raises:
        ContractBroken: It is no address, hides a password, would carry a
            document over plain HTTP, or is nearer to this machine than the API.
    """
    try:
        # httpx parses it, since httpx uses it: parsers may disagree on the host.
        read = parsed(url)
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
    if nearness_of(_host(read)) > nearness_of(_host(parsed(api_url))):
        raise too_near()
    return url


def origin_of(url: str) -> str:
    """Give an address without path, query and all that is signed."""
    return str(parsed(url).copy_with(raw_path=b"/", fragment=None)).rstrip("/")


def _host(url: httpx.URL) -> str:
    return url.raw_host.decode("ascii")


def transfer_seconds(size_bytes: int) -> float:
    return _BASE_SECONDS + size_bytes / _SLOWEST_BYTES_PER_SECOND


_GIS: Final = ("application/geo+json", "application/vnd.google-earth")


class PresignedUploads:
    """Implements the port `Uploads`."""

    def __init__(self, *, wire: Wire, storage: Storage, retries: Retries) -> None:
        self._wire = wire
        self._storage = storage
        self._retries = retries

    async def upload(self, attachment: Attachment) -> UploadVerdict:
        # A refused or expired grant needs a new one.
        return await self._retries.call(lambda: self._once(attachment))

    async def _once(self, attachment: Attachment) -> UploadVerdict:
        presigned = await self._wire.ask("upload_presign", body=_presign(attachment))
        if (refused := _rejection(presigned)) is not None:
            return refused
        grant = self._grant(presigned)
        refused = await self._bring(attachment, grant=grant)
        if refused is not None:
            return refused
        # A rate limit here does not repeat the upload.
        refused = await self._retries.through_limits(
            lambda: self._complete(grant, attachment)
        )
        return refused or Uploaded(document_id=grant.document_id)

    async def _bring(
        self, attachment: Attachment, *, grant: Grant
    ) -> NotUploaded | None:
        try:
            with attachment.path.open("rb") as file:
                hashed = HashedFile(file, expected_bytes=attachment.size_bytes)
                if not hashed.has_its_length():
                    return _changed(attachment)
                posted = await self._storage.post(
                    grant, attachment=attachment, file=hashed
                )
        except OSError:
            return _changed(attachment)
        # After an early refusal the rest of the file is unread.
        was_read = hashed.size_bytes >= attachment.size_bytes
        if was_read and not hashed.is_what_was_checked(attachment):
            return _changed(attachment)
        return _storage_refusal(posted)

    def _grant(self, exchange: Exchange) -> Grant:
        value = envelope_of(self._wire, "upload_presign", exchange)["response_object"]
        try:
            fields = value["fields"]  # type: ignore[index]
            return Grant(
                document_id=text_of(value, "documentId"),
                url=checked_address(
                    text_of(value, "url"), api_url=self._wire.addresses.base_url
                ),
                fields={name: text_of(fields, name) for name in fields},
            )
        except (Unreadable, KeyError, TypeError) as trouble:
            raise ContractBroken(
                message="The service's answer to an upload request is unreadable."
            ) from trouble

    async def _complete(
        self, grant: Grant, attachment: Attachment
    ) -> NotUploaded | None:
        exchange = await self._wire.ask(
            "upload_complete", body={"documentId": grant.document_id}
        )
        if (refused := _rejection(exchange)) is not None:
            return refused
        value = envelope_of(self._wire, "upload_complete", exchange)["response_object"]
        size = value.get("size") if isinstance(value, dict) else None
        if size == attachment.size_bytes:
            return None
        raise Transient(
            message=f"The storage does not hold {attachment.name} whole.",
            hint=f"{Next.AGAIN}.",
        )


def _presign(attachment: Attachment) -> dict[str, object]:
    mime = attachment.mime_type
    category = UploadCategory.DOCUMENT
    if mime.startswith("image/"):
        category = UploadCategory.IMAGE
    elif mime.startswith(_GIS):
        category = UploadCategory.GIS_LAYER
    return {
        "fileName": attachment.name,
        "mimeType": mime,
        "size": attachment.size_bytes,
        "category": category.value,
    }


def _rejection(exchange: Exchange) -> NotUploaded | None:
    if isinstance(exchange, Answer) and exchange.http_status in {400, 413, 422}:
        return NotUploaded(detail=exchange.message())
    return None


def _storage_refusal(exchange: Exchange) -> NotUploaded | None:
    """Give the final refusal of the storage; Transient: a new grant may work."""
    match exchange:
        case Answer(is_success=True):
            return None
        case Answer(http_status=status) if status in {400, 411, 413, 415}:
            return NotUploaded(detail=f"the storage refused it ({status})")
        case Answer(http_status=status):
            message = f"The storage answered {status}."
        case Lost(detail=detail):
            message = f"A file did not arrive: {detail}."
        case _:
            assert_never(exchange)
    raise Transient(message=message, hint=f"{Next.AGAIN}.")


def _changed(attachment: Attachment) -> NotUploaded:
    return NotUploaded(
        detail=f"{attachment.name} was changed or removed while kawe was working",
        changed=True,
    )
