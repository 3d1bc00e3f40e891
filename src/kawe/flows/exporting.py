"""Exporting receipts: every PDF, a list of hashes, and a workbook beside them.

A second run fetches only what is new, and says what was altered or removed since.
"""

import asyncio
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import timedelta

from kawe.domain.rows.entries import Entry
from kawe.domain.service.papers import (
    ExportedReceipt,
    FileFinding,
    FileTrouble,
    ListedFile,
    PaperToSave,
    ReceiptExport,
    SavedPaper,
    in_order,
)
from kawe.domain.service.service_words import Account, Receipt
from kawe.domain.service.states import DEFAULT_SETTLE_SECONDS, RowKey, State
from kawe.domain.text.new_zealand import NEW_ZEALAND
from kawe.domain.text.texts import counted
from kawe.flows.lost_sends import keep_lost, lost_among, lost_words, sent_before
from kawe.flows.naming_iwi import iwi_of
from kawe.flows.papers import (
    PDF,
    PaperSaver,
    keep_receipt,
    rows_by_receipt,
    save_papers,
    sent_rows,
)
from kawe.flows.scanning import scan_receipts
from kawe.flows.tools import Tools
from kawe.ports import Downloads, ExportFolder, Journal, PaperFolder, Progress


@dataclass(frozen=True, slots=True, kw_only=True)
class Exporter:
    """What an export works with."""

    tools: Tools
    downloads: Downloads
    folder: ExportFolder
    journal: Journal
    account: Account
    settle_seconds: float = DEFAULT_SETTLE_SECONDS
    takes: Callable[[Receipt, Entry | None], bool] = lambda *_: True
    """Whether a receipt, with the row that it belongs to, was asked for."""


async def export_receipts(exporter: Exporter) -> ReceiptExport:
    """Save every receipt of the team that was asked for and is not there yet.

    A receipt that cannot be fetched is listed as missing; the others go on.
    """
    tools, journal = exporter.tools, exporter.journal
    seen = await scan_receipts(
        tools.lookups, team_id=exporter.account.team_id, stop=tools.stop
    )
    sent = await sent_rows(journal)
    rows = await rows_by_receipt(journal, sent, seen.items, tools=tools)
    listed = await asyncio.to_thread(exporter.folder.take_stock)
    _say(listed, tools.progress)
    every = {each.id: paper_of(each, folder=exporter.folder) for each in seen.items}
    chosen = [each for each in seen.items if exporter.takes(each, rows.get(each.id))]
    papers = [every[each.id] for each in chosen]
    tools.progress.begin("Saving receipts", total=len(papers))
    saver = PaperSaver(
        tools=tools, downloads=exporter.downloads, folder=exporter.folder
    )
    saved = await save_papers(papers, saver, listed=listed)
    for receipt in seen.items:
        row = rows.get(receipt.id)
        if receipt.id in saved and row is not None and row.state is State.CONFIRMED:
            await keep_receipt(journal, row, receipt, now=tools.clock.now())
    unproven, lost = await _unproven(exporter, {row.key for row in rows.values()})
    found = [finding for each in saved.values() for finding in each.findings]
    for name in listed.keys() - {paper.name for paper in every.values()}:
        finding = listed[name].finding
        found += [] if finding is None else [finding]
        found += [_unlisted(name)] if seen.is_stable and listed[name].is_paper else []
    export = ReceiptExport(
        receipts=_exported(
            seen.items,
            saved=saved,
            rows=rows,
            iwi=await iwi_of(rows.values(), journal=journal),
        ),
        team=exporter.account.team_name,
        written_at=tools.clock.now(),
        is_complete=seen.is_stable and len(saved) == len(chosen),
        left_out=len(seen.items) - len(chosen),
        findings=in_order(found),
        unproven=unproven,
        lost=len(lost),
        lost_words=lost_words(lost),
    )
    exporter.folder.finish(export)
    return export


async def receipts_of(
    project: str, *, journal: Journal, tools: Tools, team_id: str
) -> list[Receipt]:
    """Give the receipts that certainly belong to a project, by its row."""
    seen = await scan_receipts(tools.lookups, team_id=team_id, stop=tools.stop)
    sent = await sent_rows(journal)
    rows = await rows_by_receipt(journal, sent, seen.items, tools=tools)
    return [e for e in seen.items if e.id in rows and rows[e.id].project_id == project]


async def _unproven(
    exporter: Exporter, proven: Collection[RowKey]
) -> tuple[int, list[Entry]]:
    """Count the rows sent a while ago without a receipt; give those that are lost."""
    now, journal = exporter.tools.clock.now(), exporter.journal
    until = now - timedelta(seconds=exporter.settle_seconds)
    rows = [e for e in await sent_before(journal, until) if e.key not in proven]
    lost = await lost_among(rows, shown=(), lookups=exporter.tools.lookups)
    await keep_lost(lost, journal=journal, at=now)
    return len(rows), lost


def _say(listed: Mapping[str, ListedFile], progress: Progress) -> None:
    """Say at once what was altered: a run that is killed later says nothing more."""
    altered = sum(
        each.finding is not None and each.finding.trouble is FileTrouble.ALTERED
        for each in listed.values()
    )
    if altered:
        files = counted(altered, "file was", "files were")
        progress.say(f"{files} ALTERED since an earlier export, and kept aside.")


def paper_of(receipt: Receipt, *, folder: PaperFolder) -> PaperToSave:
    """Give a receipt as it is saved; ask for all of a list, in its order."""
    name = f"{receipt.receipt_number} {receipt.project_name}"
    return PaperToSave(
        id=receipt.id,
        document_id=receipt.document_id,
        name=folder.name_for(name, unique=receipt.id),
        starts_with=PDF,
    )


def _unlisted(name: str) -> FileFinding:
    return FileFinding(
        file=name,
        trouble=FileTrouble.UNLISTED,
        what="the service does not list this receipt any more; what was saved stays",
    )


def _exported(
    receipts: tuple[Receipt, ...],
    *,
    saved: dict[str, SavedPaper],
    rows: dict[str, Entry],
    iwi: Mapping[RowKey, tuple[str, ...]],
) -> tuple[ExportedReceipt, ...]:
    listed = [
        ExportedReceipt(
            number=each.receipt_number,
            submission=each.submission_number,
            project_name=each.project_name,
            reference=rows[each.id].marker if each.id in rows else None,
            sent_to=iwi.get(rows[each.id].key, ()) if each.id in rows else (),
            created_at=each.created_at.astimezone(NEW_ZEALAND),
            file=saved[each.id].file,
            size_bytes=saved[each.id].size_bytes,
            sha256=saved[each.id].sha256,
            trouble=saved[each.id].trouble,
            is_new=saved[each.id].is_new,
        )
        for each in receipts
        if each.id in saved
    ]
    return tuple(sorted(listed, key=lambda each: each.number))
