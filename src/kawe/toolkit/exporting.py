"""Exporting papers of a team into a folder, and proving what was saved."""

from __future__ import annotations

from pathlib import Path

from kawe import __version__
from kawe.domain.service.exports import ReceiptExport
from kawe.domain.service.papers import FolderCheck
from kawe.errors import SettingsError
from kawe.files.papers import PaperPlace
from kawe.files.receipts import ReceiptFolder
from kawe.files.verifying import check_folder
from kawe.flows.exporting import Exporter, export_receipts
from kawe.flows.workers import StopSignal
from kawe.machine.installation import Installation
from kawe.ports import ExportFolder, TableWriter
from kawe.toolkit.session import Session

_HEADINGS = ("File", "Trouble", "What")


async def save_receipts(
    session: Session, folder: Path, *, is_bag: bool = False
) -> ReceiptExport:
    """Save every receipt below `folder`, as `export_receipts` does.

    Raises:
        SettingsError: It is to be a bag, and the library for that is not installed.
    """
    toolkit = session.toolkit
    return await export_receipts(
        Exporter(
            lookups=session.service.lookups,
            downloads=session.service.downloads,
            folder=_folder(folder, is_bag=is_bag),
            journal=session.journal,
            progress=toolkit.progress,
            clock=toolkit.clock,
            stop=StopSignal(halt=toolkit.halt),
            account=session.account,
            workers=toolkit.settings.workers,
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
        _tables().write_table(
            result,
            title="Files",
            headings=_HEADINGS,
            rows=[[each.file, each.trouble, each.what] for each in found.findings],
        )
    return found


def _folder(folder: Path, *, is_bag: bool) -> ExportFolder:
    if not is_bag:
        return ReceiptFolder(PaperPlace.plain(folder), tables=_tables())
    try:
        from kawe.files.bags import BagFolder  # noqa: PLC0415 (an extra)
    except ModuleNotFoundError as missing:
        raise SettingsError(
            message="A bag needs a library that is not installed.",
            hint=Installation.here().to_add("bag"),
        ) from missing
    return BagFolder(folder, tables=_tables(), version=__version__)


def _tables() -> TableWriter:
    from kawe.workbook.results.tables import (  # noqa: PLC0415 (start-up)
        StreamedTableWriter,
    )

    return StreamedTableWriter()
