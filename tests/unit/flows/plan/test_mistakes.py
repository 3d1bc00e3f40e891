"""A row that gets a mistake is still the row of which the service has something."""

import asyncio
from dataclasses import replace

import pytest

from doubles.memory_scene import MemoryScene, scripted
from doubles.rows import checked_invitations, checked_projects, person, project
from doubles.service import AT
from doubles.sheets import finding
from kawe.domain.batch.outcomes import Outcome
from kawe.domain.service.states import State, Unknown
from kawe.domain.sheet.findings import CellRef, Severity
from kawe.domain.sheet.tables import Cell
from kawe.domain.text.next_steps import Next
from kawe.flows.check.checking import mark_duplicates
from kawe.flows.wait.queueing import all_waiting

CELL = CellRef(sheet="Projects", row=2, column=1)
CORRECT = "It is wrong. Correct it."
DRAFT = "The row has a draft, which stays as it is, and is not sent until the row is"
SENT = (
    "R-1 was already sent, as Culvert 1 at Māngere; what the row says now has "
    "mistakes, and is not applied."
)


def spoilt(row, *, reads_reference=True):
    """Make a row of which nothing but its reference can be read."""
    cell = Cell(ref=CELL, heading="Reference", shown="", value=row.content.reference)
    return replace(
        row,
        row=replace(row.row, cells={"reference": cell} if reads_reference else {}),
        content=None,
        key=row.key if reads_reference else None,
        take_fingerprint=None,
        findings=(
            finding(
                row.row.ref, rule="wrong", message="It is wrong.", advice="Correct it."
            ),
        ),
    )


def sheet(*contents, spoils=(), **how):
    """Make a sheet, some of whose rows have a mistake."""
    checked = checked_projects(list(contents))
    rows = enumerate(checked.rows)
    return replace(
        checked,
        rows=tuple(spoilt(row, **how) if at in spoils else row for at, row in rows),
    )


def submitted(*contents, **how):
    scene = MemoryScene()
    scene.submit(checked_projects(list(contents)), **how)
    return scene


def standings(made):
    return [(each.outcome, each.reference) for each in made.rows]


ONE = project(1)
SAID_ELSE = project(1, description="Something else.")


def test_a_row_that_was_sent_stays_sent_and_its_mistake_is_not_applied():
    scene = submitted(ONE, project(2))
    scene.submit(sheet(ONE, project(2), spoils=[0]))
    made, (entry, _) = scene.report(), scene.entries()
    row = made.rows[0]
    assert (row.outcome, row.reference, row.project_id, row.what_to_do) == (
        Outcome.SENT,
        "R-1",
        entry.project_id,
        f"{SENT} Undo the edit here, or make it in a sheet of acts.",
    )
    late = "1 row was changed after it was sent, and the change is not applied"
    assert (made.remarks, made.orphans, scene.service.calls["send"]) == (
        (f"{late}: Projects!2.",),
        (),
        2,
    )
    assert [(each.rule, each.severity) for each in row.findings] == [
        ("wrong", Severity.ERROR),
        ("mistake-too-late", Severity.WARNING),
    ]


@pytest.mark.parametrize("tokens", [0, 9], ids=["waiting", "stopped"])
def test_a_row_with_a_draft_is_to_correct_and_its_draft_belongs_to_it(tokens):
    scene = submitted(ONE, drafts_only=tokens > 0, max_tokens=tokens)
    scene.submit(sheet(ONE, spoils=[0]))
    made, (entry,) = scene.report(), scene.entries()
    (row,) = made.rows
    assert (row.outcome, row.reference, row.project_id, row.what_to_do) == (
        Outcome.INVALID,
        "R-1",
        entry.project_id,
        f"{CORRECT} {DRAFT} corrected.",
    )
    waiting = asyncio.run(all_waiting([entry.batch], journal=scene.journal))
    assert (made.remarks, made.orphans) == ((), ())
    assert (waiting.going, waiting.missing) == ((), ())
    scene.release()
    assert (scene.entries(), scene.service.calls["send"]) == ([entry], 0)
    scene.submit(checked_projects([ONE]))
    assert scene.outcomes() == {Outcome.SENT: 1}


def test_a_row_that_is_held_for_an_edit_and_then_spoilt_is_to_correct():
    scene = submitted(ONE, drafts_only=True)
    scene.submit(checked_projects([replace(ONE, description="Else.")]))
    assert scene.outcomes() == {Outcome.HELD: 1}
    scene.submit(sheet(ONE, spoils=[0]))
    assert [each.outcome for each in scene.report().rows] == [Outcome.INVALID]


def test_a_row_that_is_held_for_another_reason_stays_held():
    scene = submitted(ONE, drafts_only=True)
    (entry,) = scene.entries()
    asyncio.run(scene.journal.move(entry.key, State.HELD, at=AT, reason="Look."))
    scene.submit(sheet(ONE, spoils=[0]))
    (row,) = scene.report().rows
    assert (row.outcome, row.what_to_do.startswith(f"Look. See {Next.WAITING}")) == (
        Outcome.HELD,
        True,
    )


def test_a_row_that_was_given_up_stays_so():
    scene = submitted(ONE, drafts_only=True)
    (entry,) = scene.entries()
    for state in (State.HELD, State.ABANDONED):
        asyncio.run(scene.journal.move(entry.key, state, at=AT))
    scene.submit(sheet(ONE, spoils=[0]))
    assert [each.outcome for each in scene.report().rows] == [Outcome.ABANDONED]


