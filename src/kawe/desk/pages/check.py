"""A workbook is read and checked: what was read as what, and all that was found."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from starlette.responses import Response

from kawe.cases import safe_name
from kawe.cases.batches.checking import check_sheets
from kawe.cases.columns import fields_of, keep_addresses, keep_reading
from kawe.cases.kinds import KINDS
from kawe.cases.kit import Toolkit
from kawe.cases.sheets import result_place, results_beside
from kawe.cases.tray import LOOKS, Tray, gather, missing_names, tray_of
from kawe.desk.next_words import BOXES
from kawe.desk.pages.batch import standing_of
from kawe.desk.rendering import go_to, opened
from kawe.desk.runs import Balance, Coded, PageRun
from kawe.desk.visits import DeskVisit, FormRefused, done_at, said_of, shown_at
from kawe.desk.works import BOOKS, Work, put_file
from kawe.domain.batch.exit_codes import ExitCode
from kawe.domain.batch.outcomes import BatchReport, Outcome
from kawe.domain.sheet.columns import Column, SheetKind
from kawe.domain.sheet.findings import (
    FILE_MISSING,
    SHOWN_FIRST,
    FindingGroup,
    Problems,
    Severity,
)
from kawe.domain.sheet.tables import ReadAs, Table
from kawe.domain.text.texts import one_line
from kawe.durable import make_folder
from kawe.errors import ReadingUnclear, WorkbookError
from kawe.settings.files import typed_path

CHECK: Final = "check"
_FINDINGS_SHOWN: Final = 300
_LEFT_OUT: Final = "You wanted a check without it."


@dataclass(frozen=True, slots=True, kw_only=True)
class Questions:
    """What a person is asked about the columns before rows are checked."""

    head: Table
    lacking: tuple[Column, ...]
    """Columns that the sheet has not, and that can be said in a word."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Findings:
    """What a check found."""

    report: BatchReport
    problems: Problems
    offline: str
    """Why the service was not asked; empty: it was."""
    tray: Tray
    near: Mapping[str, tuple[str, str]]
    """By how it is shown, an address and the only one of the table near to it."""

    @property
    def listed(self) -> tuple[list[list[FindingGroup]], list[list[FindingGroup]]]:
        """Give what the tray does not say already, and mere notes apart.

        Notes of one kind under one heading stand together: only values differ.
        """
        heavy, notes = list[list[FindingGroup]](), dict[object, list[FindingGroup]]()
        for each in self.problems:
            rule, is_note = each.first.rule, each.severity is Severity.NOTE
            if is_note and rule not in SHOWN_FIRST:
                notes.setdefault((rule, each.first.heading), []).append(each)
            elif rule != FILE_MISSING:
                heavy.append([each])
        return heavy, [*notes.values()]


def start_check(visit: DeskVisit, work: Work, *, asks: bool = False) -> Response:
    """Begin a check, and show how it goes; ask of columns where they are open.

    With `asks`, the table of the columns is shown though nothing in it is open.
    """
    leaves_out, works = visit.is_ticked("offline"), visit.works

    async def do(toolkit: Toolkit) -> Coded:
        reading = work.reading
        try:
            sheet = toolkit.sheets(reading).lists[0]
        except ReadingUnclear as choice:
            return Coded(choice, ExitCode.WORKBOOK)
        chosen, head = work.choices, toolkit.head(reading)
        lacking = () if chosen.given is not None else toolkit.lacking(reading)
        if asks or (head.read_as.open and not chosen.skips_headings) or lacking:
            asked = Questions(head=head, lacking=lacking)
            return Coded(asked, ExitCode.ROWS_TO_CORRECT)
        offline = str(toolkit.settings.refusal() or (_LEFT_OUT if leaves_out else ""))
        for _ in range(LOOKS):
            (checked,), _ = await check_sheets(
                toolkit, [work.reading], is_offline=bool(offline)
            )
            if not gather(
                work.files, work.folder_of_files, missing_names(checked.problems)
            ):
                break
        report = checked.report
        if (team := checked.team) and visit.runs.balance is None:
            visit.runs.balance = Balance(at=toolkit.clock.now(), team=team)
        place = result_place(work.workbook, wanted=None, label=sheet.label)
        toolkit.writer(work.workbook).write(report, place)
        if toolkit.told is not None:
            toolkit.told.record(report, code=checked.code, because=None)
        ready = report.counts()[Outcome.READY] if report.rows else None
        batch = checked.batch or work.batch
        sheets = toolkit.list_names(reading, sheet=sheet.sheet)
        kept = replace(work, ready=ready, batch=batch, keys=checked.keys, sheets=sheets)
        works.keep(kept)
        found = Findings(
            report=report,
            problems=checked.problems,
            offline=offline,
            tray=tray_of(work.reading.root, checked.attached, checked.problems),
            near={line: pair for pair, line in toolkit.near_addresses(reading).items()},
        )
        return Coded(found, checked.code)

    return visit.begin(CHECK, do, work=work)


