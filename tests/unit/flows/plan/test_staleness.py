"""What makes a saved plan stale, and what does not."""

import asyncio
from collections import Counter
from dataclasses import replace

import pytest

from doubles.journal_values import NOW
from doubles.saved import Planner, rows_of, sheet
from doubles.sheets import NamedFiles, attached, project_row
from kawe.domain.batch.approvals import Approval
from kawe.domain.batch.outcomes import Outcome
from kawe.domain.rows.entries import BatchName
from kawe.domain.service.service_words import IwiChoice
from kawe.domain.service.states import State
from kawe.domain.sheet.findings import Severity
from kawe.flows.checked_rows import mark
from kawe.flows.plan.staleness import planned_by_key

THREE = sheet(*rows_of(3))
ONE = sheet(project_row(1))
PAST = {"rule": "date-past", "message": "The end date is in the past."}
CHANGED = "Changed in cells, files, iwi or draft, or too late by now: Projects!"
NEW = "Not in the plan: Projects!"
GONE = "Gone (as the plan counts): Projects!"


def _changed(number, **changes):
    rows = rows_of(3)
    rows[number] = {k: v for k, v in (rows[number] | changes).items() if v is not ...}
    return sheet(*rows)


@pytest.mark.parametrize(
    "rows",
    [
        rows_of(3),
        rows_of(3)[::-1],
        [rows_of(3)[n] for n in (1, 2, 0)],
        [dict(reversed(row.items())) for row in rows_of(3)],
    ],
    ids=["the same", "turned around", "sorted", "columns in another order"],
)
def test_where_rows_and_columns_stand_does_not_count(rows):
    planner = Planner()
    assert planner.changes(planner.save(THREE), sheet(*rows)) == []


@pytest.mark.parametrize(
    ("now", "changes"),
    [
        (_changed(1, description="Other."), [f"{CHANGED}3."]),
        (_changed(1, send=False), [f"{CHANGED}3."]),
        (_changed(1, send=...), [f"{CHANGED}3."]),
        (_changed(1, phase="x"), [f"{CHANGED}3."]),
        (_changed(1, reference="R-9"), [f"{NEW}3.", f"{GONE}3."]),
        (sheet(*rows_of(5)), [f"{NEW}5 and 6."]),
        (sheet(*rows_of(2)), [f"{GONE}4."]),
        (
            sheet(*rows_of(4)[3:1:-1], *rows_of(1, description="Other.")),
            [f"{CHANGED}4.", f"{NEW}2.", f"{GONE}3."],
        ),
    ],
)
def test_the_rows_that_changed_are_new_or_are_gone_are_named(now, changes):
    planner = Planner()
    assert planner.changes(planner.save(THREE), now) == changes


def _second(**changes):
    """Give the sheet of three rows with another second one."""
    first, second, third = THREE.rows
    return replace(THREE, rows=(first, replace(second, **changes), third))


def _emptied():
    row = THREE.rows[1].row
    empty = replace(row.cells["send"], shown="", value=None)
    return replace(row, cells={**row.cells, "send": empty})


@pytest.mark.parametrize(
    "changes",
    [
        {"row": _emptied()},
        {"content": None},
        {"findings": (mark(_emptied(), "end_date", Severity.WARNING, **PAST),)},
        {"take_fingerprint": lambda: "else"},
    ],
    ids=["a cell was emptied", "it is wrong", "it is too late", "it is read otherwise"],
)
def test_a_row_that_is_another_one_by_now_is_named(changes):
    planner = Planner()
    plan = planner.save(THREE)
    assert planner.changes(plan, _second(**changes)) == [f"{CHANGED}3."]


def test_rows_without_a_key_are_known_by_their_cells():
    planner = Planner()
    wrong = {k: v for k, v in project_row(1).items() if k not in {"name", "reference"}}
    plan = planner.save(sheet(wrong))
    edited = sheet(wrong | {"description": "Other."})
    assert (planner.changes(plan, sheet(wrong)), planner.changes(plan, edited)) == (
        [],
        [f"{NEW}2.", f"{GONE}2."],
    )


def test_rows_written_twice_are_told_apart_by_their_number():
    planner = Planner()
    twice = sheet(*rows_of(1), *rows_of(1))
    thrice = sheet(*rows_of(1), *rows_of(1), *rows_of(1))
    plan = planner.save(replace(twice, rows=twice.rows[:1]))
    plan = replace(plan, rows=(*plan.rows, replace(plan.rows[0], number=3)))
    assert (planner.changes(plan, twice), planner.changes(plan, thrice)) == (
        [],
        [f"{NEW}4."],
    )


def test_a_row_to_correct_may_be_right_by_now():
    planner = Planner()
    assert planner.changes(planner.save(_second(content=None)), THREE) == []


def test_other_iwi_make_a_plan_stale_where_the_row_is_sent():
    planner = Planner()
    plan = planner.save(sheet(project_row(1), project_row(2, send=False)))
    now = sheet(project_row(1), project_row(2, send=False))
    there = (IwiChoice(slug="ngati-b", name="Ngāti B"),)
    now = replace(now, rows=tuple(replace(r, goes_to=there) for r in now.rows))
    assert planner.changes(plan, now) == [f"{CHANGED}2."]


