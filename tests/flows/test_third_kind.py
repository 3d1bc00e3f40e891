"""A third kind of sheet is one folder and one line in the table of kinds.

The folder is `tests/doubles/notes_kind`; the line is in `toolkit_of`. Everything
else is kawe as it is: a real twin, a real workbook, a journal on disk.
"""

import asyncio
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path
from types import SimpleNamespace

import openpyxl
import pytest

from doubles.at_the_twin import with_key
from doubles.lossy import losing
from doubles.machine import AskedToStop, Quiet
from doubles.notes_kind.notes import NOTE, NotesKind
from doubles.rows import checked_projects, project
from doubles.submitting import submit
from kawe.cases import read_plan, write_plan
from kawe.cases.batches.plans import make_saved_plan, prepare_saved, reading_of_plan
from kawe.cases.kinds import KINDS
from kawe.cases.kit import Toolkit
from kawe.cases.session import open_session
from kawe.cases.sheets import result_place
from kawe.cases.templates import make_template
from kawe.domain.batch.agreements import Budget
from kawe.domain.batch.approvals import Approval, approval_words, approved_plan
from kawe.domain.batch.outcomes import Outcome
from kawe.domain.batch.readings import Reading
from kawe.domain.batch.saved_plans import Action, PlannedLimits
from kawe.domain.service.states import NotDone, Reason
from kawe.domain.sheet import columns
from kawe.domain.sheet.columns import SheetKind
from kawe.flows.plan.wording import plan_lines
from kawe.flows.run import stop_reason
from kawe.settings.values import Settings

WORDS = ["Ring Aroha", "Ask for the plan", "Mōrena, Hēmi", "Thank everybody"]


@pytest.fixture
def notes_kind():
    """Declare the kind, for one test alone."""
    kind = NotesKind()
    yield kind
    columns._DECLARED.pop(kind.word)


@dataclass(kw_only=True)
class Desk:
    """A person with a folder, a twin and the kinds that kawe knows there."""

    scene: object
    folder: Path
    kinds: tuple
    halt: AskedToStop

    def toolkit(self):
        """Give kawe with another table of kinds."""
        settings = Settings(
            base_url=self.scene.twin.address.api_url,
            key=self.scene.twin.address.live_key,
            journal=self.folder / "notes.journal",
            settle_seconds=0.2,
        )
        return Toolkit(
            settings=settings, progress=Quiet(), halt=self.halt, kinds=self.kinds
        )

    def notebook(self, rows):
        """Fill a template in, as a person does."""
        path = make_template(self.kinds[-1], self.folder / "notes.xlsx")
        book = openpyxl.load_workbook(path)
        sheet = book["Memos"]
        for number, values in enumerate(rows, start=2):
            for column, value in enumerate(values, start=1):
                sheet.cell(row=number, column=column, value=value)
        book.save(path)
        return path

    def submit(self, path, *, wrap=lambda service: service):
        """Check, plan, submit, and write the result; say what was done."""
        reading = Reading(workbook=path)
        return asyncio.run(self._submit(path, wrap, lambda s: s.prepare(reading)))

    def plan(self, path, to):
        """Make a plan, and keep it in a file; change nothing."""

        async def make():
            async with open_session(self.toolkit()) as session:
                return await make_saved_plan(
                    session, Reading(workbook=path), limits=PlannedLimits()
                )

        write_plan(asyncio.run(make()).saved, to)
        return read_plan(to)

    def submit_plan(self, saved):
        """Carry out a plan that was kept, exactly so."""
        reading = reading_of_plan(saved, workbook=None, files_root=None)
        return asyncio.run(
            self._submit(
                reading.workbook,
                lambda service: service,
                lambda session: prepare_saved(session, saved, reading),
            )
        )

    async def _submit(self, path, wrap, prepare):
        toolkit = self.toolkit()
        async with open_session(toolkit) as opened:
            session = replace(opened, service=wrap(opened.service))
            prepared = await prepare(session)
            run = session.start()
            limits = {"budget": Budget(balance=None), "organisations": {}}
            await submit(prepared.plan, run=run, **limits)
            report = await toolkit.report(prepared.plan.batch, journal=session.journal)
        wanted = result_place(path, wanted=None)
        return SimpleNamespace(
            plan=prepared.plan,
            findings=prepared.checked.findings,
            because=run.stop.because,
            outcomes=report.counts(),
            result=toolkit.writer(path).write(report, wanted),
        )

    def threads(self):
        """Give what stands on the threads of all projects."""
        with with_key(self.scene.twin.address) as client:
            return [
                note["content"]
                for each in self.scene.state()["projects"]
                for note in client.get(f"/projects/{each['id']}/engagements").json()[
                    "response_object"
                ]["data"]
            ]


@pytest.fixture
def desk(scene_with, tmp_path, notes_kind):
    scene = scene_with(tokens=5)
    folder = tmp_path / "person"
    folder.mkdir()
    scene.submit(checked_projects([project(1, send=False), project(2, send=False)]))
    return Desk(
        scene=scene, folder=folder, kinds=(*KINDS, notes_kind), halt=AskedToStop()
    )


