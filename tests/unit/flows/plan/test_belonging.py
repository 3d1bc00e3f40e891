"""A row belongs to the journal, not to a file."""

import asyncio
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from doubles.loops import awaited
from doubles.memory_scene import MemoryScene, scripted
from doubles.rows import SOURCE, checked_invitations, checked_projects, person, project
from doubles.saved import sheet as checked_rows
from doubles.service import MemoryService
from doubles.sheets import project_row
from kawe.domain.batch.outcomes import Outcome
from kawe.domain.service.states import NotDone, Reason
from kawe.domain.text.next_steps import Given, Next
from kawe.errors import JournalError
from kawe.flows.plan.wording import absent_lines
from kawe.flows.report.reporting import Submitted
from kawe.flows.wait.queueing import all_waiting


def at(name, *, gone=()):
    """Say where a workbook lies, and which others do no more."""
    return replace(
        SOURCE, workbook=Path(name), is_there=lambda it: it.workbook not in gone
    )


def sheet(*numbers, **changes):
    return checked_projects([project(n, **changes) for n in numbers])


def waiting(count, *, tokens=0):
    """Give November: so many rows, of which so many found a token."""
    scene = MemoryScene(service=MemoryService(tokens=tokens))
    scene.submit(sheet(*range(count)), source=at("november.xlsx"))
    return scene


def batches(scene):
    """Say how many rows each batch has."""
    return Counter(each.batch for each in scene.entries())


@awaited
async def queue(scene):
    names = [each.name for each in await scene.journal.batches()]
    return await all_waiting(names, journal=scene.journal)


def sent_once(scene, count):
    """Say that every row was sent exactly once, by the service's own count."""
    return sorted(scene.service.sends.values()) == [1] * count


NOVEMBER = range(30)
DECEMBER = range(100, 110)


@pytest.mark.parametrize("shared", [[3], [25], range(20, 26)])
def test_carried_over_rows_leave_last_months_rows_in_the_queue(shared):
    scene = waiting(30, tokens=10)
    scene.submit(sheet(*shared, *DECEMBER), source=at("december.xlsx"))
    assert batches(scene) == {"november": 30, "december": 10}
    assert len(queue(scene).going) == 30
    scene.release(tokens=30)
    assert (scene.outcomes(), sent_once(scene, 40)) == ({Outcome.SENT: 40}, True)


def test_a_workbook_split_in_two_is_one_batch_and_all_its_rows_are_sent_once():
    scene = waiting(30)
    for name, rows in (("one.xlsx", NOVEMBER[:15]), ("two.xlsx", NOVEMBER[15:])):
        scene.submit(sheet(*rows), source=at(name))
    assert batches(scene) == {"november": 30}
    assert (len(queue(scene).going), queue(scene).missing) == (30, ())
    scene.release(tokens=30)
    assert sent_once(scene, 30)


def test_of_a_split_workbook_that_was_thrown_away_each_part_brings_its_rows_back():
    scene = waiting(30)
    gone = {"november.xlsx"}
    plan = scene.plan(sheet(*NOVEMBER[:15]), source=at("one.xlsx", gone=gone))
    assert len(plan.missing) == 15
    scene.submit(sheet(*NOVEMBER[:15]), source=at("one.xlsx", gone=gone))
    assert len(queue(scene).missing) == 15
    scene.submit(sheet(*NOVEMBER[15:]), source=at("two.xlsx", gone=gone))
    assert (len(queue(scene).going), queue(scene).missing) == (30, ())


def test_parts_that_are_merged_go_on_in_their_batches():
    scene = MemoryScene(service=MemoryService(tokens=0))
    scene.submit(sheet(1, 2), source=at("one.xlsx"))
    scene.submit(sheet(3, 4), source=at("two.xlsx"))
    scene.submit(sheet(1, 2, 3, 4), source=at("both.xlsx"))
    assert batches(scene) == {"one": 2, "two": 2}
    scene.release(tokens=4)
    assert sent_once(scene, 4)


