"""Fetching a document: a fresh link, then the bytes."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing

from kawe.domain.service.service_words import DocumentId, Link
from kawe.errors import ContractBroken
from kawe.ports import Pace
from kawe.service.lookups import Transient, envelope_of
from kawe.service.parsing import Unreadable, text_of
from kawe.service.retrying import RetryBudget, RetryPolicy, call_with_retries
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
        policy: RetryPolicy | None = None,
        budget: RetryBudget | None = None,
    ) -> None:
        self._wire = wire
        self._storage = storage
        self._pace = pace
        self._policy = RetryPolicy() if policy is None else policy
        self._budget = RetryBudget() if budget is None else budget

    async def chunks(self, document: DocumentId) -> AsyncIterator[bytes]:
        """Stream one document; retry with a new link until the first byte."""
        first, rest = await call_with_retries(
            lambda: self._begun(document),
            pace=self._pace,
            policy=self._policy,
            budget=self._budget,
        )
        async with aclosing(rest):
            yield first
            try:
                async for chunk in rest:
                    yield chunk
            except CutShort as trouble:
                raise _not_whole(trouble) from trouble

    async def _begun(self, document: DocumentId) -> tuple[bytes, AsyncGenerator[bytes]]:
        link = await link_of(document, wire=self._wire)
        stream = self._storage.get(link.url)
        try:
            return await anext(stream, b""), stream
        except CutShort as trouble:
            raise _not_whole(trouble) from trouble


async def link_of(document: DocumentId, *, wire: Wire) -> Link:
    """Ask for a fresh link to a document.

    Raises:
        ServiceError: There was no usable answer.
        ContractBroken: It is no link, or one that is not safe to use.
    """
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
        hint="Run the same command again; what is saved stays saved.",
    )