def test_a_row_of_which_nothing_was_made_is_to_correct_and_goes_on_once_it_is():
    scene = MemoryScene()
    scene.service.has_turns = False
    scene.submit(checked_projects([ONE, project(2)]))
    scene.submit(sheet(ONE, project(2), spoils=[0]))
    made = scene.report()
    row = made.rows[0]
    assert (row.outcome, row.reference, row.what_to_do) == (
        Outcome.INVALID,
        "R-1",
        f"{CORRECT} Nothing is made of the row until it is corrected.",
    )
    assert (len(made.rows), made.missing, made.remarks) == (2, (), ())
    scene.service.has_turns = True
    scene.submit(checked_projects([ONE, project(2)]))
    assert scene.outcomes() == {Outcome.SENT: 2}


def test_without_a_reference_nobody_knows_which_row_it_is():
    scene = submitted(ONE, project(2))
    scene.submit(sheet(ONE, project(2), spoils=[0], reads_reference=False))
    made = scene.report()
    gone = "is no longer in the workbook but with the service: R-1 (sent)."
    assert (made.rows[0].outcome, made.rows[0].reference, made.remarks) == (
        Outcome.INVALID,
        None,
        (f"1 row of this batch {gone}",),
    )


def test_a_row_with_mistakes_is_not_the_one_that_is_right_beside_it():
    scene = submitted(ONE)
    scene.submit(sheet(ONE, ONE, spoils=[1]))
    assert [(each.outcome, each.reference) for each in scene.report().rows] == [
        (Outcome.SENT, "R-1"),
        (Outcome.INVALID, None),
    ]


def test_of_two_rows_with_mistakes_the_first_is_the_one_that_was_sent():
    scene = submitted(ONE)
    scene.submit(sheet(ONE, ONE, spoils=[0, 1]))
    made = scene.report()
    late = "1 row was changed after it was sent, and the change is not applied"
    assert (standings(made), made.remarks) == (
        [(Outcome.SENT, "R-1"), (Outcome.INVALID, None)],
        (f"{late}: Projects!2.",),
    )


def test_the_row_that_says_what_was_sent_is_the_one_that_was_wherever_it_stands():
    scene = submitted(ONE)
    twice = mark_duplicates(checked_projects([SAID_ELSE, ONE]).rows)
    scene.submit(replace(checked_projects([SAID_ELSE, ONE]), rows=twice))
    made = scene.report()
    assert (standings(made), made.remarks, made.changed_too_late) == (
        [(Outcome.INVALID, None), (Outcome.SENT, "R-1")],
        (f"Projects!3: {SENT.partition(';')[0]}, and stays so.",),
        0,
    )
    assert made.rows[1].what_to_do == f"{SENT.partition(';')[0]}, and stays so."
    assert [(each.rule, each.severity) for each in made.rows[1].findings] == [
        ("row-twice", Severity.ERROR),
        ("mistake-too-late", Severity.NOTE),
    ]


def test_of_a_sheet_that_is_wrong_as_a_whole_a_row_that_was_sent_stays_sent():
    scene = submitted(ONE, project(2))
    checked = checked_projects([ONE, replace(project(2), name="Else")])
    rows = tuple(replace(row, content=None) for row in checked.rows)
    scene.submit(replace(checked, rows=rows))
    made = scene.report()
    assert (standings(made), made.remarks, made.changed_too_late) == (
        [(Outcome.SENT, "R-1"), (Outcome.SENT, "R-2")],
        (),
        0,
    )


def test_rows_of_a_sheet_that_is_wrong_as_a_whole_leave_no_drafts_over():
    scene = submitted(ONE, drafts_only=True)
    checked = checked_projects([ONE])
    rows = tuple(replace(row, content=None) for row in checked.rows)
    scene.submit(replace(checked, rows=rows))
    made = scene.report()
    assert ([each.outcome for each in made.rows], made.orphans, made.remarks) == (
        [Outcome.INVALID],
        (),
        (),
    )


def test_a_person_who_was_invited_stays_invited_whatever_the_row_says_now():
    people = checked_invitations([person(1)])
    scene = MemoryScene()
    scene.submit(people)
    wrong = finding(
        people.rows[0].row.ref,
        rule="wrong",
        message="It is wrong.",
        advice="Correct it.",
    )
    row = replace(
        people.rows[0], content=None, take_fingerprint=None, findings=(wrong,)
    )
    scene.submit(replace(people, rows=(row,)))
    made = scene.report()
    assert [(each.outcome, each.what_to_do) for each in made.rows] == [
        (
            Outcome.INVITED,
            (
                "hemi1@example.org was already invited; what the row says now has "
                "mistakes, and is not applied. Undo the edit here, or make it in a "
                "sheet of acts."
            ),
        )
    ]


def test_a_row_whose_create_is_in_doubt_may_be_with_the_service():
    scene = scripted(create=[Unknown(detail="lost", stops_run=True)])
    scene.submit(sheet(ONE))
    scene.submit(sheet(ONE, spoils=[0]), drafts_only=True)
    (row,) = scene.report().rows
    assert row.what_to_do == (
        f"{CORRECT} Something of the row may be with the service; what the row says "
        "now has mistakes, and is not applied."
    )


def test_a_row_that_nobody_changed_is_not_said_to_be_changed():
    scene = scripted(create=[Unknown(detail="lost", stops_run=True)])
    scene.submit(sheet(ONE))
    twice = mark_duplicates(checked_projects([SAID_ELSE, ONE]).rows)
    scene.submit(replace(sheet(SAID_ELSE, ONE), rows=twice), drafts_only=True)
    may_be = "Something of the row may be with the service"
    why = "it has mistakes now, though nobody changed it."
    assert scene.report().remarks == (f"Projects!3: {may_be}; {why}",)
