"""Fetching a document: a fresh link, then the bytes."""

from __future__ import annotations

import hashlib
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing

from kawe.domain.service.service_words import DocumentId, Link
from kawe.domain.text.next_steps import Next
from kawe.errors import ContractBroken
from kawe.service.lookups import envelope_of
from kawe.service.parsing import Unreadable, text_of
from kawe.service.retrying import Retries, Transient
from kawe.service.storage import CutShort, Storage, checked_address
from kawe.service.transport.wire import Wire


class LinkedDownloads:
    """Implements the port `Downloads`."""

    def __init__(self, *, wire: Wire, storage: Storage, retries: Retries) -> None:
        self._wire = wire
        self._storage = storage
        self._retries = retries

    async def chunks(self, document: DocumentId) -> AsyncIterator[bytes]:
        """Stream one document; go on under a new link where a connection was cut."""
        given, cuts = _Given(), 0
        while True:
            first, rest = await self._retries.call(
                lambda: self._begun(document, given=given)
            )
            try:
                async with aclosing(rest):
                    yield given.with_more(first)
                    async for chunk in rest:
                        yield given.with_more(chunk)
            except CutShort as trouble:
                cuts += 1
                most = self._retries.policy.attempts
                if cuts >= most or not self._retries.budget.take():
                    raise _not_whole(trouble) from trouble
            else:
                return

    async def _begun(
        self, document: DocumentId, *, given: _Given
    ) -> tuple[bytes, AsyncGenerator[bytes]]:
        """Give the first bytes that were not given yet, and the rest."""
        stream = self._storage.get((await link_of(document, wire=self._wire)).url)
        again = _Given()
        try:
            while True:
                chunk = await anext(stream, b"")
                new = given.size_bytes - again.size_bytes
                again.with_more(chunk[:new])
                if len(chunk) >= new or not chunk:
                    break
        except CutShort as trouble:
            raise _not_whole(trouble) from trouble
        if not again.is_same(given):
            await stream.aclose()
            raise ContractBroken(
                message="A document changed while kawe fetched it.",
                hint=f"{Next.AGAIN}.",
            )
        return chunk[new:], stream


class _Given:
    """The bytes of a document that were given so far, by their number and hash."""

    def __init__(self) -> None:
        self._digest = hashlib.sha256()
        self.size_bytes = 0

    def with_more(self, chunk: bytes) -> bytes:
        """Count `chunk` too, and give it."""
        self._digest.update(chunk)
        self.size_bytes += len(chunk)
        return chunk

    def is_same(self, other: _Given) -> bool:
        return self._digest.digest() == other._digest.digest()


async def link_of(document: DocumentId, *, wire: Wire) -> Link:
    """Ask for a fresh link to a document, and check that it is safe to use."""
    exchange = await wire.ask("download", path={"id": document})
    envelope = envelope_of(wire, "download", exchange)
    try:
        url = text_of(envelope["response_object"], "url")
    except Unreadable as trouble:
        raise ContractBroken(
            message="The service gave no link to a document."
        ) from trouble
    return Link(url=checked_address(url, api_url=wire.addresses.base_url))


def _not_whole(trouble: CutShort) -> Transient:
    return Transient(
        message=f"A document did not come whole: {trouble}.",
        hint=f"{Next.AGAIN}; what is saved stays saved.",
    )