def test_a_joint_project_of_two_workbooks_is_sent_once_and_told_of_in_both():
    scene = waiting(15)
    scene.submit(sheet(0, *range(50, 64)), source=at("water.xlsx"))
    assert batches(scene) == {"november": 15, "water": 14}
    scene.service.tokens = 40
    scene.submit(sheet(0, *range(50, 64)), source=at("water.xlsx"))
    assert scene.service.sends.total() == 15
    scene.release()
    assert sent_once(scene, 29)
    joint = [
        next(row for row in scene.report(name).rows if row.reference == "R-0")
        for name in ("november", "water")
    ]
    assert [(row.outcome, row.of_batch) for row in joint] == [
        (Outcome.SENT, ""),
        (Outcome.SENT, "november"),
    ]


def test_rows_of_a_run_that_was_stopped_go_on_after_another_workbook():
    scene = scripted(
        create=[None] * 8 + [NotDone(reason=Reason.KEY_REFUSED, detail="401")] * 9
    )
    scene.submit(sheet(*NOVEMBER), source=at("november.xlsx"))
    scene.service.script = {}
    scene.submit(sheet(0, *DECEMBER), source=at("december.xlsx"))
    assert scene.outcomes()[Outcome.WITHDRAWN] == 0
    assert scene.report("november").counts().total() == 30
    scene.submit(sheet(*NOVEMBER), source=at("november.xlsx"))
    assert sent_once(scene, 40)


def test_a_copy_under_another_name_is_another_workbook_of_the_batch():
    scene = waiting(4)
    scene.submit(sheet(*range(4)), source=at("copy.xlsx"))
    plan = scene.plan(sheet(0, 1), source=at("copy.xlsx"))
    assert (batches(scene), plan.missing, len(plan.staying)) == ({"november": 4}, (), 2)


def test_a_copy_without_a_yes_takes_nothing_out_while_another_workbook_asks():
    scene = waiting(4)
    scene.submit(sheet(*range(4), send=False), source=at("copy.xlsx"))
    assert len(queue(scene).going) == 4
    scene.submit(sheet(*range(4), send=False), source=at("november.xlsx"))
    assert scene.outcomes() == {Outcome.DRAFTED: 4}


def test_a_workbook_that_is_gone_asks_for_nothing():
    scene = waiting(4)
    december = at("december.xlsx")
    scene.submit(sheet(0, *range(20, 25)), source=december)
    gone = at("november.xlsx", gone={"december.xlsx"})
    scene.submit(sheet(*range(4), send=False), source=gone)
    assert len(queue(scene).going) == 5


def test_a_no_takes_a_row_out_of_the_queue_whatever_another_workbook_says():
    scene = MemoryScene(service=MemoryService(tokens=0))
    for name, said in (("november.xlsx", True), ("v2.xlsx", True), ("v2.xlsx", False)):
        rows = checked_rows(project_row(1), project_row(2, send=said))
        scene.submit(rows, source=at(name))
    assert scene.outcomes() == {Outcome.DEFERRED: 1, Outcome.DRAFTED: 1}


def test_a_row_that_its_only_workbook_does_not_send_any_more_rests():
    scene = waiting(4)
    scene.submit(sheet(*range(4), send=False), source=at("november.xlsx"))
    assert scene.outcomes() == {Outcome.DRAFTED: 4}


@pytest.mark.parametrize(
    "source",
    [at("november.xlsx"), at("renamed.xlsx", gone={"november.xlsx"})],
    ids=["the same", "renamed"],
)
def test_rows_cut_out_of_their_workbook_are_missing_and_not_sent_until_decided(source):
    scene = waiting(5)
    plan = scene.plan(sheet(0, 1, 2), source=source)
    assert [row.marker for row in plan.missing] == ["R-3", "R-4"]
    scene.submit(sheet(0, 1, 2), source=source)
    scene.release(tokens=9)
    left = queue(scene)
    assert (scene.service.sends.total(), len(left.missing), left.going) == (3, 2, ())
    assert scene.outcomes() == {Outcome.SENT: 3, Outcome.DEFERRED: 2}


def test_rows_that_a_person_lets_go_rest_and_come_back_with_their_workbook():
    scene = waiting(5)
    scene.submit(sheet(0, 1, 2), source=at("november.xlsx"), takes_out=True)
    assert scene.outcomes() == {Outcome.DEFERRED: 3, Outcome.DRAFTED: 2}
    made = scene.report("november")
    assert ([each.reference for each in made.orphans], made.missing) == (
        ["R-3", "R-4"],
        (),
    )
    scene.service.tokens = 9
    scene.submit(sheet(*range(5)), source=at("november.xlsx"))
    assert sent_once(scene, 5)


