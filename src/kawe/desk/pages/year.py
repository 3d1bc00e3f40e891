"""After the send: who answered and who is late; receipts, months, audit and lists."""

from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from starlette.responses import Response

from kawe.cases import save_named
from kawe.cases.care.journals import require_journal
from kawe.cases.kit import Toolkit
from kawe.cases.records import reporting
from kawe.cases.records.auditing import audit_period, check_before, write_audit
from kawe.cases.records.exporting import save_receipts
from kawe.cases.records.listing import ListWords, request_of_list, save_list
from kawe.cases.records.watching import Watching, one_watch, watch_once
from kawe.cases.session import open_session
from kawe.desk.next_words import in_pages
from kawe.desk.pages.check import trouble_of
from kawe.desk.rendering import opened
from kawe.desk.visits import DeskVisit, FormRefused, about, done_at, shown_at
from kawe.domain.service.watching import NEAR_DAYS
from kawe.domain.text.texts import counted
from kawe.durable import make_folder
from kawe.flows.audit.gathering import AuditChoice
from kawe.flows.watch.telling import counts_words, line_of
from kawe.settings.files import typed_path

YEAR: Final = "year"
_SHOWN: Final = 100
_STOPPED: Final = "Stopped. Nothing was written."
_AGAIN: Final = "Save them again to fetch what is missing."
_MONTHS: Final = "months "
_AUDIT: Final = "audit "
_PLACE: Final = "receipts-folder.txt"


@shown_at("/year")
def show(visit: DeskVisit) -> Response:
    """Show what was asked last, and every file that was written."""
    last = visit.runs.last("", YEAR)
    return visit.page(
        "year.html",
        files=_files(visit),
        shown=_SHOWN,
        folder=str(_folder(visit)),
        last=last,
        failed=trouble_of(last),
    )


@done_at("/year/ask", on=show)
def ask(visit: DeskVisit) -> Response:
    """Write what a person chose, from the journal or the service."""
    if (how := _WAYS.get(visit.text("what"))) is None:
        raise FormRefused("Choose what to write. Nothing was done.")
    folder, opening = _named(visit), visit.number("opening")
    words = visit.text("since") or None, visit.text("until") or None
    # A day that cannot be read is said before anything begins.
    with about("since"):
        reporting.period_of(visit.toolkit, since=words[0], until=None)
    with about("until"):
        period = reporting.period_of(visit.toolkit, since=words[0], until=words[1])

    async def do(toolkit: Toolkit) -> Sequence[str]:
        require_journal(toolkit.settings)
        return await how(toolkit, folder, AuditChoice(period=period, opening=opening))

    return visit.begin(YEAR, do)


async def _receipts(toolkit: Toolkit, folder: Path, _: AuditChoice) -> Sequence[str]:
    async with open_session(toolkit) as session:
        done = await save_receipts(session, folder)
    number = len(done.receipts) - len(done.missing)
    saved = counted(number, "receipt is", "receipts are")
    new = sum(each.is_new for each in done.receipts)
    lines = [*done.lines(), *(f"{each.file}: {each.what}" for each in done.findings)]
    again = [] if done.is_complete and not done.missing else [_AGAIN]
    return [f"{saved} saved, {new:,} of them new.", *_first(lines), *again]


async def _answers(toolkit: Toolkit, folder: Path, _: AuditChoice) -> Sequence[str]:
    with one_watch(toolkit):
        looked = await watch_once(toolkit, Watching(folder=folder, near_days=NEAR_DAYS))
    if looked is None:
        return [_STOPPED]
    found = looked.found
    new = "kawe knows now how they stand" if found.is_first else "nothing is new"
    news = counts_words(looked.counts) if looked.counts else new
    late = (await reporting.standing_now(toolkit)).late
    # What is new comes first; two projects may be called alike.
    told = dict.fromkeys((e.project, line_of(e)) for e in (*found.news, *late))
    lines = _first([line for _, line in told])
    return [f"{found.projects:,} projects: {news}.", *found.remarks, *lines]


