"""Exporting papers of a team into a folder."""

from __future__ import annotations

from pathlib import Path

from kawe.domain.service.exports import ReceiptExport
from kawe.files.receipts import ReceiptFolder
from kawe.flows.exporting import Exporter, export_receipts
from kawe.flows.workers import StopSignal
from kawe.toolkit.session import Session


async def save_receipts(session: Session, folder: Path) -> ReceiptExport:
    """Save every receipt below `folder`, as `export_receipts` does."""
    from kawe.workbook.results.tables import (  # noqa: PLC0415 (start-up)
        StreamedTableWriter,
    )

    toolkit = session.toolkit
    return await export_receipts(
        Exporter(
            lookups=session.service.lookups,
            downloads=session.service.downloads,
            folder=ReceiptFolder(folder, tables=StreamedTableWriter()),
            journal=session.journal,
            progress=toolkit.progress,
            clock=toolkit.clock,
            stop=StopSignal(halt=toolkit.halt),
            account=session.account,
            workers=toolkit.settings.workers,
        )
    )