def test_a_draft_that_waits_is_never_called_superfluous():
    scene = waiting(5)
    scene.submit(sheet(0, 1, 2), source=at("november.xlsx"))
    made = scene.report("november")
    words = (
        "2 rows of this batch are no longer in the workbook, and nobody has said "
        "whether they leave. Nothing is sent for them: R-3; R-4. Put them back, or "
        f"agree that they leave: submit the workbook with {Given.ACCEPT_MISSING}."
    )
    assert (made.orphans, made.missing) == ((), ("R-3", "R-4"))
    assert words in made.remarks
    assert made.counts() == {Outcome.DEFERRED: 5}
    step = f"Put it back, or take it out of the queue: {Next.DROP}."
    assert {row.what_to_do for row in made.rows[3:]} == {
        f"It is no longer in the workbook, and not sent until it is. {step}"
    }


def test_a_row_before_its_draft_that_was_cut_out_stays_until_a_person_says_so():
    scene = MemoryScene()
    scene.service.has_turns = False
    scene.submit(sheet(1, 2), source=at("november.xlsx"))
    scene.service.has_turns = True
    scene.submit(sheet(2), source=at("november.xlsx"))
    assert scene.outcomes() == {Outcome.UNFINISHED: 1, Outcome.SENT: 1}
    assert [row.outcome for row in scene.report("november").rows] == [
        Outcome.SENT,
        Outcome.UNFINISHED,
    ]
    scene.submit(sheet(2), source=at("november.xlsx"), takes_out=True)
    assert scene.outcomes() == {Outcome.WITHDRAWN: 1, Outcome.SENT: 1}


def test_a_row_moved_to_another_workbook_is_not_missing():
    scene = waiting(5)
    scene.submit(sheet(4, *DECEMBER), source=at("december.xlsx"))
    plan = scene.plan(sheet(0, 1, 2, 3), source=at("november.xlsx"))
    assert (plan.missing, [row.marker for row in plan.staying]) == ((), ["R-4"])
    assert [*absent_lines(plan)] == [
        "1 row of batch november is not in this workbook and stays as before."
    ]
    scene.submit(sheet(0, 1, 2, 3), source=at("november.xlsx"))
    rows = scene.report("november").rows
    assert [row.reference for row in rows] == ["R-0", "R-1", "R-2", "R-3", "R-4"]
    assert rows[4].what_to_do.endswith("It stands in december.xlsx at Projects!2.")


def test_a_row_cut_out_before_every_other_row_was_changed_is_named_still():
    scene = waiting(5)
    scene.submit(sheet(1, 2, 3, 4), source=at("november.xlsx"))
    plan = scene.plan(sheet(*DECEMBER), source=at("november.xlsx"))
    assert (plan.batch.name, [row.marker for row in plan.staying]) == (
        "november-2",
        ["R-0", "R-1", "R-2", "R-3", "R-4"],
    )


def test_rows_that_a_workbook_does_not_have_are_named_in_words():
    scene = waiting(9)
    plans = [
        scene.plan(sheet(*rows), source=at("november.xlsx"))
        for rows in (range(9), range(8), [0, 1])
    ]
    first = "R-2; R-3; R-4; R-5; R-6"
    assert [[*absent_lines(plan)] for plan in plans] == [
        [],
        ["1 row of this workbook's batch is no longer in it: R-8."],
        [f"7 rows of this workbook's batch are no longer in it: {first} and 2 more."],
    ]
    plans = [scene.plan(sheet(*n), source=at("copy.xlsx")) for n in ([1], range(9))]
    assert [[*absent_lines(plan)] for plan in plans] == [
        ["8 rows of batch november are not in this workbook and stay as before."],
        [],
    ]


def test_a_workbook_written_over_with_another_takes_nothing_out():
    scene = waiting(5)
    plan = scene.plan(sheet(*DECEMBER), source=at("november.xlsx"))
    assert (plan.batch.name, plan.missing, len(plan.staying)) == ("november-2", (), 5)
    scene.submit(sheet(*DECEMBER), source=at("november.xlsx"))
    assert len(queue(scene).going) == 15