def _first(lines: Sequence[str]) -> list[str]:
    """Give as many as a page shows, and say how many there are besides."""
    more = len(lines) - _SHOWN
    return [*lines[:_SHOWN], *([f"And {more:,} more."] if more > 0 else [])]


async def _months(toolkit: Toolkit, folder: Path, asked: AuditChoice) -> Sequence[str]:
    report = await reporting.report_of_period(toolkit, asked.period)
    path = reporting.write_period(report, folder / f"{_MONTHS}{_days(asked)}.html")
    return [f"The months are in {path.name}, with a workbook beside it."]


async def _audit(toolkit: Toolkit, folder: Path, asked: AuditChoice) -> Sequence[str]:
    path = folder / f"{_AUDIT}{_days(asked)}.xlsx"
    check_before(toolkit, path)
    async with open_session(toolkit, read_only=True) as session:
        audited = await audit_period(session, asked)
    if audited is None:
        return [_STOPPED]
    write_audit(audited, path, signer=None, says=in_pages)
    end = f"Each send is in {path.name}, with a page beside it."
    return [audited.audit.equation(), *audited.audit.remarks, end]


async def _projects(toolkit: Toolkit, folder: Path, _: AuditChoice) -> Sequence[str]:
    place = folder / f"projects {toolkit.today}.xlsx"
    words = ListWords(name="projects", masks=toolkit.settings.exports == "masked")
    request = request_of_list(words, output=place, formats=())
    async with open_session(toolkit, read_only=True) as session:
        saved = await save_list(session, request)
    counts, whole = saved.done.counts, saved.done.is_complete
    end = "the list is complete" if whole else "the list is NOT complete"
    return [f"{counts.taken:,} projects are saved: {end}.", *saved.done.troubles]


_Way = Callable[[Toolkit, Path, AuditChoice], Awaitable[Sequence[str]]]
_WAYS: Final[dict[str, _Way]] = {
    "receipts": _receipts,
    "answers": _answers,
    "months": _months,
    "audit": _audit,
    "projects": _projects,
}


@shown_at("/year/file")
def give(visit: DeskVisit) -> Response:
    """Give a file; a page opens in the browser."""
    name = visit.query.get("name", "")
    return opened(_folder(visit) / name if name in _files(visit) else None)


def _days(asked: AuditChoice) -> str:
    return f"{asked.period.since_on} to {asked.period.until_on}"


def _named(visit: DeskVisit) -> Path:
    """Make the folder that a form names, and keep its name."""
    named, place = visit.text("folder"), visit.works.folder / _PLACE
    folder = typed_path(named) if named else _folder(visit)
    if not folder.is_absolute():
        raise FormRefused(
            "Write the whole path of a folder. Nothing was written.", field="folder"
        )
    try:
        make_folder(folder)
    except OSError as trouble:
        raise FormRefused(
            f"That folder cannot be made: {trouble.strerror}. Nothing was written.",
            field="folder",
        ) from trouble
    make_folder(place.parent)
    save_named(place, str(folder).encode(), called="name of the folder")
    return folder


def _folder(visit: DeskVisit) -> Path:
    """Give the folder that was named, or one among the person's documents."""
    with suppress(OSError, ValueError):
        return Path((visit.works.folder / _PLACE).read_text("utf-8"))
    documents = Path.home() / "Documents"
    return (documents if documents.is_dir() else Path.home()) / "kawe papers"


def _files(visit: DeskVisit) -> list[str]:
    folder = _folder(visit)
    found = [e for e in folder.iterdir() if _is_ours(e)] if folder.is_dir() else []
    return [e.name for e in sorted(found, key=lambda e: -e.stat().st_mtime)]


def _is_ours(path: Path) -> bool:
    # Others' pages in the folder are not opened from here.
    is_page = path.suffix == ".html" and path.name.startswith((_MONTHS, _AUDIT))
    return (is_page or path.suffix in {".pdf", ".xlsx"}) and path.is_file()