def rows_of(words=WORDS):
    return [(f"R-{at % 2 + 1}", each, "Phone call") for at, each in enumerate(words)]


def stopping(desk, *, at, after):
    """Stop the run after the n-th note, whose answer is lost."""
    numbers = {NOTE: frozenset({at})}
    lose = losing(after=numbers) if after else losing(before=numbers)

    def wrap(service):
        lossy = lose(service)
        act = lossy.acts.act

        async def act_and_stop(*args, **kwargs):
            verdict = await act(*args, **kwargs)
            desk.halt.asked = lossy.acts.counts[NOTE] >= at
            return verdict

        return replace(service, acts=SimpleNamespace(act=act_and_stop))

    return wrap


def test_a_template_of_it_is_written_and_read_as_that_kind(desk):
    path = desk.notebook(rows_of())
    table = desk.toolkit().read(Reading(workbook=path))
    assert (table.kind, len(table.rows), table.findings) == (
        SheetKind.named("memos"),
        len(WORDS),
        (),
    )


def test_a_wrong_row_is_named_by_its_cell_and_the_others_go(desk):
    path = desk.notebook([*rows_of(WORDS[:2]), ("R-1", None), ("R-9", "Where?")])
    told = desk.submit(path)
    places = {(str(each.where), each.rule) for each in told.findings}
    assert places == {("Memos!B4", "missing"), ("Memos!A5", "no-project")}
    assert told.outcomes == Counter({Outcome.DONE: 2, Outcome.INVALID: 2})


@pytest.mark.parametrize("after", [True, False], ids=["written", "never-arrived"])
def test_a_run_that_stopped_goes_on_and_a_doubt_is_settled_by_reading(desk, after):
    path = desk.notebook(rows_of())
    first = desk.submit(path, wrap=stopping(desk, at=2, after=after))
    assert first.outcomes == Counter(
        {Outcome.DONE: 1, Outcome.IN_DOUBT: 1, Outcome.UNFINISHED: 2}
    )
    desk.halt.asked = False
    assert desk.submit(path).outcomes == Counter({Outcome.DONE: 4})
    assert sorted(desk.threads()) == sorted(WORDS)


def test_run_again_there_is_nothing_to_do(desk):
    path = desk.notebook(rows_of())
    assert desk.submit(path).plan.own_steps == len(WORDS)
    asked = desk.scene.state()["requests"]["note_create"]
    again = desk.submit(path)
    assert (again.plan.has_work, again.plan.finished) == (False, len(WORDS))
    assert desk.scene.state()["requests"]["note_create"] == asked


def test_a_note_that_is_there_already_costs_no_call(desk):
    path = desk.notebook(rows_of())
    desk.submit(path)
    (desk.folder / "notes.journal").unlink()
    told = desk.submit(path)
    assert told.outcomes == Counter({Outcome.ALREADY_THERE: 4})
    assert sorted(desk.threads()) == sorted(WORDS)
    summary = openpyxl.load_workbook(told.result)["Summary"]
    said = {cell.value for row in summary.iter_rows() for cell in row}
    assert "The service has it already." in said


def test_its_result_says_how_each_row_stands(desk):
    result = openpyxl.load_workbook(desk.submit(desk.notebook(rows_of())).result)
    headings, *rows = result["Memos"].iter_rows(values_only=True)
    outcome = headings.index("Outcome")
    assert [row[outcome] for row in rows] == ["Done"] * len(WORDS)


def test_a_plan_of_it_is_kept_and_carried_out_exactly_so(desk, tmp_path):
    saved = desk.plan(desk.notebook(rows_of()), tmp_path / "plan.json")
    assert (saved.counts, saved.acts) == (Counter({Action.ACT: 4}), 4)
    assert desk.threads() == []
    assert desk.submit_plan(saved).outcomes == Counter({Outcome.DONE: 4})
    assert sorted(desk.threads()) == sorted(WORDS)


def test_a_plan_of_it_says_the_words_of_its_kind(desk, tmp_path):
    saved = desk.plan(desk.notebook(rows_of()), tmp_path / "plan.json")
    lines = list(plan_lines(saved))
    assert lines[2:3] == ["      4 will be written"]
    assert "The order of notes:" in lines
    word = Approval(
        plan=approved_plan(saved),
        batch="notes",
        author=saved.author,
        approved_by="Hēmi",
        sends=saved.acts,
        at=saved.made_at,
    )
    assert ", with 4 notes, at " in approval_words(word)


def test_a_key_that_may_not_is_told_so_in_the_words_of_its_kind(notes_kind):
    refused = NotDone(reason=Reason.SCOPE_MISSING, http_status=403, detail="no scope")
    assert str(stop_reason(NOTE, refused)).startswith(
        "The key may not write notes (403): no scope"
    )
    assert notes_kind.words_of(NOTE) == ("write notes", "to write it")


def test_a_check_without_the_service_reads_it(desk):
    path = desk.notebook([*rows_of(WORDS[:2]), ("R-1", None)])
    checked = asyncio.run(desk.toolkit().check(Reading(workbook=path)))
    assert [row.is_valid for row in checked.rows] == [True, True, False]
