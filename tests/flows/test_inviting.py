"""Inviting: everybody once, in chunks, matched by address."""

from collections import Counter

from doubles.lossy import losing
from doubles.rows import checked_invitations, person
from kawe.domain.batch.outcomes import Outcome
from kawe.domain.service.states import Step


def test_230_people_are_invited_in_two_chunks(scene_with):
    scene = scene_with(tokens=0)
    scene.submit(checked_invitations([person(n) for n in range(230)]))
    assert (scene.outcomes(), scene.state()["requests"]["user_invite_bulk"]) == (
        Counter({Outcome.INVITED: 230}),
        {"200": 2},
    )


def test_a_member_is_reported_as_there_already(scene_with):
    scene = scene_with(tokens=0)
    people = [person(1), person(2, email="Aroha@tauira.example")]
    scene.submit(checked_invitations(people))
    assert scene.outcomes() == Counter({Outcome.INVITED: 1, Outcome.ALREADY_THERE: 1})


def test_a_lost_answer_is_settled_by_reading_the_team(scene_with):
    scene = scene_with(tokens=0)
    scene.wrap = losing(after={Step.INVITE: frozenset({1})})
    scene.submit(checked_invitations([person(n) for n in range(5)]))
    assert (scene.outcomes(), scene.state()["requests"]["user_invite_bulk"]) == (
        Counter({Outcome.INVITED: 5}),
        {"200": 1},
    )


def test_a_chunk_that_never_arrived_is_asked_again(scene_with):
    scene = scene_with(tokens=0)
    scene.wrap = losing(before={Step.INVITE: frozenset({1})})
    scene.submit(checked_invitations([person(n) for n in range(5)]))
    assert scene.outcomes() == Counter({Outcome.INVITED: 5})


def test_running_again_invites_nobody_twice(scene_with):
    scene = scene_with(tokens=0)
    checked = checked_invitations([person(n) for n in range(5)])
    scene.submit(checked)
    scene.submit(checked)
    assert scene.state()["requests"]["user_invite_bulk"] == {"200": 1}