@shown_at("/works/{work}")
def show(visit: DeskVisit) -> Response:
    """Show what the last check of a workbook gave."""
    work = visit.work
    if work.choices.signs:
        return go_to(f"/works/{work.id}/plan")
    if visit.is_at(work):
        return go_to("/job")
    last = visit.runs.last(work.id, CHECK)
    answer = visit.runs.answer(CHECK, work_id=work.id)
    questions = answer if isinstance(answer, Questions) else None
    found = answer if isinstance(answer, Findings) else None
    kind = questions.head.kind.value if questions else found and found.report.kind
    return visit.page(
        "work.html",
        work=work,
        step=CHECK,
        trouble=trouble_of(last),
        is_of_book=last is not None and type(last.trouble) is WorkbookError,
        choice=answer if isinstance(answer, ReadingUnclear) else None,
        boxes=[(field, said.label) for field, said in BOXES.items()],
        kinds=tuple(each.value for each in KINDS),
        questions=questions,
        fields=fields_of(SheetKind.named(kind)) if kind else (),
        found=found,
        is_past=last is not None and last.is_past,
        shown=_FINDINGS_SHOWN,
        standing=standing_of(visit, work),
        results=results_of(work),
    )


def trouble_of(run: PageRun | None) -> str:
    """Say why a run of the desk ended early; empty: it did not."""
    return "" if run is None or run.trouble is None else said_of(run.trouble)


@done_at("/works/{work}/check", on=show)
def check_again(visit: DeskVisit) -> Response:
    """Check once more, as a person now wants the workbook read."""
    chosen: dict[str, object] = {name: visit.is_ticked(name) for name in BOXES}
    struck = {"yes": True, "no": False}.get(visit.text("takes_struck"))
    work = visit.works.change(
        visit.work,
        **chosen,
        takes_struck=struck,
        sheet=visit.text("sheet") or None,
        table=visit.text("table") or None,
        kind=visit.text("kind") if visit.text("kind") in KINDS else None,
        files_root=_folder(visit.text("files_root")),
    )
    return start_check(visit, work)


def _folder(typed: str) -> str | None:
    """Read the path of a folder as Explorer copies it: in quotes."""
    if not (typed := typed.strip('"')):
        return None
    path = typed_path(typed)
    if not path.is_absolute() or not path.is_dir():
        raise FormRefused(
            f"There is no folder {one_line(typed)} on this computer. Write its whole "
            "path. Nothing was changed.",
            field="files_root",
        )
    return str(path)


@done_at("/works/{work}/sheet", on=show)
def choose_sheet(visit: DeskVisit) -> Response:
    """Read the sheet, table or kind that a person chose; the rest stays chosen."""
    said: dict[str, object] = {e: visit.text(e) for e in ("sheet", "table", "kind")}
    said["send_by_default"] = visit.is_ticked("send_by_default")
    chosen = {each: word for each, word in said.items() if word}
    return start_check(visit, visit.works.change(visit.work, **chosen))


@done_at("/works/{work}/again", on=show)
def put_in_again(visit: DeskVisit) -> Response:
    """Take the corrected workbook in the place of the one before."""
    work, chosen = visit.work, visit.uploads("workbook")
    if not chosen:
        raise FormRefused("Choose a workbook. Nothing was changed.", field="again")
    suffix = chosen[0].ending
    is_other = suffix != work.workbook.suffix.casefold()
    # What was never read may be saved as something else, as its page advises.
    if is_other and (suffix not in BOOKS or work.ready is not None):
        raise FormRefused(
            f"This is a {one_line(suffix) or 'file without ending'}, and the workbook "
            f"of before is a {work.workbook.suffix}. Save it like that one, or put it "
            "in as a new workbook on the first page. Nothing was changed.",
            field="again",
        )
    if is_other:
        work = replace(work, name=Path(work.name).with_suffix(suffix).name)
    put_file(work.workbook, chosen[0].content)
    visit.works.keep(work := replace(work, ready=None, batch="", keys=()))
    return start_check(visit, work)


