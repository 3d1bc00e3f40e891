"""Exporting papers of a team into a folder, and proving what was saved."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path, PurePath
from typing import Final

from kawe import __version__
from kawe.cases.choices import find_batch
from kawe.cases.kit import NoProgress
from kawe.cases.session import Session
from kawe.domain.rows.entries import Entry
from kawe.domain.service.lists import instant_of, objects_in
from kawe.domain.service.papers import (
    FileFinding,
    FolderCheck,
    ListedFile,
    PaperToSave,
    ReceiptExport,
    in_order,
)
from kawe.domain.service.service_words import DocumentId, Receipt
from kawe.domain.text.new_zealand import day_in_new_zealand
from kawe.domain.text.table_doc import TableDoc
from kawe.domain.text.texts import one_line
from kawe.errors import ContractBroken, SettingsError
from kawe.files.papers import ListedFolder, PaperPlace
from kawe.files.receipts import ReceiptFolder
from kawe.files.verifying import BagFolder, check_folder
from kawe.flows.papers import (
    PDF,
    Exporter,
    PaperSaver,
    export_receipts,
    paper_of,
    receipts_of,
    save_papers,
)
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
    """Save receipts below `folder`, as `export_receipts` does."""
    choice = choice or ReceiptChoice()
    if choice.batch is not None:
        batch = find_batch(await session.journal.batches(), name=choice.batch)
        if not batch.kind.has_drafts:
            said = f"Batch {batch.name} is of {batch.kind}; only sends have receipts."
            hint = "Nothing was exported. Export its projects instead."
            raise SettingsError(message=said, hint=hint)
        choice = replace(choice, batch=batch.name)
    return await export_receipts(
        Exporter(
            tools=session.tools,
            downloads=session.service.downloads,
            folder=receipts_folder(folder, is_bag=is_bag),
            journal=session.journal,
            account=session.account,
            settle_seconds=session.toolkit.settings.settle_seconds,
            takes=choice.takes,
        )
    )


def verify_papers(folder: Path, *, result: Path | None) -> FolderCheck:
    """Compare a folder or a bag with its hashes; write a workbook of what differs."""
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


def receipts_folder(folder: Path, *, is_bag: bool) -> ExportFolder:
    """Open a folder of receipts, or one that becomes a bag."""
    from kawe.workbook.results.tables import write_table  # noqa: PLC0415 (start-up)

    if not is_bag:
        return ReceiptFolder(PaperPlace.plain(folder), write_table=write_table)
    return BagFolder(folder, write_table=write_table, version=__version__)


_REPORTS: Final = "pdf"
DOCUMENTS: Final = "documents"
RECEIPTS: Final = "receipts"
_PDF_TYPE: Final = "application/pdf"


@dataclass(slots=True, kw_only=True)
class ListPapers:
    """Saves papers below the folder of a list, with a list of hashes of their own."""

    session: Session
    folder: Path
    findings: tuple[FileFinding, ...] = ()
    """What was not as an earlier run had saved it."""
    troubles: tuple[str, ...] = ()
    new: int = 0
    _opened: dict[str, tuple[ListedFolder, Mapping[str, ListedFile]]] = field(
        default_factory=dict
    )

    def _at(self, name: str) -> tuple[ListedFolder, Mapping[str, ListedFile]]:
        if name not in self._opened:
            folder = ListedFolder(PaperPlace.plain(self.folder / name))
            self._opened[name] = folder, folder.take_stock()
        return self._opened[name]

    async def _save(
        self, papers: Sequence[PaperToSave], *, name: str, is_counted: bool = True
    ) -> dict[str, str]:
        """Save papers below the folder `name`; give the file of each by its id.

        Where they are not the stage that the person sees, they are not counted in it.

        Raises:
            ServiceError: The key may not fetch documents.
        """
        folder, listed = self._at(name)
        tools = self.session.tools
        saver = PaperSaver(
            tools=tools if is_counted else replace(tools, progress=NoProgress()),
            downloads=self.session.service.downloads,
            folder=folder,
        )
        saved = await save_papers(papers, saver, listed=listed)
        if saved:
            folder.write_list()
        found = [f for each in saved.values() for f in each.findings]
        self.findings = in_order((*self.findings, *found))
        self.new += sum(each.is_new for each in saved.values())
        self.troubles += tuple(
            f"Not saved: {one_line(each.file)}: {one_line(each.trouble)}"
            for each in saved.values()
            if each.trouble
        )
        return {
            key: f"{name}/{each.file}" for key, each in saved.items() if each.sha256
        }


@dataclass(slots=True, kw_only=True)
class ReportPapers(ListPapers):
    """The PDFs of listed reports."""

    _files: dict[str, str] = field(default_factory=dict)

    async def save(self, reports: Sequence[Mapping[str, object]]) -> None:
        """Save the PDF of every report that is built; see `_save`."""
        folder, _ = self._at(_REPORTS)
        papers = [_report(each, folder) for each in reports if each.get("document_id")]
        self.session.toolkit.progress.begin("Saving reports", total=len(papers))
        self._files = await self._save(papers, name=_REPORTS)

    def about(self, report: Mapping[str, object]) -> Mapping[str, str]:
        return {"file": self._files.get(str(report.get("id")), "")}


@dataclass(slots=True, kw_only=True)
class DocumentPapers(ListPapers):
    """The documents of projects, and the receipts of one."""

    async def save_receipts(self, project: str) -> list[Receipt]:
        """Save the receipts that are certainly those of a project; see `_save`."""
        session, (folder, _) = self.session, self._at(RECEIPTS)
        receipts = await receipts_of(
            project,
            journal=session.journal,
            tools=session.tools,
            team_id=session.account.team_id,
        )
        papers = [paper_of(each, folder=folder) for each in receipts]
        await self._save(papers, name=RECEIPTS, is_counted=False)
        return receipts

    async def save(
        self, projects: Sequence[Mapping[str, object]]
    ) -> list[Mapping[str, object]]:
        """Save the documents of some projects, as `_save` does; say where each lies."""
        folder, _ = self._at(DOCUMENTS)
        papers = [
            _document(each, folder, of=project)
            for project in projects
            for each in objects_in(project, DOCUMENTS)
        ]
        files = (
            await self._save(papers, name=DOCUMENTS, is_counted=False) if papers else {}
        )
        return [
            {
                **project,
                DOCUMENTS: [
                    {**each, "file": files.get(str(each.get("id")), "")}
                    for each in objects_in(project, DOCUMENTS)
                ],
            }
            if DOCUMENTS in project
            else project
            for project in projects
        ]


def _document(
    document: Mapping[str, object], folder: ListedFolder, *, of: Mapping[str, object]
) -> PaperToSave:
    key = document.get("id")
    if not isinstance(key, str):
        raise ContractBroken(message="The service listed a document without an id.")
    name = PurePath(str(document.get("name") or "document"))
    whose = str(of.get("reference") or of.get("name") or "")
    is_pdf = document.get("mime_type") == _PDF_TYPE
    ending = ".pdf" if is_pdf else name.suffix
    return PaperToSave(
        id=key,
        document_id=DocumentId(key),
        name=folder.name_for(f"{whose} {name.stem}", unique=key, ending=ending),
        starts_with=PDF if is_pdf else b"",
    )


def _report(report: Mapping[str, object], folder: ListedFolder) -> PaperToSave:
    document = report["document_id"]
    if not isinstance(document, str):
        raise ContractBroken(message="The service listed a report without a document.")
    at = instant_of(report.get("created_on"))
    made = "" if at is None else f"{at:%Y-%m-%d %H%M}"
    words = (report.get("reference"), report.get("project_name"), made)
    text = " ".join(str(each) for each in words if each)
    return PaperToSave(
        id=str(report["id"]),
        document_id=DocumentId(document),
        name=folder.name_for(text, unique=str(report["id"])),
        starts_with=PDF,
    )
