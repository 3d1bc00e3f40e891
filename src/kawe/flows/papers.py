"""Saving papers: each is fetched once, and what was saved before is proven.

Receipts, reports and documents of projects go the same way.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Mapping, Sequence
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass
from typing import Final

from kawe.domain.service.papers import (
    FileFinding,
    FileTrouble,
    ListedFile,
    PaperToSave,
    SavedPaper,
)
from kawe.errors import KeyRefused, ScopeMissing, ServiceError
from kawe.flows.tools import Tools, each
from kawe.ports import Downloads, PaperFolder

PDF: Final = b"%PDF"
"""What every PDF begins with."""
# So long a document in flight may take once the person asks to stop.
_GRACE_SECONDS: Final = 5.0
_LOOK_UP_SECONDS: Final = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperSaver:
    """What papers are saved with."""

    tools: Tools
    downloads: Downloads
    folder: PaperFolder


async def save_papers(
    papers: Sequence[PaperToSave],
    saver: PaperSaver,
    *,
    listed: Mapping[str, ListedFile],
) -> dict[str, SavedPaper]:
    """Save every paper that is not there yet, several at once; by the paper's id.

    A paper that cannot be fetched says why, and the others go on. One of which the
    run did not begin, because it was stopped, is not among those that are given.
    `listed` is what `PaperFolder.take_stock` found.

    Raises:
        ServiceError: The key may not fetch documents.
        ResultNotWritable: The folder cannot be written.
    """
    done: dict[str, SavedPaper] = {}
    tools = saver.tools
    places = asyncio.Semaphore(tools.workers)
    async with _limits(tools) as limits:

        async def work(paper: PaperToSave) -> None:
            before = listed.get(paper.name)
            if before is not None and before.finding is None:
                done[paper.id] = _as_before(paper, before)
            else:
                done[paper.id] = await _save(
                    paper, saver, before, places=places, limits=limits
                )
            tools.progress.advance()

        # While the disk takes some documents, others come.
        await each(papers, work, workers=2 * tools.workers, stop=tools.stop)
    return done


async def _save(
    paper: PaperToSave,
    saver: PaperSaver,
    before: ListedFile | None,
    *,
    places: asyncio.Semaphore,
    limits: set[asyncio.Timeout],
) -> SavedPaper:
    found: tuple[FileFinding, ...]
    found = () if before is None or before.finding is None else (before.finding,)
    trouble = ""
    try:
        async with asyncio.timeout(None) as limit:
            limits.add(limit)
            try:
                async with aclosing(_in_turn(paper, saver, places=places)) as chunks:
                    saved = await saver.folder.save(
                        paper.name, chunks, starts_with=paper.starts_with
                    )
            finally:
                limits.discard(limit)
    except (KeyRefused, ScopeMissing):
        raise
    except ServiceError as problem:
        trouble = str(problem)
    except TimeoutError:
        trouble = "The run was stopped."
    if trouble:
        return SavedPaper(
            file=paper.name,
            size_bytes=None,
            sha256=None,
            trouble=trouble,
            findings=found,
        )
    if saved.finding is not None:
        found += (saved.finding,)
    if before is not None and before.sha256 != saved.sha256:
        found += (
            FileFinding(
                file=paper.name,
                trouble=FileTrouble.REPLACED,
                what="the service gave another document before; this one is new",
            ),
        )
    return SavedPaper(
        file=paper.name,
        size_bytes=saved.size_bytes,
        sha256=saved.sha256,
        is_new=True,
        findings=found,
    )


def _as_before(paper: PaperToSave, before: ListedFile) -> SavedPaper:
    return SavedPaper(
        file=paper.name, size_bytes=before.size_bytes, sha256=before.sha256
    )


async def _in_turn(
    paper: PaperToSave, saver: PaperSaver, *, places: asyncio.Semaphore
) -> AsyncGenerator[bytes]:
    """Stream a document as soon as few enough others come."""
    async with places:
        async for chunk in saver.downloads.chunks(paper.document_id):
            yield chunk


@asynccontextmanager
async def _limits(tools: Tools) -> AsyncIterator[set[asyncio.Timeout]]:
    """Give the limits of what is in flight, which end soon after a stop."""
    limits: set[asyncio.Timeout] = set()

    async def watch() -> None:
        while not tools.stop.is_set():
            await tools.clock.sleep(_LOOK_UP_SECONDS)
        await tools.clock.sleep(_GRACE_SECONDS)
        for limit in limits:
            limit.reschedule(0)

    watching = asyncio.create_task(watch())
    try:
        yield limits
    finally:
        watching.cancel()
