"""The case file of one project, or of each of a sample of sends, in one folder.

The folder has one list of hashes over everything. It is written last: what was
interrupted has none, or one that no longer holds.

A sample is the same for everybody who draws it again. Of each send of a period the
SHA-256 of the seed, a space and the project's id is reckoned; those with the smallest
are the sample. Nobody chooses, and an auditor can do it by hand.
"""

import asyncio
import json
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, Final
from uuid import UUID

from kawe.cases.records.exporting import DOCUMENTS, RECEIPTS, DocumentPapers
from kawe.cases.records.listing import ListRequest, ListWords, SavedList, save_list
from kawe.cases.session import Session
from kawe.domain.batch.periods import Period
from kawe.domain.rows.entries import Entry
from kawe.domain.service.list_tables import ONE_PROJECT, PARTS
from kawe.domain.service.lists import ListAsked
from kawe.domain.service.service_words import Project, ProjectId
from kawe.domain.text.texts import clean, counted, fold, json_value, one_line
from kawe.errors import SettingsError
from kawe.files.lists import WrittenList
from kawe.files.papers import list_together
from kawe.files.saving import LIST_NAME, safe_name, save_named
from kawe.flows.papers import sent_rows
from kawe.flows.scanning import scan_projects
from kawe.flows.tools import all_rows
from kawe.workbook.cells.reading import quoted

_STEM: Final = "project"
_SAMPLE: Final = "sample"
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
    request = ListRequest(
        words=ListWords(name=ONE_PROJECT.name),
        asked=ListAsked(records=ONE_PROJECT, parts=PARTS, path={"id": project.id}),
        folder=folder,
        stem=_STEM,
        formats=("xlsx", "jsonl"),
        # What changed since an earlier export is no part of a case file.
        is_folder=False,
    )
    saved = await save_list(session, request, documents=papers)
    if not saved.done.is_stopped:
        await asyncio.to_thread(list_together, folder, _LISTS)
    numbers = tuple(each.receipt_number for each in receipts)
    return SavedCase(project=project, saved=saved, receipts=numbers)


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
        said = f"The key sees no project with reference, receipt or id {quoted(words)}."
    named = "; ".join(f"{each.id} ({each.name})" for each in found[:_SHOWN])
    ids = one_line(named, limit=1500) or "the portal has it"
    return SettingsError(message=said, hint=f"Write the id: {ids}. {_NOTHING}")


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedSample:
    """The case files of some sends, and of how many."""

    sends: int
    """How many there are in the period."""
    rows: tuple[dict[str, Any], ...]
    """What the journal has of each of the sample."""
    cases: tuple[SavedCase, ...]
    """Fewer than the rows where somebody stopped it."""

    def as_json(self) -> dict[str, Any]:
        return {"sends": self.sends, "sample": list(self.rows)}


async def save_sample(
    session: Session, number: int, *, seed: str, period: Period, folder: Path
) -> SavedSample:
    """Save the case files of so many sends, and list the hashes of all.

    Raises:
        SettingsError: Nothing was sent in the period, or as `save_case`.
    """
    if not (sent := await _sends(session, period)):
        raise SettingsError(
            message="Nothing was sent in this period, as the journal has it.",
            hint="Give another one. Nothing was exported.",
        )
    sent.sort(key=lambda row: sha256(f"{seed} {row.project_id}".encode()).digest())
    rows = [await _row(session, row) for row in sent[:number]]
    cases: list[SavedCase] = []
    for row in rows:
        if session.toolkit.halt.asked:
            break
        place = folder / row["folder"]
        cases.append(await save_case(session, row["project_id"], folder=place))
    made = SavedSample(sends=len(sent), rows=tuple(rows), cases=tuple(cases))
    if len(cases) == len(rows):
        said = {"seed": seed, **made.as_json()}
        text = json.dumps(
            said, ensure_ascii=False, indent=1, default=json_value
        ).encode()
        lines = f"{sha256(text).hexdigest()}  {_SAMPLE}.json\n".encode()
        save_named(folder / f"{_SAMPLE}.json", text, called="sample")
        save_named(folder / f"{_SAMPLE}.sha256", lines, called="sample")
        lists = (f"{row['folder']}/{LIST_NAME}" for row in rows)
        list_together(folder, (f"{_SAMPLE}.sha256", *lists))
    return made


async def _sends(session: Session, period: Period) -> list[Entry]:
    rows = [e for e in await sent_rows(session.journal) if e.project_id is not None]
    at = await session.journal.sent_at([row.key for row in rows])
    return [row for row in rows if period.has(at.get(row.key, row.moved_at))]


async def _row(session: Session, row: Entry) -> dict[str, Any]:
    """Say what the row is, and what it said in its workbook."""
    named = (await session.journal.named([row.key])).get(row.key, ())
    said = {
        heading: value
        for each in named[:1]
        for heading, value in zip(each.reading.headings, each.line.raw, strict=False)
    }
    called = " ".join(filter(None, (row.marker, row.receipt_number)))
    return {
        "folder": safe_name(called, str(row.project_id)),
        "reference": row.marker,
        "name": row.content.name,
        "project_id": row.project_id,
        "receipt_number": row.receipt_number,
        "workbook": named[0].reading.workbook if named else None,
        "row": str(named[0].line.where) if named else None,
        "values": said,
    }
