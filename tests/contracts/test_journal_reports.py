"""What every journal promises of requests for reports."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest

from doubles.journal_values import NOW, entry, later
from kawe.domain.service.report_requests import (
    ReportOf,
    ReportRequest,
    ReportStep,
    ReportStepKind,
)
from kawe.domain.service.states import State
from kawe.errors import JournalError
from kawe.journal.copies import back_up_journal, restore_journal
from kawe.journal.history import purge_journal, verify_journal

ROAD = ReportOf(project="p1", name="Road of Mere", reference="R-Mere")
PIPE = ReportOf(project="p2", name="Pipe of Mere", reference="")
INTENT, CONCLUSION, LISTED = ReportStepKind


def _step(kind, about=ROAD, *, at=0, **more):
    return ReportStep(kind=kind, about=about, at=later(at), **more)


def _keep(home, *steps):
    for step in steps:
        home.ask("keep_report_step", step)


def _over(about, *, at=0):
    """Give the steps of a report that is listed."""
    return (
        _step(INTENT, about, at=at, known=("old",)),
        _step(CONCLUSION, about, at=at + 1, verdict="done"),
        _step(LISTED, about, at=at + 2, report="new"),
    )


def test_each_step_is_there_for_the_next_process(home):
    seen = []
    for step in _over(ROAD):
        _keep(home, step)
        seen += home.ask("report_requests")
    asked = ReportRequest(about=ROAD, asked_at=NOW, known=("old",))
    assert [(each.verdict, each.report) for each in seen] == [
        ("", ""),
        ("done", ""),
        ("done", "new"),
    ]
    assert (seen[0], [each.is_open for each in seen]) == (asked, [True, True, False])


def test_the_last_request_of_each_project_counts(home):
    _keep(home, *_over(ROAD), _step(INTENT, PIPE, at=4), _step(INTENT, at=5))
    assert home.ask("report_requests") == (
        ReportRequest(about=ROAD, asked_at=later(5), known=()),
        ReportRequest(about=PIPE, asked_at=later(4), known=()),
    )


@pytest.mark.parametrize(
    "steps",
    [
        [_step(CONCLUSION, verdict="done")],
        [_step(LISTED, report="new")],
        [_step(INTENT), *[_step(CONCLUSION, verdict="unknown")] * 2],
        [_step(INTENT), _step(CONCLUSION, verdict="not-done"), _step(LISTED)],
    ],
)
def test_a_step_that_does_not_follow_is_refused(home, steps):
    _keep(home, *steps[:-1])
    before = home.ask("report_requests")
    said = home.refusal(lambda journal: journal.keep_report_step(steps[-1]))
    assert said.startswith("No request for a report of R-Mere (Road of Mere) is open")
    assert home.ask("report_requests") == before


def test_a_step_is_never_changed_or_removed(disk):
    _keep(disk, *_over(ROAD))
    with closing(sqlite3.connect(disk.path)) as db:
        for statement in (
            "UPDATE report_step SET verdict = 'unknown'",
            "UPDATE report_step SET name = 'Bridge'",
            "DELETE FROM report_step",
        ):
            with pytest.raises(sqlite3.IntegrityError, match="what happened is never"):
                db.execute(statement)


@pytest.mark.parametrize(
    ("statement", "found"),
    [
        ("UPDATE report_step SET verdict = 'not-done' WHERE seq = 2", 2),
        ("UPDATE report_step SET hash = '0' WHERE seq = 3", 3),
        ("DELETE FROM report_step WHERE seq = 1", 1),
    ],
)
def test_what_was_altered_is_found(disk, statement, found):
    _keep(disk, *_over(ROAD))
    whole = verify_journal(disk.path)
    with closing(sqlite3.connect(disk.path, isolation_level=None)) as db:
        triggers = db.execute(
            "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'"
        ).fetchall()
        for name, _ in triggers:
            db.execute(f"DROP TRIGGER {name}")
        db.execute(statement)
        for _, sql in triggers:
            db.execute(sql)
    assert (whole.fault, verify_journal(disk.path).fault.what) == (
        None,
        f"Step {found} of the requests for reports is not what was kept.",
    )


def test_a_purge_takes_the_names_out_of_what_is_over_and_leaves_the_rest(disk):
    refused = _step(CONCLUSION, PIPE, at=1, verdict="not-done")
    open_one = ReportOf(project="p3", name="Bridge", reference="")
    late = ReportOf(project="p4", name="Late", reference="")
    steps = (*_over(ROAD), _step(INTENT, PIPE), refused, _step(INTENT, open_one))
    _keep(disk, *steps, *_over(late, at=100))
    purge_journal(disk.path, finished_before=later(50), at=later(60))
    left = {each.about.project: each.about.name for each in disk.ask("report_requests")}
    data = disk.path.read_bytes()
    assert (left, b"Mere" in data) == (
        {"p1": "", "p2": "", "p3": "Bridge", "p4": "Late"},
        False,
    )
    assert verify_journal(disk.path).fault is None
    # It is known of a project whose name is gone that its report is listed.
    assert disk.ask("report_requests")[0].report == "new"


def test_a_backup_that_lacks_a_request_does_not_replace_the_journal(disk, tmp_path):
    disk.drafted(1)
    _keep(disk, *_over(ROAD))
    early, whole = tmp_path / "early.db", tmp_path / "whole.db"
    back_up_journal(disk.path, early)
    _keep(disk, _step(INTENT, at=9))
    back_up_journal(disk.path, whole)
    with pytest.raises(JournalError, match=r"has 1 step of requests for .*be lost"):
        restore_journal(early, disk.path, at=NOW)
    disk.begin(entry(1), entry(2))
    disk.walk(2, State.INVALID)
    with pytest.raises(JournalError, match=r"1 step of .* and 1 newer event of 1 row"):
        restore_journal(early, disk.path, at=NOW)
    restore_journal(early, disk.path, at=NOW, moves_aside=True)
    restore_journal(whole, disk.path, at=later(1))
    assert disk.ask("report_requests")[0].is_open
