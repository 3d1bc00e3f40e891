"""The statement of a period, where a list shifts or a person stops."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest

from doubles.memory_scene import MemoryScene
from doubles.rows import checked_projects, project
from doubles.service import AT, MemoryService
from kawe.domain.batch.periods import Period
from kawe.domain.service.service_words import Page
from kawe.domain.text.new_zealand import day_in_new_zealand, moment_words
from kawe.errors import PathUnknown, ServiceUnreachable
from kawe.flows.audit.auditing import audit
from kawe.flows.audit.gathering import Auditor
from kawe.flows.workers import StopSignal


class Audited(MemoryService):
    """A service with logs and invoices, and with projects that vanish."""

    __slots__ = ("bought", "extra", "vanished")

    def __init__(self):
        super().__init__()
        self.bought, self.extra, self.vanished = 100, 0, False

    async def projects(self, *, page, search=None, status=None):
        found = await super().projects(page=page, search=search, status=status)
        total = found.total + self.extra
        return Page(items=found.items, total=total, page=page)

    async def listed(self, operation, *, path, page, query=None):
        del query
        items = [
            {"id": "1", "quantity": self.bought, "status": "paid"},
            {"id": "2", "quantity": 9, "status": "open"},
        ]
        if operation == "project_logs":
            if self.vanished:
                raise PathUnknown(message="Not found.")
            sends = range(1 + self.sends[path["id"]])
            items = [
                {"id": f"{n}", "action": "SENT" if n else "CREATED"}
                | {"created_on": AT.isoformat()}
                for n in sends
            ]
        return Page(items=tuple(items), total=len(items), page=page)


def audited(scene, *, opening=None):
    async def go():
        run = await scene.run()
        today = day_in_new_zealand(AT)
        period = Period(
            since_on=today - timedelta(days=5), until_on=today + timedelta(days=5)
        )
        return await audit(
            Auditor(
                lookups=scene.service,
                journal=scene.journal,
                progress=scene.quiet,
                clock=scene.clock,
                stop=StopSignal(halt=scene.halt),
                account=run.account,
                mode="live",
                workers=2,
                period=period,
                draft_days=30,
                opening=opening,
            )
        )

    return asyncio.run(go())


@pytest.fixture
def scene():
    scene = MemoryScene(service=Audited())
    scene.submit(checked_projects([project(1), project(2)]))
    return scene


def test_sends_without_receipts_do_not_close_and_tokens_add_up(scene):
    made = audited(scene)
    assert (list(made.counts.values()), made.closes) == ([2, 2, 0, 2], False)
    assert [each.trouble.name for each in made.findings] == ["NO_RECEIPT"] * 2
    assert (made.ledger.unexplained, made.remarks) == (0, ())


def test_more_tokens_than_invoices_explain_are_a_remark_until_somebody_says(scene):
    scene.service.bought = 90
    made, said = audited(scene), audited(scene, opening=5)
    assert [each.name for each in made.by_trouble()] == ["NO_RECEIPT"]
    assert made.remarks[0].startswith("The team had 10 tokens more than invoices")
    assert said.findings[-1].what == "The team has 5 tokens more than it should."


def test_a_project_that_only_the_journal_has_is_named(scene):
    scene.service.projects_there.pop()
    scene.service.vanished = True
    named = audited(scene).findings[0]
    at = moment_words(AT)
    assert (named.trouble.name, named.what) == (
        "NOT_THERE",
        f"The journal has it as sent at {at}; the service does not show it.",
    )


def test_a_list_that_shifts_makes_no_statement(scene):
    scene.service.extra = 1
    with pytest.raises(ServiceUnreachable, match="no statement can be made"):
        audited(scene)


def test_a_person_who_stops_gets_no_statement(scene):
    scene.halt.asked = True
    assert audited(scene) is None
