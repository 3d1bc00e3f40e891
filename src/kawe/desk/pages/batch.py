"""The batches of the journal and their results."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from starlette.exceptions import HTTPException
from starlette.responses import Response

from kawe.cases import safe_name
from kawe.cases.batches.checking import books_of
from kawe.cases.batches.ending import Closing, SentRows
from kawe.cases.kinds import PUT_BACK
from kawe.cases.kit import Toolkit
from kawe.cases.records import reporting
from kawe.cases.sheets import result_place_of
from kawe.cases.templates import Undoing, undo_template
from kawe.desk.rendering import go_to, opened
from kawe.desk.visits import DeskVisit, done_at, shown_at
from kawe.desk.works import Work
from kawe.domain.batch.explaining import left_of
from kawe.domain.batch.outcomes import GOES_ON, BatchReport, Outcome
from kawe.domain.batch.runs import RunRecord
from kawe.domain.rows.entries import Batch
from kawe.errors import SettingsError

REPORT: Final = "report"
_ENDINGS: Final = ("xlsx", "html", "csv", "json")
UNDO: Final = "undo"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Standing:
    """One batch and how it stands."""

    batch: Batch
    report: BatchReport
    runs: tuple[RunRecord, ...]
    """The newest first."""
    results: Mapping[str, Path]
    """The results that are there, by the ending of their names."""
    work_id: str
    """A workbook of the desk that it was read from; empty: it was from elsewhere."""

    @property
    def left(self) -> int:
        return left_of(self.report).total()

    @property
    def last_sent(self) -> SentRows:
        return SentRows.of(self.report, self.runs)

    @property
    def goes_on(self) -> int:
        """Count the rows that a run left behind: another run goes on with them."""
        left = left_of(self.report)
        return sum(left[each] for each in (*GOES_ON, Outcome.DRAFTED))

    @property
    def next_step(self) -> tuple[str, str]:
        """Say what to do next about its workbook of the desk, and on which page."""
        counts, place = self.report.counts(), f"/works/{self.work_id}"
        steps = (
            (self.goes_on, "Go on", f"{place}/plan"),
            (counts[Outcome.HELD], "Decide about held rows", "/held"),
            (counts[Outcome.DEFERRED], "Release what waits for tokens", "/queue"),
            (counts[Outcome.INVALID], "Correct rows", place),
            ("receipt_number" in self.report.gives, "Save the receipts", "/year"),
            (True, "Put in another workbook", "/"),
        )
        return next((words, page) for is_so, words, page in steps if is_so)


@shown_at("/find")
def find(visit: DeskVisit) -> Response:
    """Show what became of rows, over all batches, by what a person remembers."""
    words, nothing = visit.query.get("q", "").strip(), ""
    look = partial(reporting.find_rows, visit.toolkit, words)
    try:
        rows = visit.once(("find", words), lambda: asyncio.run(look())) if words else []
    except SettingsError as none:
        if asyncio.run(_standings(visit, name=words)):
            return batch(replace(visit, query={"name": words}))
        nothing, rows = none.message, []
    return visit.page("find.html", words=words, nothing=nothing, **visit.part_of(rows))


@shown_at("/batches")
def batches(visit: DeskVisit, *, ended: Sequence[Closing] | None = None) -> Response:
    """Show every batch, or what became of those of a release that has `ended`."""
    every = asyncio.run(_standings(visit, counted=ended is None))
    of_it = {each.report.batch for each in ended or ()}
    every = [each for each in every if ended is None or each.batch.name in of_it]
    return visit.page("batches.html", batches=every, ended=ended)


@shown_at("/batch")
def batch(visit: DeskVisit) -> Response:
    """Show the rows of one batch, those of one outcome where that is asked."""
    found = _named(visit)
    shown = visit.query.get("outcome", "")
    look = partial(reporting.rows_in_order, visit.toolkit, found.batch, found.report)
    every = visit.once(("rows", found.batch.name), lambda: asyncio.run(look()))
    part = visit.part_of([row for of, row in every.values() if shown in {"", of.value}])
    rows = asyncio.run(reporting.in_full(visit.toolkit, found.batch, part["rows"]))
    return visit.page(
        "batch.html",
        each=found,
        can_be_put_back=found.batch.kind.value in PUT_BACK,
        shown=shown,
        **{**part, "rows": rows},
    )


@shown_at("/batch/result")
def result(visit: DeskVisit) -> Response:
    return opened(_named(visit).results.get(visit.query.get("as", "")))


def _named(visit: DeskVisit) -> _Standing:
    name = visit.query.get("name", "")
    if not (found := asyncio.run(_standings(visit, name=name, counted=True))):
        raise HTTPException(404, "There is no such batch.")
    return found[0]


@done_at("/batch/write", on=batches)
def write_again(visit: DeskVisit) -> Response:
    """Write the result of a batch again."""
    name = visit.text("name")

    async def write(toolkit: Toolkit) -> Path:
        report = await reporting.reported_batch(toolkit, name, result=None)
        return report.write(toolkit)

    return visit.begin(REPORT, write)


@done_at("/batch/undo", on=batches)
def undo(visit: DeskVisit) -> Response:
    """Put in the sheet that puts back what a batch did."""
    batch, works = visit.text("name"), visit.works

    async def write(toolkit: Toolkit) -> tuple[Undoing, list[Work]]:
        with TemporaryDirectory() as place:
            path = Path(place) / safe_name(f"undo-{batch}.xlsx", "undo.xlsx")
            done = await undo_template(toolkit, batch, path)
            made = []
            for each in done.workbooks:
                with each.open("rb") as content:
                    made.append(works.add(each.name, content, at=datetime.now(UTC)))
        return done, made

    return visit.begin(UNDO, write)


@shown_at("/batch/undone")
def undone(visit: DeskVisit) -> Response:
    """Say what the sheet puts back, and what it leaves out."""
    if (answer := visit.runs.answer(UNDO)) is None:
        return go_to("/batches")
    done, made = answer
    return visit.page("undo.html", done=done, works=made)


def standings_of_works(visit: DeskVisit) -> dict[str, list[_Standing]]:
    """Say how each workbook of the desk stands, by its id."""
    found: dict[str, list[_Standing]] = {}
    for each in asyncio.run(_standings(visit, of_works=True, counted=True)):
        found.setdefault(each.work_id, []).append(each)
    return found


def standing_of(
    visit: DeskVisit, work: Work, *, counted: bool = True
) -> list[_Standing]:
    return asyncio.run(_standings(visit, work_id=work.id, counted=counted))


def standings_at_work(visit: DeskVisit, since: datetime | None) -> list[_Standing]:
    """Say how the batches stand that a run is at work on, which began after `since`."""
    every = asyncio.run(_standings(visit, counted=True)) if since else []
    newest = ((each, run) for each in every for run in each.runs[:1])
    return [e for e, run in newest if since and not run.end and run.began_at >= since]


async def _standings(
    visit: DeskVisit,
    *,
    name: str | None = None,
    work_id: str | None = None,
    of_works: bool = False,
    counted: bool = False,
) -> list[_Standing]:
    """Say how batches stand, the newest first.

    `of_works`: once for each workbook of the desk that they were read from; `counted`:
    rows that are quiet are only counted.
    """
    toolkit = visit.toolkit
    if not toolkit.has_journal:
        return []
    read: dict[str, tuple[BatchReport, tuple[RunRecord, ...]]] = {}
    read = visit.once(("standings", counted), read.copy)
    async with toolkit.open_journal(read_only=True) as journal:
        known = tuple(await journal.batches())
        books = {
            each.id: (str(each.workbook.resolve()), each.batch, each.keys)
            for each in reversed(visit.works.every())
        }
        places = visit.once("places", dict[str, list[str]])
        works = await books_of(known, books, places=places, journal=journal)
        of_interest = [
            each
            for each in reversed(known)
            if work_id in {None, *works[each.name]}
            and name in {None, each.name}
            and (works[each.name] or not of_works)
        ]
        new = [each for each in of_interest if each.name not in read]
        quiet = reporting.COUNTED_STATES if counted else reporting.NO_STATES
        stand = await reporting.standing_in(toolkit, journal, batches=new, quiet=quiet)
    for each, report in stand.known:
        runs = tuple(run for run in stand.runs if run.batch == each.name)
        read[each.name] = report, runs
    if not of_works:
        works = {n: [work_id or ["", *of][-1]] for n, of in works.items()}
    return [
        _Standing(
            batch=each,
            report=read[each.name][0],
            runs=read[each.name][1],
            results=_results(each, known),
            work_id=at_work,
        )
        for each in of_interest
        for at_work in works[each.name]
    ]


def _results(batch: Batch, among: tuple[Batch, ...]) -> dict[str, Path]:
    place = result_place_of(batch, among=among).absolute()
    found = {ending: place.with_suffix(f".{ending}") for ending in _ENDINGS}
    return {ending: path for ending, path in found.items() if path.is_file()}
