"""Exporting papers of a team into a folder, and proving what was saved."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path

from kawe import __version__
from kawe.cases.choices import find_batch
from kawe.cases.session import Session
from kawe.domain.rows.entries import Entry
from kawe.domain.service.papers import FolderCheck, ReceiptExport
from kawe.domain.service.service_words import Receipt
from kawe.domain.text.new_zealand import day_in_new_zealand
from kawe.domain.text.table_doc import TableDoc
from kawe.files.bags import BagFolder
from kawe.files.papers import PaperPlace
from kawe.files.receipts import ReceiptFolder
from kawe.files.verifying import check_folder
from kawe.flows.exporting import Exporter, export_receipts
from kawe.ports import ExportFolder

_HEADINGS = ("File", "Trouble", "What")


@dataclass(frozen=True, slots=True, kw_only=True)
class ReceiptChoice:
    """Which receipts are wanted; by days in New Zealand, both included."""

    since: date | None = None
    until: date | None = None
    batch: str | None = None

    def takes(self, receipt: Receipt, row: Entry | None) -> bool:
        """Say whether a receipt is wanted; `row` is the one that it belongs to."""
        if self.batch is not None and (row is None or row.batch != self.batch):
            return False
        first, last = self.since or date.min, self.until or date.max
        return first <= day_in_new_zealand(receipt.created_at) <= last


async def save_receipts(
    session: Session,
    folder: Path,
    *,
    is_bag: bool = False,
    choice: ReceiptChoice | None = None,
) -> ReceiptExport:
    """Save receipts below `folder`, as `export_receipts` does.

    Raises:
        SettingsError: No batch is called so.
    """
    choice = choice or ReceiptChoice()
    if choice.batch is not None:
        batches = tuple(await session.journal.batches())
        choice = replace(choice, batch=find_batch(batches, name=choice.batch).name)
    return await export_receipts(
        Exporter(
            tools=session.tools,
            downloads=session.service.downloads,
            folder=_folder(folder, is_bag=is_bag),
            journal=session.journal,
            account=session.account,
            settle_seconds=session.toolkit.settings.settle_seconds,
            takes=choice.takes,
        )
    )


def verify_papers(folder: Path, *, result: Path | None) -> FolderCheck:
    """Compare a folder or a bag with its hashes; write a workbook of what differs.

    Raises:
        SettingsError: The folder has no list of hashes.
        ResultNotWritable: The workbook cannot be written.
    """
    found = check_folder(folder)
    if result is not None:
        from kawe.workbook.results.tables import write_table  # noqa: PLC0415 (start-up)

        write_table(
            result,
            TableDoc(
                title="Files",
                headings=_HEADINGS,
                rows=[[each.file, each.trouble, each.what] for each in found.findings],
            ),
        )
    return found


def _folder(folder: Path, *, is_bag: bool) -> ExportFolder:
    from kawe.workbook.results.tables import write_table  # noqa: PLC0415 (start-up)

    if not is_bag:
        return ReceiptFolder(PaperPlace.plain(folder), write_table=write_table)
    return BagFolder(folder, write_table=write_table, version=__version__)
