"""Plans made and carried out in memory."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from doubles.loops import awaited
from doubles.memory_scene import MemoryScene
from doubles.rows import SOURCE
from doubles.sheets import NamedFiles, check_context, project_row, table
from doubles.submitting import submit
from kawe.domain.batch.agreements import Budget
from kawe.domain.batch.plans import Plan
from kawe.domain.batch.readings import Reading
from kawe.domain.batch.saved_plans import PlannedLimits, SavedPlan
from kawe.domain.rows.entries import Binding
from kawe.domain.service.service_words import IwiChoice
from kawe.flows.check.checking import Checked
from kawe.flows.plan.foreseeing import Foreseen, foresee, read_drafts
from kawe.flows.plan.planning import make_plan
from kawe.flows.plan.staleness import changes_since, planned_rows
from kawe.flows.run import Run
from kawe.kinds.projects import PROJECTS
from kawe.kinds.projects.rows import read_projects

SALT = "salt"


def sheet(*rows: dict[str, Any], files: NamedFiles | None = None) -> Checked:
    """Check rows made by `project_row`; all of them go to one iwi."""
    read = table(*rows)
    checked = read_projects(read, context=check_context(files=files))
    here = (IwiChoice(slug="tauira", name="Ngāti Tauira"),)
    routed = tuple(replace(row, goes_to=here if row.content else ()) for row in checked)
    return Checked(table=read, rows=routed, organisations={})


def rows_of(count: int, **changes: Any) -> list[dict[str, Any]]:
    """Make rows that are right."""
    return [project_row(number, **changes) for number in range(count)]


@dataclass(slots=True, kw_only=True)
class Planner:
    """Makes plans of sheets and holds them against others."""

    scene: MemoryScene = field(default_factory=MemoryScene)

    @awaited
    async def foresee(
        self,
        checked: Checked,
        *,
        drafts_only: bool = False,
        update_drafts: bool = False,
        **limits: Any,
    ) -> Foreseen:
        """Say what a submit would do."""
        run = await self.scene.run()
        plan = await self._plan(checked, run, update_drafts=update_drafts)
        budget = Budget(**{"balance": run.account.balance, **limits})
        return await foresee(run, plan, budget=budget, drafts_only=drafts_only)

    def shows(self, **changes: Any) -> None:
        """Change what the service shows of every draft."""
        self.scene.shows(**changes)

    def save(self, checked: Checked, **choices: Any) -> SavedPlan:
        """Make a plan to be kept."""
        foreseen = self.foresee(checked, **choices)
        rows = tuple(planned_rows(checked, foreseen, salt=SALT))
        return saved(rows=rows, sheet=checked.table.sheet)

    @awaited
    async def changes(self, plan: SavedPlan, checked: Checked) -> list[str]:
        """Say what changed since a plan was made."""
        run = await self.scene.run()
        known = await run.journal.known(r.key for r in checked.rows if r.key)
        fresh = await self._plan(checked, run, update_drafts=False)
        drafts = await read_drafts(run, fresh.entries)
        rows = checked.rows
        return [*changes_since(plan, rows, known=known, drafts=drafts)]

    def submit(self, checked: Checked, **choices: Any) -> Run:
        """Submit a sheet, all of it."""
        return self.scene.submit(checked, **choices)

    @awaited
    async def carry_out(self, checked: Checked, **changes: Any) -> Run:
        """Submit a sheet as a plan with `changes` says."""
        run = await self.scene.run()
        plan = await self._plan(checked, run, update_drafts=False)
        await submit(
            replace(plan, **changes),
            run=run,
            budget=Budget(balance=run.account.balance),
            organisations={},
        )
        return run

    async def _plan(self, checked: Checked, run: Run, *, update_drafts: bool) -> Plan:
        return await make_plan(
            checked,
            source=SOURCE,
            account=run.account,
            journal=self.scene.journal,
            update_drafts=update_drafts,
        )


def saved(*, rows: Iterable[Any], sheet: str = "Projects") -> SavedPlan:
    return SavedPlan(
        author="Mere",
        made_at=datetime(2026, 11, 21, 9, 0, tzinfo=UTC),
        kawe="1",
        rules="r",
        salt=SALT,
        account=Binding(base_url="u", team_id="t", team_name="Kāpiti", mode="live"),
        key_hash="h",
        sheet=sheet,
        reading=Reading(workbook=Path("monthly.xlsx"), kind=PROJECTS),
        limits=PlannedLimits(),
        balance=9,
        requests=1,
        seconds=None,
        rows=tuple(rows),
    )
