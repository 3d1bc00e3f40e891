"""What makes a saved plan stale, and what does not."""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import replace

import pytest

from doubles.journal_values import NOW
from doubles.saved import SALT, Planner, rows_of, sheet
from doubles.sheets import NamedFiles, project_row
from kawe.domain.batch.approvals import Approval
from kawe.domain.batch.outcomes import Outcome
from kawe.domain.rows.entries import BatchName
from kawe.domain.service.places import IwiChoice
from kawe.domain.service.states import State
from kawe.domain.sheet.content import Attachment
from kawe.flows.plan.describing import describe
from kawe.flows.plan.staleness import acting_rows, named

THREE = sheet(*rows_of(3))


def _changed(number, **changes):
    rows = rows_of(3)
    rows[number] = {k: v for k, v in (rows[number] | changes).items() if v is not ...}
    return sheet(*rows)


def _shown(planner, **changes):
    service = planner.scene.service
    service.projects_there = [replace(p, **changes) for p in service.projects_there]


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
        (
            _changed(1, description="Other."),
            ["Projects!C3 (description) changed."],
        ),
        (
            _changed(1, description="Other.", send=False),
            [
                "Projects!C3 (description) changed.",
                "Projects!J3 (send) changed.",
            ],
        ),
        (_changed(1, reference="R-9"), ["Projects!A3 (reference) changed."]),
        (_changed(1, phase="x"), ["Projects!K3 (phase) was filled in."]),
        (_changed(1, send=...), ["Projects!3: the column for send is gone."]),
        (
            sheet(*rows_of(4)),
            ["Projects!5 is not in the plan."],
        ),
        (
            sheet(*rows_of(2)),
            [("The row that stood at Projects!4 (R-2) is no longer in the workbook.")],
        ),
    ],
)
def test_every_change_is_named_by_its_cell(now, changes):
    planner = Planner()
    assert planner.changes(planner.save(THREE), now) == changes


def test_a_cell_that_was_emptied_is_named():
    planner = Planner()
    plan = planner.save(THREE)
    row = THREE.rows[1]
    empty = replace(row.row.cells["send"], shown="", value=None)
    cells = {**row.row.cells, "send": empty}
    now = replace(row, row=replace(row.row, cells=cells))
    changed = replace(THREE, rows=(THREE.rows[0], now, THREE.rows[2]))
    assert planner.changes(plan, changed) == ["Projects!J3 (send) was emptied."]


def test_another_row_in_the_place_of_one_is_one_gone_and_one_added():
    planner = Planner()
    other = project_row(
        7,
        name="A weir",
        description="New.",
        latitude=-41.5,
        longitude=173.5,
        start_date="2031-01-01",
        end_date="2031-02-01",
    )
    now = sheet(rows_of(1)[0], other, rows_of(3)[2])
    assert planner.changes(planner.save(THREE), now) == [
        "The row that stood at Projects!3 (R-1) is no longer in the workbook.",
        "Projects!3 is not in the plan.",
    ]


def test_rows_written_twice_are_told_apart_by_their_number():
    planner = Planner()
    twice = sheet(*rows_of(1), *rows_of(1))
    thrice = sheet(*rows_of(1), *rows_of(1), *rows_of(1))
    plan = planner.save(replace(twice, rows=twice.rows[:1]))
    plan = replace(plan, rows=(*plan.rows, replace(plan.rows[0], number=3)))
    assert (planner.changes(plan, twice), planner.changes(plan, thrice)) == (
        [],
        ["Projects!4 is not in the plan."],
    )


def test_a_row_that_can_go_no_more_says_why():
    planner = Planner()
    plan = planner.save(THREE)
    late = replace(THREE.rows[1], content=None)
    wrong = sheet({k: v for k, v in project_row(1).items() if k != "name"}).rows[0]
    unsaid = replace(THREE, rows=(THREE.rows[0], late, THREE.rows[2]))
    said = replace(
        THREE,
        rows=(
            THREE.rows[0],
            replace(THREE.rows[1], findings=wrong.findings),
            THREE.rows[2],
        ),
    )
    assert (planner.changes(plan, unsaid), planner.changes(plan, said)) == (
        ["Projects!3 can go no more."],
        ["Projects!2 can go no more: projects need a name."],
    )


def test_a_row_to_correct_may_be_right_by_now():
    planner = Planner()
    late = replace(THREE.rows[1], content=None)
    plan = planner.save(replace(THREE, rows=(THREE.rows[0], late, THREE.rows[2])))
    assert planner.changes(plan, THREE) == []


def test_a_row_that_is_read_in_another_way_is_another():
    planner = Planner()
    plan = planner.save(THREE)
    other = replace(THREE.rows[1], fingerprint="else")
    now = replace(THREE, rows=(THREE.rows[0], other, THREE.rows[2]))
    assert planner.changes(plan, now) == ["Projects!3 is read in another way now."]


