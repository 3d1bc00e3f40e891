"""What a run would do with every row."""

import asyncio
from collections import Counter
from dataclasses import replace

import pytest

from doubles.memory_scene import MemoryScene
from doubles.rows import checked_invitations, person
from doubles.saved import Planner, rows_of, sheet
from doubles.service import projects_of_others
from doubles.sheets import project_row
from doubles.submitting import submit
from kawe.domain.batch.agreements import Budget
from kawe.domain.batch.outcomes import Outcome
from kawe.domain.batch.saved_plans import Action
from kawe.domain.rows.edits import There
from kawe.flows.plan.counting import left_out, load_of_sends
from kawe.flows.plan.foreseeing import (
    find_there_already,
    foresee,
    requests_of,
    without_there_already,
)
from kawe.flows.plan.staleness import planned_rows, shown_draft
from kawe.flows.settle.resolving import Decision


def _actions(foreseen):
    names = {entry.key: entry.marker for entry in foreseen.plan.entries}
    return {names[key]: action for key, action in foreseen.actions.items()}


def test_new_rows_are_created_and_sent_as_far_as_tokens_go():
    planner = Planner()
    checked = sheet(
        project_row(1),
        project_row(2, priority_order=1.0),
        project_row(3, send=False),
        project_row(4),
    )
    foreseen = planner.foresee(checked, balance=2)
    assert (_actions(foreseen), [key[4:] for key in foreseen.sends]) == (
        {
            "R-1": Action.CREATE_AND_SEND,
            "R-2": Action.CREATE_AND_SEND,
            "R-3": Action.CREATE,
            "R-4": Action.CREATE_AND_WAIT,
        },
        ["R-2", "R-1"],
    )


def test_a_plan_gives_its_order_and_how_many_go_to_each_iwi():
    planner = Planner()
    checked = sheet(project_row(1), project_row(2, priority_order=1.0), project_row(3))
    sends = frozenset(planner.foresee(checked, balance=2).sends)
    assert (
        [row.marker for row in planner.save(checked, balance=2).in_order],
        load_of_sends(checked, sends).words(),
    ) == (["R-2", "R-1"], "This batch sends 2 projects to Ngāti Tauira.")


def test_drafts_only_sends_nothing_and_leaves_drafts_alone():
    planner = Planner()
    planner.submit(sheet(project_row(1)), drafts_only=True)
    assert _actions(planner.foresee(sheet(*rows_of(3)), drafts_only=True)) == {
        "R-0": Action.CREATE,
        "R-1": Action.SKIP,
        "R-2": Action.CREATE,
    }


def test_drafts_are_sent_and_rows_that_are_done_skipped():
    planner = Planner()
    planner.submit(sheet(project_row(0)))
    planner.submit(sheet(*rows_of(3)), drafts_only=True)
    assert _actions(planner.foresee(sheet(*rows_of(3)), max_tokens=1)) == {
        "R-0": Action.SKIP,
        "R-1": Action.SEND,
        "R-2": Action.WAIT,
    }


@pytest.mark.parametrize(
    ("limits", "action"),
    [
        ({}, Action.UPDATE_AND_SEND),
        ({"max_tokens": 0}, Action.UPDATE_AND_WAIT),
        ({"drafts_only": True}, Action.UPDATE),
    ],
)
def test_an_edited_draft_is_changed_where_that_was_asked_for(limits, action):
    planner = Planner()
    planner.submit(sheet(project_row(1)), drafts_only=True)
    edited = sheet(project_row(1, description="Two culverts."))
    held = planner.foresee(edited, **limits)
    applied = planner.foresee(edited, update_drafts=True, **limits)
    assert (_actions(held), _actions(applied)) == (
        {"R-1": Action.HOLD},
        {"R-1": action},
    )


def test_an_edit_of_what_is_done_comes_too_late():
    planner = Planner()
    planner.submit(sheet(project_row(1)))
    foreseen = planner.foresee(sheet(project_row(1, description="Other.")))
    assert _actions(foreseen) == {"R-1": Action.CHANGED}


@pytest.mark.parametrize(
    ("changes", "action"),
    [
        ({"description": "Theirs."}, Action.HOLD),
        ({"status": None}, Action.HOLD),
        ({"status": "NEW"}, Action.SKIP),
        ({"status": "NEW", "reference": "R-7"}, Action.HOLD),
    ],
)
def test_a_draft_that_the_portal_changed_is_foreseen_as_it_will_be(changes, action):
    planner = Planner()
    planner.submit(sheet(project_row(1)), drafts_only=True)
    planner.shows(**changes)
    assert _actions(planner.foresee(sheet(project_row(1)))) == {"R-1": action}


