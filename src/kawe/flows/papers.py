"""Saving papers: each is fetched once, and what was saved before is proven.

Receipts, reports and documents of projects go the same way; receipts are matched with
the rows that they prove. All receipts are exported as PDF, with a list of hashes and a
workbook beside them; a second run fetches only what is new, and says what was altered
or removed since.
"""

import asyncio
from collections.abc import (
    AsyncGenerator,
    AsyncIterator,
    Callable,
    Collection,
    Iterable,
    Mapping,
    Sequence,
)
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

from kawe.domain.batch.outcomes import Outcome, outcome_of
from kawe.domain.rows.entries import Entry
from kawe.domain.service.papers import (
    ExportedReceipt,
    FileFinding,
    FileTrouble,
    ListedFile,
    NamedSend,
    PaperToSave,
    ReceiptExport,
    SavedPaper,
    in_order,
    sends_by_receipt,
    unsure_names,
)
from kawe.domain.service.service_words import Account, Receipt
from kawe.domain.service.states import DEFAULT_SETTLE_SECONDS, RowKey, State
from kawe.domain.sheet.content import values_of
from kawe.domain.text.new_zealand import NEW_ZEALAND
from kawe.domain.text.texts import counted
from kawe.errors import KeyRefused, ScopeMissing, ServiceError
from kawe.flows.lost_sends import keep_lost, lost_among, lost_words, sent_before
from kawe.flows.naming_iwi import iwi_of
from kawe.flows.run import Run
from kawe.flows.scanning import read_log, scan_receipts
from kawe.flows.tools import Tools, all_rows, each
from kawe.ports import Downloads, ExportFolder, Journal, PaperFolder, Progress

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
    """
    done: dict[str, SavedPaper] = {}
    tools = saver.tools
    places = asyncio.Semaphore(tools.workers)
    async with _limits(tools) as limits:

        async def work(paper: PaperToSave) -> None:
            before = listed.get(paper.name)
            if before is not None and before.finding is None:
                done[paper.id] = SavedPaper(
                    file=paper.name, size_bytes=before.size_bytes, sha256=before.sha256
                )
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
        return SavedPaper(file=paper.name, trouble=trouble, findings=found)
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


# The numbers are a convenience of the result: where the rate limit would make the
# person wait longer for them, the next run or an export finds them.
_PATIENCE_SECONDS: Final = 20.0
_FIRST: Final = 3


async def _send_times(
    rows: Sequence[Entry], *, fitting: Collection[datetime], tools: Tools
) -> dict[RowKey, datetime]:
    """Give when rows were sent, as far as the service's logs say so in a short time.

    If the logs of the first have none of the `fitting` times, the service does not
    write logs and receipts at one instant, and no other log is asked for.
    """
    times: dict[RowKey, datetime] = {}

    async def ask(row: Entry) -> None:
        if row.project_id is not None:
            log = await read_log(tools.lookups, row.project_id, stop=tools.stop)
            times.update((row.key, at) for at in log.sends[:1] if at in fitting)

    try:
        async with asyncio.timeout(_PATIENCE_SECONDS):
            await each(rows[:_FIRST], ask, workers=tools.workers, stop=tools.stop)
            if times:
                await each(rows[_FIRST:], ask, workers=tools.workers, stop=tools.stop)
    except (ServiceError, TimeoutError):
        # What no log tells is left to a person, or to the next run.
        return times
    return times


async def keep_receipt_numbers(run: Run) -> None:
    """Keep the receipt numbers of rows that are sent, so that the result has them.

    Nothing is asked where no row lacks its number. What the service does not give is
    left to the next run.
    """
    if run.stop.is_set():
        return
    sent = await sent_rows(run.journal)
    if all(row.state is not State.CONFIRMED for row in sent):
        return
    try:
        async with asyncio.timeout(_PATIENCE_SECONDS):
            seen = await scan_receipts(
                run.lookups, team_id=run.account.team_id, stop=run.stop
            )
    except (ServiceError, TimeoutError):
        return
    rows = await rows_by_receipt(run.journal, sent, seen.items, tools=run)
    for receipt in seen.items:
        row = rows.get(receipt.id)
        if row is not None and row.state is State.CONFIRMED:
            await keep_receipt(run.journal, row, receipt, now=run.clock.now())


async def keep_receipt(
    journal: Journal, row: Entry, receipt: Receipt, *, now: datetime
) -> None:
    """Keep the number of a row's receipt, with the time that the receipt has.

    Of a project that somebody else sent, nothing else says when.
    """
    at = min(receipt.created_at, now)
    await journal.keep_receipt(row.key, number=receipt.receipt_number, at=at)


async def sent_rows(journal: Journal) -> list[Entry]:
    return await all_rows(journal, lambda e: outcome_of(e.state) is Outcome.SENT)


async def rows_by_receipt(
    journal: Journal,
    sent: Iterable[Entry],
    receipts: Sequence[Receipt],
    *,
    tools: Tools,
) -> dict[str, Entry]:
    """Give the row of each receipt, by id, that certainly belongs to one.

    Where several have one name and nothing else tells them apart, the logs are asked.
    """
    rows = {row.key: row for row in sent}
    times = await journal.sent_at(rows)
    named = [
        NamedSend(
            id=row.key,
            name=row.content.name,
            sent_at=times.get(row.key),
            receipt_number=row.receipt_number,
        )
        for row in rows.values()
    ]
    found = sends_by_receipt(named, receipts)
    if unsure := unsure_names(named, receipts, found):
        asked = [
            rows[RowKey(send.id)]
            for send in named
            if send.name in unsure and not send.receipt_number
        ]
        made = {one.created_at for one in receipts if one.project_name in unsure}
        logged = await _send_times(asked, fitting=made, tools=tools)
        named = [replace(s, logged_at=logged.get(RowKey(s.id))) for s in named]
        found = sends_by_receipt(named, receipts)
    return {receipt: rows[RowKey(key)] for receipt, key in found.items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class Exporter(PaperSaver):
    """What an export works with."""

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
    saved = await save_papers(papers, exporter, listed=listed)
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
            **values_of(saved[each.id]),
        )
        for each in receipts
        if each.id in saved
    ]
    return tuple(sorted(listed, key=lambda each: each.number))