def _files(**there):
    return NamedFiles(
        there={
            name: attached(name, path=None, mime_type="x", size_bytes=1, sha256=content)
            for name, content in there.items()
        }
    )


def test_other_bytes_or_another_name_of_an_attachment_change_its_row():
    planner = Planner()
    row = project_row(1, files=["a", "b"])
    plan = planner.save(sheet(row, files=_files(a="1", b="1")))
    now = sheet(row, files=_files(a="2", b="1"))
    other = sheet(row, files=_files(a="1", b="1"))
    (one,) = other.rows
    one = replace(one, content=replace(one.content, files=_gone(one.content.files)))
    bare = replace(one, row=replace(one.row, cells=one.row.cells))
    assert (
        planner.changes(plan, now),
        planner.changes(plan, replace(other, rows=(bare,))),
    ) == ([f"{CHANGED}2."], [f"{CHANGED}2."])


def _gone(files):
    first, second = files
    return (first, replace(second, name="c"))


def test_what_the_plan_did_already_is_no_change():
    planner = Planner()
    plan = planner.save(THREE)
    planner.scene.service.tokens = 1
    planner.submit(THREE)
    late = tuple(replace(row, content=None) for row in THREE.rows)
    sent = [e.marker for e in planner.scene.entries() if e.state is State.CONFIRMED]
    assert (sent, planner.changes(plan, THREE)) == (["R-0"], [])
    assert planner.changes(plan, replace(THREE, rows=late)) == [f"{CHANGED}3 and 4."]


@pytest.fixture
def drafted():
    """Give somebody whose one row has a draft, and a plan of it."""
    planner = Planner()
    planner.submit(ONE, drafts_only=True)
    return planner, planner.save(ONE)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({}, []),
        ({"description": "Theirs."}, [f"{CHANGED}2."]),
        ({"status": "NEW"}, [f"{CHANGED}2."]),
        (None, [f"{CHANGED}2."]),
    ],
)
def test_a_draft_that_the_portal_changed_or_hides_makes_a_plan_stale(
    drafted, changes, words
):
    planner, plan = drafted
    if changes is None:
        planner.scene.service.projects_there = []
    else:
        planner.shows(**changes)
    assert planner.changes(plan, ONE) == words


def test_a_journal_that_does_not_know_the_draft_makes_a_plan_stale(drafted):
    _, plan = drafted
    other = Planner()
    other.submit(sheet(project_row(3), project_row(1)), drafts_only=True)
    found = [each.changes(plan, ONE) for each in (Planner(), other)]
    assert found == [[f"{CHANGED}2."]] * 2


def test_a_draft_that_the_plan_itself_changed_is_no_change():
    planner = Planner()
    planner.submit(sheet(project_row(1)), drafts_only=True)
    edited = sheet(project_row(1, description="Two culverts."))
    plan = planner.save(edited, update_drafts=True)
    planner.submit(edited, update_drafts=True, drafts_only=True)
    (project,) = planner.scene.service.projects_there
    assert (project.description, planner.changes(plan, edited)) == ("Two culverts.", [])


def test_a_draft_that_was_sent_meanwhile_by_kawe_is_no_change(drafted):
    planner, plan = drafted
    planner.submit(ONE)
    assert planner.changes(plan, ONE) == []


def test_a_plan_knows_which_rows_it_sends_and_which_it_leaves_alone():
    planner = Planner()
    rows = sheet(project_row(1), project_row(2, send=False), *rows_of(1))
    planner.submit(sheet(*rows_of(1)))
    planned = planned_by_key(planner.save(rows, max_tokens=1), rows.rows)
    reached = {key for key, row in planned.items() if row.action.reaches_people}
    left_alone = {key for key, row in planned.items() if not row.action.acts}
    assert (reached, left_alone) == ({"ref:R-1"}, {"ref:R-0"})


def test_rows_that_a_plan_does_not_send_wait_for_tokens():
    planner = Planner()
    planner.submit(sheet(*rows_of(2)), drafts_only=True)
    may = frozenset({THREE.rows[0].key})
    planner.carry_out(THREE, may_send=may)
    waiting = {e.reason for e in planner.scene.entries() if e.state != State.CONFIRMED}
    planner.carry_out(THREE, may_send=may)
    assert (planner.scene.outcomes(), waiting) == (
        Counter({Outcome.SENT: 1, Outcome.DEFERRED: 2}),
        {"Not tried: the plan leaves it until there are more tokens."},
    )


def test_an_approval_is_in_the_journal_before_anything_is_made():
    planner = Planner()
    planner.scene.service.has_turns = False
    approval = Approval(
        plan="a" * 64,
        batch=BatchName("monthly"),
        author="Mere",
        approved_by="Aroha",
        sends=3,
        at=NOW,
    )
    planner.carry_out(THREE, approvals=(approval,))
    kept = asyncio.run(planner.scene.journal.approvals())
    assert (kept, planner.scene.service.calls["create"]) == ((approval,), 0)
