"""The case file of one project: all that the service has of it, in one folder.

The folder has one list of hashes over everything. It is written last: what was
interrupted has none, or one that no longer holds.
"""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from uuid import UUID

from kawe.cases.records.exporting import DOCUMENTS, RECEIPTS, DocumentPapers
from kawe.cases.records.listing import ListRequest, ListWords, SavedList, save_list
from kawe.cases.session import Session
from kawe.domain.rows.entries import Entry
from kawe.domain.service.list_tables import ONE_PROJECT, PARTS
from kawe.domain.service.lists import ListAsked
from kawe.domain.service.service_words import Project, ProjectId
from kawe.domain.text.texts import clean, counted, fold, one_line
from kawe.errors import SettingsError
from kawe.files.lists import WrittenList
from kawe.files.papers import list_together
from kawe.files.saving import LIST_NAME
from kawe.flows.scanning import scan_projects
from kawe.flows.tools import all_rows
from kawe.workbook.cells.reading import quoted

_STEM: Final = "project"
_LISTS: Final = (
    f"{_STEM}.sha256",
    *(f"{name}/{LIST_NAME}" for name in (DOCUMENTS, RECEIPTS)),
)
_NOTHING: Final = "Nothing was exported."
_SHOWN: Final = 9


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedCase:
    """What a case file has, and which receipts."""

    project: Project
    saved: SavedList
    receipts: tuple[str, ...]
    """Their numbers."""

    def as_json(self) -> dict[str, object]:
        """Give the document for other programs."""
        project = self.project
        names = {"id": project.id, "reference": project.reference, "name": project.name}
        return {"project": names, "receipts": self.receipts, **self.saved.as_json()}


async def save_case(session: Session, words: str, *, folder: Path) -> SavedCase:
    """Save a project with thread, documents, log and receipts, and list the hashes.

    Raises:
        SettingsError: Not one project is called so, or the folder has another's.
    """
    project = await _project_called(session, words)
    _make_sure_of_folder(folder, project)
    papers = DocumentPapers(session=session, folder=folder)
    receipts = await papers.save_receipts(project.id)
    saved = await save_list(session, _request(project, folder), documents=papers)
    if not saved.done.is_stopped:
        await asyncio.to_thread(list_together, folder, _LISTS)
    numbers = tuple(each.receipt_number for each in receipts)
    return SavedCase(project=project, saved=saved, receipts=numbers)


def _request(project: Project, folder: Path) -> ListRequest:
    return ListRequest(
        words=ListWords(name=ONE_PROJECT.name),
        asked=ListAsked(records=ONE_PROJECT, parts=PARTS, path={"id": project.id}),
        folder=folder,
        stem=_STEM,
        formats=("xlsx", "jsonl"),
        # What changed since an earlier export is no part of a case file.
        is_folder=False,
    )


def _make_sure_of_folder(folder: Path, project: Project) -> None:
    if (earlier := WrittenList(folder=folder, stem=_STEM).earlier()) is None:
        return
    others = set(earlier.ids()) - {project.id}
    earlier.close()
    if others:
        raise SettingsError(
            message=f"The folder {one_line(str(folder))} has the case file of another "
            "project.",
            hint=f"Name another folder. {_NOTHING}",
        )


async def _project_called(session: Session, words: str) -> Project:
    """Find the one project of this reference, receipt number or id, exactly.

    The journal knows receipt numbers and the projects of rows, the service those that
    were made elsewhere.
    """
    asked, lookups = clean(words), session.service.lookups
    wanted = fold(asked)

    def is_meant(row: Entry) -> bool:
        names = (row.marker, row.receipt_number, row.project_id)
        return bool(row.project_id) and wanted in {fold(e) for e in names if e}

    if not wanted:
        raise _not_one(words, ())
    rows = await all_rows(session.journal, is_meant)
    seen = await scan_projects(lookups, search=asked)
    found = {e.id: e for e in seen.items if fold(e.reference or "") == wanted}
    ids = {row.project_id for row in rows if row.project_id}
    with suppress(ValueError):
        ids.add(ProjectId(str(UUID(asked))))
    for key in sorted(ids - found.keys()):
        # The journal also knows projects that are deleted.
        if (project := await lookups.project(key)) is not None:
            found[key] = project
    if len(found) != 1:
        raise _not_one(words, [*found.values()])
    return next(iter(found.values()))


def _not_one(words: str, found: Sequence[Project]) -> SettingsError:
    said = f"{quoted(words)} is {counted(len(found), 'project')}."
    if not found:
        said = f"{quoted(words)} is no reference, receipt number or id of a project."
    named = "; ".join(f"{each.id} ({each.name})" for each in found[:_SHOWN])
    ids = one_line(named, limit=1500) or "as the portal has it"
    return SettingsError(message=said, hint=f"Write the id: {ids}. {_NOTHING}")
