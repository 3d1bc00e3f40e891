"""What a run is about to do, and what an export saved."""

import pytest

from doubles.journal_values import NOW, batch, line
from kawe.domain.batch.plans import Plan
from kawe.domain.service.papers import ExportedReceipt, ReceiptExport
from kawe.domain.service.service_words import Account, Project, ProjectId
from kawe.kinds.projects import PROJECTS

ACCOUNT = Account(team_id="t", team_name="Kāpiti Coast", balance=3, sandbox=False)


def _plan(**work):
    counts = {"to_create": 0, "to_send": 0, "own_steps": 0, **work}
    return Plan(
        batch=batch(),
        account=ACCOUNT,
        lines=(line(1), line(2)),
        entries=(),
        edited=(),
        finished=0,
        invalid=0,
        held=0,
        upload_files=0,
        upload_bytes=0,
        **counts,
    )


@pytest.mark.parametrize(
    ("work", "has_work"),
    [
        ({}, False),
        ({"to_create": 1}, True),
        ({"to_update": 1}, True),
        ({"to_send": 1}, True),
        ({"own_steps": 1}, True),
    ],
)
def test_a_plan_has_work_when_it_asks_anything_of_the_service(work, has_work):
    assert _plan(**work).has_work is has_work


def test_a_plan_counts_every_row_that_was_read():
    plan = _plan()
    assert (plan.kind, plan.rows_read) == (PROJECTS, 2)


@pytest.mark.parametrize(
    ("status", "drafted", "sent"),
    [("DRAFT", True, False), ("NEW", False, True), (None, False, False)],
)
def test_a_project_without_a_status_is_neither_draft_nor_sent(status, drafted, sent):
    project = Project(
        id=ProjectId("p"), name="x", reference=None, status=status, created_at=NOW
    )
    assert (project.is_draft, project.is_sent) == (drafted, sent)


def test_an_export_names_the_receipts_that_it_could_not_fetch():
    def receipt(number, sha256):
        return ExportedReceipt(
            number=number,
            submission="S-1",
            project_name="Outlet",
            reference=None,
            created_at=NOW,
            file=f"{number}.pdf",
            size_bytes=None,
            sha256=sha256,
        )

    kept, lost = receipt("RC-1", "a" * 64), receipt("RC-2", None)
    export = ReceiptExport(
        receipts=(kept, lost), team="Kāpiti Coast", written_at=NOW, is_complete=True
    )
    assert export.missing == (lost,)