def test_a_draft_that_is_not_shown_any_more_is_held():
    planner = Planner()
    planner.submit(sheet(project_row(1)), drafts_only=True)
    planner.scene.service.projects_there = []
    assert _actions(planner.foresee(sheet(project_row(1)))) == {"R-1": Action.HOLD}


def test_a_draft_that_a_person_took_as_it_stands_is_sent():
    planner = Planner()
    planner.submit(sheet(project_row(1)), drafts_only=True)
    planner.shows(description="Theirs.")
    planner.submit(sheet(project_row(1)))
    (entry,) = planner.scene.entries()
    planner.scene.decide(Decision.ADOPT, project=entry.project_id)
    assert _actions(planner.foresee(sheet(project_row(1)))) == {"R-1": Action.SEND}


def _elsewhere(planner):
    """Give somebody else in front of the same service."""
    return Planner(scene=MemoryScene(service=planner.scene.service))


def test_what_another_journal_sent_or_drafted_is_foreseen_as_what_it_is():
    before = Planner()
    before.submit(sheet(*rows_of(4)), drafts_only=True)
    before.submit(sheet(*rows_of(2)))
    service = before.scene.service
    service.projects_there[3] = replace(service.projects_there[3], name="Theirs")
    planner = _elsewhere(before)
    checked = sheet(*rows_of(3), project_row(3), project_row(4, send=False))
    foreseen = planner.foresee(checked, balance=9)
    scarce = planner.foresee(sheet(*rows_of(3)), balance=0)
    kept = planner.foresee(sheet(*rows_of(3)), drafts_only=True)
    assert (
        _actions(foreseen),
        [key[4:] for key in foreseen.wanting],
        [entry.marker for entry in foreseen.creating],
        [_actions(each)["R-2"] for each in (scarce, kept)],
    ) == (
        {
            "R-0": Action.NOTE_SENT,
            "R-1": Action.NOTE_SENT,
            "R-2": Action.TAKE_AND_SEND,
            "R-3": Action.HOLD,
            "R-4": Action.CREATE,
        },
        ["R-2"],
        ["R-4"],
        [Action.TAKE_AND_WAIT, Action.TAKE],
    )


def test_the_project_of_another_row_is_foreseen_to_hold_until_a_person_says_retry():
    planner = Planner()
    planner.submit(sheet(project_row(1)))
    planner.shows(reference="R-2")
    rows = sheet(project_row(1), project_row(2, name="Weir"))
    held = _actions(planner.foresee(rows))
    planner.submit(rows)
    planner.scene.decide(Decision.RETRY, marker="R-2")
    assert (held["R-2"], _actions(planner.foresee(rows))["R-2"]) == (
        Action.HOLD,
        Action.CREATE_AND_SEND,
    )


def test_nothing_is_looked_for_where_nothing_is_to_be_made():
    planner = Planner()
    planner.submit(sheet(project_row(1)))
    before = planner.scene.service.calls["projects"]
    planner.foresee(sheet(project_row(1)))
    assert planner.scene.service.calls["projects"] == before


def test_people_are_invited():
    foreseen = Planner().foresee(checked_invitations([person(1)]))
    assert list(foreseen.actions.values()) == [Action.INVITE]


def test_a_row_that_is_left_out_is_left():
    planner = Planner()
    foreseen = planner.foresee(sheet(*rows_of(2)))
    key = foreseen.plan.entries[0].key

    async def again():
        run = await planner.scene.run()
        plan = left_out(foreseen.plan, [key])
        return await foresee(run, plan, budget=Budget(balance=9), drafts_only=False)

    assert asyncio.run(again()).actions[key] is Action.LEAVE


def test_a_plan_keeps_drafts_as_hashes_and_rows_to_correct_without_a_reference():
    planner = Planner()
    planner.submit(sheet(project_row(1)), drafts_only=True)
    wrong = {k: v for k, v in project_row(2).items() if k != "name"}
    checked = sheet(project_row(1), wrong)
    rows = list(planned_rows(checked, planner.foresee(checked), salt="s"))
    assert [(r.action, r.marker, r.place, r.draft) for r in rows] == [
        (Action.SEND, "R-1", 1, shown_draft(planner.scene.draft, salt="s")),
        (Action.CORRECT, "", None, ""),
    ]