def test_other_iwi_make_a_plan_stale_where_the_row_is_sent():
    planner = Planner()
    plan = planner.save(sheet(project_row(1), project_row(2, send=False)))
    now = sheet(project_row(1), project_row(2, send=False))
    there = (IwiChoice(slug="ngati-b", name="Ngāti B"),)
    now = replace(now, rows=tuple(replace(r, goes_to=there) for r in now.rows))
    assert planner.changes(plan, now) == [
        "Projects!2 would go to other iwi now: Ngāti B."
    ]


def _files(**there):
    return NamedFiles(
        there={
            name: Attachment(
                path=None, name=name, mime_type="x", size_bytes=1, sha256=content
            )
            for name, content in there.items()
        }
    )


def test_each_attachment_is_named_with_what_became_of_it():
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
    ) == (
        ["Projects!K2: the file a has other content now."],
        [
            "Projects!K2: the file b is no longer there.",
            "Projects!K2: the file c is new.",
        ],
    )


def _gone(files):
    first, second = files
    return (first, replace(second, name="c"))


def test_files_of_a_row_without_such_a_cell_are_named_by_the_row():
    planner = Planner()
    (one,) = sheet(project_row(1)).rows
    file = _files(a="1").there["a"]
    with_file = replace(one, content=replace(one.content, files=(file,)))
    plan = planner.save(replace(sheet(project_row(1)), rows=(with_file,)))
    assert planner.changes(plan, sheet(project_row(1))) == [
        "Projects!2: the file a is no longer there."
    ]


def test_what_the_plan_did_already_is_no_change():
    planner = Planner()
    plan = planner.save(THREE)
    planner.scene.service.tokens = 1
    planner.submit(THREE)
    late = tuple(replace(row, content=None) for row in THREE.rows)
    sent = [e.marker for e in planner.scene.entries() if e.state is State.CONFIRMED]
    assert (sent, planner.changes(plan, THREE)) == (["R-0"], [])
    assert planner.changes(plan, replace(THREE, rows=late)) == [
        "Projects!3 can go no more.",
        "Projects!4 can go no more.",
    ]


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({}, []),
        (
            {"description": "Theirs."},
            ["Projects!2: its draft was changed in the portal."],
        ),
        ({"status": "NEW"}, ["Projects!2: its draft was sent in the portal."]),
    ],
)
def test_a_draft_that_the_portal_changed_makes_a_plan_stale(changes, words):
    planner = Planner()
    planner.submit(sheet(project_row(1)), drafts_only=True)
    plan = planner.save(sheet(project_row(1)))
    _shown(planner, **changes)
    assert planner.changes(plan, sheet(project_row(1))) == words


def test_a_draft_that_is_not_shown_any_more_makes_a_plan_stale():
    planner = Planner()
    planner.submit(sheet(project_row(1)), drafts_only=True)
    plan = planner.save(sheet(project_row(1)))
    planner.scene.service.projects_there = []
    assert planner.changes(plan, sheet(project_row(1))) == [
        "Projects!2: the service does not show its draft any more."
    ]


def test_a_journal_that_does_not_know_the_draft_makes_a_plan_stale():
    planner = Planner()
    planner.submit(sheet(project_row(1)), drafts_only=True)
    plan = planner.save(sheet(project_row(1)))
    other = Planner()
    other.submit(sheet(project_row(3), project_row(1)), drafts_only=True)
    assert (
        Planner().changes(plan, sheet(project_row(1))),
        other.changes(plan, sheet(project_row(1))),
    ) == (
        ["Projects!2: the journal on this computer does not know its draft."],
        ["Projects!2: it has another draft now."],
    )


def test_a_draft_that_the_plan_itself_changed_is_no_change():
    planner = Planner()
    planner.submit(sheet(project_row(1)), drafts_only=True)
    edited = sheet(project_row(1, description="Two culverts."))
    plan = planner.save(edited, update_drafts=True)
    planner.submit(edited, update_drafts=True, drafts_only=True)
    (project,) = planner.scene.service.projects_there
    assert (project.description, planner.changes(plan, edited)) == (
        "Two culverts.",
        [],
    )


def test_a_draft_that_was_sent_meanwhile_by_kawe_is_no_change():
    planner = Planner()
    planner.submit(sheet(project_row(1)), drafts_only=True)
    plan = planner.save(sheet(project_row(1)))
    planner.submit(sheet(project_row(1)))
    assert planner.changes(plan, sheet(project_row(1))) == []


def test_a_plan_knows_which_rows_it_sends_and_which_it_leaves_alone():
    planner = Planner()
    rows = sheet(project_row(1), project_row(2, send=False), *rows_of(1))
    planner.submit(sheet(*rows_of(1)))
    plan = planner.save(rows, max_tokens=1)
    described = tuple(describe(row, salt=SALT) for row in rows.rows)
    acting = acting_rows(plan, described)
    reached = {key for key, action in acting.items() if action.reaches_people}
    left_alone = {row.row.key for row in described} - acting.keys()
    assert (reached, left_alone) == ({"ref:R-1"}, {"ref:R-0"})


def test_a_long_list_of_changes_is_cut():
    assert named([f"{n}." for n in range(12)]) == (
        "0. 1. 2. 3. 4. 5. 6. 7. 8. 9. And 2 more."
    )


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
