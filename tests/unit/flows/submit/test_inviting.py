"""Invitations: whoever is wrong is found, whoever is in doubt is looked up."""

import asyncio
from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from doubles.memory_scene import MemoryScene, scripted
from doubles.rows import checked_invitations, person
from kawe.domain.batch.outcomes import Outcome
from kawe.domain.service.service_words import Invitation, TeamInvitation
from kawe.domain.service.states import NotDone, Reason, Unknown
from kawe.errors import ScopeMissing, ServiceUnreachable

LOST = Unknown(detail="lost")


def people(number):
    return checked_invitations([person(n) for n in range(number)])


def test_a_doubt_is_settled_by_asking_the_team():
    scene = MemoryScene()
    scene.service.loses_answers_of = {"invite"}
    scene.submit(people(3))
    assert (scene.outcomes(), scene.service.invited.total()) == (
        Counter({Outcome.INVITED: 3}),
        3,
    )


def test_without_the_scope_to_read_the_team_the_chunk_is_asked_again():
    scene = scripted(
        invite=[LOST],
        team=[ScopeMissing(message="team:read")] * 2,
    )
    scene.submit(people(3))
    assert scene.outcomes() == Counter({Outcome.INVITED: 3})


def test_a_team_that_cannot_be_read_leaves_the_doubt():
    scene = scripted(
        invite=[LOST],
        team=[None, ServiceUnreachable(message="Down.")],
    )
    assert (type(scene.submit(people(3)).stop.because), scene.outcomes()) == (
        ServiceUnreachable,
        Counter({Outcome.IN_DOUBT: 3}),
    )


def test_a_team_that_cannot_be_read_at_first_invites_nobody():
    scene = scripted(team=[ServiceUnreachable(message="Down.")])
    run = scene.submit(people(3))
    assert (type(run.stop.because), scene.service.calls["invite"]) == (
        ServiceUnreachable,
        0,
    )


def test_a_run_without_doubts_reads_the_team_before_and_after():
    scene = MemoryScene()
    scene.submit(people(401))
    assert (scene.service.calls["invite"], scene.service.calls["team"]) == (3, 2)


def of_the_past(*statuses):
    email = person(0).email
    return [
        TeamInvitation(id=f"{status}-{n}", email=email, status=status)
        for n, status in enumerate(statuses)
    ]


@pytest.mark.parametrize("status", ["EXPIRED", "ACCEPTED"])
def test_whose_invitation_is_over_is_not_invited_by_a_journal_that_never_did(status):
    scene = MemoryScene()
    scene.service.invited_before = of_the_past(status)
    scene.submit(people(2))
    assert (scene.outcomes(), scene.service.invited) == (
        Counter({Outcome.ALREADY_THERE: 1, Outcome.INVITED: 1}),
        Counter([person(1).email]),
    )


def test_who_is_there_in_another_role_is_not_invited():
    scene = MemoryScene()
    scene.submit(
        checked_invitations([person(1, email="aroha@example.org", role="OWNER")])
    )
    assert (scene.outcomes(), scene.service.calls["invite"]) == (
        Counter({Outcome.ALREADY_THERE: 1}),
        0,
    )


@pytest.mark.parametrize(
    "statuses", [("PENDING", "EXPIRED"), ("EXPIRED", "PENDING"), ("PENDING",)]
)
def test_an_open_invitation_that_was_known_before_is_not_ours(statuses):
    scene = MemoryScene()
    scene.service.invited_before = of_the_past(*statuses)
    scene.service.script = {"invite": [LOST]}
    scene.submit(people(1))
    assert scene.outcomes() == Counter({Outcome.ALREADY_THERE: 1})


def test_an_open_invitation_that_was_not_known_before_is_ours_whatever_the_clocks_say():
    scene = MemoryScene()
    scene.service.invited_before = of_the_past("PENDING", "EXPIRED")
    scene.service.loses_answers_of = {"invite"}
    scene.submit(people(1))
    (entry,) = scene.entries()
    (attempt,) = asyncio.run(scene.journal.attempts(entry.key))
    assert (entry.reason, attempt.intent.known_projects) == (
        "Invited (confirmed later).",
        ("PENDING-0", "EXPIRED-1"),
    )


def test_a_doubt_about_a_member_ends_with_the_member():
    scene = scripted(invite=[LOST])
    scene.submit(checked_invitations([person(1, email="aroha@example.org")]))
    assert scene.outcomes() == Counter({Outcome.ALREADY_THERE: 1})


def test_a_network_that_comes_back_in_time_costs_nothing():
    scene = MemoryScene()
    gone = NotDone(reason=Reason.NOT_REACHED, detail="no connection")
    scene.service.script = {"invite": [gone, gone]}
    scene.submit(people(3))
    assert (scene.outcomes(), scene.clock.slept) == ({Outcome.INVITED: 3}, [1.0] * 6)


