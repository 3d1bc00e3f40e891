"""Exporting a list of the service: from what a person typed to the files."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import IO, Final

from kawe.cases.choices import find_batch
from kawe.cases.records.exporting import DocumentPapers, ListPapers, ReportPapers
from kawe.cases.records.reporting import days_between, read_word
from kawe.cases.session import Session
from kawe.domain.batch.exit_codes import ExitCode
from kawe.domain.service.list_tables import GROUP_LIST, LISTS, PARTS, REPORT_LIST, TEAM
from kawe.domain.service.lists import (
    ListAsked,
    ListCounts,
    ListExport,
    code_words,
    objects_in,
)
from kawe.domain.service.masking import MASKED, Masks
from kawe.domain.service.papers import FileFinding
from kawe.domain.service.service_words import full_name
from kawe.domain.sheet.columns import SheetKind
from kawe.domain.text.new_zealand import moment_words
from kawe.domain.text.next_steps import Given
from kawe.domain.text.texts import either, fold, fold_name, one_line
from kawe.errors import ScopeMissing, SettingsError
from kawe.files import lists
from kawe.flows.listing import Lister, compared_with, export_list
from kawe.schemas.catalog import load_columns
from kawe.workbook.cells.choices import choice_reader
from kawe.workbook.cells.reading import quoted
from kawe.workbook.results.tables import list_csv, list_workbook
from kawe_contract.enums import ProjectPriority, ProjectStatus

PART_NAMES: Final = tuple(part.name for part in PARTS)
_LINES: Final = {
    "jsonl": lists.json_lines,
    "geojson": lists.geo_json,
    "ics": lists.calendar,
}
_OF_ALL: Final = ("xlsx", "csv", "jsonl")
FORMATS: Final = (*_OF_ALL, "geojson", "ics")
_NOTHING: Final = "Nothing was exported."


@dataclass(frozen=True, slots=True, kw_only=True)
class ListWords:
    """Which list a person wants, and what narrows it; empty: nothing."""

    name: str
    types: tuple[str, ...] = ()
    statuses: tuple[str, ...] = ()
    priorities: tuple[str, ...] = ()
    plain: Mapping[str, str] = field(default_factory=dict)
    """Parameters of the service that are taken as they are typed."""
    assigned_to: str = ""
    since: str | None = None
    until: str | None = None
    batch: str = ""
    parts: tuple[str, ...] = ()
    is_fresh: bool = False
    masks: bool = False
    """People are masked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ListRequest:
    """A list that is wanted, and where it goes in which formats."""

    words: ListWords
    asked: ListAsked
    folder: Path
    stem: str
    formats: tuple[str, ...]
    is_folder: bool
    """A folder was named, and no file."""
    saves_documents: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedList:
    """What an export saved."""

    done: ListExport
    written: lists.WrittenList
    code: ExitCode
    findings: tuple[FileFinding, ...] = ()
    """Papers that are not as they were saved."""
    new_papers: int = 0

    def as_json(self) -> dict[str, object]:
        """Give the document for other programs."""
        done, counts, written = self.done, self.done.counts, self.written
        return {
            "is_complete": done.is_complete,
            "is_proven": counts.is_proven,
            "listed": counts.listed,
            "total": counts.total,
            "tab_counts": counts.tabs,
            "exported": counts.taken,
            "asked_for": done.asked.words(),
            "sums": counts.sums,
            "new": counts.new,
            "changed": counts.changed,
            "unchanged": counts.unchanged,
            "no_longer_listed": counts.gone,
            "not_asked_again": done.reused,
            "troubles": done.troubles,
            "findings": self.findings,
            "new_papers": self.new_papers,
            "folder": written.folder,
            "files": written.files,
            "kept": written.kept,
        }


def request_of_list(
    words: ListWords,
    *,
    output: Path,
    formats: Sequence[str],
    saves_documents: bool = False,
) -> ListRequest:
    """Read what was typed, without asking anybody."""
    folder, stem, chosen = _place(words, output, formats)
    is_folder = output == folder
    if saves_documents or (is_folder and LISTS[words.name] is REPORT_LIST):
        refuse_masks("The papers of a list", masks=words.masks)
    if saves_documents and not is_folder:
        raise SettingsError(
            message=f"{Given.SAVE_DOCUMENTS} needs a folder, and a file was named.",
            hint=f"Name a folder. {_NOTHING}",
        )
    return ListRequest(
        words=words,
        asked=_asked(words),
        folder=folder,
        stem=stem,
        formats=chosen,
        is_folder=is_folder,
        saves_documents=saves_documents,
    )


def refuse_masks(what: str, *, masks: bool) -> None:
    """Refuse to save what names people, where people are to be masked."""
    if masks:
        raise SettingsError(
            message=f"{what} cannot be masked.",
            hint=f"Name a file for a list alone, or give {Given.NO_MASK}. {_NOTHING}",
        )


