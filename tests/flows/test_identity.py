"""A row is the same row wherever it goes: sorted, renamed, saved again, split.

The workbooks are real files, read as a person's are; the service counts what
would change the world.
"""

import asyncio
import shutil
import subprocess
from collections import Counter
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path
from types import SimpleNamespace

import openpyxl
import pytest

from doubles.command import HEADINGS
from doubles.memory_scene import MemoryScene
from doubles.submitting import submit
from kawe.cases.kit import NoProgress, Toolkit
from kawe.domain.batch.agreements import Budget
from kawe.domain.batch.outcomes import Outcome
from kawe.domain.batch.readings import Reading
from kawe.flows.plan.belonging import Source
from kawe.flows.plan.planning import make_plan
from kawe.flows.report.reporting import Submitted
from kawe.settings.values import Settings

UNSAFE = ("create", "update", "send", "invite", "upload")
OFFICE = shutil.which("soffice") or shutil.which("libreoffice")


def row(number, **changes):
    """Make a row; every second has no reference."""
    values = {
        "Reference": f"R-{number}" if number % 2 else None,
        "Name": f"Ōtāhuhu culvert {number}",
        "Description": "A culvert is replaced.\nThe stream is “diverted”.",
        "Type": "Earthworks",
        "Start date": date(2030, 3, 1),
        "End date": date(2030, 9, 30),
        "Respond by": date(2030, 4, 1),
        "Latitude": -36.85 - number / 1000,
        "Longitude": 174.76,
        "Send": "yes" if number % 3 else "no",
        **changes,
    }
    return [values[heading] for heading in HEADINGS]


def write(path, rows, *, headings=HEADINGS):
    """Write a workbook."""
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "Projects"
    sheet.append(list(headings))
    for values in rows:
        sheet.append(values)
    book.save(path)
    return path


@dataclass(slots=True, kw_only=True)
class Desk:
    """A person with a folder of workbooks, one journal and one service."""

    folder: Path
    scene: MemoryScene = field(default_factory=MemoryScene)

    @property
    def toolkit(self):
        """Give kawe, with settings that reach nothing."""
        return Toolkit(
            settings=Settings(base_url="http://127.0.0.1:9", key="k"),
            progress=NoProgress(),
            halt=self.scene.halt,
        )

    def submit(self, path):
        """Submit a workbook as the command does; give its plan."""
        return asyncio.run(self._submit(path))

    def result(self, path, *, workbook=None):
        """Write the result of the latest batch, as a new workbook or of `workbook`."""

        async def go():
            batch = (await self.scene.journal.batches())[-1]
            submitted = workbook and Submitted(reading=batch.reading)
            journal = self.scene.journal
            frame = replace(await self.toolkit.frame(journal), submitted=submitted)
            return await self.toolkit.report(batch, journal=journal, frame=frame)

        report = asyncio.run(go())
        source = workbook or path.with_name("none.xlsx")
        return self.toolkit.writer(source).write(report, path)

    def unsafe(self):
        """Count the calls that change the world."""
        return sum(self.scene.service.calls[call] for call in UNSAFE)

    async def _submit(self, path):
        scene = self.scene
        run = await scene.run()
        checked = await self.toolkit.check(
            Reading(workbook=path),
            service=SimpleNamespace(lookups=scene.service),
            journal=scene.journal,
        )
        plan = await make_plan(
            checked,
            source=Source(workbook=path, read_at=scene.clock.now()),
            account=run.account,
            journal=scene.journal,
        )
        budget = Budget(balance=run.account.balance)
        await submit(plan, run=run, budget=budget, organisations=checked.organisations)
        assert run.stop.because is None
        return plan


@pytest.fixture
def desk(tmp_path):
    """Give a desk whose nine rows are done."""
    desk = Desk(folder=tmp_path)
    desk.submit(write(tmp_path / "monthly.xlsx", [row(n) for n in range(1, 10)]))
    assert desk.scene.outcomes() == DONE
    return desk


DONE = Counter({Outcome.SENT: 6, Outcome.DRAFTED: 3})


def _sorted(desk):
    rows = [row(n) for n in (5, 3, 9, 1, 2, 8, 7, 6, 4)]
    return [write(desk.folder / "monthly.xlsx", rows)]


