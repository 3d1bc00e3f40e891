"""Exporting receipts: every PDF, a list of hashes, and a workbook beside them.

A second run fetches only what is new: a document is there when its bytes have the hash
of the manifest.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Final

from kawe.domain.rows.entries import Entry
from kawe.domain.service.exports import ExportedReceipt, ReceiptExport
from kawe.domain.service.service_words import Account, Receipt
from kawe.domain.service.states import State
from kawe.domain.text.new_zealand import NEW_ZEALAND
from kawe.errors import KeyRefused, ScopeMissing, ServiceError
from kawe.flows.receipts import keep_receipt, rows_by_receipt, sent_rows
from kawe.flows.scanning import scan_receipts
from kawe.flows.workers import StopSignal, each
from kawe.ports import Clock, Downloads, ExportFolder, Journal, Lookups, Progress

_PDF: Final = b"%PDF"
# So long a document in flight may take once the person asks to stop.
_GRACE_SECONDS: Final = 5.0
_LOOK_UP_SECONDS: Final = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Exporter:
    """What an export works with."""

    lookups: Lookups
    downloads: Downloads
    folder: ExportFolder
    journal: Journal
    progress: Progress
    clock: Clock
    stop: StopSignal
    account: Account
    workers: int


async def export_receipts(exporter: Exporter) -> ReceiptExport:
    """Save every receipt of the team that is not there yet.

    A receipt that cannot be fetched is listed as missing; the others go on.

    Raises:
        ServiceError: The list of receipts could not be read, or the key may not fetch
            documents.
        ResultNotWritable: The folder cannot be written.
    """
    seen = await scan_receipts(
        exporter.lookups, team_id=exporter.account.team_id, stop=exporter.stop
    )
    rows = rows_by_receipt(await sent_rows(exporter.journal), seen.items)
    have = exporter.folder.known()
    done: dict[str, ExportedReceipt] = {}
    exporter.progress.begin("Saving receipts", total=len(seen.items))

    async def work(receipt: Receipt) -> None:
        done[receipt.id] = await _save(
            exporter, receipt, row=rows.get(receipt.id), have=have
        )
        exporter.progress.advance()

    await each(seen.items, work, workers=exporter.workers, stop=exporter.stop)
    listed = tuple(done[r.id] for r in seen.items if r.id in done)
    export = ReceiptExport(
        receipts=tuple(sorted(listed, key=lambda each: each.number)),
        team=exporter.account.team_name,
        written_at=exporter.clock.now(),
        is_complete=seen.is_stable and len(listed) == len(seen.items),
    )
    exporter.folder.finish(export)
    return export


async def _save(
    exporter: Exporter,
    receipt: Receipt,
    *,
    row: Entry | None,
    have: dict[str, tuple[int, str]],
) -> ExportedReceipt:
    at = receipt.created_at.astimezone(NEW_ZEALAND)
    name = exporter.folder.name_for(
        f"{receipt.receipt_number} {receipt.project_name}", unique=receipt.id
    )
    there = have.get(name)
    trouble, is_new = "", there is None
    if there is None:
        try:
            async with _ends_when_stopped(exporter):
                there = await exporter.folder.save(
                    name,
                    exporter.downloads.chunks(receipt.document_id),
                    starts_with=_PDF,
                )
        except (KeyRefused, ScopeMissing):
            raise
        except ServiceError as problem:
            trouble = str(problem)
        except TimeoutError:
            trouble = "The run was stopped."
    if row is not None and row.state is State.CONFIRMED:
        now = exporter.clock.now()
        await keep_receipt(exporter.journal, row, receipt, now=now)
    return ExportedReceipt(
        number=receipt.receipt_number,
        submission=receipt.submission_number,
        project_name=receipt.project_name,
        reference=None if row is None else row.marker,
        created_at=at,
        file=name,
        size_bytes=None if there is None else there[0],
        sha256=None if there is None else there[1],
        trouble=trouble,
        is_new=is_new and there is not None,
    )


@asynccontextmanager
async def _ends_when_stopped(exporter: Exporter) -> AsyncIterator[None]:
    """Raise `TimeoutError` a few seconds after the person asked to stop."""
    async with asyncio.timeout(None) as limit:

        async def watch() -> None:
            while not exporter.stop.is_set():
                await exporter.clock.sleep(_LOOK_UP_SECONDS)
            await exporter.clock.sleep(_GRACE_SECONDS)
            limit.reschedule(0)

        watching = asyncio.create_task(watch())
        try:
            yield
        finally:
            watching.cancel()