@done_at("/works/{work}/files", on=show)
def add_files(visit: DeskVisit) -> Response:
    """Keep attachments beside the workbook, where the column Files is looked up."""
    work = visit.work
    for each in visit.uploads("attachments"):
        put_file(work.files / safe_name(each.name, "attachment"), each.content)
    return start_check(visit, work)


@done_at("/works/{work}/places", on=show)
def add_places(visit: DeskVisit) -> Response:
    """Keep a table of addresses with coordinates, or go without one."""
    work, given = visit.work, visit.uploads("places")
    name = safe_name(given[0].name, "places") if given else None
    if name is not None:
        make_folder(work.places)
        put_file(work.places / name, given[0].content)
    return start_check(visit, visit.works.change(work, places=name))


@done_at("/works/{work}/addresses", on=show)
def confirm_addresses(visit: DeskVisit) -> Response:
    """Keep which near addresses a person ticked: a place decides which iwi is asked."""
    work, ticked = visit.work, visit.form.getlist("near")
    near = getattr(visit.runs.answer(CHECK, work_id=work.id), "near", {})
    if not (taken := dict(pair for line, pair in near.items() if line in ticked)):
        raise FormRefused("Tick those that are one place. Nothing was changed.")
    keep_addresses(visit.toolkit, work.reading, taken)
    return start_check(visit, work)


@done_at("/works/{work}/columns", on=show)
def change_columns(visit: DeskVisit) -> Response:
    return start_check(visit, visit.work, asks=True)


@done_at("/works/{work}/headings", on=show)
def answer_headings(visit: DeskVisit) -> Response:
    """Keep what a person says of the columns, as `kawe columns` does."""
    work = visit.work
    asked = visit.runs.answer(CHECK, work_id=work.id)
    shape = asked.head.read_as.shape if isinstance(asked, Questions) else None
    if not isinstance(asked, Questions) or visit.text("shape") != shape:
        raise FormRefused(
            "These columns are not asked about any more. Nothing was kept; to change "
            "them, press “Change how the columns are read”."
        )
    given = dict(work.choices.given or {})
    for column in asked.lacking:
        value = visit.text(f"given.{column.field}")
        if value in {each.value for each in column.choices}:
            given[column.field] = value
    skips = bool(visit.text("skip"))
    if not skips:
        read_as = _said(visit, asked.head)
        keep_reading(visit.toolkit, read_as, kind=asked.head.kind, workbook=work.name)
    said = given if asked.lacking else work.choices.given
    changed = visit.works.change(work, given=said, skips_headings=skips)
    return start_check(visit, changed)


def _said(visit: DeskVisit, head: Table) -> ReadAs:
    """Take the choice of each column; two columns never get the same one."""
    fields, read_as = {e.field: e for e in fields_of(head.kind)}, head.read_as
    words = [visit.text(f"column.{each.column}") for each in read_as.every]
    for each, word in zip(read_as.every, words, strict=True):
        # The parts of a column have its name, and are left as they are.
        if word == ("" if each.means is None else each.means.field):
            if each.has_no_guess:
                raise FormRefused(
                    f"Say what {each.shown} is: it {each.sure_words}. Choose that, or "
                    "“not read”. Nothing was kept.",
                    field=f"column.{each.column}",
                )
            continue
        if (means := fields.get(word)) is not None and words.count(word) > 1:
            raise FormRefused(
                f"Two columns cannot both be {means.title}. Nothing was kept.",
                field=f"column.{each.column}",
            )
        read_as = read_as.with_word(each.column, means)
    return read_as


def results_of(work: Work) -> list[Path]:
    """List its results, the workbook first: the others are for programs."""
    found = results_beside(work.workbook)
    return sorted(found, key=lambda path: (not path.suffix.startswith(".xls"), path))


@shown_at("/works/{work}/file")
def result(visit: DeskVisit) -> Response:
    """Give a result that lies beside the workbook."""
    found = {path.name: path for path in results_of(visit.work)}
    return opened(found.get(visit.query.get("name", "")))
