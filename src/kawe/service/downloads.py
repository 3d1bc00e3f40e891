"""Fetching a document: a fresh link, then the bytes."""

from __future__ import annotations

from collections.abc import AsyncIterator

from kawe.domain.service_words import DocumentId, Link
from kawe.errors import ContractBroken, ServiceUnreachable
from kawe.ports import Pace
from kawe.service.lookups import envelope_of
from kawe.service.parsing import Unreadable, text_of
from kawe.service.retrying import Patience, patiently
from kawe.service.storage import CutShort, Storage
from kawe.service.wire import Wire


class LinkedDownloads:
    """Implements the port `Downloads`."""

    def __init__(
        self,
        *,
        wire: Wire,
        storage: Storage,
        pace: Pace,
        patience: Patience | None = None,
    ) -> None:
        self._wire = wire
        self._storage = storage
        self._pace = pace
        self._patience = Patience() if patience is None else patience

    async def chunks(self, document: DocumentId) -> AsyncIterator[bytes]:
        """Stream one document."""
        link = await patiently(
            lambda: self._link(document), pace=self._pace, patience=self._patience
        )
        try:
            async for chunk in self._storage.get(link.url):
                yield chunk
        except CutShort as trouble:
            raise ServiceUnreachable(
                message=f"A document did not come whole: {trouble}.",
                hint="Run the same command again; what is saved stays saved.",
            ) from trouble

    async def _link(self, document: DocumentId) -> Link:
        exchange = await self._wire.ask("download", path={"id": document})
        envelope = envelope_of(self._wire, "download", exchange)
        try:
            return Link(url=text_of(envelope["response_object"], "url"))
        except Unreadable as trouble:
            raise ContractBroken(
                message="The service gave no link to a document."
            ) from trouble
