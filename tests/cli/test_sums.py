"""The end of a run proves that no row was lost on the way, and says so."""

import asyncio
from dataclasses import replace

import openpyxl
import pytest

from doubles.memory_scene import MemoryScene
from doubles.rows import checked_projects, project
from doubles.service import MemoryService
from kawe.cases.batches.ending import Ending, Extracts
from kawe.cases.kit import NoProgress, Toolkit
from kawe.cases.session import Session
from kawe.cli.output import printing
from kawe.cli.output.exit import ExitState
from kawe.cli.shared.options import CommandContext
from kawe.cli.shared.running import closed, closing_lines
from kawe.domain.batch.exit_codes import ExitCode
from kawe.domain.batch.outcomes import UnownedDraft
from kawe.settings.values import Settings


@pytest.fixture
def ending_with(tmp_path):
    """Give a function that ends a run of two rows, of which so many were read."""

    async def go(scene, run, **how):
        toolkit = Toolkit(
            settings=Settings(base_url="http://127.0.0.1:9", key="k"),
            progress=NoProgress(),
            halt=scene.halt,
        )
        (batch,) = await scene.journal.batches()
        context = CommandContext(
            toolkit=toolkit, state=ExitState(), progress=NoProgress(), as_json=False
        )
        ending = Ending(
            session=Session(
                toolkit=toolkit,
                service=scene.service,
                journal=scene.journal,
                account=run.account,
                mode="sandbox",
            ),
            run=run,
            command="submit",
            result=tmp_path / "result.xlsx",
            **how,
        )
        workbook = tmp_path / "monthly.xlsx"
        none = Extracts(
            failed=None,
            geojson=None,
            workbook=workbook,
            result=ending.result,
            toolkit=toolkit,
        )
        done = closed(context, await ending.write(batch, workbook=workbook), none)
        printing.print_lines(closing_lines(done))
        return done.code

    def end(*, second_drafts=(), service=None, **how):
        scene = MemoryScene(service=service or MemoryService())
        run = scene.submit(checked_projects([project(1), project(2)]))
        run.tally.second_drafts = second_drafts
        return asyncio.run(go(scene, run, **how))

    return end


def _summary(folder):
    book = openpyxl.load_workbook(folder / "result.xlsx")
    cells = [
        cell for row in book["Summary"].iter_rows(values_only=True) for cell in row
    ]
    return " ".join(str(cell) for cell in cells if cell)


@pytest.mark.parametrize("how", [{"rows_read": 2}, {}], ids=["submit", "release"])
def test_sums_that_agree_are_printed(ending_with, capsys, how):
    code = ending_with(**how)
    said = capsys.readouterr()
    assert (code, said.err) == (ExitCode.DONE, "")
    assert "2 rows were read, and 2 outcomes found: all here.\n" in said.out


def test_a_lost_row_is_an_error_of_kawe_loud_on_every_way(
    ending_with, capsys, tmp_path
):
    code = ending_with(rows_read=3)
    loud = "THE SUMS DO NOT AGREE: 3 rows read, 2 outcomes for 2 rows."
    said = capsys.readouterr()
    assert (code, loud in said.err, loud in said.out, loud in _summary(tmp_path)) == (
        ExitCode.UNEXPECTED,
        True,
        True,
        True,
    )


class EditedInTheLastMoment(MemoryService):
    """Shows one of its projects otherwise once it was sent."""

    async def project(self, project):
        found = await super().project(project)
        if found is None or found.is_draft or found.reference != "R-2":
            return found
        return replace(found, name="Culvert at Ōtara")


def test_a_row_that_went_out_otherwise_is_said_and_waits_for_a_person(
    ending_with, capsys, tmp_path
):
    code = ending_with(service=EditedInTheLastMoment(), rows_read=2)
    words = "name from Culvert 2 at Māngere to Culvert at Ōtara"
    assert (code, words in capsys.readouterr().out, words in _summary(tmp_path)) == (
        ExitCode.ROWS_WAIT_FOR_PERSON,
        True,
        True,
    )


def test_second_drafts_are_named_in_words_and_in_the_result(
    ending_with, capsys, tmp_path
):
    second = UnownedDraft(reference="R-2", name="x", project_id="p", why="a second one")
    code = ending_with(second_drafts=(second,), rows_read=2)
    words = "R-2 (a second one)"
    assert (code, words in capsys.readouterr().out, words in _summary(tmp_path)) == (
        ExitCode.DONE,
        True,
        True,
    )