def _place(
    words: ListWords, output: Path, formats: Sequence[str]
) -> tuple[Path, str, tuple[str, ...]]:
    """Say where the export of a list goes: into a folder, or a file by its ending."""
    ending = output.suffix.casefold().lstrip(".")
    possible = (*_OF_ALL, *LISTS[words.name].formats)
    if {ending, *formats}.intersection(FORMATS).difference(possible):
        raise SettingsError(
            message="GeoJSON is for projects alone; a calendar is for projects, or for "
            "the invitations of the team.",
            hint=f"Choose one of {either(possible)}. {_NOTHING}",
        )
    if output.is_dir() or (not ending and not output.exists()):
        chosen = tuple(dict.fromkeys(formats)) or possible
        # Beside the whole list, which it does not replace.
        return output, f"{words.name}{'-masked' if words.masks else ''}", chosen
    if ending not in possible:
        raise SettingsError(
            message=f"{quoted(output.name)} is no folder, and its ending says no "
            "format that kawe writes.",
            hint=f"End it with {either([f'.{each}' for each in possible])}, or name a "
            f"folder. {_NOTHING}",
        )
    if set(formats) - {ending}:
        raise SettingsError(
            message=f"{quoted(output.name)} and {Given.FORMAT} {formats[0]} say two "
            "formats.",
            hint=f"Name a folder to have several formats. {_NOTHING}",
        )
    return output.parent, output.stem, (ending,)


def _asked(words: ListWords) -> ListAsked:
    coded = {
        "type": [_type_of(word) for word in words.types],
        "status": [
            _code_of(word, ProjectStatus, given=Given.STATUS) for word in words.statuses
        ],
        "priority": [
            _code_of(word, ProjectPriority, given=Given.PRIORITY)
            for word in words.priorities
        ],
    }
    query = {name: codes for name, codes in coded.items() if codes}
    said = [
        f"{name} {either(list(map(code_words, codes)))}"
        for name, codes in query.items()
    ]
    said += [
        f"{name.replace('_', ' ')} {one_line(text)}"
        for name, text in words.plain.items()
    ]
    said += [MASKED] if words.masks else []
    since, until = days_between(words.since, words.until)
    return ListAsked(
        records=LISTS[words.name],
        parts=tuple(part for part in PARTS if part.name in words.parts),
        query={**query, **words.plain},
        said=tuple(said),
        since_on=since,
        until_on=until,
        is_fresh=words.is_fresh,
    )


def _type_of(word: str) -> str:
    """Give the type of a project that people call so, as in a sheet."""
    columns = (each for kind in SheetKind.declared() for each in load_columns(kind))
    column = next(each for each in columns if each.field == "type")
    return str(read_word(choice_reader(column)(word), given=Given.TYPE))


def _code_of(word: str, codes: type[StrEnum], *, given: Given) -> str:
    named = {fold(code): code for code in codes}
    if found := named.get(fold(word)):
        return found.value
    names = [code_words(code) for code in codes]
    raise SettingsError(
        message=f"{quoted(word)} for {given} is not one of the choices.",
        hint=f"Choose one of: {either(names)}. {_NOTHING}",
    )


async def save_list(
    session: Session, request: ListRequest, *, documents: DocumentPapers | None = None
) -> SavedList:
    """Read a list of the service and write it, with the papers that belong to it.

    `documents` has saved papers before, which count too.

    Raises:
        ServiceError: The list could not be read; nothing was written.
    """
    asked = await _with_people_and_batch(session, request.asked, request.words)
    reports = None
    if asked.records is REPORT_LIST and request.is_folder:
        reports = ReportPapers(session=session, folder=request.folder)
    elif request.saves_documents and documents is None:
        documents = DocumentPapers(session=session, folder=request.folder)
    names = await _names_by_id(session) if asked.records is GROUP_LIST else {}
    masks = Masks() if request.words.masks else None
    if masks is not None:
        names = {masks.of(each): masks.name(name) for each, name in names.items()}
    files = lists.WrittenList(folder=request.folder, stem=request.stem)
    # The masks of an earlier export were others: nothing can be compared with it.
    earlier = None if masks else files.earlier()
    with closing(lists.DiskSpool()) as spool:
        lister = Lister(
            tools=session.tools,
            spool=spool,
            team_id=session.account.team_id,
            link=session.toolkit.project_link(session.binding),
            about=partial(_members_of, names) if reports is None else reports.about,
            shown=dict if masks is None else masks.record,
            earlier=earlier,
            prepare=None if reports is None else reports.save,
            complete=None if documents is None else documents.save,
        )
        try:
            done = await export_list(
                lister,
                asked,
                opened=partial(
                    files.writing,
                    list(_files_of(session, asked, request, earlier=earlier)),
                ),
            )
        finally:
            if earlier is not None:
                earlier.close()
    papers = reports or documents or ListPapers(session=session, folder=files.folder)
    done = replace(done, troubles=(*papers.troubles, *done.troubles))
    return SavedList(
        done=done,
        written=files,
        code=_code(session, done, papers),
        findings=papers.findings,
        new_papers=papers.new,
    )


