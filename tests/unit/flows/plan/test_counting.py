"""What a plan says of people, of warnings and of changes that come too late."""

from dataclasses import replace
from time import process_time

from doubles.memory_scene import MemoryScene
from doubles.rows import checked_invitations, checked_projects, person, project
from doubles.sheets import finding
from kawe.domain.sheet.findings import RowRef, Severity
from kawe.flows.plan.counting import (
    changed_too_late,
    owners_of,
    sending_of,
    warned_rows,
)


def warned(checked):
    """Give each row of a sheet a warning and a note."""
    return replace(
        checked,
        rows=tuple(
            row.with_findings(
                *(
                    finding(
                        RowRef(sheet="Projects", row=row.row.ref.row),
                        severity=severity,
                        rule=rule,
                        message="It is odd.",
                    )
                    for rule, severity in (
                        ("odd", Severity.WARNING),
                        ("note", Severity.NOTE),
                    )
                )
            )
            for row in checked.rows
        ),
    )


def test_a_plan_names_those_whom_it_would_make_owners():
    people = [person(1, role="OWNER"), person(2), person(3, role="OWNER")]
    scene = MemoryScene()
    before = scene.plan(checked_invitations(people))
    scene.submit(checked_invitations(people[:1]))
    after = scene.plan(checked_invitations(people))
    third = "Hēmi 3 (hemi3@example.org)"
    assert (owners_of(before), owners_of(after)) == (
        ["Hēmi 1 (hemi1@example.org)", third],
        [third],
    )


def test_only_rows_for_which_something_is_done_are_warned_of():
    scene = MemoryScene()
    scene.submit(checked_projects([project(1)]))
    plan = scene.plan(warned(checked_projects([project(1), project(2)])))
    assert warned_rows(plan) == [("odd",)]


def test_a_plan_says_which_rows_were_changed_after_they_were_sent():
    scene = MemoryScene()
    scene.submit(checked_projects([project(1), project(2)]))
    edited = [project(1), project(2, description="Other."), project(3)]
    assert changed_too_late(scene.plan(checked_projects(edited))) == (
        (
            "1 row was changed after it was sent, and the change is not applied: "
            "Projects!3."
        ),
    )


def test_what_is_sent_of_many_rows_is_counted_in_a_moment():
    checked = checked_projects([project(1)])
    plan = MemoryScene().plan(checked)
    (entry,), many = plan.entries, range(20_000)
    plan = replace(plan, entries=tuple(replace(entry, key=f"ref:{n}") for n in many))
    rows = tuple(replace(checked.rows[0], key=f"ref:{n}") for n in many)
    began = process_time()
    sending = sending_of(plan, replace(checked, rows=rows))
    assert (sending.asked, sending.says_no) == (20_000, ())
    # With a look at all rows for each row it took ten seconds and more.
    assert process_time() - began < 2
