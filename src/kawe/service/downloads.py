"""Fetching a document: a fresh link, then the bytes."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing

from kawe.domain.service.service_words import DocumentId, Link
from kawe.errors import ContractBroken
from kawe.ports import Pace
from kawe.service.lookups import Transient, envelope_of
from kawe.service.parsing import Unreadable, text_of
from kawe.service.retrying import Patience, RetryBudget, patiently
from kawe.service.storage import CutShort, Storage, checked_address
from kawe.service.transport.wire import Wire


class LinkedDownloads:
    """Implements the port `Downloads`."""

    def __init__(
        self,
        *,
        wire: Wire,
        storage: Storage,
        pace: Pace,
        patience: Patience | None = None,
        allowance: RetryBudget | None = None,
    ) -> None:
        self._wire = wire
        self._storage = storage
        self._pace = pace
        self._patience = Patience() if patience is None else patience
        self._allowance = RetryBudget() if allowance is None else allowance

    async def chunks(self, document: DocumentId) -> AsyncIterator[bytes]:
        """Stream one document.

        Until the first byte has come, trouble that may pass is met with a
        fresh link.
        """
        first, rest = await patiently(
            lambda: self._begun(document),
            pace=self._pace,
            patience=self._patience,
            allowance=self._allowance,
        )
        async with aclosing(rest):
            yield first
            try:
                async for chunk in rest:
                    yield chunk
            except CutShort as trouble:
                raise _not_whole(trouble) from trouble

    async def _begun(self, document: DocumentId) -> tuple[bytes, AsyncGenerator[bytes]]:
        link = await self._link(document)
        stream = self._storage.get(link.url)
        try:
            return await anext(stream, b""), stream
        except CutShort as trouble:
            raise _not_whole(trouble) from trouble

    async def _link(self, document: DocumentId) -> Link:
        exchange = await self._wire.ask("download", path={"id": document})
        envelope = envelope_of(self._wire, "download", exchange)
        try:
            url = text_of(envelope["response_object"], "url")
        except Unreadable as trouble:
            raise ContractBroken(
                message="The service gave no link to a document."
            ) from trouble
        return Link(url=checked_address(url, api_url=self._wire.addresses.base_url))


def _not_whole(trouble: CutShort) -> Transient:
    return Transient(
        message=f"A document did not come whole: {trouble}.",
        hint="Run the same command again; what is saved stays saved.",
    )