def test_the_hash_of_a_draft_follows_from_all_that_is_shown_of_it():
    scene = MemoryScene()
    Planner(scene=scene).submit(sheet(project_row(1)), drafts_only=True)
    (shown,) = scene.service.projects_there
    bare = replace(shown, start_at=None, place=None)
    changed = [
        replace(shown, **{name: value})
        for name, value in (
            ("name", "x"),
            ("reference", None),
            ("status", None),
            ("description", "x"),
            ("type", "x"),
            ("phase", "x"),
            ("end_at", None),
            ("respond_by_at", None),
            ("organisation_id", "o"),
        )
    ]
    hashes = [shown_draft(each, salt="s") for each in (None, shown, bare, *changed)]
    assert len(set(hashes)) == 12
    assert shown_draft(shown, salt="t") not in hashes


@pytest.mark.parametrize(
    ("projects", "rows", "requests"), [(0, 2, 1), (250, 9, 6), (250, 2, 3)]
)
def test_the_search_for_existing_projects_is_foreseen(projects, rows, requests):
    planner = Planner()
    checked = replace(sheet(*rows_of(rows, send=False)))
    checked = replace(checked, rows=tuple(replace(r, goes_to=()) for r in checked.rows))
    foreseen = planner.foresee(checked)
    there = planner.scene.service.projects_there

    async def go():
        run = await planner.scene.run()
        there.extend(projects_of_others(projects))
        return await requests_of(run, checked, foreseen)

    assert asyncio.run(go()) - rows - 2 == requests


def test_the_requests_for_people_places_and_lists_are_foreseen():
    people = checked_invitations([person(n) for n in range(201)])
    planner = Planner()
    foreseen = planner.foresee(people)
    routed = sheet(*rows_of(2))
    routed = replace(routed, organisations={str(n): n for n in range(101)})

    async def go():
        run = await planner.scene.run()
        return (
            await requests_of(run, people, foreseen),
            await requests_of(run, routed, replace(foreseen, drafts={})),
        )

    assert asyncio.run(go()) == (2 + 3 + 2, 2 + 1 + 2 + 2)


async def _without(planner, checked, run):
    plan = await planner._plan(checked, run, update_drafts=False)
    return await without_there_already(run, plan)


def test_what_somebody_sent_in_the_portal_is_no_send_and_a_changed_draft_still_is():
    planner = Planner()
    planner.submit(sheet(*rows_of(3)), drafts_only=True)
    there = planner.scene.service.projects_there
    there[0] = replace(there[0], status="NEW")
    there[1] = replace(there[1], description="Theirs.")
    checked = sheet(*rows_of(4))

    async def go():
        run = await planner.scene.run()
        plan = await planner._plan(checked, run, update_drafts=False)
        found = await find_there_already(run, plan, and_drafts=True)
        return plan, found, await without_there_already(run, plan)

    plan, found, counted = asyncio.run(go())
    names = {entry.key: entry.marker for entry in plan.entries}
    assert {names[key]: (each.what, each.why) for key, each in found.items()} == {
        "R-0": (There.SENT, ""),
        "R-1": (
            There.OTHER,
            "Its draft was changed in the portal, it seems: description",
        ),
    }
    assert (
        [names[key] for key in counted.there],
        plan.to_send,
        counted.to_send,
        counted.to_create,
    ) == (["R-0"], 4, 3, 1)


async def test_where_nothing_is_there_already_a_plan_stays_as_it_is():
    planner = Planner()
    run = await planner.scene.run()
    plan = await planner._plan(sheet(*rows_of(2)), run, update_drafts=False)
    counted = await without_there_already(run, plan)
    assert counted is plan


@pytest.mark.parametrize(
    ("rows", "waits_seconds", "lists"),
    [(2, 0, 2), (3, 0, 3), (2, 11, 3)],
    ids=["at once", "with a row more", "later"],
)
def test_what_a_run_was_announced_from_is_not_read_again(rows, waits_seconds, lists):
    planner = Planner()

    async def go():
        run = await planner.scene.run()
        await _without(planner, sheet(*rows_of(2)), run)
        planner.scene.clock.pass_by(waits_seconds)
        plan = await planner._plan(sheet(*rows_of(rows)), run, update_drafts=False)
        await submit(plan, run=run, budget=Budget(balance=9), organisations={})

    asyncio.run(go())
    scene = planner.scene
    assert (scene.service.calls["projects"], scene.outcomes()) == (
        lists,
        Counter({Outcome.SENT: rows}),
    )