def _renamed(desk):
    target = desk.folder / "elsewhere" / "Ākuhata (final).xlsx"
    target.parent.mkdir()
    return [(desk.folder / "monthly.xlsx").rename(target)]


def _other_columns(desk):
    order = [HEADINGS.index(name) for name in sorted(HEADINGS)]
    rows = [[row(n)[at] for at in order] for n in range(1, 10)]
    headings = [HEADINGS[at] for at in order]
    return [write(desk.folder / "monthly.xlsx", rows, headings=headings)]


def _blank_rows(desk):
    rows = [values for n in range(1, 10) for values in ([None] * 10, row(n))]
    return [write(desk.folder / "monthly.xlsx", rows)]


def _saved_by_openpyxl(desk):
    path = desk.folder / "monthly.xlsx"
    openpyxl.load_workbook(path).save(path)
    return [path]


def _saved_by_libreoffice(desk):
    if OFFICE is None:
        pytest.skip("LibreOffice is not on this machine")
    return [saved_by_office(desk.folder / "monthly.xlsx", desk.folder / "saved")]


def saved_by_office(path, target):
    """Let LibreOffice save a workbook in the folder `target`; say where."""
    subprocess.run(
        [
            OFFICE,
            f"-env:UserInstallation={(target / 'profile').as_uri()}",
            "--headless",
            "--convert-to",
            "xlsx",
            "--outdir",
            str(target),
            str(path),
        ],
        check=True,
        capture_output=True,
        timeout=180,
    )
    return target / path.name


def _split(desk):
    halves = ([row(n) for n in range(1, 5)], [row(n) for n in range(5, 10)])
    names = ("first.xlsx", "second.xlsx")
    return [
        write(desk.folder / name, half)
        for name, half in zip(names, halves, strict=True)
    ]


def _fed_back(desk):
    return [desk.result(desk.folder / "monthly.result.xlsx")]


@pytest.mark.parametrize(
    "changed",
    [
        _sorted,
        _renamed,
        _other_columns,
        _blank_rows,
        _saved_by_openpyxl,
        _saved_by_libreoffice,
        _split,
        _fed_back,
    ],
    ids=lambda each: each.__name__.strip("_"),
)
def test_done_rows_cost_nothing_however_their_workbook_was_changed(desk, changed):
    before = desk.unsafe()
    plans = [desk.submit(path) for path in changed(desk)]
    assert (desk.unsafe() - before, desk.scene.outcomes()) == (0, DONE)
    assert sum(plan.finished for plan in plans) == 9


def test_two_workbooks_made_into_one_are_done_rows(tmp_path):
    desk = Desk(folder=tmp_path)
    desk.submit(write(tmp_path / "a.xlsx", [row(n) for n in range(1, 5)]))
    desk.submit(write(tmp_path / "b.xlsx", [row(n) for n in range(5, 10)]))
    before = desk.unsafe()
    desk.submit(write(tmp_path / "both.xlsx", [row(n) for n in range(9, 0, -1)]))
    assert (desk.unsafe() - before, desk.scene.outcomes()) == (0, DONE)


def test_an_edit_and_a_new_row_leave_the_others_alone(desk):
    before = desk.unsafe()
    rows = [row(n) for n in range(1, 11)]
    rows[0] = row(1, Description="Something else.")
    plan = desk.submit(write(desk.folder / "monthly.xlsx", rows))
    found = [each for line in plan.lines for each in line.findings]
    late = [each for each in found if each.rule == "edited-too-late"]
    # One create and one send, for row 10.
    assert (desk.unsafe() - before, len(late)) == (2, 1)
    assert (late[0].heading, "already sent as" in late[0].message) == (
        "Description",
        True,
    )


def test_a_row_that_moved_while_its_sends_waited_for_tokens_is_sent_once(tmp_path):
    desk = Desk(folder=tmp_path)
    desk.scene.service.tokens = 0
    desk.submit(write(tmp_path / "monthly.xlsx", [row(n) for n in range(1, 10)]))
    desk.scene.service.tokens = 9
    desk.submit(write(tmp_path / "sorted.xlsx", [row(n) for n in range(9, 0, -1)]))
    assert (desk.scene.outcomes(), desk.scene.service.calls["create"]) == (DONE, 9)
    assert set(desk.scene.service.sends.values()) == {1}