@pytest.mark.parametrize(
    ("rows", "place", "name"),
    [
        ((0, 1, 2, 3, 100, 101), "november", "november"),
        ((0, 100, 101), "november", "november-2"),
        ((2, 3, 100, 101, 102), "november", "november-2"),
        ((0, 2, 3, 4, 100, 101, 102, 103, 104), "november", "november"),
        ((0, 1, 100, 101), "november", "november"),
        ((0, 100), "december", "december"),
        ((0, 2, 3, 4, *range(100, 106)), "december", "december"),
    ],
)
def test_a_workbook_is_known_again_at_its_place(rows, place, name):
    plan = waiting(5, tokens=0).plan(sheet(*rows), source=at(f"{place}.xlsx"))
    assert plan.batch.name == name


def test_the_report_of_a_batch_has_every_row_of_it_and_no_new_one_of_another():
    scene = waiting(4, tokens=2)
    scene.submit(sheet(0, *DECEMBER), source=at("december.xlsx"))
    scene.submit(sheet(2, 3), source=at("part.xlsx"))
    made = scene.report("november")
    assert [(row.where.row, row.reference, row.raw[:1]) for row in made.rows] == [
        (2, "R-2", made.rows[0].raw[:1]),
        (3, "R-3", made.rows[1].raw[:1]),
        (4, "R-0", made.rows[2].raw[:1]),
        (5, "R-1", made.rows[3].raw[:1]),
    ]
    assert scene.report("december").counts() == {Outcome.DEFERRED: 10}


def test_the_report_of_a_submit_has_the_rows_of_its_workbook_and_no_other():
    scene = waiting(4)
    (batch,) = asyncio.run(scene.journal.batches())
    scene.submit(sheet(2, 3), source=at("part.xlsx"))
    part = replace(batch.reading, workbook="part.xlsx")
    made = scene.report("november", submitted=Submitted(reading=part))
    assert [row.reference for row in made.rows] == ["R-2", "R-3"]


def test_invited_people_are_counted_in_their_own_batch():
    people = [person(n) for n in range(211)]
    scene = MemoryScene()
    scene.submit(checked_invitations(people), source=at("november.xlsx"))
    later = [person(3), *(person(n) for n in range(300, 304))]
    scene.submit(checked_invitations(later), source=at("december.xlsx"))
    counts = [scene.report(name).counts() for name in ("november", "december")]
    assert counts == [{Outcome.INVITED: 211}, {Outcome.INVITED: 4}]


def test_a_row_of_a_batch_that_the_journal_does_not_have_is_damage():
    scene = waiting(2)
    db = scene.journal.store._db
    db.execute("PRAGMA foreign_keys = OFF")
    db.execute("UPDATE entry SET batch = 'altered'")
    with pytest.raises(JournalError, match="something that kawe did not write"):
        scene.plan(sheet(0, 1))


@pytest.mark.parametrize(
    ("stem", "name"),
    [
        ("Monthly Report.result", "monthly-report"),
        ("  ", "batch"),
        ("caf\udce9 \u202egpj", "caf-gpj"),
        ("x" * 60, "x" * 40),
    ],
)
def test_a_batch_is_named_so_that_every_journal_can_keep_it(stem, name):
    assert MemoryScene().plan(sheet(1), source=at(f"{stem}.xlsx")).batch.name == name


def listed(name, other):
    """Say that a sheet of a workbook is one of two lists."""
    return replace(at("works.xlsx"), label=name, siblings=frozenset({other}))


def of_sheet(name, *numbers):
    checked = sheet(*numbers)
    return replace(checked, table=replace(checked.table, sheet=name))


@pytest.mark.parametrize("water", [(2, 3), (1, 2, 3), (1, 2)])
def test_two_lists_of_a_workbook_have_batches_of_their_own_in_every_run(water):
    scene = MemoryScene(service=MemoryService(tokens=99))
    named = []
    for _ in range(3):
        scene.submit(of_sheet("Roads", 1, 2), source=listed("Roads", "Water"))
        scene.submit(of_sheet("Water", *water), source=listed("Water", "Roads"))
        every = asyncio.run(scene.journal.batches())
        named.append({each.name: each.sheet for each in every})

    assert named == [{"works-roads": "Roads", "works-water": "Water"}] * 3
    assert sent_once(scene, len({1, 2, *water}))
