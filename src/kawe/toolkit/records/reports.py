"""Reports of the service: asked for, listed, and saved as PDF."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from kawe.domain.service.lists import instant_of
from kawe.domain.service.papers import FileFinding, PaperToSave, in_order
from kawe.domain.service.service_words import DocumentId
from kawe.domain.text.texts import one_line
from kawe.errors import ContractBroken
from kawe.files.papers import ListedFolder, PaperPlace
from kawe.flows.papers import PDF, PaperSaver, save_papers
from kawe.flows.requesting import ReportOf, Requester, request_reports, wanted_reports
from kawe.flows.workers import StopSignal
from kawe.toolkit.session import Session

__all__ = ["ReportOf", "ReportPapers", "ask_for_reports", "find_projects"]

_FOLDER = "pdf"
"""Of the papers, beside the list: a list of hashes of its own lies in it."""


async def find_projects(session: Session, typed: Sequence[str]) -> tuple[ReportOf, ...]:
    """Find the projects of which reports are wanted; see `wanted_reports`."""
    return await wanted_reports(session.service.lookups, typed)


async def ask_for_reports(
    session: Session, wanted: Sequence[ReportOf], *, wait_seconds: float
) -> tuple[str, ...]:
    """Ask for reports; say what is not there. See `request_reports`."""
    toolkit = session.toolkit
    requester = Requester(
        acts=session.service.acts,
        lookups=session.service.lookups,
        pace=session.service.pace,
        clock=toolkit.clock,
        progress=toolkit.progress,
        stop=StopSignal(halt=toolkit.halt),
        team_id=session.account.team_id,
    )
    return await request_reports(wanted, requester, wait_seconds=wait_seconds)


@dataclass(slots=True, kw_only=True)
class ReportPapers:
    """The PDFs of listed reports, below the folder of the list."""

    session: Session
    folder: Path
    findings: tuple[FileFinding, ...] = ()
    """What was not as an earlier run had saved it."""
    troubles: tuple[str, ...] = ()
    new: int = 0
    _files: dict[str, str] = field(default_factory=dict)

    async def save(self, reports: Sequence[Mapping[str, object]]) -> None:
        """Save the PDF of every report that is built.

        Raises:
            ServiceError: The key may not fetch documents.
            ResultNotWritable: The folder cannot be written.
        """
        toolkit = self.session.toolkit
        folder = ListedFolder(PaperPlace.plain(self.folder / _FOLDER))
        listed = folder.take_stock()
        papers = [_paper(each, folder) for each in reports if each.get("document_id")]
        toolkit.progress.begin("Saving reports", total=len(papers))
        saver = PaperSaver(
            downloads=self.session.service.downloads,
            folder=folder,
            progress=toolkit.progress,
            clock=toolkit.clock,
            stop=StopSignal(halt=toolkit.halt),
            workers=toolkit.settings.workers,
        )
        saved = await save_papers(papers, saver, listed=listed)
        if saved:
            folder.write_list()
        self._files = {
            key: f"{_FOLDER}/{each.file}" for key, each in saved.items() if each.sha256
        }
        self.findings = in_order(f for each in saved.values() for f in each.findings)
        self.new = sum(each.is_new for each in saved.values())
        self.troubles = tuple(
            f"Not saved: {one_line(each.file)}: {one_line(each.trouble)}"
            for each in saved.values()
            if each.trouble
        )

    def about(self, report: Mapping[str, object]) -> Mapping[str, str]:
        """Say where the PDF of a report lies."""
        return {"file": self._files.get(str(report.get("id")), "")}


def _paper(report: Mapping[str, object], folder: ListedFolder) -> PaperToSave:
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