def _code(session: Session, done: ListExport, papers: ListPapers) -> ExitCode:
    if session.toolkit.halt.asked:
        return ExitCode.INTERRUPTED
    if not done.is_complete:
        return ExitCode.SERVICE
    return ExitCode.NOT_AS_SAVED if papers.findings else ExitCode.DONE


async def _with_people_and_batch(
    session: Session, asked: ListAsked, words: ListWords
) -> ListAsked:
    if words.assigned_to:
        person, name = await _person_called(session, words.assigned_to)
        asked = replace(
            asked,
            query={**asked.query, "assigned_to": person},
            said=(*asked.said, *([] if words.masks else [f"assigned to {name}"])),
        )
    if words.batch:
        batch = find_batch(await session.journal.batches(), name=words.batch)
        rows = await session.journal.entries(batch.name)
        projects = frozenset(e.project_id or e.content.target_id for e in rows) - {""}
        if not projects and not batch.kind.has_drafts:
            said = f"Batch {batch.name} is of {batch.kind}, and names no project."
            raise SettingsError(message=said, hint="Nothing was exported.")
        asked = replace(asked, batch=batch.name, only=projects)
    return asked


async def _person_called(session: Session, typed: str) -> tuple[str, str]:
    """Give id and name of a member of the team, by name or e-mail address."""
    found = {
        str(member.get("id")): one_line(full_name(member))
        for member in await _members(session)
        if typed.casefold() == str(member.get("email")).casefold()
        or fold_name(typed) == fold_name(full_name(member))
    }
    if len(found) == 1:
        return next(iter(found.items()))
    names = sorted(one_line(full_name(member)) for member in await _members(session))
    raise SettingsError(
        message=f"{quoted(typed)} for {Given.ASSIGNED_TO} is "
        f"{'the name of several members' if found else 'nobody'} of the team.",
        hint="Write the e-mail address. "
        if found
        else f"Members are: {one_line('; '.join(names), limit=400)}. {_NOTHING}",
    )


async def _members(session: Session) -> list[Mapping[str, object]]:
    page = await session.service.lookups.listed(
        TEAM.operation, path={"id": session.account.team_id}, page=1
    )
    return [user for each in page.items[:1] for user in objects_in(each, "users")]


async def _names_by_id(session: Session) -> Mapping[str, str]:
    try:
        members = await _members(session)
    except ScopeMissing:
        # A group is exported without the names of its members.
        return {}
    return {str(member.get("id")): one_line(full_name(member)) for member in members}


def _members_of(
    names: Mapping[str, str], group: Mapping[str, object]
) -> Mapping[str, str]:
    ids = group.get("member_ids")
    members = [str(each) for each in ids] if isinstance(ids, list) else []
    return {"members": "; ".join(names.get(each, each) for each in members)}


def _files_of(
    session: Session,
    asked: ListAsked,
    request: ListRequest,
    *,
    earlier: lists.EarlierLines | None,
) -> Iterator[lists.ListFile]:
    at = session.toolkit.clock.now()

    def workbook(
        file: IO[bytes], counts: ListCounts
    ) -> AbstractContextManager[lists.Put]:
        whose = f"{session.account_words}, exported at {moment_words(at)}."
        return list_workbook(
            file,
            title=asked.records.name.capitalize(),
            lines=(whose, *counts.lines(asked)),
            tables=asked.tables,
        )

    # What changes are told from gets its name last: after a kill they are told again.
    for ending in sorted(request.formats, key="jsonl".__eq__):
        name = f"{request.stem}.{ending}"
        match ending:
            case "xlsx":
                yield lists.ListFile(name=name, open=workbook)
            case "csv":
                for number, table in enumerate(asked.tables):
                    beside = f"-{table.title.lower()}" if number else ""
                    yield lists.ListFile(
                        name=f"{request.stem}{beside}.csv",
                        open=partial(list_csv, table=table),
                    )
            case "jsonl" if request.is_folder and not request.words.masks:
                changes = lists.Changes(
                    earlier=earlier, compared=lambda item: compared_with(item, earlier)
                )
                stem = f"{request.stem}.changes"
                yield lists.ListFile(name=f"{stem}.jsonl", open=changes.lines)
                yield lists.ListFile(name=f"{stem}.sqlite", open=changes.table)
                yield lists.ListFile(name=name, open=lists.json_lines)
            case _:
                yield lists.ListFile(name=name, open=_LINES[ending])
