"""The first page: workbooks are taken, and plans that somebody else made."""

import asyncio
import shutil
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path, PurePath
from typing import Final

from starlette.responses import Response

from kawe.cases import plan_from_text, safe_name
from kawe.cases.batches.approving import approval_files, reach_of_approval
from kawe.cases.batches.shown_plans import shown_beside
from kawe.cases.kinds import FETCHED, KINDS
from kawe.cases.kit import Toolkit
from kawe.cases.records.watching import answers_words
from kawe.cases.templates import fetch_template, make_template
from kawe.desk.next_words import in_pages
from kawe.desk.pages.batch import standing_of, standings_of_works
from kawe.desk.pages.check import start_check
from kawe.desk.pages.plan import PLAN, keep_shown
from kawe.desk.rendering import go_to, opened
from kawe.desk.visits import DeskVisit, FormRefused, Upload, about, done_at, shown_at
from kawe.desk.works import BOOKS, Work, put_file
from kawe.domain.text.texts import one_line
from kawe.durable import make_folder
from kawe.errors import JournalError

FETCH: Final = "fetch"
_TOOK: Final = "workbook"


@shown_at("/")
def start(visit: DeskVisit) -> Response:
    """Show the workbooks, the newest first: how each stands, and one next step."""
    standing, answers = standings_of_works(visit), ""
    batches = [each.batch for of in standing.values() for each in of]
    # Where answers cannot be read, the page that asks for them says so.
    with suppress(JournalError):
        if batches:
            answers = asyncio.run(answers_words(visit.toolkit, batches))
    works = visit.works.every()
    return visit.page(
        "start.html",
        kinds=KINDS,
        can_be_fetched=FETCHED.values(),
        fetched=visit.tried(FETCH),
        works=works,
        signed=[e.id for e in works if e.choices.signs and approval_files(e.plan)],
        standing=standing,
        answers=answers,
    )


@shown_at("/template")
def template(visit: DeskVisit) -> Response:
    """Give an empty workbook of a kind, or the one that was fetched last."""
    kind = next((e for e in KINDS if e.value == visit.query.get("kind")), KINDS[0])
    if "fetched" in visit.query:
        return opened(visit.works.folder / FETCH / f"{kind}.xlsx")
    return opened(make_template(kind, _room_for(visit, kind), says=in_pages))


@done_at("/fetch", on=start)
def fetch(visit: DeskVisit) -> Response:
    """Fetch what the service has now of a kind, to change and to put in."""
    if (kind := visit.text("kind")) not in FETCHED:
        raise FormRefused("Choose what to fetch. Nothing was done.", field="kind")

    async def do(toolkit: Toolkit) -> tuple[Path, int]:
        return await fetch_template(toolkit, kind, _room_for(visit, kind, of=FETCH))

    return visit.begin(FETCH, do)


def _room_for(visit: DeskVisit, kind: str, *, of: str = "empty") -> Path:
    """Make room for a sheet where a purge finds it: it may name people."""
    path = visit.works.folder / of / f"{kind}.xlsx"
    make_folder(path.parent)
    path.unlink(missing_ok=True)
    return path


@done_at("/works", on=start)
def take(visit: DeskVisit) -> Response:
    """Take a workbook with its attachments, and with the plan that is to be signed."""
    given = visit.uploads(_TOOK)
    if plans := [each for each in given if each.ending == ".json"]:
        return _show_plan(visit, plans[0], [e for e in given if e is not plans[0]])
    return start_check(visit, _kept(visit, given))


def _show_plan(visit: DeskVisit, plan: Upload, beside: Sequence[Upload]) -> Response:
    content = plan.content.read()
    with about(_TOOK):
        saved = plan_from_text(content.decode(errors="replace"))
        reach_of_approval(saved)
    name = saved.reading.workbook.name
    if not any(each.ending == PurePath(name).suffix.casefold() for each in beside):
        raise FormRefused(
            "This is a plan that somebody else made. To sign it, choose it together "
            f"with its workbook, {name}, and the attachments. Nothing was done.",
            field=_TOOK,
        )
    work = _kept(visit, beside, name=name, signs=True)

    async def do(toolkit: Toolkit) -> None:
        shown = await shown_beside(
            toolkit, saved, workbook=work.workbook, tray=work.files
        )
        keep_shown(work, saved, shown)
        put_file(work.plan, BytesIO(content))

    return visit.begin(PLAN, do, work=work)


def _kept(
    visit: DeskVisit, given: Sequence[Upload], *, name: str = "", signs: bool = False
) -> Work:
    """Keep the workbook among some files; the others are its attachments."""
    book = _book_among(given, like=PurePath(name))
    kept, now = safe_name(book.name, "workbook.xlsx"), datetime.now(UTC)
    work = visit.works.add(kept, book.content, at=now, signs=signs)
    for each in given:
        if each is not book:
            put_file(work.files / safe_name(each.name, "attachment"), each.content)
    return work


def _book_among(given: Sequence[Upload], *, like: PurePath) -> Upload:
    """Tell a workbook from its attachments, which can be sheets too."""
    endings = {like.suffix.casefold()} if like.name else BOOKS
    books = [each for each in given if each.ending in endings] or given
    books = [each for each in books if each.name == like.name] or books
    if len(books) == 1:
        return books[0]
    names = one_line(", ".join(each.name for each in books), limit=200)
    why = f"Put in one workbook with its attachments; these are several: {names}."
    why = why if books else "Choose a workbook."
    raise FormRefused(f"{why} Nothing was done.", field=_TOOK)


@done_at("/works/{work}/remove", on=start)
def take_out(visit: DeskVisit) -> Response:
    """Remove the copy of a workbook of which nothing was submitted."""
    work = visit.work
    if standing_of(visit, work):
        raise FormRefused(f"{work.name} stays: rows of it were submitted.")
    shutil.rmtree(work.folder)
    return go_to("/")