def test_a_refused_chunk_is_halved():
    scene = MemoryScene()
    refused = NotDone(reason=Reason.CHUNK_REFUSED)
    alone = NotDone(reason=Reason.REJECTED, detail="No such role")
    scene.service.script = {"invite": [refused, refused, alone]}
    scene.submit(people(4))
    assert scene.outcomes() == Counter({Outcome.INVITED: 3, Outcome.INVALID: 1})


def test_a_stop_between_two_chunks_leaves_the_second_for_the_next_run():
    scene = scripted(invite=[NotDone(reason=Reason.KEY_REFUSED)])
    scene.submit(people(201))
    assert (scene.service.calls["invite"], scene.outcomes()) == (
        1,
        Counter({Outcome.UNFINISHED: 201}),
    )


def kept(scene):
    keys = [entry.key for entry in scene.entries()]
    return asyncio.run(scene.journal.invitations(keys))


def test_the_last_invitation_to_an_address_is_the_one_that_is_kept():
    scene = MemoryScene()
    times = {n: scene.clock.now() + timedelta(days=n) for n in (1, 3, 2)}
    scene.service.invited_before = [
        TeamInvitation(id=f"{n}", email=person(0).email, status="PENDING", made_at=at)
        for n, at in times.items()
    ]
    scene.submit(people(1))
    (found,) = kept(scene).values()
    assert found == Invitation(id="3", status="PENDING", made_at=times[3])


@pytest.mark.parametrize(
    "trouble", [ScopeMissing(message="team:read"), ServiceUnreachable(message="Down.")]
)
def test_a_team_that_cannot_be_read_afterwards_is_read_by_the_next_run(trouble):
    scene = scripted(team=[None, trouble])
    run = scene.submit(people(1))
    before = kept(scene)
    scene.submit(people(1))
    (after,) = kept(scene).values()
    assert (run.stop.because, before, after) == (
        None,
        {},
        Invitation(id=person(0).email, status="PENDING"),
    )


def test_the_team_is_not_read_again_where_everybody_accepted():
    scene = MemoryScene()
    scene.service.invited_before = of_the_past("ACCEPTED")
    scene.submit(people(1))
    scene.submit(people(1))
    assert (kept(scene).popitem()[1].status, scene.service.calls["team"]) == (
        "ACCEPTED",
        2,
    )


@pytest.mark.parametrize(
    ("status", "minutes", "shown"),
    [
        ("PENDING", 1, "PENDING"),
        ("PENDING", 0, "EXPIRED"),
        ("PENDING", None, "PENDING"),
        ("ACCEPTED", -1, "ACCEPTED"),
        ("", -1, ""),
    ],
)
def test_an_open_invitation_has_expired_when_its_time_is_over(status, minutes, shown):
    now = MemoryScene().clock.now()
    end = None if minutes is None else now + timedelta(minutes=minutes)
    assert Invitation(id="1", status=status, expires_at=end).status_at(now) == shown


ENDED = datetime(2026, 11, 1, tzinfo=UTC)
LATER = datetime(2026, 11, 9, tzinfo=UTC)
OPEN = Invitation(id="1", status="PENDING", expires_at=ENDED)
EXPIRED = replace(OPEN, status="EXPIRED")
WITHDRAWN = replace(OPEN, status="WITHDRAWN")
UNKNOWN = replace(EXPIRED, expires_at=None)
GOES_ON = replace(EXPIRED, expires_at=LATER + timedelta(days=1))


@pytest.mark.parametrize(
    ("before", "said", "found"),
    [
        (OPEN, EXPIRED, EXPIRED),
        (EXPIRED, EXPIRED, EXPIRED),
        # It ended before the day that it was to end on, or is to end on one to come.
        (replace(OPEN, expires_at=LATER), EXPIRED, WITHDRAWN),
        (None, GOES_ON, replace(GOES_ON, status="WITHDRAWN")),
        (WITHDRAWN, EXPIRED, WITHDRAWN),
        # Nobody knows.
        (None, EXPIRED, UNKNOWN),
        (UNKNOWN, EXPIRED, UNKNOWN),
        (replace(OPEN, id="2"), EXPIRED, UNKNOWN),
    ],
)
def test_a_withdrawn_invitation_is_told_from_an_expired_one_where_that_can_be_known(
    before, said, found
):
    assert said.seen_after(before, now=LATER) == found


def test_a_renewed_invitation_is_open_whatever_was_seen_of_it_before():
    said = Invitation(id="1", status="PENDING", expires_at=LATER)
    before = Invitation(id="1", status="WITHDRAWN", expires_at=ENDED)
    assert said.seen_after(before, now=ENDED) == said
